//! An explanation as text for people.

use std::io::{self, Write};

use menace::board::{Board, Cell, Mask, Notation};
use menace::explain::{End, Explained, Explanation};
use menace::game::Diagram;
use menace::odds::Probability;
use menace::table::Removal;
use menace::{Fate, Game, Outcome, Side, Verdict, Why, words};
use num_rational::BigRational;

use crate::show::{self, BOLD, DIM};

/// How wide a line of boards may be.
const WIDTH: usize = 96;
/// How wide a cell is on such a line.
const CELL: usize = 3;

/// Writes an explanation: the board, and for each move whether it stayed or was removed, with the boards that show why.
pub fn write_explanation(explanation: &Explanation, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
    Words { explanation, game }.write(out)
}

struct Words<'a> {
    explanation: &'a Explanation,
    game: &'a dyn Game,
}

impl Words<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Words { explanation, game } = *self;
        let notation = game.notation();
        let (player, name) = (show::player(game, explanation.machine), explanation.machine.name());
        writeln!(
            out,
            "{BOLD}box {} of the {name} machine{BOLD:#}, {player} to move: {}",
            explanation.board.id(),
            self.summary()
        )?;
        if explanation.asked != explanation.board {
            writeln!(
                out,
                "Your board {} is a rotation or mirror image of the board that this box is kept under:",
                explanation.asked
            )?;
        }
        writeln!(out)?;
        for row in show::small(game, explanation.board) {
            writeln!(out, "  {}", row.trim_end())?;
        }
        for explained in &explanation.moves {
            let mv = notation.text(explained.mv);
            let (sign, what) = match explained.fate {
                Fate::Stays(1) => ("+", format!("stays; {}", self.outlook(explained.worth))),
                Fate::Stays(number) => ("+", format!("stays with {number} beads; {}", self.outlook(explained.worth))),
                Fate::Went(removal) => ("-", format!("removed: {}", self.reason(removal, notation))),
            };
            let chance = explained.chance.as_ref().map(|chance| format!("; {}", wins(chance)));
            writeln!(out, "\n{BOLD}{sign} {mv}{BOLD:#}  {what}{}", chance.unwrap_or_default())?;
            let needs_proof = match explained.fate {
                Fate::Went(removal) => removal.why != Why::Win,
                Fate::Stays(_) => {
                    explained.worth.outcome == Outcome::Loss && explanation.verdict.outcome != Outcome::Loss
                }
            };
            if needs_proof {
                self.write_line(explained, out)?;
            }
        }
        if !explanation.missing.is_empty() {
            let resigns = if explanation.moves.is_empty() { ", so the machine resigns here" } else { "" };
            writeln!(out, "\nThere is no bead for {}{resigns}.", notation.list(explanation.missing.iter().copied()))?;
        }
        Ok(())
    }

    /// Why a bead went; if another bead wins at once, also which one.
    fn reason(&self, removal: Removal, notation: Notation) -> String {
        let reason = words::reason(removal, notation);
        match removal.why {
            Why::Win => format!("{reason}: {}", words::beads(&self.explanation.matchbox, notation)),
            _ => reason,
        }
    }

    fn summary(&self) -> String {
        let banned =
            self.explanation.matchbox.banned().map(|ban| format!(", {}", words::ban(Some(ban)))).unwrap_or_default();
        let value = words::verdict(self.explanation.verdict);
        format!("{value}{banned}")
    }

    /// What a bead that stays leads to.
    fn outlook(&self, worth: Verdict) -> String {
        let side = self.explanation.machine;
        let [us, them] = [side, side.other()].map(|side| show::player(self.game, side));
        words::outlook(&us, &them, worth)
    }

    /// The boards of a line side by side, and how it ends.
    fn write_line(&self, explained: &Explained, out: &mut dyn Write) -> io::Result<()> {
        let game = self.game;
        let mut boards = Vec::new();
        let (mut board, mut side) = (self.explanation.board, self.explanation.machine);
        let last = explained.line.len();
        for (&mv, number) in explained.line.iter().zip(1..) {
            board = board.play(mv);
            let row = match explained.end {
                End::Over(_, row) if number == last => row,
                _ => 0,
            };
            boards.push((format!("{}{}", initial(game, side), game.notation().text(mv)), board, row));
            side = side.other();
        }
        write_boards(&boards, game, out)?;
        let end = match explained.end {
            End::Over(Some(winner), 0) => format!("{} wins", show::player(game, winner)),
            End::Over(Some(winner), row) => {
                let cells: Vec<String> = board.cells_of(row).map(|cell| cell.to_string()).collect();
                format!("{} wins; the row is {}", show::player(game, winner), cells.join(" "))
            }
            End::Over(None, _) => "a draw".to_owned(),
            End::BannedAtStart => "that board is banned from the start".to_owned(),
            End::Repeats => "that board has come up before".to_owned(),
            End::Open => "the table gives no further reason".to_owned(),
        };
        writeln!(out, "    {end}")
    }
}

/// A chance of winning, in words.
fn wins(chance: &BigRational) -> String {
    format!("against a random opponent it wins {:.4} of the games ({chance})", Probability(chance).decimal())
}

/// The mark of the side that moves, for the caption of a board; nothing if marks belong to nobody.
fn initial(game: &dyn Game, side: Side) -> String {
    game.mark(side).map(|mark| format!("{} ", mark.letter())).unwrap_or_default()
}

/// Writes boards side by side under their captions, as many as fit. There is no room for lines between the points.
fn write_boards(boards: &[(String, Board, Mask)], game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
    let diagram = game.diagram();
    let wide = CELL * diagram.size.0 as usize;
    for boards in boards.chunks((WIDTH / (wide + 2)).max(1)) {
        let captions: Vec<String> = boards.iter().map(|(caption, _, _)| format!("{caption:^wide$}")).collect();
        writeln!(out, "    {DIM}{}{DIM:#}", captions.join("  ").trim_end())?;
        for row in 0..diagram.size.1 as usize {
            let rows = boards.iter().map(|(_, board, marked)| board_row(*board, *marked, row, game, &diagram));
            writeln!(out, "    {}", rows.collect::<Vec<_>>().join("  ").trim_end())?;
        }
    }
    Ok(())
}

/// A row of a board, with the cells of the winning row in brackets.
fn board_row(board: Board, marked: Mask, row: usize, game: &dyn Game, diagram: &Diagram) -> String {
    let text = |cell: Cell| {
        let text = board.at(cell).map_or_else(show::dot, show::mark);
        if marked & game.shape().mask(cell) != 0 {
            format!("{BOLD}[{BOLD:#}{text}{BOLD}]{BOLD:#}")
        } else {
            format!(" {text} ")
        }
    };
    let mut cells = vec![" ".repeat(CELL); diagram.size.0 as usize];
    for (cell, &(x, y)) in board.cells().zip(&diagram.points) {
        if y as usize == row {
            cells[x as usize] = text(cell);
        }
    }
    cells.concat()
}

//! Why each bead of a box is there or gone.
//!
//! A bead that went has a reply that refutes it; the reply leads to a banned board, whose beads have gone for reasons
//! of their own, and so on to a finished board. Where a bead went because another is better, or stayed, best play shows
//! what would follow. The reasons are those of the table; what boards are worth is worked out apart from it.

mod json;

use num_rational::BigRational;

use crate::aim::Aim;
use crate::board::{Board, Mask, Move};
use crate::chances::Chances;
use crate::game::{Game, sides_to_move};
use crate::learn::Why;
use crate::matchbox::{Ban, Fate, Matchbox, Removal};
use crate::policy::seen;
use crate::position::{Position, Side};
use crate::table::{Table, TableError};
use crate::verdict::{Outcome, Verdict};

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is over: who has won, if anyone, and with which row, in games that are won by rows.
    Over(Option<Side>, Mask),
    /// With a board that is banned from the start.
    BannedAtStart,
    /// With a board that has come up before.
    Repeats,
    /// With a board for which the table gives no reason.
    Open,
}

/// A move, what became of its bead, and a line of play that shows why.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The move.
    pub mv: Move,
    /// What became of its bead.
    pub fate: Fate,
    /// What the move is worth to the machine: the verdict on the board after it, seen from its side.
    pub worth: Verdict,
    /// The line, from the bead on. For a bead that stays it is best play.
    pub line: Vec<Move>,
    /// How the line ends.
    pub end: End,
    /// How likely the machine is to win after it against a random opponent, if the aim compares that.
    pub chance: Option<BigRational>,
}

/// A box, explained.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The board that was asked for.
    pub asked: Board,
    /// The board of the box, which is a turn or mirror image of it.
    pub board: Board,
    /// Whose box it is.
    pub machine: Side,
    /// What the board is worth to the machine.
    pub verdict: Verdict,
    /// What is in the box.
    pub matchbox: Matchbox,
    /// The moves that it has or had a bead for, in ascending order.
    pub moves: Vec<Explained>,
    /// The moves that it has no bead for, and no record that it ever had one, as in a trained box.
    pub missing: Vec<Move>,
}

/// Explains the box that stands for a position.
///
/// ```
/// use menace::explain::explain;
/// use menace::{Board, Plan, Position, Side, Table, games};
///
/// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
/// let board = Board::parse("X.X/.O./X.O", table.game().shape())?;
/// let explanation = explain(&table, Position::new(board, Side::Second))?;
/// let notation = table.game().notation();
/// let line = notation.list(explanation.moves[0].line.iter().copied());
/// assert_eq!(line, "2 4", "O blocks at 2, and X completes the left column at 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(table: &Table, at: Position) -> Result<Explanation, TableError> {
    let (kept, matchbox) = open_box(table, at)?;
    let (game, machine) = (&**table.game(), at.to_move);
    let play = Play { table, game };
    let mut moves = Vec::new();
    let mut chances = Chances::none(game, machine, table.classes());
    let weighed = table.boxes(machine).filter(|_| table.aim() == Some(Aim::Trap));
    for bead in matchbox.all() {
        let (line, end) = match bead.fate {
            Fate::Went(removal) if removal.why.reply().is_some() || removal.why == Why::Loses(None) => {
                play.refutation(kept, bead.mv, removal)?
            }
            Fate::Went(_) | Fate::Stays(_) => play.best(kept, bead.mv)?,
        };
        let worth = table.verdict(kept.play(bead.mv))?.for_the_other();
        let chance = weighed.filter(|_| worth.outcome == Outcome::Draw);
        let chance = chance.map(|machine| chances.find(kept.board, bead.mv, &machine.boxes));
        moves.push(Explained { mv: bead.mv, fate: bead.fate, worth, line, end, chance });
    }
    let mut missing = table.classes().moves(game, kept).to_vec();
    missing.retain(|&mv| matchbox.fate(mv).is_none());
    let verdict = table.verdict(kept)?;
    Ok(Explanation { asked: at.board, board: kept.board, machine, verdict, matchbox, moves, missing })
}

/// Opens the box that stands for a position, with the position it is kept under; or says why there is none.
pub fn open_box(table: &Table, at: Position) -> Result<(Position, Matchbox), TableError> {
    sides_to_move(&**table.game(), at.board)?;
    if !table.machines().contains(at.to_move) {
        return Err(TableError::NoMachine(at.to_move));
    }
    let kept = Position::new(table.classes().lowest(at.board), at.to_move);
    let matchbox = table.matchbox(kept)?.ok_or_else(|| TableError::NoBox { id: kept.board.id(), at })?;
    Ok((kept, matchbox))
}

/// What the lines are made from.
struct Play<'a> {
    table: &'a Table,
    game: &'a dyn Game,
}

impl Play<'_> {
    /// The line that refutes a bead, as the boxes have it: the reply, then the bead that went last from the box it leads to.
    fn refutation(&self, at: Position, mv: Move, removal: Removal) -> Result<(Vec<Move>, End), TableError> {
        let (mut line, mut at, mut mv, mut removal) = (Vec::new(), at, mv, removal);
        loop {
            line.push(mv);
            at = at.play(mv);
            if let Some(end) = self.end(at) {
                return Ok((line, end));
            }
            let Some(reply) = removal.why.reply() else { return Ok((line, End::Open)) };
            line.push(reply);
            at = at.play(reply);
            if let Some(end) = self.end(at) {
                return Ok((line, end));
            }
            let Some(matchbox) = self.table.matchbox(at)? else { return Ok((line, End::Open)) };
            if matchbox.banned() == Some(Ban::AtStart) {
                return Ok((line, End::BannedAtStart));
            }
            // A table whose reasons lead in circles proves nothing.
            let next = matchbox.last_to_go().next().filter(|_| line.len() <= 2 * self.longest());
            let Some(next) = next else { return Ok((line, End::Open)) };
            (mv, removal) = next;
        }
    }

    /// A proof that is longer than this goes in circles: it has more moves than cells or, in games that go in circles,
    /// more than any known game needs.
    fn longest(&self) -> usize {
        let cells = usize::from(self.game.shape().cells());
        if self.game.goes_in_circles() { cells * 1000 } else { cells }
    }

    /// A bead and best play after it.
    fn best(&self, at: Position, mv: Move) -> Result<(Vec<Move>, End), TableError> {
        let (mut line, mut at) = (vec![mv], at.play(mv));
        let mut seen = vec![at];
        loop {
            if let Some(end) = self.end(at) {
                return Ok((line, end));
            }
            let Some(mv) = self.best_move(at)? else { return Ok((line, End::Open)) };
            line.push(mv);
            at = at.play(mv);
            if seen.contains(&at) {
                return Ok((line, End::Repeats));
            }
            seen.push(at);
        }
    }

    /// The first of the best moves.
    fn best_move(&self, at: Position) -> Result<Option<Move>, TableError> {
        let mut best: Option<(Verdict, Move)> = None;
        for mv in self.game.moves(at) {
            let worth = seen(self.table, self.game, at.play(mv))?.before_move();
            if best.is_none_or(|(known, _)| worth > known) {
                best = Some((worth, mv));
            }
        }
        Ok(best.map(|(_, mv)| mv))
    }

    fn end(&self, at: Position) -> Option<End> {
        let winner = self.game.result(at)?.winner(at.to_move);
        Some(End::Over(winner, self.game.row(at.board)))
    }
}

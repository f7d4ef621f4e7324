//! A drawer as it lies on the board: the box is turned until its label looks like the board, and its beads are named by the board.

use menace::board::Symmetry;
use menace::draw::{bead_colour, colour};
use menace::table::Classes;
use menace::{Ban, Cell, Choice, Fate, Game, Matchbox, Move, Policy, Position, Table, TableError};
use serde::Serialize;

use crate::{words, worth};

/// A move as the page draws it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveView {
    /// The move as it is typed.
    pub text: String,
    /// The cell that the piece leaves, or 0.
    pub from: u8,
    /// The cell that it goes to.
    pub to: u8,
    /// The mark that is then there.
    pub mark: char,
    /// The move in words.
    pub name: String,
    /// Other cells that stand for the move, where pieces fall down.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u8>,
    /// What the move is worth to the side that makes it, if that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<&'static str>,
}

impl MoveView {
    pub fn new(game: &dyn Game, mv: Move) -> MoveView {
        MoveView {
            text: game.notation().text(mv).to_string(),
            from: mv.from.map_or(0, |from| from.number()),
            to: mv.to.number(),
            mark: mv.mark.letter(),
            name: words::mv(game, mv),
            also: Vec::new(),
            worth: None,
        }
    }
}

/// A kind of beads in a drawer.
#[derive(Clone, Debug, Serialize)]
pub struct BeadView {
    #[serde(flatten)]
    pub mv: MoveView,
    /// How many there are; 0 is a hole.
    pub number: u32,
    /// The colour, as on the label: its name, the colour itself, that of text on it, and how many rings it has.
    pub colour: String,
    pub fill: String,
    pub ink: &'static str,
    pub rings: usize,
    /// The same move on mirrored cells, which have no beads of their own.
    pub ghosts: Vec<(u8, u8)>,
    /// Whether the move loses against best play where another does not, if that is shown.
    pub loses: bool,
    /// How likely it is to be drawn: a share of 1.
    pub share: f64,
}

impl BeadView {
    /// The beads of a move, in the colour with this number, and how likely they are to be drawn.
    fn new(game: &dyn Game, mv: Move, index: usize, number: u32, chances: &[(Move, u64)]) -> BeadView {
        let (found, rings) = colour(index);
        let all: u64 = chances.iter().map(|&(_, number)| number).sum();
        let chance = chances.iter().find(|&&(chosen, _)| chosen == mv).map_or(0, |&(_, number)| number);
        BeadView {
            mv: MoveView::new(game, mv),
            number,
            colour: words::colour(index),
            fill: found.hex(),
            ink: found.ink(),
            rings,
            ghosts: Vec::new(),
            loses: false,
            share: if all == 0 { 0.0 } else { chance as f64 / all as f64 },
        }
    }
}

/// A drawer.
#[derive(Clone, Debug, Serialize)]
pub struct Drawer {
    /// The number of the box, which is on its label.
    pub number: String,
    /// The side whose box it is.
    pub side: &'static str,
    /// The board, as the game has it.
    pub board: String,
    /// The board on the label.
    pub label: String,
    /// How the label is turned to lie as the board does, as the numbers of a CSS matrix that turns it back; none if it need not be.
    pub turn: Option<[i8; 4]>,
    /// The turn in words.
    pub turned: String,
    /// The beads.
    pub beads: Vec<BeadView>,
    /// Why it is closed for ever, if it is banned.
    pub banned: Option<String>,
}

impl Drawer {
    /// The drawer for a position; none if the table has no box for it. With the solved game, losing beads are marked.
    pub fn new(table: &Table, at: Position, solved: Option<&Table>) -> Result<Option<Drawer>, TableError> {
        let game = &**table.game();
        let (kept, turn) = table.classes().fold(at.board);
        let Some(matchbox) = table.matchbox(Position::new(kept, at.to_move))? else { return Ok(None) };
        let back = turn.inverse();
        let full = Matchbox::full(&table.classes().moves(game, Position::new(kept, at.to_move)));
        let chances = table.choose(game, at).map(|choice| choice.moves()).unwrap_or_default();
        let mut moves: Vec<Move> = matchbox.all().iter().chain(full.all()).map(|bead| bead.mv).collect();
        moves.sort();
        moves.dedup();
        let mut beads = Vec::new();
        for mv in moves {
            let here = back.mv(mv);
            let number = match matchbox.fate(mv) {
                Some(Fate::Stays(number)) => number,
                Some(Fate::Went(_)) | None => 0,
            };
            let loses = solved.map_or(Ok(false), |solved| worth::throws_away(solved, at, here))?;
            let bead = BeadView::new(game, here, bead_colour(&full, mv), number, &chances);
            beads.push(BeadView { ghosts: ghosts(table.classes(), at, here), loses, ..bead });
        }
        let matrix = matrix(game, &back);
        Ok(Some(Drawer {
            number: kept.id().to_string(),
            side: at.to_move.name(),
            board: at.board.to_string(),
            label: kept.to_string(),
            turn: (kept != at.board).then_some(matrix),
            turned: if kept == at.board { String::new() } else { turned(matrix).to_owned() },
            beads,
            banned: matchbox.banned().map(|ban: Ban| menace::words::ban(Some(ban))),
        }))
    }

    /// What a player without boxes chooses from, shown as a bead for each move. Moves that mirror each other are all there.
    pub fn of_choice(game: &dyn Game, at: Position, choice: &Choice) -> Drawer {
        let (moves, full) = (choice.moves(), Matchbox::full(&game.moves(at)));
        let bead = |&mv: &Move| {
            let number = moves.iter().any(|&(chosen, _)| chosen == mv).into();
            BeadView::new(game, mv, bead_colour(&full, mv), number, &moves)
        };
        let board = at.board.to_string();
        Drawer {
            number: at.board.id().to_string(),
            side: at.to_move.name(),
            label: board.clone(),
            board,
            turn: None,
            turned: String::new(),
            beads: game.moves(at).iter().map(bead).collect(),
            banned: None,
        }
    }
}

/// The cells of a move on the mirror images of a board that looks the same in a mirror.
fn ghosts(classes: &Classes, at: Position, mv: Move) -> Vec<(u8, u8)> {
    let mut images: Vec<Move> =
        classes.mirrors(at.board).map(|mirror| mirror.mv(mv)).filter(|&image| image != mv).collect();
    images.sort();
    images.dedup();
    images.iter().map(|image| (image.from.map_or(0, |from| from.number()), image.to.number())).collect()
}

/// The matrix that turns a board back to its label, given the symmetry from the label to the board.
fn matrix(game: &dyn Game, back: &Symmetry) -> [i8; 4] {
    const ALL: [[i8; 4]; 8] = [
        [1, 0, 0, 1],
        [-1, 0, 0, 1],
        [1, 0, 0, -1],
        [-1, 0, 0, -1],
        [0, 1, 1, 0],
        [0, 1, -1, 0],
        [0, -1, 1, 0],
        [0, -1, -1, 0],
    ];
    let diagram = game.diagram();
    let middle = |index: usize| {
        let (x, y) = diagram.points[index];
        (x - diagram.size.0 / 2.0, y - diagram.size.1 / 2.0)
    };
    let cells: Vec<Cell> = game.start().board.cells().collect();
    let turns = |matrix: &[i8; 4]| {
        let [a, b, c, d] = matrix.map(f64::from);
        cells.iter().all(|&cell| {
            let (x, y) = middle(back.cell(cell).index());
            let (label_x, label_y) = middle(cell.index());
            (a * x + c * y - label_x).abs() < 1e-6 && (b * x + d * y - label_y).abs() < 1e-6
        })
    };
    ALL.into_iter().find(turns).unwrap_or(ALL[0])
}

/// How a label has to be turned to lie as the board does, in words. The matrix turns it back.
fn turned([a, b, c, d]: [i8; 4]) -> &'static str {
    match [a, b, c, d] {
        [-1, 0, 0, 1] => "mirrored, left to right",
        [1, 0, 0, -1] => "mirrored, top to bottom",
        [-1, 0, 0, -1] => "turned upside down",
        // Turning back to the left is turning to the right.
        [0, -1, 1, 0] => "turned a quarter to the right",
        [0, 1, -1, 0] => "turned a quarter to the left",
        [0, 1, 1, 0] => "mirrored along the diagonal from top left",
        [0, -1, -1, 0] => "mirrored along the diagonal from top right",
        _ => "",
    }
}

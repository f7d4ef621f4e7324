//! The whole of a machine's play in one picture: its move large, and inside each empty cell the board after that reply, with the
//! machine's next move large in it, down to the end of every game.
//!
//! Every board is a group in the SVG that says what it shows: `data-reply`, `data-move` and `data-board` after both.

use super::canvas::{Canvas, FAINT, Frame, INK, LETTER, Type};
use super::picture::Picture;
use crate::board::{Board, Cell, Id, Move, Player};
use crate::cabinet::Cabinet;
use crate::game::{Game, Outcome, forced_move};
use crate::packed::PackedError;

/// More boards than this are no picture any more.
const MOST: usize = 50_000;

/// The side of the map in millimetres, and the margin around it.
const SIDE: f64 = 240.0;
const MARGIN: f64 = 6.0;
const HEADING: f64 = 14.0;
/// The size of the words below the heading.
const SMALL: f64 = 3.2;

/// The colour of the machine's moves.
const MOVE: &str = "#c8102e";
/// What finished boards stand on, by who has won.
const WON: &str = "#dcefdc";
const LOST: &str = "#f7d6d6";
const DRAWN: &str = "#ececec";

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The table is for the other machine.
    #[error("the table has no boxes for the {} machine; choose the other with --machine", .0.name())]
    OtherMachine(Player),
    /// The game's moves do not each fill a cell of their own.
    #[error("a map shows games in which each move fills a cell of its own, and {0} is none; try `menace draw page`")]
    Moves(String),
    /// The machine has a box for a board that it meets, and it is banned.
    #[error("the {} machine of {game} can be beaten from board {board}, so there is no map of its play; choose the other machine", .machine.name())]
    Lost {
        /// The game.
        game: String,
        /// The machine.
        machine: Player,
        /// The board.
        board: Board,
    },
    /// Too many boards.
    #[error(
        "the map of {game} would have more than {MOST} boards; choose a smaller game, or a table with one bead a box"
    )]
    TooMany {
        /// The game.
        game: String,
    },
    /// The machine has no move on a board that it meets.
    #[error(
        "the table has no bead for board {board}, box {id}, which the machine meets in play, so it has no move there and its play no map; choose another table"
    )]
    NoBead {
        /// The id of the box.
        id: Id,
        /// The board.
        board: Board,
    },
    /// The table cannot be trusted.
    #[error(transparent)]
    Table(#[from] PackedError),
}

/// Draws everything a machine plays. Where a box has several beads, the map shows the most numerous, and of those the lowest.
pub fn map(boxes: &dyn Cabinet, machine: Player) -> Result<Picture, MapError> {
    if !boxes.machines().contains(&machine) {
        return Err(MapError::OtherMachine(machine));
    }
    let game = &**boxes.game();
    if game.moves(game.start(), Player::One).iter().any(|mv| mv.from.is_some()) {
        return Err(MapError::Moves(game.name()));
    }
    let mut map = Map { boxes, game, machine, canvas: Canvas::default(), boards: 0 };
    let (columns, rows) = (f64::from(game.shape().width()), f64::from(game.shape().height()));
    let (width, height) = if columns >= rows { (SIDE, SIDE * rows / columns) } else { (SIDE * columns / rows, SIDE) };
    let (mark, name) = (machine.mark(), machine.name());
    let heading = format!("{}: how the {name} machine plays", game.name());
    let how = format!(
        "{mark} in red is its move; inside every other cell, what follows a reply there; green is won, grey drawn"
    );
    let words = how.len() as f64 * SMALL * LETTER;
    let size = (width.max(words) + 2.0 * MARGIN, height + 2.0 * MARGIN + HEADING);
    map.canvas.rect((0.0, 0.0), size, "#fff");
    map.canvas.text((MARGIN, MARGIN + 2.5), &heading, Type::new(5.0).bold());
    map.canvas.text((MARGIN, MARGIN + 8.0), how, Type::new(SMALL).ink(FAINT));
    let frame = Frame::fit(MARGIN, MARGIN + HEADING, width, height, game.shape());
    match machine {
        Player::One => map.answer(frame, game.start(), None)?,
        Player::Two => {
            map.canvas.push(format_args!(r#"<g data-board="{}">"#, game.start()));
            map.replies(frame, game.start(), |_| INK)?;
            map.canvas.push(format_args!("</g>"));
        }
    }
    Ok(Picture::new(map.canvas, size, &heading))
}

struct Map<'a> {
    boxes: &'a dyn Cabinet,
    game: &'a dyn Game,
    machine: Player,
    canvas: Canvas,
    boards: usize,
}

impl Map<'_> {
    /// A board on which the machine is to move, after a reply if there was one, with its move and all that follows.
    fn answer(&mut self, frame: Frame, board: Board, reply: Option<Move>) -> Result<(), MapError> {
        self.count()?;
        let mv = self.bead(board)?;
        let after = board.play(mv);
        self.open(reply, Some(mv), after);
        let ink = |cell| if cell == mv.to { MOVE } else { INK };
        match self.game.result(after, self.machine.other()) {
            Some(outcome) => self.finished(frame, after, outcome.for_the_other(), ink),
            None => self.replies(frame, after, ink)?,
        }
        self.canvas.push(format_args!("</g>"));
        Ok(())
    }

    /// A board on which the opponent is to move, with a smaller board in the cell of every reply.
    fn replies(&mut self, frame: Frame, board: Board, ink: impl Fn(Cell) -> &'static str) -> Result<(), MapError> {
        const INSET: f64 = 0.07;
        self.canvas.grid(&frame, frame.cell * 0.02);
        self.canvas.marks(&frame, board, ink);
        let replies = self.game.moves(board, self.machine.other());
        let is_alone =
            |reply: &Move| reply.from.is_none() && replies.iter().filter(|other| other.to == reply.to).count() == 1;
        if !replies.iter().all(is_alone) {
            return Err(MapError::Moves(self.game.name()));
        }
        for &reply in &replies {
            let (x, y) = frame.corner(reply.to);
            let (inset, side) = (frame.cell * INSET, frame.cell * (1.0 - 2.0 * INSET));
            let inner = Frame::fit(x + inset, y + inset, side, side, frame.shape);
            let next = board.play(reply);
            match self.game.result(next, self.machine) {
                Some(outcome) => {
                    self.count()?;
                    self.open(Some(reply), None, next);
                    self.finished(inner, next, outcome, |_| INK);
                    self.canvas.push(format_args!("</g>"));
                }
                None => self.answer(inner, next, Some(reply))?,
            }
        }
        Ok(())
    }

    /// A finished board, for the machine.
    fn finished(&mut self, frame: Frame, board: Board, outcome: Outcome, ink: impl Fn(Cell) -> &'static str) {
        let ground = match outcome {
            Outcome::Win => WON,
            Outcome::Draw => DRAWN,
            Outcome::Loss => LOST,
        };
        self.canvas.rect((frame.x, frame.y), (frame.width(), frame.height()), ground);
        self.canvas.grid(&frame, frame.cell * 0.02);
        self.canvas.marks(&frame, board, ink);
        self.canvas.row(&frame, board, self.game.row(board), "#1b5e20");
    }

    /// The bead that the machine plays on a board.
    fn bead(&self, board: Board) -> Result<Move, MapError> {
        let opened = self.boxes.open(self.machine, board)?;
        let best = opened.as_ref().and_then(|opened| {
            let best = opened.matchbox.beads().reduce(|best, bead| if bead.1 > best.1 { bead } else { best });
            best.map(|(mv, _)| opened.symmetry.inverse().mv(mv))
        });
        if opened.as_ref().is_some_and(|opened| opened.matchbox.banned().is_some()) && best.is_none() {
            return Err(MapError::Lost { game: self.game.name(), machine: self.machine, board });
        }
        let forced = || forced_move(self.game, board, self.machine).filter(|_| opened.is_none());
        let mv = best
            .or_else(forced)
            .ok_or_else(|| MapError::NoBead { id: self.boxes.classes().lowest(board).id(), board })?;
        if mv.from.is_some() {
            return Err(MapError::Moves(self.game.name()));
        }
        Ok(mv)
    }

    fn open(&mut self, reply: Option<Move>, mv: Option<Move>, board: Board) {
        let notation = self.game.notation();
        let attribute = |name: &str, mv: Option<Move>| mv.map(|mv| format!(r#" data-{name}="{}""#, notation.text(mv)));
        let (reply, mv) = (attribute("reply", reply).unwrap_or_default(), attribute("move", mv).unwrap_or_default());
        self.canvas.push(format_args!(r#"<g{reply}{mv} data-board="{board}">"#));
    }

    fn count(&mut self) -> Result<(), MapError> {
        self.boards += 1;
        if self.boards > MOST {
            return Err(MapError::TooMany { game: self.game.name() });
        }
        Ok(())
    }
}

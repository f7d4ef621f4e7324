//! The whole of a machine's play in one picture: its move large, and inside each empty cell the board after that reply, with the
//! machine's next move large in it, down to the end of every game.
//!
//! Every board is a group in the SVG that says what it shows: `data-reply`, `data-move` and `data-board` after both.

mod layout;
mod legend;

use super::canvas::{Canvas, Pen, Type};
use super::colour::{DRAW_GROUND, LOSES_GROUND, OWN, REPLY, WINS_GROUND};
use super::frame::Frame;
use super::paper::Paper;
use super::picture::Picture;
use crate::board::{Board, Cell, Id, Move};
use crate::game::{Game, is_losing_row};
use crate::policy::{Choice, Policy};
use crate::position::{Position, Side};
use crate::table::{Table, TableError};
use crate::verdict::Outcome;
use crate::{games, words};
use layout::Layout;
use legend::{Endings, Legend};

/// With more boards than this, a map could not be read.
const MOST: usize = 50_000;

/// Why a map could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The table is for the other machine.
    #[error("the table has no boxes for the {0} machine")]
    OtherMachine(Side),
    /// The game's moves do not each fill a different cell.
    #[error("a map needs a game in which each move fills a different cell, and {0} is not one")]
    Moves(String),
    /// The machine can come to a board that is banned.
    #[error("the {} machine of {game} can be beaten from board {board}, so there is no map of its play", .machine)]
    Lost {
        /// The game.
        game: String,
        /// The machine.
        machine: Side,
        /// The board.
        board: Board,
    },
    /// Too many boards.
    #[error("the map of {game} would have more than {MOST} boards")]
    TooMany {
        /// The game.
        game: String,
    },
    /// The machine has no move on a board that it meets.
    #[error("the table has no bead for board {board}, box {id}, which the machine meets in play")]
    NoBead {
        /// The id of the box.
        id: Id,
        /// The board.
        board: Board,
    },
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Refuses a game that no map can show.
pub fn check_map(game: &dyn Game) -> Result<(), MapError> {
    let moves = game.moves(game.start());
    let slides = moves.iter().any(|mv| mv.from.is_some()) || game.goes_in_circles();
    let shares = moves.iter().enumerate().any(|(at, mv)| moves[..at].iter().any(|other| other.to == mv.to));
    if slides || shares { Err(MapError::Moves(games::titled(game))) } else { Ok(()) }
}

/// Draws everything a machine plays. Where a box has several beads, the map shows the most frequent one, and the lowest
/// of those.
pub fn map(table: &Table, machine: Side) -> Result<Picture, MapError> {
    draw(table, machine, None)
}

/// The same on a sheet of paper, upright or sideways, whichever makes the map larger.
pub fn map_on(table: &Table, machine: Side, paper: Paper) -> Result<Picture, MapError> {
    draw(table, machine, Some(paper))
}

fn draw(table: &Table, machine: Side, paper: Option<Paper>) -> Result<Picture, MapError> {
    if !table.machines().contains(machine) {
        return Err(MapError::OtherMachine(machine));
    }
    let game = &**table.game();
    check_map(game)?;
    let draw = |frame: Frame<'_>| {
        let mut map = Map { table, game, machine, canvas: Canvas::default(), boards: 0, endings: Endings::default() };
        map.draw(frame)?;
        Ok::<_, MapError>((map.canvas, Legend::new(game, machine, map.endings)))
    };
    let diagram = game.diagram();
    let mut layout = Layout::free(&diagram);
    let (mut body, legend) = draw(layout.frame)?;
    if let Some(paper) = paper {
        // The legend, which takes room from the map, is known only now.
        layout = Layout::on(paper, &diagram, &legend);
        (body, _) = draw(layout.frame)?;
    }
    let game = words::capital(games::title(&game.name()));
    let heading = format!("{game}: how the {} machine plays", machine.name());
    let mut canvas = Canvas::default();
    let size = layout.size(&legend);
    canvas.ground(size);
    canvas.text(layout.heading, &heading, Type::new(5.0 * layout.unit).bold());
    legend.draw(&mut canvas, &layout);
    canvas.append(body);
    Ok(Picture::new(canvas, size, &heading))
}

struct Map<'a> {
    table: &'a Table,
    game: &'a dyn Game,
    machine: Side,
    canvas: Canvas,
    boards: usize,
    endings: Endings,
}

impl Map<'_> {
    /// The whole map, in a frame.
    fn draw(&mut self, frame: Frame) -> Result<(), MapError> {
        let start = self.game.start();
        match self.machine {
            Side::First => self.answer(frame, start, None),
            Side::Second => {
                self.canvas.push(format_args!(r#"<g data-board="{}">"#, start.board));
                self.replies(frame, start, |_| Pen::PLAIN)?;
                self.canvas.push(format_args!("</g>"));
                Ok(())
            }
        }
    }

    /// A board on which the machine is to move, after a reply if there was one, with its move and all that follows.
    fn answer(&mut self, frame: Frame<'_>, at: Position, reply: Option<Move>) -> Result<(), MapError> {
        self.count()?;
        let mv = self.bead(at)?;
        let after = at.play(mv);
        self.open(reply, Some(mv), after.board);
        let pen = |cell| match reply {
            _ if cell == mv.to => Pen::bold(OWN),
            Some(reply) if cell == reply.to => Pen::new(REPLY),
            _ => Pen::PLAIN,
        };
        match self.game.result(after) {
            Some(outcome) => self.finished(frame, after, outcome.for_the_other(), pen),
            None => self.replies(frame, after, pen)?,
        }
        self.canvas.push(format_args!("</g>"));
        Ok(())
    }

    /// A board on which the opponent is to move, with a smaller board in the cell of every reply.
    fn replies(&mut self, frame: Frame<'_>, at: Position, pen: impl Fn(Cell) -> Pen) -> Result<(), MapError> {
        const INSET: f64 = 0.07;
        self.board(&frame, at.board, pen);
        let replies = self.game.moves(at);
        let is_alone =
            |reply: &Move| reply.from.is_none() && replies.iter().filter(|other| other.to == reply.to).count() == 1;
        if !replies.iter().all(is_alone) {
            return Err(MapError::Moves(games::titled(self.game)));
        }
        for &reply in &replies {
            let (x, y) = frame.corner(reply.to);
            let (inset, side) = (frame.cell * INSET, frame.cell * (1.0 - 2.0 * INSET));
            let inner = Frame::fit(x + inset, y + inset, side, side, frame.diagram);
            let next = at.play(reply);
            match self.game.result(next) {
                Some(outcome) => {
                    self.count()?;
                    self.open(Some(reply), None, next.board);
                    let pen = |cell| if cell == reply.to { Pen::new(REPLY) } else { Pen::PLAIN };
                    self.finished(inner, next, outcome, pen);
                    self.canvas.push(format_args!("</g>"));
                }
                None => self.answer(inner, next, Some(reply))?,
            }
        }
        Ok(())
    }

    /// A finished board, on a ground coloured by its outcome for the machine.
    fn finished(&mut self, frame: Frame<'_>, at: Position, outcome: Outcome, pen: impl Fn(Cell) -> Pen) {
        let loses = is_losing_row(self.game, at);
        self.endings.note(outcome, loses);
        self.canvas.rect((frame.x, frame.y), (frame.width(), frame.height()), ground(outcome));
        self.board(&frame, at.board, pen);
        self.canvas.row(&frame, at.board, self.game.row(at.board), loses);
    }

    fn board(&mut self, frame: &Frame<'_>, board: Board, pen: impl Fn(Cell) -> Pen) {
        self.canvas.board(frame, frame.cell * 0.02, |cell| board.at(cell).is_some(), &[]);
        self.canvas.marks(frame, board, pen);
    }

    /// The machine's move that the map shows: the most likely one, and the lowest of those.
    fn bead(&self, at: Position) -> Result<Move, MapError> {
        let no_bead = || MapError::NoBead { id: self.table.classes().lowest(at.board).id(), board: at.board };
        let mv = match self.table.choose(self.game, at) {
            Ok(Choice::Draw(moves)) => {
                let most = moves.iter().map(|&(_, number)| number).max();
                moves.iter().find(|&&(_, number)| Some(number) == most).map(|&(mv, _)| mv).ok_or_else(no_bead)?
            }
            Ok(Choice::Forced(mv)) => mv,
            Ok(Choice::LosesLatest(_) | Choice::Lost(_)) => {
                return Err(MapError::Lost { game: games::titled(self.game), machine: self.machine, board: at.board });
            }
            Ok(Choice::Resign) | Err(TableError::NoBox { .. }) => return Err(no_bead()),
            Err(error) => return Err(error.into()),
        };
        if mv.from.is_some() {
            return Err(MapError::Moves(games::titled(self.game)));
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
            return Err(MapError::TooMany { game: games::titled(self.game) });
        }
        Ok(())
    }
}

/// The ground of a finished board, by its outcome for the machine.
fn ground(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => WINS_GROUND,
        Outcome::Draw => DRAW_GROUND,
        Outcome::Loss => LOSES_GROUND,
    }
}

//! How a side chooses its moves: by chance, as well as can be, or by the beads of its boxes.

use crate::board::{Board, Id, Move, Player};
use crate::cabinet::{Cabinet, Opened};
use crate::game::{Game, forced_move};
use crate::packed::PackedError;
use crate::verdict::{Value, Verdicts};

/// How a side chooses its moves.
pub enum Chooser<'a> {
    /// Every move as likely as any other.
    Random,
    /// Of the best moves, a win as soon as can be or a loss as late, every one as likely as any other.
    Perfect(&'a Verdicts<'a>),
    /// By the beads of its boxes, each as likely as its number says.
    Boxes(&'a dyn Cabinet),
}

/// Why a side cannot choose.
#[derive(Debug, thiserror::Error)]
pub enum ChooseError {
    /// The table does not have the box that is needed.
    #[error(
        "the table has no box {id} for the {} machine on board {board}, so it cannot move; make the table again",
        .machine.name()
    )]
    NoBox {
        /// The id of the missing box.
        id: Id,
        /// The board in play.
        board: Board,
        /// The machine that has to move.
        machine: Player,
    },
    /// The table cannot be trusted.
    #[error(transparent)]
    Table(#[from] PackedError),
}

impl Chooser<'_> {
    /// The moves that a side may choose on a board where it is to move, each with how often; none if it resigns.
    pub fn moves(&self, game: &dyn Game, board: Board, player: Player) -> Result<Vec<(Move, u32)>, ChooseError> {
        let moves = game.moves(board, player);
        match self {
            Chooser::Random => Ok(moves.into_iter().map(|mv| (mv, 1)).collect()),
            Chooser::Perfect(verdicts) => {
                let worth = |mv: Move| verdicts.of_board(board.play(mv), player.other()).value().for_the_other();
                let worths: Vec<(Move, Value)> = moves.into_iter().map(|mv| (mv, worth(mv))).collect();
                let is_best = |worth: Value| !worths.iter().any(|&(_, other)| other.is_better_than(worth));
                Ok(worths.iter().filter(|&&(_, worth)| is_best(worth)).map(|&(mv, _)| (mv, 1)).collect())
            }
            Chooser::Boxes(boxes) => beads(*boxes, game, board, player),
        }
    }
}

/// What a machine draws from. One that is lost may have no bead, and still moves or resigns as in play.
fn beads(boxes: &dyn Cabinet, game: &dyn Game, board: Board, machine: Player) -> Result<Vec<(Move, u32)>, ChooseError> {
    let Some(Opened { matchbox, symmetry, .. }) = boxes.open(machine, board)? else {
        let id = boxes.classes().lowest(board).id();
        let only = forced_move(game, board, machine).ok_or(ChooseError::NoBox { id, board, machine })?;
        return Ok(vec![(only, 1)]);
    };
    let back = symmetry.inverse();
    let mut beads: Vec<(Move, u32)> = matchbox.beads().map(|(mv, number)| (back.mv(mv), number)).collect();
    if beads.is_empty() {
        beads.extend(matchbox.last_to_go().map(|(mv, _)| (back.mv(mv), 1)));
    }
    Ok(beads)
}

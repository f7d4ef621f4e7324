//! How likely a machine that never loses is to win against a random opponent.
//!
//! A bead's chance is the mean over all replies, and a box's chance is that of its best bead, so the machine picks the
//! best trap again on every move. Chances are kept as fractions, so that equally good beads compare as equal.

use hashbrown::HashMap;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::board::{Board, Move};
use crate::classes::Classes;
use crate::game::Game;
use crate::matchbox::{Boxes, Matchbox};
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, Steps, Stopped};
use crate::verdict::Outcome;

/// The chances of all boxes of a machine.
pub struct Chances<'a> {
    game: &'a dyn Game,
    machine: Side,
    classes: &'a Classes,
    /// By the board that a box is kept under.
    known: HashMap<Board, BigRational>,
}

impl<'a> Chances<'a> {
    /// Starts with no chance known. The game must not go in circles.
    pub fn none(game: &'a dyn Game, machine: Side, classes: &'a Classes) -> Chances<'a> {
        Chances { game, machine, classes, known: HashMap::new() }
    }

    /// The chances of all boxes, from which every losing bead must already be gone.
    pub fn of_all(
        game: &'a dyn Game,
        machine: Side,
        classes: &'a Classes,
        boxes: &Boxes,
        progress: &dyn Progress,
    ) -> Result<Chances<'a>, Stopped> {
        let mut chances = Chances::none(game, machine, classes);
        let mut steps = Steps::start(progress, Stage::Odds, boxes.len() as u128);
        for (board, _) in boxes.iter() {
            chances.find_box(board, boxes);
            steps.tick()?;
        }
        Ok(chances)
    }

    /// How likely the machine is to win after a bead, working out the boxes that are not known yet.
    pub fn find(&mut self, board: Board, bead: Move, boxes: &Boxes) -> BigRational {
        for next in self.boxes_after(self.at(board).play(bead)) {
            self.find_box(self.classes.lowest(next), boxes);
        }
        self.of_bead(board, bead)
    }

    fn find_box(&mut self, board: Board, boxes: &Boxes) {
        if !self.known.contains_key(&board) {
            let beads = boxes.get(board).into_iter().flat_map(Matchbox::beads);
            let best = beads.map(|(bead, _)| self.find(board, bead, boxes)).max();
            self.known.insert(board, best.unwrap_or_else(BigRational::zero));
        }
    }

    /// A board on which the machine is to move.
    fn at(&self, board: Board) -> Position {
        Position::new(board, self.machine)
    }

    /// The boards that replies lead to, on which the machine is to move.
    fn boxes_after(&self, after: Position) -> Vec<Board> {
        if self.game.result(after).is_some() {
            return Vec::new();
        }
        let next = self.game.moves(after).into_iter().map(|reply| after.play(reply));
        next.filter(|&next| self.game.result(next).is_none()).map(|next| next.board).collect()
    }

    /// How likely the machine is to win after a bead of a box whose chance is known.
    pub fn of_bead(&self, board: Board, bead: Move) -> BigRational {
        let after = self.at(board).play(bead);
        match self.game.result(after) {
            Some(Outcome::Loss) => return BigRational::one(),
            Some(Outcome::Draw | Outcome::Win) => return BigRational::zero(),
            None => {}
        }
        let replies = self.game.moves(after);
        let sum = replies.iter().map(|&reply| self.of_board(after.play(reply))).sum::<BigRational>();
        sum / BigRational::from_integer(replies.len().into())
    }

    /// How likely the machine is to win in a position after a reply.
    fn of_board(&self, at: Position) -> BigRational {
        match self.game.result(at) {
            Some(Outcome::Win) => BigRational::one(),
            Some(Outcome::Draw | Outcome::Loss) => BigRational::zero(),
            None => self.known.get(&self.classes.lowest(at.board)).cloned().unwrap_or_else(BigRational::zero),
        }
    }
}

//! A game as training plays it: every position numbered, with the numbers of the positions one move on, so that a game is a
//! run over arrays.
//!
//! The positions are those of the game, not of classes: where boards share a box, the turn onto the box and back is worked out
//! here, once. A board that leaves no choice has no box.

use std::sync::Arc;

use hashbrown::HashMap;
use smallvec::SmallVec;

use crate::board::{Board, Move};
use crate::classes::Classes;
use crate::game::{Game, Moves};
use crate::policy::{Choice, Policy, Random};
use crate::position::{BySide, Position, Side, Sides};
use crate::progress::{Progress, Stage, Steps};
use crate::table::TableError;
use crate::walk::{Place, Walker};

/// Who plays a side.
#[derive(Clone, Copy)]
pub enum Seat<'a> {
    /// The machine that learns.
    Learner,
    /// A player who does not change.
    Opponent(&'a dyn Policy),
}

/// A position.
///
/// ```text
///   next   ... the places that moves lead to, those that are drawn before the others ...
///              ^ next                         ^ next + drawn                ^ next + all
///   beads  ... a number for each that is drawn ...
///              ^ beads                         ^ beads + drawn
/// ```
#[derive(Clone, Copy)]
pub(super) struct State {
    pub next: u32,
    pub beads: u32,
    pub drawn: u16,
    pub all: u16,
    pub mover: Mover,
}

/// Who makes the move in a position, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mover {
    /// No side: the game is over, and this side has won, or it is a draw.
    Over(Option<Side>),
    /// This side draws evenly.
    Even(Side),
    /// This side draws by the numbers of an opponent who does not change.
    Weighed(Side),
    /// This side draws by the beads of the learner.
    Boxed(Side),
}

/// A box of the learner.
pub(super) struct BoxOfLearner {
    pub side: Side,
    /// The board it is kept under.
    pub board: Board,
    /// Its moves, in the order of their beads.
    pub moves: Moves,
    /// Where its beads begin.
    pub start: u32,
    /// Which of the machine's moves it is for, from 1.
    pub move_number: usize,
}

impl BoxOfLearner {
    /// Where its beads are.
    pub fn beads(&self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.moves.len()
    }
}

/// A game with its players and numbered positions.
pub struct Arena {
    pub(super) game: Arc<dyn Game>,
    pub(super) learners: Sides,
    /// Which boards share a box.
    pub(super) classes: Classes,
    pub(super) states: Vec<State>,
    pub(super) next: Vec<Place>,
    /// The numbers by which an opponent draws.
    pub(super) weights: Vec<u64>,
    /// The boxes of the learner.
    pub(super) boxes: Vec<BoxOfLearner>,
    /// For each bead of the learner, its box.
    pub(super) box_of: Vec<u32>,
    /// How many moves leave a choice to the side that has more such moves, no matter who plays it.
    pub(super) most_choices: usize,
}

impl Arena {
    /// Follows the moves of a game from the start: all of an opponent's, and of a learner's those that its boxes have beads
    /// for. `classes` says which boards share a box.
    pub fn new(
        game: &Arc<dyn Game>,
        classes: &Classes,
        seats: BySide<Seat<'_>>,
        progress: &dyn Progress,
    ) -> Result<Arc<Arena>, TableError> {
        let is_learner = |side: &Side| matches!(seats[*side], Seat::Learner);
        let mut making = Making {
            arena: Arena {
                game: game.clone(),
                learners: Side::BOTH.into_iter().filter(is_learner).collect(),
                classes: classes.clone(),
                states: Vec::new(),
                next: Vec::new(),
                weights: Vec::new(),
                boxes: Vec::new(),
                box_of: Vec::new(),
                most_choices: 0,
            },
            classes,
            walker: Walker::new(&**game),
            depths: vec![0],
            boxes: HashMap::new(),
        };
        let mut steps = Steps::start(progress, Stage::Walk, game.boards_at_most());
        while let Some(at) = making.walker.take() {
            making.follow(at);
            steps.tick()?;
        }
        making.choose(seats)?;
        making.sort_boxes();
        Ok(Arc::new(making.arena))
    }

    /// The arena of a machine that plays one side against anybody: it has every box that some opponent can lead it to.
    pub fn against_anybody(
        game: &Arc<dyn Game>,
        classes: &Classes,
        machine: Side,
        progress: &dyn Progress,
    ) -> Result<Arc<Arena>, TableError> {
        let seat = |side| if side == machine { Seat::Learner } else { Seat::Opponent(&Random) };
        Arena::new(game, classes, BySide::from_fn(seat), progress)
    }

    /// How many moves of the learner leave a choice.
    pub fn moves_with_a_choice(&self) -> usize {
        self.boxes.iter().map(|found| found.move_number).max().unwrap_or(0)
    }

    /// How many boxes a side has.
    pub fn box_count(&self, side: Side) -> usize {
        self.boxes.iter().filter(|found| found.side == side).count()
    }

    /// The boxes of a side, in the order of their boards: the board that each is kept under, and which of the machine's moves it is for,
    /// from 1.
    pub fn boxes(&self, side: Side) -> impl Iterator<Item = (Board, usize)> {
        self.boxes.iter().filter(move |found| found.side == side).map(|found| (found.board, found.move_number))
    }

    /// The sides that learn.
    pub fn learners(&self) -> Sides {
        self.learners
    }

    /// The bead for a learner's move, and the box it is in; none if the learner has no such bead.
    pub(super) fn bead(&self, at: Position, mv: Move) -> Option<(u32, &BoxOfLearner)> {
        let (kept, turn) = self.classes.fold(at.board);
        let (found, in_box) = (self.kept(Position::new(kept, at.to_move))?, turn.mv(mv));
        // Of moves that mirror each other on the board, the box has one.
        let mut images = self.classes.mirrors(kept).map(|mirror| mirror.mv(in_box));
        let index = images.find_map(|image| found.moves.iter().position(|&mv| mv == image))?;
        Some((found.start + index as u32, found))
    }

    /// The box of a bead.
    pub(super) fn box_of(&self, bead: u32) -> &BoxOfLearner {
        &self.boxes[self.box_of[bead as usize] as usize]
    }

    /// Which of a learner's moves the box of a position is for, from 1; none if it has no box there.
    pub fn move_number(&self, at: Position) -> Option<usize> {
        let kept = Position::new(self.classes.lowest(at.board), at.to_move);
        self.kept(kept).map(|found| found.move_number)
    }

    /// The box that is kept under a position.
    fn kept(&self, kept: Position) -> Option<&BoxOfLearner> {
        let wanted = (kept.to_move, kept.board);
        let place = self.boxes.binary_search_by_key(&wanted, |found| (found.side, found.board)).ok()?;
        Some(&self.boxes[place])
    }

    /// The places that moves of a position lead to.
    pub(super) fn next(&self, state: &State) -> &[Place] {
        &self.next[state.next as usize..][..usize::from(state.all)]
    }
}

/// An arena that is being made.
struct Making<'a> {
    arena: Arena,
    walker: Walker,
    classes: &'a Classes,
    /// How many moves each position is from the start.
    depths: Vec<usize>,
    boxes: HashMap<Position, u32>,
}

impl Making<'_> {
    /// Adds the next position, and meets those that moves lead to.
    fn follow(&mut self, at: Position) {
        let (game, depth) = (self.arena.game.clone(), self.depths[self.arena.states.len()]);
        let next = self.arena.next.len() as u32;
        let mut state = State { next, beads: 0, drawn: 0, all: 0, mover: Mover::Even(at.to_move) };
        if let Some(outcome) = game.result(at) {
            state.mover = Mover::Over(outcome.winner(at.to_move));
            self.arena.states.push(state);
            return;
        }
        let mut moves = game.moves(at);
        if moves.len() > 1 {
            self.arena.most_choices = self.arena.most_choices.max(depth / 2 + 1);
            if self.arena.learners.contains(at.to_move) {
                let (kept, turn) = self.classes.fold(at.board);
                let (found, back) = (self.open(Position::new(kept, at.to_move), depth), turn.inverse());
                (state.mover, state.beads) = (Mover::Boxed(at.to_move), found.start);
                moves = found.moves.iter().map(|&mv| back.mv(mv)).collect();
            }
        }
        for &mv in &moves {
            let place = self.walker.meet(at.play(mv));
            if place as usize == self.depths.len() {
                self.depths.push(depth + 1);
            }
            self.arena.next.push(place);
        }
        (state.drawn, state.all) = (moves.len() as u16, moves.len() as u16);
        self.arena.states.push(state);
    }

    /// The box that is kept under a position, which may be new. Positions are met in the order of their depths, so the
    /// first one gives the move number.
    fn open(&mut self, kept: Position, depth: usize) -> &BoxOfLearner {
        let arena = &mut self.arena;
        let new = arena.boxes.len() as u32;
        let found = *self.boxes.entry(kept).or_insert(new);
        if found == new {
            let moves = self.classes.moves(&*arena.game, kept);
            let start = arena.box_of.len() as u32;
            arena.box_of.extend(moves.iter().map(|_| new));
            let move_number = depth / 2 + 1;
            arena.boxes.push(BoxOfLearner { side: kept.to_move, board: kept.board, moves, start, move_number });
        }
        &self.arena.boxes[found as usize]
    }

    /// Puts the boxes in the order of their boards, in which tables have them.
    fn sort_boxes(&mut self) {
        let Arena { boxes, box_of, .. } = &mut self.arena;
        boxes.sort_by_cached_key(|found| (found.side, found.board));
        (0..).zip(boxes).for_each(|(at, found)| box_of[found.beads()].fill(at));
    }

    /// Asks the opponents for the moves that they make, in the positions that they can come to.
    fn choose(&mut self, seats: BySide<Seat<'_>>) -> Result<(), TableError> {
        let (mut open, mut seen) = (vec![0], vec![false; self.arena.states.len()]);
        seen[0] = true;
        while let Some(place) = open.pop() {
            let state = self.arena.states[place];
            if let Mover::Even(side) = state.mover
                && let Seat::Opponent(policy) = seats[side]
            {
                let at = self.walker.position(place as Place);
                let chosen = match policy.choose(&*self.arena.game, at)? {
                    // Only the first of the moves that lose latest is played, so that a seed gives the table it always gave.
                    Choice::LosesLatest(moves) => moves.first().map(|&mv| (mv, 1)).into_iter().collect(),
                    choice => choice.into_moves(),
                };
                self.set_choice(place, at, &chosen);
            }
            let state = self.arena.states[place];
            let drawn = self.arena.next(&state)[..state.drawn.into()].iter().map(|&next| next as usize);
            open.extend(drawn.filter(|&next| !std::mem::replace(&mut seen[next], true)));
        }
        Ok(())
    }

    fn set_choice(&mut self, place: usize, at: Position, chosen: &[(Move, u64)]) {
        let beads = self.arena.weights.len() as u32;
        let state = &mut self.arena.states[place];
        let next = &mut self.arena.next[state.next as usize..][..usize::from(state.all)];
        let legal = self.arena.game.moves(at);
        let weight = chosen.first().map_or(0, |&(_, weight)| weight);
        if weight > 0 && chosen.iter().copied().eq(legal.iter().map(|&mv| (mv, weight))) {
            // All moves are equally likely, and that is how the state was made.
            return;
        }
        // A policy from outside may name a move twice, or one that is not legal.
        let mut drawn: SmallVec<[(Place, u64); 16]> = SmallVec::new();
        for &(mv, weight) in chosen.iter().filter(|&&(_, weight)| weight > 0) {
            if let Some(index) = legal.iter().position(|&other| other == mv)
                && !drawn.iter().any(|&(place, _)| place == next[index])
            {
                drawn.push((next[index], weight));
            }
        }
        // Draws add numbers up in 64 bits; larger ones lose their lowest digits.
        let total: u128 = drawn.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let excess = (u128::BITS - total.leading_zeros()).saturating_sub(u64::BITS - 1);
        drawn.iter_mut().for_each(|(_, weight)| *weight = (*weight >> excess).max(1));
        let is_drawn = |place: &Place| drawn.iter().any(|(drawn, _)| drawn == place);
        let others: Vec<Place> = next.iter().copied().filter(|place| !is_drawn(place)).collect();
        let places = drawn.iter().map(|(place, _)| place).chain(&others);
        next.iter_mut().zip(places).for_each(|(next, &place)| *next = place);
        (state.drawn, state.beads) = (drawn.len() as u16, beads);
        let is_even = drawn.windows(2).all(|pair| pair[0].1 == pair[1].1) && !drawn.is_empty();
        state.mover = if is_even { Mover::Even(at.to_move) } else { Mover::Weighed(at.to_move) };
        self.arena.weights.extend(drawn.iter().map(|&(_, weight)| weight));
    }
}

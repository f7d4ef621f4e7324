//! A game as training plays it: every position numbered, with the numbers of the positions one move on, so that a game is a
//! run over arrays.
//!
//! The positions are those of the game, not of classes: where boards share a box, the turn onto the box and back is worked out
//! here, once. A board that leaves no choice has no box.

use hashbrown::HashMap;

use crate::board::{Board, Move};
use crate::classes::Classes;
use crate::game::{Game, Moves};
use crate::policy::{Choice, Policy};
use crate::position::{BySide, Position, Side, Sides};
use crate::progress::Progress;
use crate::table::TableError;
use crate::walk::{Place, Walk};

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
pub struct Arena<'a> {
    pub(super) game: &'a dyn Game,
    pub(super) learners: Sides,
    /// How many boards share a box at most.
    pub(super) images: usize,
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

impl<'a> Arena<'a> {
    /// Follows all moves of a game from the start. `classes` says which boards share a box.
    pub fn new(
        game: &'a dyn Game,
        classes: &Classes,
        seats: BySide<Seat<'_>>,
        progress: &dyn Progress,
    ) -> Result<Arena<'a>, TableError> {
        let walk = Walk::new(game, progress)?;
        let is_learner = |side: &Side| matches!(seats[*side], Seat::Learner);
        let mut making = Making {
            arena: Arena {
                game,
                learners: Side::BOTH.into_iter().filter(is_learner).collect(),
                images: classes.symmetries().len(),
                states: Vec::with_capacity(walk.len()),
                next: Vec::new(),
                weights: Vec::new(),
                boxes: Vec::new(),
                box_of: Vec::new(),
                most_choices: 0,
            },
            classes,
            depths: vec![0; walk.len()],
            walk: &walk,
            boxes: HashMap::new(),
        };
        (0..walk.len() as Place).for_each(|place| making.follow(place));
        making.choose(seats)?;
        Ok(making.arena)
    }

    /// How many moves of the learner leave a choice.
    pub fn moves_with_a_choice(&self) -> usize {
        self.boxes.iter().map(|found| found.move_number).max().unwrap_or(0)
    }

    /// How many boxes a side has.
    pub fn box_count(&self, side: Side) -> usize {
        self.boxes.iter().filter(|found| found.side == side).count()
    }

    /// The sides that learn.
    pub fn learners(&self) -> Sides {
        self.learners
    }

    /// The places that moves of a position lead to.
    pub(super) fn next(&self, state: &State) -> &[Place] {
        &self.next[state.next as usize..][..usize::from(state.all)]
    }
}

/// An arena that is being made.
struct Making<'a, 'b> {
    arena: Arena<'a>,
    walk: &'b Walk<'a>,
    classes: &'b Classes,
    /// How many moves each position is from the start.
    depths: Vec<usize>,
    boxes: HashMap<Position, u32>,
}

impl Making<'_, '_> {
    /// Adds the position at a place.
    fn follow(&mut self, place: Place) {
        let (game, at, depth) = (self.arena.game, self.walk.position(place), self.depths[place as usize]);
        let next = self.arena.next.len() as u32;
        let mut state = State { next, beads: 0, drawn: 0, all: 0, mover: Mover::Even(at.to_move) };
        if let Some(outcome) = game.result(at) {
            state.mover = Mover::Over(outcome.winner(at.to_move));
            self.arena.states.push(state);
            return;
        }
        for &next in self.walk.next(place) {
            // Places further from the start have higher numbers, and only the start itself has depth 0.
            if next > place && self.depths[next as usize] == 0 {
                self.depths[next as usize] = depth + 1;
            }
        }
        let has_choice = self.walk.next(place).len() > 1;
        if has_choice {
            self.arena.most_choices = self.arena.most_choices.max(depth / 2 + 1);
        }
        if self.arena.learners.contains(at.to_move) && has_choice {
            let back = self.classes.fold(at.board).1.inverse();
            let (walk, found) = (self.walk, self.open(at, depth));
            let places: Vec<Place> = found.moves.iter().filter_map(|&mv| walk.place(at.play(back.mv(mv)))).collect();
            (state.mover, state.beads) = (Mover::Boxed(at.to_move), found.start);
            self.arena.next.extend(places);
        } else {
            self.arena.next.extend_from_slice(self.walk.next(place));
        }
        state.all = (self.arena.next.len() as u32 - next) as u16;
        state.drawn = state.all;
        self.arena.states.push(state);
    }

    /// The box that stands for a position, which may be new. Positions are met in the order of their depths, so the
    /// first one gives the move number.
    fn open(&mut self, at: Position, depth: usize) -> &BoxOfLearner {
        let (kept, arena) = (Position::new(self.classes.lowest(at.board), at.to_move), &mut self.arena);
        let new = arena.boxes.len() as u32;
        let found = *self.boxes.entry(kept).or_insert(new);
        if found == new {
            let moves = self.classes.moves(arena.game, kept);
            let start = arena.box_of.len() as u32;
            arena.box_of.extend(moves.iter().map(|_| new));
            let move_number = depth / 2 + 1;
            arena.boxes.push(BoxOfLearner { side: at.to_move, board: kept.board, moves, start, move_number });
        }
        &self.arena.boxes[found as usize]
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
                let at = self.walk.position(place as Place);
                let chosen = match policy.choose(self.arena.game, at)? {
                    // Only the first of the moves that lose latest is played, so that a seed gives the table it always gave.
                    Choice::LosesLatest(moves) => moves.first().map(|&mv| (mv, 1)).into_iter().collect(),
                    choice => choice.moves(),
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
        let drawn = chosen.iter().filter_map(|&(mv, weight)| Some((self.walk.place(at.play(mv))?, weight)));
        let mut drawn: Vec<(Place, u64)> = drawn.filter(|&(_, weight)| weight > 0).collect();
        // A policy from outside may name a move twice, or one that is not legal.
        let legal = self.walk.next(place as Place);
        let mut seen = Vec::new();
        drawn.retain(|(place, _)| {
            legal.contains(place) && !seen.contains(place) && {
                seen.push(*place);
                true
            }
        });
        // Draws add numbers up in 64 bits; larger ones lose their lowest digits.
        let total: u128 = drawn.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let excess = (u128::BITS - total.leading_zeros()).saturating_sub(u64::BITS - 1);
        drawn.iter_mut().for_each(|(_, weight)| *weight = (*weight >> excess).max(1));
        let state = &mut self.arena.states[place];
        let next = &mut self.arena.next[state.next as usize..][..usize::from(state.all)];
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

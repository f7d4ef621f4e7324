//! A machine that learns: games drawn from its beads, and its beads changed after each.
//!
//! A game runs over the arrays of the [`Arena`] and notes which beads were drawn; nothing is allocated. What is drawn
//! in a game depends only on the seed and the number of the game, so training can stop after any game and continue.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::arena::{Arena, BoxOfLearner, Mover};
use crate::board::MAX_CELLS;
use crate::game::DRAWN_AT;
use crate::lesson::{Blame, Change, Empty, Tally, Teaching};
use crate::position::{BySide, Side};
use crate::walk::Place;

/// A set of boxes that learns by playing.
pub struct Training {
    arena: Arc<Arena>,
    teaching: Teaching,
    /// The beads of each box at the start, by the number of the machine's move.
    at_start: Vec<u32>,
    /// Boxes of moves up to this one keep their last bead.
    early: usize,
    seed: u64,
    /// The number of the next game.
    game: u64,
    /// How many beads of each kind there are.
    pub(super) beads: Vec<u32>,
    /// For each side, the beads drawn in this game.
    pub(super) drawn: BySide<Vec<u32>>,
    /// For each side, how its games went.
    pub(super) tallies: BySide<Tally>,
    /// For each side, whether its moves have changed since it was last checked.
    is_in_doubt: BySide<bool>,
    /// For each side that cannot be beaten, the number of games after which it became unbeatable.
    unbeatable: BySide<Option<u64>>,
    circles: Option<Circles>,
    check: Check,
}

/// How often the boards of a game have come up, for games that go in circles.
struct Circles {
    times: Vec<u8>,
    met: Vec<Place>,
}

/// Memory for finding out whether a side can lose, kept to be used again.
struct Check {
    seen: Vec<u32>,
    search: u32,
    open: Vec<Place>,
}

impl Training {
    /// A machine with all its beads that has played no game. `at_start` has a number of beads for each of the machine's
    /// moves that leave a choice.
    pub(super) fn new(arena: &Arc<Arena>, teaching: &Teaching, at_start: Vec<u32>, seed: u64) -> Training {
        let early = teaching.empty.early(at_start.len());
        let beads = arena.box_of.iter().map(|&at| at_start[arena.boxes[at as usize].move_number - 1]).collect();
        let goes_in_circles = arena.game.goes_in_circles();
        let circles = goes_in_circles.then(|| Circles { times: vec![0; arena.states.len()], met: Vec::new() });
        let boards = arena.states.len();
        let check = Check { seen: vec![0; boards], search: 0, open: Vec::with_capacity(boards) };
        // No game that ends has more moves than this; for one that goes in circles, the list grows.
        let drawn = BySide::from_fn(|_| Vec::with_capacity(MAX_CELLS.into()));
        let (tallies, unbeatable) = (BySide::default(), BySide::default());
        let is_in_doubt = BySide::from_fn(|_| true);
        let mut training = Training {
            arena: arena.clone(),
            teaching: teaching.clone(),
            at_start,
            early,
            seed,
            game: 0,
            beads,
            drawn,
            tallies,
            is_in_doubt,
            unbeatable,
            circles,
            check,
        };
        training.look_for_unbeatable();
        training
    }

    /// Continues with the beads of an earlier training, after this many games.
    pub(super) fn continue_with(&mut self, beads: Vec<u32>, games: u64) {
        (self.beads, self.game, self.is_in_doubt) = (beads, games, BySide::from_fn(|_| true));
        self.unbeatable = BySide::default();
        self.look_for_unbeatable();
    }

    /// The game that is played.
    pub fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// How it is taught.
    pub fn teaching(&self) -> &Teaching {
        &self.teaching
    }

    /// The seed for drawing its beads.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many games the boxes have seen, including those of an earlier training.
    pub fn games(&self) -> u64 {
        self.game
    }

    /// How the games went for a side, without those of an earlier training.
    pub fn tally(&self, side: Side) -> Tally {
        self.tallies[side]
    }

    /// The number of games after which a side became unbeatable; none if it can be beaten.
    pub fn unbeatable_after(&self, side: Side) -> Option<u64> {
        self.unbeatable[side]
    }

    /// How many boxes there are for a side's first move.
    pub fn first_boxes(&self, side: Side) -> usize {
        self.arena.boxes.iter().filter(|found| found.side == side && found.move_number == 1).count()
    }

    /// The beads in the boxes for a side's first move.
    pub fn first_box(&self, side: Side) -> u64 {
        let first = self.arena.boxes.iter().filter(|found| found.side == side && found.move_number == 1);
        first.flat_map(|found| &self.beads[found.beads()]).map(|&number| u64::from(number)).sum()
    }

    /// Plays this many games and learns from each.
    pub fn play(&mut self, games: u64) {
        for _ in 0..games {
            // Keeps seeds far apart, so that the games of one seed are not those of the next.
            const APART: u64 = 0x9e37_79b9_7f4a_7c15;
            let mut rng = Pcg64Mcg::seed_from_u64(self.seed.wrapping_add(self.game.wrapping_mul(APART)));
            let winner = self.draw_game(&mut rng);
            self.finish_game(winner);
        }
    }

    /// Counts a game that has ended, and lets each side learn from it.
    #[inline]
    pub(super) fn finish_game(&mut self, winner: Option<Side>) {
        self.game += 1;
        for side in Side::BOTH {
            self.learn(side, winner);
        }
        if self.is_in_doubt.first | self.is_in_doubt.second {
            self.look_for_unbeatable();
        }
    }

    /// Plays one game, noting the beads that were drawn, and returns who has won.
    fn draw_game(&mut self, rng: &mut Pcg64Mcg) -> Option<Side> {
        self.drawn.iter_mut().for_each(|(_, drawn)| drawn.clear());
        self.circles.iter_mut().for_each(Circles::begin);
        let mut at: Place = 0;
        loop {
            let state = self.arena.states[at as usize];
            let (first, number) = (state.beads as usize, usize::from(state.drawn));
            let pick = match state.mover {
                Mover::Over(winner) => return winner,
                Mover::Even(_) => rng.random_range(0..u32::from(state.drawn)),
                Mover::Weighed(side) => match draw(&self.arena.weights[first..first + number], rng) {
                    Some(pick) => pick,
                    None => return Some(side.other()),
                },
                Mover::Boxed(side) => {
                    let drawn = draw(&self.beads[first..first + number], rng);
                    let drawn = match drawn {
                        // It ran empty under another rule, in an earlier lesson.
                        None if self.teaching.empty == Empty::Refill => {
                            self.refill(state.beads, side);
                            draw(&self.beads[first..first + number], rng)
                        }
                        drawn => drawn,
                    };
                    match drawn {
                        Some(pick) => {
                            self.drawn[side].push(state.beads + pick);
                            pick
                        }
                        None => {
                            self.tallies[side].resigned += 1;
                            return Some(side.other());
                        }
                    }
                }
            };
            at = self.arena.next[(state.next + pick) as usize];
            if self.circles.as_mut().is_some_and(|circles| circles.has_come_round(at)) {
                return None;
            }
        }
    }

    /// Counts a game for a side, and changes the beads that it has drawn.
    fn learn(&mut self, side: Side, winner: Option<Side>) {
        let reward = &self.teaching.reward;
        let (count, change) = match winner {
            Some(winner) if winner == side => (&mut self.tallies[side].won, reward.win),
            Some(_) => (&mut self.tallies[side].lost, reward.loss),
            None => (&mut self.tallies[side].drawn, reward.draw),
        };
        *count += 1;
        let is_lost = winner == Some(side.other());
        let drawn = self.drawn[side].len();
        let from = if is_lost && self.teaching.blame == Blame::Last { drawn.saturating_sub(1) } else { 0 };
        for at in from..drawn {
            let bead = self.drawn[side][at];
            let number = &mut self.beads[bead as usize];
            *number = match change {
                Change::By(beads) => number.saturating_add_signed(beads),
                Change::TakeOut => 0,
            };
            if *number == 0 {
                self.ran_out(bead, side);
            }
        }
    }

    /// Called when the last bead of a kind is gone; applies the rule for empty boxes.
    fn ran_out(&mut self, bead: u32, side: Side) {
        let arena = self.arena.clone();
        let found = arena.box_of(bead);
        let is_empty = self.beads[found.beads()].iter().all(|&number| number == 0);
        match self.teaching.empty {
            Empty::Keep(_) if is_empty && found.move_number <= self.early => {
                self.beads[bead as usize] = 1;
                self.tallies[side].kept += 1;
                return;
            }
            Empty::Refill if is_empty => self.refill(bead, side),
            Empty::Keep(_) | Empty::Refill | Empty::Resign => {}
        }
        self.is_in_doubt[side] = true;
    }

    /// Fills the box of a bead as at the start.
    fn refill(&mut self, bead: u32, side: Side) {
        let found = self.arena.box_of(bead);
        self.beads[found.beads()].fill(self.at_start[found.move_number - 1]);
        self.tallies[side].refilled += 1;
        self.is_in_doubt[side] = true;
    }

    /// Finds out for each side in doubt whether it can be beaten. An unbeatable side can become beatable when a box is
    /// filled again, or runs empty after a draw.
    fn look_for_unbeatable(&mut self) {
        for side in self.arena.learners().iter() {
            if std::mem::take(&mut self.is_in_doubt[side]) {
                let since = self.unbeatable[side].unwrap_or(self.game);
                self.unbeatable[side] = (!self.can_lose(side)).then_some(since);
            }
        }
        self.is_in_doubt = BySide::default();
    }

    /// Whether there is a line of play in which a side loses with the beads that it has.
    fn can_lose(&mut self, side: Side) -> bool {
        let Check { seen, search, open } = &mut self.check;
        *search = search.wrapping_add(1);
        if *search == 0 {
            // Stamps of much earlier searches must not be mistaken for those of this one.
            seen.fill(0);
            *search = 1;
        }
        open.clear();
        open.push(0);
        while let Some(place) = open.pop() {
            let state = &self.arena.states[place as usize];
            let next = self.arena.next(state);
            let beads = match state.mover {
                Mover::Over(Some(winner)) if winner != side => return true,
                Mover::Boxed(mover) if mover == side => &self.beads[state.beads as usize..][..next.len()],
                _ => &[],
            };
            if !beads.is_empty() && beads.iter().all(|&number| number == 0) {
                return true;
            }
            for (at, &next) in next.iter().enumerate() {
                let is_played = beads.get(at).is_none_or(|&number| number > 0);
                if is_played && std::mem::replace(&mut seen[next as usize], *search) != *search {
                    open.push(next);
                }
            }
        }
        false
    }

    /// The boxes of a side, each with its beads.
    pub(super) fn numbers(&self, side: Side) -> impl Iterator<Item = (&BoxOfLearner, &[u32])> {
        let ours = self.arena.boxes.iter().filter(move |found| found.side == side);
        ours.map(|found| (found, &self.beads[found.beads()]))
    }
}

impl Circles {
    /// Whether a board has now come up so often that the game is a draw.
    fn has_come_round(&mut self, place: Place) -> bool {
        self.met.push(place);
        let times = &mut self.times[place as usize];
        *times += 1;
        usize::from(*times) == DRAWN_AT
    }

    /// Begins another game, in the first state.
    fn begin(&mut self) {
        for place in self.met.drain(..) {
            self.times[place as usize] = 0;
        }
        self.has_come_round(0);
    }
}

/// Draws a bead, each as likely as its number says; none if there is none.
fn draw<N: Into<u64> + Copy>(beads: &[N], rng: &mut Pcg64Mcg) -> Option<u32> {
    let all: u64 = beads.iter().map(|&number| number.into()).sum();
    if all == 0 {
        return None;
    }
    let mut drawn = rng.random_range(0..all);
    for (pick, &number) in (0..).zip(beads) {
        match drawn.checked_sub(number.into()) {
            Some(left) => drawn = left,
            None => return Some(pick),
        }
    }
    None
}

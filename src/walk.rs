//! The one walk over a game: every position that can be reached from the start, numbered, with the numbers of the positions
//! that its moves lead to.
//!
//! Positions are found level by level, so lower numbers are never further from the start. Search, training, odds and
//! the page all walk here; `verify` has its own walk, since it shares nothing with what it proves.

use hashbrown::HashMap;

use crate::game::Game;
use crate::position::Position;
use crate::progress::{Progress, Stage, Steps, Stopped};

/// The number of a position.
pub type Place = u32;

/// A walk in progress: the positions met so far, and how many of them were taken up.
pub struct Walker {
    positions: Vec<Position>,
    places: HashMap<Position, Place>,
    taken: usize,
}

impl Walker {
    /// A walk that has met nothing but the start.
    pub fn new(game: &dyn Game) -> Walker {
        let start = game.start();
        Walker { positions: vec![start], places: [(start, 0)].into_iter().collect(), taken: 0 }
    }

    /// The next position to take up, in the order of their places; none if all that were met were taken up.
    pub fn take(&mut self) -> Option<Position> {
        let at = *self.positions.get(self.taken)?;
        self.taken += 1;
        Some(at)
    }

    /// Meets a position: its place, which may be new.
    pub fn meet(&mut self, at: Position) -> Place {
        let new = Place::try_from(self.positions.len()).expect("no computer has memory for that many positions");
        let place = *self.places.entry(at).or_insert(new);
        if place == new {
            self.positions.push(at);
        }
        place
    }

    /// How many positions were met.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The position at a place.
    pub fn position(&self, place: Place) -> Position {
        self.positions[place as usize]
    }

    /// Takes up the next position and follows all its moves: `visit` gets the place that each one leads to.
    fn follow(&mut self, game: &dyn Game, mut visit: impl FnMut(Place)) -> Option<Position> {
        let at = self.take()?;
        if game.result(at).is_none() {
            game.moves(at).into_iter().for_each(|mv| visit(self.meet(at.play(mv))));
        }
        Some(at)
    }
}

/// How many positions can be reached; none if they are more than a limit, or if there is no memory to count them.
pub fn count_up_to(game: &dyn Game, limit: u64) -> Option<u64> {
    visit_up_to(game, limit, |_| ())
}

/// The same, and calls `visit` with each position on the way.
pub fn visit_up_to(game: &dyn Game, limit: u64, mut visit: impl FnMut(Position)) -> Option<u64> {
    /// Positions counted between two looks at the memory, and the most that their moves can add.
    const AT_ONCE: usize = 1 << 4;
    const MOST_MOVES: usize = 1 << 8;
    let mut walker = Walker::new(game);
    loop {
        walker.positions.try_reserve(AT_ONCE * MOST_MOVES).ok()?;
        walker.places.try_reserve(AT_ONCE * MOST_MOVES).ok()?;
        for _ in 0..AT_ONCE {
            let Some(at) = walker.follow(game, |_| ()) else {
                let all = walker.len() as u64;
                return (all <= limit).then_some(all);
            };
            visit(at);
        }
        if walker.len() as u64 > limit {
            return None;
        }
    }
}

/// The positions that can be reached, one after the other.
pub fn positions(game: &dyn Game) -> impl Iterator<Item = Position> {
    let mut walker = Walker::new(game);
    std::iter::from_fn(move || walker.follow(game, |_| ()))
}

/// All positions of a game.
pub struct Walk<'a> {
    /// The rules.
    pub game: &'a dyn Game,
    positions: Vec<Position>,
    places: HashMap<Position, Place>,
    /// The places that moves lead to, those of one position after those of the one before it.
    next: Vec<Place>,
    /// Where those of each position begin.
    starts: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// Follows all moves from the start.
    pub fn new(game: &'a dyn Game, progress: &dyn Progress) -> Result<Walk<'a>, Stopped> {
        let mut steps = Steps::start(progress, Stage::Walk, game.boards_at_most());
        let (mut walker, mut next, mut starts) = (Walker::new(game), Vec::new(), vec![0]);
        while walker.follow(game, |place| next.push(place)).is_some() {
            starts.push(next.len());
            steps.tick()?;
        }
        let Walker { positions, places, .. } = walker;
        Ok(Walk { game, positions, places, next, starts })
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The position at a place.
    pub fn position(&self, place: Place) -> Position {
        self.positions[place as usize]
    }

    /// The place of a position, if it can be reached.
    pub fn place(&self, at: Position) -> Option<Place> {
        self.places.get(&at).copied()
    }

    /// The places that the moves of a position lead to, in the order of the moves; none if the game is over.
    pub fn next(&self, place: Place) -> &[Place] {
        &self.next[self.starts[place as usize]..self.starts[place as usize + 1]]
    }
}

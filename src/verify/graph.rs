//! All boards that the rules lead to, and which of them are lost: plain backward induction.
//!
//! Lost boards are found in the order of the number of moves it takes. A board is refuted in round r if the opponent, who is to
//! move there, can win at once (round 1) or go to a board that is lost in round r - 1; a board is lost in the round in which the last
//! of its moves is refuted.

use hashbrown::HashMap;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::board::Move;
use crate::game::Game;
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, Steps, Stopped};
use crate::verdict::Outcome;

/// The place of a position in the graph.
pub type Place = u32;

/// Every position that can be reached.
pub struct Graph<'a> {
    pub game: &'a dyn Game,
    pub positions: Vec<Position>,
    places: HashMap<Position, Place>,
    /// The places that moves lead to, position by position.
    next: Vec<Place>,
    /// Where those of each position begin.
    starts: Vec<usize>,
    /// The position from which each one was found first.
    found_from: Vec<Place>,
}

/// The rounds in which boards are lost for a side, or refuted where the other side is to move.
pub struct Lost {
    rounds: Vec<u32>,
}

const NEVER: u32 = u32::MAX;

impl Lost {
    /// The round in which a position is lost or refuted.
    pub fn round(&self, place: Place) -> Option<u32> {
        Some(self.rounds[place as usize]).filter(|&round| round != NEVER)
    }
}

impl<'a> Graph<'a> {
    /// Follows all moves from the start.
    pub fn new(game: &'a dyn Game, progress: &dyn Progress) -> Result<Graph<'a>, Stopped> {
        let start = game.start();
        let mut graph = Graph {
            game,
            positions: vec![start],
            places: [(start, 0)].into_iter().collect(),
            next: Vec::new(),
            starts: Vec::new(),
            found_from: vec![0],
        };
        let mut steps = Steps::start(progress, Stage::Walk, game.boards_at_most());
        while let Some(&at) = graph.positions.get(graph.starts.len()) {
            let place = graph.starts.len() as Place;
            graph.starts.push(graph.next.len());
            if game.result(at).is_none() {
                for mv in game.moves(at) {
                    let after = at.play(mv);
                    let new =
                        Place::try_from(graph.positions.len()).expect("no computer has memory for that many boards");
                    let found = *graph.places.entry(after).or_insert(new);
                    if found == new {
                        graph.positions.push(after);
                        graph.found_from.push(place);
                    }
                    graph.next.push(found);
                }
            }
            steps.tick()?;
        }
        graph.starts.push(graph.next.len());
        Ok(graph)
    }

    /// The place of a position, if it can be reached.
    pub fn place(&self, at: Position) -> Option<Place> {
        self.places.get(&at).copied()
    }

    /// The positions that the moves of a position lead to, in the order of the moves; none if the game is over.
    pub fn next(&self, place: Place) -> &[Place] {
        &self.next[self.starts[place as usize]..self.starts[place as usize + 1]]
    }

    /// How the game has ended in a position, for the side to move.
    pub fn result(&self, place: Place) -> Option<Outcome> {
        self.game.result(self.positions[place as usize])
    }

    /// A game that leads to a position.
    pub fn line_to(&self, place: Place) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = place;
        while at != 0 {
            let from = self.found_from[at as usize];
            line.push(self.move_between(from, at));
            at = from;
        }
        line.reverse();
        line
    }

    /// The move that leads from a position to one of the next.
    pub fn move_between(&self, from: Place, to: Place) -> Move {
        let number = self.next(from).iter().position(|&next| next == to);
        self.game.moves(self.positions[from as usize])[number.expect("there is a move between the two")]
    }

    /// For every position, the positions that lead there, as places and starts.
    fn before(&self) -> (Vec<Place>, Vec<usize>) {
        let mut starts = vec![0usize; self.positions.len() + 1];
        self.next.iter().for_each(|&next| starts[next as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut fill = starts.clone();
        let mut before = vec![0; self.next.len()];
        for place in 0..self.positions.len() as Place {
            for &next in self.next(place) {
                before[fill[next as usize]] = place;
                fill[next as usize] += 1;
            }
        }
        (before, starts)
    }

    /// The boards that are lost for a side, where those in `banned` count as lost from the start, and a side that can go to one
    /// in `avoided` never loses.
    pub fn lost(&self, side: Side, banned: &[Place], avoided: &[Place]) -> Lost {
        let (before, starts) = self.before();
        let before = |place: Place| &before[starts[place as usize]..starts[place as usize + 1]];
        let mut rounds = vec![NEVER; self.positions.len()];
        // Moves that are not yet refuted, of positions in which the side is to move.
        let mut left: Vec<u32> =
            (0..self.positions.len() as Place).map(|place| self.next(place).len() as u32).collect();
        let mut refuted = Vec::new();
        for place in 0..self.positions.len() as Place {
            let is_ours = self.positions[place as usize].to_move == side;
            match (is_ours, self.result(place)) {
                // The side has lost by its own move, or the opponent can win at once.
                (false, Some(Outcome::Win)) => refuted.push(place),
                (false, None) if self.next(place).iter().any(|&next| self.result(next) == Some(Outcome::Loss)) => {
                    refuted.push(place);
                }
                // If a move wins at once, the others do not matter.
                (true, None) if self.next(place).iter().any(|&next| self.result(next) == Some(Outcome::Loss)) => {
                    left[place as usize] = NEVER;
                }
                _ => {}
            }
        }
        for &place in avoided.iter().flat_map(|&place| before(place)) {
            left[place as usize] = NEVER;
        }
        banned.iter().for_each(|&place| rounds[place as usize] = 0);
        let mut lost = banned.to_vec();
        let mut round = 1;
        loop {
            let leading = lost.iter().flat_map(|&place| before(place)).copied();
            refuted.extend(leading.filter(|&place| self.result(place).is_none()));
            lost.clear();
            for place in refuted.drain(..) {
                if rounds[place as usize] != NEVER {
                    continue;
                }
                rounds[place as usize] = round;
                for &ours in before(place) {
                    let left = &mut left[ours as usize];
                    *left = if *left == NEVER { NEVER } else { *left - 1 };
                    if *left == 0 && rounds[ours as usize] == NEVER {
                        rounds[ours as usize] = round;
                        lost.push(ours);
                    }
                }
            }
            if lost.is_empty() {
                return Lost { rounds };
            }
            round += 1;
        }
    }

    /// How likely a side is to win from each position against a random opponent, if it never makes a refuted move and
    /// always chooses the best odds. The game must not go in circles.
    pub fn chances(&self, side: Side, is_refuted: impl Fn(Place) -> bool) -> Vec<BigRational> {
        let mut chances = vec![None; self.positions.len()];
        for place in 0..self.positions.len() as Place {
            self.find_chance(place, side, &is_refuted, &mut chances);
        }
        chances.into_iter().flatten().collect()
    }

    fn find_chance(
        &self,
        place: Place,
        side: Side,
        is_refuted: &impl Fn(Place) -> bool,
        chances: &mut Vec<Option<BigRational>>,
    ) -> BigRational {
        if let Some(known) = &chances[place as usize] {
            return known.clone();
        }
        let (is_ours, next) = (self.positions[place as usize].to_move == side, self.next(place));
        let wins = if is_ours { Outcome::Win } else { Outcome::Loss };
        let each = |&next: &Place| self.find_chance(next, side, is_refuted, chances);
        let chance = match self.result(place) {
            Some(outcome) if outcome == wins => BigRational::one(),
            Some(_) => BigRational::zero(),
            None if is_ours => {
                let best = next.iter().filter(|&&next| !is_refuted(next)).map(each).max();
                best.unwrap_or_else(BigRational::zero)
            }
            None => next.iter().map(each).sum::<BigRational>() / BigRational::from_integer(next.len().into()),
        };
        chances[place as usize] = Some(chance.clone());
        chance
    }

    /// Best play of both sides from a position, to the end, to a board banned from the start, or back to a board that
    /// has come up before.
    ///
    /// `lost` and `won` are the boards that are lost for a side and for its opponent. The side that wins hurries, the
    /// side that loses delays, and in a draw both sides keep the draw.
    pub fn best_line(&self, from: Place, side: Side, lost: &Lost, won: &Lost) -> Vec<Move> {
        let (mut line, mut at, mut seen) = (Vec::new(), from, vec![from]);
        loop {
            let is_ours = self.positions[at as usize].to_move == side;
            let (ours, theirs) = if is_ours { (won, lost) } else { (lost, won) };
            let next = self.next(at).iter().copied();
            let ends_well = |place: &Place| self.result(*place) == Some(Outcome::Loss);
            let ends_badly = |place: &Place| self.result(*place) == Some(Outcome::Win);
            let soonest =
                next.clone().filter(|&place| ours.round(place).is_some()).min_by_key(|&place| ours.round(place));
            let holding = next.clone().find(|place| theirs.round(*place).is_none() && !ends_badly(place));
            let latest = next.clone().max_by_key(|&place| (theirs.round(place), std::cmp::Reverse(place)));
            let Some(chosen) = next.clone().find(ends_well).or(soonest).or(holding).or(latest) else { return line };
            line.push(self.move_between(at, chosen));
            if seen.contains(&chosen) || lost.round(chosen) == Some(0) {
                return line;
            }
            seen.push(chosen);
            at = chosen;
        }
    }
}

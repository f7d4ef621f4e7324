//! Exact odds of one side against another: every line of play, weighted by the beads that are drawn.
//!
//! A position's odds are those of the positions one move on, each weighted by how often that move is drawn. They are
//! worked out as fractions, so the result is exact.

mod probability;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::board::Board;
use crate::game::Game;
use crate::games;
use crate::policy::Policy;
use crate::position::{BySide, Side};
use crate::progress::{Progress, Stage, Steps, Stopped};
use crate::table::TableError;
use crate::walk::{Place, Walk};

pub use probability::Probability;

/// Why odds could not be worked out.
#[derive(Debug, thiserror::Error)]
pub enum OddsError {
    /// Lines of play need not end.
    #[error("{0} goes in circles, so its lines of play cannot all be worked out")]
    GoesInCircles(String),
    /// A side cannot choose its move.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A side chose a move that is not legal.
    #[error("the {side} side chose {mv} on board {board}, which is not a legal move")]
    Illegal {
        /// The side.
        side: Side,
        /// Its move.
        mv: String,
        /// The board.
        board: Board,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// How a game ends, as probabilities that add up to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// That each side wins.
    pub wins: BySide<BigRational>,
    /// That neither side wins.
    pub draw: BigRational,
}

impl Odds {
    /// What a side scores: its wins and half of the draws.
    ///
    /// ```
    /// use menace::odds::odds;
    /// use menace::{BySide, Random, Side, games};
    ///
    /// let game = games::find("tictactoe")?;
    /// let chance = odds(&*game, BySide { first: &Random, second: &Random }, &())?;
    /// assert_eq!(chance.score(Side::First).to_string(), "817/1260");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn score(&self, side: Side) -> BigRational {
        &self.wins[side] + &self.draw / BigRational::from_integer(2.into())
    }

    fn none() -> Odds {
        Odds { wins: BySide::from_fn(|_| BigRational::zero()), draw: BigRational::zero() }
    }

    /// The odds of a game that this side has won; of a draw if there is no winner.
    fn certain(winner: Option<Side>) -> Odds {
        let mut odds = Odds::none();
        match winner {
            Some(side) => odds.wins[side] = BigRational::one(),
            None => odds.draw = BigRational::one(),
        }
        odds
    }

    fn add(&mut self, other: &Odds, weight: &BigRational) {
        for (side, sum) in self.wins.iter_mut() {
            *sum += &other.wins[side] * weight;
        }
        self.draw += &other.draw * weight;
    }
}

/// Works out the odds of a game from its start.
///
/// ```
/// use menace::odds::odds;
/// use menace::{BySide, Random, games};
///
/// let game = games::find("tictactoe")?;
/// let chance = odds(&*game, BySide { first: &Random, second: &Random }, &())?;
/// assert_eq!(chance.wins.first.to_string(), "737/1260");
/// assert_eq!(chance.wins.second.to_string(), "121/420");
/// assert_eq!(chance.draw.to_string(), "8/63");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn odds(game: &dyn Game, policies: BySide<&dyn Policy>, progress: &dyn Progress) -> Result<Odds, OddsError> {
    if game.goes_in_circles() {
        return Err(OddsError::GoesInCircles(games::titled(game)));
    }
    over(&Walk::new(game, progress)?, policies, progress)
}

/// The same over a walk that was made before, of a game that always ends.
pub(crate) fn over(walk: &Walk<'_>, policies: BySide<&dyn Policy>, progress: &dyn Progress) -> Result<Odds, OddsError> {
    let steps = Steps::start(progress, Stage::Odds, walk.len() as u128);
    Lines { known: vec![None; walk.len()], walk, policies, steps }.odds(0)
}

/// The lines of play that are worked out.
struct Lines<'a> {
    walk: &'a Walk<'a>,
    policies: BySide<&'a dyn Policy>,
    known: Vec<Option<Odds>>,
    steps: Steps<'a>,
}

impl Lines<'_> {
    fn odds(&mut self, place: Place) -> Result<Odds, OddsError> {
        if let Some(known) = &self.known[place as usize] {
            return Ok(known.clone());
        }
        let (game, at) = (self.walk.game, self.walk.position(place));
        let odds = match game.result(at) {
            Some(outcome) => Odds::certain(outcome.winner(at.to_move)),
            None => {
                let choice = self.policies[at.to_move].choose(game, at)?;
                let (moves, all) = (choice.moves(), choice.total());
                // A side without a move resigns.
                let mut odds = if all == 0 { Odds::certain(Some(at.to_move.other())) } else { Odds::none() };
                for (mv, weight) in moves.into_iter().filter(|&(_, weight)| weight > 0) {
                    let legal = self.walk.place(at.play(mv)).filter(|after| self.walk.next(place).contains(after));
                    let after = legal.ok_or_else(|| OddsError::Illegal {
                        side: at.to_move,
                        mv: game.notation().text(mv).to_string(),
                        board: at.board,
                    })?;
                    odds.add(&self.odds(after)?, &BigRational::new(weight.into(), all.into()));
                }
                odds
            }
        };
        self.steps.tick()?;
        self.known[place as usize] = Some(odds.clone());
        Ok(odds)
    }
}

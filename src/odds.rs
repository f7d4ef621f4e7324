//! Exact odds of one side against another: every line of play, weighed by the beads that are drawn.
//!
//! A board's odds are those of the boards one move on, each weighed by how often that move is drawn. Fractions are kept whole, so
//! what comes out is no estimate.

use hashbrown::HashMap;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::board::{Board, Player};
use crate::chooser::{ChooseError, Chooser};
use crate::game::Game;
use crate::progress::{Progress, Steps};

/// Why there are no odds.
#[derive(Debug, thiserror::Error)]
pub enum OddsError {
    /// Lines of play need not end.
    #[error("{0} goes in circles, so its lines of play cannot all be worked out; choose a game that ends")]
    GoesInCircles(String),
    /// A side cannot choose its move.
    #[error(transparent)]
    Choose(#[from] ChooseError),
}

/// How a game ends, as probabilities that add up to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// That the first and the second player win.
    pub wins: [BigRational; 2],
    /// That nobody does.
    pub draw: BigRational,
}

impl Odds {
    fn none() -> Odds {
        Odds { wins: [BigRational::zero(), BigRational::zero()], draw: BigRational::zero() }
    }

    /// A game that this player has won, or nobody.
    fn certain(winner: Option<Player>) -> Odds {
        let mut odds = Odds::none();
        match winner {
            Some(player) => odds.wins[player as usize] = BigRational::one(),
            None => odds.draw = BigRational::one(),
        }
        odds
    }

    fn add(&mut self, other: &Odds, weight: &BigRational) {
        for (sum, part) in self.wins.iter_mut().zip(&other.wins) {
            *sum += part * weight;
        }
        self.draw += &other.draw * weight;
    }
}

/// Works out the odds of a game from its start; the first chooser plays first.
///
/// ```
/// use menace::{Chooser, odds::odds};
///
/// let game = menace::games::find("tictactoe")?;
/// let chance = odds(&*game, &[Chooser::Random, Chooser::Random], &())?;
/// assert_eq!(chance.wins.map(|wins| wins.to_string()), ["737/1260", "121/420"]);
/// assert_eq!(chance.draw.to_string(), "8/63");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn odds(game: &dyn Game, choosers: &[Chooser<'_>; 2], progress: &dyn Progress) -> Result<Odds, OddsError> {
    if game.goes_in_circles() {
        return Err(OddsError::GoesInCircles(game.name()));
    }
    let steps = Steps::start(progress, "working out", game.boards_at_most());
    let mut lines = Lines { game, choosers, known: HashMap::new(), steps };
    lines.odds(game.start(), Player::One)
}

/// The lines of play that are worked out.
struct Lines<'a> {
    game: &'a dyn Game,
    choosers: &'a [Chooser<'a>; 2],
    known: HashMap<(Board, Player), Odds>,
    steps: Steps<'a>,
}

impl Lines<'_> {
    fn odds(&mut self, board: Board, to_move: Player) -> Result<Odds, OddsError> {
        if let Some(outcome) = self.game.result(board, to_move) {
            return Ok(Odds::certain(outcome.winner(to_move)));
        }
        if let Some(known) = self.known.get(&(board, to_move)) {
            return Ok(known.clone());
        }
        let moves = self.choosers[to_move as usize].moves(self.game, board, to_move)?;
        let all: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        // Who has no move resigns.
        let mut odds = if moves.is_empty() { Odds::certain(Some(to_move.other())) } else { Odds::none() };
        for (mv, weight) in moves {
            let after = self.odds(board.play(mv), to_move.other())?;
            odds.add(&after, &BigRational::new(weight.into(), all.into()));
        }
        self.steps.tick();
        self.known.insert((board, to_move), odds.clone());
        Ok(odds)
    }
}

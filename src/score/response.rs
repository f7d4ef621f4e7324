//! The best response to a player: what an opponent gains who knows all its answers, and the shortest game that beats it.

use std::collections::VecDeque;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::{Asked, ScoreError, points};
use crate::board::Move;
use crate::games;
use crate::matchbox::{Bead, Boxes, Fate, Matchbox};
use crate::policy::Policy;
use crate::position::{Side, Sides};
use crate::progress::{Progress, Stage, Steps};
use crate::table::Table;
use crate::walk::{Place, Walk};

/// A player on one side, against the opponent that does best.
pub(super) struct Response<'a> {
    pub asked: &'a Asked<'a>,
    pub player: Side,
}

impl Response<'_> {
    /// What the player gets from the start.
    pub fn value(&self, progress: &dyn Progress) -> Result<BigRational, ScoreError> {
        Ok(self.values(progress)?.into_iter().next().flatten().unwrap_or_else(BigRational::zero))
    }

    /// What the player gets from each position, by place; none where play from the start does not lead.
    pub fn values(&self, progress: &dyn Progress) -> Result<Vec<Option<BigRational>>, ScoreError> {
        let walk = self.asked.walk;
        let mut steps = Steps::start(progress, Stage::Odds, walk.len() as u128);
        let mut values = vec![None; walk.len()];
        self.fill(0, &mut values, &mut steps)?;
        Ok(values)
    }

    fn fill(
        &self,
        place: Place,
        values: &mut [Option<BigRational>],
        steps: &mut Steps<'_>,
    ) -> Result<BigRational, ScoreError> {
        if let Some(known) = &values[place as usize] {
            return Ok(known.clone());
        }
        let walk = self.asked.walk;
        let at = walk.position(place);
        // All next positions are worked out, also those that the player never lets happen: a response is wanted there, too.
        let next = walk.next(place).iter().map(|&next| self.fill(next, values, steps));
        let next = next.collect::<Result<Vec<BigRational>, ScoreError>>()?;
        let value = match walk.game.result(at) {
            Some(outcome) => points(outcome.winner(at.to_move), self.player),
            None if at.to_move == self.player => self.expected(place, &next),
            None => next.into_iter().min().unwrap_or_else(BigRational::zero),
        };
        steps.tick()?;
        values[place as usize] = Some(value.clone());
        Ok(value)
    }

    /// The mean over the player's moves; a loss if it names none. `next` are the values after all moves.
    fn expected(&self, place: Place, next: &[BigRational]) -> BigRational {
        let moves = &self.asked.moves[place as usize];
        let all: u128 = moves.iter().map(|&(_, number)| u128::from(number)).sum();
        if all == 0 {
            return -BigRational::one();
        }
        let legal = self.asked.walk.game.moves(self.asked.walk.position(place));
        let value = |mv: Move| legal.iter().zip(next).find(|(found, _)| **found == mv).map(|(_, value)| value);
        let sum = moves.iter().filter_map(|&(mv, number)| Some(value(mv)? * BigRational::from_integer(number.into())));
        sum.sum::<BigRational>() / BigRational::from_integer(all.into())
    }
}

/// The machine that does best against a player, as a table of the other side: a bead for each of the best moves on every board.
///
/// ```
/// use menace::score::best_response;
/// use menace::{BySide, Choice, Game, Plan, Policy, Position, Side, Table, TableError, games, odds::odds};
///
/// /// Always makes the first legal move.
/// struct First;
/// impl Policy for First {
///     fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
///         Ok(Choice::Forced(game.moves(at)[0]))
///     }
/// }
///
/// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
/// let response = best_response(&table, &First, Side::Second, &())?;
/// let found = odds(&**table.game(), BySide { first: &First, second: &response }, &())?;
/// assert_eq!(found.wins.second.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_response(
    table: &Table,
    player: &dyn Policy,
    side: Side,
    progress: &dyn Progress,
) -> Result<Table, ScoreError> {
    let game = &**table.game();
    if game.goes_in_circles() {
        return Err(ScoreError::GoesInCircles(games::titled(game)));
    }
    let walk = Walk::new(game, progress)?;
    let asked = Asked::new(&walk, player, Sides::from(side.other()), progress)?;
    let values = Response { asked: &asked, player: side.other() }.values(progress)?;
    let mut boxes = Vec::new();
    for place in 0..walk.len() as Place {
        let at = walk.position(place);
        if at.to_move == side && game.result(at).is_none() {
            let next = walk.next(place).iter().map(|&next| &values[next as usize]);
            let best = next.clone().min().cloned();
            let beads = game.moves(at).into_iter().zip(next).filter(|(_, value)| Some(*value) == best.as_ref());
            let beads = beads.map(|(mv, _)| Bead { mv, fate: Fate::Stays(1) }).collect();
            boxes.push((at.board, Matchbox::new(beads, None)));
        }
    }
    Ok(Table::builder(table.game().clone()).machine(side, Boxes::from_unsorted(boxes), Vec::new()).build())
}

/// The moves of a shortest game in which the player on a side loses or names no legal move; none if there is no such game.
pub(super) fn shortest_defeat(asked: &Asked<'_>, player: Side) -> Option<Vec<Move>> {
    let walk = asked.walk;
    // For each position that was met, the one it was met from and the move that leads there.
    let mut from: Vec<Option<(Place, Move)>> = vec![None; walk.len()];
    let (mut met, mut queue) = (vec![false; walk.len()], VecDeque::from([0]));
    met[0] = true;
    while let Some(place) = queue.pop_front() {
        let at = walk.position(place);
        let is_beaten = match walk.game.result(at) {
            Some(outcome) => outcome.winner(at.to_move) == Some(player.other()),
            None => at.to_move == player && asked.moves[place as usize].is_empty(),
        };
        if is_beaten {
            let back = std::iter::successors(from[place as usize], |&(before, _)| from[before as usize]);
            let mut moves: Vec<Move> = back.map(|(_, mv)| mv).collect();
            moves.reverse();
            return Some(moves);
        }
        let plays = |mv: Move| at.to_move != player || asked.moves[place as usize].iter().any(|&(own, _)| own == mv);
        let moves = if walk.next(place).is_empty() { Default::default() } else { walk.game.moves(at) };
        for (mv, &next) in moves.into_iter().zip(walk.next(place)).filter(|&(mv, _)| plays(mv)) {
            if !std::mem::replace(&mut met[next as usize], true) {
                from[next as usize] = Some((place, mv));
                queue.push_back(next);
            }
        }
    }
    None
}

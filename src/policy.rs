//! What a side does in a position, decided here and nowhere else: `play`, `odds`, `train`, the map, the quality report and the
//! page all ask a [`Policy`].
//!
//! A machine draws one of the beads in its box. Without a box it makes the only move there is. With an empty box the board is
//! lost, and it plays on with the moves that lose latest, each as likely as the others, just as [`Perfect`] does. A packed
//! table without depths does not know which moves those are, so there it is any move that does not lose at once. A trained
//! machine with an empty box resigns.

use std::sync::Arc;

use crate::board::Move;
use crate::game::{Game, Moves, forced_move};
use crate::matchbox::Matchbox;
use crate::position::Position;
use crate::progress::Progress;
use crate::table::{Table, TableError};
use crate::verdict::{Outcome, Verdict};

/// What a side does in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It draws one of these moves, each as likely as its number says.
    Draw(Vec<(Move, u64)>),
    /// It needs no box for the only move there is.
    Forced(Move),
    /// The board is lost; it plays one of the moves that lose latest, each as likely as the others.
    LosesLatest(Moves),
    /// The board is lost, and it is not known which move loses latest; it plays one that does not lose at once, if
    /// there is one, each as likely as the others.
    Lost(Moves),
    /// It has no move and resigns.
    Resign,
}

impl Choice {
    /// The moves that can be played, each with how often; none if the side resigns.
    pub fn moves(&self) -> Vec<(Move, u64)> {
        self.clone().into_moves()
    }

    /// The same, where the choice is not needed any more.
    pub(crate) fn into_moves(self) -> Vec<(Move, u64)> {
        match self {
            Choice::Draw(moves) => moves,
            Choice::Forced(mv) => vec![(mv, 1)],
            Choice::LosesLatest(moves) | Choice::Lost(moves) => moves.into_iter().map(|mv| (mv, 1)).collect(),
            Choice::Resign => Vec::new(),
        }
    }

    /// The sum of the numbers of all moves.
    pub fn total(&self) -> u128 {
        self.moves().iter().map(|&(_, number)| u128::from(number)).sum()
    }

    /// What a machine does with its box.
    fn of_box(matchbox: &Matchbox) -> Choice {
        let beads: Vec<(Move, u64)> = matchbox.beads().map(|(mv, number)| (mv, number.into())).collect();
        if !beads.is_empty() {
            return Choice::Draw(beads);
        }
        let last: Moves = matchbox.last_to_go().map(|(mv, _)| mv).collect();
        match matchbox.last_to_go().next() {
            None => Choice::Resign,
            Some((_, removal)) if removal.round.is_none() => Choice::Lost(last),
            Some(_) => Choice::LosesLatest(last),
        }
    }
}

/// What a side does in each position of a game.
///
/// ```
/// use menace::odds::odds;
/// use menace::{BySide, Choice, Game, Policy, Position, Random, TableError, games};
///
/// /// Always makes the first legal move.
/// struct First;
///
/// impl Policy for First {
///     fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
///         Ok(Choice::Draw(vec![(game.moves(at)[0], 1)]))
///     }
/// }
///
/// let game = games::find("tictactoe")?;
/// let found = odds(&*game, BySide { first: &First, second: &Random }, &())?;
/// assert_eq!(found.wins.first.to_string(), "25/32");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Policy: Sync {
    /// What the side to move does in a position where the game goes on.
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError>;
}

impl Policy for Table {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        if let Some(matchbox) = self.matchbox(at)? {
            return Ok(Choice::of_box(&matchbox));
        }
        let no_box = || TableError::NoBox { id: self.classes().lowest(at.board).id(), at };
        forced_move(game, at).map(Choice::Forced).ok_or_else(no_box)
    }
}

/// Makes any legal move, each as likely as the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Policy for Random {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        Ok(Choice::Draw(game.moves(at).into_iter().map(|mv| (mv, 1)).collect()))
    }
}

/// Makes one of the best moves, each as likely as the others: wins as soon as possible, else draws, else loses as late as
/// possible.
pub struct Perfect {
    table: Table,
}

impl Perfect {
    /// The perfect player of a game, which is solved for it.
    pub fn of(game: &Arc<dyn Game>, progress: &dyn Progress) -> Result<Perfect, TableError> {
        let table = Table::builder(game.clone()).build();
        table.solve(progress)?;
        Ok(Perfect { table })
    }

    /// The perfect player of a table's game, by its [verdicts](Table::verdict).
    pub fn by_verdicts(table: &Table) -> Perfect {
        Perfect { table: table.clone() }
    }
}

impl Policy for Perfect {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        let worth = |mv: Move| Ok((mv, seen(&self.table, game, at.play(mv))?.before_move()));
        let moves = game.moves(at).into_iter().map(worth).collect::<Result<Vec<(Move, Verdict)>, TableError>>()?;
        let best = moves.iter().map(|&(_, worth)| worth).max();
        Ok(Choice::Draw(moves.into_iter().filter(|&(_, worth)| Some(worth) == best).map(|(mv, _)| (mv, 1)).collect()))
    }
}

/// The verdict on a position. Where depths are not kept, a win at once is still seen.
pub(crate) fn seen(table: &Table, game: &dyn Game, at: Position) -> Result<Verdict, TableError> {
    let verdict = table.verdict(at)?;
    let wins = |mv| game.result(at.play(mv)) == Some(Outcome::Loss);
    let wins_at_once = verdict == Verdict::WIN && game.moves(at).into_iter().any(wins);
    Ok(if wins_at_once { Verdict::win(1) } else { verdict })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Mark};
    use crate::learn::Why;
    use crate::matchbox::{Ban, Bead, Fate, Removal};

    fn bead(number: u8, fate: Fate) -> Bead {
        Bead { mv: Move::place(Mark::X, Cell::new(number).unwrap()), fate }
    }

    #[test]
    fn beads_are_drawn_as_often_as_their_numbers_say() {
        let matchbox = Matchbox::new(vec![bead(9, Fate::Stays(99)), bead(1, Fate::Stays(1))], None);
        let choice = Choice::of_box(&matchbox);
        assert_eq!(choice.moves(), [(bead(1, Fate::Stays(1)).mv, 1), (bead(9, Fate::Stays(1)).mv, 99)]);
        assert_eq!(choice.total(), 100);
    }

    #[test]
    fn a_lost_machine_plays_any_move_that_went_last_and_none_that_loses_sooner() {
        let went = |round, why| Fate::Went(Removal { round, why });
        let reply = Move::place(Mark::O, Cell::new(5).unwrap());
        let of_box = |beads: &[Bead]| Choice::of_box(&Matchbox::new(beads.to_vec(), Some(Ban::Round(1))));
        let moves = |beads: &[Bead]| beads.iter().map(|bead| bead.mv).collect::<Moves>();
        let sooner = [
            bead(1, went(Some(1), Why::Loses(None))),
            bead(2, went(Some(1), Why::Loses(Some(reply)))),
            bead(3, went(Some(1), Why::Loses(Some(reply)))),
        ];
        assert_eq!(of_box(&sooner), Choice::LosesLatest(moves(&sooner[1..])));
        let later = [sooner[0], bead(4, went(Some(2), Why::Banned(reply))), bead(6, went(Some(2), Why::Banned(reply)))];
        assert_eq!(of_box(&later), Choice::LosesLatest(moves(&later[1..])));
        let unrecorded = [bead(1, went(None, Why::Loses(Some(reply)))), bead(2, went(None, Why::Banned(reply)))];
        assert_eq!(of_box(&unrecorded), Choice::Lost(moves(&unrecorded[1..])));
        assert_eq!(of_box(&[]), Choice::Resign);
    }
}

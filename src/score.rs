//! What a player is worth, exactly: against its best response, against random play, and board by board.
//!
//! Everything is worked out over boards, not over games: a player has one answer for each board, and the value of a board
//! follows from the values of the next ones. So the exploitability of a tic-tac-toe player takes 5,478 boards where a walk over
//! all games would take 549,946.
//!
//! The trap: a player need not name a legal move. Such a board counts as lost, and nothing stops.

mod answers;
mod response;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::board::Move;
use crate::game::Game;
use crate::games;
use crate::odds::{self, Odds, OddsError};
use crate::policy::{Choice, Policy, Random};
use crate::position::{BySide, Position, Side, Sides};
use crate::progress::{Progress, Stage, Steps, Stopped};
use crate::table::{Table, TableError};
use crate::verdict::{Outcome, Verdict};
use crate::walk::{Place, Walk};

pub use answers::{Answers, questions};
pub use response::best_response;

/// Why a player could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// Lines of play need not end.
    #[error("{0} goes in circles, so play need not end and its value is not defined")]
    GoesInCircles(String),
    /// There is no verdict, or the player cannot answer.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Odds could not be worked out.
    #[error(transparent)]
    Odds(#[from] OddsError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A move that gives a win or a draw away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where it is made.
    pub at: Position,
    /// The move.
    pub mv: Move,
    /// What the position is worth to the side to move.
    pub before: Verdict,
    /// What that side has after the move.
    pub after: Verdict,
}

/// How well a player does on single boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// How many boards it was asked about.
    pub boards: u64,
    /// The share of boards on which its moves keep the win, the draw or the loss; each move counts as often as it is played.
    pub good: BigRational,
    /// The share of boards on which its moves also win soonest or lose latest; none if the table keeps no depths.
    pub best: Option<BigRational>,
    /// The boards on which it names no legal move.
    pub illegal: u64,
    /// The moves that give something away, the worst first.
    pub mistakes: Vec<Mistake>,
}

/// What a player is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Its value against its best response, from -1 to 1; for both sides together, their sum.
    pub value: BigRational,
    /// The value of the game, less that; 0 is perfect. For both sides together it is what others call NashConv.
    pub exploitability: BigRational,
    /// How it does against random moves; for both sides together, the mean.
    pub random: RandomOdds,
    /// How well it does on single boards.
    pub boards: Judgement,
    /// The moves of a shortest game that beats it, from the start; none if it cannot be beaten.
    pub refutation: Option<Vec<Move>>,
}

/// The odds of a player against random moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomOdds {
    /// That it wins.
    pub win: BigRational,
    /// That neither wins.
    pub draw: BigRational,
    /// That it loses.
    pub loss: BigRational,
}

/// Measures a player on all boards of some sides. The player is asked once for each board.
///
/// ```
/// use menace::score::score;
/// use menace::{Plan, Random, Sides, Table, games};
///
/// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
/// let found = score(&table, &Random, Sides::BOTH, &())?;
/// assert_eq!(found.boards.boards, 4520);
/// assert_eq!(found.exploitability.to_string(), "116101/60480"); // 191/192 + 874/945
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn score(table: &Table, player: &dyn Policy, sides: Sides, progress: &dyn Progress) -> Result<Score, ScoreError> {
    let game = &**table.game();
    if game.goes_in_circles() {
        return Err(ScoreError::GoesInCircles(games::titled(game)));
    }
    table.solve(progress)?;
    let walk = Walk::new(game, progress)?;
    let asked = Asked::new(&walk, player, sides, progress)?;
    let (mut value, mut exploitability) = (BigRational::zero(), BigRational::zero());
    for side in sides.iter() {
        let start = walk.position(0);
        let worth = points(table.verdict(start)?.outcome.winner(start.to_move), side);
        let against_best = response::Response { asked: &asked, player: side }.value(progress)?;
        exploitability += worth - &against_best;
        value += against_best;
    }
    let open = (0..walk.len() as Place).map(|place| (walk.position(place), asked.moves(place)));
    let boards = judged(table, open.filter_map(|(at, moves)| Some((at, moves?))), progress)?;
    let refutation = sides.iter().filter_map(|side| response::shortest_defeat(&asked, side)).min_by_key(Vec::len);
    Ok(Score { value, exploitability, random: against_random(&asked, sides, progress)?, boards, refutation })
}

/// Judges a player on some positions, where the game must go on.
pub fn judge(
    table: &Table,
    player: &dyn Policy,
    positions: &[Position],
    progress: &dyn Progress,
) -> Result<Judgement, ScoreError> {
    let game = &**table.game();
    let answers = positions.iter().map(|&at| legal_answer(game, at, player)).collect::<Result<Vec<_>, _>>()?;
    judged(table, positions.iter().copied().zip(answers.iter().map(Vec::as_slice)), progress)
}

/// Judges answers.
fn judged<'a>(
    table: &Table,
    answers: impl Iterator<Item = (Position, &'a [(Move, u64)])>,
    progress: &dyn Progress,
) -> Result<Judgement, ScoreError> {
    let mut steps = Steps::start(progress, Stage::Check, 0);
    let (mut boards, mut illegal, mut mistakes) = (0, 0, Vec::new());
    let (mut good, mut best) = (BigRational::zero(), BigRational::zero());
    for (at, moves) in answers {
        let outlook = table.outlook(at)?;
        let (before, soonest) = (table.verdict(at)?, outlook.best());
        let (mut kept, mut quick, mut all) = (0u128, 0u128, 0u128);
        for &(mv, number) in moves {
            let after = outlook.moves.iter().find(|(found, _)| *found == mv).map_or(Verdict::LOSS, |found| found.1);
            all += u128::from(number);
            kept += if after.outcome >= before.outcome { u128::from(number) } else { 0 };
            quick += if soonest.contains(&mv) { u128::from(number) } else { 0 };
            if after.outcome < before.outcome {
                mistakes.push(Mistake { at, mv, before, after });
            }
        }
        match all {
            0 => illegal += 1,
            _ => {
                good += BigRational::new(kept.into(), all.into());
                best += BigRational::new(quick.into(), all.into());
            }
        }
        boards += 1;
        steps.tick()?;
    }
    mistakes.sort_by_key(|mistake| (mistake.weight(), mistake.at.board.stone_count(), mistake.at, mistake.mv));
    let share = |sum: BigRational| sum / BigRational::from_integer(boards.max(1).into());
    let best = table.has_depths().then(|| share(best));
    Ok(Judgement { boards, good: share(good), best, illegal, mistakes })
}

impl Mistake {
    /// Sorts the worst first: a win that is lost, then a win that is drawn, then a draw that is lost.
    fn weight(&self) -> u8 {
        match (self.before.outcome, self.after.outcome) {
            (Outcome::Win, Outcome::Loss) => 0,
            (Outcome::Win, _) => 1,
            _ => 2,
        }
    }
}

/// What a player does in each position of a walk where one of its sides is to move.
struct Asked<'a> {
    walk: &'a Walk<'a>,
    sides: Sides,
    /// Its legal moves by place, each with how often; empty where it names none, and where it is not asked.
    moves: Vec<Vec<(Move, u64)>>,
}

impl<'a> Asked<'a> {
    fn new(
        walk: &'a Walk<'a>,
        player: &dyn Policy,
        sides: Sides,
        progress: &dyn Progress,
    ) -> Result<Asked<'a>, ScoreError> {
        let mut steps = Steps::start(progress, Stage::Odds, walk.len() as u128);
        let mut moves = vec![Vec::new(); walk.len()];
        for (place, moves) in (0..).zip(&mut moves) {
            let at = walk.position(place);
            if sides.contains(at.to_move) && walk.game.result(at).is_none() {
                *moves = legal_answer(walk.game, at, player)?;
            }
            steps.tick()?;
        }
        Ok(Asked { walk, sides, moves })
    }

    /// The moves in a position where the player is to move; none if it is not, or if the game is over.
    fn moves(&self, place: Place) -> Option<&[(Move, u64)]> {
        let is_asked = self.sides.contains(self.walk.position(place).to_move) && !self.walk.next(place).is_empty();
        is_asked.then(|| &self.moves[place as usize][..])
    }
}

/// The answers as a policy, for odds.
impl Policy for Asked<'_> {
    fn choose(&self, _game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        let place = self.walk.place(at).ok_or(TableError::NotReached(at))?;
        Ok(Choice::Draw(self.moves[place as usize].clone()))
    }
}

/// The legal moves of a player's answer; none if it names none, resigns or has no box for the board.
fn legal_answer(game: &dyn Game, at: Position, player: &dyn Policy) -> Result<Vec<(Move, u64)>, TableError> {
    let choice = match player.choose(game, at) {
        Err(TableError::NoBox { .. }) => return Ok(Vec::new()),
        choice => choice?,
    };
    let legal = game.moves(at);
    Ok(choice.into_moves().into_iter().filter(|(mv, number)| *number > 0 && legal.contains(mv)).collect())
}

/// The odds of the answers against random moves, as the mean over the sides.
fn against_random(asked: &Asked<'_>, sides: Sides, progress: &dyn Progress) -> Result<RandomOdds, ScoreError> {
    let [mut win, mut draw, mut loss] = [(); 3].map(|()| BigRational::zero());
    for side in sides.iter() {
        let policies = BySide::from_fn(|player| if player == side { asked as &dyn Policy } else { &Random });
        let Odds { wins, draw: drawn } = odds::over(asked.walk, policies, progress)?;
        win += &wins[side];
        loss += &wins[side.other()];
        draw += drawn;
    }
    let mean = |sum: BigRational| sum / BigRational::from_integer(sides.len().max(1).into());
    Ok(RandomOdds { win: mean(win), draw: mean(draw), loss: mean(loss) })
}

/// What a finished game is worth to a side: 1, 0 or -1.
fn points(winner: Option<Side>, side: Side) -> BigRational {
    match winner {
        None => BigRational::zero(),
        Some(winner) if winner == side => BigRational::one(),
        Some(_) => -BigRational::one(),
    }
}

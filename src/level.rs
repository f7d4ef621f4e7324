//! Levels: a ladder of skill from random play to perfect play.
//!
//! Each round of pruning sees one move of the opponent further. So a machine as it stood after round 1 walks into every trap
//! that is two moves deep, and one after round 2 into those that are three deep. The rounds are the rungs of the ladder; above
//! them are `safe`, where pruning ends, `perfect`, which also gives no win away, and `fastest`, which wins as soon as it can.
//! Where a game has few rounds, mixtures fill in: at level 1.5 each move is drawn from round 1 or round 2, half of the time
//! from either.
//!
//! A level is a fact of the game: it follows from verdicts, so a packed table with depths has the same ladder as a table with
//! boxes, and boards that were banned from the start or games that a machine learned from do not change it.

use std::fmt;
use std::str::FromStr;

use crate::aim::Aim;
use crate::board::excerpt;
use crate::game::{Game, Moves};
use crate::outlook::Outlook;
use crate::policy::{Choice, Policy, Random, seen};
use crate::position::Position;
use crate::progress::Progress;
use crate::table::{Table, TableError};

/// A rung of skill.
///
/// ```
/// use menace::Level;
///
/// assert_eq!("2".parse(), Ok(Level::Round(2)));
/// assert_eq!("2.5".parse::<Level>()?.to_string(), "2.5");
/// assert_eq!("0".parse(), Ok(Level::Random));
/// assert!("best".parse::<Level>().is_err());
/// # Ok::<(), menace::level::NoLevel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Any legal move.
    Random,
    /// The machine as it stood after a round.
    Round(u32),
    /// Between two rounds: on each move it plays at the level of the next round with this probability in thousandths, and at
    /// that of the round itself otherwise.
    Between {
        /// The lower round.
        round: u32,
        /// How often it plays as after the next round, in thousandths.
        thousandths: u16,
    },
    /// The machine after the last round: does not lose unless it has to.
    Safe,
    /// The same, and never gives a forced win away.
    Perfect,
    /// The same, and wins as soon as a win can be forced.
    Fastest,
}

/// Why a text or a number is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a level is random, safe, perfect, fastest or a number of rounds from 0 to {MOST_ROUNDS}, such as 2 or 2.5; found \"{0}\""
)]
pub struct NoLevel(String);

/// The highest number of rounds in a level. No game here comes near it.
const MOST_ROUNDS: u32 = 1_000_000;

/// The parts that the distance between two rounds is counted in.
const WHOLE: u16 = 1000;

impl Level {
    /// The levels that have a name, the weakest first.
    pub const NAMED: [Level; 4] = [Level::Random, Level::Safe, Level::Perfect, Level::Fastest];

    /// Their names.
    pub const NAMES: [&str; 4] = ["random", "safe", "perfect", "fastest"];

    /// The level after a number of rounds, which may lie between two rounds: 2.5 is half of round 2 and half of round 3.
    /// None if there is no such number of rounds.
    pub fn after(rounds: f64) -> Option<Level> {
        if !(0.0..=MOST_ROUNDS.into()).contains(&rounds) {
            return None;
        }
        Some(Level::after_thousandths((rounds * f64::from(WHOLE)).round() as u32))
    }

    /// The level after a number of rounds in thousandths.
    fn after_thousandths(parts: u32) -> Level {
        let (round, thousandths) = (parts / u32::from(WHOLE), (parts % u32::from(WHOLE)) as u16);
        match (round, thousandths) {
            (0, 0) => Level::Random,
            (round, 0) => Level::Round(round),
            (round, thousandths) => Level::Between { round, thousandths },
        }
    }

    /// The level with this number, if it is one.
    fn from_number(text: &str) -> Option<Level> {
        // Digit by digit: the tables for reading floating-point numbers would make the page 15 kB larger.
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        let digit = |place: usize| fraction.as_bytes().get(place).map_or(0, |&byte| u32::from(byte - b'0'));
        let thousandths = 100 * digit(0) + 10 * digit(1) + digit(2) + u32::from(digit(3) >= 5);
        let parts = whole.parse::<u32>().ok()?.checked_mul(WHOLE.into())?.checked_add(thousandths)?;
        (parts <= MOST_ROUNDS * u32::from(WHOLE)).then(|| Level::after_thousandths(parts))
    }

    /// Whether it needs to know in how many moves a game is decided.
    fn needs_depths(self) -> bool {
        !matches!(self, Level::Random | Level::Round(0) | Level::Safe | Level::Perfect)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Random => f.pad(Level::NAMES[0]),
            Level::Round(round) => f.pad(&round.to_string()),
            Level::Between { round, thousandths } => {
                let digits = format!("{thousandths:03}");
                f.pad(&format!("{round}.{}", digits.trim_end_matches('0')))
            }
            Level::Safe => f.pad(Level::NAMES[1]),
            Level::Perfect => f.pad(Level::NAMES[2]),
            Level::Fastest => f.pad(Level::NAMES[3]),
        }
    }
}

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Level, NoLevel> {
        let named = Level::NAMED.into_iter().zip(Level::NAMES).find(|&(_, name)| name == text).map(|(level, _)| level);
        named.or_else(|| Level::from_number(text)).ok_or_else(|| NoLevel(excerpt(text)))
    }
}

/// A level of skill that follows from depths, of a table without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {0} needs depths, and the table stores none")]
pub struct NoDepths(pub Level);

/// Plays a game at a level, by the verdicts of a table.
///
/// ```
/// use menace::odds::odds;
/// use menace::{BySide, Graded, Level, Plan, Table, games};
///
/// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
/// let [weak, strong] = [Level::Round(1), Level::Perfect].map(|level| Graded::new(&table, level));
/// let found = odds(&**table.game(), BySide { first: &weak?, second: &strong? }, &())?;
/// assert_eq!(found.wins.second.to_string(), "52/315");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Graded {
    table: Table,
    level: Level,
}

impl Graded {
    /// The player of this level. Refused if the level needs depths and the table keeps none.
    pub fn new(table: &Table, level: Level) -> Result<Graded, NoDepths> {
        if level.needs_depths() && !table.has_depths() {
            return Err(NoDepths(level));
        }
        Ok(Graded { table: table.clone(), level })
    }

    /// The level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Draws one of the moves that are kept. If there are none, it loses as late as it can.
    fn keep(&self, game: &dyn Game, at: Position, keep: impl Fn(&Outlook) -> Moves) -> Result<Choice, TableError> {
        let outlook = self.table.outlook(at)?;
        let kept = keep(&outlook);
        if !kept.is_empty() {
            return Ok(Choice::Draw(kept.into_iter().map(|mv| (mv, 1)).collect()));
        }
        if self.table.has_depths() {
            return Ok(Choice::LosesLatest(outlook.best()));
        }
        // Which moves lose at once can still be seen.
        let outlook = Outlook::new(game, at, &game.moves(at), |after| seen(&self.table, game, after))?;
        Ok(Choice::Lost(outlook.best()))
    }
}

impl Policy for Graded {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        match self.level {
            Level::Random | Level::Round(0) => Random.choose(game, at),
            Level::Round(round) => self.keep(game, at, |outlook| outlook.after_round(round)),
            Level::Between { round, thousandths } => {
                let [lower, upper] =
                    [round, round + 1].map(|round| Graded { table: self.table.clone(), level: Level::Round(round) });
                Ok(mixed(&lower.choose(game, at)?, &upper.choose(game, at)?, thousandths))
            }
            Level::Safe => self.keep(game, at, |outlook| outlook.left(Aim::Safe)),
            Level::Perfect => self.keep(game, at, |outlook| outlook.left(Aim::Win)),
            Level::Fastest => self.keep(game, at, |outlook| outlook.left(Aim::Fastest)),
        }
    }
}

/// Does what one choice says, or with this probability in thousandths what another says.
fn mixed(one: &Choice, other: &Choice, thousandths: u16) -> Choice {
    let thousandths = thousandths.min(WHOLE);
    let mut moves = Vec::new();
    for (choice, beside, share) in [(one, other, WHOLE - thousandths), (other, one, thousandths)] {
        // Pruned choices have at most one bead a move, so these products are small.
        let factor = u64::from(share) * beside.total() as u64;
        moves.extend(choice.moves().into_iter().map(|(mv, number)| (mv, number * factor)));
    }
    moves.sort_unstable();
    moves.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    Choice::Draw(moves)
}

impl Table {
    /// The levels of its game, the weakest first. A packed table without depths has only `random`, `safe` and `perfect`.
    ///
    /// ```
    /// use menace::{Plan, Table, games};
    ///
    /// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
    /// let levels: Vec<String> = table.levels(&())?.iter().map(ToString::to_string).collect();
    /// assert_eq!(levels.join(" "), "random 0.5 1 1.5 2 2.5 safe perfect fastest");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn levels(&self, progress: &dyn Progress) -> Result<Vec<Level>, TableError> {
        if !self.has_depths() {
            return Ok(vec![Level::Random, Level::Safe, Level::Perfect]);
        }
        let rounds = self.rounds_to_safe(progress)?;
        let steps = match rounds {
            0..=2 => 4,
            3..=5 => 2,
            _ => 1,
        };
        let rungs = (1..rounds * steps).filter_map(|step| Level::after(f64::from(step) / f64::from(steps)));
        let top = [Level::Safe, Level::Perfect, Level::Fastest];
        Ok([Level::Random].into_iter().chain(rungs).chain(top).collect())
    }
}

//! Lessons: how the beads of a machine change with the games it plays, and how those games went.
//!
//! They are stored with the boxes, written as they are typed, so that training can continue where it stopped.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::{excerpt, is_invisible};

/// Why a text does not say how to teach.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TeachingError {
    /// Not a list of beads.
    #[error(
        "michie, scroggs, flat, flat:N or numbers of beads from 1 to {MOST_AT_START}, such as 3 or 4,3,2,1, were expected, found \"{0}\""
    )]
    Beads(String),
    /// Not a reward.
    #[error(
        "three changes for a win, a draw and a loss were expected, each a number of beads up to {MOST_AT_ONCE} or all to take all out, such as 3,1,-1; found \"{0}\""
    )]
    Reward(String),
    /// Not a choice of moves to blame.
    #[error("every or last was expected, found \"{0}\"")]
    Blame(String),
    /// Not a rule for empty boxes.
    #[error("resign, keep, keep:N or refill was expected, found \"{0}\"")]
    Empty(String),
}

/// The most beads that a box can have for a move at the start.
const MOST_AT_START: u32 = 1_000_000;

/// The most beads that a game can put in or take out for a move.
const MOST_AT_ONCE: i32 = 1_000_000;

/// How many beads there are for each move at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartBeads {
    /// One less with every move of the machine, down to 1 for the last that leaves a choice: 4, 3, 2, 1 in tic-tac-toe.
    Michie,
    /// Half as many with every move of the machine, down to 1: 8, 4, 2, 1 in tic-tac-toe.
    Scroggs,
    /// The same number in all boxes.
    Flat(u32),
    /// These numbers, for the machine's first move, its second, and so on.
    List(Vec<u32>),
}

impl StartBeads {
    /// The numbers for a machine with this many moves that leave a choice. A list is returned as it is, even if it has
    /// another length.
    pub fn numbers(&self, moves: usize) -> Vec<u32> {
        // Otherwise long games would start with more beads than anyone has.
        const MOST_HALVINGS: usize = 16;
        match self {
            StartBeads::Michie => (1..=moves as u32).rev().collect(),
            StartBeads::Scroggs => (0..moves).rev().map(|halvings| 1 << halvings.min(MOST_HALVINGS)).collect(),
            StartBeads::Flat(number) => vec![*number; moves],
            StartBeads::List(numbers) => numbers.clone(),
        }
    }
}

impl Display for StartBeads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartBeads::Michie => f.write_str("michie"),
            StartBeads::Scroggs => f.write_str("scroggs"),
            StartBeads::Flat(number) => write!(f, "flat:{number}"),
            StartBeads::List(numbers) => f.write_str(&numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")),
        }
    }
}

impl FromStr for StartBeads {
    type Err = TeachingError;

    fn from_str(text: &str) -> Result<StartBeads, TeachingError> {
        const FLAT: u32 = 3;
        let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=MOST_AT_START).contains(number));
        let parsed = match (text, text.strip_prefix("flat:")) {
            ("michie", _) => Some(StartBeads::Michie),
            ("scroggs", _) => Some(StartBeads::Scroggs),
            ("flat", _) => Some(StartBeads::Flat(FLAT)),
            (_, Some(flat)) => number(flat).map(StartBeads::Flat),
            (alone, None) if !alone.contains(',') => number(alone).map(StartBeads::Flat),
            (list, None) => list.split(',').map(number).collect::<Option<Vec<u32>>>().map(StartBeads::List),
        };
        parsed.ok_or_else(|| TeachingError::Beads(excerpt(text)))
    }
}

/// What becomes of the beads of a move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// This many more or, if negative, fewer.
    By(i32),
    /// All are taken out.
    TakeOut,
}

impl Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::By(beads) => write!(f, "{beads}"),
            Change::TakeOut => f.write_str("all"),
        }
    }
}

/// What becomes of the beads that were played, by how the game went for the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reward {
    /// After a win.
    pub win: Change,
    /// After a draw.
    pub draw: Change,
    /// After a loss.
    pub loss: Change,
}

impl Display for Reward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.win, self.draw, self.loss)
    }
}

impl FromStr for Reward {
    type Err = TeachingError;

    fn from_str(text: &str) -> Result<Reward, TeachingError> {
        let change = |text: &str| match text.trim() {
            "all" => Some(Change::TakeOut),
            number => {
                number.parse().ok().filter(|number| (-MOST_AT_ONCE..=MOST_AT_ONCE).contains(number)).map(Change::By)
            }
        };
        match text.split(',').map(change).collect::<Option<Vec<Change>>>().as_deref() {
            Some(&[win, draw, loss]) => Ok(Reward { win, draw, loss }),
            _ => Err(TeachingError::Reward(excerpt(text))),
        }
    }
}

/// Which moves of a lost game are punished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// All that the machine has made.
    Every,
    /// The last one that came from a box.
    Last,
}

impl Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Blame::Every => "every",
            Blame::Last => "last",
        })
    }
}

impl FromStr for Blame {
    type Err = TeachingError;

    fn from_str(text: &str) -> Result<Blame, TeachingError> {
        let named = [Blame::Every, Blame::Last].into_iter().find(|blame| blame.to_string() == text);
        named.ok_or_else(|| TeachingError::Blame(excerpt(text)))
    }
}

/// What becomes of a box that runs empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// It stays empty, and the machine resigns there.
    Resign,
    /// In the boxes for this many first moves, or for the first half of all moves if there is no number, the last bead
    /// is never taken out.
    Keep(Option<u32>),
    /// It is filled as at the start.
    Refill,
}

impl Empty {
    /// For how many first moves of a machine the boxes keep their last bead, if it has this many that leave a choice.
    pub fn early(self, moves: usize) -> usize {
        match self {
            Empty::Keep(Some(early)) => early as usize,
            Empty::Keep(None) => moves.div_ceil(2),
            Empty::Resign | Empty::Refill => 0,
        }
    }
}

impl Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Empty::Resign => f.write_str("resign"),
            Empty::Keep(None) => f.write_str("keep"),
            Empty::Keep(Some(moves)) => write!(f, "keep:{moves}"),
            Empty::Refill => f.write_str("refill"),
        }
    }
}

impl FromStr for Empty {
    type Err = TeachingError;

    fn from_str(text: &str) -> Result<Empty, TeachingError> {
        match (text, text.strip_prefix("keep:").map(str::parse)) {
            ("resign", _) => Ok(Empty::Resign),
            ("refill", _) => Ok(Empty::Refill),
            ("keep", _) => Ok(Empty::Keep(None)),
            (_, Some(Ok(moves))) if moves > 0 => Ok(Empty::Keep(Some(moves))),
            _ => Err(TeachingError::Empty(excerpt(text))),
        }
    }
}

/// How a machine is taught.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teaching {
    /// The beads at the start.
    #[serde(with = "as_typed")]
    pub beads: StartBeads,
    /// How they change after a game.
    #[serde(with = "as_typed")]
    pub reward: Reward,
    /// Which moves of a lost game are punished.
    #[serde(with = "as_typed")]
    pub blame: Blame,
    /// What becomes of a box that runs empty.
    #[serde(with = "as_typed")]
    pub empty: Empty,
}

impl Display for Teaching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Teaching { beads, reward, blame, empty } = self;
        write!(f, "{beads}, reward {reward}, blame {blame}, empty {empty}")
    }
}

impl Default for Teaching {
    /// As Michie did it, except that early boxes keep their last bead: with his own rule most machines that meet a strong opponent
    /// soon have an empty first box, and never play again.
    fn default() -> Teaching {
        let reward = Reward { win: Change::By(3), draw: Change::By(1), loss: Change::By(-1) };
        Teaching { beads: StartBeads::Michie, reward, blame: Blame::Every, empty: Empty::Keep(None) }
    }
}

/// How the games of a machine went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Games lost because a box was empty.
    pub resigned: u64,
    /// How often the last bead of a box was left in.
    pub kept: u64,
    /// How often an empty box was filled again.
    pub refilled: u64,
}

impl Tally {
    /// All games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// All games, if they can be counted.
    pub(crate) fn checked_games(&self) -> Option<u64> {
        self.won.checked_add(self.drawn)?.checked_add(self.lost)
    }

    /// The sum of these games and others.
    #[must_use]
    pub fn and(&self, other: &Tally) -> Tally {
        Tally {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            resigned: self.resigned.saturating_add(other.resigned),
            kept: self.kept.saturating_add(other.kept),
            refilled: self.refilled.saturating_add(other.refilled),
        }
    }

    /// What was added since an earlier tally.
    #[must_use]
    pub(crate) fn since(&self, before: &Tally) -> Tally {
        Tally {
            won: self.won - before.won,
            drawn: self.drawn - before.drawn,
            lost: self.lost - before.lost,
            resigned: self.resigned - before.resigned,
            kept: self.kept - before.kept,
            refilled: self.refilled - before.refilled,
        }
    }
}

/// The opponent of a lesson in which a machine played itself, with one set of boxes on both sides.
pub const SELF: &str = "self";

/// The opponent of a lesson that was played against a person.
pub const PERSON: &str = "person";

/// Games that a machine learned from, one after the other and all in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lesson {
    /// Whom it played: random, perfect, self, [`PERSON`], or the table that was named.
    pub opponent: String,
    /// The seed for drawing beads; none for games against a person, which follow from no seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How it was taught.
    pub teaching: Teaching,
    /// How the games went.
    pub tally: Tally,
}

impl Lesson {
    /// Whether both were taught in the same way, so that one continues the other.
    pub fn is_like(&self, other: &Lesson) -> bool {
        (&self.opponent, self.seed, &self.teaching) == (&other.opponent, other.seed, &other.teaching)
    }
}

/// Whether a text can be the name of an opponent: one line that is not too long and does not control a terminal.
pub fn is_name(text: &str) -> bool {
    const LONGEST: usize = 4096;
    !text.is_empty() && text.len() <= LONGEST && !text.chars().any(is_invisible)
}

/// Values as they are typed.
mod as_typed {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_is_written() {
        for text in ["michie", "scroggs", "flat:7", "4,3,2,1"] {
            assert_eq!(text.parse::<StartBeads>().unwrap().to_string(), text);
        }
        for text in ["3,1,-1", "0,0,all", "1,-2,-3"] {
            assert_eq!(text.parse::<Reward>().unwrap().to_string(), text);
        }
        for text in ["resign", "keep", "keep:2", "refill"] {
            assert_eq!(text.parse::<Empty>().unwrap().to_string(), text);
        }
        assert_eq!("flat".parse(), Ok(StartBeads::Flat(3)));
        assert_eq!("8".parse(), Ok(StartBeads::Flat(8)), "a number alone is for all boxes");
    }

    #[test]
    fn senseless_options_are_refused() {
        for text in ["", "4,,1", "0,1", "flat:0", "-1", "michie,1", "99999999999"] {
            assert_eq!(text.parse::<StartBeads>(), Err(TeachingError::Beads(text.to_owned())));
        }
        for text in ["", "3,1", "3,1,-1,0", "3,1,none", "3,1,-99999999"] {
            assert_eq!(text.parse::<Reward>(), Err(TeachingError::Reward(text.to_owned())));
        }
        for text in ["", "keep:0", "keep:", "Resign"] {
            assert_eq!(text.parse::<Empty>(), Err(TeachingError::Empty(text.to_owned())));
        }
    }

    #[test]
    fn named_numbers_of_beads_are_those_of_their_makers_in_tic_tac_toe() {
        assert_eq!(StartBeads::Michie.numbers(4), [4, 3, 2, 1]);
        assert_eq!(StartBeads::Scroggs.numbers(4), [8, 4, 2, 1]);
        assert_eq!(StartBeads::Flat(3).numbers(4), [3, 3, 3, 3]);
    }
}

//! The registry: every game by its name.
//!
//! A game is a file with its rules and a [`Family`] that recognises its names, and one line in `FAMILIES`.

mod hexapawn;
mod lines;
mod morris;
mod points;
mod pong_hau_ki;
mod rows;
mod shared_marks;

use std::any::Any;
use std::sync::Arc;

use crate::board::{MAX_CELLS, Shape, excerpt};
use crate::game::Game;

pub use rows::Rows;

/// All games there are.
const FAMILIES: &[Family] =
    &[rows::FAMILY, hexapawn::FAMILY, morris::FAMILY, pong_hau_ki::FAMILY, shared_marks::NOTAKTO, shared_marks::WILD];

/// What a family makes of a name: none if it is not one of its own, else the game or why there is none.
type Found = Option<Result<Arc<dyn Game>, Senseless>>;

/// Games that differ in data only, under names of one pattern.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What the names look like.
    pub pattern: &'static str,
    /// The rules in one line.
    pub rules: &'static str,
    /// Some games of the family, by the names people know.
    pub names: &'static [&'static str],
    /// Names that stand for other names.
    pub aliases: &'static [(&'static str, &'static str)],
    /// Finds the game with a name.
    parse: fn(&str) -> Found,
}

/// Why a name of a family is no game, as a sentence that says what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Senseless(String);

impl Senseless {
    fn new(why: &str) -> Senseless {
        Senseless(why.to_owned())
    }
}

/// A number in a name; one that is too large for everything counts as the largest.
fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u32::MAX))
}

/// The shape of this width and height, if a board can have it.
fn shape(width: u32, height: u32) -> Result<Shape, Senseless> {
    let small = |number: u32| u8::try_from(number).ok();
    small(width).zip(small(height)).and_then(|(width, height)| Shape::new(width, height)).ok_or_else(|| {
        let cells = u64::from(width) * u64::from(height);
        Senseless(format!("a board has from 1 to {MAX_CELLS} cells, and {width} by {height} would have {cells}"))
    })
}

/// Why a name is no game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// Nothing is known under this name.
    #[error("\"{name}\" is not a game; {hint}")]
    Unknown {
        /// The name.
        name: String,
        /// What it may have been meant to be.
        hint: String,
    },
    /// The name has a meaning, but not that of a game.
    #[error("\"{name}\" is not a game: {why}")]
    Senseless {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: Senseless,
    },
}

/// All families of games, in the order in which they are listed.
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// The game with this name.
///
/// ```
/// use menace::games::find;
///
/// assert_eq!(find("tictactoe")?.name(), "3x3x3");
/// assert_eq!(find("4x3x3+misere+gravity")?.name(), "4x3x3+gravity+misere");
/// assert!(find("tiktaktoe").err().unwrap().to_string().contains("did you mean tictactoe"));
/// # Ok::<(), menace::games::GameError>(())
/// ```
pub fn find(name: &str) -> Result<Arc<dyn Game>, GameError> {
    let lower = name.trim().to_lowercase();
    match FAMILIES.iter().find_map(|family| (family.parse)(full_name(&lower))) {
        Some(Ok(game)) => Ok(game),
        Some(Err(why)) => Err(GameError::Senseless { name: excerpt(name), why }),
        None => Err(GameError::Unknown { name: excerpt(name), hint: hint(name) }),
    }
}

/// The row game that a game is, if it is one.
pub fn rows(game: &dyn Game) -> Option<&Rows> {
    (game as &dyn Any).downcast_ref()
}

/// The rules of a game in one line, if it is one of these.
pub fn rules(game: &dyn Game) -> Option<String> {
    if let Some(rows) = rows(game) {
        return Some(rows.rules());
    }
    let name = game.name();
    FAMILIES.iter().find(|family| (family.parse)(full_name(&name)).is_some()).map(|family| family.rules.to_owned())
}

/// The short name of a game, if it has one: what people call it.
pub fn short_name(name: &str) -> &str {
    aliases().find(|(_, full)| *full == name).map_or(name, |(short, _)| short)
}

fn full_name(name: &str) -> &str {
    aliases().find(|(short, _)| *short == name).map_or(name, |(_, full)| full)
}

fn aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAMILIES.iter().flat_map(|family| family.aliases.iter().copied())
}

/// The nearest name, if one is near, and else what there is.
fn hint(name: &str) -> String {
    const NEAR: f64 = 0.75;
    let names = FAMILIES.iter().flat_map(|family| family.names);
    let nearest = names
        .map(|known| (strsim::jaro_winkler(known, &name.to_lowercase()), known))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, known)) if likeness >= NEAR => format!("did you mean {known}?"),
        _ => "`menace games` lists them, tictactoe and 4x3x3 among them".to_owned(),
    }
}

/// The number of ways to take `few` of `many`.
fn choose(many: u64, few: u64) -> u128 {
    (0..few).fold(1, |ways, taken| ways * u128::from(many - taken) / u128::from(taken + 1))
}

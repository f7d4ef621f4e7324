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

/// The numbers in a name, with an x between them; none if there is something else.
fn numbers(text: &str) -> Option<Result<Vec<u32>, Senseless>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let too_large = |text: &str| Senseless(format!("the number {} is too large", excerpt(text)));
    let number = |text: &str| text.parse().map_err(|_| too_large(text));
    text.split('x').all(is_number).then(|| text.split('x').map(number).collect())
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
/// assert_eq!(find("tictactoe+misere")?.name(), "3x3x3+misere");
/// assert_eq!(find("4x3x3+misere+gravity")?.name(), "4x3x3+gravity+misere");
/// assert!(find("tiktaktoe").err().unwrap().to_string().contains("did you mean tictactoe"));
/// # Ok::<(), menace::games::GameError>(())
/// ```
pub fn find(name: &str) -> Result<Arc<dyn Game>, GameError> {
    let lower = name.trim().to_lowercase();
    match FAMILIES.iter().find_map(|family| (family.parse)(&full_name(&lower))) {
        Some(Ok(game)) => Ok(game),
        Some(Err(why)) => Err(GameError::Senseless { name: excerpt(name), why }),
        None => Err(GameError::Unknown { name: excerpt(name), hint: hint(name) }),
    }
}

/// The rules of a game in one line, if it is one of these.
pub fn rules(game: &dyn Game) -> Option<String> {
    if let Some(rows) = game.as_rows() {
        return Some(rows.rules());
    }
    let name = game.name();
    FAMILIES.iter().find(|family| (family.parse)(&name).is_some()).map(|family| family.rules.to_owned())
}

/// The short name of a game, if it has one: what people call it.
pub fn short_name(name: &str) -> &str {
    aliases().find(|(_, full)| *full == name).map_or(name, |(short, _)| short)
}

/// The name that a short name stands for, also with flags after it: `tictactoe+misere` is `3x3x3+misere`.
fn full_name(name: &str) -> String {
    let (head, flags) = name.split_at(name.find('+').unwrap_or(name.len()));
    aliases().find(|(short, _)| *short == head).map_or(name.to_owned(), |(_, full)| format!("{full}{flags}"))
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
        _ => "tictactoe, 4x3x3 and connect4 are some".to_owned(),
    }
}

/// The number of ways to take `few` of `many`.
fn choose(many: u64, few: u64) -> u128 {
    (0..few).fold(1, |ways, taken| ways * u128::from(many - taken) / u128::from(taken + 1))
}

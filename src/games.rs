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

/// All families of games.
const FAMILIES: &[Family] =
    &[rows::FAMILY, hexapawn::FAMILY, morris::FAMILY, pong_hau_ki::FAMILY, shared_marks::NOTAKTO, shared_marks::WILD];

/// The game with a name, or why there is no such game; none if the name does not belong to the family.
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
    /// Games with a name of their own.
    pub known: &'static [Known],
    /// Finds the game with a name.
    parse: fn(&str) -> Found,
}

/// A game with a name of its own.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The name in tables.
    pub name: &'static str,
    /// A short name for the command line and for files.
    pub short: &'static str,
    /// What people call it, for headings.
    pub title: &'static str,
}

/// Why a name that belongs to a family is not a game, as a sentence that says what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Senseless(String);

impl Senseless {
    fn new(why: &str) -> Senseless {
        Senseless(why.to_owned())
    }
}

/// The numbers in a name, with an x between them; none if there is anything else.
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

/// Why a name is not a game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// Nothing is known under this name.
    #[error("\"{name}\" is not a game; {hint}")]
    Unknown {
        /// The name.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// The name belongs to a family, but is not a game.
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

/// The rules of a game in one line, if it is in the registry.
pub fn rules(game: &dyn Game) -> Option<String> {
    if let Some(rows) = game.as_rows() {
        return Some(rows.rules());
    }
    let name = game.name();
    FAMILIES.iter().find(|family| (family.parse)(&name).is_some()).map(|family| family.rules.to_owned())
}

/// The short name of a game, if it has one: what people type, and what files are called.
pub fn short_name(name: &str) -> &str {
    known().find(|known| known.name == name).map_or(name, |known| known.short)
}

/// What the files of a game are called, without their ending.
pub fn file_name(game: &dyn Game) -> String {
    short_name(&game.name()).replace(':', "-")
}

/// What people call a game: `tic-tac-toe`, `three men's morris`; its name if it has no other.
pub fn title(name: &str) -> &str {
    known().find(|known| known.name == name).map_or(name, |known| known.title)
}

/// The title of a game, for sentences.
pub(crate) fn titled(game: &dyn Game) -> String {
    title(&game.name()).to_owned()
}

/// The name that a short name stands for, with or without flags after it: `tictactoe+misere` is `3x3x3+misere`.
fn full_name(name: &str) -> String {
    let (head, flags) = name.split_at(name.find('+').unwrap_or(name.len()));
    known().find(|known| known.short == head).map_or(name.to_owned(), |known| format!("{}{flags}", known.name))
}

fn known() -> impl Iterator<Item = &'static Known> {
    FAMILIES.iter().flat_map(|family| family.known)
}

/// The most similar name, if one is close, or else some examples.
fn hint(name: &str) -> String {
    const NEAR: f64 = 0.75;
    let names = FAMILIES.iter().flat_map(|family| family.names);
    let nearest = names
        .map(|known| (strsim::jaro_winkler(known, &name.to_lowercase()), known))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, known)) if likeness >= NEAR => format!("did you mean {known}?"),
        _ => "some games are tictactoe, 4x3x3 and connect4".to_owned(),
    }
}

/// The number of ways to take `few` of `many`.
pub(crate) fn choose(many: u64, few: u64) -> u128 {
    (0..few).fold(1, |ways, taken| ways * u128::from(many - taken) / u128::from(taken + 1))
}

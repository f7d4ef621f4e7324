//! The sentences that explain a bead or a ban, used by the terminal, pictures, the page and other programs.

use crate::board::Notation;
use crate::learn::Why;
use crate::matchbox::{Ban, Matchbox, Removal};

/// A text with its first letter in upper case, for the beginning of a heading or a sentence.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whether and when a board was banned.
pub fn ban(ban: Option<Ban>) -> String {
    match ban {
        None => "not banned".to_owned(),
        Some(Ban::Unrecorded) => "banned".to_owned(),
        Some(Ban::AtStart) => "banned from the start".to_owned(),
        Some(Ban::Round(round)) => format!("banned in round {round}"),
    }
}

/// Why a bead went, as half a sentence.
pub fn reason(removal: Removal, notation: Notation) -> String {
    let why = match removal.why {
        Why::Loses(None) => "it loses at once".to_owned(),
        Why::Loses(Some(reply)) => format!("reply {} wins at once", notation.text(reply)),
        Why::Banned(reply) => format!("reply {} leads to a banned board", notation.text(reply)),
        Why::Win => "another bead wins at once".to_owned(),
        Why::Draws => "it gives a forced win away".to_owned(),
        Why::Slow => "it wins later than another".to_owned(),
        Why::Odds => "another has better odds against a random opponent".to_owned(),
    };
    match removal.round {
        Some(round) => format!("round {round}, {why}"),
        None => why,
    }
}

/// The beads in a box with their numbers; `none` if there are none.
pub fn beads(matchbox: &Matchbox, notation: Notation) -> String {
    let bead = |(mv, number)| match (notation.text(mv), number) {
        (text, 1) => text.to_string(),
        (text, _) => format!("{text} ({number} times)"),
    };
    let beads: Vec<String> = matchbox.beads().map(bead).collect();
    if beads.is_empty() { "none".to_owned() } else { beads.join(" ") }
}

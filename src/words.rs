//! The sentences that explain a bead, a ban or a verdict, used by the terminal, pictures, the page and other programs.

use crate::board::Notation;
use crate::learn::Why;
use crate::lesson::{Blame, Change, Reward, Teaching};
use crate::level::Level;
use crate::matchbox::{Ban, Matchbox, Removal};
use crate::verdict::{Outcome, Verdict};

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

/// What a board is worth to the side to move.
pub fn verdict(verdict: Verdict) -> String {
    match (verdict.outcome, verdict.depth) {
        (Outcome::Win, Some(depth)) => format!("won in {}", counted(depth.into(), "move")),
        (Outcome::Loss, Some(depth)) => format!("lost in {}", counted(depth.into(), "move")),
        (Outcome::Win, None) => "won".to_owned(),
        (Outcome::Draw, _) => "a draw".to_owned(),
        (Outcome::Loss, None) => "lost".to_owned(),
    }
}

/// What a move leads to, given what the side that makes it has then, and the names of that side and the other.
pub fn outlook(us: &str, them: &str, after: Verdict) -> String {
    match (after.outcome, after.depth) {
        (Outcome::Win, Some(0)) => format!("{us} wins at once"),
        (Outcome::Win, Some(depth)) => {
            format!("{us} wins in {}, whatever {them} does", counted(depth.into(), "more move"))
        }
        (Outcome::Win, None) => format!("{us} wins, whatever {them} does"),
        (Outcome::Draw, _) => format!("{them} gets a draw at best"),
        (Outcome::Loss, _) => format!("{them} wins"),
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

/// What to do with the beads of real boxes after a game that a machine has won, drawn and lost.
pub fn after_a_game(teaching: &Teaching) -> [String; 3] {
    let sentence = |how| capital(&with_a_bead(how)) + ".";
    let Reward { win, draw, loss } = teaching.reward;
    let after_a_loss = match (loss, teaching.blame) {
        (_, Blame::Every) | (Change::By(0), Blame::Last) => sentence(loss),
        (_, Blame::Last) => {
            format!("Only the last bead counts: {}. Put the beads of earlier moves back.", with_a_bead(loss))
        }
    };
    [sentence(win), sentence(draw), after_a_loss]
}

/// What to do with a bead that was played, as half a sentence.
fn with_a_bead(change: Change) -> String {
    match change {
        Change::By(0) => "put it back".to_owned(),
        Change::By(-1) => "keep it out".to_owned(),
        Change::By(beads @ 1..) => format!("put it back, with {beads} more of its colour"),
        Change::By(beads) => {
            format!("keep it out, and take out {} more of its colour, if there are any", beads.unsigned_abs() - 1)
        }
        Change::TakeOut => "keep it out, and take out all others of its colour".to_owned(),
    }
}

/// Which moves a player chooses from at a level.
pub fn level(level: Level) -> String {
    match level {
        Level::Random => "all legal moves".to_owned(),
        Level::Round(round) => format!("moves that stay in a box after round {round}"),
        Level::Between { round, thousandths } => {
            let below = match round {
                0 => "all legal moves".to_owned(),
                _ => format!("moves that stay in a box after round {round}"),
            };
            let tenth = match thousandths % 10 {
                0 => String::new(),
                tenth => format!(".{tenth}"),
            };
            let (next, percent) = (round + 1, thousandths / 10);
            format!("{below}, or with a chance of {percent}{tenth} % those that stay after round {next}")
        }
        Level::Safe => "moves that do not lose".to_owned(),
        Level::Perfect => "moves that neither lose nor give a forced win away".to_owned(),
        Level::Fastest => "moves that do not lose, and that win as soon as a win can be forced".to_owned(),
    }
}

/// A number with its noun: `1 box`, `2,423 boxes`.
pub fn counted(number: u64, noun: &str) -> String {
    let ending = match noun {
        _ if number == 1 => "",
        _ if noun.ends_with('x') => "es",
        _ => "s",
    };
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or_default()).collect();
    format!("{} {noun}{ending}", groups.join(","))
}

//! Why a shelf cannot be used.

use std::io;

/// Why a shelf cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// There is no plan.
    #[error("\"{folder}\" has no plan.json")]
    NoPlan {
        /// The folder.
        folder: String,
    },
    /// The file is not a plan.
    #[error("\"{path}\" is not the plan of a table: {why}")]
    Plan {
        /// Where it is.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// Its plan is for another version.
    #[error("\"{path}\" is a plan of menace {found}, and this is menace {expected}")]
    Version {
        /// Where it is.
        path: String,
        /// This version.
        expected: &'static str,
        /// The version of the plan.
        found: String,
    },
    /// Its plan is for another table.
    #[error("\"{folder}\" is the shelf of another table, {found}, and not of {expected}")]
    Another {
        /// The folder.
        folder: String,
        /// The table that was asked for.
        expected: String,
        /// Its table.
        found: String,
    },
    /// A part that the table does not have.
    #[error("{game} has parts 0 to {last}, so there is no part {part}")]
    NoPart {
        /// The game.
        game: String,
        /// The number that was asked for.
        part: usize,
        /// The highest number.
        last: usize,
    },
    /// Borders that are not there.
    #[error("part {part} cannot be made before {}{}", list(.missing), because(.damaged))]
    Missing {
        /// The part to be made.
        part: usize,
        /// The parts that have to be made first, in order.
        missing: Vec<usize>,
        /// The files that were found damaged.
        damaged: Vec<String>,
    },
    /// Parts that are not there or damaged.
    #[error("the table is not complete: {} to be made{}", list_have(.missing), again(.damaged))]
    Incomplete {
        /// The parts that have to be made, in order.
        missing: Vec<usize>,
        /// Those of them that are there, but damaged.
        damaged: Vec<usize>,
    },
    /// A file could not be read or written.
    #[error("\"{path}\" could not be {what}")]
    File {
        /// Which one.
        path: String,
        /// What was tried.
        what: &'static str,
        /// Why not.
        source: io::Error,
    },
}

/// Some numbers of parts in a sentence.
fn list(parts: &[usize]) -> String {
    const MOST: usize = 12;
    let numbers: Vec<String> = parts.iter().take(MOST).map(usize::to_string).collect();
    let more = if parts.len() > MOST { format!(" and {} more", parts.len() - MOST) } else { String::new() };
    format!("{} {}{more}", if parts.len() == 1 { "part" } else { "parts" }, numbers.join(", "))
}

fn list_have(parts: &[usize]) -> String {
    format!("{} {}", list(parts), if parts.len() == 1 { "has" } else { "have" })
}

fn because(damaged: &[String]) -> String {
    match damaged {
        [] => String::new(),
        [path] => format!(", because \"{path}\" is damaged"),
        [path, others @ ..] => format!(", because \"{path}\" and {} more are damaged", others.len()),
    }
}

fn again(damaged: &[usize]) -> String {
    match damaged {
        [] => String::new(),
        damaged => format!(", because the checksums of {} do not fit", list(damaged)),
    }
}

//! Tables as JSON: one object, one box a line.

mod raw;
mod read;
mod write;

pub use read::read;
pub use write::{BoxJson, write};

/// What a table says it is.
pub const FORMAT: &str = "menace-table";

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

//! Tables as JSON: one object, one box per line.

mod raw;
mod read;
mod write;

pub use read::read;
pub use write::{BoxJson, write};

/// The name of the format, which every table begins with.
pub const FORMAT: &str = "menace-table";

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

//! The library's answers in words for people.

mod chart;
mod diff;
mod explain;
mod matchbox;
mod quality;

pub use chart::write_curves;
pub use diff::{origin, write_boxes, write_totals};
pub use explain::write_explanation;
pub use matchbox::print_box;
pub use menace::words::counted;
pub use quality::write_quality;

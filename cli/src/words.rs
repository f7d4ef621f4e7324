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
pub use quality::write_quality;

/// A number with its noun: `1 game`, `2 games`.
pub fn counted(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{} {noun}s", indicatif::HumanCount(number)),
    }
}

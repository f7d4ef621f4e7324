//! Pictures of boxes and tables.
//!
//! A [`Picture`] is drawn once, as SVG, and turned into PNG or PDF from that. The page is HTML and holds the table itself. All
//! of them are made from a table and its game alone; none knows the rules.

mod canvas;
mod colour;
mod curve;
mod labels;
mod map;
mod matchbox;
mod page;
mod picture;

pub use curve::draw_curves;
pub use labels::{Labels, LabelsError, LabelsPlan, Paper, labels};
pub use map::{MapError, map};
pub use matchbox::{draw_box, print_box};
pub use page::{PageError, check_page, page};
pub use picture::{Picture, PictureError, pdf};

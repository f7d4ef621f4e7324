//! Pictures of boxes and tables.
//!
//! A [`Picture`] is drawn once, as SVG; the feature `render` converts that to PNG or PDF. The page is HTML and holds
//! the library itself; it needs the feature `page`. The pictures are made from a table and its game alone; none knows the rules.

mod canvas;
mod colour;
mod curve;
mod frame;
mod labels;
mod map;
mod matchbox;
#[cfg(feature = "page")]
mod page;
mod paper;
mod picture;
#[cfg(feature = "render")]
mod render;

pub use colour::{bead_colour, bead_name, colour};
pub use curve::draw_curves;
pub use labels::{Labels, LabelsError, LabelsPlan, check_labels, labels};
pub use map::{MapError, check_map, map, map_on};
pub use matchbox::{box_heading, box_subheading, draw_board, draw_box, fate};
#[cfg(feature = "page")]
pub use page::{PageError, PagePlan, page};
pub use paper::Paper;
pub use picture::Picture;
#[cfg(feature = "render")]
pub use render::{PictureError, pdf};

//! Where the parts of a map are: on a picture of its own size, or on a sheet of paper.

use super::legend::{LINE, Legend};
use crate::draw::frame::Frame;
use crate::draw::paper::Paper;
use crate::game::Diagram;

/// The font size of the legend, for a unit of 1.
pub const SMALL: f64 = 3.2;

/// Without paper: the longer side of the map, the margin around it and the height of the heading, in millimetres.
const SIDE: f64 = 240.0;
const MARGIN: f64 = 6.0;
const HEADING: f64 = 14.0;

/// On paper: the margin, and the narrowest column for the legend.
const PAPER_MARGIN: f64 = 10.0;
const COLUMN: f64 = 110.0;

/// Where the parts of a map are.
pub struct Layout<'a> {
    /// The board that everything is drawn in.
    pub frame: Frame<'a>,
    /// Where the heading begins, and how large letters are.
    pub heading: (f64, f64),
    pub unit: f64,
    /// Where the legend begins, and how wide it may get.
    pub legend: (f64, f64),
    pub column: f64,
    /// The size of the paper, if there is one.
    paper: Option<(f64, f64)>,
}

impl<'a> Layout<'a> {
    /// A picture as large as the map, with its legend on one line.
    pub fn free(diagram: &'a Diagram) -> Layout<'a> {
        let (columns, rows) = diagram.size;
        let (width, height) =
            if columns >= rows { (SIDE, SIDE * rows / columns) } else { (SIDE * columns / rows, SIDE) };
        Layout {
            frame: Frame::fit(MARGIN, MARGIN + HEADING, width, height, diagram),
            heading: (MARGIN, MARGIN + 2.5),
            unit: 1.0,
            legend: (MARGIN, MARGIN + 8.5),
            column: f64::INFINITY,
            paper: None,
        }
    }

    /// A sheet of paper, upright or sideways, whichever makes the map larger. Heading, legend and map are centred as one.
    pub fn on(paper: Paper, diagram: &'a Diagram, legend: &Legend) -> Layout<'a> {
        let (width, height) = paper.size();
        let [upright, sideways] =
            [(width, height), (height, width)].map(|size| Layout::on_sheet(size, diagram, legend));
        if sideways.frame.cell > upright.frame.cell { sideways } else { upright }
    }

    fn on_sheet((width, height): (f64, f64), diagram: &'a Diagram, legend: &Legend) -> Layout<'a> {
        // Letters grow with paper larger than A4.
        let unit = (width.min(height) / 210.0).max(1.0);
        let room = width - 2.0 * PAPER_MARGIN;
        let heading = |column: f64| unit * 10.0 + legend.lines(column / unit) as f64 * LINE * unit;
        let fit =
            |column: f64| Frame::fit(PAPER_MARGIN, 0.0, room, height - 2.0 * PAPER_MARGIN - heading(column), diagram);
        // A narrow map makes a narrow column, which may need more lines and so leave less room.
        let column = fit(room).width().max(COLUMN * unit).min(room);
        let fitted = fit(column);
        let (left, top) = ((width - column) / 2.0, (height - heading(column) - fitted.height()) / 2.0);
        Layout {
            frame: Frame { y: top + heading(column), ..fitted },
            heading: (left, top + 2.5 * unit),
            unit,
            legend: (left, top + 8.5 * unit),
            column,
            paper: Some((width, height)),
        }
    }

    /// The size of the picture.
    pub fn size(&self, legend: &Legend) -> (f64, f64) {
        let free =
            (self.frame.width().max(legend.width()) + 2.0 * MARGIN, self.frame.height() + 2.0 * MARGIN + HEADING);
        self.paper.unwrap_or(free)
    }
}

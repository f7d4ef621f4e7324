//! The palette: what each colour means in all pictures, and the colours of beads.
//!
//! A colour has one meaning, and it is never the only clue: lost lines are dashed, the machine's move is bold, and beads show
//! their move. The beads have Michie's nine colours, one for each cell; on a bead, green and red mean a cell and nothing
//! else.

use crate::board::Move;
use crate::matchbox::{Bead, Matchbox};

/// Letters and marks.
pub const INK: &str = "#23201C";
/// Letters that are less important.
pub const QUIET: &str = "#5A5248";
/// The lines of boards and charts, and holes.
pub const LINE: &str = "#857A6C";
/// The faint lines behind a curve.
pub const FAINT_LINE: &str = "#E2DCD2";
/// The ground of every picture.
pub const PAPER: &str = "#fff";
/// Drawers, and what is in them.
pub const WOOD: &str = "#8A5A1E";
/// The floor of a drawer.
pub const FLOOR: &str = "#F4EADA";
/// The tabs of a label, which are folded away.
pub const TAB: &str = "#F1EEE8";

/// What wins.
pub const WINS: &str = "#1B7A36";
/// A draw.
pub const DRAW: &str = "#6B5B00";
/// What loses.
pub const LOSES: &str = "#B4122B";
/// Pale tints of these three, for grounds.
pub const WINS_GROUND: &str = "#DDEFE1";
/// The tint of a draw.
pub const DRAW_GROUND: &str = "#F1ECCB";
/// The tint of what loses.
pub const LOSES_GROUND: &str = "#F7DCE0";

/// The machine's own move.
pub const OWN: &str = "#9A3A12";
/// A move of the person or the opponent.
pub const REPLY: &str = "#14507F";

/// The colour of a bead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Its name.
    pub name: &'static str,
    /// Red, green and blue of the bead.
    pub fill: [u8; 3],
    /// Whether text on the bead is white, because the bead is dark.
    pub is_dark: bool,
}

const fn colour_of(name: &'static str, fill: [u8; 3], is_dark: bool) -> Colour {
    Colour { name, fill, is_dark }
}

/// Michie's colours of the cells, row by row from the top left.
pub const MICHIE: [Colour; 9] = [
    colour_of("white", [255, 255, 255], false),
    colour_of("lilac", [200, 162, 220], false),
    colour_of("silver", [183, 190, 198], false),
    colour_of("black", [34, 34, 34], true),
    colour_of("gold", [226, 190, 46], false),
    colour_of("green", [34, 128, 84], true),
    colour_of("amber", [255, 128, 20], false),
    colour_of("red", [204, 32, 48], true),
    colour_of("pink", [255, 164, 200], false),
];

/// The colour of the bead with this number, from 0, and how many rings it has: with more than nine moves, there are not
/// enough colours.
pub fn colour(index: usize) -> (Colour, usize) {
    (MICHIE[index % MICHIE.len()], index / MICHIE.len())
}

/// The number that decides the colour of a bead. Where marks are placed, it is that of the cell, so that a cell has the
/// same colour everywhere; elsewhere it is that of the move in its box.
pub fn bead_colour(matchbox: &Matchbox, mv: Move) -> usize {
    let is_alone = |bead: &Bead| bead.mv.from.is_none() && sharing(matchbox, bead.mv).count() == 1;
    if matchbox.all().iter().all(is_alone) {
        return mv.to.index();
    }
    matchbox.all().iter().position(|bead| bead.mv == mv).unwrap_or(0)
}

/// The beads of a box that are placed in the same cell as a move.
pub fn sharing(matchbox: &Matchbox, mv: Move) -> impl Iterator<Item = &Bead> {
    matchbox.all().iter().filter(move |bead| bead.mv.from == mv.from && bead.mv.to == mv.to)
}

impl Colour {
    /// The colour as SVG writes it.
    pub fn hex(self) -> String {
        let [red, green, blue] = self.fill;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The colour of text on it.
    pub fn ink(self) -> &'static str {
        if self.is_dark { "#fff" } else { "#222" }
    }
}

/// The name of a bead, such as `white bead`, or of several, such as `white beads with a ring`; the noun is given.
pub fn bead_name(index: usize, noun: &str) -> String {
    match colour(index) {
        (colour, 0) => format!("{} {noun}", colour.name),
        (colour, 1) => format!("{} {noun} with a ring", colour.name),
        (colour, rings) => format!("{} {noun} with {rings} rings", colour.name),
    }
}

//! The colours of beads: Michie's nine, one for each cell. Beads also show their move, so that colour is never the only
//! clue.

use crate::board::Move;
use crate::matchbox::{Bead, Matchbox};

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

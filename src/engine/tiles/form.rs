//! The form of a record: the planes of both sheets of one inner colouring, one after the other.
//!
//! Planes are seen from the side to move. For winners there are two: it wins, and the other side wins. For depths plane
//! `t` says who has won after `t` more steps: the side to move if `t` is even, the other side if it is odd. The first of
//! them is what is seen on the board: a winning move, or in misère a row of the player who moved last. So plane `t` is
//! made from plane `t - 1` of the boards that the moves lead to, and it ends where no stones are left to play: the later
//! a plane, the fewer bands it has.

use super::LiveTiles;
use super::sheet::{Band, Sheet};

/// A plane of a sheet in a record.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Where it begins in the record.
    pub at: usize,
    /// How many words of the sheet it leaves out, since the bands with the most stones come first.
    pub skip: usize,
}

/// The form of the records with the same number of inner stones and of X among them.
#[derive(Clone, Debug)]
pub struct Form {
    /// By side to move, the number of the sheet; none if no board has this many X.
    pub sheets: [Option<usize>; 2],
    /// By side to move, the planes.
    pub planes: [Vec<Plane>; 2],
    /// By side to move, how many words of the sheet are full boards.
    pub full_words: [usize; 2],
    /// The words of a record.
    pub words: usize,
    /// The bands of both sheets by side to move, those with the most stones first.
    pub order: Vec<(usize, Band)>,
}

impl Form {
    /// The form for this many inner stones, this many of them X.
    pub fn new(layout: &LiveTiles, stones: usize, ones: usize) -> Form {
        let surplus = 2 * ones as i32 - stones as i32;
        let sheets = [-surplus, 1 - surplus].map(|surplus| layout.sheet_number(surplus));
        let mut words = 0;
        let planes = sheets.map(|sheet| {
            let sheet = sheet.map(|sheet| &layout.edges.sheets[sheet]);
            let mut planes = Vec::new();
            if let Some(sheet) = sheet {
                while let Some(skip) = first_word(layout, sheet, stones, planes.len()) {
                    planes.push(Plane { at: words, skip });
                    words += sheet.words - skip;
                }
            }
            planes
        });
        let bands = |side: usize| sheets[side].into_iter().flat_map(|sheet| layout.edges.sheets[sheet].bands.clone());
        let full_words = [0, 1].map(|side| {
            let is_full = |band: &Band| stones + band.stones == layout.grid.cells();
            bands(side).find(is_full).map_or(0, |band| band.words.end)
        });
        let mut order: Vec<_> = [0, 1].into_iter().flat_map(|side| bands(side).map(move |band| (side, band))).collect();
        order.sort_by_key(|(_, band)| std::cmp::Reverse(band.stones));
        Form { sheets, planes, full_words, words, order }
    }

    /// Whether any board has this many X.
    #[inline(always)]
    pub fn has_boards(&self) -> bool {
        self.sheets != [None; 2]
    }
}

/// The first word that a plane holds of a sheet; none if it holds nothing.
fn first_word(layout: &LiveTiles, sheet: &Sheet, stones: usize, plane: usize) -> Option<usize> {
    let has_plane = |band: &&Band| plane < layout.planes(stones + band.stones);
    sheet.bands.iter().find(has_plane).map(|band| band.words.start)
}

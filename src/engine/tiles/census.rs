//! Counting the boards of a record by verdict: only open boards that can occur.
//!
//! Open boards follow from the threats of both sides. The few of them that cannot occur were found in the sweep up,
//! without anchors, so a part looks them up under the heights of the kept block, which may be the mirror image of its
//! own.

use super::LiveTiles;
use super::block::Block;
use super::form::{Form, Kind};
use super::grid::Columns;
use super::mirror::Mirror;
use super::rare::{Rare, RareTier};
use super::sheet::Sheet;
use super::step::decide_rows;
use super::tally::Tally;
use super::threats::Threats;
use super::tier::{Part, kept};

/// The open boards of a block that cannot occur.
pub struct Census<'a> {
    layout: &'a LiveTiles,
    rare: &'a Rare,
    /// The block whose colourings are counted.
    own: &'a Block,
    /// The kept block without anchors.
    kept: Block,
    is_mirrored: bool,
}

/// The memory for counting.
pub struct CensusRoom {
    /// By side to move, the open boards that can occur.
    open: [Vec<u64>; 2],
    rows: Vec<u64>,
    mirror: Mirror,
}

impl CensusRoom {
    /// Room for sheets of up to this many words.
    pub fn new(words: usize) -> CensusRoom {
        CensusRoom { open: [vec![0; words], vec![0; words]], rows: vec![0; words], mirror: Mirror::new(words, 1) }
    }
}

impl<'a> Census<'a> {
    /// What counting needs for a block.
    pub fn new(layout: &'a LiveTiles, block: &'a Block, rare: &'a RareTier) -> Census<'a> {
        let (_, heights, is_mirrored) = kept(layout, Part::default(), block.heights);
        let rare = rare.get(&heights).expect("the sweep up found all blocks");
        let kept = Block::new(&layout.grid, heights, Columns::default(), Columns::default());
        Census { layout, rare, own: block, kept, is_mirrored }
    }

    /// Counts the boards of a colouring by the first plane in which they are won.
    #[inline(always)]
    pub fn count(
        &self,
        form: &Form,
        colouring: u64,
        threats: &[Threats; 2],
        planes: &[Vec<Vec<u64>>; 2],
        room: &mut CensusRoom,
        tally: &mut Tally,
    ) {
        let sheets = form.sheets.map(|sheet| sheet.map(|sheet| &self.layout.sheets[sheet]));
        find_open(&sheets, threats, room);
        self.remove_rare(&sheets, colouring, room);
        let stones = self.own.stones();
        for (side, group) in &form.order {
            let counts = tally.of(group.stones);
            let planes = &planes[*side][..self.layout.planes(Kind::Verdicts, stones + group.stones)];
            for word in group.words.clone() {
                let mut rest = room.open[*side][word];
                counts.open += u64::from(rest.count_ones());
                for (plane, won) in planes.iter().zip(&mut counts.won) {
                    *won += u64::from((plane[word] & rest).count_ones());
                    rest &= !plane[word];
                }
            }
        }
    }

    /// Removes the boards that cannot occur.
    #[inline(always)]
    fn remove_rare(&self, sheets: &[Option<&Sheet>; 2], colouring: u64, room: &mut CensusRoom) {
        let first = sheets[0].map_or(0, |sheet| sheet.words);
        for (at, bits) in self.rare.of(self.kept_colouring(colouring)) {
            let (side, at) = if at < first { (0, at) } else { (1, at - first) };
            if !self.is_mirrored {
                room.open[side][at] &= !bits;
            } else if let Some(sheet) = sheets[side] {
                room.rows.fill(0);
                room.rows[at] = bits;
                room.mirror.turn(sheet, [(0, &room.rows[..sheet.words])].into_iter());
                let turned = &room.mirror.plane(0)[..sheet.words];
                room.open[side].iter_mut().zip(turned).for_each(|(open, rare)| *open &= !rare);
            }
        }
    }

    /// The colouring of the kept block.
    #[inline(always)]
    fn kept_colouring(&self, colouring: u64) -> u64 {
        if !self.is_mirrored && self.own.digits() == self.kept.digits() {
            return colouring;
        }
        let mut columns = self.own.columns(colouring);
        if self.is_mirrored {
            columns[..self.own.count()].reverse();
        }
        self.kept.colouring(&columns)
    }
}

/// Finds the boards without a row.
#[inline(always)]
fn find_open(sheets: &[Option<&Sheet>; 2], threats: &[Threats; 2], room: &mut CensusRoom) {
    for side in [0, 1] {
        let Some(sheet) = sheets[side] else { continue };
        let open = &mut room.open[side][..sheet.words];
        open.copy_from_slice(&sheet.valid);
        for colour in [0, 1] {
            decide_rows(sheet, &threats[colour], colour, &mut room.rows);
            open.iter_mut().zip(&room.rows).for_each(|(open, row)| *open &= !row);
        }
    }
}

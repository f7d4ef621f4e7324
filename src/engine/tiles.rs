//! Live tiles: the layout for boards with gravity.
//!
//! Under gravity most ways to colour a set of stones cannot occur, because somebody had a row before. This layout keeps
//! only what can live. A board is split into its two edge columns and the inner columns between them:
//!
//! ```text
//!   edge  inner  edge
//!    .   . . . .  .      inner colouring   X  O X  X O     kept only if it has no row
//!    O   . X . .  .      sheets            for each side to move, all ways to fill both edge columns around it
//!    X   X O . X  .      tiles             those with the same two heights: a bit for each colouring of the edges
//! ```
//!
//! If rows are shorter than the board is wide, a row has at most one stone in an edge column unless it is vertical. So
//! one colouring of the inner columns decides about rows for all ways to fill the edge columns at once, and finished
//! boards need not be kept. The players take turns, so a sheet holds only boards with the right number of X.
//!
//! Tiers are the boards with the same number of inner stones. A move in an inner column leads to the tier above, into a
//! sheet of the same shape, so it is an OR or an AND of whole sheets. A move in an edge column stays with its inner
//! colouring. Of mirror images only one is kept.
//!
//! - `grid`, `block`, `tier`, `parts`: the board as columns, their colourings, which of them are live, where their records are
//! - `size`: how large parts are, before they are made
//! - `sheet`, `form`: what a record holds
//! - `threats`, `masks`, `pull`, `mirror`, `path`: rows at the edges, moves at the edges, mirror images, moves inside
//! - `reach`, `rare`: the sweep up, to find the few open boards that cannot occur
//! - `step`, `edge_moves`, `room`, `fill`: the sweep down, to find verdicts; `count`, `finished`, `beads`: what is counted on the way
//! - `lookup`: from a board to its code
//!
//! The trap: bits of boards that are over mean nothing. Ask the board first.

mod beads;
mod block;
mod count;
mod edge_moves;
mod fill;
mod finished;
mod form;
mod grid;
mod lookup;
mod masks;
mod mirror;
mod parts;
mod path;
mod pull;
mod rare;
mod reach;
mod room;
mod sheet;
mod size;
mod step;
mod threats;
mod tier;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use block::Block;
use form::Form;
use grid::{Columns, Grid};
use parts::Parts;
use pull::Pull;
use reach::Reach;
use sheet::{Colourings, Sheet};
use size::Size;
pub use tier::Tier;

use super::outside::Outside;
use super::scale::{Detail, Scale};
use super::sweep::{BorderId, Estimates, Filled, Job, Layer, Layout, Place, Spot};
use crate::board::Board;
use crate::games::Rows;
use crate::progress::Stopped;

/// The most colourings of the inner columns in a part. A file that asks for more is not ours: no computer could have made it.
const MOST_COLOURINGS: u64 = 1 << 34;

/// A row game with gravity on a board wider than its rows.
pub struct LiveTiles {
    rows: Rows,
    grid: Grid,
    detail: Detail,
    parts: Parts,
    /// What depends on the edge columns alone.
    edges: Arc<Edges>,
    /// How large each part is, once somebody asks.
    sizes: OnceLock<Arc<[Size]>>,
    /// By number of inner stones and of X among them, the form of the records, once somebody asks.
    forms: OnceLock<Vec<Arc<[Form]>>>,
}

/// What depends on the edge columns alone: how high they are, and how long a row is.
struct Edges {
    colourings: Colourings,
    /// The sheets, by surplus from the lowest.
    sheets: Vec<Sheet>,
    /// By mover and sheet, the moves in the edge columns; none if the sheet has no such moves.
    pulls: [Vec<Option<Pull>>; 2],
}

impl Edges {
    /// Made once for each height and length: it takes as long as solving a small game.
    fn of(height: usize, k: usize) -> Arc<Edges> {
        static KNOWN: Mutex<BTreeMap<(usize, usize), Arc<Edges>>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((height, k)).or_insert_with(|| Arc::new(Edges::new(height, k))).clone()
    }

    fn new(height: usize, k: usize) -> Edges {
        let most = 2 * height;
        let colourings = Colourings::new(most);
        let surpluses = -(most as i32)..=most as i32;
        let sheets: Vec<Sheet> = surpluses.map(|surplus| Sheet::new(surplus, height, k, &colourings)).collect();
        let most = sheets.windows(2).map(|both| both[0].words + both[1].words).max();
        assert!(most <= Some(1 << u8::BITS), "a byte numbers the words of both sheets of a record");
        let pulls = [0, 1].map(|mover| {
            let larger =
                |number: usize| if mover == 0 { sheets.get(number + 1) } else { sheets.get(number.wrapping_sub(1)) };
            let pull = |number: usize| Some(Pull::new(&sheets[number], larger(number)?, mover, &colourings));
            (0..sheets.len()).map(pull).collect()
        });
        Edges { colourings, sheets, pulls }
    }

    /// The words of the largest sheet.
    fn most_words(&self) -> usize {
        self.sheets.iter().map(|sheet| sheet.words).max().unwrap_or(0)
    }
}

impl LiveTiles {
    /// The layout of a row game; none if its shape does not fit.
    pub fn of(rows: &Rows, detail: Detail) -> Option<LiveTiles> {
        let grid = Grid::of(rows)?;
        let parts = Parts::new(&grid, parts::choose_anchors(&grid))?;
        Some(LiveTiles {
            rows: rows.clone(),
            edges: Edges::of(grid.height, grid.k),
            grid,
            detail,
            parts,
            sizes: OnceLock::new(),
            forms: OnceLock::new(),
        })
    }

    /// The same layout with this many anchors on each inner column; none if the anchors do not fit the board, are not the
    /// same from both sides, or make too many parts or too large ones.
    #[must_use]
    pub fn try_with_anchors(mut self, anchors: &[u8]) -> Option<LiveTiles> {
        let mut columns = Columns::default();
        columns.get_mut(..self.grid.inner).filter(|_| anchors.len() == self.grid.inner)?.copy_from_slice(anchors);
        let is_even = self.grid.mirrored(&columns) == columns;
        if !is_even || anchors.iter().any(|&anchor| usize::from(anchor) > self.grid.height) {
            return None;
        }
        let colourings = |column: usize| (2u64 << (self.grid.height - usize::from(columns[column]))) - 1;
        if (0..self.grid.inner).map(colourings).fold(1, u64::saturating_mul) > MOST_COLOURINGS {
            return None;
        }
        self.parts = Parts::new(&self.grid, columns)?;
        self.sizes = OnceLock::new();
        Some(self)
    }

    /// The anchors of each inner column.
    pub fn anchors(&self) -> Vec<u8> {
        self.parts.anchors[..self.grid.inner].to_vec()
    }

    /// The number of the sheet with a surplus; none if the edge columns are too small for that surplus.
    fn sheet_number(&self, surplus: i32) -> Option<usize> {
        let number = usize::try_from(surplus + 2 * self.grid.height as i32).ok()?;
        (number < self.edges.sheets.len()).then_some(number)
    }

    /// The sheet of a record for a side to move; none if no board has its number of X.
    #[inline(always)]
    fn sheet<'a>(&'a self, form: &Form, side: usize) -> Option<&'a Sheet> {
        let number = form.sheets[side]?;
        Some(&self.edges.sheets[number])
    }

    /// How many planes a board with this many stones has.
    fn planes(&self, stones: usize) -> usize {
        match self.detail {
            Detail::Winner => 2,
            Detail::Depth => self.grid.cells() - stones + usize::from(self.grid.is_misere),
        }
    }

    /// The form of the records with this many inner stones, by number of X among them.
    fn forms(&self, stones: usize) -> Arc<[Form]> {
        let of = |stones: usize| (0..=stones).map(|ones| Form::new(self, stones, ones)).collect();
        self.forms.get_or_init(|| (0..=self.grid.inner_cells()).map(of).collect())[stones].clone()
    }

    /// The columns of a part that a reader's moves fill up to their top anchor stone.
    fn columns_between(&self, id: BorderId) -> Vec<usize> {
        let readers = self.parts.readers(id.from);
        readers.filter(|(_, reader)| *reader == id.to).map(|(column, _)| column).collect()
    }

    fn size(&self, part: usize) -> &Size {
        if self.sizes.get().is_none() {
            // Not inside `get_or_init`: a thread that waits for others meanwhile may ask for the same sizes.
            let sizes = size::sizes(self);
            self.sizes.get_or_init(|| sizes);
        }
        &self.sizes.get().expect("the sizes are known")[part]
    }

    /// The size of a part, without what it reads: if only some parts are made, that of the others need not be known.
    fn own_size(&self, part: usize) -> Size {
        match self.sizes.get() {
            Some(sizes) => sizes[part].clone(),
            None => size::own_size(self, part),
        }
    }
}

impl Layout for LiveTiles {
    type Tier = Tier;
    /// What can occur in the part.
    type PartState = OnceLock<Reach>;

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn detail(&self) -> Detail {
        self.detail
    }

    fn parts(&self) -> usize {
        self.parts.list.len()
    }

    fn sources(&self, part: usize) -> Vec<usize> {
        self.parts.sources(part)
    }

    fn tiers(&self, part: usize) -> RangeInclusive<u32> {
        let most = |column: usize| u32::from(self.parts.most(&self.grid, part, column));
        self.parts.list[part].stones() as u32..=(0..self.grid.inner).map(most).sum()
    }

    fn tier(&self, part: usize, number: u32) -> Tier {
        Tier::new(self, part, number as usize, |_| true)
    }

    fn readers(&self, part: usize) -> Vec<usize> {
        let mut readers: Vec<usize> = self.parts.readers(part).map(|(_, reader)| reader).collect();
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    fn border_tier(&self, id: BorderId, number: u32) -> Option<Tier> {
        let columns = self.columns_between(id);
        let tier = Tier::new(self, id.from, number as usize, |block| is_read(block, &columns));
        (!tier.entries.is_empty()).then_some(tier)
    }

    fn number_read_from_others(&self, number: u32) -> u32 {
        number + 1
    }

    fn copy_border(&self, tier: &Layer<Tier>, border: &Tier, words: &mut [u64]) {
        for entry in &border.entries {
            let from = tier.tier.entry(&entry.block.heights).expect("the blocks of a border are in its tier");
            words[border.words_of(entry)].copy_from_slice(&tier.words[tier.tier.words_of(from)]);
        }
    }

    fn words(&self, tier: &Tier) -> usize {
        tier.words
    }

    fn groups(&self, tier: &Tier) -> u64 {
        tier.groups
    }

    fn group_counts(&self, _part: usize) -> Option<Vec<u64>> {
        None
    }

    fn index_bytes(&self, tier: &Tier) -> usize {
        tier.entries.iter().map(|entry| entry.live.bytes()).sum()
    }

    fn code_bits(&self, tier: &Tier) -> u32 {
        Scale::new(self.detail, (self.grid.cells() - tier.stones) as u32, self.grid.is_misere).bits()
    }

    fn fill(&self, job: &Job<'_, LiveTiles>, words: &mut [u64]) -> Result<Filled, Stopped> {
        self.fill_tier(job, words)
    }

    fn place(&self, board: Board) -> Place {
        self.place_of(board)
    }

    fn find(&self, tier: &Tier, place: &Place) -> Spot {
        self.spot(tier, place.board)
    }

    fn for_each_board(&self, tier: &Tier, group: u64, visit: &mut dyn FnMut(Board)) {
        self.visit_group(tier, group, visit);
    }
}

impl Estimates for LiveTiles {
    fn longest(&self, part: usize) -> [u64; 2] {
        self.own_size(part).longest
    }

    fn other_bytes(&self, part: usize) -> u64 {
        self.size(part).other_bytes
    }

    fn payload(&self, part: usize) -> u64 {
        self.size(part).payload
    }

    fn border(&self, id: BorderId) -> u64 {
        let borders = &self.size(id.from).borders;
        borders.iter().find(|(reader, _)| *reader == id.to).map_or(0, |(_, bytes)| *bytes)
    }

    fn work(&self, part: usize) -> u64 {
        self.own_size(part).words
    }

    fn steps(&self, part: usize) -> u64 {
        self.own_size(part).groups
    }
}

/// Its parts are small enough for memory.
impl Outside for LiveTiles {}

/// Whether a block is read by other parts.
fn is_border(block: &Block) -> bool {
    (0..block.count()).any(|column| block.fixed[column] > 0 && block.fixed[column] == block.heights[column])
}

/// Whether a block is read by a part whose moves fill the top anchor of one of these columns.
fn is_read(block: &Block, columns: &[usize]) -> bool {
    columns.iter().any(|&column| block.fixed[column] == block.heights[column])
}

#[cfg(test)]
mod tests;

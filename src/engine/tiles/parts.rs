//! Parts: a share of the boards that is made at once, from the borders of the parts that its moves lead to.
//!
//! Anchors are the lowest cells of inner columns. A part is what stands on them. Stones stay where they are, so a move
//! keeps its part or fills an anchor. Parts with all anchors filled read nothing but themselves. The others read from
//! those with one more anchor filled only the blocks in which the stone on that anchor is the top of its column: their
//! border.
//!
//! ```text
//!   anchors 1 1 1 1     part  . X . O     its moves keep the part on the second and fourth column, and lead on the
//!                                         first and third to parts  X X . O   O X . O   . X X O   . X O O
//! ```
//!
//! Parts are numbered like an odometer that turns through O, X and empty, with the anchors of the leftmost column turning
//! slowest and in each column the top anchor fastest. So a border is read soon after it is made, unless its column is one
//! of the first, and few borders wait at a time.
//!
//! Of mirrored parts one is kept. The trap: a part that is its own mirror image keeps one of two mirrored blocks.

use super::grid::{Columns, Grid};

/// The most ways to fill the anchors.
const MOST_STATES: usize = 1 << 16;

/// What stands on the anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// How many stones stand on the anchors of each column.
    pub fixed: Columns,
    /// Which of them are X.
    pub colours: Columns,
}

impl Part {
    /// The mirror image.
    pub fn mirrored(&self, grid: &Grid) -> Part {
        Part { fixed: grid.mirrored(&self.fixed), colours: grid.mirrored(&self.colours) }
    }

    /// How many stones stand on the anchors.
    pub fn stones(&self) -> usize {
        self.fixed.iter().map(|&fixed| usize::from(fixed)).sum()
    }
}

/// The parts of a game.
pub struct Parts {
    /// The anchors of each inner column, the same from both sides.
    pub anchors: Columns,
    /// The parts, in order.
    pub list: Vec<Part>,
    /// By column, then by what stands on its anchors: the rank of that.
    ranks: Vec<Vec<u32>>,
    /// By what stands on all anchors, the number of the part, or of its mirror image.
    numbers: Vec<u32>,
}

impl Parts {
    /// The parts that these anchors make; none if they are too many.
    pub fn new(grid: &Grid, anchors: Columns) -> Option<Parts> {
        if states(grid, &anchors) > MOST_STATES {
            return None;
        }
        let mut list = vec![Part { fixed: Columns::default(), colours: Columns::default() }];
        for (column, &anchors) in anchors[..grid.inner].iter().enumerate() {
            let states = (0..=anchors).flat_map(|fixed| (0..1u8 << fixed).map(move |colours| (fixed, colours)));
            let with = |part: &Part, (fixed, colours)| {
                let mut part = *part;
                (part.fixed[column], part.colours[column]) = (fixed, colours);
                part
            };
            list = states.flat_map(|state| list.iter().map(move |part| with(part, state))).collect();
        }
        let ranks = anchors[..grid.inner].iter().map(|&anchors| ranks(anchors)).collect();
        let mut parts = Parts { anchors, ranks, numbers: vec![0; list.len()], list: Vec::new() };
        list.retain(|part| parts.state(part) <= parts.state(&part.mirrored(grid)));
        list.sort_by_key(|part| parts.state(part));
        parts.list = list;
        for (number, part) in (0..).zip(&parts.list) {
            for image in [*part, part.mirrored(grid)] {
                let state = parts.state(&image);
                parts.numbers[state] = number;
            }
        }
        Some(parts)
    }

    /// The place of what stands on the anchors in the order of all parts and their mirror images.
    #[inline(always)]
    fn state(&self, part: &Part) -> usize {
        self.ranks.iter().enumerate().fold(0, |state, (column, ranks)| {
            let filling = (1usize << part.fixed[column]) - 1 + usize::from(part.colours[column]);
            state * ranks.len() + ranks[filling] as usize
        })
    }

    /// The number of a part or its mirror image.
    #[inline(always)]
    pub fn number(&self, part: &Part) -> usize {
        self.numbers[self.state(part)] as usize
    }

    /// Which part keeps a board with these stones on the anchors and these heights, which heights its block has, and
    /// whether it is kept as its mirror image.
    #[inline(always)]
    pub fn kept(&self, grid: &Grid, part: &Part, heights: &Columns) -> (usize, Columns, bool) {
        let (state, image) = (self.state(part), self.state(&part.mirrored(grid)));
        let mirrored = grid.mirrored(heights);
        let is_mirrored = image < state || image == state && mirrored < *heights;
        (self.numbers[state] as usize, if is_mirrored { mirrored } else { *heights }, is_mirrored)
    }

    /// The other parts that the moves of a part lead to, in ascending order.
    pub fn sources(&self, part: usize) -> Vec<usize> {
        let mut sources = Vec::new();
        let part = &self.list[part];
        for column in (0..self.ranks.len()).filter(|&column| part.fixed[column] < self.anchors[column]) {
            for one in [0, 1] {
                let mut next = *part;
                next.colours[column] |= one << next.fixed[column];
                next.fixed[column] += 1;
                sources.push(self.number(&next));
            }
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// For each column with a stone on its anchors, the part whose move is the top one of these.
    pub fn readers(&self, part: usize) -> impl Iterator<Item = (usize, usize)> {
        let part = self.list[part];
        (0..self.ranks.len()).filter(move |&column| part.fixed[column] > 0).map(move |column| {
            let mut reader = part;
            reader.fixed[column] -= 1;
            reader.colours[column] &= (1 << reader.fixed[column]) - 1;
            (column, self.number(&reader))
        })
    }

    /// The height that a column of a part can have at most.
    pub fn most(&self, grid: &Grid, part: usize, column: usize) -> u8 {
        let fixed = self.list[part].fixed[column];
        if fixed == self.anchors[column] { grid.height as u8 } else { fixed }
    }
}

/// The ranks of all ways to fill the anchors of a column, by the number of stones, then by their colours. Read from the
/// bottom, O comes before X, and X before an empty anchor.
fn ranks(anchors: u8) -> Vec<u32> {
    let rank = |fixed: u8, colours: u32| {
        // As many ways as there are to fill the anchors above this many stones.
        let ways = |stones: u8| (2u32 << (anchors - stones)) - 1;
        let before: u32 = (0..fixed).map(|row| (colours >> row & 1) * ways(row + 1)).sum();
        before + ways(fixed) - 1
    };
    (0..=anchors).flat_map(|fixed| (0..1 << fixed).map(move |colours| rank(fixed, colours))).collect()
}

/// With fewer inner cells than this, the whole game is small.
const FEW_CELLS: usize = 12;

/// The most inner cells without an anchor that are made at once, unless that makes too many parts.
const MOST_FREE: usize = 19;

/// More ways to fill the anchors would make too many small parts.
const ENOUGH_STATES: usize = 1 << 12;

/// Chooses anchors such that two tiers of a part are small, and there are few parts. Columns get them from the middle outwards:
/// each one anchor, then a second one as long as parts are large, and none that makes too many. They depend on the shape alone, so that the same game is always made of
/// the same parts.
pub fn choose_anchors(grid: &Grid) -> Columns {
    let mut anchors = Columns::default();
    if grid.inner_cells() < FEW_CELLS {
        return anchors;
    }
    for most_free in [0, MOST_FREE] {
        for left in (0..grid.inner.div_ceil(2)).rev() {
            let mut more = anchors;
            more[left] += 1;
            more[grid.inner - 1 - left] = more[left];
            let free = grid.inner_cells() - anchors.iter().map(|&anchor| usize::from(anchor)).sum::<usize>();
            if free > most_free && states(grid, &more) <= ENOUGH_STATES {
                anchors = more;
            }
        }
    }
    anchors
}

/// How many ways there are to fill anchors.
fn states(grid: &Grid, anchors: &Columns) -> usize {
    anchors[..grid.inner].iter().map(|&anchor| (2 << anchor) - 1).fold(1, usize::saturating_mul)
}

//! The layout `tiles`, for games with gravity whose rows are shorter than the board is wide.
//!
//! A group has the boards with the same stones on the inner columns. Its boards differ in the two edge columns:
//!
//! ```text
//!   left    inner    right
//!    .      . . . .    .
//!    X      O . . .    .        no row reaches from the left edge to the right one, so whether a board is stored
//!    O      X . O X    O        can be said for each edge alone
//! ```
//!
//! A stored board is a stored left edge beside a stored right edge, if the number of X is right.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::choose::{Choose, next_with_as_many_ones};
use super::sight::{Cells, Sight, Stones};
use super::{Part, Place};

/// The most ways to fill the inner cells of a part that are no anchors.
const MOST_COLOURINGS: u128 = 1 << 34;

/// The layout of a game.
pub struct Tiles {
    /// The rules.
    pub sight: Sight,
    choose: Choose,
    /// By inner column, how many of its lowest cells are anchors.
    anchors: Vec<u32>,
    anchor_cells: Cells,
    parts: Vec<TilesPart>,
    /// What stands on the anchors, and the part it belongs to.
    part_of: HashMap<Stones, Belongs>,
}

struct TilesPart {
    stones: Stones,
    is_own_mirror: bool,
    /// By inner column, the lowest and the highest height.
    heights: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Belongs {
    part: usize,
    is_mirrored: bool,
    is_own_mirror: bool,
}

/// A tier: its blocks, and which colours of their inner stones are free of rows.
pub struct TilesTier {
    /// The blocks in order.
    pub blocks: Vec<TilesBlock>,
    /// How many groups there are.
    pub groups: u64,
}

/// The boards with the same heights of the inner columns.
pub struct TilesBlock {
    /// The heights, four bits each, the left column highest.
    key: u64,
    /// The cells of the stones that are not anchors, in the order of the digits of their colours.
    cells: Vec<Cells>,
    /// The stones on the anchors.
    anchors: Stones,
    /// How many groups of the tier come before it.
    pub first: u64,
    /// How many groups it has.
    pub groups: u64,
    /// How many boards each of its boards stands for.
    pub weight: u64,
    /// By number of X: where the colours with that number begin among all, in the order of groups.
    starts: Vec<u64>,
    /// For all colours in the order of groups, whether there is a group.
    exists: Vec<u64>,
    /// How many groups come before each 64 of them.
    before: Vec<u32>,
}

/// What can stand in an edge column beside some inner stones, without a row.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Its colours as a binary number below a 1: different for all edges.
    pub number: usize,
    /// How many stones it has.
    pub height: u32,
    /// How many of them are X.
    pub x_count: u32,
    /// Its stones.
    pub stones: Stones,
    /// The cells on which X and O would make a row, of the edge and the inner stones.
    pub completing: Stones,
    /// Whether no such cell can be played, in this column or an inner one, or it does not matter.
    pub is_quiet: bool,
}

/// A group: its inner stones and all edges beside them, ascending by height and number.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The inner stones.
    pub inner: Stones,
    /// The left edges.
    pub left: Vec<Edge>,
    /// The right edges.
    pub right: Vec<Edge>,
}

impl Tiles {
    /// Whether a game has this layout.
    pub fn suits(sight: &Sight) -> bool {
        let inner = sight.width.saturating_sub(2);
        sight.has_gravity && sight.k < sight.width && sight.height <= 7 && inner <= 16 && inner * sight.height <= 36
    }

    /// The layout with these anchors, if they make sense and there are at most this many parts.
    pub fn new(sight: Sight, anchors: &[u32], most_parts: u64) -> Option<Tiles> {
        let is_mirrored = anchors.iter().eq(anchors.iter().rev());
        let fits = anchors.len() as u32 + 2 == sight.width && anchors.iter().all(|&count| count <= sight.height);
        if !is_mirrored || !fits {
            return None;
        }
        let fillings = anchors.iter().fold(1, |all: u128, &count| all * ((2 << count) - 1));
        let colourings = |&count: &u32| (2u128 << (sight.height - count)) - 1;
        if fillings / 2 > u128::from(most_parts) || anchors.iter().map(colourings).product::<u128>() > MOST_COLOURINGS {
            return None;
        }
        let cell = |column: usize, row: u32| 1 << ((column as u32 + 1) * sight.height + row);
        let cells = anchors.iter().enumerate().flat_map(|(column, &count)| (0..count).map(move |row| (column, row)));
        let anchor_cells = cells.map(|(column, row)| cell(column, row)).sum();
        let mut tiles = Tiles {
            choose: Choose::new(),
            anchors: anchors.to_vec(),
            anchor_cells,
            parts: Vec::new(),
            part_of: HashMap::new(),
            sight,
        };
        tiles.find_parts();
        Some(tiles)
    }

    fn find_parts(&mut self) {
        let mut all = vec![Stones::default()];
        for (column, &count) in self.anchors.iter().enumerate() {
            let start = (column as u32 + 1) * self.sight.height;
            let fillings = (0..=count).flat_map(|filled| (0..1 << filled).map(move |colours: u64| (filled, colours)));
            let columns = fillings.map(|(filled, x)| {
                let o = !x & ((1 << filled) - 1);
                Stones { x: x << start, o: o << start }
            });
            let columns: Vec<Stones> = columns.collect();
            all = all.iter().flat_map(|&stones| columns.iter().map(move |&column| stones.and(column))).collect();
        }
        // A digit for each anchor, column by column and from the bottom up: 0 for O, 1 for X, 2 if it is empty.
        let key = |stones: Stones| {
            let starts = (1..).map(|column: u32| column * self.sight.height);
            let cells = starts.zip(&self.anchors).flat_map(|(start, &count)| start..start + count);
            let digit = |cell: u32| {
                let (x, o) = (stones.x >> cell & 1, stones.o >> cell & 1);
                2 - x - 2 * o
            };
            cells.map(digit).collect::<SmallVec<[u64; 32]>>()
        };
        let mut lowest: Vec<Stones> =
            all.iter().copied().filter(|&stones| key(stones) <= key(self.mirror(stones))).collect();
        lowest.sort_by_cached_key(|&stones| key(stones));
        for (part, &stones) in lowest.iter().enumerate() {
            let mirrored = self.mirror(stones);
            let is_own_mirror = mirrored == stones;
            self.part_of.insert(mirrored, Belongs { part, is_mirrored: true, is_own_mirror });
            self.part_of.insert(stones, Belongs { part, is_mirrored: false, is_own_mirror });
            let height = |(column, &count): (usize, &u32)| {
                let filled = (stones.occupied() & self.sight.column(column as u32 + 1)).count_ones();
                (filled, if filled == count { self.sight.height } else { filled })
            };
            let heights = self.anchors.iter().enumerate().map(height).collect();
            self.parts.push(TilesPart { stones, is_own_mirror, heights });
        }
    }

    /// The board with left and right swapped.
    pub fn mirror(&self, board: Stones) -> Stones {
        let Sight { width, height, .. } = self.sight;
        let column = self.sight.column(0);
        let mirrored = |cells: Cells| {
            (0..width)
                .fold(0, |mirrored, at| mirrored | (cells >> (at * height) & column) << ((width - 1 - at) * height))
        };
        Stones { x: mirrored(board.x), o: mirrored(board.o) }
    }

    /// How many parts there are.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// A part and its tiers.
    pub fn part(&self, part: usize) -> Part {
        let heights = &self.parts[part].heights;
        let lowest: u32 = heights.iter().map(|(low, _)| low).sum();
        let highest: u32 = heights.iter().map(|(_, high)| high).sum();
        Part { tiers: lowest..highest + 1, anchor_stones: 0 }
    }

    /// A tier.
    pub fn tier(&self, part: usize, number: u32) -> TilesTier {
        let mut blocks = Vec::new();
        self.find_blocks(part, number, 0, 0, &mut blocks);
        let mut groups = 0;
        for block in &mut blocks {
            block.first = groups;
            groups += block.groups;
        }
        TilesTier { blocks, groups }
    }

    /// Finds the blocks whose first columns have the heights of `key` and which have this many further stones.
    fn find_blocks(&self, part: usize, stones: u32, column: usize, key: u64, blocks: &mut Vec<TilesBlock>) {
        let TilesPart { heights, is_own_mirror, .. } = &self.parts[part];
        if column < heights.len() {
            let (low, high) = heights[column];
            for height in low..=high.min(stones) {
                self.find_blocks(part, stones - height, column + 1, key << 4 | u64::from(height), blocks);
            }
        } else if stones == 0 {
            let mirrored = (0..heights.len()).fold(0, |mirrored, at| mirrored << 4 | key >> (4 * at) & 15);
            if !is_own_mirror || key <= mirrored {
                let weight = if *is_own_mirror && key == mirrored { 1 } else { 2 };
                blocks.push(self.block(part, key, weight));
            }
        }
    }

    fn block(&self, part: usize, key: u64, weight: u64) -> TilesBlock {
        let columns = self.anchors.len();
        let anchors = self.parts[part].stones;
        let mut cells = Vec::new();
        for column in 0..columns {
            let start = (column as u32 + 1) * self.sight.height;
            let height = (key >> (4 * (columns - 1 - column)) & 15) as u32;
            cells.extend((self.parts[part].heights[column].0..height).map(|row| 1 << (start + row)));
        }
        let digits = cells.len() as u32;
        let starts =
            (0..=digits + 1).map(|count| (0..count).map(|fewer| self.choose.of(digits, fewer)).sum()).collect();
        let exists = vec![0; (1usize << digits).div_ceil(64)];
        let (first, groups) = (0, 0);
        let mut block = TilesBlock { key, cells, anchors, first, groups, weight, starts, exists, before: Vec::new() };
        if !self.sight.has_row(anchors.x) && !self.sight.has_row(anchors.o) {
            self.find_groups(&mut block, digits as usize, 0, anchors);
        }
        for word in &block.exists {
            block.before.push(block.groups as u32);
            block.groups += u64::from(word.count_ones());
        }
        block
    }

    /// Colours the digits below `digit` in every way without a row.
    fn find_groups(&self, block: &mut TilesBlock, digit: usize, colours: u64, inner: Stones) {
        if digit == 0 {
            let surplus = inner.x.count_ones() as i32 - inner.o.count_ones() as i32;
            let most = 2 * self.sight.height as i32;
            if (-most..=most + 1).contains(&surplus) {
                let at = block.position(colours, &self.choose);
                block.exists[(at / 64) as usize] |= 1 << (at % 64);
            }
            return;
        }
        let cell = block.cells[digit - 1];
        let o = inner.o | cell;
        if !self.sight.has_row(o) {
            self.find_groups(block, digit - 1, colours, Stones { o, ..inner });
        }
        let x = inner.x | cell;
        if !self.sight.has_row(x) {
            self.find_groups(block, digit - 1, colours | 1 << (digit - 1), Stones { x, ..inner });
        }
    }

    /// Where a board is stored.
    pub fn place(&self, board: Stones) -> Place {
        let (mut key, mut mirrored, mut number) = (0, 0, 0);
        for column in 1..self.sight.width - 1 {
            let height = (board.occupied() & self.sight.column(column)).count_ones();
            key = key << 4 | u64::from(height);
            mirrored |= u64::from(height) << (4 * (column - 1));
            number += height;
        }
        let on_anchors = Stones { x: board.x & self.anchor_cells, o: board.o & self.anchor_cells };
        let Belongs { part, is_mirrored, is_own_mirror } = self.part_of[&on_anchors];
        let board = if is_mirrored || is_own_mirror && mirrored < key { self.mirror(board) } else { board };
        Place { part, number, board }
    }

    /// The block of a board in its place, and the number of its group there. None if there is no such group.
    pub fn find(&self, tier: &TilesTier, board: Stones) -> Option<(usize, u64)> {
        let columns = (1..self.sight.width - 1).map(|column| board.occupied() & self.sight.column(column));
        let key = columns.fold(0, |key, column| key << 4 | u64::from(column.count_ones()));
        let at = tier.blocks.binary_search_by_key(&key, |block| block.key).ok()?;
        let block = &tier.blocks[at];
        let colours = (0..).zip(&block.cells).map(|(digit, cell)| u64::from(board.x & cell != 0) << digit).sum();
        let position = block.position(colours, &self.choose);
        let (word, bit) = (block.exists[(position / 64) as usize], position % 64);
        let earlier = block.before[(position / 64) as usize] + (word & ((1 << bit) - 1)).count_ones();
        (word >> bit & 1 == 1).then_some((at, earlier.into()))
    }

    /// The number of the group of a board in its place. None if the tier has no such group.
    pub fn group_of(&self, tier: &TilesTier, board: Stones) -> Option<u64> {
        self.find(tier, board).map(|(block, rank)| tier.blocks[block].first + rank)
    }

    /// The inner stones of a group.
    pub fn inner(&self, tier: &TilesTier, group: u64) -> Stones {
        let block = &tier.blocks[tier.blocks.partition_point(|block| block.first + block.groups <= group)];
        let rank = (group - block.first) as u32;
        let word = block.before.partition_point(|&before| before <= rank) - 1;
        let mut rest = block.exists[word];
        for _ in block.before[word]..rank {
            rest &= rest - 1;
        }
        let at = 64 * word as u64 + u64::from(rest.trailing_zeros());
        let x_count = block.starts.partition_point(|&start| start <= at) - 1;
        let colours = self.choose.number(at - block.starts[x_count], x_count as u32);
        block.inner(colours)
    }

    /// Calls `visit` with the inner stones of all groups of a block, in order.
    pub fn for_each_inner<E>(
        &self,
        block: &TilesBlock,
        mut visit: impl FnMut(Stones) -> Result<(), E>,
    ) -> Result<(), E> {
        for x_count in 0..=block.cells.len() {
            let mut colours = (1 << x_count) - 1;
            for at in block.starts[x_count]..block.starts[x_count + 1] {
                if block.exists[(at / 64) as usize] >> (at % 64) & 1 == 1 {
                    visit(block.inner(colours))?;
                }
                colours = next_with_as_many_ones(colours);
            }
        }
        Ok(())
    }

    /// Lists the edges beside some inner stones. If `only_stored`, only those of boards that are stored.
    pub fn view(&self, inner: Stones, only_stored: bool, view: &mut View) {
        view.inner = inner;
        view.left.clear();
        view.right.clear();
        let sight = &self.sight;
        let last = sight.width - 1;
        let (left, right) = (sight.column(0), sight.column(last));
        if only_stored && !sight.is_misere {
            let completing = sight.completing(inner.x) | sight.completing(inner.o);
            if completing & sight.playable(inner.occupied()) & !left & !right != 0 {
                return;
            }
        }
        self.find_edges(inner, 0, !right, only_stored, &mut view.left);
        self.find_edges(inner, last, !left, only_stored, &mut view.right);
    }

    /// Finds what can stand in an edge column. `beside` are all columns but the other edge.
    fn find_edges(&self, inner: Stones, column: u32, beside: Cells, only_stored: bool, edges: &mut Vec<Edge>) {
        let sight = &self.sight;
        let start = column * sight.height;
        // For all sets of stones of one side in the column: the cells on which one more makes a row; none if there is a row.
        let completing = |stones: Cells| -> SmallVec<[Option<Cells>; 128]> {
            let sets = (0..1 << sight.height).map(|set: Cells| stones | set << start);
            sets.map(|stones| (!sight.has_row(stones)).then(|| sight.completing(stones))).collect()
        };
        let (of_x, of_o) = (completing(inner.x), completing(inner.o));
        for height in 0..=sight.height {
            let playable = sight.playable(inner.occupied() | ((1 << height) - 1) << start);
            for x in 0..1u64 << height {
                let o = !x & ((1 << height) - 1);
                let (Some(by_x), Some(by_o)) = (of_x[x as usize], of_o[o as usize]) else { continue };
                let is_quiet = sight.is_misere || (by_x | by_o) & playable & beside == 0;
                if is_quiet || !only_stored {
                    edges.push(Edge {
                        number: 1 << height | x as usize,
                        height,
                        x_count: x.count_ones(),
                        stones: Stones { x: x << start, o: o << start },
                        completing: Stones { x: by_x, o: by_o },
                        is_quiet,
                    });
                }
            }
        }
    }

    /// Calls `visit` with the left and the right edge of every board of a group on which the sides have taken turns, in the order
    /// of the format.
    #[inline]
    pub fn for_each_pair<E>(&self, view: &View, mut visit: impl FnMut(&Edge, &Edge) -> Result<(), E>) -> Result<(), E> {
        let height = self.sight.height;
        let (inner_count, inner_x) = (view.inner.count(), view.inner.x.count_ones());
        let start = |edges: &[Edge], height| edges.partition_point(|edge| edge.height < height);
        let starts =
            |edges: &[Edge]| (0..=height + 1).map(|height| start(edges, height)).collect::<SmallVec<[_; 10]>>();
        let (left_starts, right_starts) = (starts(&view.left), starts(&view.right));
        let of = |starts: &[usize], height: u32| starts[height as usize]..starts[height as usize + 1];
        // X is to move if the number of stones is even.
        for turn in [0, 1] {
            for edge_count in (0..=2 * height).rev().filter(|count| (inner_count + count) % 2 == turn) {
                let Some(edge_x) = (inner_count + edge_count).div_ceil(2).checked_sub(inner_x) else { continue };
                for left_height in edge_count.saturating_sub(height)..=edge_count.min(height) {
                    let left = &view.left[of(&left_starts, left_height)];
                    for right in &view.right[of(&right_starts, edge_count - left_height)] {
                        for left in left.iter().filter(|left| left.x_count + right.x_count == edge_x) {
                            visit(left, right)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The stored boards of a group, in order.
    pub fn boards(&self, inner: Stones) -> Vec<Stones> {
        let (mut view, mut boards) = (View::default(), Vec::new());
        self.view(inner, true, &mut view);
        let Ok(()) = self.for_each_pair(&view, |left, right| {
            let board = inner.and(left.stones).and(right.stones);
            if board.occupied() != self.sight.all {
                boards.push(board);
            }
            Ok::<(), std::convert::Infallible>(())
        });
        boards
    }
}

impl TilesBlock {
    /// Where some colours come among all, by number of X and then by number.
    fn position(&self, colours: u64, choose: &Choose) -> u64 {
        self.starts[colours.count_ones() as usize] + choose.rank(colours)
    }

    fn inner(&self, colours: u64) -> Stones {
        let mut inner = self.anchors;
        for (digit, cell) in self.cells.iter().enumerate() {
            *(if colours >> digit & 1 == 1 { &mut inner.x } else { &mut inner.o }) |= cell;
        }
        inner
    }

    /// The bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<TilesBlock>() + 8 * self.exists.len() + 4 * self.before.len()
    }
}

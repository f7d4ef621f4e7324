//! Sheets: all ways to fill the two edge columns around one colouring of the inner columns, for one side to move.
//!
//! The players take turns, so the inner stones and the side to move say how many more X than O the edge columns hold:
//! the surplus. It is the same for every number of edge stones, so a sheet is a matter of its surplus alone. A sheet has
//! a band for each number of edge stones, the most first; a band has a tile for each pair of heights; a tile has a bit
//! for each colouring with the right surplus.
//!
//! ```text
//!   surplus 0 on two rows      band of 4           band of 2                  band of 0
//!   tiles, as left and right   2+2                 0+2      1+1      2+0      0+0
//!   bits                       6                   2        2        2        1
//!
//!   colouring of a tile: the left stones are the low digits, from the bottom, then the right ones; 1 is X
//! ```
//!
//! Colourings are in the order of these numbers. Tiles follow one another bit by bit, and each band begins with a new
//! word. The trap: bits behind the last tile of a band mean nothing, and must be 0 wherever bits are counted.

use std::ops::Range;

/// The most words of a plane: boards with seven rows have nearly as many.
pub const MOST_WORDS: usize = 136;

/// The left edge column and the right one.
pub const EDGES: [usize; 2] = [0, 1];

/// All colourings of up to 14 stones, by their number and by the number of X among them.
pub struct Colourings {
    by_ones: Vec<Vec<Vec<u16>>>,
}

impl Colourings {
    /// The colourings of up to this many stones.
    pub fn new(most: usize) -> Colourings {
        let with = |stones: usize, ones: u32| (0..1u16 << stones).filter(move |colours| colours.count_ones() == ones);
        let all = |stones: usize| (0..=stones as u32).map(|ones| with(stones, ones).collect()).collect();
        Colourings { by_ones: (0..=most).map(all).collect() }
    }

    /// The colourings of this many stones, this many of them X, in order.
    pub fn of(&self, stones: usize, ones: usize) -> &[u16] {
        &self.by_ones[stones][ones]
    }

    /// The place of a colouring among those with the same number of X.
    pub fn rank(&self, stones: usize, colours: u16) -> usize {
        let same = self.of(stones, colours.count_ones() as usize);
        same.binary_search(&colours).expect("all colourings are listed")
    }
}

/// One pair of heights of the edge columns.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// Stones in the left and in the right edge column.
    pub heights: [usize; 2],
    /// How many of them are X.
    pub ones: usize,
    /// Its first bit in the sheet.
    pub first: usize,
    /// How many bits it has.
    pub bits: usize,
}

impl Tile {
    /// The stones of both columns.
    pub fn stones(&self) -> usize {
        self.heights[0] + self.heights[1]
    }

    /// The cells of an edge column that have a colour, the lowest first; colour 0 is X.
    pub fn column(&self, colours: u16, edge: usize, colour: usize) -> u8 {
        let low = if edge == 0 { 0 } else { self.heights[0] };
        let colours = if colour == 0 { colours } else { !colours };
        (colours >> low) as u8 & low_bits(self.heights[edge])
    }
}

/// A mask of this many low bits.
pub fn low_bits(count: usize) -> u8 {
    ((1u16 << count) - 1) as u8
}

/// The tiles with the same number of edge stones.
#[derive(Clone, Debug)]
pub struct Band {
    /// The edge stones.
    pub stones: usize,
    /// Its words in the sheet.
    pub words: Range<usize>,
}

/// The shape of a sheet.
pub struct Sheet {
    /// How many words a plane has.
    pub words: usize,
    /// The bands, the one with the most stones first.
    pub bands: Vec<Band>,
    /// The tiles, in the order of their bits.
    pub tiles: Vec<Tile>,
    /// By the heights of both edge columns, the number of the tile.
    numbers: [[u8; 8]; 8],
    /// The bits that belong to boards.
    pub valid: Vec<u64>,
    /// By edge, row and colour: where that cell has that colour.
    pub cells: [Vec<[Vec<u64>; 2]>; 2],
    /// By edge and row: where that cell is the next to be filled.
    pub next: [Vec<Vec<u64>>; 2],
    /// By colour: where a stone of that colour makes a vertical row in an edge column.
    pub vertical_next: [Vec<u64>; 2],
    /// The same by edge.
    pub vertical_next_at: [[Vec<u64>; 2]; 2],
    /// By colour: where an edge column has a vertical row.
    pub vertical: [Vec<u64>; 2],
    /// The same by edge.
    pub vertical_at: [[Vec<u64>; 2]; 2],
    /// By edge and colour: where the edge column has a vertical row without its top stone.
    pub vertical_below: [[Vec<u64>; 2]; 2],
    /// By edge and colour: where the top stone of the edge column has that colour.
    pub top: [[Vec<u64>; 2]; 2],
    /// By edge, row and colour: where that cell has that colour and is not the top.
    pub below: [Vec<[Vec<u64>; 2]>; 2],
    /// Where the edge columns mirror each other.
    pub even: Vec<u64>,
    /// For each bit, where the mirrored board has its bit.
    pub mirrored: Vec<u16>,
}

impl Sheet {
    /// The sheet of a surplus, for edge columns of this height and rows of `k`.
    pub fn new(surplus: i32, height: usize, k: usize, colourings: &Colourings) -> Sheet {
        let tiling = Tiling::new(surplus, height, colourings);
        let top_of = |tile: &Tile, edge: usize| (1u16 << tile.heights[edge] >> 1) as u8;
        let vertical_at = tiling.by_edge(&|_, _, stones| has_row(stones, k));
        let vertical_next_at = tiling
            .by_edge(&|tile, edge, stones| tile.heights[edge] < height && has_row(stones | 1 << tile.heights[edge], k));
        Sheet {
            valid: tiling.plane(&|_, _| true),
            cells: tiling.by_row(height, &|_, _, row, stones| stones >> row & 1 != 0),
            next: EDGES.map(|edge| (0..height).map(|row| tiling.plane(&|tile, _| tile.heights[edge] == row)).collect()),
            vertical_next: either(&vertical_next_at),
            vertical_next_at,
            vertical: either(&vertical_at),
            vertical_at,
            vertical_below: tiling.by_edge(&|tile, edge, stones| has_row(stones & !top_of(tile, edge), k)),
            top: tiling.by_edge(&|tile, edge, stones| stones & top_of(tile, edge) != 0),
            below: tiling
                .by_row(height, &|tile, edge, row, stones| stones >> row & 1 != 0 && tile.heights[edge] > row + 1),
            even: tiling.plane(&|tile, colours| {
                let [left, right] = EDGES.map(|edge| tile.column(colours, edge, 0));
                tile.heights[0] == tile.heights[1] && left == right
            }),
            mirrored: tiling.mirrored(),
            words: tiling.words,
            bands: tiling.bands,
            tiles: tiling.tiles,
            numbers: tiling.numbers,
        }
    }

    /// The tile with these heights, if it has boards.
    pub fn tile(&self, heights: [usize; 2]) -> Option<&Tile> {
        let number = *self.numbers.get(heights[0])?.get(heights[1])?;
        self.tiles.get(usize::from(number))
    }
}

/// The tiles of a sheet, from which its planes are made.
struct Tiling<'a> {
    colourings: &'a Colourings,
    words: usize,
    bands: Vec<Band>,
    tiles: Vec<Tile>,
    numbers: [[u8; 8]; 8],
}

impl Tiling<'_> {
    fn new(surplus: i32, height: usize, colourings: &Colourings) -> Tiling<'_> {
        let (mut words, mut bands, mut tiles, mut numbers) = (0, Vec::new(), Vec::new(), [[u8::MAX; 8]; 8]);
        let fewest = surplus.unsigned_abs() as usize;
        for stones in (fewest..=2 * height).rev().filter(|stones| stones % 2 == fewest % 2) {
            let ones = ((stones as i32 + surplus) / 2) as usize;
            let start = words;
            let mut first = 64 * start;
            for left in stones.saturating_sub(height)..=stones.min(height) {
                let tile = Tile { heights: [left, stones - left], ones, first, bits: choose(stones, ones) };
                first += tile.bits;
                numbers[left][stones - left] = tiles.len() as u8;
                tiles.push(tile);
            }
            words = first.div_ceil(64);
            bands.push(Band { stones, words: start..words });
        }
        assert!(words <= MOST_WORDS, "a sheet of {words} words");
        Tiling { colourings, words, bands, tiles, numbers }
    }

    /// The bits of boards that pass a test.
    fn plane(&self, test: &dyn Fn(&Tile, u16) -> bool) -> Vec<u64> {
        let mut plane = vec![0; self.words];
        for tile in &self.tiles {
            for (&colours, bit) in self.colourings.of(tile.stones(), tile.ones).iter().zip(tile.first..) {
                plane[bit / 64] |= u64::from(test(tile, colours)) << (bit % 64);
            }
        }
        plane
    }

    /// By edge and colour, the bits of boards that pass a test on the stones of that colour there.
    fn by_edge(&self, test: &dyn Fn(&Tile, usize, u8) -> bool) -> [[Vec<u64>; 2]; 2] {
        EDGES.map(|edge| {
            [0, 1].map(|colour| self.plane(&|tile, colours| test(tile, edge, tile.column(colours, edge, colour))))
        })
    }

    /// The same by edge, row and colour, for a test on the row, too.
    fn by_row(&self, height: usize, test: &dyn Fn(&Tile, usize, usize, u8) -> bool) -> [Vec<[Vec<u64>; 2]>; 2] {
        let rows = (0..height).map(|row| self.by_edge(&|tile, edge, stones| test(tile, edge, row, stones)));
        let (left, right) = rows.map(|[left, right]| (left, right)).unzip();
        [left, right]
    }

    /// For each bit, that of the mirrored board. Bits that belong to no board stay where they are.
    fn mirrored(&self) -> Vec<u16> {
        let mut mirrored: Vec<u16> = (0..64 * self.words as u16).collect();
        for tile in &self.tiles {
            let [left, right] = tile.heights;
            let image = self.tiles.iter().find(|image| image.heights == [right, left]);
            let image = image.expect("a sheet has the mirror images of its tiles");
            for (&colours, bit) in self.colourings.of(tile.stones(), tile.ones).iter().zip(tile.first..) {
                let turned = colours >> left | (colours & ((1 << left) - 1)) << right;
                mirrored[bit] = (image.first + self.colourings.rank(tile.stones(), turned)) as u16;
            }
        }
        mirrored
    }
}

/// By colour, the bits that planes of the left or of the right edge have.
fn either([left, right]: &[[Vec<u64>; 2]; 2]) -> [Vec<u64>; 2] {
    [0, 1].map(|colour| left[colour].iter().zip(&right[colour]).map(|(left, right)| left | right).collect())
}

/// Whether `k` of these bits follow one another.
fn has_row(bits: u8, k: usize) -> bool {
    (1..k).fold(bits, |ends, _| ends & ends >> 1) != 0
}

fn choose(many: usize, few: usize) -> usize {
    (0..few).fold(1, |ways, at| ways * (many - at) / (at + 1))
}

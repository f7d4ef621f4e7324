//! Boards with a row that can occur: taking off one stone of the side that moved last, the top of its column, leaves an
//! open board that can occur.
//!
//! If the inner stones hold no row, every row has a stone in an edge column. It is gone if that stone is taken off, or
//! one of the inner stones that belong to it. If the inner stones hold a row, only an inner stone can have been the last.

use multiversion::multiversion;

use super::LiveTiles;
use super::count::add_ones;
use super::form::Form;
use super::grid::Columns;
use super::masks::{add, add_rows, find_open, for_each_row};
use super::pull::Gather;
use super::reach::{Base, Down};
use super::sheet::EDGES;
use super::threats::Threats;
use crate::engine::counts::Tally;
use crate::engine::digits::used_bits;

/// A live colouring whose boards with a row are looked for.
pub struct Colouring<'a> {
    pub layout: &'a LiveTiles,
    pub base: &'a Base,
    pub downs: &'a [Down<'a>],
    pub form: &'a Form,
    pub colouring: u64,
    /// The inner stones of each colour.
    pub stones: &'a [Columns; 2],
    /// The threats of each colour.
    pub threats: &'a [Threats; 2],
}

/// Memory for planes.
pub struct Scratch {
    found: Vec<u64>,
    rows: Vec<u64>,
    before: Vec<u64>,
    built: Vec<u64>,
    spread: Vec<u64>,
}

impl Scratch {
    /// Room for sheets of up to this many words.
    pub fn new(words: usize) -> Scratch {
        let plane = || vec![0; words];
        Scratch { found: plane(), rows: plane(), before: plane(), built: plane(), spread: plane() }
    }
}

impl Colouring<'_> {
    /// Counts the boards of a sheet with a row that can occur, given the rows of each colour.
    #[inline(always)]
    pub fn count(
        &self,
        side: usize,
        rows: &[Vec<u64>; 2],
        room: &mut Scratch,
        counts: &mut [u64],
        gather: impl Gather,
    ) {
        let Some(sheet) = self.layout.sheet(self.form, side) else { return };
        let last = 1 - side;
        let Scratch { found, rows: own, before, built, spread } = room;
        let (found, own, before) = (&mut found[..sheet.words], &mut own[..sheet.words], &mut before[..sheet.words]);
        let mut any = 0;
        for ((own, row), other) in own.iter_mut().zip(&rows[last]).zip(&rows[side]) {
            *own = row & !other;
            any |= *own;
        }
        if any == 0 {
            return;
        }
        found.fill(0);
        let completing = self.threats[last].completing;
        for edge in EDGES {
            before.copy_from_slice(&sheet.vertical_at[1 - edge][last]);
            add(before, &sheet.vertical_below[edge][last]);
            for_each_row(completing[edge], |row| add(before, &sheet.below[edge][row][last]));
            for_each_row(completing[1 - edge], |row| add(before, &sheet.cells[1 - edge][row][last]));
            let words = found.iter_mut().zip(own.iter()).zip(before.iter()).zip(&sheet.top[edge][last]);
            if self.base.rare.has(self.colouring) {
                let Some(smaller) = self.form.sheets[last] else { continue };
                let Some(pull) = &self.layout.edges.pulls[last][smaller] else { continue };
                let smaller = &self.layout.edges.sheets[smaller];
                let (built, spread) = (&mut built[..smaller.words], &mut spread[..sheet.words]);
                built.copy_from_slice(&smaller.valid);
                self.base.remove_rare(self.layout, self.colouring, last, built);
                spread.fill(0);
                pull.spread(0..smaller.words, edge, built, spread, gather);
                for ((((found, own), before), top), built) in words.zip(spread) {
                    *found |= own & !before & top & *built;
                }
            } else {
                for (((found, own), before), top) in words {
                    *found |= own & !before & top;
                }
            }
        }
        if completing != [0; 2] {
            self.add_inner(side, found, own, before);
        }
        add_ones(counts, found);
    }

    /// Adds the boards whose row disappears if an inner stone is taken off.
    #[inline(always)]
    fn add_inner(&self, side: usize, found: &mut [u64], own: &[u64], before: &mut [u64]) {
        let Some(sheet) = self.layout.sheet(self.form, side) else { return };
        let last = 1 - side;
        let stones = self.stones[last];
        for down in self.downs.iter().filter(|down| down.colour(self.colouring) == last) {
            let mut fewer: Columns = stones;
            fewer[down.column] &= !(1 << (self.base.block.heights[down.column] - 1));
            let completing = Threats::completing(&self.layout.grid, &fewer);
            if completing != self.threats[last].completing {
                before.copy_from_slice(&sheet.vertical[last]);
                add_rows(sheet, &Threats { completing, ..Threats::default() }, last, before);
                for (before, own) in before.iter_mut().zip(own) {
                    *before = own & !*before;
                }
                down.base.remove_rare(self.layout, down.colouring(self.colouring), last, before);
                add(found, before);
            }
        }
    }
}

/// Counts the boards of a block with a row of inner stones.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
pub fn count_dead(layout: &LiveTiles, forms: &[Form], base: &Base, downs: &[Down<'_>], weight: u64, tally: &mut Tally) {
    let block = &base.block;
    let words = layout.edges.most_words();
    let (mut found, mut open, fixed) = (vec![0; words], vec![0; words], block.fixed_ones());
    let mut counts = vec![[vec![0; words], vec![0; words]]; forms.len()];
    let all = used_bits(block.digits());
    for (word, live) in base.live.iter().enumerate() {
        let mut rest = all & !live;
        while rest != 0 {
            let colouring = 64 * word as u64 + u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            let ones = fixed + colouring.count_ones() as usize;
            let mut is_empty = true;
            for down in downs {
                let before = down.colouring(colouring);
                if !down.base.is_live(before) {
                    continue;
                }
                // All rows have this stone, so it is the same colour for all columns that come this far.
                let last = down.colour(colouring);
                let Some(sheet) = layout.sheet(&forms[ones], 1 - last) else {
                    continue;
                };
                let plane = if is_empty { &mut found } else { &mut open };
                let threats = Threats::of_both(&layout.grid, &down.base.block, before);
                find_open(sheet, &threats, &mut plane[..sheet.words]);
                down.base.remove_rare(layout, before, last, plane);
                if !is_empty {
                    add(&mut found[..sheet.words], &open);
                }
                is_empty = false;
            }
            if !is_empty {
                let last = downs.iter().find(|down| down.base.is_live(down.colouring(colouring)));
                let side = 1 - last.map_or(0, |down| down.colour(colouring));
                let words = layout.sheet(&forms[ones], side).map_or(0, |sheet| sheet.words);
                add_ones(&mut counts[ones][side], &found[..words]);
            }
        }
    }
    for (form, counts) in forms.iter().zip(&counts) {
        for (side, band) in &form.order {
            let count = weight * counts[*side][band.words.clone()].iter().sum::<u64>();
            let counts = tally.of((block.stones() + band.stones) as u32);
            counts.boards += count;
            counts.rows += count;
        }
    }
}

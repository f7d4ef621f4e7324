//! The sweep up: from the empty board, by inner stones, the boards that can occur.
//!
//! A board can occur if taking off the last stone leaves an open board that can occur. For the inner columns these are
//! records with a stone less, for the edge columns smaller groups of the other sheet. A dead colouring has no record,
//! but its boards are counted: the last stone made the row, so only inner stones can have been the last.

use rayon::prelude::*;

use super::LiveTiles;
use super::form::Kind;
use super::grid::Columns;
use super::mirror::Mirror;
use super::path::Path;
use super::sheet::low_bits;
use super::step::decide_rows;
use super::sweep::{Task, tasks};
use super::tally::Tally;
use super::threats::Threats;
use super::tier::{Entry, Layer, Part, Tier};
use crate::engine::memory::Words;

/// Finds the open boards that can occur, and counts all that can.
pub fn reach(layout: &LiveTiles) -> (Vec<Layer>, Vec<Tally>) {
    let (mut layers, mut tallies) = (Vec::<Layer>::new(), Vec::new());
    for stones in 0..=layout.grid.inner_cells() {
        let tier = Tier::new(layout, Kind::Open, &Part::default(), stones);
        let mut records = Words::new(tier.words);
        let below = layers.last();
        let counted = tasks(&tier, &mut records).into_par_iter().map(|task| {
            let step = Step::new(layout, &tier, &tier.entries[task.entry], below);
            (task.entry, step.fill(task))
        });
        let tally = counted.fold(
            || Tally::new(layout),
            |mut sum, (entry, more)| {
                sum.add(&more, tier.entries[entry].weight);
                sum
            },
        );
        let sum = |mut a: Tally, b: Tally| {
            a.add(&b, 1);
            a
        };
        let mut total = tally.reduce(|| Tally::new(layout), sum);
        let dead = tier.entries.par_iter().map(|entry| {
            let mut tally = Tally::new(layout);
            tally.add(&Step::new(layout, &tier, entry, below).count_dead(), entry.weight);
            tally
        });
        total.add(&dead.reduce(|| Tally::new(layout), sum), 1);
        tallies.push(total);
        layers.push(Layer { tier, records });
    }
    (layers, tallies)
}

struct Step<'a> {
    layout: &'a LiveTiles,
    tier: &'a Tier,
    entry: &'a Entry,
    /// By column, where taking off its top stone leads.
    paths: Vec<Option<Path<'a>>>,
}

impl<'a> Step<'a> {
    fn new(layout: &'a LiveTiles, tier: &'a Tier, entry: &'a Entry, below: Option<&'a Layer>) -> Step<'a> {
        let path = |column| Path::down(layout, &entry.block, column, below?);
        Step { layout, tier, entry, paths: (0..layout.grid.inner).map(path).collect() }
    }

    /// Fills the records of some colourings, and counts their boards.
    fn fill(&self, task: Task<'_>) -> Tally {
        let form = &self.tier.forms[task.ones];
        let mut tally = Tally::new(self.layout);
        let most = self.layout.sheets.iter().map(|sheet| sheet.words).max().unwrap_or(0);
        let (mut planes, mut rows, mut mirror) = ([vec![0; most], vec![0; most]], vec![0; most], Mirror::new(most));
        let colourings = task.words.clone().flat_map(|word| self.entry.live.in_word(word, task.ones));
        for (colouring, record) in colourings.zip(task.records.chunks_exact_mut(form.words)) {
            self.add_inner(colouring, task.ones, &mut planes, &mut mirror);
            self.add_edges(colouring, task.ones, &mut planes, &mut rows, &mut tally);
            for side in [0, 1] {
                for (plane, sheet) in form.planes[side].iter().zip(form.sheets[side]) {
                    let words = self.layout.sheets[sheet].words;
                    record[plane.at..plane.at + words].copy_from_slice(&planes[side][..words]);
                }
            }
        }
        tally
    }

    /// The boards whose last stone can be in an inner column.
    fn add_inner(&self, colouring: u64, ones: usize, planes: &mut [Vec<u64>; 2], mirror: &mut Mirror) {
        planes.iter_mut().for_each(|plane| plane.fill(0));
        if self.tier.stones == 0 {
            // The empty board: the last bit of its sheet.
            let sheet = &self.layout.sheets[self.layout.sheet_number(0).expect("surplus 0 has a sheet")];
            planes[0][sheet.words - 1] = 1;
        }
        let columns = self.entry.block.columns(colouring);
        for (column, path) in self.paths.iter().enumerate() {
            let Some(path) = path else { continue };
            let Some(record) = path.record(colouring, ones) else { continue };
            // The colour of the top stone is that of the player who moved last.
            let last = usize::from(columns[column] >> (self.entry.block.heights[column] - 1) & 1 == 0);
            let (Some(plane), Some(sheet)) = (record.form.planes[last].first(), record.form.sheets[last]) else {
                continue;
            };
            let sheet = &self.layout.sheets[sheet];
            let stored = &record.words[plane.at..plane.at + sheet.words];
            let stored = if path.is_mirrored { mirror.turn(sheet, 0, stored) } else { stored };
            planes[1 - last].iter_mut().zip(stored).for_each(|(word, more)| *word |= more);
        }
    }

    /// Adds the boards whose last stone can be in an edge column, from the fewest edge stones up; counts boards; removes
    /// those with a row.
    fn add_edges(&self, colouring: u64, ones: usize, planes: &mut [Vec<u64>; 2], rows: &mut [u64], tally: &mut Tally) {
        let form = &self.tier.forms[ones];
        let heights = &self.entry.block.heights;
        let first = self.entry.block.columns(colouring);
        let second: Columns = std::array::from_fn(|column| !first[column] & low_bits(heights[column].into()));
        let threats = [first, second].map(|stones| Threats::new(&self.layout.grid, &stones, heights));
        for (side, group) in form.order.iter().rev() {
            let (side, last) = (*side, 1 - side);
            let number = form.sheets[side].expect("a sheet with groups");
            decide_rows(&self.layout.sheets[number], &threats[last], last, rows);
            let counts = tally.of(group.stones);
            for word in group.words.clone() {
                let all = planes[side][word].count_ones();
                planes[side][word] &= !rows[word];
                let open = planes[side][word].count_ones();
                counts.boards += u64::from(all);
                counts.rows += u64::from(all - open);
            }
            let [first, second] = planes;
            let (own, other) = if side == 0 { (first, second) } else { (second, first) };
            if let Some(pull) = &self.layout.pulls[side][number] {
                pull.spread(group.words.clone(), own, other);
            }
        }
    }

    /// Counts the boards of dead colourings.
    fn count_dead(&self) -> Tally {
        let mut tally = Tally::new(self.layout);
        let most = self.layout.sheets.iter().map(|sheet| sheet.words).max().unwrap_or(0);
        let (mut planes, mut mirror) = ([vec![0; most], vec![0; most]], Mirror::new(most));
        for word in 0..self.entry.live.words() {
            let mut rest = self.entry.live.dead_in_word(word, self.entry.block.digits());
            while rest != 0 {
                let colouring = 64 * word as u64 + u64::from(rest.trailing_zeros());
                rest &= rest - 1;
                let ones = colouring.count_ones() as usize;
                self.add_inner(colouring, ones, &mut planes, &mut mirror);
                for (side, group) in &self.tier.forms[ones].order {
                    let boards = planes[*side][group.words.clone()].iter().map(|word| u64::from(word.count_ones()));
                    let boards: u64 = boards.sum();
                    tally.of(group.stones).boards += boards;
                    tally.of(group.stones).rows += boards;
                }
            }
        }
        tally
    }
}

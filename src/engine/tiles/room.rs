//! The room for working on records: the planes of one, what is counted and packed of them, and how.

use super::beads::{Inner, Winning};
use super::count::Counters;
use super::finished::{Colouring, Scratch};
use super::form::Form;
use super::grid::{Columns, MOST_COLUMNS};
use super::masks::{add, find_rows, keep, keep_quiet, remove};
use super::mirror::Mirror;
use super::pull::Gather;
use super::sheet::Sheet;
use super::step::{Counting, InnerMove, Moves, Step};
use super::threats::Threats;
use crate::engine::counts::Tally;
use crate::engine::pack::Groups;
use crate::engine::scale::Detail;

/// The memory for working on records, one after the other, and what was counted of them.
pub struct Room {
    /// By side to move, whole planes.
    pub planes: [Vec<Vec<u64>>; 2],
    /// By side to move, what is decided at sight.
    pub decided: [Vec<u64>; 2],
    /// Records whose mirror images were stored; by side and column, if they are needed again.
    pub mirrors: Vec<Mirror>,
    /// The inner stones and the threats of both sides.
    pub stones: [Columns; 2],
    pub threats: [Threats; 2],
    /// By colour, whether an inner stone makes a row of inner stones.
    pub wins_inside: [bool; 2],
    /// By colour, the rows of a sheet.
    pub rows: [Vec<u64>; 2],
    /// By side to move, the boards without a row.
    pub open: [Vec<u64>; 2],
    /// By side to move, the open boards that can occur.
    pub occurring: [Vec<u64>; 2],
    /// By side to move, those of them that are boxes and have no move that wins at once.
    pub calm: [Vec<u64>; 2],
    /// The stored boards of both sheets, one after the other.
    pub stored: Vec<u64>,
    /// The planes of their codes.
    pub codes: Vec<Vec<u64>>,
    /// What is counted of a segment, and of its boards that are their own mirror images. Beads of the latter are those in the
    /// middle column.
    pub counters: Counters,
    even: Counters,
    /// The sums over segments.
    pub tally: Tally,
    pub even_tally: Tally,
    pub plane: Vec<u64>,
    /// The boards of a plane that no plane before it has.
    pub new: Vec<u64>,
    pub scratch: Scratch,
}

impl Room {
    /// Room for all colourings of the tier of a step.
    pub fn new(step: &Step<'_>) -> Room {
        let forms = step.tier.forms.iter().filter(|form| form.has_boards());
        let count = forms.flat_map(|form| &form.planes).map(Vec::len).max().unwrap_or(0).max(2);
        let words = step.layout.edges.most_words();
        let planes = [0, 1].map(|_| vec![vec![0; words]; count]);
        let mirrors = if step.counting.is_some() { 2 * step.paths.len() } else { 1 };
        let both = || [vec![0; words], vec![0; words]];
        Room {
            planes,
            decided: both(),
            mirrors: (0..mirrors).map(|_| Mirror::new(words, count + 1)).collect(),
            stones: Default::default(),
            threats: Default::default(),
            wins_inside: [false; 2],
            rows: both(),
            open: both(),
            occurring: both(),
            calm: both(),
            stored: vec![0; 2 * words],
            codes: vec![vec![0; 2 * words]; step.code_bits as usize],
            counters: Counters::new(count, words),
            even: Counters::new(count, words),
            tally: step.layout.no_tally(),
            even_tally: step.layout.no_tally(),
            plane: vec![0; words],
            new: vec![0; words],
            scratch: Scratch::new(words),
        }
    }

    /// The side to move wins on all boards.
    #[inline(always)]
    pub fn win_all(&mut self, side: usize, sheet: &Sheet, form: &Form) {
        let count = form.planes[side].len().max(2);
        for (number, plane) in self.planes[side][..count].iter_mut().enumerate() {
            let plane = &mut plane[..sheet.words];
            if number % 2 == 0 { plane.copy_from_slice(&sheet.valid) } else { plane.fill(0) }
        }
    }

    /// Only what is decided at sight is won; where it is not, all moves so far lose.
    #[inline(always)]
    pub fn start(&mut self, sheet: &Sheet, form: &Form, side: usize) {
        let count = form.planes[side].len().max(2);
        for (number, plane) in self.planes[side][..count].iter_mut().enumerate() {
            let (plane, decided) = (&mut plane[..sheet.words], &self.decided[side][..sheet.words]);
            if number % 2 == 0 {
                plane.copy_from_slice(decided);
            } else {
                plane.copy_from_slice(&sheet.valid);
                remove(plane, decided);
            }
        }
    }

    /// Writes a record. In borders, boards on which the game is over have no bits, so that they are compressed better.
    #[inline(always)]
    pub fn store(&self, step: &Step<'_>, ones: usize, record: &mut [u64]) {
        let form = &step.tier.forms[ones];
        for side in [0, 1] {
            let Some(sheet) = step.layout.sheet(form, side) else { continue };
            let words = sheet.words;
            let is_cleared = step.is_cleared && !self.wins_inside[side];
            for (plane, words_of) in form.planes[side].iter().zip(&self.planes[side]) {
                let record = &mut record[plane.at..plane.at + words - plane.skip];
                record.copy_from_slice(&words_of[plane.skip..words]);
                if is_cleared {
                    keep(record, &self.open[side][plane.skip..words]);
                }
            }
        }
    }

    /// Finds the open boards of a sheet, those that can occur, and those that are stored, and counts the boards with a
    /// row.
    #[inline(always)]
    pub fn find_occurring(
        &mut self,
        step: &Step<'_>,
        counting: &Counting<'_>,
        form: &Form,
        colouring: u64,
        side: usize,
        gather: impl Gather,
    ) {
        let (layout, Counting { base, downs, .. }) = (step.layout, counting);
        let Some(sheet) = layout.sheet(form, side) else { return };
        let start = if side == 0 { 0 } else { layout.sheet(form, 0).map_or(0, |first| first.words) };
        for colour in [0, 1] {
            find_rows(sheet, &self.threats[colour], colour, &mut self.rows[colour]);
        }
        let (occurring, calm) = (&mut self.occurring[side][..sheet.words], &mut self.calm[side][..sheet.words]);
        occurring.copy_from_slice(&sheet.valid);
        for rows in &self.rows {
            remove(occurring, rows);
        }
        self.open[side][..sheet.words].copy_from_slice(occurring);
        if layout.grid.is_misere || self.wins_inside == [false; 2] {
            let stored = &mut self.stored[start..start + sheet.words];
            stored.copy_from_slice(occurring);
            if !layout.grid.is_misere {
                keep_quiet(sheet, &self.threats, &mut self.plane, stored);
            }
            stored[..form.full_words[side]].fill(0);
        }
        base.remove_rare(layout, colouring, side, occurring);
        if self.wins_inside[side] {
            calm.fill(0);
        } else {
            calm.copy_from_slice(occurring);
            if !layout.grid.is_misere {
                remove(calm, &self.decided[side]);
            }
        }
        calm[..form.full_words[side]].fill(0);
        let (stones, threats) = (&self.stones, &self.threats);
        let colouring = Colouring { layout, base, downs, form, colouring, stones, threats };
        let finished = &mut self.counters.of(side).finished;
        colouring.count(side, &self.rows, &mut self.scratch, finished, gather);
    }

    /// Counts the open boards of a sheet and their beads.
    #[inline(always)]
    pub fn count<'a>(
        &mut self,
        step: &Step<'a>,
        counting: &Counting<'a>,
        form: &Form,
        colouring: u64,
        moves: &Moves<'a>,
        side: usize,
    ) {
        let layout = step.layout;
        let Some(sheet) = layout.sheet(form, side) else { return };
        let occurring = &mut self.occurring[side][..sheet.words];
        let counter = self.counters.of(side);
        counter.count(form, side, occurring, &self.planes[side], &mut self.plane);
        occurring[..form.full_words[side]].fill(0);
        let mut columns = [None; MOST_COLUMNS];
        for (column, paths) in step.paths.iter().enumerate() {
            let Some(path) = &paths[side] else { continue };
            let is_row = || path.record(colouring, step.entry.block.ones(colouring)).is_none();
            columns[column] = Some(self.wins_inside[side] && is_row());
        }
        let winning = Winning {
            layout,
            sheet,
            heights: &step.entry.block.heights,
            stones: &self.stones[side],
            side,
            threats: &self.threats[side],
            inner: &columns[..step.paths.len()],
        };
        if !layout.grid.is_misere {
            winning.count(occurring, &mut self.plane, counter);
        }
        let planes = &self.planes[side];
        let calm = &mut self.calm[side][..sheet.words];
        let (aim, inner_stones) = (counting.census.aim, step.tier.stones);
        let leads = |inner: &InnerMove<'a>| {
            let mirror = inner.mirror.map(|mirror| &self.mirrors[mirror]);
            Inner { layout, sheet, inner_stones, aim, record: inner.record, mirror, side }
        };
        // Not with `for_each`: see `vector`.
        if let Some(moves) = &moves[side] {
            for inner in moves {
                leads(inner).count(calm, planes, &mut counter.beads);
            }
        }
        if !counting.census.symmetry || step.entry.weight != 1 || !step.entry.block.is_even(colouring) {
            return;
        }
        // Of these boards, those that are their own mirror images.
        for plane in [&mut *occurring, &mut *calm] {
            keep(plane, &sheet.even);
        }
        let counter = self.even.of(side);
        counter.count(form, side, occurring, planes, &mut self.plane);
        let Some(middle) = (step.paths.len() % 2 == 1).then_some(step.paths.len() / 2) else { return };
        if !layout.grid.is_misere {
            winning.count_inner(middle, occurring, &mut self.plane, counter);
        }
        if let Some(inner) = moves[side].iter().flatten().find(|inner| inner.column == middle) {
            leads(inner).count(calm, planes, &mut counter.beads);
        }
    }

    /// Adds what was counted of a segment to the sums.
    pub fn end_segment(&mut self, step: &Step<'_>, form: &Form) {
        let (layout, stones) = (step.layout, step.tier.stones);
        self.counters.move_to(layout, form, stones, step.entry.weight, &mut self.tally);
        self.even.move_to(layout, form, stones, 1, &mut self.even_tally);
    }

    /// Packs the codes of the boards that are stored.
    #[inline(always)]
    pub fn pack(&mut self, step: &Step<'_>, form: &Form, groups: &mut Groups, gather: impl Gather) {
        if !step.layout.grid.is_misere && self.wins_inside != [false; 2] {
            return groups.counts.push(0);
        }
        let mut start = 0;
        for side in [0, 1] {
            let Some(words) = step.layout.sheet(form, side).map(|sheet| sheet.words) else { continue };
            match step.layout.detail {
                Detail::Winner => {
                    for (codes, plane) in self.codes.iter_mut().zip(&self.planes[side]) {
                        codes[start..start + words].copy_from_slice(&plane[..words]);
                    }
                }
                Detail::Depth => self.find_depths(step, form, side, start, words),
            }
            start += words;
        }
        gather.push(groups, &self.stored[..start], &self.codes);
    }

    /// Writes the depths of a sheet in binary.
    #[inline(always)]
    pub fn find_depths(&mut self, step: &Step<'_>, form: &Form, side: usize, start: usize, words: usize) {
        for codes in &mut self.codes {
            codes[start..start + words].fill(0);
        }
        let (rest, new) = (&mut self.plane[..words], &mut self.new[..words]);
        rest.copy_from_slice(&self.stored[start..start + words]);
        for (number, (plane, form)) in self.planes[side].iter().zip(&form.planes[side]).enumerate() {
            let code = step.layout.code(number);
            let (rest, new) = (&mut rest[form.skip..], &mut new[form.skip..]);
            new.copy_from_slice(rest);
            keep(new, &plane[form.skip..words]);
            remove(rest, new);
            for (digit, codes) in self.codes.iter_mut().enumerate() {
                if code >> digit & 1 != 0 {
                    add(&mut codes[start + form.skip..start + words], new);
                }
            }
        }
    }
}

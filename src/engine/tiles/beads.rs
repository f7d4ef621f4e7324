//! Beads: how many moves stay in the boxes of a sheet.
//!
//! If some moves win at once, only these stay. Else no move stays that lets the other side win; and if the aim is to win
//! and the board is won, only those stay that keep it won, or that win soonest. Each move leads to a plane of boards, so
//! the beads are the ones of such planes, under a mask of boxes.

use super::LiveTiles;
use super::count::{Counter, add_ones, add_shared};
use super::grid::Columns;
use super::masks::{add, for_each_row};
use super::mirror::Mirror;
use super::path::Record;
use super::sheet::{Band, EDGES, Sheet};
use super::threats::Threats;
use crate::aim::Aim;
use crate::engine::scale::Detail;

/// Which moves stay on a word of boards on which no move wins at once: `won` says where the side to move wins, `lost`
/// where a move leads to a board that is lost for the other side, `bad` where it leads to one that it wins or there is
/// no such move.
#[inline(always)]
pub fn kept(aim: Aim, won: u64, lost: u64, bad: u64) -> u64 {
    if aim == Aim::Safe { !bad } else { won & lost | !won & !bad }
}

/// The moves in one inner column.
pub struct Inner<'a> {
    pub layout: &'a LiveTiles,
    pub sheet: &'a Sheet,
    pub inner_stones: usize,
    pub aim: Aim,
    /// The records that they lead to.
    pub record: Record<'a>,
    /// These records turned, if their mirror images were stored.
    pub mirror: Option<&'a Mirror>,
    /// The side that moves.
    pub side: usize,
}

impl Inner<'_> {
    /// A plane of the boards that the moves lead to, for the side to move there, and how many words it leaves out.
    #[inline(always)]
    fn plane(&self, number: usize) -> (usize, &[u64]) {
        let plane = self.record.form.planes[1 - self.side][number];
        let words = match self.mirror {
            Some(mirror) => &mirror.plane(number)[plane.skip..self.sheet.words],
            None => &self.record.words[plane.at..][..self.sheet.words - plane.skip],
        };
        (plane.skip, words)
    }

    /// The words of a band in such a plane.
    #[inline(always)]
    fn band(&self, band: &Band, number: usize) -> &[u64] {
        let (skip, plane) = self.plane(number);
        &plane[band.words.start - skip..band.words.end - skip]
    }

    /// Counts the moves that stay on boards on which no move wins at once.
    #[inline(always)]
    pub fn count(&self, calm: &[u64], own: &[Vec<u64>], beads: &mut [u64]) {
        if self.layout.detail == Detail::Winner {
            // By index: see `vector`.
            let words = self.sheet.words;
            let (wins, loses) = (&self.plane(0).1[..words], &self.plane(1).1[..words]);
            let (beads, calm, won) = (&mut beads[..words], &calm[..words], &own[0][..words]);
            for word in 0..words {
                beads[word] +=
                    u64::from((calm[word] & kept(self.aim, won[word], loses[word], wins[word])).count_ones());
            }
            return;
        }
        for band in &self.sheet.bands {
            let planes = self.layout.planes(self.inner_stones + band.stones);
            let words = || band.words.clone();
            if planes == 0 || calm[words()].iter().all(|word| *word == 0) {
                continue;
            }
            let beads = &mut beads[words()];
            let calm = &calm[words()];
            for number in winning_planes(self.aim, planes) {
                let (next, won) = (self.band(band, number - 1), &own[number][words()]);
                let sooner = (self.aim != Aim::Win).then(|| &own[number - 2][words()]);
                for word in 0..beads.len() {
                    let won = won[word] & !sooner.map_or(0, |sooner| sooner[word]);
                    beads[word] += u64::from((calm[word] & won & next[word]).count_ones());
                }
            }
            let won = &own[(planes - 1) & !1][words()];
            let Some(lost) = last_odd(planes) else {
                for word in 0..beads.len() {
                    beads[word] += u64::from(not_won(self.aim, calm[word], won[word]).count_ones());
                }
                continue;
            };
            let next = self.band(band, lost - 1);
            for word in 0..beads.len() {
                beads[word] += u64::from((not_won(self.aim, calm[word], won[word]) & !next[word]).count_ones());
            }
        }
    }
}

/// Of a word of boards, those whose moves stay if they do not lose: with the aim to win, only those that are not won.
#[inline(always)]
pub fn not_won(aim: Aim, boards: u64, won: u64) -> u64 {
    if aim == Aim::Safe { boards } else { boards & !won }
}

/// The planes of won boards that are compared with what moves lead to, given how many planes there are.
#[inline(always)]
pub fn winning_planes(aim: Aim, planes: usize) -> impl Iterator<Item = usize> {
    let last = (planes - 1) & !1;
    let first = match aim {
        Aim::Safe => last + 2,
        Aim::Win => last.max(2),
        Aim::Fastest | Aim::Trap => 2,
    };
    (first..=last).step_by(2)
}

/// The last plane of lost boards, given how many planes there are.
#[inline(always)]
pub fn last_odd(planes: usize) -> Option<usize> {
    (planes >= 2).then(|| (planes - 2) | 1)
}

/// Moves that win at once.
pub struct Winning<'a> {
    pub layout: &'a LiveTiles,
    pub sheet: &'a Sheet,
    /// The heights of the inner columns, and the stones of the side to move there.
    pub heights: &'a Columns,
    pub stones: &'a Columns,
    pub side: usize,
    pub threats: &'a Threats,
    /// By inner column, whether a stone there makes a row of inner stones; none if it is full.
    pub inner: &'a [Option<bool>],
}

impl Winning<'_> {
    /// Counts the moves in all columns.
    #[inline(always)]
    pub fn count(&self, boxes: &[u64], scratch: &mut [u64], counter: &mut Counter) {
        for column in 0..self.inner.len() {
            self.count_inner(column, boxes, scratch, counter);
        }
        let scratch = &mut scratch[..self.sheet.words];
        for edge in EDGES {
            scratch.copy_from_slice(&self.sheet.vertical_next_at[edge][self.side]);
            for_each_row(self.threats.completing[edge], |row| add(scratch, &self.sheet.next[edge][row]));
            add_shared(&mut counter.beads, boxes, scratch);
        }
    }

    /// Counts the moves in one inner column.
    #[inline(always)]
    pub fn count_inner(&self, column: usize, boxes: &[u64], scratch: &mut [u64], counter: &mut Counter) {
        match self.inner[column] {
            None => {}
            Some(true) => add_ones(&mut counter.beads, boxes),
            Some(false) if self.threats.short == [0; 2] => {}
            Some(false) => {
                let short = self.threats.short_at(&self.layout.grid, self.stones, self.heights, column);
                if short != [0; 2] {
                    let scratch = &mut scratch[..self.sheet.words];
                    scratch.fill(0);
                    for edge in EDGES {
                        for_each_row(short[edge], |row| add(scratch, &self.sheet.cells[edge][row][self.side]));
                    }
                    add_shared(&mut counter.beads, boxes, scratch);
                }
            }
        }
    }
}

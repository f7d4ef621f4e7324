//! Masks: which boards of a sheet are open, and which are stored.
//!
//! All of them follow from the threats of the inner stones and from planes that were prepared for the sheet.

use super::sheet::{EDGES, Sheet};
use super::threats::Threats;

/// The boards on which a colour could win at once with a row that has a stone in an edge column.
#[inline(always)]
pub fn find_wins(sheet: &Sheet, threats: &Threats, colour: usize, wins: &mut [u64]) {
    wins[..sheet.words].copy_from_slice(&sheet.vertical_next[colour]);
    add_wins(sheet, threats, colour, wins);
}

/// The boards on which a colour has a row with a stone in an edge column.
#[inline(always)]
pub fn find_rows(sheet: &Sheet, threats: &Threats, colour: usize, rows: &mut [u64]) {
    rows[..sheet.words].copy_from_slice(&sheet.vertical[colour]);
    add_rows(sheet, threats, colour, rows);
}

/// Adds the boards on which a colour has a row that is not vertical.
#[inline(always)]
pub fn add_rows(sheet: &Sheet, threats: &Threats, colour: usize, rows: &mut [u64]) {
    for edge in EDGES {
        for_each_row(threats.completing[edge], |row| add(rows, &sheet.cells[edge][row][colour]));
    }
}

/// Adds the boards on which a colour could win at once by a row that is not vertical.
#[inline(always)]
fn add_wins(sheet: &Sheet, threats: &Threats, colour: usize, wins: &mut [u64]) {
    for edge in EDGES {
        for_each_row(threats.completing[edge], |row| add(wins, &sheet.next[edge][row]));
        for_each_row(threats.short[edge], |row| add(wins, &sheet.cells[edge][row][colour]));
    }
}

/// The boards without a row.
#[inline(always)]
pub fn find_open(sheet: &Sheet, threats: &[Threats; 2], open: &mut [u64]) {
    find_rows(sheet, &threats[0], 0, open);
    add(open, &sheet.vertical[1]);
    add_rows(sheet, &threats[1], 1, open);
    for (open, valid) in open.iter_mut().zip(&sheet.valid) {
        *open = valid & !*open;
    }
}

/// Of the open boards, those on which nobody can win at once by a row with a stone in an edge column.
#[inline(always)]
pub fn keep_quiet(sheet: &Sheet, threats: &[Threats; 2], wins: &mut [u64], open: &mut [u64]) {
    find_wins(sheet, &threats[0], 0, wins);
    add(wins, &sheet.vertical_next[1]);
    add_wins(sheet, &threats[1], 1, wins);
    remove(open, wins);
}

#[inline(always)]
pub fn for_each_row(rows: u8, mut visit: impl FnMut(usize)) {
    let mut rest = rows;
    while rest != 0 {
        visit(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// Adds the bits of another plane.
#[inline(always)]
pub fn add(plane: &mut [u64], more: &[u64]) {
    combine(plane, more, |word, more| word | more);
}

/// Keeps only the bits that another plane has, too.
#[inline(always)]
pub fn keep(plane: &mut [u64], other: &[u64]) {
    combine(plane, other, |word, other| word & other);
}

/// Removes the bits that another plane has.
#[inline(always)]
pub fn remove(plane: &mut [u64], other: &[u64]) {
    combine(plane, other, |word, other| word & !other);
}

/// Combines the words of two planes. Most planes have some ten words, too few for the long steps that a compiler would take.
#[inline(always)]
pub fn combine(plane: &mut [u64], other: &[u64], both: impl Fn(u64, u64) -> u64) {
    let length = plane.len().min(other.len());
    let (fours, rest) = plane[..length].as_chunks_mut::<4>();
    let (other_fours, other_rest) = other[..length].as_chunks::<4>();
    for (words, others) in fours.iter_mut().zip(other_fours) {
        for (word, other) in words.iter_mut().zip(others) {
            *word = both(*word, *other);
        }
    }
    for (word, other) in rest.iter_mut().zip(other_rest) {
        *word = both(*word, *other);
    }
}

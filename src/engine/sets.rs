//! All boards of a row game, one after the other, whether they can occur or not: the sets of cells that can be occupied, and
//! the ways to colour their stones.

use crate::board::Mask;
use crate::game::Game;
use crate::games::Rows;

/// How many of this many stones are X.
pub fn ones(stones: u32) -> u32 {
    stones.div_ceil(2)
}

/// The sets of this many cells that can be occupied.
///
/// A set is seen as columns filled to some height. With gravity these are the columns of the board; without, every cell is
/// a column of its own, filled or not.
pub fn sets(rows: &Rows, stones: u32) -> Vec<Mask> {
    let (width, cells) = (usize::from(rows.shape().width()), u32::from(rows.shape().cells()));
    let masks = || (0..cells).map(|at| 1 << at);
    let columns: Vec<Vec<Mask>> = if rows.has_gravity() {
        (0..width).map(|column| masks().skip(column).step_by(width).collect()).collect()
    } else {
        masks().map(|cell| vec![cell]).collect()
    };
    let mut sets = Vec::new();
    fill(&columns, stones as usize, 0, &mut sets);
    sets
}

/// All ways to fill some columns with this many stones, each together with the cells that are already filled.
fn fill(columns: &[Vec<Mask>], stones: usize, mut filled: Mask, sets: &mut Vec<Mask>) {
    let Some((column, others)) = columns.split_last() else {
        return if stones == 0 {
            sets.push(filled)
        };
    };
    let room: usize = others.iter().map(Vec::len).sum();
    for height in 0..=column.len().min(stones) {
        if stones - height <= room {
            fill(others, stones - height, filled, sets);
        }
        filled |= column.get(height).unwrap_or(&0);
    }
}

/// The ways to colour this many stones if the players have taken turns, as binary numbers in ascending order: the lowest stone
/// is the lowest digit, and 1 is X.
pub fn colourings(stones: u32) -> impl Iterator<Item = u64> {
    let lowest = |count: u32| if count == 0 { 0 } else { u64::MAX >> (u64::BITS - count) };
    let last = lowest(ones(stones)) << (stones - ones(stones)).min(u64::BITS - 1);
    std::iter::successors(Some(lowest(ones(stones))), move |&colours| {
        if colours == last || colours == 0 {
            return None;
        }
        // The lowest run of ones: its highest one moves up, the others go down to the bottom.
        let bottom = colours & colours.wrapping_neg();
        let carried = colours + bottom;
        Some(carried | ((colours ^ carried) / bottom) >> 2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find;

    #[test]
    fn sets_are_those_without_a_stone_in_the_air() {
        for name in ["3x3x3", "1x5x2", "4x3x3+gravity", "2x5x3+gravity", "5x1x2+gravity"] {
            let game = find(name).unwrap();
            let rows = game.as_rows().unwrap();
            let (width, cells) = (rows.shape().width(), rows.shape().cells());
            let floats = |set: &Mask| {
                rows.has_gravity() && set & !set << width & ((1 << cells) - (1 << width)) & !(set << width) != 0
            };
            let expected: Vec<Mask> = (0..1 << cells).filter(|set| !floats(set)).collect();
            let mut found: Vec<Mask> = (0..=cells.into()).flat_map(|stones| sets(rows, stones)).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn colourings_have_the_right_number_of_ones() {
        for stones in 0..=16 {
            let expected = (0..1u64 << stones).filter(|colours| colours.count_ones() == ones(stones));
            assert!(colourings(stones).eq(expected), "{stones}");
        }
        assert_eq!(colourings(64).next(), Some(u64::MAX >> 32));
    }
}

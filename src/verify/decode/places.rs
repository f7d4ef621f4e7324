//! In which order the layout `fold` numbers cells, the turns and mirror images of a game, and its lines.
//!
//! Cells are numbers here, column by column from the bottom left. Only lines are sets of cells, as bits.

use super::sight::{Cells, Sight};

/// For every turn and mirror image of the game, the number of the cell that each cell goes to.
pub fn turns_of_cells(sight: &Sight) -> Vec<Vec<u32>> {
    let Sight { width, height, .. } = *sight;
    let (right, top) = (width - 1, height - 1);
    /// From a column and a row, and those on the right and at the top, to the column and row it goes to.
    type Turn = fn(u32, u32, u32, u32) -> (u32, u32);
    let mut turns: Vec<Turn> = vec![|c, r, _, _| (c, r), |c, r, right, _| (right - c, r)];
    if !sight.has_gravity {
        turns.push(|c, r, _, top| (c, top - r));
        turns.push(|c, r, right, top| (right - c, top - r));
        if width == height {
            turns.push(|c, r, _, _| (r, c));
            turns.push(|c, r, right, _| (right - r, c));
            turns.push(|c, r, _, top| (r, top - c));
            turns.push(|c, r, right, top| (right - r, top - c));
        }
    }
    let image = |turn: fn(u32, u32, u32, u32) -> (u32, u32), cell: u32| {
        let (column, row) = turn(cell / height, cell % height, right, top);
        column * height + row
    };
    turns.into_iter().map(|turn| (0..width * height).map(|cell| image(turn, cell)).collect()).collect()
}

/// The orbits in order, each with its cells in ascending order. The order of cells is that of boards as they are written: row by
/// row from the top left.
pub fn orbits(sight: &Sight, turns: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let rank = |cell: u32| sight.cell(1 << cell);
    let mut orbits = Vec::new();
    for cell in 0..sight.cells() {
        let mut orbit: Vec<u32> = turns.iter().map(|turn| turn[cell as usize]).collect();
        orbit.sort_by_key(|&cell| rank(cell));
        orbit.dedup();
        if orbit[0] == cell {
            orbits.push(orbit);
        }
    }
    orbits.sort_by_key(|orbit| (orbit.len() % 4 != 0, orbit.len(), rank(orbit[0])));
    orbits
}

/// All lines of as many cells as make a row.
pub fn lines(sight: &Sight) -> Vec<Cells> {
    let Sight { width, height, k, .. } = *sight;
    let mut lines = Vec::new();
    for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for (column, row) in (0..width as i32).flat_map(|column| (0..height as i32).map(move |row| (column, row))) {
            let cells = (0..k as i32).map(|step| (column + step * right, row + step * up));
            let is_on_board =
                |(column, row): (i32, i32)| (0..width as i32).contains(&column) && (0..height as i32).contains(&row);
            if cells.clone().all(is_on_board) {
                lines.push(cells.map(|(column, row)| 1 << (column as u32 * height + row as u32)).sum());
            }
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

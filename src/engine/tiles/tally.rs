//! How many boards there are of each kind, by the number of edge stones.

use super::LiveTiles;

/// The boards with the same number of edge stones.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Boards that can occur.
    pub boards: u64,
    /// How many of them have a row.
    pub rows: u64,
    /// Boards that can occur and have no row.
    pub open: u64,
    /// Those of them that are first won in a plane.
    pub won: Vec<u64>,
}

/// Counts by the number of edge stones.
#[derive(Clone, Debug)]
pub struct Tally(Vec<Counts>);

impl Tally {
    /// Nothing counted so far.
    pub fn new(layout: &LiveTiles) -> Tally {
        let counts = Counts { won: vec![0; layout.grid.cells() + 2], ..Counts::default() };
        Tally(vec![counts; 2 * layout.grid.height + 1])
    }

    /// The counts of boards with this many edge stones.
    #[inline(always)]
    pub fn of(&mut self, edge_stones: usize) -> &mut Counts {
        &mut self.0[edge_stones]
    }

    /// Adds counts, each of which stands for a number of boards.
    pub fn add(&mut self, more: &Tally, weight: u64) {
        for (counts, more) in self.0.iter_mut().zip(&more.0) {
            counts.boards += weight * more.boards;
            counts.rows += weight * more.rows;
            counts.open += weight * more.open;
            counts.won.iter_mut().zip(&more.won).for_each(|(won, more)| *won += weight * more);
        }
    }

    /// The counts, by the number of edge stones.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Counts)> {
        self.0.iter().enumerate()
    }
}

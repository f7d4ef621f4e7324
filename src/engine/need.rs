//! What making a table takes, and each of its parts, estimated before the work starts.

use super::codec;
use super::outside::Outside;
use super::scale::Scale;
use super::sweep::{BorderId, Layout, kept_words};
use crate::game::Game;

/// What making a table takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// In memory.
    pub memory: u128,
    /// The table.
    pub table: u128,
    /// The borders that are kept on disk at the same time, compressed.
    pub borders: u128,
    /// Whether there are so few borders that they are kept in memory instead, as they are.
    pub has_few_borders: bool,
    /// What it takes if tiers are kept outside memory; none if they cannot be, or if that takes no less.
    pub outside: Option<OutsideNeed>,
}

/// What making a table takes if tiers are kept outside memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideNeed {
    /// In memory.
    pub memory: u128,
    /// For two tiers.
    pub tiers: u128,
}

/// What making one part takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartNeed {
    /// The parts whose borders it reads.
    pub sources: Vec<usize>,
    /// The parts that read its borders, and how many bytes each of these borders has before it is compressed.
    pub borders: Vec<(usize, u64)>,
    /// The bytes of memory.
    pub memory: u64,
    /// The bytes that it has in the table.
    pub payload: u64,
    /// The words of its records, to which the time is in proportion.
    pub work: u64,
}

/// The bytes before the first part, at most.
const START: u128 = 1 << 12;

/// The bytes of the program itself and of what it writes.
const BASE: u128 = 10 << 20;

/// The bytes in which a thread keeps what it works on, if tiers are kept outside memory.
const FOR_A_THREAD: u128 = 6 << 20;

/// How many times smaller a border is when it is compressed: 5 on 6x5x4+gravity, 11 on Connect Four, 16 on 6x5x5+gravity. 6 is
/// too high for small games, whose borders are then underestimated, and seldom too high for large ones. A plan measures it.
const SHRINKING: u128 = if codec::IS_THERE { 6 } else { 1 };

/// The most bytes of borders that are kept in memory as they are. Games of several parts with so few take less than a second, so
/// there is nothing to resume.
const FEW_BORDERS: u128 = 8 << 20;

impl Need {
    pub fn of<L: Outside>(layout: &L) -> Need {
        // First, because borders need the sizes of all parts, and these take longer one by one.
        let waiting = waiting(layout);
        let has_few_borders = waiting <= FEW_BORDERS;
        let (in_memory, borders) = if has_few_borders { (waiting, 0) } else { (0, waiting / SHRINKING) };
        let parts = 0..layout.parts();
        let kept = kept_words(layout, parts.clone()).into_iter().zip(parts.clone());
        let memory = kept.map(|(kept, part)| memory(layout, part, kept)).max();
        let table = parts.map(|part| u128::from(in_table(layout, part))).sum::<u128>() + START;
        let memory = memory.unwrap_or(0) + in_memory;
        let outside = layout.can_fill_outside().then(|| OutsideNeed {
            memory: self::memory(layout, 0, [0, 0]) + FOR_A_THREAD * rayon::current_num_threads() as u128,
            tiers: layout.longest(0).into_iter().map(|words| 8 * u128::from(words)).sum(),
        });
        let outside = outside.filter(|outside| outside.memory < memory);
        Need { memory, table, borders, has_few_borders, outside }
    }
}

impl PartNeed {
    pub fn of_all<L: Layout>(layout: &L) -> Vec<PartNeed> {
        let of = |part: usize| PartNeed {
            sources: layout.sources(part),
            borders: layout
                .readers(part)
                .into_iter()
                .map(|to| (to, layout.border(BorderId { from: part, to })))
                .collect(),
            memory: memory(layout, part, layout.longest(part)).try_into().unwrap_or(u64::MAX),
            payload: in_table(layout, part),
            work: layout.work(part),
        };
        (0..layout.parts()).map(of).collect()
    }
}

/// The bytes of memory that making a part takes, if this many words are kept for its tiers.
fn memory<L: Layout>(layout: &L, part: usize, [even, odd]: [u64; 2]) -> u128 {
    // The largest tier has less than a fifth of its part. It is there as it is made, and as it is written while the next
    // one is made.
    let written = u128::from(layout.payload(part)) * 2 / 5;
    8 * (u128::from(even) + u128::from(odd)) + u128::from(layout.other_bytes(part)) + written + BASE
}

/// The bytes of a part in the table. Its record has the counts, and less than a sixteenth of the payload for batches and
/// checksums.
fn in_table<L: Layout>(layout: &L, part: usize) -> u64 {
    let cells = u32::from(layout.rows().shape().cells());
    let codes = |stones| Scale::new(layout.detail(), cells - stones, layout.rows().is_misere()).count();
    let counts: usize = (0..=cells).map(|stones| 8 * (3 + 2 * codes(stones))).sum();
    (u128::from(layout.payload(part)) * 17 / 16 + counts as u128).try_into().unwrap_or(u64::MAX)
}

/// The most bytes that borders have while they wait for their readers, before they are compressed.
fn waiting<L: Layout>(layout: &L) -> u128 {
    let (mut kept, mut most) = (0u128, 0);
    for part in 0..layout.parts() {
        let made = layout.readers(part).into_iter().map(|to| BorderId { from: part, to });
        kept += made.map(|id| u128::from(layout.border(id))).sum::<u128>();
        most = kept.max(most);
        let read = layout.sources(part).into_iter().map(|from| BorderId { from, to: part });
        kept -= read.map(|id| u128::from(layout.border(id))).sum::<u128>();
    }
    most
}

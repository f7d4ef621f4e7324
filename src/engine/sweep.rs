//! The sweep down: a part of a game, tier by tier, from the borders of the parts that its moves lead to.
//!
//! A game is made in parts, a part in tiers, and a tier is solved from the tiers with a stone more. Parts, tiers and what
//! stands where in a tier are up to the layout; the rest is the same for all of them and is written here once. The sweep
//! knows nothing of files or machines: who keeps the borders of finished parts, and where, is up to the caller.

use std::io;
use std::ops::{Range, RangeInclusive};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use rayon::prelude::*;

use super::counts::{Census, Tally};
use super::memory::Words;
use super::pack::Groups;
use super::scale::Detail;
use crate::board::Board;
use crate::games::Rows;
use crate::progress::{Progress, Stopped};

/// How large the parts of a layout are, and how long they take: known before any of them is made.
pub trait Estimates {
    /// About how many words the longest tiers of a part have, those with an even and with an odd number; seldom too few.
    fn longest(&self, part: usize) -> [u64; 2];

    /// About how many bytes making a part takes besides these two tiers: to find blocks, to count, and for borders.
    fn other_bytes(&self, part: usize) -> u64;

    /// About how many bytes the groups of a part have in a file.
    fn payload(&self, part: usize) -> u64;

    /// About how many bytes a border has.
    fn border(&self, id: BorderId) -> u64;

    /// About how many words all records of a part have. The time that making it takes is in proportion to this.
    fn work(&self, part: usize) -> u64;

    /// About how many steps of progress a part takes.
    fn steps(&self, part: usize) -> u64;
}

/// A way to lay out the boards of a row game: in parts, tiers, groups and bits.
pub trait Layout: Estimates + Send + Sync + Sized {
    /// What stands where in a tier of a part.
    type Tier: Send + Sync;

    /// What filling the tiers of a part finds out once. It is gone when the part is made, or when making it fails.
    type PartState: Default + Sync;

    /// The game.
    fn rows(&self) -> &Rows;

    /// How much is worked out about a board.
    fn detail(&self) -> Detail;

    /// How many parts there are. Moves lead to parts with lower numbers.
    fn parts(&self) -> usize;

    /// The other parts that the moves of a part lead to, in ascending order.
    fn sources(&self, part: usize) -> Vec<usize>;

    /// The other parts whose moves lead to a part, in ascending order.
    fn readers(&self, part: usize) -> Vec<usize>;

    /// The numbers of the tiers of a part. They are made from the highest down.
    fn tiers(&self, part: usize) -> RangeInclusive<u32>;

    /// A tier.
    fn tier(&self, part: usize, number: u32) -> Self::Tier;

    /// The blocks of a tier that a reader reads, as a tier of their own; none if it reads nothing of it, or if the part has no
    /// such tier.
    fn border_tier(&self, id: BorderId, number: u32) -> Option<Self::Tier>;

    /// The number of the tier that a tier reads of other parts.
    fn number_read_from_others(&self, number: u32) -> u32;

    /// Copies the records of a border out of those of its tier.
    fn copy_border(&self, tier: &Layer<Self::Tier>, border: &Self::Tier, words: &mut [u64]);

    /// How many words the records of a tier have.
    fn words(&self, tier: &Self::Tier) -> usize;

    /// How many groups a tier has.
    fn groups(&self, tier: &Self::Tier) -> u64;

    /// How many groups each tier of a part has, from the lowest number up, if that is known without listing them.
    fn group_counts(&self, part: usize) -> Option<Vec<u64>>;

    /// How many bytes a tier takes, without its records.
    fn index_bytes(&self, tier: &Self::Tier) -> usize;

    /// How many bits the codes of a tier have.
    fn code_bits(&self, tier: &Self::Tier) -> u32;

    /// Fills the records of a tier.
    fn fill(&self, job: &Job<'_, Self>, words: &mut [u64]) -> Result<Filled, Stopped>;

    /// Where a board has its bits, or one of its turns and mirror images has. Only for boards that are stored.
    fn place(&self, board: Board) -> Place;

    /// The group of a place, and its rank there.
    fn find(&self, tier: &Self::Tier, place: &Place) -> Spot;

    /// Calls `visit` with every board of a group that is stored, in order.
    fn for_each_board(&self, tier: &Self::Tier, group: u64, visit: &mut dyn FnMut(Board));
}

/// A tier and its records.
pub struct Layer<T> {
    /// The tier.
    pub tier: T,
    /// Its records; there may be more words than they need.
    pub words: Words,
}

/// Finds the tier of a part that moves lead to.
pub type Layers<'a, T> = dyn Fn(usize) -> Option<&'a Layer<T>> + Sync + 'a;

/// A tier to be filled.
pub struct Job<'a, L: Layout> {
    /// The part.
    pub part: usize,
    /// The number of the tier.
    pub number: u32,
    /// The tier.
    pub tier: &'a L::Tier,
    /// What was found out when earlier tiers of the part were filled.
    pub state: &'a L::PartState,
    /// What its moves lead to: the last tier of the same part, and the borders of its sources.
    pub layers: &'a Layers<'a, L::Tier>,
    /// How boxes and beads are counted; none if nothing is counted and nothing packed.
    pub census: Option<Census>,
    /// Follows the work.
    pub progress: &'a dyn Progress,
}

/// What filling a tier gives, besides its records.
pub struct Filled {
    /// What was counted, each number of boards with all its turns and mirror images.
    pub tally: Tally,
    /// The groups of the tier, in order, in pieces.
    pub groups: Vec<Groups>,
}

/// Where a board has its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The part.
    pub part: usize,
    /// The number of the tier.
    pub tier: u32,
    /// The board, or the one of its turns and mirror images that is kept.
    pub board: Board,
}

/// Where the code of a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The number of the group in its tier.
    pub group: u64,
    /// How many boards of the group come before it.
    pub rank: u32,
}

/// Which border: what one part reads of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BorderId {
    /// The part that has the border.
    pub from: usize,
    /// The part that reads it.
    pub to: usize,
}

/// Where the borders of finished parts are kept until they are read: in memory, on disk, on other machines.
pub trait Borders: Sync {
    /// Whether borders are still there when the process has ended.
    fn is_lasting(&self) -> bool;

    /// Keeps what a part reads of a tier of another one.
    fn put(&self, id: BorderId, tier: u32, words: &[u64]) -> io::Result<()>;

    /// Gets it back.
    fn get(&self, id: BorderId, tier: u32, words: &mut [u64]) -> io::Result<()>;

    /// All tiers of a border are here.
    fn finish(&self, id: BorderId) -> io::Result<()>;

    /// The reader of a border is made.
    fn release(&self, id: BorderId) -> io::Result<()>;
}

/// Memory for records, used again and again, since the system takes long to clear fresh memory.
struct Pool(Mutex<Spare>);

struct Spare {
    /// For tiers with even and with odd numbers.
    tiers: [Words; 2],
    /// For borders, in ascending order of their length.
    borders: Vec<Words>,
}

impl Pool {
    fn new() -> Pool {
        Pool(Mutex::new(Spare { tiers: [Words::new(0), Words::new(0)], borders: Vec::new() }))
    }

    /// Sets aside as many words for tiers as are kept while a part is made. Memory for borders is given back, because a part may
    /// read long ones where the next has long tiers.
    fn prepare(&self, kept: [u64; 2]) {
        self.spare().borders.clear();
        for (spare, words) in self.spare().tiers.iter_mut().zip(kept) {
            if spare.len() as u64 != words {
                *spare = Words::new(0);
                *spare = Words::new(words as usize);
            }
        }
    }

    fn spare(&self) -> MutexGuard<'_, Spare> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_tier(&self, number: u32, words: usize) -> Words {
        let spare = std::mem::replace(&mut self.spare().tiers[number as usize % 2], Words::new(0));
        if spare.len() >= words { spare } else { Words::new(words) }
    }

    fn put_back_tier<T>(&self, number: u32, layer: Option<Layer<T>>) {
        if let Some(layer) = layer {
            self.spare().tiers[number as usize % 2] = layer.words;
        }
    }

    /// Memory for a border: the smallest that is large enough, or fresh memory in place of the largest that is not, so that
    /// there is never more of it than was needed at once.
    fn take_border(&self, words: usize) -> Words {
        let borders = &mut self.spare().borders;
        let at = borders.partition_point(|spare| spare.len() < words);
        if at < borders.len() {
            return borders.remove(at);
        }
        borders.pop();
        Words::new(words)
    }

    fn put_back_borders(&self, borders: impl IntoIterator<Item = Words>) {
        let spare = &mut self.spare().borders;
        spare.extend(borders);
        spare.sort_by_key(|words| words.len());
    }
}

/// For some parts that are made one after the other, how many words are kept for tiers with even and with odd numbers:
/// enough for the part and all later ones. They are given back when less than half of them is needed.
pub fn kept_words<L: Layout>(layout: &L, parts: Range<usize>) -> Vec<[u64; 2]> {
    let mut kept: Vec<[u64; 2]> = parts.map(|part| layout.longest(part)).collect();
    for parity in [0, 1] {
        let mut needed = 0;
        for words in kept.iter_mut().rev() {
            needed = words[parity].max(needed);
            words[parity] = needed;
        }
        let mut before = 0;
        for words in &mut kept {
            if words[parity] > before / 2 {
                words[parity] = words[parity].max(before);
            }
            before = words[parity];
        }
    }
    kept
}

/// Gets the number of a tier that is made, its records, and what else filling it gave.
pub type Each<'a, L, E> = dyn FnMut(u32, &Layer<<L as Layout>::Tier>, Filled) -> Result<(), E> + Send + 'a;

/// Makes the parts of a game.
pub struct Maker<'a, L: Layout> {
    layout: &'a L,
    borders: &'a dyn Borders,
    census: Option<Census>,
    progress: &'a dyn Progress,
    first: usize,
    /// The words that are kept for tiers, from the first part on.
    kept: Vec<[u64; 2]>,
    pool: Pool,
}

impl<'a, L: Layout> Maker<'a, L> {
    /// Makes some parts, in order, from the borders of others. `census` says how boxes and beads are counted; if it is none,
    /// nothing is counted and nothing packed.
    pub fn new(
        layout: &'a L,
        parts: Range<usize>,
        borders: &'a dyn Borders,
        census: Option<Census>,
        progress: &'a dyn Progress,
    ) -> Maker<'a, L> {
        let (first, kept) = (parts.start, kept_words(layout, parts));
        Maker { layout, borders, census, progress, first, kept, pool: Pool::new() }
    }

    /// Makes a part from the borders of its sources, and puts its own aside. Hands every tier on when it is made, while
    /// the next one is being filled.
    pub fn make<E: From<Stopped> + From<io::Error> + Send>(
        &self,
        part: usize,
        each: &mut Each<'_, L, E>,
    ) -> Result<(), E> {
        let Maker { layout, pool, .. } = self;
        pool.prepare(self.kept[part - self.first]);
        let state = L::PartState::default();
        let mut above = None::<Layer<L::Tier>>;
        let mut made = None;
        for number in layout.tiers(part).rev() {
            let (handed_on, filled) = rayon::join(
                || self.hand_on(part, above.as_ref(), made, each),
                || self.fill::<E>(part, number, &state, above.as_ref()),
            );
            handed_on?;
            let (layer, filled) = filled?;
            made = Some((number, filled));
            pool.put_back_tier(number + 1, above.replace(layer));
        }
        // It may be large, and writing the last tier may take a while.
        drop(state);
        self.hand_on(part, above.as_ref(), made, each)?;
        pool.put_back_tier(*layout.tiers(part).start(), above);
        layout.readers(part).into_iter().try_for_each(|to| self.borders.finish(BorderId { from: part, to }))?;
        Ok(())
    }

    /// Fills a tier from the one above it and from the borders of other parts.
    fn fill<E: From<Stopped> + From<io::Error>>(
        &self,
        part: usize,
        number: u32,
        state: &L::PartState,
        above: Option<&Layer<L::Tier>>,
    ) -> Result<(Layer<L::Tier>, Filled), E> {
        let Maker { layout, pool, census, progress, .. } = self;
        let borders = self.read_borders(part, number)?;
        let tier = layout.tier(part, number);
        let length = layout.words(&tier);
        let mut words = pool.take_tier(number, length);
        let layers = |of: usize| if of == part { above } else { borders.get(&of) };
        let job = Job { part, number, tier: &tier, state, layers: &layers, census: *census, progress: *progress };
        let filled = layout.fill(&job, &mut words[..length])?;
        pool.put_back_borders(borders.into_values().map(|layer| layer.words));
        Ok((Layer { tier, words }, filled))
    }

    /// What a tier reads of other parts, by part.
    fn read_borders(&self, part: usize, number: u32) -> io::Result<HashMap<usize, Layer<L::Tier>>> {
        let Maker { layout, borders, pool, .. } = self;
        let read = layout.number_read_from_others(number);
        let read_all = layout.sources(part).into_par_iter().filter_map(|source| {
            let id = BorderId { from: source, to: part };
            let tier = layout.border_tier(id, read)?;
            let length = layout.words(&tier);
            let mut words = pool.take_border(length);
            let found = borders.get(id, read, &mut words[..length]);
            Some(found.map(|()| (source, Layer { tier, words })))
        });
        read_all.collect::<io::Result<Vec<_>>>().map(HashMap::from_iter)
    }

    /// Puts the borders of a tier aside, and hands the tier on; nothing if no tier is made yet.
    fn hand_on<E: From<io::Error>>(
        &self,
        part: usize,
        layer: Option<&Layer<L::Tier>>,
        made: Option<(u32, Filled)>,
        each: &mut Each<'_, L, E>,
    ) -> Result<(), E> {
        let Maker { layout, borders, pool, .. } = self;
        let Some((layer, (number, filled))) = layer.zip(made) else { return Ok(()) };
        for to in layout.readers(part) {
            let id = BorderId { from: part, to };
            let Some(border) = layout.border_tier(id, number) else { continue };
            let length = layout.words(&border);
            let mut words = pool.take_border(length);
            layout.copy_border(layer, &border, &mut words[..length]);
            borders.put(id, number, &words[..length])?;
            pool.put_back_borders([words]);
        }
        each(number, layer, filled)
    }
}

//! A second decoder of packed tables, written from docs/format.md alone.
//!
//! A proof should not read the table with the code that wrote it. So nothing here uses the engine or the reader of tables: this
//! file takes a packed file apart, `tiles` and `fold` say which boards a group has and in which order, and `sight` says what is
//! seen on boards that are not stored.
//!
//! ```text
//!   description
//!   part     head      payload: batches of groups      record: where each batch begins, checksums, counts
//!   part     ...
//! ```

mod choose;
mod error;
mod file;
mod fold;
mod places;
mod sight;
mod spread;
mod tiles;
mod worth;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

use crate::aim::Aim;
#[cfg(feature = "engine")]
use crate::board::Board;
use crate::table::ReadAt;
#[cfg(feature = "engine")]
use crate::verdict::Verdict;

pub use error::{DecodeError, Misfit};
pub use file::About;
use file::{Batch, BatchBytes, PartFile};
pub use fold::{Fold, FoldBlock, FoldTier};
pub use sight::{Cells, Seen, Sight, Stones, each, seen};
pub use spread::Spread;
pub use tiles::{Edge, Tiles, TilesBlock, TilesTier, View};
pub use worth::{Codes, Worth};

/// A part: which tiers it has.
#[derive(Clone, Debug)]
pub struct Part {
    /// The numbers of its tiers.
    pub tiers: Range<u32>,
    /// The stones on the anchors, if the number of a tier does not include them.
    pub anchor_stones: u32,
}

/// Where a board is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the part.
    pub part: usize,
    /// The number of the tier.
    pub number: u32,
    /// The board, or the one of its turns and mirror images that is stored.
    pub board: Stones,
}

/// How boards are laid out.
pub enum Layout {
    /// By what stands on the inner columns.
    Tiles(Tiles),
    /// By occupied cells.
    Fold(Fold),
}

/// A tier, as far as it is needed to find groups.
pub enum Tier {
    /// Of the layout `tiles`.
    Tiles(TilesTier),
    /// Of the layout `fold`.
    Fold(FoldTier),
}

impl Layout {
    fn new(sight: Sight, about: &About, most_parts: u64) -> Result<Layout, DecodeError> {
        let is_tiles = Tiles::suits(&sight);
        let expected = if is_tiles { "tiles" } else { "fold" };
        if about.layout != expected {
            return Err(DecodeError::About(format!(
                "has the layout \"{}\" where {expected} was expected",
                about.layout
            )));
        }
        let layout = match is_tiles {
            true => Tiles::new(sight, &about.anchors, most_parts).map(Layout::Tiles),
            false => Fold::new(sight, &about.anchors, most_parts).map(Layout::Fold),
        };
        layout.ok_or_else(|| DecodeError::About(format!("has anchors that do not fit: {:?}", about.anchors)))
    }

    /// The rules.
    pub fn sight(&self) -> &Sight {
        match self {
            Layout::Tiles(tiles) => &tiles.sight,
            Layout::Fold(fold) => &fold.sight,
        }
    }

    fn part_count(&self) -> usize {
        match self {
            Layout::Tiles(tiles) => tiles.part_count(),
            Layout::Fold(fold) => fold.part_count(),
        }
    }

    /// A part.
    pub fn part(&self, part: usize) -> Part {
        match self {
            Layout::Tiles(tiles) => tiles.part(part),
            Layout::Fold(fold) => fold.part(part),
        }
    }

    fn tier(&self, part: usize, number: u32) -> Tier {
        match self {
            Layout::Tiles(tiles) => Tier::Tiles(tiles.tier(part, number)),
            Layout::Fold(fold) => Tier::Fold(fold.tier(part, number)),
        }
    }

    fn place(&self, board: Stones) -> Place {
        match self {
            Layout::Tiles(tiles) => tiles.place(board),
            Layout::Fold(fold) => fold.place(board),
        }
    }

    fn group_of(&self, tier: &Tier, board: Stones) -> Option<u64> {
        match (self, tier) {
            (Layout::Tiles(tiles), Tier::Tiles(tier)) => tiles.group_of(tier, board),
            (Layout::Fold(fold), Tier::Fold(tier)) => fold.group_of(tier, board),
            _ => None,
        }
    }

    /// The stored boards of a group, in order.
    fn boards(&self, tier: &Tier, group: u64) -> Vec<Stones> {
        match (self, tier) {
            (Layout::Tiles(tiles), Tier::Tiles(tier)) => tiles.boards(tiles.inner(tier, group)),
            (Layout::Fold(fold), Tier::Fold(tier)) => fold.boards(tier, group),
            _ => Vec::new(),
        }
    }
}

impl Tier {
    /// How many groups there are.
    pub fn groups(&self) -> u64 {
        match self {
            Tier::Tiles(tier) => tier.groups,
            Tier::Fold(tier) => tier.groups(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Tier::Tiles(tier) => tier.blocks.iter().map(TilesBlock::bytes).sum(),
            Tier::Fold(tier) => tier.bytes(),
        }
    }
}

/// What a file says about the boards with some number of stones, for all its parts together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Boards that can occur.
    pub boards: u64,
    /// Those with a row.
    pub rows: u64,
    /// For each code, how many boards on which the game goes on have it.
    pub codes: Vec<u64>,
    /// For each code, how many boxes have it.
    pub boxes: Vec<u64>,
    /// The beads in these boxes.
    pub beads: u64,
}

/// A packed file, open.
pub struct Decoder<'a> {
    source: &'a dyn ReadAt,
    about: About,
    layout: Layout,
    codes: Codes,
    parts: Vec<PartFile>,
    counts: Vec<Counts>,
    /// Tiers that were needed. They are forgotten when they take too much memory.
    tiers: Mutex<Tiers>,
}

#[derive(Default)]
struct Tiers {
    known: HashMap<(usize, u32), Arc<Tier>>,
    bytes: usize,
}

/// The fewest bytes of a part: its head, and the checksum of its record.
const LEAST_PART: u64 = 24;

/// The most memory for tiers that were needed: 1 GiB.
const MOST_BYTES: usize = 1 << 30;

impl<'a> Decoder<'a> {
    /// Opens a file: reads and checks everything but the payloads.
    pub fn open(source: &'a dyn ReadAt) -> Result<Decoder<'a>, DecodeError> {
        let size = source.size()?;
        let (about, start) = file::read_about(source, size)?;
        // A game has one spelling in files, so another name for it is refused.
        let game = crate::games::find(&about.game)?;
        let sight = Sight::of_game(&about.game).filter(|_| game.name() == about.game);
        let sight = sight.ok_or_else(|| DecodeError::About("names a game that is no row game".to_owned()))?;
        let codes = Codes { has_depths: about.depths, is_misere: sight.is_misere, cells: sight.cells() };
        let layout = Layout::new(sight, &about, size / LEAST_PART)?;
        let mut counts: Vec<Counts> = (0..=codes.cells).map(|stones| Counts::none(codes.count(stones))).collect();
        let (mut parts, mut at) = (Vec::new(), start);
        for part in 0..layout.part_count() {
            let file = PartFile::read(source, size, at, part, &layout.part(part), about.compressed, &mut counts)?;
            at = file.end;
            parts.push(file);
        }
        if at != size {
            return Err(DecodeError::Length { expected: at.into(), found: size });
        }
        Ok(Decoder { source, about, layout, codes, parts, counts, tiers: Mutex::default() })
    }

    /// The description.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// How the boards are laid out.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The rules.
    pub fn sight(&self) -> &Sight {
        self.layout.sight()
    }

    /// What codes mean.
    pub fn codes(&self) -> Codes {
        self.codes
    }

    /// The aim that boxes and beads follow.
    pub fn aim(&self) -> Aim {
        self.about.aim
    }

    /// How many parts there are.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The stored counts, by number of stones.
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// A tier. It must have as many groups as its part says.
    pub fn tier(&self, part: usize, number: u32) -> Result<Arc<Tier>, DecodeError> {
        let known = || self.tiers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tier) = known().known.get(&(part, number)) {
            return Ok(tier.clone());
        }
        let found = self.parts[part].groups(number);
        let wrong = |expected| DecodeError::from(Misfit::Groups { part, number, expected, found });
        // A file that claims too little is refused before its groups are listed, which could take for ever.
        if let Layout::Fold(fold) = &self.layout {
            let least = fold.most_blocks(number) / 8;
            if found < least {
                return Err(Misfit::TooFewGroups { part, number, least, found }.into());
            }
        }
        let tier = Arc::new(self.layout.tier(part, number));
        if tier.groups() != found {
            return Err(wrong(tier.groups()));
        }
        let mut tiers = known();
        // Another thread may have listed the same tier meanwhile.
        if let Some(tier) = tiers.known.get(&(part, number)) {
            return Ok(tier.clone());
        }
        tiers.bytes += tier.bytes();
        if tiers.bytes > MOST_BYTES {
            (tiers.known, tiers.bytes) = (HashMap::new(), tier.bytes());
        }
        tiers.known.insert((part, number), tier.clone());
        Ok(tier)
    }

    /// How many groups the file says that a tier has.
    pub fn group_count(&self, part: usize, number: u32) -> u64 {
        self.parts[part].groups(number)
    }

    /// The bits of a code in a tier.
    pub fn bits(&self, part: usize, number: u32) -> u32 {
        self.codes.bits(number + self.layout.part(part).anchor_stones)
    }

    /// Some groups that follow one another: how many boards each has, and their codes.
    pub fn groups(&self, part: usize, number: u32, groups: Range<u64>) -> Result<GroupBytes, DecodeError> {
        let file = &self.parts[part];
        let first = groups.start / BATCH;
        let mut batches = Vec::new();
        for batch in first..groups.end.div_ceil(BATCH) {
            let batch = Batch { number: batch, bits: self.bits(part, number) };
            batches.push(file.batch(self.source, part, number, batch, self.about.compressed)?);
        }
        Ok(GroupBytes { first: first * BATCH, batches, bits: self.bits(part, number) as usize })
    }

    /// All stored boards of a group with their codes, in order.
    pub fn group(&self, part: usize, number: u32, group: u64) -> Result<Vec<(Stones, u8)>, DecodeError> {
        let tier = self.tier(part, number)?;
        let boards = self.layout.boards(&tier, group);
        let bytes = self.groups(part, number, group..group + 1)?;
        let codes = bytes.codes(group);
        if codes.count() != boards.len() {
            let (expected, found) = (boards.len(), codes.count());
            return Err(Misfit::Boards { part, number, group, expected, found }.into());
        }
        Ok(boards.into_iter().zip(codes.iter()).collect())
    }

    /// Where a stored board is, and the number of its group. None if there is no such group, which cannot be in a sound file.
    pub fn find(&self, board: Stones) -> Result<Option<(Place, u64)>, DecodeError> {
        let place = self.layout.place(board);
        let tier = self.tier(place.part, place.number)?;
        Ok(self.layout.group_of(&tier, place.board).map(|group| (place, group)))
    }

    /// The code of a stored board. None if it is not found, which a sound file never says of a board that is stored.
    pub fn code(&self, board: Stones) -> Result<Option<u8>, DecodeError> {
        let Some((Place { part, number, board }, group)) = self.find(board)? else { return Ok(None) };
        let boards = self.group(part, number, group)?;
        Ok(boards.into_iter().find(|&(other, _)| other == board).map(|(_, code)| code))
    }

    /// What a board is worth to the side to move, after forced moves are played. The board is not checked: it must have the right
    /// number of stones, and at most one side may have a row. None if the file has a code without meaning.
    pub fn worth(&self, board: Stones) -> Result<Option<Worth>, DecodeError> {
        self.worth_by(board, |stored| self.code(stored))
    }

    /// The same, where the codes of stored boards come from elsewhere.
    pub fn worth_by(
        &self,
        board: Stones,
        code: impl FnOnce(Stones) -> Result<Option<u8>, DecodeError>,
    ) -> Result<Option<Worth>, DecodeError> {
        let (settled, worth, moves) = self.sight().settle(board);
        let worth = match worth {
            Some(worth) => Some(worth),
            None => code(settled)?.and_then(|code| self.codes.worth(code, settled.count())),
        };
        Ok(worth.map(|worth| self.codes.known(worth.before(moves))))
    }

    /// The verdict on a board. See [`Decoder::worth`].
    #[cfg(feature = "engine")]
    pub fn verdict(&self, board: Board) -> Result<Option<Verdict>, DecodeError> {
        Ok(self.worth(self.sight().stones(board))?.map(|worth| self.codes.verdict(worth)))
    }

    /// How many bytes of the payload a tier has.
    pub fn tier_size(&self, part: usize, number: u32) -> u64 {
        let size = self.parts[part].tier_range(number);
        size.end - size.start
    }

    /// The most boards that the payload can store.
    pub fn stored_at_most(&self) -> u64 {
        let tiers =
            (0..self.part_count()).flat_map(|part| self.layout.part(part).tiers.map(move |number| (part, number)));
        let stored = |(part, number): (usize, u32)| {
            let counts = self.group_count(part, number).saturating_mul(2);
            let codes = self.tier_size(part, number).saturating_sub(counts).saturating_mul(8);
            codes / u64::from(self.bits(part, number)).max(1)
        };
        tiers.map(stored).fold(0, u64::saturating_add)
    }

    /// The groups of the batch that has a byte of a tier, and how many bytes the batch has.
    pub fn batch_at(&self, part: usize, number: u32, byte: u64) -> (Range<u64>, u64) {
        let file = &self.parts[part];
        let (batch, bytes) = file.batch_at(number, byte);
        (batch * BATCH..((batch + 1) * BATCH).min(file.groups(number)), bytes)
    }
}

/// How many groups share the list of their numbers of boards.
pub const BATCH: u64 = 64;

/// The bytes of some groups.
pub struct GroupBytes {
    first: u64,
    batches: Vec<BatchBytes>,
    bits: usize,
}

impl GroupBytes {
    /// The codes of a group.
    pub fn codes(&self, group: u64) -> GroupCodes<'_> {
        let at = group - self.first;
        self.batches[(at / BATCH) as usize].codes((at % BATCH) as usize, self.bits)
    }
}

/// The codes of a group.
#[derive(Clone, Copy)]
pub struct GroupCodes<'a> {
    count: usize,
    bits: usize,
    bytes: &'a [u8],
}

impl GroupCodes<'_> {
    /// How many there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// Whether the bits after the last code are zeros.
    pub fn is_filled_up(self) -> bool {
        let used = self.count * self.bits % 8;
        used == 0 || self.bytes.last().is_none_or(|last| last >> used == 0)
    }

    /// The code of the board with this rank.
    #[inline]
    pub fn get(self, rank: usize) -> u8 {
        let bit = |at: usize| self.bytes[at / 8] >> (at % 8) & 1;
        (0..self.bits).map(|digit| bit(digit * self.count + rank) << digit).sum()
    }
}

impl<'a> GroupCodes<'a> {
    /// All codes in order.
    pub fn iter(self) -> impl Iterator<Item = u8> + 'a {
        (0..self.count).map(move |rank| self.get(rank))
    }
}

impl Counts {
    /// No boards, of which there are as many codes.
    pub fn none(codes: u32) -> Counts {
        let none = vec![0; codes as usize];
        Counts { codes: none.clone(), boxes: none, ..Counts::default() }
    }
}

//! The layout of a game, whichever it is: which one fits, and where boards are in it.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::fold::Fold;
use super::need::{Need, PartNeed};
use super::scale::Detail;
use super::sweep::{Layout, Spot};
use super::tiles::LiveTiles;
use crate::board::Board;
use crate::games::Rows;

/// The name of a layout, and the anchors that divide the game into parts. They depend on the game and the detail alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Which layout.
    pub kind: Kind,
    /// For tiles, how many anchors each inner column has; for the fold, the numbers of the orbits that are anchors.
    pub anchors: Vec<u8>,
}

/// The layouts that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One block for each class of symmetric sets of cells.
    Fold,
    /// With gravity, only colourings that can live.
    Tiles,
}

impl Kind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fold => "fold",
            Kind::Tiles => "tiles",
        }
    }

    /// The layout with a name.
    pub fn from_name(name: &str) -> Option<Kind> {
        [Kind::Fold, Kind::Tiles].into_iter().find(|kind| kind.name() == name)
    }
}

/// A layout of either kind.
pub enum AnyLayout {
    /// The fold.
    Fold(Fold),
    /// Live tiles.
    Tiles(LiveTiles),
}

/// Does something with a layout, whichever it is: `with_layout!(&any, layout => layout.parts())`.
macro_rules! with_layout {
    ($any:expr, $layout:ident => $do:expr) => {
        match $any {
            $crate::engine::AnyLayout::Fold($layout) => $do,
            $crate::engine::AnyLayout::Tiles($layout) => $do,
        }
    };
}
pub(crate) use with_layout;

impl AnyLayout {
    /// The layout that suits a game.
    pub fn of(rows: &Rows, detail: Detail) -> AnyLayout {
        match LiveTiles::of(rows, detail) {
            Some(tiles) => AnyLayout::Tiles(tiles),
            None => AnyLayout::Fold(Fold::new(rows, detail)),
        }
    }

    /// The layout that a file describes; none if it does not fit the game.
    pub fn with(rows: &Rows, detail: Detail, scheme: &Scheme) -> Option<AnyLayout> {
        match scheme.kind {
            Kind::Fold => Fold::try_with_anchors(rows, detail, &scheme.anchors).map(AnyLayout::Fold),
            Kind::Tiles => LiveTiles::of(rows, detail)?.try_with_anchors(&scheme.anchors).map(AnyLayout::Tiles),
        }
    }

    /// What a file says about it.
    pub fn scheme(&self) -> Scheme {
        match self {
            AnyLayout::Fold(fold) => Scheme { kind: Kind::Fold, anchors: fold.anchors() },
            AnyLayout::Tiles(tiles) => Scheme { kind: Kind::Tiles, anchors: tiles.anchors() },
        }
    }

    /// What making a table takes.
    pub fn need(&self) -> Need {
        with_layout!(self, layout => Need::of(layout))
    }

    /// What making each part takes.
    pub fn part_needs(&self) -> Vec<PartNeed> {
        with_layout!(self, layout => PartNeed::of_all(layout))
    }

    /// Looks boards up in it.
    pub fn into_finder(self) -> Box<dyn Finder> {
        with_layout!(self, layout => Box::new(Finding::new(layout)))
    }
}

/// Where the code of a board is: its [`Spot`], and in which tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The part.
    pub part: usize,
    /// How many tiers of the part come before its own in the file.
    pub tiers_before: usize,
    /// The group and the rank.
    pub spot: Spot,
    /// How many bits its code has.
    pub bits: u32,
}

/// Finds boards in a layout.
pub trait Finder: Send + Sync {
    /// How many parts there are.
    fn parts(&self) -> usize;

    /// The numbers of the tiers of a part.
    fn tiers(&self, part: usize) -> RangeInclusive<u32>;

    /// How many bits the codes of a tier have.
    fn code_bits(&self, part: usize, tier: u32) -> u32;

    /// How many groups a tier has.
    fn groups(&self, part: usize, tier: u32) -> u64;

    /// How many groups each tier of a part has, from the lowest number up, if that is known without listing them.
    fn group_counts(&self, part: usize) -> Option<Vec<u64>>;

    /// Where a stored board is.
    fn find(&self, board: Board) -> Found;

    /// Calls `visit` with every board of a group, in order.
    fn for_each_board(&self, part: usize, tier: u32, group: u64, visit: &mut dyn FnMut(Board));
}

/// A tier that was asked for, or none.
type Known<T> = RwLock<Option<Arc<T>>>;

/// A layout, and the tiers of it that were asked for.
struct Finding<L: Layout> {
    layout: L,
    /// By part, and by number from the lowest tier up.
    tiers: Vec<Vec<Known<L::Tier>>>,
    /// How many bytes these take.
    bytes: AtomicUsize,
}

/// The most memory for tiers that were asked for. When they take more, they are forgotten.
const MOST_BYTES: usize = 2 << 30;

impl<L: Layout> Finding<L> {
    fn new(layout: L) -> Finding<L> {
        let tiers = |part| layout.tiers(part).map(|_| Known::default()).collect();
        Finding { tiers: (0..layout.parts()).map(tiers).collect(), layout, bytes: AtomicUsize::new(0) }
    }

    /// Calls `read` with a tier.
    #[inline]
    fn with_tier<T>(&self, part: usize, number: u32, read: impl FnOnce(&L::Tier) -> T) -> T {
        let known = &self.tiers[part][(number - self.layout.tiers(part).start()) as usize];
        if let Some(tier) = &*known.read().unwrap_or_else(PoisonError::into_inner) {
            return read(tier);
        }
        read(&self.remember(known, self.layout.tier(part, number)))
    }

    /// The same, to be kept while boards are looked up.
    fn tier(&self, part: usize, number: u32) -> Arc<L::Tier> {
        let known = &self.tiers[part][(number - self.layout.tiers(part).start()) as usize];
        let tier = known.read().unwrap_or_else(PoisonError::into_inner).clone();
        tier.unwrap_or_else(|| self.remember(known, self.layout.tier(part, number)))
    }

    /// Keeps a tier. It is made while nothing is locked: a thread that waits for others meanwhile may ask for the same tier.
    #[cold]
    fn remember(&self, known: &Known<L::Tier>, tier: L::Tier) -> Arc<L::Tier> {
        let bytes = self.layout.index_bytes(&tier);
        let tier = Arc::new(tier);
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > MOST_BYTES {
            self.bytes.store(bytes, Ordering::Relaxed);
            for known in self.tiers.iter().flatten() {
                *known.write().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
        *known.write().unwrap_or_else(PoisonError::into_inner) = Some(tier.clone());
        tier
    }
}

impl<L: Layout> Finder for Finding<L> {
    fn parts(&self) -> usize {
        self.layout.parts()
    }

    fn tiers(&self, part: usize) -> RangeInclusive<u32> {
        self.layout.tiers(part)
    }

    fn code_bits(&self, part: usize, tier: u32) -> u32 {
        self.with_tier(part, tier, |tier| self.layout.code_bits(tier))
    }

    fn groups(&self, part: usize, tier: u32) -> u64 {
        self.with_tier(part, tier, |tier| self.layout.groups(tier))
    }

    fn group_counts(&self, part: usize) -> Option<Vec<u64>> {
        self.layout.group_counts(part)
    }

    fn find(&self, board: Board) -> Found {
        let place = self.layout.place(board);
        let before = (self.layout.tiers(place.part).end() - place.tier) as usize;
        self.with_tier(place.part, place.tier, |tier| {
            let (spot, bits) = (self.layout.find(tier, &place), self.layout.code_bits(tier));
            Found { part: place.part, tiers_before: before, spot, bits }
        })
    }

    fn for_each_board(&self, part: usize, tier: u32, group: u64, visit: &mut dyn FnMut(Board)) {
        self.layout.for_each_board(&self.tier(part, tier), group, visit);
    }
}

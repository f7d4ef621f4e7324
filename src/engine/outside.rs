//! A part whose tiers are kept outside memory: slower, but it needs memory only for what is worked on at the moment.
//!
//! This is for games of one part, which read no borders. Tiers alternate between two places, as they do in memory.

use std::io;

use super::counts::Census;
use super::sweep::{Filled, Job, Layout};
use crate::progress::{Progress, Stopped};

/// Words that are kept outside memory. Several threads read and write them at a time, but never the same ones.
pub trait Records: Sync {
    /// Reads words from this one on.
    fn read(&self, at: usize, words: &mut [u64]) -> io::Result<()>;

    /// Writes words from this one on.
    fn write(&self, at: usize, words: &[u64]) -> io::Result<()>;
}

/// A layout whose tiers can perhaps be filled outside memory. By default they cannot.
pub trait Outside: Layout {
    /// Whether tiers can be filled outside memory.
    fn can_fill_outside(&self) -> bool {
        false
    }

    /// Fills the records of a tier that are kept outside memory, as are those of the tier above.
    fn fill_outside<E: From<Stopped> + From<io::Error> + Send>(
        &self,
        _job: &Job<'_, Self>,
        _above: Option<(&Self::Tier, &dyn Records)>,
        _to: &dyn Records,
    ) -> Result<Filled, E> {
        Err(io::Error::from(io::ErrorKind::Unsupported).into())
    }
}

/// Gets a tier that is made, and what filling it gave.
pub type EachOutside<'a, L, E> = dyn FnMut(&<L as Layout>::Tier, Filled) -> Result<(), E> + Send + 'a;

/// Makes the only part of a game, and hands every tier on when it is made, while the next one is being filled. `places` keep the
/// tiers with even and with odd numbers.
pub fn make<L: Outside, E: From<Stopped> + From<io::Error> + Send>(
    layout: &L,
    places: [&dyn Records; 2],
    census: Option<Census>,
    progress: &dyn Progress,
    each: &mut EachOutside<'_, L, E>,
) -> Result<(), E> {
    let state = L::PartState::default();
    let mut above: Option<L::Tier> = None;
    let mut made: Option<Filled> = None;
    for number in layout.tiers(0).rev() {
        let tier = layout.tier(0, number);
        let job = Job { part: 0, number, tier: &tier, state: &state, layers: &|_| None, census, progress };
        let [from, to] = [number + 1, number].map(|number| places[number as usize % 2]);
        let (handed_on, filled) = rayon::join(
            || above.as_ref().zip(made).map_or(Ok(()), |(tier, filled)| each(tier, filled)),
            || layout.fill_outside::<E>(&job, above.as_ref().map(|above| (above, from)), to),
        );
        handed_on?;
        made = Some(filled?);
        above = Some(tier);
    }
    above.as_ref().zip(made).map_or(Ok(()), |(tier, filled)| each(tier, filled))
}

//! The codes of a tile's quiet boards, group after group.

use super::network::TILE;
use super::tier::Tier;
use super::work::Work;
use crate::engine::pack::Groups;
use crate::engine::scale::Detail;
use crate::position::Side;

/// Moves the bits of a word that are set in a mask together.
pub trait Squeeze: Fn(u64, u64) -> u64 + Copy {}

impl<F: Fn(u64, u64) -> u64 + Copy> Squeeze for F {}

/// Codes have at most this many bits: there are at most 64 empty cells.
const MOST_BITS: usize = 7;

/// Adds the groups of a tile, whose open boards are known.
#[inline(always)]
pub fn pack_tile(
    tier: &Tier<'_>,
    start: usize,
    planes: &[u64],
    work: &mut Work<'_>,
    groups: &mut Groups,
    squeeze: impl Squeeze,
) {
    let Work { open, quiet, at_hand, threats, buffers, .. } = work;
    let length = quiet.len();
    let painted = &mut buffers.words[0][..length];
    painted.copy_from_slice(at_hand);
    for threat in &*threats {
        threat.paint(start, painted);
    }
    for ((quiet, open), threats) in quiet.iter_mut().zip(&*open).zip(&*painted) {
        *quiet = open & !threats;
    }
    if tier.stones == tier.fold.cells() {
        quiet.fill(0);
    }
    let size = tier.group_words();
    match tier.fold.detail {
        Detail::Winner => {
            let plane = |side: Side| &planes[side as usize * tier.words() + start..][..length];
            let (wins, losses) = (plane(tier.mover()), plane(tier.mover().other()));
            for ((quiet, wins), losses) in quiet.chunks(size).zip(wins.chunks(size)).zip(losses.chunks(size)) {
                groups.push(quiet, [wins, losses].into_iter(), squeeze);
            }
        }
        Detail::Depth => {
            let mut digits = [[0; TILE]; MOST_BITS];
            write_depths(tier, start, planes, length, &mut digits);
            let digits = &digits[..tier.scale().bits() as usize];
            for (number, quiet) in quiet.chunks(size).enumerate() {
                groups.push(quiet, digits.iter().map(|digit| &digit[number * size..][..size]), squeeze);
            }
        }
    }
}

/// The depths of a tile in binary, from planes that say who has won by when.
#[inline(always)]
fn write_depths(tier: &Tier<'_>, start: usize, planes: &[u64], length: usize, digits: &mut [[u64; TILE]; MOST_BITS]) {
    let mut decided = [0; TILE];
    let decided = &mut decided[..length];
    for (depth, plane) in planes.chunks_exact(tier.words()).enumerate().skip(1) {
        let mut new = [0; TILE];
        for ((new, decided), plane) in new.iter_mut().zip(&mut *decided).zip(&plane[start..start + length]) {
            *new = plane & !*decided;
            *decided |= plane;
        }
        for (_, words) in digits.iter_mut().enumerate().filter(|(digit, _)| depth >> digit & 1 != 0) {
            words.iter_mut().zip(&new).for_each(|(word, new)| *word |= new);
        }
    }
}

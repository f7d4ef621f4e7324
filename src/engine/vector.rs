//! What the compiler does not do by itself: single instructions of the processor. The engine's one file with `unsafe`.
//!
//! The steps of the engine are compiled for several processors, with everything inlined into them. A closure has the
//! instructions of the function that it stands in, and one that is handed to an iterator's method, such as `for_each`, is often
//! called from code for the plainest processor. So the steps use loops. `pext!` and `pdep!` are closures that stand in the steps
//! themselves.
//!
//! Processors with AVX-512 or VPCLMULQDQ move bits in one instruction. Of those without them, some have it too, but on many it is
//! slow, and nothing tells which. So only for the former do `match_target!` arms name it; the others get `squeeze` or runs.

#![allow(unsafe_code, reason = "the processor is asked to fetch memory, which takes a pointer")]

/// Asks the processor to fetch words that will soon be read. This changes no result, so the portable version does nothing.
#[inline(always)]
pub fn fetch(words: &[u64]) {
    for line in words.chunks(8) {
        // SAFETY: the pointer is that of a slice, and fetching has no effect but on the cache.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast());
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        let _ = line;
    }
}

/// Moves the bits of a word that are set in a mask together, on every processor.
#[inline(always)]
pub fn squeeze(word: u64, mask: u64) -> u64 {
    let (mut rest, mut moved, mut at) = (mask, 0, 0);
    while rest != 0 {
        moved |= (word >> rest.trailing_zeros() & 1) << at;
        rest &= rest - 1;
        at += 1;
    }
    moved
}

/// Moves the lowest bits of a word to where a mask is set: the way back.
#[cfg(test)]
pub fn spread(word: u64, mask: u64) -> u64 {
    let bits = (0..64).filter(|bit| mask >> bit & 1 != 0);
    bits.enumerate().fold(0, |found, (at, bit)| found | (word >> at & 1) << bit)
}

/// [`squeeze`] in one instruction.
#[cfg(target_arch = "x86_64")]
macro_rules! pext {
    () => {
        |word: u64, mask: u64| core::arch::x86_64::_pext_u64(word, mask)
    };
}

/// The way back in one instruction.
#[cfg(target_arch = "x86_64")]
macro_rules! pdep {
    () => {
        |word: u64, mask: u64| core::arch::x86_64::_pdep_u64(word, mask)
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use {pdep, pext};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A word squeezed and spread by the processor; none if it has no such instructions.
    #[cfg(target_arch = "x86_64")]
    fn by_instruction(word: u64, mask: u64) -> Option<[u64; 2]> {
        #[target_feature(enable = "bmi2")]
        fn both(word: u64, mask: u64) -> [u64; 2] {
            [pext!()(word, mask), pdep!()(word, mask)]
        }
        // SAFETY: the processor has the instructions.
        is_x86_feature_detected!("bmi2").then(|| unsafe { both(word, mask) })
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn by_instruction(_word: u64, _mask: u64) -> Option<[u64; 2]> {
        None
    }

    proptest! {
        #[test]
        fn the_instructions_give_the_same_as_the_software(word: u64, mask: u64, other: u64) {
            for mask in [mask, mask & other, mask | other, 0, u64::MAX] {
                prop_assert_eq!(spread(squeeze(word, mask), mask), word & mask);
                if let Some(found) = by_instruction(word, mask) {
                    prop_assert_eq!(found, [squeeze(word, mask), spread(word, mask)]);
                }
            }
        }
    }
}

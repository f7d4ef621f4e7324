//! The one file of the fold with `unsafe`: what the compiler does not do by itself.
//!
//! Fetching ahead changes no result, so the portable version does nothing.

#![allow(unsafe_code, reason = "the processor is asked to fetch memory, which takes a pointer")]

/// Asks the processor to fetch words that will soon be read.
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

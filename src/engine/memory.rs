//! Memory for the planes of a tier.
//!
//! The planes of a large game are read in scattered places, and with pages of 4 kB the processor spends much of its
//! time finding pages. So larger pages are asked for where the system has them. The system zeroes fresh memory page by
//! page when it is first touched, so the memory of two tiers is kept and reused.

use std::ops::{Deref, DerefMut};

/// Words, all 0 at first.
pub struct Words(Storage);

#[cfg(not(feature = "mmap"))]
type Storage = Vec<u64>;

#[cfg(not(feature = "mmap"))]
impl Words {
    /// This many words.
    pub fn new(length: usize) -> Words {
        Words(vec![0; length])
    }
}

#[cfg(feature = "mmap")]
use pages::Storage;

/// Memory that may come in large pages.
#[cfg(feature = "mmap")]
mod pages {
    use std::ops::{Deref, DerefMut};

    use memmap2::MmapMut;

    pub enum Storage {
        Pages(MmapMut),
        Heap(Vec<u64>),
    }

    impl super::Words {
        /// This many words.
        pub fn new(length: usize) -> super::Words {
            let bytes = length * size_of::<u64>();
            let pages = MmapMut::map_anon(bytes).ok().filter(|_| bytes > 0);
            let Some(pages) = pages else { return super::Words(Storage::Heap(vec![0; length])) };
            // Larger pages only make it faster, so it does not matter if there are none.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            super::Words(Storage::Pages(pages))
        }
    }

    impl Deref for Storage {
        type Target = [u64];

        fn deref(&self) -> &[u64] {
            match self {
                Storage::Pages(pages) => bytemuck::cast_slice(pages),
                Storage::Heap(words) => words,
            }
        }
    }

    impl DerefMut for Storage {
        fn deref_mut(&mut self) -> &mut [u64] {
            match self {
                Storage::Pages(pages) => bytemuck::cast_slice_mut(pages),
                Storage::Heap(words) => words,
            }
        }
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

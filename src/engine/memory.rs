//! Memory for the planes of a tier.
//!
//! The planes of a large game are read all over the place, and with pages of 4 kB the processor spends a good part of its time
//! on finding pages. So where the system has larger ones, they are asked for. Fresh memory is handed out zeroed and page by page
//! when it is first touched; two tiers are kept and used again and again.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Words that are 0 at first.
pub struct Words(Storage);

enum Storage {
    Pages(MmapMut),
    Heap(Vec<u64>),
}

impl Words {
    /// So many words.
    pub fn new(length: usize) -> Words {
        let bytes = length * size_of::<u64>();
        let pages = MmapMut::map_anon(bytes).ok().filter(|_| bytes > 0);
        let Some(pages) = pages else { return Words(Storage::Heap(vec![0; length])) };
        // Larger pages are faster, and no more than that.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Words(Storage::Pages(pages))
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match &self.0 {
            Storage::Pages(pages) => bytemuck::cast_slice(pages),
            Storage::Heap(words) => words,
        }
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Storage::Pages(pages) => bytemuck::cast_slice_mut(pages),
            Storage::Heap(words) => words,
        }
    }
}

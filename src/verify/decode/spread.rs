//! Moving all bits of a number at once, eight at a time.

/// For each bit of a number, the bits that stand for it.
#[derive(Clone, Debug)]
pub struct Spread {
    tables: Vec<[u64; 256]>,
}

impl Spread {
    /// Moves bit 0 to the first image, bit 1 to the second and so on. Further bits are dropped.
    pub fn new(images: impl IntoIterator<Item = u64>) -> Spread {
        let images: Vec<u64> = images.into_iter().collect();
        let table = |images: &[u64]| {
            let mut table = [0; 256];
            for byte in 1usize..256 {
                let bit = byte.ilog2() as usize;
                table[byte] = table[byte ^ 1 << bit] | images.get(bit).copied().unwrap_or(0);
            }
            table
        };
        Spread { tables: images.chunks(8).map(table).collect() }
    }

    /// The images of all bits of a number.
    #[inline]
    pub fn apply(&self, number: u64) -> u64 {
        let bytes = number.to_le_bytes();
        self.tables.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

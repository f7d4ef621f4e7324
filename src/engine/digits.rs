//! A bit for each number with a given number of binary digits, 64 to a word. In both layouts, each digit is the colour of a stone.
//! The six lowest digits of a bit's number are those inside its word, the others make the word's number.

/// For each digit, the bits whose number has it.
pub const DIGIT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// How many words have a bit for each number of this many digits.
#[inline(always)]
pub fn words(digits: u32) -> usize {
    1 << digits.saturating_sub(6)
}

/// The bits of a word that belong to such a number: all, unless there are fewer than six digits.
#[inline(always)]
pub fn used_bits(digits: u32) -> u64 {
    if digits < 6 { (1 << (1 << digits)) - 1 } else { u64::MAX }
}

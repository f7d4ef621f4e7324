//! The digits of a bit's number inside a word. In both layouts, each of them is the colour of a stone.

/// For each digit, the bits whose number has it.
pub const DIGIT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

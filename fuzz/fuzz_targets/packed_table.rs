#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| menace::hostile::packed_table(bytes));

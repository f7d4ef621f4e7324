#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| menace::hostile::play_prompt(bytes));

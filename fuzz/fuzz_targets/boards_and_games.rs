#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| menace::hostile::boards_and_games(bytes));

//! Training allocates no memory while it plays.

use menace::table::Classes;
use menace::train::{Arena, Seat, Teaching, Training};
use menace::{BySide, Perfect, Random, Side, games};

#[test]
fn a_game_allocates_nothing() {
    for name in ["tictactoe", "hexapawn", "4x3x3+gravity"] {
        let game = games::find(name).unwrap();
        let perfect = Perfect::of(&game, &()).unwrap();
        for seats in [
            BySide { first: Seat::Learner, second: Seat::Opponent(&Random) },
            BySide { first: Seat::Opponent(&perfect), second: Seat::Learner },
            BySide { first: Seat::Learner, second: Seat::Learner },
        ] {
            let arena = Arena::new(&game, &Classes::new(&*game, true), seats, &()).unwrap();
            let teaching = Teaching::default();
            let mut training = Training::begin(&arena, &teaching, 1).unwrap();
            let taken = allocation_counter::measure(|| training.play(20_000));
            assert_eq!(taken.count_total, 0, "{name}");
            assert_eq!(training.tally(Side::First).games(), 20_000);
        }
    }
}

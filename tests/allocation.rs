//! Training takes no memory while it plays.

use menace::train::{Arena, Side, Training};
use menace::{Chooser, Classes, Player, Teaching, Verdicts, games};

#[test]
fn a_game_allocates_nothing() {
    for name in ["tictactoe", "hexapawn", "4x3x3+gravity"] {
        let game = games::find(name).unwrap();
        let verdicts = Verdicts::of(&*game, &());
        for sides in [
            [Side::Learner, Side::Opponent(Chooser::Random)],
            [Side::Opponent(Chooser::Perfect(&verdicts)), Side::Learner],
            [Side::Learner, Side::Learner],
        ] {
            let arena = Arena::new(&*game, &Classes::new(&*game, true), &sides, &()).unwrap();
            let teaching = Teaching::default();
            let mut training = Training::begin(&arena, &teaching, 1).unwrap();
            let taken = allocation_counter::measure(|| training.play(20_000));
            assert_eq!(taken.count_total, 0, "{name}");
            assert_eq!(training.tally(Player::One).games(), 20_000);
        }
    }
}

//! Games a second of a machine that learns tic-tac-toe. Every benchmark asserts the answer it times.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use menace::train::{Arena, Side, Training};
use menace::{Chooser, Classes, Player, Tally, Teaching, Verdicts, games};

const GAMES: u64 = 100_000;

fn train(c: &mut Criterion) {
    let game = games::find("tictactoe").expect("tic-tac-toe is a game");
    let classes = Classes::new(&*game, true);
    let verdicts = Verdicts::of(&*game, &());
    let mut group = c.benchmark_group("train, tic-tac-toe");
    group.throughput(Throughput::Elements(GAMES));
    let sides = [
        ("against chance", [Side::Learner, Side::Opponent(Chooser::Random)], [91624, 5689, 2687]),
        ("against best play", [Side::Learner, Side::Opponent(Chooser::Perfect(&verdicts))], [0, 99906, 94]),
        ("against itself", [Side::Learner, Side::Learner], [2153, 96820, 1027]),
    ];
    for (name, sides, expected) in &sides {
        let arena = Arena::new(&*game, &classes, sides, &()).expect("all can play");
        let teaching = Teaching::default();
        let begin = || Training::begin(&arena, &teaching, 1).expect("Michie's beads fit");
        group.bench_function(*name, |b| {
            let play = |training: &mut Training<'_>| {
                training.play(black_box(GAMES));
                let Tally { won, drawn, lost, .. } = training.tally(Player::One);
                assert_eq!([won, drawn, lost], *expected, "{name}");
            };
            b.iter_batched_ref(begin, play, BatchSize::LargeInput);
        });
    }
}

criterion_group!(benches, train);
criterion_main!(benches);

//! Games per second of a machine that learns tic-tac-toe. Every benchmark asserts the answer it times.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use menace::table::Classes;
use menace::train::{Arena, Seat, Tally, Teaching, Training};
use menace::{BySide, Perfect, Random, Side, games};

const GAMES: u64 = 100_000;

fn train(c: &mut Criterion) {
    let game = games::find("tictactoe").expect("tic-tac-toe is a game");
    let classes = Classes::new(&*game, true);
    let perfect = Perfect::of(&game, &()).expect("nothing stops it");
    let mut group = c.benchmark_group("train, tic-tac-toe");
    group.throughput(Throughput::Elements(GAMES));
    let seconds = [
        ("against chance", Seat::Opponent(&Random), [91624, 5689, 2687]),
        ("against best play", Seat::Opponent(&perfect), [0, 99906, 94]),
        ("against itself", Seat::Learner, [2153, 96820, 1027]),
    ];
    for (name, second, expected) in seconds {
        let seats = BySide { first: Seat::Learner, second };
        let arena = Arena::new(&game, &classes, seats, &()).expect("all can play");
        let teaching = Teaching::default();
        let begin = || Training::begin(&arena, &teaching, 1).expect("Michie's beads fit");
        group.bench_function(name, |b| {
            let play = |training: &mut Training| {
                training.play(black_box(GAMES));
                let Tally { won, drawn, lost, .. } = training.tally(Side::First);
                assert_eq!([won, drawn, lost], expected, "{name}");
            };
            b.iter_batched_ref(begin, play, BatchSize::LargeInput);
        });
    }
}

criterion_group!(benches, train);
criterion_main!(benches);

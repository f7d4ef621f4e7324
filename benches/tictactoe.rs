//! Search, prune and write tic-tac-toe. Every benchmark asserts the answer it times.

use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use menace::{Aim, Banned, Classes, Game, Plan, Player, Pruned, Pruning, Run, games};

fn tictactoe() -> Arc<dyn Game> {
    games::find("tictactoe").expect("tic-tac-toe is a game")
}

fn pruning(game: &dyn Game, machine: Player, symmetry: bool) -> Pruning<'_> {
    Pruning { game, classes: Arc::new(Classes::new(game, symmetry)), machine, progress: &() }
}

fn search(c: &mut Criterion) {
    let game = tictactoe();
    c.bench_function("search, both machines", |b| {
        b.iter(|| {
            let boxes = Player::BOTH.map(|machine| pruning(&*game, machine, false).search().len());
            assert_eq!(boxes, [2423, 2097]);
        });
    });
}

fn prune(c: &mut Criterion) {
    let game = tictactoe();
    c.bench_function("prune, both machines, with reasons", |b| {
        let full = || {
            Player::BOTH.map(|machine| {
                let pruning = pruning(&*game, machine, false);
                let banned = Banned::none(pruning.classes.clone());
                Pruned { boxes: pruning.search(), banned, rounds: Vec::new() }
            })
        };
        b.iter_batched_ref(
            full,
            |sides| {
                for (machine, pruned) in Player::BOTH.into_iter().zip(sides.iter_mut()) {
                    pruning(&*game, machine, false).learn(pruned);
                }
                let removed = sides.each_ref().map(|pruned| pruned.rounds.iter().map(|r| r.beads_removed).sum::<u64>());
                assert_eq!(removed, [8631 - 3735, 7536 - 2132]);
            },
            BatchSize::SmallInput,
        );
    });
}

fn whole_run(c: &mut Criterion) {
    let beads = |run: &Run| Player::BOTH.map(|machine| run.table(machine).map(|table| table.bead_count()));
    for aim in Aim::ALL {
        c.bench_function(&format!("generate, aim {}", aim.name()), |b| {
            let left = match aim {
                Aim::Safe => [3735, 2132],
                Aim::Win => [3243, 2008],
                Aim::Fastest => [3211, 2008],
                Aim::Trap => [2950, 1844],
            };
            let plan = Plan { aim, ..Plan::default() };
            b.iter(|| {
                assert_eq!(beads(&Run::generate(tictactoe(), &plan, &()).expect("nothing is banned")), left.map(Some))
            });
        });
    }
    c.bench_function("generate, one box a class", |b| {
        let plan = Plan { symmetry: true, ..Plan::default() };
        b.iter(|| {
            assert_eq!(
                beads(&Run::generate(tictactoe(), &plan, &()).expect("nothing is banned")),
                [Some(497), Some(280)]
            )
        });
    });
    let expected = std::fs::read("output/tictactoe.json").expect("the table is part of the project");
    let made = Run::generate(tictactoe(), &Plan::default(), &()).expect("nothing is banned");
    c.bench_function("write", |b| {
        b.iter(|| {
            let mut text = Vec::with_capacity(expected.len());
            menace::write(&made, &mut text, &()).expect("a vector takes everything");
            assert!(text == expected);
        });
    });
    c.bench_function("read", |b| {
        b.iter(|| {
            assert_eq!(beads(&menace::read(&expected).expect("what was written can be read")), [Some(3735), Some(2132)])
        });
    });
}

criterion_group!(benches, search, prune, whole_run);
criterion_main!(benches);

//! Search, prune and write tic-tac-toe. Every benchmark asserts the answer it times.

use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use menace::engine::Pruning;
use menace::table::Classes;
use menace::{Aim, BySide, Game, Plan, Side, Table, games};

fn tictactoe() -> Arc<dyn Game> {
    games::find("tictactoe").expect("tic-tac-toe is a game")
}

fn pruning(game: &dyn Game, machine: Side, symmetry: bool) -> Pruning<'_> {
    Pruning { game, classes: Arc::new(Classes::new(game, symmetry)), machine, progress: &() }
}

fn search(c: &mut Criterion) {
    let game = tictactoe();
    c.bench_function("search, both machines", |b| {
        b.iter(|| {
            let found = Side::BOTH.map(|side| pruning(&*game, side, false).search().expect("nothing stops it"));
            assert_eq!(found.map(|pruned| pruned.boxes.len()), [2423, 2097]);
        });
    });
}

fn prune(c: &mut Criterion) {
    let game = tictactoe();
    c.bench_function("prune, both machines, with reasons", |b| {
        let full = || BySide::from_fn(|side| pruning(&*game, side, false).search().expect("nothing stops it"));
        b.iter_batched_ref(
            full,
            |machines| {
                for (side, pruned) in machines.iter_mut() {
                    pruning(&*game, side, false).learn(pruned).expect("nothing stops it");
                }
                let removed =
                    machines.as_ref().map(|pruned| pruned.rounds.iter().map(|round| round.beads_removed).sum::<u64>());
                assert_eq!(removed, BySide { first: 8631 - 3735, second: 7536 - 2132 });
            },
            BatchSize::SmallInput,
        );
    });
}

fn generate(plan: &Plan) -> Table {
    Table::generate_boxes(tictactoe(), plan, &()).expect("nothing is banned")
}

/// How many beads each machine has left.
fn beads(table: &Table) -> [u64; 2] {
    Side::BOTH.map(|side| {
        let machine = table.machine(side).expect("the table is for both sides");
        machine.bead_count().expect("boxes in memory can be counted")
    })
}

fn whole_run(c: &mut Criterion) {
    for aim in Aim::ALL {
        c.bench_function(&format!("generate, aim {}", aim.name()), |b| {
            let left = match aim {
                Aim::Safe => [3735, 2132],
                Aim::Win => [3243, 2008],
                Aim::Fastest => [3211, 2008],
                Aim::Trap => [2950, 1844],
            };
            let plan = Plan { aim, ..Plan::default() };
            b.iter(|| assert_eq!(beads(&generate(&plan)), left));
        });
    }
    c.bench_function("generate, one box per class", |b| {
        let plan = Plan { symmetry: true, ..Plan::default() };
        b.iter(|| assert_eq!(beads(&generate(&plan)), [497, 280]));
    });
    let expected = std::fs::read("output/tictactoe.json").expect("the table is part of the project");
    let made = generate(&Plan::default());
    c.bench_function("write", |b| {
        b.iter(|| {
            let mut text = Vec::with_capacity(expected.len());
            made.write_json(&mut text, &()).expect("a vector takes everything");
            assert!(text == expected);
        });
    });
    c.bench_function("read", |b| {
        b.iter_batched(
            || expected.clone(),
            |text| assert_eq!(beads(&Table::read(text, None).expect("what was written can be read")), [3735, 2132]),
            BatchSize::LargeInput,
        );
    });
}

criterion_group!(benches, search, prune, whole_run);
criterion_main!(benches);

//! Search, prune and write tic-tac-toe. Every benchmark asserts the answer it times.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use menace::{Aim, Banned, Boxes, Classes, Game, Plan, Player, Pruning, Run, games};

fn tictactoe() -> Arc<dyn Game> {
    games::find("tictactoe").expect("tic-tac-toe is a game")
}

fn pruning(game: &dyn Game, machine: Player, symmetry: bool) -> Pruning<'_> {
    Pruning { game, classes: Arc::new(Classes::new(game, symmetry)), machine, progress: &() }
}

fn beads(boxes: &Boxes) -> usize {
    boxes.values().map(|matchbox| matchbox.beads().count()).sum()
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
    for (aim, left) in [(Aim::Safe, [3735, 2132]), (Aim::Win, [3243, 2008]), (Aim::Fastest, [3211, 2008])] {
        c.bench_function(&format!("prune {}, both machines, with reasons", aim.name()), |b| {
            let full = || Player::BOTH.map(|machine| pruning(&*game, machine, false).search());
            b.iter_batched_ref(
                full,
                |boxes| {
                    for (machine, boxes) in Player::BOTH.into_iter().zip(boxes.iter_mut()) {
                        let pruning = pruning(&*game, machine, false);
                        let mut banned = Banned::none(pruning.classes.clone());
                        black_box(pruning.prune(boxes, &mut banned, aim));
                    }
                    assert_eq!(boxes.each_ref().map(beads), left);
                },
                BatchSize::SmallInput,
            );
        });
    }
}

fn whole_run(c: &mut Criterion) {
    let run =
        |symmetry| Run::generate(tictactoe(), &Plan { symmetry, ..Plan::default() }, &()).expect("nothing is banned");
    let size = |run: &Run| {
        let mut text = Vec::new();
        menace::write(run, &mut text).expect("a vector takes everything");
        text.len()
    };
    for (symmetry, name) in [(false, "every board"), (true, "one box a class")] {
        c.bench_function(&format!("generate, {name}"), |b| {
            let boxes = if symmetry { 338 } else { 2423 };
            b.iter(|| assert_eq!(run(symmetry).table(Player::One).map(|table| table.boxes.len()), Some(boxes)));
        });
    }
    let (made, bytes) = (run(false), std::fs::metadata("output/tictactoe.json").map(|file| file.len() as usize));
    let bytes = bytes.expect("the table is part of the project");
    c.bench_function("write", |b| b.iter(|| assert_eq!(size(&made), bytes)));
    let text = std::fs::read("output/tictactoe.json").expect("the table is part of the project");
    c.bench_function("read", |b| {
        b.iter(|| {
            let read = menace::read(&text).expect("what was written can be read");
            assert_eq!(read.tables().map(|(_, table)| table.bead_count()).sum::<u64>(), 3735 + 2132);
        });
    });
}

criterion_group!(benches, search, prune, whole_run);
criterion_main!(benches);

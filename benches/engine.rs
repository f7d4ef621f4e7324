//! The engine on games of several sizes, and looking boards up. Every benchmark asserts the answer it times.

use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use menace::{Game, Outcome, Plan, Position, Side, Table, games};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).expect("a row game")
}

fn pack(name: &str, depths: bool) -> Table {
    Table::generate_packed(game(name), &Plan { depths, ..Plan::default() }, &()).expect("a row game can be packed")
}

/// How many boards of a side are won, drawn and lost.
fn outcome_counts(table: &Table, side: Side) -> [u64; 3] {
    let machine = table.machine(side).expect("the table is for both sides");
    [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| machine.outcome_count(outcome).expect("it is packed"))
}

/// Boards won, drawn and lost for the first machine, and for the second.
type Known = [[u64; 3]; 2];

const GAMES: [(&str, Known); 4] = [
    ("3x3x3", [[1830, 441, 152], [1006, 611, 480]]),
    ("4x4x4", [[1_681_690, 2_890_105, 84_848], [1_048_576, 3_135_728, 221_672]]),
    ("5x5x4+gravity", [[15_292_343, 6_933_326, 3_851_683], [12_004_291, 7_146_510, 5_494_137]]),
    ("5x4x4", [[178_214_769, 106_499_935, 19_668_477], [129_781_332, 120_353_522, 39_792_276]]),
];

fn solve(c: &mut Criterion) {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let mut group = c.benchmark_group(format!("packed table in memory, threads: {threads}"));
        group.sample_size(10).measurement_time(Duration::from_secs(1));
        for (name, known) in GAMES {
            group.throughput(Throughput::Elements(known.as_flattened().iter().sum()));
            for (depths, kind) in [(false, "verdicts"), (true, "depths")] {
                group.bench_function(BenchmarkId::new(kind, name), |b| {
                    b.iter(|| {
                        let table = pool.install(|| pack(name, depths));
                        assert_eq!(Side::BOTH.map(|side| outcome_counts(&table, side)), known);
                    });
                });
            }
        }
    }
}

/// Positions of random games, in which the game goes on.
fn random_positions(game: &dyn Game, count: usize) -> Vec<Position> {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut at = game.start();
        while game.result(at).is_none() {
            positions.push(at);
            let moves = game.moves(at);
            at = at.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    positions
}

fn lookup(c: &mut Criterion) {
    for name in ["4x4x4", "5x5x4+gravity"] {
        let table = pack(name, false);
        let positions = random_positions(&**table.game(), 100_000);
        let mut group = c.benchmark_group(format!("random boards of {name}"));
        group.sample_size(20).throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("verdict", |b| {
            b.iter(|| {
                let known = positions.iter().filter(|&&at| table.verdict(at).is_ok());
                assert_eq!(known.count(), positions.len());
            });
        });
        group.bench_function("many verdicts at once", |b| {
            let mut found = vec![None; positions.len()];
            b.iter(|| {
                table.verdicts(&positions, &mut found).expect("it is sound");
                assert!(found.iter().all(Option::is_some));
            });
        });
        group.throughput(Throughput::Elements(1000));
        group.bench_function("every move", |b| {
            b.iter(|| {
                for &at in &positions[..1000] {
                    let prospects = table.prospects(at).expect("it is sound");
                    assert!(prospects.iter().all(|prospect| prospect.beads.is_some_and(|beads| beads < 2)));
                }
            });
        });
        group.bench_function("box with reasons", |b| {
            b.iter(|| {
                for &at in &positions[..1000] {
                    let matchbox = table.matchbox(at).expect("it is sound").expect("it is a box");
                    assert_eq!(matchbox.is_empty(), matchbox.banned().is_some());
                }
            });
        });
    }
}

criterion_group!(benches, solve, lookup);
criterion_main!(benches);

//! The engine on games of several sizes, and looking boards up. Every benchmark asserts the answer it times.

use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use menace::packed::Packed;
use menace::{Board, Game, Plan, Player, games};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).expect("a row game")
}

fn pack(name: &str, depths: bool) -> Packed {
    Packed::make(&*game(name), &Plan { depths, ..Plan::default() }, &()).expect("a row game can be packed")
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
                        let packed = pool.install(|| pack(name, depths));
                        assert_eq!(Player::BOTH.map(|machine| packed.box_counts(machine)), known);
                    });
                });
            }
        }
    }
}

/// Boards of random games, on which the game goes on.
fn random_boards(game: &dyn Game, count: usize) -> Vec<Board> {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut boards = Vec::new();
    while boards.len() < count {
        let (mut board, mut player) = (game.start(), Player::One);
        while game.result(board, player).is_none() {
            boards.push(board);
            let moves = game.moves(board, player);
            (board, player) = (board.play(moves[rng.random_range(0..moves.len())]), player.other());
        }
    }
    boards
}

fn lookup(c: &mut Criterion) {
    for name in ["4x4x4", "5x5x4+gravity"] {
        let packed = pack(name, false);
        let boards = random_boards(&**packed.game(), 100_000);
        let mut group = c.benchmark_group(format!("random boards of {name}"));
        group.sample_size(20).throughput(Throughput::Elements(boards.len() as u64));
        group.bench_function("verdict", |b| {
            b.iter(|| {
                let known = boards.iter().filter(|&&board| packed.value(board).is_ok_and(|value| value.is_some()));
                assert_eq!(known.count(), boards.len());
            });
        });
        group.throughput(Throughput::Elements(1000));
        group.bench_function("box with reasons", |b| {
            b.iter(|| {
                for &board in &boards[..1000] {
                    let machine = if board.stone_count() % 2 == 0 { Player::One } else { Player::Two };
                    let matchbox = packed.matchbox(machine, board).expect("it is sound").expect("it is a box");
                    assert_eq!(matchbox.is_empty(), matchbox.banned().is_some());
                }
            });
        });
    }
}

criterion_group!(benches, solve, lookup);
criterion_main!(benches);

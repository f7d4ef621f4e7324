//! What live tiles take, as a table: `cargo bench --features engine,mmap,zstd --bench tiles`. With `-- --large` it adds
//! 6x6x4+gravity, which takes minutes, and with `-- --counts GAME` it prints what is counted for each number of stones.
//!
//! Each line comes from its own process, so that its memory can be measured. Lines that count assert the number of boards, and
//! some of the boards that were looked up are read back from where they were found.

use std::env;
use std::fs;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::Instant;

use cpu_time::ProcessTime;
use menace::engine::Detail;
use menace::engine::borders::InMemory;
use menace::engine::counts::{Census, Tally};
use menace::engine::sight::Sight;
use menace::engine::sweep::{BorderId, Borders, Layout, Maker};
use menace::engine::tiles::LiveTiles;
use menace::{Aim, Board, TableError, games};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The games, and how many boards can occur.
const GAMES: [(&str, u64); 3] =
    [("6x4x4+gravity", 94_910_577), ("5x5x4+gravity", 69_763_700), ("6x5x4+gravity", 2_818_972_642)];
const LARGE: (&str, u64) = ("6x6x4+gravity", 69_173_028_785);

/// What is measured: solving alone, solving with all counts and packed codes, the same with depths, and look-ups.
const KINDS: [&str; 4] = ["solve", "make", "depths", "find"];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments[..] {
        [kind, game] if kind == "find" => measure_find(game),
        [option, game] if option == "--counts" => print_counts(game),
        [kind, game, anchors @ ..] if KINDS.contains(&kind.as_str()) => measure(game, kind, anchors.first()),
        [option] if option == "--large" => print_table(&[&GAMES[..], &[LARGE]].concat()),
        [] => print_table(&GAMES),
        // Only to check the answers.
        [option] if option == "--test" => print_table(&GAMES[1..2]),
        _ => panic!("one of {KINDS:?} and a game are expected, not {arguments:?}"),
    }
}

fn layout(name: &str, detail: Detail) -> LiveTiles {
    let game = games::find(name).expect("a game");
    LiveTiles::of(game.as_rows().expect("a row game"), detail).expect("its shape fits")
}

/// Makes one game and prints the columns of its line. Anchors are digits, such as 1111.
fn measure(name: &str, kind: &str, anchors: Option<&String>) {
    let (_, known) = GAMES.into_iter().chain([LARGE]).find(|game| game.0 == name).expect("a known game");
    let (begun, processor) = (Instant::now(), ProcessTime::now());
    let (detail, aim) = if kind == "depths" { (Detail::Depth, Aim::Fastest) } else { (Detail::Winner, Aim::Win) };
    let mut layout = layout(name, detail);
    if let Some(anchors) = anchors {
        let anchors: Vec<u8> = anchors.bytes().map(|digit| digit - b'0').collect();
        layout = layout.try_with_anchors(&anchors).expect("the anchors fit");
    }
    let census = (kind != "solve").then_some(Census { aim, symmetry: false });
    let (tally, bytes) = make_all(&layout, census);
    assert!(census.is_none() || tally.iter().map(|(_, counts)| counts.boards).sum::<u64>() == known);
    let (wall, processor) = (begun.elapsed().as_secs_f64(), processor.elapsed().as_secs_f64());
    println!("{wall:.2} | {processor:.2} | {} | {} MiB", peak_memory(), bytes >> 20);
}

/// Prints the boards for each number of stones, those with a row, the codes and the beads.
fn print_counts(name: &str) {
    let census = Census { aim: Aim::Safe, symmetry: false };
    for (stones, counts) in make_all(&layout(name, Detail::Winner), Some(census)).0.iter() {
        println!("{stones} {} {} {:?} {}", counts.boards, counts.rows, counts.codes, counts.beads);
    }
}

/// Makes all parts, and returns what was counted and how many bytes the groups have.
fn make_all(layout: &LiveTiles, census: Option<Census>) -> (Tally, usize) {
    let (borders, mut tally, mut bytes) = (InMemory::compressed(), Tally::new(layout.rows(), layout.detail()), 0);
    let maker = Maker::new(layout, 0..layout.parts(), &borders, census, &());
    for part in 0..layout.parts() {
        let made = maker.make(part, &mut |_, _, filled| {
            tally.add(&filled.tally);
            bytes += filled.groups.iter().map(|groups| 2 * groups.counts.len() + groups.bytes.len()).sum::<usize>();
            Ok::<(), TableError>(())
        });
        made.expect("nothing stops it, and memory has no errors");
        for from in layout.sources(part) {
            borders.release(BorderId { from, to: part }).expect("memory has no errors");
        }
    }
    (tally, bytes)
}

/// Finds the stored boards of random games again and again.
fn measure_find(name: &str) {
    let (game, layout) = (games::find(name).expect("a game"), layout(name, Detail::Winner));
    let sight = Sight::new(layout.rows());
    let (mut rng, mut boards) = (Pcg64Mcg::seed_from_u64(1), Vec::<Board>::new());
    while boards.len() < 200_000 {
        let mut at = game.start();
        while game.result(at).is_none() {
            if sight.is_stored(at.board) {
                boards.push(at.board);
            }
            let moves = game.moves(at);
            at = at.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    let mut tiers = std::collections::HashMap::new();
    for place in boards.iter().map(|&board| layout.place(board)) {
        tiers.entry((place.part, place.tier)).or_insert_with(|| layout.tier(place.part, place.tier));
    }
    let processor = ProcessTime::now();
    for &board in &boards {
        let place = layout.place(board);
        black_box(layout.find(&tiers[&(place.part, place.tier)], &place));
    }
    println!("{:.0} ns a board | | {} |", processor.elapsed().as_secs_f64() * 1e9 / boards.len() as f64, peak_memory());
    for board in &boards[..100] {
        let place = layout.place(*board);
        let tier = &tiers[&(place.part, place.tier)];
        let (spot, mut group) = (layout.find(tier, &place), Vec::new());
        layout.for_each_board(tier, spot.group, &mut |board| group.push(board));
        let images: Vec<Board> = game.symmetries().iter().map(|turn| turn.board(*board)).collect();
        assert!(images.contains(&group[spot.rank as usize]), "{board} is where it was found");
    }
}

/// The most memory that this process has had, if the system reports it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.map_or("-".to_owned(), |kilobytes: u64| format!("{} MiB", kilobytes / 1024))
}

fn print_table(games: &[(&str, u64)]) {
    println!("| game | | wall s | CPU s | memory | packed |\n|---|---|--:|--:|--:|--:|");
    for (name, ..) in games {
        for kind in KINDS.into_iter().filter(|kind| *kind != "depths" || *name != LARGE.0) {
            let output = Command::new(env::current_exe().expect("this program has a path"))
                .args([kind, name])
                .stderr(Stdio::inherit())
                .output()
                .expect("the program starts");
            assert!(output.status.success(), "{name} {kind} failed");
            println!("| {name} | {kind} | {} |", String::from_utf8_lossy(&output.stdout).trim());
        }
    }
}

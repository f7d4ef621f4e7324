//! What live tiles take, as a table: `cargo bench --features engine,mmap --bench tiles`. With `-- --large` it adds
//! 6x6x4+gravity, which takes minutes, and with `-- --compare` it compares every tier with the present engine.
//!
//! Each line comes from its own process, so that its memory can be measured, and asserts its answer.

use std::env;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use cpu_time::ProcessTime;
use menace::engine::tiles::{LiveTiles, TierCounts};
use menace::engine::{Detail, Layout, Solver};
use menace::games;

/// The games, how many boards can occur, and the code of the empty board: 0 a draw, 1 the first side wins, 2 the second.
const GAMES: [(&str, u64, u32); 3] =
    [("6x4x4+gravity", 94_910_577, 2), ("5x5x4+gravity", 69_763_700, 0), ("6x5x4+gravity", 2_818_972_642, 0)];
const LARGE: (&str, u64, u32) = ("6x6x4+gravity", 69_173_028_785, 2);

/// What is measured: solving alone, solving with all counts, the same by parts, and the counts with depths.
const KINDS: [&str; 5] = ["solve", "count", "solve-parts", "count-parts", "depths"];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments[..] {
        [kind, game] if KINDS.contains(&kind.as_str()) => measure(game, kind),
        [option] if option == "--compare" => GAMES.iter().for_each(|(name, ..)| compare(name)),
        [option] if option == "--large" => print_table(&[&GAMES[..], &[LARGE]].concat()),
        [] => print_table(&GAMES),
        // `cargo bench -- --test` only checks that it runs.
        _ => print_table(&GAMES[1..2]),
    }
}

fn layout(name: &str, detail: Detail) -> LiveTiles {
    let game = games::find(name).expect("a game");
    LiveTiles::of(game.as_rows().expect("a row game"), detail).expect("its shape fits")
}

/// One anchor on each inner column.
fn with_anchors(name: &str) -> LiveTiles {
    let width = usize::from(games::find(name).expect("a game").shape().width());
    layout(name, Detail::Winner).with_anchors(&vec![1; width - 2])
}

fn boards(counts: &[TierCounts]) -> u64 {
    counts.iter().map(|tier| tier.boards).sum()
}

/// Solves one game and prints the columns of its line.
fn measure(name: &str, kind: &str) {
    let (_, known, known_start) = GAMES.into_iter().chain([LARGE]).find(|game| game.0 == name).expect("a known game");
    let (begun, processor) = (Instant::now(), ProcessTime::now());
    match kind {
        "solve" => assert_eq!(layout(name, Detail::Winner).start(), known_start),
        "count" => assert_eq!(boards(&layout(name, Detail::Winner).count()), known),
        "depths" => assert_eq!(boards(&layout(name, Detail::Depth).count()), known),
        _ => {
            let (counts, start) =
                with_anchors(name).count_by_parts(kind == "count-parts").expect("memory has no errors");
            assert_eq!(start, known_start);
            assert!(kind == "solve-parts" || boards(&counts) == known);
        }
    }
    let (wall, processor) = (begun.elapsed().as_secs_f64(), processor.elapsed().as_secs_f64());
    println!("{wall:.2} | {processor:.2} | {}", peak_memory());
}

/// Compares the counts of every tier with those of the present engine.
fn compare(name: &str) {
    let game = games::find(name).expect("a game");
    let rows = game.as_rows().expect("a row game");
    let whole = Layout::new(rows);
    let (mut solver, reached) = Solver::start(rows, &whole, Detail::Winner, &()).expect("nothing stops it");
    let (found, mut codes) = (layout(name, Detail::Winner).count(), Vec::new());
    while let Some(stones) = solver.next() {
        let (reached, found) = (&reached[stones as usize], &found[stones as usize]);
        let tier = solver.solve(&reached.boxes, codes, &()).expect("nothing stops it").expect("there is a next tier");
        assert_eq!((found.boards, found.rows), (reached.boards, reached.rows), "{name} {stones}");
        assert_eq!(found.codes[..3], tier.counts[..3], "{name} {stones}");
        codes = tier.codes;
    }
    println!("{name}: every tier has the same counts");
}

/// The most memory that this process has had, if the system reports it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.map_or("-".to_owned(), |kilobytes: u64| format!("{} MiB", kilobytes / 1024))
}

fn print_table(games: &[(&str, u64, u32)]) {
    println!("| game | | wall s | CPU s | memory |\n|---|---|--:|--:|--:|");
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

//! What the fold takes, as a table: `cargo bench --features engine,mmap --bench fold`, or for one game
//! `-- 5x5x4 verdicts`. Each line comes from its own process on one thread, so that its memory can be measured, and
//! asserts the number of boards and the verdict of the start. In parts, all parts are kept.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use cpu_time::ProcessTime;
use menace::Outcome;
use menace::engine::Detail;
use menace::engine::fold::{Counts, Fold, Solved, count};
use menace::games::{self, Rows};

/// What is measured of each game.
const KINDS: [&str; 3] = ["verdicts", "depths", "parts"];

/// The games that are measured, their boards, and who wins.
const GAMES: [(&str, u64, Outcome); 4] = [
    ("3x3x3", 5478, Outcome::Draw),
    ("4x4x4", 9_722_011, Outcome::Draw),
    ("5x5x5+gravity", 149_811_215, Outcome::Draw),
    ("5x4x4", 674_794_169, Outcome::Draw),
];

/// Games that are measured only if they are asked for.
const LARGE: [(&str, u64, Outcome); 3] = [
    ("5x5x3", 44_216_813_912, Outcome::Win),
    ("5x5x4", 135_554_807_014, Outcome::Draw),
    ("5x5x5", 158_977_021_146, Outcome::Draw),
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments[..] {
        [game, kind] if KINDS.contains(&kind.as_str()) => measure(game, kind),
        [] => print_table(&GAMES),
        // `cargo bench -- --test` only checks that it runs.
        _ => print_table(&GAMES[..2]),
    }
}

/// Solves one game and prints the columns of its line.
fn measure(name: &str, kind: &str) {
    let game = games::find(name).expect("a game");
    let detail = if kind == "depths" { Detail::Depth } else { Detail::Winner };
    let begun = ProcessTime::now();
    let counts = solve(game.as_rows().expect("a row game"), detail, kind == "parts");
    let solved = begun.elapsed().as_secs_f64();
    let boards: u64 = counts.iter().map(|tier| tier.boards).sum();
    let start = counts[0].verdicts().find(|(_, count)| *count > 0).expect("the empty board can occur").0;
    for (_, known, outcome) in GAMES.iter().chain(&LARGE).filter(|(known, ..)| *known == name) {
        assert_eq!(boards, *known, "boards of {name}");
        assert_eq!(start.outcome, *outcome, "the start of {name}");
    }
    println!("{boards} | {} | {solved:.3} | {}", start.outcome.name(), peak_memory());
    if env::var_os("TIERS").is_some() {
        counts
            .iter()
            .zip(0..)
            .for_each(|(tier, stones)| eprintln!("{stones} {} {} {:?}", tier.boards, tier.rows, tier.codes));
    }
}

fn solve(rows: &Rows, detail: Detail, in_parts: bool) -> Vec<Counts> {
    if in_parts && !rows.has_gravity() {
        let solved = Solved::new(Fold::with_anchors(rows, detail, &[0]), &()).expect("nothing stops it");
        return solved.counts().to_vec();
    }
    count(&Fold::new(rows, detail), &()).expect("nothing stops it")
}

/// The most memory that this process has had, if the system reports it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.map_or("-".to_owned(), |kilobytes: u64| format!("{} MiB", kilobytes / 1024))
}

fn print_table(games: &[(&str, u64, Outcome)]) {
    println!("| game | | boards | start | solve and count, CPU s | memory |");
    println!("|---|---|--:|---|--:|--:|");
    for (name, ..) in games {
        for kind in KINDS {
            let mut command = Command::new(env::current_exe().expect("this program has a path"));
            let output = command.args([name, kind]).env("RAYON_NUM_THREADS", "1").stderr(Stdio::inherit()).output();
            let output = output.expect("the program starts");
            assert!(output.status.success(), "{name} {kind} failed");
            println!("| {name} | {kind} | {} |", String::from_utf8_lossy(&output.stdout).trim());
        }
    }
}

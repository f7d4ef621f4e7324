//! How many lines `menace probe` answers in a second of one core, as the table of `docs/speed.md`.
//!
//! `cargo bench -p menace-cli --bench probe` makes packed tables, writes random boards into a file, and answers them all. Every board of a
//! game where the game goes on is as likely as any other, so look-ups jump about in the whole table. With `--test` only a small
//! table and a few boards are used.
//!
//! The time is that of the processor, reading the table into memory included, since other programs may be running. The answers are
//! counted: one for each board, and as many wins as the library finds.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use menace::{Board, Side, Table};
use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

const OPTIONS: [&str; 4] = ["", "--moves", "--csv --moves", "--play --level perfect --seed 1"];

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let games: &[&str] = if is_test { &["4x3x3"] } else { &["4x4x4", "5x4x4"] };
    let lines = if is_test { 1000 } else { 1_000_000 };
    println!("| command | lines a second and core |");
    println!("|---|--:|");
    for game in games {
        let (table, boards) = (folder.path().join(format!("{game}.menace")), folder.path().join("boards.txt"));
        let made = menace().args(["generate", "--game", game, "-o"]).arg(&table).stderr(Stdio::null()).status();
        assert!(made.expect("the program starts").success());
        let won = write_boards(&Table::open(&table).expect("it was just made"), lines, &boards);
        for options in OPTIONS {
            let rate = run(&table, options, &boards, lines, won);
            let options = if options.is_empty() { String::new() } else { format!("{options} ") };
            println!("| `menace probe {options}{game}.menace` | {:.0} |", rate.round());
        }
    }
}

fn menace() -> Command {
    Command::new(env!("CARGO_BIN_EXE_menace"))
}

/// Writes random boards on which the game goes on, and returns how many of them are won.
fn write_boards(table: &Table, lines: usize, path: &Path) -> usize {
    let (shape, mut rng) = (table.game().shape(), Pcg64Mcg::seed_from_u64(1));
    let table = table.in_memory(&()).expect("it is sound");
    let cells = usize::from(shape.cells());
    let tiers: Vec<usize> = (0..=cells).collect();
    let mut out = BufWriter::new(File::create(path).expect("the folder takes files"));
    let (mut written, mut won) = (0, 0);
    while written < lines {
        let boards_with = |&stones: &usize| ways(cells, stones) * ways(stones, stones / 2);
        let stones = *tiers.choose_weighted(&mut rng, boards_with).expect("there are boards");
        let mut digits = vec![b'0'; cells];
        digits[..stones].iter_mut().zip([b'1', b'2'].into_iter().cycle()).for_each(|(cell, digit)| *cell = digit);
        digits.shuffle(&mut rng);
        let board = Board::parse(str::from_utf8(&digits).expect("digits are text"), shape).expect("it has all cells");
        let at = menace::Position::new(board, Side::after_stones(board.stone_count()));
        let mut found = [None];
        table.verdicts(&[at], &mut found).expect("it is sound");
        if let [Some(verdict)] = found {
            writeln!(out, "{board}").expect("the folder takes files");
            won += usize::from(verdict.outcome == menace::Outcome::Win);
            written += 1;
        }
    }
    out.flush().expect("the folder takes files");
    won
}

/// In how many ways some of many can be chosen.
fn ways(many: usize, some: usize) -> f64 {
    (0..some).map(|at| (many - at) as f64 / (at + 1) as f64).product()
}

/// Answers all boards, and returns how many in a second of processor time.
fn run(table: &Path, options: &str, boards: &Path, lines: usize, won: usize) -> f64 {
    let before = children_seconds();
    let mut child = menace()
        .arg("probe")
        .args(options.split_whitespace())
        .arg(table)
        .stdin(File::open(boards).expect("it was just written"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (mut answers, mut wins) = (0, 0);
    let header = usize::from(options.contains("--csv"));
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines().skip(header) {
        let line = line.expect("answers are text");
        answers += 1;
        // The verdict on the board comes before those on its moves.
        let verdict = line.split("\"verdict\":\"").nth(1).or_else(|| line.split(',').nth(2)).expect("it has a verdict");
        wins += usize::from(verdict.starts_with("win"));
    }
    assert!(child.wait().expect("the program ends").success(), "every line has an answer");
    assert_eq!((answers, wins), (lines, won), "{options}");
    lines as f64 / (children_seconds() - before)
}

/// The processor time of all processes that this one has started and that have ended, where the system tells.
fn children_seconds() -> f64 {
    #[cfg(target_os = "linux")]
    {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The name of the program ends in a bracket and may contain spaces; the 14th and 15th fields after it are of children.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(13) + ticks(14)) / 100.0
    }
    #[cfg(not(target_os = "linux"))]
    {
        static STARTED: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
        STARTED.elapsed().as_secs_f64()
    }
}

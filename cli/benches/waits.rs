//! What a user waits for: whole commands, from start to finish, as the table of `docs/speed.md`.
//!
//! `cargo bench -p menace-cli --bench waits` prints the table. Each command runs in an empty folder, several times if it is short, and
//! must say what is expected of it. With `--test` only the short ones run, once.
//!
//! The time is what a clock shows, the middle of all runs. Memory is read from the system while a command runs, so it is a little
//! low for commands that end within milliseconds; those show none.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A command, and what it has to say.
struct Wait {
    command: &'static str,
    says: &'static str,
    is_long: bool,
}

const fn short(command: &'static str, says: &'static str) -> Wait {
    Wait { command, says, is_long: false }
}

const fn long(command: &'static str, says: &'static str) -> Wait {
    Wait { command, says, is_long: true }
}

/// In the order in which they run: later commands read what earlier ones wrote.
const WAITS: &[Wait] = &[
    short("generate", "2423     8631     3735      152"),
    short("explain X.X/.../..O", "lost in 4 moves, banned in round 2"),
    short("verify output/tictactoe.json", "all 4,520 boxes"),
    short("odds output/tictactoe.json random", "14806243/16329600"),
    short("kit", "19 boxes, one bead in each"),
    short("draw page", "output/menace.html"),
    short("draw labels", "304 labels"),
    short("train --seed 7 --replace", "won 779, drawn 95, lost 126"),
    short("train --runs 1000 --seed 1 --opponent perfect --curve curve.csv", "1,000 machines"),
    short("generate --game 4x3x3", "output/4x3x3.json"),
    short("generate --game 4x4x4", "4656643       1681690       2890105         84848"),
    short("explain id:0 output/4x4x4.menace", "a draw"),
    long("stats output/4x4x4.menace", "9722011"),
    long("verify output/4x4x4.menace", "Correct"),
    long("generate --game 5x5x4+gravity", "output/5x5x4+gravity.menace"),
    long("generate --game 5x4x4", "output/5x4x4.menace"),
    long("generate --game 6x5x4+gravity", "output/6x5x4+gravity.menace"),
    long("stats output/6x5x4+gravity.menace", "2818972642"),
    long("generate --game 5x5x4", "output/5x5x4.menace"),
    long("generate --game 6x6x4+gravity", "output/6x6x4+gravity.menace"),
];

/// How one run went.
struct Run {
    time: Duration,
    peak_mib: u64,
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    println!("{}, {} cores\n", processor(), std::thread::available_parallelism().map_or(1, usize::from));
    println!("| command | seconds | peak memory |");
    println!("|---|--:|--:|");
    for wait in WAITS.iter().filter(|wait| !(is_test && wait.is_long)) {
        let times = if is_test || wait.is_long { 1 } else { 11 };
        let mut runs: Vec<Run> = (0..times).map(|_| run(wait, folder.path())).collect();
        runs.sort_by_key(|run| run.time);
        let peak = runs.iter().map(|run| run.peak_mib).max().unwrap_or(0);
        let peak = if peak < 32 { String::new() } else { format!("{peak} MiB") };
        println!("| `menace {}` | {} | {peak} |", wait.command, seconds(runs[times / 2].time));
    }
}

/// Runs a command and asserts its answer.
fn run(wait: &Wait, folder: &Path) -> Run {
    let said = folder.join("said.txt");
    let out = fs::File::create(&said).expect("the folder takes files");
    let mut command = Command::new(env!("CARGO_BIN_EXE_menace"));
    command.args(wait.command.split(' ')).current_dir(folder).stdin(Stdio::null());
    command.stdout(out.try_clone().expect("a file can be shared")).stderr(out);
    let started = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let (status, peak_mib) = watch(&mut child);
    let time = started.elapsed();
    let said = fs::read_to_string(said).expect("the program writes text");
    assert!(status.success(), "menace {}: {status}\n{said}", wait.command);
    assert!(said.contains(wait.says), "menace {}: expected {:?}, got\n{said}", wait.command, wait.says);
    Run { time, peak_mib }
}

/// Waits for a process to end; returns how it ended, and the most memory it was seen with.
fn watch(child: &mut Child) -> (ExitStatus, u64) {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait().expect("the process is ours") {
            return (ended, peak / 1024);
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        sleep(Duration::from_micros(500));
    }
}

fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{seconds:.3}"),
        seconds => format!("{seconds:.1}"),
    }
}

/// What the processor calls itself, and whether it has vectors of 512 bits.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let vectors = match field("flags").unwrap_or_default().contains("avx512f") {
        true => "with AVX-512",
        false => "without AVX-512",
    };
    format!("{name}, {vectors}")
}

//! What the engine takes, as a table: `cargo bench --features engine --bench measure`; with `-- --instructions` it
//! fills the last column too.
//!
//! Each line comes from its own process on one thread, so that its memory can be measured. The search for boards that
//! can occur and the solving have a column each for processor time. Instructions are those of the solving step, counted
//! by valgrind, which supports vectors of up to 256 bits.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use cpu_time::ProcessTime;
use menace::engine::{Detail, Layout, Solver};
use menace::games;

/// The games, and how many boxes they have.
const GAMES: [(&str, u64); 5] = [
    ("3x3x3", 4520),
    ("4x4x4", 9_062_619),
    ("5x5x4+gravity", 50_722_290),
    ("5x4x4", 594_310_311),
    ("6x5x4+gravity", 1_885_431_122),
];

/// Depths are measured for the first games only, up to this number, since valgrind takes too long on larger ones.
const LARGEST_WITH_DEPTH: usize = 4;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments[..] {
        [game, kind] if kind == "verdicts" || kind == "depths" => measure(game, kind),
        [] => print_table(&GAMES, false),
        [option] if option == "--instructions" => print_table(&GAMES, true),
        // `cargo bench -- --test` only checks that it runs.
        _ => print_table(&GAMES[..2], false),
    }
}

/// Solves one game and prints the columns of its line.
fn measure(name: &str, kind: &str) {
    let game = games::find(name).expect("a game");
    let rows = game.as_rows().expect("a row game");
    let layout = Layout::new(rows);
    let begun = ProcessTime::now();
    let detail = if kind == "depths" { Detail::Depth } else { Detail::Winner };
    let (mut solver, reached) = Solver::start(rows, &layout, detail, &()).expect("nothing stops it");
    let searched = begun.elapsed().as_secs_f64();
    let begun = ProcessTime::now();
    let (mut codes, mut bytes) = (Vec::new(), 0);
    while let Some(stones) = solver.next() {
        let tier = solver.solve(&reached[stones as usize].boxes, codes, &()).expect("nothing stops it");
        let tier = tier.expect("there is a next tier");
        bytes += tier.codes.len();
        codes = tier.codes;
    }
    let solved = begun.elapsed().as_secs_f64();
    let boxes: u64 = reached.iter().flat_map(|tier| &tier.boxes).map(|byte| u64::from(byte.count_ones())).sum();
    let (rate, bits) = (boxes as f64 / solved / 1e6, bytes as f64 * 8.0 / boxes as f64);
    println!("{boxes} | {searched:.3} | {solved:.3} | {rate:.0} | {} | {bits:.2}", peak_memory());
}

/// The most memory that this process has had, if the system reports it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.map_or("-".to_owned(), |kilobytes: u64| format!("{} MiB", kilobytes / 1024))
}

fn print_table(games: &[(&str, u64)], counts_instructions: bool) {
    println!(
        "| game | | boxes | search, CPU s | solve, CPU s | million boxes a CPU s | memory | bits a box | instructions a box |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for (at, (name, known)) in games.iter().enumerate() {
        for kind in ["verdicts", "depths"].into_iter().filter(|kind| *kind == "verdicts" || at < LARGEST_WITH_DEPTH) {
            let line = child(&mut Command::new(env::current_exe().expect("this program has a path")), name, kind);
            assert_eq!(line.split(" | ").next(), Some(known.to_string().as_str()), "boxes of {name}");
            let is_short = at + 1 < LARGEST_WITH_DEPTH || at < LARGEST_WITH_DEPTH && kind == "verdicts";
            let is_counted = counts_instructions && is_short;
            let instructions = if is_counted { instructions(name, kind, *known as f64) } else { None };
            println!("| {name} | {kind} | {line} | {} |", instructions.unwrap_or("-".to_owned()));
        }
    }
}

/// Runs this program for one game and returns what it prints.
fn child(command: &mut Command, name: &str, kind: &str) -> String {
    let output = command.args([name, kind]).env("RAYON_NUM_THREADS", "1").stderr(Stdio::inherit()).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{name} {kind} failed");
    String::from_utf8(output.stdout).expect("a line of text").trim().to_owned()
}

/// Instructions per box in the solving step; none without valgrind.
fn instructions(name: &str, kind: &str, boxes: f64) -> Option<String> {
    let program = env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*step_down*"])
        .arg(program)
        .args([name, kind])
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .ok()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse::<f64>().ok())?;
    Some(format!("{:.1}", collected / boxes))
}

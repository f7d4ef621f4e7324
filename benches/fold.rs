//! What the fold takes, as a table: `cargo bench --features engine,mmap,zstd --bench fold`, or for one game
//! `-- 5x5x4 verdicts`. Each line comes from its own process on one thread, so that its memory can be measured. In parts,
//! all borders are kept, compressed.
//!
//! `planes` only solves, and asserts the verdict of the start; `verdicts` and `depths` also pack and count, and assert the number
//! of boards, too. `look-ups` gives nanoseconds for a board to be found, without the time to read its code; some of the boards are
//! read back from where they were found.
//!
//! Of one game, the variable `AIM` sets the aim, `SYMMETRY` counts classes, and `TIERS` prints the counts of each tier.

use std::env;
use std::fs;
use std::hint::black_box;
use std::process::{Command, Stdio};

use cpu_time::ProcessTime;
use menace::engine::Detail;
use menace::engine::borders::InMemory;
use menace::engine::counts::{Census, Tally};
use menace::engine::fold::{Blocks, Fold};
use menace::engine::sight::Sight;
use menace::engine::sweep::{Layout, Maker};
use menace::games::{self, Rows};
use menace::{Aim, Board, Cell, Game, Mark, Outcome, TableError};

/// What is measured of each game.
const KINDS: [&str; 5] = ["planes", "verdicts", "depths", "parts", "look-ups"];

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
        // Only to check the answers.
        [option] if option == "--test" => print_table(&GAMES[..2]),
        _ => panic!("a game and one of {KINDS:?} are expected, not {arguments:?}"),
    }
}

/// Solves one game and prints the columns of its line.
fn measure(name: &str, kind: &str) {
    let game = games::find(name).expect("a game");
    let rows = game.as_rows().expect("a row game");
    if kind == "look-ups" {
        return look_up(rows);
    }
    let detail = if kind == "depths" { Detail::Depth } else { Detail::Winner };
    let aim = match env::var("AIM") {
        Ok(name) => Aim::from_name(&name).expect("an aim"),
        Err(_) => Aim::Safe,
    };
    let census = Census { aim, symmetry: env::var_os("SYMMETRY").is_some() };
    let begun = ProcessTime::now();
    let orbits: &[usize] = if kind == "parts" && !rows.has_gravity() { &[0] } else { &[] };
    let solved = solve(&Fold::with_anchors(rows, detail, orbits), (kind != "planes").then_some(census));
    let seconds = begun.elapsed().as_secs_f64();
    let Solved { tally, start, bytes } = solved;
    let boards: u64 = tally.iter().map(|(_, counts)| counts.boards).sum();
    for (_, known, outcome) in GAMES.iter().chain(&LARGE).filter(|(known, ..)| *known == name) {
        assert_eq!(start, *outcome, "the start of {name}");
        assert_eq!(boards, if kind == "planes" { 0 } else { *known }, "boards of {name}");
    }
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    println!("{boards} | {} | {seconds:.3} | {mebibytes:.1} | {}", start.name(), peak_memory());
    if env::var_os("TIERS").is_some() {
        tally.iter().for_each(|(stones, counts)| eprintln!("{stones} {counts:?}"));
    }
}

/// What solving a game gives.
struct Solved {
    /// What was counted.
    tally: Tally,
    /// Who wins from the start.
    start: Outcome,
    /// How many bytes were packed.
    bytes: usize,
}

fn solve(fold: &Fold, census: Option<Census>) -> Solved {
    let borders = InMemory::compressed();
    let maker = Maker::new(fold, 0..fold.parts(), &borders, census, &());
    let mut solved = Solved { tally: Tally::new(fold.rows(), fold.detail()), start: Outcome::Draw, bytes: 0 };
    for part in 0..fold.parts() {
        let made = maker.make(part, &mut |number, layer, filled| {
            if number == 0 {
                let counted = filled.tally.verdicts(0).find(|(_, count)| *count > 0);
                // A bit for each plane: those of the boards that X wins and that O wins.
                let winner = || layer.words[..fold.words(&layer.tier)].iter().position(|word| word & 1 != 0);
                let solved_start = || winner().map_or(Outcome::Draw, |plane| [Outcome::Win, Outcome::Loss][plane]);
                solved.start = counted.map_or_else(solved_start, |(verdict, _)| verdict.outcome);
            }
            solved.tally.add(&filled.tally);
            solved.bytes += filled.groups.iter().map(|piece| piece.bytes.len() + 2 * piece.counts.len()).sum::<usize>();
            Ok::<(), TableError>(())
        });
        made.expect("nothing stops it");
    }
    solved
}

/// Finds many stored boards.
fn look_up(rows: &Rows) {
    let (fold, sight) = (Fold::new(rows, Detail::Winner), Sight::new(rows));
    let begun = ProcessTime::now();
    let tiers: Vec<Blocks> = fold.tiers(0).map(|number| fold.tier(0, number)).collect();
    let listed = begun.elapsed().as_secs_f64();
    let mut random = 1u64;
    let boards: Vec<Board> = std::iter::repeat_with(|| random_board(rows, &mut random))
        .filter(|&board| sight.is_stored(board))
        .take(20_000)
        .collect();
    let begun = ProcessTime::now();
    let mut ranks = 0;
    for board in boards.iter().cycle().take(1_000_000) {
        let place = fold.place(*board);
        ranks += u64::from(fold.find(&tiers[place.tier as usize], &place).rank);
    }
    black_box(ranks);
    println!("listing {listed:.3} s | | {} ns | | {}", begun.elapsed().as_nanos() / 1_000_000, peak_memory());
    for board in &boards[..100] {
        let place = fold.place(*board);
        let tier = &tiers[place.tier as usize];
        let (spot, mut group) = (fold.find(tier, &place), Vec::new());
        fold.for_each_board(tier, spot.group, &mut |board| group.push(board));
        let images: Vec<Board> = rows.symmetries().iter().map(|turn| turn.board(*board)).collect();
        assert!(images.contains(&group[spot.rank as usize]), "{board} is where it was found");
    }
}

/// A board after some random moves.
fn random_board(rows: &Rows, seed: &mut u64) -> Board {
    let mut below = |end: u32| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as u32 % end
    };
    let cells = u32::from(rows.shape().cells());
    let stones = below(cells);
    let mut board = Board::empty(rows.shape());
    for stone in 0..stones {
        let empty: Vec<Cell> = board.cells().filter(|&cell| board.at(cell).is_none()).collect();
        let mark = if stone % 2 == 0 { Mark::X } else { Mark::O };
        board = board.with(empty[below(empty.len() as u32) as usize], Some(mark));
    }
    board
}

/// The most memory that this process has had, if the system reports it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.map_or("-".to_owned(), |kilobytes: u64| format!("{} MiB", kilobytes / 1024))
}

fn print_table(games: &[(&str, u64, Outcome)]) {
    println!("| game | | boards | start | CPU s | packed, MiB | memory |");
    println!("|---|---|--:|---|--:|--:|--:|");
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

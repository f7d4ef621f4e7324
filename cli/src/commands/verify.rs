//! `menace verify`: checks a table from the rules alone.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use indicatif::HumanBytes;
use menace::verify::{DecodeError, Fault, MOST_WHOLE, Report, Sample, VerifyError, boards_to_check, verify};
use menace::{Board, Game, Table};

use crate::files::{self, Source};
use crate::progress_bar::Bar;
use crate::show::{self, BOLD};
use crate::tell;
use crate::words::{counted, write_quality};

const EXAMPLES: &str = "\
Examples:
  menace verify output/tictactoe.json            every box
  menace verify output/tictactoe.json@1          what round 1 leaves wrong
  menace verify --json output/tictactoe.json     one JSON object, for programs
  menace verify --sample 1000000 output/5x4x4.menace
  menace verify --all output/6x6x4+gravity.menace

Exit codes: 0 correct, 1 wrong, 2 could not be verified.";

/// Check a table independently
///
/// Solves every board again by plain backward induction, from the rules of the game alone, and compares the result with the table:
/// every board has a box, no bead loses, exactly the lost boards are banned, every reason and round is true, and the aim is met. In a
/// packed table, every verdict must follow from the verdicts of the next boards. Shows the first fault and a line of play that
/// proves it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Table to check, or TABLE@ROUND; - is standard input
    #[arg(allow_hyphen_values = true)]
    table: OsString,

    /// Packed tables: check N boards chosen at random [default: all boards, or 1,000,000 if there are more than 10 billion]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Packed tables: check every board, however many there are
    #[arg(long, conflicts_with = "sample")]
    all: bool,

    /// Repeat an earlier sample: the same number and seed choose the same boards [default: a random seed]
    #[arg(long, value_name = "S", requires = "sample")]
    seed: Option<u64>,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let source = Source::parse(&self.table)?;
        let (table, name) = (source.load()?, source.name());
        let in_words = |error| in_words(error).context(name.clone());
        let boards = boards_to_check(&table).map_err(in_words)?;
        let sample = self.sample(boards);
        if let Some(boards) = boards {
            say_time(boards, sample);
        } else {
            if self.sample.is_some() || self.all {
                bail!("--sample, --seed and --all are for packed tables, and {name} is JSON; leave them out");
            }
            super::check_size(&**table.game())?;
            super::check_aim(&**table.game(), table.aim())?;
        }
        let report = verify(&table, sample, &Bar::new()).map_err(in_words)?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = match self.json {
            true => print_json(&report, sample.filter(|_| report.is_sample), &mut out),
            false => print(&name, &report, &table, sample.filter(|_| report.is_sample), &mut out),
        };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::from(u8::from(!report.is_correct())))
    }

    /// Which boards are checked; none if all are.
    fn sample(&self, boards: Option<u64>) -> Option<Sample> {
        let is_large = boards.is_some_and(|boards| boards > MOST_WHOLE);
        let boards = self.sample.or_else(|| (is_large && !self.all).then_some(SAMPLE));
        boards.map(|boards| Sample { boards, seed: self.seed.unwrap_or_else(rand::random) })
    }
}

/// The same error, with large numbers of bytes in larger units.
fn in_words(error: VerifyError) -> anyhow::Error {
    match error {
        VerifyError::Decode(DecodeError::Memory { needed, available }) => anyhow!(
            "checking every board takes at least {} of memory, and {} is free; check some of its boards with --sample",
            HumanBytes(needed),
            HumanBytes(available)
        ),
        error => error.into(),
    }
}

/// How many boards of a large table are checked.
const SAMPLE: u64 = 1_000_000;

/// Boards a second on one core, one after the other: 15 million of 5x4x4, 11 million of 6x5x4+gravity.
const WHOLE_RATE: u64 = 10_000_000;

/// Boards a second on one core, from here and there in a table of this many boards. Nearly every board needs its next boards from
/// as many other groups, and each group is read and listed whole to find one code; a third of the time goes into searching boards
/// to the end of the game. In the largest tables, hardly two boards are in the same part of the file.
fn sample_rate(boards: u64) -> u64 {
    if boards > 100_000_000_000 { 2_500 } else { 25_000 }
}

/// Says how long a check will take, if that is worth saying.
fn say_time(boards: u64, sample: Option<Sample>) {
    let threads = rayon::current_num_threads() as u64;
    let sample = sample.filter(|sample| sample.boards < boards);
    let (boards, rate) = match sample {
        Some(sample) => (sample.boards, sample_rate(boards)),
        None => (boards, WHOLE_RATE),
    };
    let seconds = boards / (rate * threads);
    if seconds >= 5 {
        let time = indicatif::HumanDuration(std::time::Duration::from_secs(seconds));
        let what = match sample {
            Some(_) => format!("{} boards chosen at random", indicatif::HumanCount(boards)),
            None => "every board".to_owned(),
        };
        tell(&format!("checking {what}, which takes about {time}"));
    }
}

fn print(name: &str, report: &Report, table: &Table, sample: Option<Sample>, out: &mut dyn Write) -> io::Result<()> {
    let game = &**table.game();
    let checked = indicatif::HumanCount(report.checked);
    let what = match (sample, table.is_packed()) {
        (Some(Sample { boards, seed }), _) => {
            let (groups, searched) = (counted(report.groups, "group"), indicatif::HumanCount(report.searched));
            format!(
                "{checked} boards chosen at random, among them all boards of {groups}. {searched} were also searched to the \
                 end of the game. Other boards and the stored counts were not checked. --sample {boards} --seed {seed} chooses the \
                 same boards again"
            )
        }
        (None, true) if report.is_correct() => format!("all {checked} boards that it stores"),
        // Groups that do not fit end the check.
        (None, true) => format!("{checked} of its boards"),
        (None, false) if report.is_play_only => {
            format!("the {checked} boxes that the machine meets in play (it has no rounds on record)")
        }
        (None, false) => format!("all {checked} boxes"),
    };
    match &report.first {
        // A sample proves nothing about the other boards.
        None if sample.is_some() => writeln!(out, "{BOLD}No fault found{BOLD:#}: {name}, checked {what}.")?,
        None => writeln!(out, "{BOLD}Correct{BOLD:#}: {name}, {what}.")?,
        Some(first) => {
            let faults = indicatif::HumanCount(report.faults);
            let noun = if report.faults == 1 { "fault" } else { "faults" };
            writeln!(out, "{BOLD}Wrong{BOLD:#}: {name} has {faults} {noun}; checked {what}. The first:")?;
            print_fault(report, first, game, out)?;
        }
    }
    report.quality.iter().try_for_each(|quality| write_quality(quality, game.notation(), out))
}

fn print_fault(report: &Report, first: &Fault, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
    let whose = first.machine.map_or("the file".to_owned(), |machine| format!("the {machine} machine"));
    match first.id.and_then(|id| Board::from_id(id, game.shape())) {
        Some(board) => {
            writeln!(out, "\nbox {} of {whose}", board.id())?;
            show::small(game, board).iter().try_for_each(|row| writeln!(out, "  {}", row.trim_end()))?;
        }
        None => writeln!(out, "\n{whose}")?,
    }
    writeln!(out, "{}.", first.fault)?;
    if !first.line.is_empty() {
        writeln!(out, "From there: {}.", report.texts(&first.line).join(" "))?;
    }
    if !first.before.is_empty() {
        writeln!(out, "Moves that lead there: {}.", report.texts(&first.before).join(" "))?;
    }
    Ok(())
}

fn print_json(report: &Report, sample: Option<Sample>, out: &mut dyn Write) -> io::Result<()> {
    #[derive(serde::Serialize)]
    struct WithSeed<'a> {
        #[serde(flatten)]
        report: &'a Report,
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
    }
    serde_json::to_writer(&mut *out, &WithSeed { report, seed: sample.map(|sample| sample.seed) })?;
    writeln!(out)
}

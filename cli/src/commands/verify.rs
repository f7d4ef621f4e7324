//! `menace verify`: checks a table from the rules alone.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use menace::verify::{Fault, Report, Sample, verify};
use menace::{Board, Game, Table};

use crate::files::{self, Source};
use crate::progress_bar::Bar;
use crate::show::{self, BOLD};
use crate::words::write_quality;

const EXAMPLES: &str = "\
Examples:
  menace verify output/tictactoe.json            every box
  menace verify output/tictactoe.json@1          what round 1 leaves wrong
  menace verify --json output/tictactoe.json     one JSON object, for programs
  menace verify --sample 1000000 output/5x4x4.menace

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

    /// Packed tables: check N boards chosen at random [default: all boards]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Choose the same boards as an earlier --sample with this seed [default: a random seed]
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
        let seed = self.seed.unwrap_or_else(rand::random);
        let sample = self.sample.map(|boards| Sample { boards, seed });
        if !table.is_packed() {
            if sample.is_some() {
                bail!("--sample is for packed tables, and {name} is JSON; leave it out");
            }
            super::check_size(&**table.game())?;
            super::check_aim(&**table.game(), table.aim())?;
        }
        let report = verify(&table, sample, &Bar::new()).with_context(|| name.clone())?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = match self.json {
            true => print_json(&report, &mut out),
            false => print(&name, &report, &table, sample.filter(|_| report.is_sample), &mut out),
        };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::from(u8::from(!report.is_correct())))
    }
}

fn print(name: &str, report: &Report, table: &Table, sample: Option<Sample>, out: &mut dyn Write) -> io::Result<()> {
    let game = &**table.game();
    let checked = indicatif::HumanCount(report.checked);
    let what = match (sample, table.is_packed()) {
        (Some(Sample { seed, .. }), _) => {
            format!("{checked} boards chosen at random; --seed {seed} chooses them again")
        }
        (None, true) => format!("all {checked} boards that it stores"),
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
    let name = first.machine.name();
    match first.id.and_then(|id| Board::from_id(id, game.shape())) {
        Some(board) => {
            writeln!(out, "\nbox {} of the {name} machine", board.id())?;
            show::small(game, board).iter().try_for_each(|row| writeln!(out, "  {}", row.trim_end()))?;
        }
        None => writeln!(out, "\nthe {name} machine")?,
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

fn print_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    writeln!(out)
}

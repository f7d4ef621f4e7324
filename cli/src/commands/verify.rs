//! `menace verify`: proves a table again.

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
  menace verify output/tictactoe.json
  menace verify --json table.json
  menace verify output/5x4x4.menace
  menace verify --sample 1000000 output/6x5x4+gravity.menace

Exit codes: 0 correct, 1 wrong, 2 could not be verified.";

/// Check a table independently
///
/// Works every board out again by plain backward induction, with nothing but the rules of the game, and compares: a box for
/// every board, no bead that loses, the banned boards exactly the lost ones, every reason and round true, the aim kept. In a packed
/// table every verdict has to follow from those of the next boards. Shows the first fault and a line of play that proves it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The table; - is standard input
    #[arg(allow_hyphen_values = true)]
    table: OsString,

    /// Check this many boards of a packed table, chosen at random, instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Choose the same boards again
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
        (None, true) => format!("all {checked} boards that have a place in it"),
        (None, false) if report.is_play_only => {
            format!("{checked} boxes; without rounds on record, those that the machine meets in play")
        }
        (None, false) => format!("all {checked} boxes"),
    };
    match &report.first {
        // A sample proves nothing of the boards outside it.
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
            show::small(board, game.shape()).try_for_each(|row| writeln!(out, "  {row}"))?;
        }
        None => writeln!(out, "\nthe {name} machine")?,
    }
    writeln!(out, "{}.", first.fault)?;
    if !first.line.is_empty() {
        writeln!(out, "From there: {}.", report.texts(&first.line).join(" "))?;
    }
    if !first.before.is_empty() {
        writeln!(out, "A game leads there by {}.", report.texts(&first.before).join(" "))?;
    }
    Ok(())
}

fn print_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    writeln!(out)
}

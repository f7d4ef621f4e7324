//! `menace verify`: proves a table again.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use menace::show::{self, BOLD};
use menace::verify::{Fault, Report, Sample, verify, verify_packed, write_quality};
use menace::{Board, Cabinet, Game};

use crate::files::{self, Kept, Source};
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace verify output/tictactoe.json
  menace verify --json table.json
  menace verify output/5x4x4.menace
  menace verify --sample 1000000 output/6x5x4+gravity.menace

Exit codes: 0 correct, 1 wrong, 2 could not be verified.";

/// Prove a table without the pruner
///
/// Works every board out again by plain backward induction, with nothing but the rules of the game, and compares: a box for
/// every board, no bead that loses, the banned boards exactly the lost ones, every reason and round true, the aim kept. In a packed
/// table every verdict has to follow from those of the next boards. Tells the first fault with a line of play that shows it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The table; - is standard input
    #[arg(allow_hyphen_values = true)]
    table: String,

    /// Look at this many boards of a packed table, chosen by chance, instead of all
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
        let kept = files::load(&Source::parse(&self.table)?)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let sample = self.sample.map(|boards| Sample { boards, seed });
        let report = match &kept {
            Kept::Whole(_) if sample.is_some() => {
                bail!("--sample is for packed tables, and {} is JSON; leave it out", self.table)
            }
            Kept::Whole(run) => {
                super::check_size(&*run.game)?;
                super::check_aim(&*run.game, run.aim)?;
                verify(run, &Bar::new())
            }
            Kept::Packed(packed) => verify_packed(packed, sample, &Bar::new()).with_context(|| self.table.clone())?,
        };
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed =
            if self.json { print_json(&report, &mut out) } else { self.print(&report, kept.boxes(), sample, &mut out) };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::from(u8::from(!report.is_correct())))
    }

    fn print(
        &self,
        report: &Report,
        boxes: &dyn Cabinet,
        sample: Option<Sample>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (game, packed) = (&**boxes.game(), boxes.as_packed().is_some());
        let checked = indicatif::HumanCount(report.checked);
        let what = match (sample, packed) {
            (Some(Sample { seed, .. }), _) => {
                format!("{checked} boards chosen by chance; --seed {seed} chooses them again")
            }
            (None, true) => format!("all {checked} boards that have a place in it"),
            (None, false) if report.is_play_only => {
                format!("{checked} boxes; without rounds on record, those that the machine meets in play")
            }
            (None, false) => format!("all {checked} boxes"),
        };
        match &report.first {
            None => writeln!(out, "{BOLD}Correct{BOLD:#}: {}, {what}.", self.table)?,
            Some(first) => {
                let faults = indicatif::HumanCount(report.faults);
                let noun = if report.faults == 1 { "fault" } else { "faults" };
                writeln!(
                    out,
                    "{BOLD}Wrong{BOLD:#}: {} has {faults} {noun}; looked at were {what}. The first:",
                    self.table
                )?;
                print_fault(report, first, game, out)?;
            }
        }
        report.quality.iter().try_for_each(|quality| write_quality(quality, game.notation(), out))
    }
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

//! `menace diff`: the differences between two tables.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use menace::board::Notation;
use menace::diff::Diff;
use menace::quality::{Quality, QualityJson, quality};
use menace::{Progress, Table, TableError};

use crate::files::{self, Source};
use crate::progress_bar::Bar;
use crate::words::{self, write_quality};

const EXAMPLES: &str = "\
Examples:
  menace diff a.json b.json          totals, then every box that differs
  menace diff a.json@1 a.json        what changed after the first round
  menace diff --stat a.json b.json   only the totals
  menace diff --json a.json b.json   one JSON object, for programs

TABLE@ROUND is a table as it was after a round: a.json@0 is before the first
round, a.json@2 is after the second.

Exit codes: 0 the same, 1 different, 2 could not compare.";

/// Show the differences between two tables
///
/// Compares two tables of the same game box by box: boxes and banned boards that only one of them has, beads that only one of them
/// has, numbers of beads, and reasons. The aims may differ. A machine that only one table has counts as a difference and is not
/// compared. For a trained table, it also shows how good the machine is.
///
/// A pruned table that is compared with a trained one or a kit is first reduced to what that can contain: the same machines, only
/// boards that leave a choice, and one box per class.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// First table, or TABLE@ROUND; - is standard input
    #[arg(allow_hyphen_values = true)]
    a: OsString,

    /// Second table, or TABLE@ROUND; - is standard input
    #[arg(allow_hyphen_values = true)]
    b: OsString,

    /// Print only the totals
    #[arg(long)]
    stat: bool,

    /// Print one JSON object for programs
    #[arg(long, conflicts_with = "stat")]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let sources = [Source::parse(&self.a)?, Source::parse(&self.b)?];
        if sources.iter().all(Source::is_stdin) {
            bail!("standard input can be only one of the two tables; give a file for the other");
        }
        let [a, b] = [sources[0].load()?, sources[1].load()?];
        let bar = Bar::new();
        let mut quality = [quality_of(&a, &bar)?, quality_of(&b, &bar)?];
        let (reduced_a, reduced_b) = (reduced(&a, &b)?, reduced(&b, &a)?);
        let names = sources.each_ref().map(Source::name);
        let diff = Diff::new(reduced_a.as_ref().unwrap_or(&a), reduced_b.as_ref().unwrap_or(&b), &bar)
            .with_context(|| format!("{} and {} cannot be compared", names[0], names[1]))?;
        drop(bar);
        let is_compared = |quality: &Quality| diff.machines.iter().any(|machine| machine.machine == quality.machine);
        quality.iter_mut().for_each(|of_table| of_table.retain(is_compared));
        let far = |name: &str, reduced: &Option<Table>, other: &str| match reduced {
            Some(_) => format!("{name}, reduced to what {other} can contain"),
            None => name.to_owned(),
        };
        let names = [far(&names[0], &reduced_a, "B"), far(&names[1], &reduced_b, "A")];
        match self.print(&diff, [&names[0], &names[1]], &quality, a.game().notation()) {
            Err(TableError::Io(error)) => files::written_to_stdout(Err(error))?,
            printed => printed?,
        }
        Ok(ExitCode::from(u8::from(!diff.is_same())))
    }

    fn print(
        &self,
        diff: &Diff,
        names: [&str; 2],
        quality: &[Vec<Quality>; 2],
        notation: Notation,
    ) -> Result<(), TableError> {
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        if self.json {
            let fields = ["quality_a", "quality_b"].into_iter().zip(quality).filter(|(_, found)| !found.is_empty());
            let json = |found: &[Quality]| {
                let json: Vec<_> = found.iter().map(|quality| QualityJson { quality, notation }).collect();
                serde_json::to_value(json).map_err(io::Error::from)
            };
            let fields = fields.map(|(name, found)| Ok((name, json(found)?)));
            diff.write_json(&fields.collect::<io::Result<Vec<_>>>()?, &mut out)?;
        } else {
            words::write_totals(diff, names, &mut out)?;
            for (letter, found) in ["A", "B"].into_iter().zip(quality) {
                for quality in found {
                    write!(out, "\nHow good is {letter}? ")?;
                    write_quality(quality, notation, &mut out)?;
                }
            }
            if !self.stat {
                words::write_boxes(diff, &mut out)?;
            }
        }
        Ok(out.flush()?)
    }
}

/// How good the machines of a trained table are; nothing for other tables.
fn quality_of(table: &Table, progress: &dyn Progress) -> anyhow::Result<Vec<Quality>> {
    if !table.is_trained() {
        return Ok(Vec::new());
    }
    super::check_size(&**table.game())?;
    Ok(quality(table, progress)?)
}

/// A pruned table reduced to what `other` can contain, if `other` leaves boxes out, as trained tables and kits do.
fn reduced(table: &Table, other: &Table) -> anyhow::Result<Option<Table>> {
    let boxes = |table: &Table| -> u64 {
        let machines = other.machines().iter().filter_map(|side| table.machine(side));
        machines.map(|machine| machine.box_count()).sum()
    };
    // A table as it was before the first round has no rounds either, but it leaves no box out.
    let leaves_out = other.is_trained() || other.is_play_only() && boxes(other) < boxes(table);
    let is_meant = leaves_out && !table.is_play_only() && table.game().name() == other.game().name();
    Ok(if is_meant { Some(table.reduced_to(other)?) } else { None })
}

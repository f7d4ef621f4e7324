//! `menace diff`: what differs between two runs.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use menace::diff::{Diff, ShowError};
use menace::verify::{self, Quality, QualityJson, write_quality};
use menace::{Cabinet, Notation, Progress, Run};

use crate::files::{self, Kept, Source};
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace diff a.json b.json          totals, then every box that differs
  menace diff a.json@1 a.json        what the rounds after the first took out
  menace diff --stat a.json b.json   the totals alone
  menace diff --json a.json b.json   one JSON object, for programs

A round is written after the name: a.json@0 is before the first pass, a.json@2 after the second.
Exit codes: 0 the same, 1 different, 2 could not compare.";

/// Tell what differs between two runs
///
/// Compares two tables of one game, box by box: boxes and banned boards that only one has, beads that were taken out or put
/// back, numbers of beads, reasons. Tables of different aims can be compared. Of a trained table it also tells how good it is.
/// Of a pruned table beside it only that is looked at which a trained one can have: its machines, boards that leave a choice, and one box a
/// class.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// One run: a table, or TABLE@ROUND; - is standard input
    #[arg(allow_hyphen_values = true)]
    a: String,

    /// The other run
    #[arg(allow_hyphen_values = true)]
    b: String,

    /// Print the totals only
    #[arg(long)]
    stat: bool,

    /// Print one JSON object for programs
    #[arg(long, conflicts_with = "stat")]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let [a, b] = [Source::parse(&self.a)?, Source::parse(&self.b)?];
        if a.is_stdin() && b.is_stdin() {
            bail!("standard input can be only one of the two tables; give a file for the other");
        }
        let (a, b) = (files::load(&a)?, files::load(&b)?);
        let bar = Bar::new();
        let mut quality = [quality_of(&a, &bar)?, quality_of(&b, &bar)?];
        let (narrowed_a, narrowed_b) = (beside(&a, &b)?, beside(&b, &a)?);
        let diff = Diff::new(seen(&narrowed_a, &a), seen(&narrowed_b, &b), &bar)
            .with_context(|| format!("{} and {} cannot be compared", self.a, self.b))?;
        drop(bar);
        let is_compared = |quality: &Quality| diff.tables.iter().any(|table| table.machine == quality.machine);
        quality.iter_mut().for_each(|of_run| of_run.retain(is_compared));
        let far = |name: &str, narrowed: &Option<Run>, other: &str| match narrowed {
            Some(_) => format!("{name}, as far as {other} goes"),
            None => name.to_owned(),
        };
        let names = [far(&self.a, &narrowed_a, "B"), far(&self.b, &narrowed_b, "A")];
        match self.print(&diff, [&names[0], &names[1]], &quality, a.boxes().game().notation()) {
            Err(ShowError::Write(error)) => files::written_to_stdout(Err(error))?,
            printed => printed?,
        }
        Ok(ExitCode::from(u8::from(!diff.is_same())))
    }

    fn print(
        &self,
        diff: &Diff<'_>,
        names: [&str; 2],
        quality: &[Vec<Quality>; 2],
        notation: Notation,
    ) -> Result<(), ShowError> {
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        if self.json {
            let fields = ["quality_a", "quality_b"].into_iter().zip(quality).filter(|(_, of_run)| !of_run.is_empty());
            let json = |of_run: &[Quality]| {
                let json: Vec<_> = of_run.iter().map(|quality| QualityJson { quality, notation }).collect();
                serde_json::to_value(json).map_err(io::Error::from)
            };
            let fields = fields.map(|(name, of_run)| Ok((name, json(of_run)?)));
            diff.write_json(&fields.collect::<io::Result<Vec<_>>>()?, &mut out)?;
        } else {
            diff.write_totals(names, &mut out)?;
            for (letter, of_run) in ["A", "B"].into_iter().zip(quality) {
                for quality in of_run {
                    write!(out, "\nHow good is {letter}? ")?;
                    write_quality(quality, notation, &mut out)?;
                }
            }
            if !self.stat {
                diff.write_boxes(&mut out)?;
            }
        }
        Ok(out.flush()?)
    }
}

/// How good the machines of a trained table are; of others it is not asked.
fn quality_of(kept: &Kept, progress: &dyn Progress) -> anyhow::Result<Vec<Quality>> {
    match kept {
        Kept::Whole(run) if kept.boxes().is_trained() => {
            super::check_size(&*run.game)?;
            Ok(verify::quality(run, progress))
        }
        _ => Ok(Vec::new()),
    }
}

/// A table as it is compared.
fn seen<'a>(narrowed: &'a Option<Run>, kept: &'a Kept) -> &'a dyn Cabinet {
    narrowed.as_ref().map_or(kept.boxes(), |run| run)
}

/// What of a table can be compared with a trained one of the same game, if it is not trained itself.
fn beside(kept: &Kept, trained: &Kept) -> anyhow::Result<Option<Run>> {
    let (kept, trained) = (kept.boxes(), trained.boxes());
    let is_meant = trained.is_trained() && !kept.is_trained() && trained.game().name() == kept.game().name();
    match trained.as_whole().filter(|_| is_meant) {
        Some(trained) => Ok(Some(kept.to_run()?.beside(trained))),
        None => Ok(None),
    }
}

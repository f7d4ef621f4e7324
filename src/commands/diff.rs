//! `menace diff`: what differs between two runs.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use menace::diff::{Diff, ShowError};
use menace::verify;

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
/// back, numbers of beads, reasons. Tables of different aims can be compared. Of a trained table it also tells how good it is, and
/// of a table beside it only what the trained one has is looked at: its machines, and one box a class.
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
        let (mut a, mut b) = (files::load(&a)?, files::load(&b)?);
        let bar = Bar::new();
        let mut quality = [Vec::new(), Vec::new()];
        if let (Kept::Whole(of_a), Kept::Whole(of_b)) = (&a, &b)
            && of_a.game.name() == of_b.game.name()
            && (of_a.is_trained() || of_b.is_trained())
        {
            super::check_size(&*of_a.game)?;
            quality = [of_a, of_b].map(|run| if run.is_trained() { verify::quality(run, &bar) } else { Vec::new() });
            (a, b) = (Kept::Whole(of_a.beside(of_b)), Kept::Whole(of_b.beside(of_a)));
        }
        let mut diff = Diff::new(a.boxes(), b.boxes(), &bar)
            .with_context(|| format!("{} and {} cannot be compared", self.a, self.b))?;
        drop(bar);
        diff.quality = quality;
        match self.print(&diff) {
            Err(ShowError::Write(error)) => files::written_to_stdout(Err(error))?,
            printed => printed?,
        }
        Ok(ExitCode::from(u8::from(!diff.is_same())))
    }

    fn print(&self, diff: &Diff<'_>) -> Result<(), ShowError> {
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        if self.json {
            diff.write_json(&mut out)?;
        } else {
            diff.write_totals([&self.a, &self.b], &mut out)?;
            if !self.stat {
                diff.write_boxes(&mut out)?;
            }
        }
        Ok(out.flush()?)
    }
}

//! `menace part`: makes one part of a large table.

use std::path::PathBuf;
use std::process::ExitCode;

use menace::Shelf;

use super::{Room, check_room};
use crate::progress_bar::Bar;
use crate::show;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace generate --game 6x6x4+gravity --plan --shelf shelf   write the plan
  menace part 0 --shelf shelf                                 make part 0
  menace join shelf -o 6x6x4+gravity.menace                   join all parts

Each part can be made by another process or on another computer that can
write to the same folder. plan.json says which parts have to be there first.";

/// Make one part of a large table
///
/// Reads the borders of other parts from a folder, the shelf, and puts the part and its own borders there. A part that is already
/// there is left as it is, unless it is damaged. Any scheduler can run this command: examples/cluster has files for make, Slurm and Snakemake. docs/dask.md is about Dask.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Number of the part
    #[arg(value_name = "NUMBER")]
    part: usize,

    /// Folder with the plan, written by `menace generate --plan --shelf`
    #[arg(long, value_name = "FOLDER")]
    shelf: PathBuf,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let shelf = Shelf::open(&self.shelf)?;
        let (part, folder) = (self.part, show::visible(&self.shelf));
        if let Some(need) = shelf.schedule().parts.get(part) {
            check_room(&format!("part {part} of {}", shelf.schedule().game), need.memory.into(), Room::memory())?;
        }
        match shelf.make(part, &Bar::new())? {
            true => tell(&format!("part {part} is on the shelf {folder}")),
            false => tell(&format!("part {part} was already on the shelf {folder}")),
        }
        Ok(ExitCode::SUCCESS)
    }
}

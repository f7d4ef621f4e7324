//! `menace join`: puts the parts of a large table together.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use menace::Shelf;
use menace::table::{Form, PACKED_ENDING};

use super::generate::summarise_packed;
use crate::files::Destination;
use crate::progress_bar::Bar;
use crate::show;

const EXAMPLES: &str = "\
Examples:
  menace join shelf -o connect4.menace
  menace stats shelf                     the shelf can also be read in place";

/// Join the parts of a large table
///
/// Tests the checksums of all parts on a shelf and writes them to one file, which has the same bytes as if one computer had made it.
/// If a part is missing or damaged, the command says which parts have to be made again, and gives damaged ones another name. Nothing
/// is removed from the shelf.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folder with the parts
    #[arg(value_name = "SHELF")]
    shelf: PathBuf,

    /// File to write, which ends in .menace [default: output/GAME.menace]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Overwrite any existing file, even a table over 256 MiB or a file that menace did not make
    #[arg(long)]
    replace: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let shelf = Shelf::open(&self.shelf)?;
        let destination = match self.output {
            Some(path) => Destination::table(path),
            None => {
                let name = super::file_name(&**shelf.game());
                Destination::table(format!("{name}.{PACKED_ENDING}").into()).in_default_folder()
            }
        };
        super::check_ending(&destination)?;
        if Form::of_path(destination.path()) != Form::Packed {
            let name = show::visible(destination.path());
            anyhow::bail!("\"{name}\" cannot be written: a joined table is always packed; choose a .menace file");
        }
        let destination = destination.replacing(self.replace).check()?;
        destination.prepare()?;
        let table = shelf.join(destination.path(), &Bar::new())?;
        let size = std::fs::metadata(destination.path()).map_or(0, |metadata| metadata.len());
        summarise_packed(&table, &destination.saved(size), started.elapsed());
        Ok(ExitCode::SUCCESS)
    }
}

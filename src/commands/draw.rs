//! `menace draw`: pictures of boxes and tables.

mod labels;
mod map;
mod matchbox;
mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Subcommand;
use menace::draw::{Picture, pdf};
use menace::{Aim, Cabinet, Plan, Player, games};

use crate::files::{self, Destination, Kept, Saved, Source};
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace draw page                        output/tictactoe.html, to play in a browser
  menace draw map --machine second        all that O plays, as SVG
  menace draw labels -o labels.pdf        sheets for real matchboxes
  menace draw box X.X/.../..O             one box, in the terminal
  menace draw map output/tictactoe.json -o map.png";

/// Draw boxes and tables: a page, a map, labels, a box
///
/// Pictures are made from a table, or from boxes made on the spot. Each is one file that loads nothing from anywhere; the ending
/// of its name says what it is: .svg, .png, .pdf, and .html for the page.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Page(page::Args),
    Map(map::Args),
    Labels(labels::Args),
    Box(matchbox::Args),
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.what {
            What::Page(args) => args.run(),
            What::Map(args) => args.run(),
            What::Labels(args) => args.run(),
            What::Box(args) => args.run(),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The table that a picture is of.
#[derive(clap::Args)]
struct TableArgs {
    /// The table; TABLE@ROUND is the table as it stood after a round, and without one the boxes are made on the spot
    table: Option<String>,

    /// The game, if no table is given
    #[arg(long, value_name = "GAME", default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// How strict the boxes are pruned, if no table is given [default: safe; fastest for a map]
    #[arg(long, value_name = "AIM", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Option<Aim>,
}

impl TableArgs {
    /// Reads the table, or makes one by a plan, with the game and aim that were asked for.
    fn load(&self, plan: Plan) -> anyhow::Result<Kept> {
        match &self.table {
            Some(table) => files::load(&Source::parse(table)?),
            None => {
                let aim = self.aim.unwrap_or(plan.aim);
                super::make(games::find(&self.game)?, &Plan { aim, ..plan })
            }
        }
    }
}

/// The machine that was asked for, or the first that there are boxes for.
fn machine_of(boxes: &dyn Cabinet, asked: Option<Player>) -> Player {
    asked.or_else(|| boxes.machines().first().copied()).unwrap_or(Player::One)
}

/// What a picture is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png { width: u32 },
    Pdf,
}

impl Format {
    /// The format that the name of a file asks for; standard output gets what is given.
    fn of(path: &Path, width: u32, on_stdout: Format) -> anyhow::Result<Format> {
        if path == Path::new("-") {
            return Ok(on_stdout);
        }
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png { width }),
            Some("pdf") => Ok(Format::Pdf),
            _ => bail!("\"{}\" has to end in .svg, .png or .pdf", path.display()),
        }
    }
}

/// How wide a PNG is if nobody says otherwise.
const WIDTH: u32 = 1600;

/// How large a raster is.
#[derive(clap::Args)]
struct RasterArgs {
    /// Width of a PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = WIDTH, value_parser = clap::value_parser!(u32).range(16..=16384))]
    width: u32,
}

/// Where a picture goes, and as what.
struct Target {
    path: Option<PathBuf>,
    default: String,
    format: Format,
}

impl Target {
    /// The path that was given, or else a file of this name in the default folder.
    fn new(path: Option<PathBuf>, default: String, width: u32, on_stdout: Format) -> anyhow::Result<Target> {
        let format = Format::of(path.as_deref().unwrap_or(Path::new(&default)), width, on_stdout)?;
        let target = Target { path, default, format };
        target.destination(None).check()?;
        Ok(target)
    }

    /// The file, or one of several that are numbered.
    fn destination(&self, number: Option<&str>) -> Destination {
        let numbered = |path: &Path| match number {
            None => path.to_owned(),
            Some(number) => {
                let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
                path.with_file_name(format!("{}-{number}.{}", part(path.file_stem()), part(path.extension())))
            }
        };
        match &self.path {
            Some(path) => Destination::new(numbered(path)),
            None => Destination::default_for(&numbered(Path::new(&self.default)).to_string_lossy()),
        }
    }

    /// Writes pictures, as pages of one file or as files with numbers.
    fn save(&self, pictures: &[Picture]) -> anyhow::Result<()> {
        let saved = match (self.format, pictures) {
            (Format::Pdf, pictures) => write_bytes(self.destination(None), &pdf(pictures)?)?,
            (_, [picture]) => write_bytes(self.destination(None), &self.bytes(picture)?)?,
            (_, pictures) => {
                let digits = pictures.len().to_string().len().max(2);
                let numbers: Vec<String> = (1..=pictures.len()).map(|number| format!("{number:0digits$}")).collect();
                // All or none, as far as can be told beforehand.
                numbers.iter().try_for_each(|number| self.destination(Some(number)).check())?;
                for (picture, number) in pictures.iter().zip(&numbers) {
                    tell(&write_bytes(self.destination(Some(number)), &self.bytes(picture)?)?.to_string());
                }
                return Ok(());
            }
        };
        tell(&saved.to_string());
        Ok(())
    }

    fn bytes(&self, picture: &Picture) -> anyhow::Result<Vec<u8>> {
        Ok(match self.format {
            Format::Svg => picture.svg().as_bytes().to_vec(),
            Format::Png { width } => picture.png(width)?,
            Format::Pdf => pdf(std::slice::from_ref(picture))?,
        })
    }
}

fn write_bytes(destination: Destination, bytes: &[u8]) -> anyhow::Result<Saved> {
    destination.save(|out| out.write_all(bytes))
}

/// A file of a game's picture.
fn default_name(boxes: &dyn Cabinet, what: &str, machine: Option<Player>, ending: &str) -> String {
    let machine = machine.map(|machine| format!("-{}", machine.name())).unwrap_or_default();
    format!("{}{what}{machine}.{ending}", super::file_name(&**boxes.game()))
}

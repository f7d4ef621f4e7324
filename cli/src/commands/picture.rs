//! Pictures as files: what the ending of a name asks for, and where they go.

use std::path::{Path, PathBuf};

use anyhow::bail;
use menace::draw::{Picture, pdf};

use crate::files::{Destination, Saved};
use crate::show;
use crate::tell;

/// What a picture is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
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
            _ => bail!("\"{}\" has to end in .svg, .png or .pdf", show::visible(path)),
        }
    }
}

/// How wide a PNG is if nobody says otherwise.
pub const WIDTH: u32 = 1600;

/// How a picture is written.
#[derive(clap::Args)]
pub struct PictureArgs {
    /// Replace whatever is there, even if it is no picture of ours
    #[arg(long)]
    pub replace: bool,

    /// Width of a PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = WIDTH, value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub width: u32,
}

/// Where a picture goes, and as what.
pub struct Target {
    path: Option<PathBuf>,
    default: String,
    format: Format,
    may_replace: bool,
}

/// Where a picture is to go, as it was asked for.
pub struct Wanted {
    /// The path that was given.
    pub path: Option<PathBuf>,
    /// The name of a file in the default folder, if none was given.
    pub default: String,
    /// The width of a PNG.
    pub width: u32,
    /// What goes to standard output.
    pub on_stdout: Format,
    /// Whether anything may be replaced.
    pub may_replace: bool,
}

impl Target {
    /// The path that was given, or else the default.
    pub fn new(wanted: Wanted) -> anyhow::Result<Target> {
        let Wanted { path, default, width, on_stdout, may_replace } = wanted;
        let format = Format::of(path.as_deref().unwrap_or(Path::new(&default)), width, on_stdout)?;
        let target = Target { path, default, format, may_replace };
        target.destination(None).check()?;
        Ok(target)
    }

    /// The file, or one of several that are numbered.
    fn destination(&self, number: Option<&str>) -> Destination {
        let numbered = |path: &Path| match number {
            None => path.to_owned(),
            Some(number) => {
                let mut name = path.file_stem().unwrap_or_default().to_owned();
                name.push(format!("-{number}."));
                name.push(path.extension().unwrap_or_default());
                path.with_file_name(name)
            }
        };
        let destination = match &self.path {
            Some(path) => Destination::picture(numbered(path)),
            None => Destination::picture(numbered(Path::new(&self.default))).in_default_folder(),
        };
        destination.replacing(self.may_replace)
    }

    /// Writes pictures, as pages of one file or as files with numbers.
    pub fn save(&self, pictures: &[Picture]) -> anyhow::Result<()> {
        let saved = match (self.format, pictures) {
            (Format::Pdf, pictures) => write_bytes(&self.destination(None), &pdf(pictures)?)?,
            (_, [picture]) => write_bytes(&self.destination(None), &self.bytes(picture)?)?,
            (_, pictures) => {
                let digits = pictures.len().to_string().len().max(2);
                let numbers: Vec<String> = (1..=pictures.len()).map(|number| format!("{number:0digits$}")).collect();
                // All or none, as far as can be told beforehand.
                for number in &numbers {
                    self.destination(Some(number)).check()?;
                }
                for (picture, number) in pictures.iter().zip(&numbers) {
                    tell(&write_bytes(&self.destination(Some(number)), &self.bytes(picture)?)?.to_string());
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

/// Writes a file whole.
pub fn write_bytes(destination: &Destination, bytes: &[u8]) -> anyhow::Result<Saved> {
    destination.save(|out| out.write_all(bytes))
}

//! Pictures as files: the format that the ending of a name chooses, and where the file goes.

use std::path::{Path, PathBuf};

use anyhow::bail;
use menace::draw::{Picture, pdf};

use crate::files::{self, Destination, Saved};
use crate::show;
use crate::tell;

/// The format of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Svg,
    Png { width: u32 },
    Pdf,
}

impl Format {
    /// The format that the ending of a name chooses. Standard output, and a device or a pipe of any other name, gets `on_stdout`.
    fn of(path: &Path, width: u32, on_stdout: Format) -> anyhow::Result<Format> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png { width }),
            Some("pdf") => Ok(Format::Pdf),
            _ if files::is_stream(path) => Ok(on_stdout),
            _ => bail!("\"{}\" has to end in .svg, .png or .pdf", show::visible(path)),
        }
    }
}

/// The default width of a PNG.
pub const WIDTH: u32 = 1600;

/// The options of every picture.
#[derive(clap::Args)]
pub struct PictureArgs {
    /// Overwrite any existing file, even one that menace did not draw
    #[arg(long)]
    pub replace: bool,

    /// Width of a PNG, in pixels from 16 to 16384
    #[arg(long, value_name = "PIXELS", default_value_t = WIDTH, value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub width: u32,
}

/// Where a picture goes, and in which format.
pub struct Target {
    path: Option<PathBuf>,
    default: String,
    format: Format,
    may_replace: bool,
}

/// What the command line says about where a picture goes.
pub struct Wanted {
    /// The path that was given.
    pub path: Option<PathBuf>,
    /// The name of a file in the default folder, if none was given.
    pub default: String,
    /// The width of a PNG.
    pub width: u32,
    /// The format on standard output.
    pub on_stdout: Format,
    /// Whether any existing file may be replaced.
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
                // If one file cannot be written, none is, as far as that is known beforehand.
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

/// Writes a whole file, or nothing.
pub fn write_bytes(destination: &Destination, bytes: &[u8]) -> anyhow::Result<Saved> {
    destination.save(|out| out.write_all(bytes))
}

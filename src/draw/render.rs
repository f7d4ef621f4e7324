//! Pictures in other formats, made from the SVG: PNG here, PDF in `pdf`, with the fonts in `fonts`.

mod fonts;
mod pdf;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};

use super::picture::{FONT, Picture};

pub use pdf::pdf;

/// Why a picture could not be turned into another format.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The SVG was not understood.
    #[error("the SVG of the picture cannot be turned into another format")]
    Svg(#[from] usvg::Error),
    /// It has too many pixels, or none.
    #[error("a picture of {width} by {height} pixels cannot be made; choose a width between 16 and 16384")]
    Pixels {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// The PNG could not be written.
    #[error("the picture could not be turned into PNG: {0}")]
    Png(String),
    /// The PDF could not be written.
    #[error("the picture could not be turned into PDF: {0}")]
    Pdf(String),
}

impl Picture {
    /// The picture as PNG, this many pixels wide.
    pub fn png(&self, width: u32) -> Result<Vec<u8>, PictureError> {
        let height = (f64::from(width) * self.height / self.width).round() as u32;
        let is_sensible = (16..=16384).contains(&width) && (1..=32768).contains(&height);
        let pixmap = is_sensible.then(|| Pixmap::new(width, height)).flatten();
        let mut pixmap = pixmap.ok_or(PictureError::Pixels { width, height })?;
        let tree = self.tree()?;
        let size = tree.size();
        let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
        resvg::render(&tree, scale, &mut pixmap.as_mut());
        let png = pixmap.encode_png().map_err(|error| PictureError::Png(error.to_string()))?;
        Ok(signed(png))
    }

    /// The SVG as a tree of shapes, with its text laid out.
    fn tree(&self) -> Result<Tree, PictureError> {
        let options = Options { font_family: FONT.to_owned(), fontdb: fonts::database(), ..Options::default() };
        Ok(Tree::from_str(self.svg(), &options)?)
    }
}

/// A PNG that says which program made it.
fn signed(png: Vec<u8>) -> Vec<u8> {
    /// Where the first chunk of a PNG ends, which holds the size of the picture.
    const HEADER: usize = 33;
    let text = b"tEXtSoftware\0menace";
    let length = (text.len() as u32 - 4).to_be_bytes();
    let sum = crc32fast::hash(text).to_be_bytes();
    [&png[..HEADER], &length, text, &sum, &png[HEADER..]].concat()
}

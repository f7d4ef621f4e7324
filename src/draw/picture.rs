//! A finished picture, and what it can be turned into.

use std::sync::{Arc, LazyLock};

use krilla::Document;
use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree, fontdb};

use super::canvas::{Canvas, Num, escape};

/// Text is set in this font, which pictures that are not SVG bring along.
const FONT: &str = "Noto Sans";

/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// Why a picture could not be turned into another format.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The SVG was not understood.
    #[error("the picture is no SVG that can be turned into another format")]
    Svg(#[from] usvg::Error),
    /// It has too many pixels, or none.
    #[error("a picture of {width} by {height} pixels cannot be made; choose a width between 16 and 16384")]
    Pixels {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// PNG refused it.
    #[error("the picture could not be turned into PNG: {0}")]
    Png(String),
    /// PDF refused it.
    #[error("the picture could not be turned into PDF: {0}")]
    Pdf(String),
}

/// A picture as SVG, with its size in millimetres.
#[derive(Clone, Debug)]
pub struct Picture {
    svg: String,
    width: f64,
    height: f64,
}

impl Picture {
    /// What was drawn on a canvas of this width and height, in millimetres, for readers who cannot see it with a title.
    pub(super) fn new(canvas: Canvas, (width, height): (f64, f64), title: &str) -> Picture {
        let body = canvas.into_body();
        let (w, h) = (Num(width), Num(height));
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}mm\" height=\"{h}mm\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" font-family=\"{FONT}, sans-serif\">\n<title>{}</title>\n{body}</svg>\n",
            escape(title)
        );
        Picture { svg, width, height }
    }

    /// As SVG.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Width and height in millimetres.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// As PNG, this many pixels wide.
    pub fn png(&self, width: u32) -> Result<Vec<u8>, PictureError> {
        let height = (f64::from(width) * self.height / self.width).round() as u32;
        let is_sensible = (16..=16384).contains(&width) && (1..=32768).contains(&height);
        let pixmap = is_sensible.then(|| Pixmap::new(width, height)).flatten();
        let mut pixmap = pixmap.ok_or(PictureError::Pixels { width, height })?;
        let tree = self.tree()?;
        let size = tree.size();
        let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
        resvg::render(&tree, scale, &mut pixmap.as_mut());
        pixmap.encode_png().map_err(|error| PictureError::Png(error.to_string()))
    }

    fn tree(&self) -> Result<Tree, PictureError> {
        static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
            let mut fonts = fontdb::Database::new();
            fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
            fonts.load_font_data(notosans::BOLD_TTF.to_vec());
            Arc::new(fonts)
        });
        let options = Options { font_family: FONT.to_owned(), fontdb: FONTS.clone(), ..Options::default() };
        Ok(Tree::from_str(&self.svg, &options)?)
    }
}

/// Pictures as one PDF, a page each, in their true size.
pub fn pdf(pictures: &[Picture]) -> Result<Vec<u8>, PictureError> {
    let mut document = Document::new();
    for picture in pictures {
        let (width, height) = ((picture.width * POINTS) as f32, (picture.height * POINTS) as f32);
        let refused = || PictureError::Pdf(format!("a page of {width} by {height} points"));
        let size = Size::from_wh(width, height).ok_or_else(refused)?;
        let mut page = document.start_page_with(PageSettings::new(size));
        let mut surface = page.surface();
        surface.draw_svg(&picture.tree()?, size, SvgSettings::default()).ok_or_else(refused)?;
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| PictureError::Pdf(format!("{error:?}")))
}

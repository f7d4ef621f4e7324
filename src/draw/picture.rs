//! A finished picture, as SVG.

use super::canvas::{Canvas, Num, escape};

/// The font that text is set in.
pub(super) const FONT: &str = "Noto Sans";

/// A picture as SVG, with its size in millimetres.
#[derive(Clone, Debug)]
pub struct Picture {
    svg: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Picture {
    /// The picture drawn on a canvas of this width and height in millimetres, with a title for readers who cannot see
    /// it.
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

    /// The picture as SVG.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Width and height in millimetres.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }
}

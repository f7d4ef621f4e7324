//! Pictures as PDF, one page each, at true size.
//!
//! A picture's SVG is parsed into a tree, and the tree is written shape by shape. Text stays text, which can be
//! searched and copied: a font is embedded with the glyphs that are used and the text that each stands for.

mod face;
mod page;

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::writers::{ExtGraphicsState, Resources};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use self::face::Face;
use self::page::Page;
use super::{Picture, PictureError};

/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;

const CATALOGUE: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);

/// Pictures as one PDF, one page each, at true size.
pub fn pdf(pictures: &[Picture]) -> Result<Vec<u8>, PictureError> {
    let (mut pdf, mut next) = (Pdf::new(), Ref::new(3));
    pdf.document_info(next.bump()).producer(TextStr("menace"));
    let (mut shared, mut pages) = (Shared::default(), Vec::new());
    for picture in pictures {
        let (width, height) = picture.size();
        let (width, height) = ((width * POINTS) as f32, (height * POINTS) as f32);
        let content = Page::draw(&picture.tree()?, (width, height), &mut shared)?;
        let (page, stream) = (next.bump(), next.bump());
        pdf.stream(stream, &compressed(&content)?).filter(Filter::FlateDecode);
        pdf.page(page).parent(PAGES).media_box(Rect::new(0.0, 0.0, width, height)).contents(stream);
        pages.push(page);
    }
    let fonts = shared.faces.iter().map(|face| face.write(&mut pdf, &mut next)).collect::<Result<Vec<_>, _>>()?;
    pdf.catalog(CATALOGUE).pages(PAGES);
    let mut list = pdf.pages(PAGES);
    list.count(i32::try_from(pages.len()).unwrap_or(i32::MAX)).kids(pages);
    shared.write(&fonts, list.resources());
    list.finish();
    Ok(pdf.finish())
}

/// What the pages have in common.
#[derive(Default)]
struct Shared {
    faces: Vec<Face>,
    /// The pairs of opacities for fill and stroke that are used.
    opacities: Vec<[f32; 2]>,
}

impl Shared {
    fn write(&self, fonts: &[Ref], mut resources: Resources<'_>) {
        let mut named = resources.fonts();
        for (index, font) in fonts.iter().enumerate() {
            named.pair(Name(font_name(index).as_bytes()), font);
        }
        named.finish();
        let mut named = resources.ext_g_states();
        for (index, [fill, stroke]) in self.opacities.iter().enumerate() {
            let mut state = named.insert(Name(opacity_name(index).as_bytes())).start::<ExtGraphicsState<'_>>();
            state.non_stroking_alpha(*fill).stroking_alpha(*stroke);
        }
    }
}

fn font_name(index: usize) -> String {
    format!("F{index}")
}

fn opacity_name(index: usize) -> String {
    format!("O{index}")
}

fn compressed(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| PictureError::Pdf(error.to_string()))
}

//! A font in a PDF: the glyphs that are used get new numbers from 1, and the others are left out.

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Name, Pdf, Rect, Ref, Str};
use resvg::usvg::fontdb;
use subsetter::GlyphRemapper;
use ttf_parser::GlyphId;

use super::compressed;
use crate::draw::PictureError;
use crate::draw::render::fonts;

/// The name of the system by which glyphs are numbered.
const SYSTEM: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A font and those of its glyphs that are used.
pub struct Face {
    id: fontdb::ID,
    file: &'static [u8],
    font: ttf_parser::Face<'static>,
    numbers: GlyphRemapper,
    /// How wide each glyph is, in thousandths of the font size, and the text that it stands for.
    glyphs: Vec<(f32, String)>,
}

impl Face {
    /// The place of a font in a list, and the font, which is added if it is missing.
    pub fn find(faces: &mut Vec<Face>, id: fontdb::ID) -> Result<(usize, &mut Face), PictureError> {
        let index = match faces.iter().position(|face| face.id == id) {
            Some(index) => index,
            None => {
                faces.push(Face::new(id)?);
                faces.len() - 1
            }
        };
        Ok((index, &mut faces[index]))
    }

    fn new(id: fontdb::ID) -> Result<Face, PictureError> {
        let file = fonts::file(id).ok_or_else(|| PictureError::Pdf("a font is missing".to_owned()))?;
        let font = ttf_parser::Face::parse(file, 0).map_err(|error| PictureError::Pdf(error.to_string()))?;
        let mut face = Face { id, file, font, numbers: GlyphRemapper::new(), glyphs: Vec::new() };
        // Glyph number 0 always stands for glyphs that the font does not have.
        face.glyphs.push((face.width(0), String::new()));
        Ok(face)
    }

    /// The number of a glyph in this PDF, and how wide it is.
    pub fn glyph(&mut self, id: u16, text: &str) -> (u16, f32) {
        let number = self.numbers.remap(id);
        if usize::from(number) == self.glyphs.len() {
            self.glyphs.push((self.width(id), text.to_owned()));
        }
        (number, self.glyphs[usize::from(number)].0)
    }

    /// Converts the font's units to thousandths of the font size.
    fn thousandths(&self, units: impl Into<f32>) -> f32 {
        (units.into() * 1000.0 / f32::from(self.font.units_per_em())).round()
    }

    fn width(&self, id: u16) -> f32 {
        self.thousandths(self.font.glyph_hor_advance(GlyphId(id)).unwrap_or_default())
    }

    /// Writes the font into a PDF.
    pub fn write(&self, pdf: &mut Pdf, next: &mut Ref) -> Result<Ref, PictureError> {
        let [font, glyphs, description, file, meaning] = [(); 5].map(|()| next.bump());
        let weight = if self.font.is_bold() { "Bold" } else { "Regular" };
        // Six letters and a plus mark a font that is only a subset.
        let name = format!("MENACE+NotoSans-{weight}");
        let name = Name(name.as_bytes());
        pdf.type0_font(font)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(glyphs)
            .to_unicode(meaning);
        let mut cid = pdf.cid_font(glyphs);
        cid.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM).font_descriptor(description);
        cid.cid_to_gid_map_predefined(Name(b"Identity"));
        cid.widths().consecutive(0, self.glyphs.iter().map(|(width, _)| *width));
        drop(cid);
        self.describe(pdf, description, name, file);
        let subset =
            subsetter::subset(self.file, 0, &self.numbers).map_err(|error| PictureError::Pdf(error.to_string()))?;
        pdf.stream(file, &compressed(&subset)?).filter(Filter::FlateDecode);
        pdf.stream(meaning, &compressed(&self.meanings())?).filter(Filter::FlateDecode);
        Ok(font)
    }

    fn describe(&self, pdf: &mut Pdf, description: Ref, name: Name<'_>, file: Ref) {
        let bounds = self.font.global_bounding_box();
        let [left, bottom, right, top] =
            [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(|units| self.thousandths(units));
        let capitals = self.font.capital_height().unwrap_or_else(|| self.font.ascender());
        pdf.font_descriptor(description)
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(left, bottom, right, top))
            .italic_angle(0.0)
            .ascent(self.thousandths(self.font.ascender()))
            .descent(self.thousandths(self.font.descender()))
            .cap_height(self.thousandths(capitals))
            .stem_v(if self.font.is_bold() { 140.0 } else { 80.0 })
            .font_file2(file);
    }

    /// The text that each glyph stands for.
    fn meanings(&self) -> Vec<u8> {
        let mut map = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
        for (number, (_, text)) in (0u16..).zip(&self.glyphs).filter(|(_, (_, text))| !text.is_empty()) {
            map.pair_with_multiple(number, text.chars());
        }
        map.finish().into_vec()
    }
}

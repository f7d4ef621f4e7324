//! A page of a PDF: the shapes and lines of text of a tree, in their order.
//!
//! Only what a canvas can draw is supported: shapes and upright text in plain colours, filled, stroked, dashed and
//! transparent. Anything else is refused, so that nothing is silently left out. A colour or pen is written only when it
//! changes.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Finish, Name, Str};
use resvg::tiny_skia::{PathSegment, Point};
use resvg::usvg::layout::PositionedGlyph;
use resvg::usvg::{Color, Fill, FillRule, Group, LineCap, LineJoin, Node, Paint, Path, Stroke, Text, Tree};

use super::face::Face;
use super::{Shared, font_name, opacity_name};
use crate::draw::PictureError;

/// A page in progress.
pub struct Page<'a> {
    content: Content,
    style: Style,
    shared: &'a mut Shared,
}

/// The style that was written last.
#[derive(Clone)]
struct Style {
    fill: Option<Color>,
    pen: Option<Pen>,
    opacity: [f32; 2],
}

/// How lines are drawn.
#[derive(Clone, PartialEq)]
struct Pen {
    ink: Color,
    width: f32,
    cap: LineCap,
    join: LineJoin,
    miter_limit: f32,
    dashes: Vec<f32>,
    dash_offset: f32,
}

impl<'a> Page<'a> {
    /// Draws a tree on a page of this size, in points.
    pub fn draw(tree: &Tree, (width, height): (f32, f32), shared: &'a mut Shared) -> Result<Vec<u8>, PictureError> {
        let mut page =
            Page { content: Content::new(), style: Style { fill: None, pen: None, opacity: [1.0; 2] }, shared };
        let (x, y) = (width / tree.size().width(), height / tree.size().height());
        // In PDF, up is positive.
        page.content.transform([x, 0.0, 0.0, -y, 0.0, height]);
        page.group(tree.root())?;
        Ok(page.content.finish().into_vec())
    }

    fn group(&mut self, group: &Group) -> Result<(), PictureError> {
        if group.should_isolate() {
            return Err(refused("a group that is transparent, clipped, masked or filtered"));
        }
        let (outside, to) = (self.style.clone(), group.transform());
        self.content.save_state().transform([to.sx, to.ky, to.kx, to.sy, to.tx, to.ty]);
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group)?,
                Node::Path(path) => self.path(path)?,
                Node::Text(text) => self.text(text)?,
                Node::Image(_) => return Err(refused("an image")),
            }
        }
        self.content.restore_state();
        self.style = outside;
        Ok(())
    }

    fn path(&mut self, path: &Path) -> Result<(), PictureError> {
        self.opacity(path.fill(), path.stroke());
        path.fill().map_or(Ok(()), |fill| self.fill(fill))?;
        path.stroke().map_or(Ok(()), |stroke| self.pen(stroke))?;
        self.outline(path);
        let is_even_odd = path.fill().map(|fill| fill.rule() == FillRule::EvenOdd);
        match (is_even_odd, path.stroke().is_some()) {
            (Some(false), false) => self.content.fill_nonzero(),
            (Some(true), false) => self.content.fill_even_odd(),
            (Some(false), true) => self.content.fill_nonzero_and_stroke(),
            (Some(true), true) => self.content.fill_even_odd_and_stroke(),
            (None, true) => self.content.stroke(),
            (None, false) => self.content.end_path(),
        };
        Ok(())
    }

    fn outline(&mut self, path: &Path) {
        let mut last = Point::zero();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => self.content.move_to(short(to.x), short(to.y)),
                PathSegment::LineTo(to) => self.content.line_to(short(to.x), short(to.y)),
                // The same curve as a cubic one.
                PathSegment::QuadTo(by, to) => self.cubic(two_thirds(last, by), two_thirds(to, by), to),
                PathSegment::CubicTo(a, b, to) => self.cubic(a, b, to),
                PathSegment::Close => self.content.close_path(),
            };
            last = match segment {
                PathSegment::MoveTo(to) | PathSegment::LineTo(to) => to,
                PathSegment::QuadTo(_, to) | PathSegment::CubicTo(_, _, to) => to,
                PathSegment::Close => last,
            };
        }
    }

    fn cubic(&mut self, a: Point, b: Point, to: Point) -> &mut Content {
        self.content.cubic_to(short(a.x), short(a.y), short(b.x), short(b.y), short(to.x), short(to.y))
    }

    fn text(&mut self, text: &Text) -> Result<(), PictureError> {
        for span in text.layouted().iter().filter(|span| span.visible) {
            let Some(fill) = &span.fill else { continue };
            if span.stroke.is_some()
                || span.underline.is_some()
                || span.overline.is_some()
                || span.line_through.is_some()
            {
                return Err(refused("text that is outlined, underlined or struck through"));
            }
            self.opacity(Some(fill), None);
            self.fill(fill)?;
            for glyphs in span.positioned_glyphs.chunk_by(|a, b| a.font == b.font) {
                self.glyphs(glyphs)?;
            }
        }
        Ok(())
    }

    /// Glyphs of one font in a row. The font says how wide each one is; if the next glyph is somewhere else, the
    /// distance is written.
    fn glyphs(&mut self, glyphs: &[PositionedGlyph]) -> Result<(), PictureError> {
        let Some(first) = glyphs.first() else { return Ok(()) };
        let (index, face) = Face::find(&mut self.shared.faces, first.font)?;
        let (size, at) = (first.font_size(), first.transform());
        self.content.begin_text().set_font(Name(font_name(index).as_bytes()), size);
        self.content.set_text_matrix([1.0, 0.0, 0.0, -1.0, short(at.tx), short(at.ty)]);
        let mut line = self.content.show_positioned();
        let mut items = line.items();
        let (mut pen, mut bytes) = (at.tx, Vec::new());
        for glyph in glyphs {
            let back = ((pen - glyph.transform().tx) * 1000.0 / size).round();
            if back != 0.0 {
                items.show(Str(&bytes)).adjust(back);
                bytes.clear();
                pen -= back * size / 1000.0;
            }
            let (id, width) = face.glyph(glyph.id.0, &glyph.text);
            bytes.extend(id.to_be_bytes());
            pen += width * size / 1000.0;
        }
        items.show(Str(&bytes));
        items.finish();
        line.finish();
        self.content.end_text();
        Ok(())
    }

    fn opacity(&mut self, fill: Option<&Fill>, stroke: Option<&Stroke>) {
        let fill = fill.map_or(1.0, |fill| fill.opacity().get());
        let opacity = [fill, stroke.map_or(1.0, |stroke| stroke.opacity().get())];
        if self.style.opacity != opacity {
            let known = self.shared.opacities.iter().position(|known| *known == opacity);
            let index = known.unwrap_or_else(|| {
                self.shared.opacities.push(opacity);
                self.shared.opacities.len() - 1
            });
            self.content.set_parameters(Name(opacity_name(index).as_bytes()));
            self.style.opacity = opacity;
        }
    }

    fn fill(&mut self, fill: &Fill) -> Result<(), PictureError> {
        let ink = colour(fill.paint())?;
        if self.style.fill.replace(ink) != Some(ink) {
            let [red, green, blue] = rgb(ink);
            self.content.set_fill_rgb(red, green, blue);
        }
        Ok(())
    }

    fn pen(&mut self, stroke: &Stroke) -> Result<(), PictureError> {
        let pen = Pen {
            ink: colour(stroke.paint())?,
            width: stroke.width().get(),
            cap: stroke.linecap(),
            join: stroke.linejoin(),
            miter_limit: stroke.miterlimit().get(),
            dashes: stroke.dasharray().unwrap_or_default().to_vec(),
            dash_offset: stroke.dashoffset(),
        };
        if self.style.pen.as_ref() != Some(&pen) {
            pen.write(&mut self.content);
            self.style.pen = Some(pen);
        }
        Ok(())
    }
}

impl Pen {
    /// Writes all settings of the pen.
    fn write(&self, content: &mut Content) {
        let [red, green, blue] = rgb(self.ink);
        let cap = match self.cap {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        };
        let join = match self.join {
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
        };
        content.set_stroke_rgb(red, green, blue).set_line_width(self.width).set_line_cap(cap).set_line_join(join);
        content.set_miter_limit(self.miter_limit).set_dash_pattern(self.dashes.iter().copied(), self.dash_offset);
    }
}

fn refused(what: &str) -> PictureError {
    PictureError::Pdf(format!("it contains {what}"))
}

/// Rounds to three decimals, as many as pictures have.
fn short(number: f32) -> f32 {
    (number * 1000.0).round() / 1000.0
}

/// The point two thirds of the way to another.
fn two_thirds(from: Point, to: Point) -> Point {
    Point::from_xy(from.x + (to.x - from.x) * 2.0 / 3.0, from.y + (to.y - from.y) * 2.0 / 3.0)
}

fn colour(paint: &Paint) -> Result<Color, PictureError> {
    match paint {
        Paint::Color(colour) => Ok(*colour),
        _ => Err(refused("something in more than one colour")),
    }
}

fn rgb(colour: Color) -> [f32; 3] {
    [colour.red, colour.green, colour.blue].map(|part| short(f32::from(part) / 255.0))
}

//! A drawing as a page of PDF, as large as the drawing, with the used characters of its font inside.

use super::drawing::Drawing;
use super::geometry::{Point, Rect};
use super::print::{Dash, PrintMark, marks};
use super::runs::{PlacedRun, placed_runs};
use crate::schedule::SectionKind;
use ab_glyph::{Font as _, FontRef, GlyphId};
use flate2::{Compress, Compression, FlushCompress, Status};
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Ref, Str, TextStr};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;

/// Control points of a quarter of a circle, relative to its radius.
const QUARTER: f32 = 0.5523;
/// Character collection of the fonts: their own glyph numbers.
const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The bytes of the file.
pub(super) fn write(drawing: &Drawing) -> Vec<u8> {
    let (marks, bounds) = marks(drawing);
    write_marks(&marks, bounds, &drawing.request.options.title)
}

/// A page of marks as the bytes of a file.
pub(super) fn write_marks(marks: &[PrintMark], bounds: Rect, title: &str) -> Vec<u8> {
    let mut page = Page { content: Content::new(), bounds, fonts: fonts() };
    page.content.set_line_cap(LineCapStyle::ButtCap);
    marks.iter().for_each(|mark| page.add(mark));
    let Page { content, fonts, .. } = page;
    let [catalog, pages, sheet, stream, info] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([sheet]).count(1);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("Papillon"));
    let mut object = pdf.page(sheet);
    object.parent(pages).media_box(pdf_writer::Rect::new(0.0, 0.0, bounds.width(), bounds.height())).contents(stream);
    let mut resources = object.resources();
    let mut named = resources.fonts();
    let used: Vec<_> = fonts.iter().enumerate().filter(|(_, font)| !font.characters.is_empty()).collect();
    for (number, font) in &used {
        named.pair(Name(font.name), first_ref(*number));
    }
    named.finish();
    resources.finish();
    object.finish();
    let deflated = deflated(&content.finish());
    pdf.stream(stream, &deflated).filter(Filter::FlateDecode);
    for (number, font) in used {
        font.embed(&mut pdf, first_ref(number));
    }
    pdf.finish()
}

/// The first of the objects of a font.
fn first_ref(number: usize) -> Ref {
    Ref::new(10 * (number as i32 + 1))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    // Incompressible bytes grow by a few for every block.
    let mut deflated = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 256);
    let mut compress = Compress::new(Compression::default(), true);
    let status = compress.compress_vec(bytes, &mut deflated, FlushCompress::Finish).expect("a fresh stream takes any bytes");
    assert_eq!(status, Status::StreamEnd, "{} bytes fit", bytes.len());
    deflated
}

/// A font of the program with the characters that a page uses.
struct PageFont {
    name: &'static [u8],
    data: &'static [u8],
    face: FontRef<'static>,
    glyphs: GlyphRemapper,
    /// The number of every used character in the file.
    characters: BTreeMap<char, u16>,
}

/// The fonts in the order in which they are searched for a character.
fn fonts() -> [PageFont; 2] {
    let font = |name: &'static [u8], data: &'static [u8]| PageFont {
        name,
        data,
        face: FontRef::try_from_slice(data).expect("the font in the program is well-formed"),
        glyphs: GlyphRemapper::new(),
        characters: BTreeMap::new(),
    };
    [font(b"Ubuntu-Light", epaint_default_fonts::UBUNTU_LIGHT), font(b"Hack-Regular", epaint_default_fonts::HACK_REGULAR)]
}

impl PageFont {
    fn has(&self, c: char) -> bool {
        self.face.glyph_id(c) != GlyphId(0)
    }

    /// The width of a glyph in thousandths of an em.
    fn width(&self, glyph: GlyphId) -> f32 {
        let units = self.face.units_per_em().unwrap_or(1000.0);
        1000.0 * self.face.h_advance_unscaled(glyph) / units
    }

    /// The number of a character in the file.
    fn number(&mut self, c: char) -> u16 {
        let number = self.glyphs.remap(self.face.glyph_id(c).0);
        self.characters.insert(c, number);
        number
    }

    fn embed(&self, pdf: &mut Pdf, first: Ref) {
        let [cid, descriptor, cmap, data] = [1, 2, 3, 4].map(|offset| Ref::new(first.get() + offset));
        let name = [b"PAPILN+", self.name].concat();
        pdf.type0_font(first).base_font(Name(&name)).encoding_predefined(Name(b"Identity-H")).descendant_font(cid).to_unicode(cmap);
        let mut font = pdf.cid_font(cid);
        font.subtype(CidFontType::Type2).base_font(Name(&name)).system_info(SYSTEM).font_descriptor(descriptor).default_width(0.0);
        font.cid_to_gid_map_predefined(Name(b"Identity"));
        font.widths().consecutive(0, self.glyphs.remapped_gids().map(|glyph| self.width(GlyphId(glyph))));
        font.finish();
        let units = self.face.units_per_em().unwrap_or(1000.0);
        let [ascent, descent] = [self.face.ascent_unscaled(), self.face.descent_unscaled()].map(|height| 1000.0 * height / units);
        pdf.font_descriptor(descriptor)
            .name(Name(&name))
            .flags(FontFlags::SYMBOLIC)
            .bbox(pdf_writer::Rect::new(-200.0, descent, 1200.0, ascent))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            .cap_height(700.0)
            .stem_v(60.0)
            .font_file2(data);
        let mut map = UnicodeCmap::new(Name(b"Papillon"), SYSTEM);
        self.characters.iter().for_each(|(&c, &number)| map.pair(number, c));
        pdf.cmap(cmap, &map.finish());
        let subset = subsetter::subset(self.data, 0, &self.glyphs).expect("the font in the program can be subset");
        let bytes = deflated(&subset);
        pdf.stream(data, &bytes).filter(Filter::FlateDecode).pair(Name(b"Length1"), subset.len() as i32);
    }
}

/// The page while its marks are added.
struct Page {
    content: Content,
    bounds: Rect,
    fonts: [PageFont; 2],
}

impl Page {
    /// A point of the drawing on the page, whose y grows upwards.
    fn at(&self, Point { x, y }: Point) -> [f32; 2] {
        [x - self.bounds.min.x, self.bounds.max.y - y]
    }

    fn add(&mut self, mark: &PrintMark) {
        match mark {
            PrintMark::Path { lines, dash, width, tint } => {
                self.pen(*width, *dash, *tint);
                for (index, &point) in lines.iter().flat_map(|line| line.iter().enumerate()) {
                    let [x, y] = self.at(point);
                    if index == 0 {
                        self.content.move_to(x, y)
                    } else {
                        self.content.line_to(x, y)
                    };
                }
                self.content.stroke();
            }
            PrintMark::Frame { rect, dash, radius, width } => {
                self.pen(*width, *dash, None);
                self.rounded(*rect, *radius);
                self.content.stroke();
            }
            PrintMark::Dot { at, radius } => {
                let corner = |sign: f32| Point::new(at.x + sign * radius, at.y + sign * radius);
                self.rounded(Rect::new(corner(-1.0), corner(1.0)), *radius);
                self.content.fill_nonzero();
            }
            PrintMark::Text { at, anchor, size, text, on_line } => {
                if let Some(rect) = on_line {
                    let [x, y] = self.at(Point::new(rect.min.x, rect.max.y));
                    self.content.set_fill_gray(1.0).rect(x, y, rect.width(), rect.height()).fill_nonzero().set_fill_gray(0.0);
                }
                for run in placed_runs(text, *size, *at, *anchor, |c| self.ems(c)) {
                    self.write_run(&run);
                }
            }
        }
    }

    fn pen(&mut self, width: f32, dash: Dash, tint: Option<SectionKind>) {
        let [r, g, b] = match tint {
            None => [0.0, 0.0, 0.0],
            Some(SectionKind::Split) => [0.0, 0.447, 0.698],
            Some(SectionKind::Merge) => [0.835, 0.369, 0.0],
        };
        self.content.set_line_width(width).set_stroke_rgb(r, g, b).set_dash_pattern(dash.pattern().iter().copied(), 0.0);
    }

    /// The outline of a box with round corners.
    fn rounded(&mut self, rect: Rect, radius: f32) {
        let [left, bottom] = self.at(Point::new(rect.min.x, rect.max.y));
        let [right, top] = self.at(Point::new(rect.max.x, rect.min.y));
        let (r, k) = (radius, radius * (1.0 - QUARTER));
        self.content
            .move_to(left + r, bottom)
            .line_to(right - r, bottom)
            .cubic_to(right - k, bottom, right, bottom + k, right, bottom + r)
            .line_to(right, top - r)
            .cubic_to(right, top - k, right - k, top, right - r, top)
            .line_to(left + r, top)
            .cubic_to(left + k, top, left, top - k, left, top - r)
            .line_to(left, bottom + r)
            .cubic_to(left, bottom + k, left + k, bottom, left + r, bottom)
            .close_path();
    }

    /// The font that has a character, or the first.
    fn font_of(&self, c: char) -> usize {
        self.fonts.iter().position(|font| font.has(c)).unwrap_or(0)
    }

    /// The width of a character in ems.
    fn ems(&self, c: char) -> f32 {
        let font = &self.fonts[self.font_of(c)];
        font.width(font.face.glyph_id(c)) / 1000.0
    }

    fn write_run(&mut self, run: &PlacedRun) {
        let [mut x, y] = self.at(run.at);
        let placed: Vec<(usize, char)> = run.text.chars().map(|c| (self.font_of(c), c)).collect();
        for part in placed.chunk_by(|a, b| a.0 == b.0) {
            let width = part.iter().map(|&(_, c)| self.ems(c)).sum::<f32>() * run.size;
            let font = &mut self.fonts[part[0].0];
            let numbers: Vec<u8> = part.iter().flat_map(|&(_, c)| font.number(c).to_be_bytes()).collect();
            self.content.begin_text().set_font(Name(font.name), run.size).next_line(x, y).show(Str(&numbers)).end_text();
            x += width;
        }
    }
}

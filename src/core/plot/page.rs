//! A page of PDF, as large as what is drawn on it, with the used characters of its fonts and its images inside.

use super::Raster;
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
/// The first of the objects of images.
const FIRST_IMAGE: i32 = 100;

/// A page while it is drawn.
pub struct PdfPage {
    /// The drawing operators. Their coordinates are in points, and y grows upwards.
    pub content: Content,
    size: [f32; 2],
    fonts: [PageFont; 2],
    images: Vec<Raster>,
}

impl PdfPage {
    /// An empty page of this width and height in points.
    pub fn new(size: [f32; 2]) -> Self {
        let mut content = Content::new();
        content.set_line_cap(LineCapStyle::ButtCap);
        Self { content, size, fonts: fonts(), images: Vec::new() }
    }

    /// A point on the page, from one whose y grows downwards from the upper edge.
    pub fn at(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [x, self.size[1] - y]
    }

    /// Begins a path through points whose y grows downwards.
    pub fn path(&mut self, points: &[[f32; 2]]) {
        for (index, &point) in points.iter().enumerate() {
            let [x, y] = self.at(point);
            if index == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
    }

    /// Begins the outline of a box with round corners, between two corners whose y grows downwards.
    pub fn rounded(&mut self, [from, to]: [[f32; 2]; 2], radius: f32) {
        let ([left, top], [right, bottom]) = (self.at(from), self.at(to));
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

    /// Draws an image between two corners whose y grows downwards; its pixels keep sharp edges.
    pub fn image(&mut self, [from, to]: [[f32; 2]; 2], raster: &Raster) {
        let ([left, top], [right, bottom]) = (self.at(from), self.at(to));
        let name = image_name(self.images.len());
        self.images.push(raster.clone());
        self.content.save_state().transform([right - left, 0.0, 0.0, top - bottom, left, bottom]);
        self.content.x_object(Name(name.as_bytes())).restore_state();
    }

    /// The width of a character in ems.
    pub fn ems(&self, c: char) -> f32 {
        let font = &self.fonts[self.font_of(c)];
        font.width(font.face.glyph_id(c)) / 1000.0
    }

    /// Writes characters from the left end of a baseline, whose y grows downwards; `upwards` turns them by a quarter.
    pub fn write(&mut self, text: &str, size: f32, at: [f32; 2], upwards: bool) {
        let ([x, y], mut along) = (self.at(at), 0.0);
        let placed: Vec<(usize, char)> = text.chars().map(|c| (self.font_of(c), c)).collect();
        for part in placed.chunk_by(|a, b| a.0 == b.0) {
            let width = part.iter().map(|&(_, c)| self.ems(c)).sum::<f32>() * size;
            let font = &mut self.fonts[part[0].0];
            let numbers: Vec<u8> = part.iter().flat_map(|&(_, c)| font.number(c).to_be_bytes()).collect();
            let matrix = if upwards { [0.0, 1.0, -1.0, 0.0, x, y + along] } else { [1.0, 0.0, 0.0, 1.0, x + along, y] };
            self.content.begin_text().set_font(Name(font.name), size).set_text_matrix(matrix).show(Str(&numbers)).end_text();
            along += width;
        }
    }

    /// The bytes of the file.
    pub fn finish(self, title: &str) -> Vec<u8> {
        let Self { content, size: [width, height], fonts, images } = self;
        let [catalog, pages, sheet, stream, info] = [1, 2, 3, 4, 5].map(Ref::new);
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([sheet]).count(1);
        pdf.document_info(info).title(TextStr(title)).creator(TextStr("Papillon"));
        let mut object = pdf.page(sheet);
        object.parent(pages).media_box(pdf_writer::Rect::new(0.0, 0.0, width, height)).contents(stream);
        let mut resources = object.resources();
        let mut named = resources.fonts();
        let used: Vec<_> = fonts.iter().enumerate().filter(|(_, font)| !font.characters.is_empty()).collect();
        for (number, font) in &used {
            named.pair(Name(font.name), first_ref(*number));
        }
        named.finish();
        if !images.is_empty() {
            let mut named = resources.x_objects();
            (0..images.len()).for_each(|index| {
                named.pair(Name(image_name(index).as_bytes()), image_ref(index));
            });
            named.finish();
        }
        resources.finish();
        object.finish();
        let deflated = deflated(&content.finish());
        pdf.stream(stream, &deflated).filter(Filter::FlateDecode);
        for (number, font) in used {
            font.embed(&mut pdf, first_ref(number));
        }
        images.iter().enumerate().for_each(|(index, raster)| embed_image(&mut pdf, image_ref(index), raster));
        pdf.finish()
    }

    /// The font that has a character, or the first.
    fn font_of(&self, c: char) -> usize {
        self.fonts.iter().position(|font| font.has(c)).unwrap_or(0)
    }
}

fn image_name(index: usize) -> String {
    format!("Image{index}")
}

fn image_ref(index: usize) -> Ref {
    Ref::new(FIRST_IMAGE + index as i32)
}

fn embed_image(pdf: &mut Pdf, at: Ref, Raster { size: [columns, rows], rgb }: &Raster) {
    let bytes = deflated(rgb);
    let mut image = pdf.image_xobject(at, &bytes);
    image.filter(Filter::FlateDecode);
    image.width(*columns as i32).height(*rows as i32).bits_per_component(8);
    image.color_space().device_rgb();
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

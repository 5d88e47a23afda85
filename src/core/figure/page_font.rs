//! A font of a page, with the characters that the page uses.

use super::pdf::deflated;
use super::text::ProgramFont;
use ab_glyph::{Font as _, GlyphId};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, Str};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;

/// Character collection of the fonts: their own glyph numbers.
const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A font while a page is drawn.
pub(super) struct PageFont {
    font: &'static ProgramFont,
    glyphs: GlyphRemapper,
    /// The number of every used character in the file.
    characters: BTreeMap<char, u16>,
}

impl PageFont {
    pub(super) fn new(font: &'static ProgramFont) -> Self {
        Self { font, glyphs: GlyphRemapper::new(), characters: BTreeMap::new() }
    }

    pub(super) fn name(&self) -> &'static [u8] {
        self.font.name.as_bytes()
    }

    pub(super) fn is_used(&self) -> bool {
        !self.characters.is_empty()
    }

    /// The number of a character in the file.
    pub(super) fn number(&mut self, c: char) -> u16 {
        let number = self.glyphs.remap(self.font.face.glyph_id(c).0);
        self.characters.insert(c, number);
        number
    }

    /// Adds the font as five objects.
    pub(super) fn embed(&self, pdf: &mut Pdf, first: Ref) {
        let [cid, descriptor, cmap, data] = [1, 2, 3, 4].map(|offset| Ref::new(first.get() + offset));
        let name = [b"PAPILN+", self.name()].concat();
        pdf.type0_font(first).base_font(Name(&name)).encoding_predefined(Name(b"Identity-H")).descendant_font(cid).to_unicode(cmap);
        let mut font = pdf.cid_font(cid);
        font.subtype(CidFontType::Type2).base_font(Name(&name)).system_info(SYSTEM).font_descriptor(descriptor).default_width(0.0);
        font.cid_to_gid_map_predefined(Name(b"Identity"));
        font.widths().consecutive(0, self.glyphs.remapped_gids().map(|glyph| 1000.0 * self.font.ems(GlyphId(glyph))));
        font.finish();
        let face = &self.font.face;
        let [ascent, descent] = [face.ascent_unscaled(), face.descent_unscaled()].map(|height| 1000.0 * height / self.font.units());
        pdf.font_descriptor(descriptor)
            .name(Name(&name))
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(-200.0, descent, 1200.0, ascent))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            .cap_height(700.0)
            .stem_v(60.0)
            .font_file2(data);
        let mut map = UnicodeCmap::new(Name(b"Papillon"), SYSTEM);
        self.characters.iter().for_each(|(&c, &number)| map.pair(number, c));
        pdf.cmap(cmap, &map.finish());
        let subset = subsetter::subset(self.font.data, 0, &self.glyphs).expect("the font in the program can be subset");
        let bytes = deflated(&subset);
        pdf.stream(data, &bytes).filter(Filter::FlateDecode).pair(Name(b"Length1"), subset.len() as i32);
    }
}

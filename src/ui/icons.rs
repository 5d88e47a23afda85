//! The signs on buttons: a font of these glyphs alone, of Google's Material Symbols. assets/README.md says how it is made.

use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily, RichText, WidgetText};

/// A sign.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icon(&'static str);

pub(super) const CLOSE: Icon = Icon("\u{e5cd}");
pub(super) const DARK_MODE: Icon = Icon("\u{e51c}");
pub(super) const DOCK_TO_BOTTOM: Icon = Icon("\u{f7e6}");
pub(super) const DOCK_TO_RIGHT: Icon = Icon("\u{f7e4}");
pub(super) const HELP: Icon = Icon("\u{e8fd}");
pub(super) const LIGHT_MODE: Icon = Icon("\u{e518}");
pub(super) const MENU: Icon = Icon("\u{e5d2}");

/// The name of the font and of its family.
const NAME: &str = "icons";
/// How far the glyphs are moved down, in parts of their size, so that they are centred beside text.
const DOWN: f32 = 0.05;

impl From<Icon> for WidgetText {
    fn from(icon: Icon) -> Self {
        RichText::new(icon.0).family(FontFamily::Name(NAME.into())).into()
    }
}

/// Adds the font to those of the window.
pub(super) fn install(ctx: &Context) {
    let mut data = FontData::from_static(include_bytes!("../../assets/icons.ttf"));
    data.tweak.y_offset_factor = DOWN;
    let family = InsertFontFamily { family: FontFamily::Name(NAME.into()), priority: FontPriority::Highest };
    ctx.add_font(FontInsert::new(NAME, data, vec![family]));
}

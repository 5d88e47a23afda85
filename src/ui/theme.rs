//! All colours, sizes and fonts of the window in one place.
//!
//! The data have the colour, the chrome has none: grays with one accent, text at a contrast of at least 4.5:1, lines that carry meaning at 3:1.
//! Series keep their Okabe-Ito colour everywhere, so that the same thing looks the same in every pane.

pub(super) use crate::figure::Series;
use egui::emath::format_with_decimals_in_range;
use egui::style::NumberFormatter;
use egui::{Color32, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Theme, Visuals, vec2};

/// How long a control takes to open or to fade, in seconds.
const ANIMATION_SECONDS: f32 = 0.12;

/// Switches motion on or off.
pub(super) fn set_motion(ctx: &egui::Context, moves: bool) {
    ctx.all_styles_mut(|style| style.animation_time = if moves { ANIMATION_SECONDS } else { 0.0 });
}

/// The unit of the layout grid, in points.
pub(super) const GRID: f32 = 4.0;

/// The height of the tabs above a pane, in points.
pub(super) const STRIP: f32 = 6.0 * GRID;

/// The colours of one theme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tokens {
    /// Behind the panes.
    pub ground: Color32,
    /// Panes.
    pub pane: Color32,
    /// Wells: plots, text fields, slider rails.
    pub well: Color32,
    /// Buttons at rest.
    pub raised: Color32,
    /// Buttons under the pointer.
    pub hovered: Color32,
    /// Hair lines between things.
    pub hairline: Color32,
    /// Lines that carry meaning, at 3:1.
    pub rule: Color32,
    /// Text.
    pub text: Color32,
    /// Less important text, still at 4.5:1.
    pub weak: Color32,
    /// The one accent.
    pub accent: Color32,
    /// Behind what is selected.
    pub selected: Color32,
    /// Warnings.
    pub warning: Color32,
    /// Errors.
    pub error: Color32,
    /// The line of a plot with one line.
    pub line: Color32,
}

const fn gray(level: u8) -> Color32 {
    Color32::from_gray(level)
}

const DARK: Tokens = Tokens {
    ground: gray(18),
    pane: gray(27),
    well: gray(14),
    raised: gray(48),
    hovered: gray(62),
    hairline: gray(46),
    rule: gray(120),
    text: gray(226),
    weak: gray(160),
    accent: Color32::from_rgb(0x56, 0xb4, 0xe9),
    selected: Color32::from_rgb(0x1f, 0x4e, 0x6b),
    warning: Color32::from_rgb(0xe6, 0x9f, 0x00),
    error: Color32::from_rgb(0xff, 0x86, 0x5e),
    line: Color32::from_rgb(0x56, 0xb4, 0xe9),
};

const LIGHT: Tokens = Tokens {
    ground: gray(234),
    pane: gray(249),
    well: gray(255),
    raised: gray(218),
    hovered: gray(204),
    hairline: gray(206),
    rule: gray(130),
    text: gray(28),
    weak: gray(92),
    accent: Color32::from_rgb(0x00, 0x5f, 0x99),
    selected: Color32::from_rgb(0xbf, 0xdd, 0xef),
    warning: Color32::from_rgb(0x8a, 0x55, 0x00),
    error: Color32::from_rgb(0xb0, 0x3a, 0x00),
    line: Color32::from_rgb(0x00, 0x5f, 0x99),
};

impl Tokens {
    /// The colours of a theme.
    pub(super) const fn of(theme: Theme) -> Self {
        match theme {
            Theme::Dark => DARK,
            Theme::Light => LIGHT,
        }
    }

    /// The colours in use.
    pub(super) fn current(ui: &egui::Ui) -> Self {
        Self::of(ui.theme())
    }
}

/// The colour of a series in a theme.
pub(super) const fn series_color(series: Series, theme: Theme) -> Color32 {
    let [red, green, blue] = series.rgb(matches!(theme, Theme::Dark));
    Color32::from_rgb(red, green, blue)
}

/// The colour of a launch in bars and in the flow graph. Neighbours have different shades.
pub(super) fn launch_color(index: usize, theme: Theme) -> Color32 {
    const SHADES: [f32; 4] = [0.0, 0.42, 0.2, 0.6];
    let towards = if matches!(theme, Theme::Dark) { gray(255) } else { gray(0) };
    series_color(Series::Kernel, theme).lerp_to_gamma(towards, SHADES[index % SHADES.len()])
}

/// Sets fonts and both themes; done once.
pub(super) fn install(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::default();
    // The monospace font knows mathematical signs that the proportional one lacks.
    if let Some(family) = fonts.families.get_mut(&FontFamily::Proportional) {
        family.push("Hack".to_owned());
    }
    ctx.set_fonts(fonts);
    super::icons::install(ctx);
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| {
            style.visuals = visuals(theme);
            style.text_styles = [
                (TextStyle::Small, FontId::proportional(11.0)),
                (TextStyle::Body, FontId::proportional(13.0)),
                (TextStyle::Button, FontId::proportional(13.0)),
                (TextStyle::Heading, FontId::proportional(16.0)),
                (TextStyle::Monospace, FontId::monospace(12.0)),
            ]
            .into();
            style.animation_time = ANIMATION_SECONDS;
            let spacing = &mut style.spacing;
            spacing.item_spacing = vec2(2.0 * GRID, GRID);
            spacing.button_padding = vec2(2.0 * GRID, GRID / 2.0);
            spacing.interact_size = vec2(10.0 * GRID, 6.0 * GRID);
            spacing.window_margin = Margin::same(8);
            spacing.menu_margin = Margin::same(4);
            spacing.combo_height = 480.0;
            // A popup finds its size within the window, not within 400 points.
            spacing.default_area_size.y = 4096.0;
            spacing.scroll.floating = true;
            spacing.tooltip_width = 320.0;
            style.interaction.selectable_labels = false;
            // A negative number has a minus sign in a field, too; fields read both signs.
            style.number_formatter =
                NumberFormatter::new(|value, decimals| format_with_decimals_in_range(value, decimals).replace('-', "−"));
        });
    }
}

/// The colour in which the window begins: that of panes, in gamma space.
pub(super) fn background(visuals: &Visuals) -> [f32; 4] {
    visuals.panel_fill.to_normalized_gamma_f32()
}

fn visuals(theme: Theme) -> Visuals {
    let tokens = Tokens::of(theme);
    let mut visuals = match theme {
        Theme::Dark => Visuals::dark(),
        Theme::Light => Visuals::light(),
    };
    visuals.panel_fill = tokens.pane;
    visuals.window_fill = tokens.pane;
    visuals.window_stroke = Stroke::new(1.0, tokens.hairline);
    visuals.window_corner_radius = CornerRadius::same(6);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.window_shadow = Shadow { offset: [0, 4], blur: 16, spread: 0, color: Color32::from_black_alpha(64) };
    visuals.popup_shadow = Shadow { offset: [0, 2], blur: 8, spread: 0, color: Color32::from_black_alpha(64) };
    visuals.extreme_bg_color = tokens.well;
    visuals.faint_bg_color = tokens.hairline.gamma_multiply(0.35);
    visuals.weak_text_color = Some(tokens.weak);
    visuals.hyperlink_color = tokens.accent;
    visuals.warn_fg_color = tokens.warning;
    visuals.error_fg_color = tokens.error;
    visuals.selection.bg_fill = tokens.selected;
    visuals.selection.stroke = Stroke::new(1.0, tokens.text);
    visuals.slider_trailing_fill = true;
    visuals.striped = false;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, tokens.text);
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, tokens.hairline);
    for (widget, fill) in [
        (&mut widgets.inactive, tokens.raised),
        (&mut widgets.hovered, tokens.hovered),
        (&mut widgets.active, tokens.selected),
        (&mut widgets.open, tokens.hovered),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.fg_stroke = Stroke::new(1.0, tokens.text);
        widget.expansion = 0.0;
        widget.corner_radius = CornerRadius::same(4);
    }
    widgets.hovered.bg_stroke = Stroke::new(1.0, tokens.rule);
    widgets.active.bg_stroke = Stroke::new(1.0, tokens.accent);
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance by WCAG 2.
    fn luminance(color: Color32) -> f64 {
        let linear = |byte: u8| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_stands_out_from_what_is_behind_it() {
        for theme in [Theme::Dark, Theme::Light] {
            let tokens = Tokens::of(theme);
            for text in [tokens.text, tokens.weak, tokens.accent, tokens.warning, tokens.error] {
                for behind in [tokens.pane, tokens.well, tokens.ground] {
                    assert!(contrast(text, behind) >= 4.5, "{theme:?}: {text:?} on {behind:?} has {:.2}", contrast(text, behind));
                }
            }
            for behind in [tokens.raised, tokens.hovered, tokens.selected] {
                assert!(contrast(tokens.text, behind) >= 4.5, "{theme:?}: text on {behind:?}");
            }
        }
    }

    #[test]
    fn lines_that_carry_meaning_stand_out_from_plots() {
        for theme in [Theme::Dark, Theme::Light] {
            let tokens = Tokens::of(theme);
            for series in Series::ALL {
                assert!(contrast(series_color(series, theme), tokens.well) >= 3.0, "{theme:?}: {series:?}");
            }
            for line in [tokens.rule, tokens.line] {
                assert!(contrast(line, tokens.well) >= 3.0, "{theme:?}: {line:?}");
            }
        }
    }
}

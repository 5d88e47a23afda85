//! The signal without its small coefficients: the threshold, the numbers, the signal and the difference.

use super::paint::{ImageTextures, LinkedZoom, curves, fitted};
use crate::display::Colormap;
use crate::engine::wavelet::{Remainder, Shown};
use crate::numerals::{integer, number};
use crate::ui::colour_bar::colour_bar;
use crate::ui::settings::WaveletLook;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets::{self, labelled};
use crate::wavelet::Shrink;
use egui::{Button, Rect, Role, Slider, Ui, WidgetInfo, vec2};

/// Widths of the slider of the threshold and of its number, in points.
const SLIDER_WIDTH: f32 = 96.0;
const NUMBER_WIDTH: f32 = 80.0;
/// Width of the colour bar of the difference with its numbers, in points.
const BAR_WIDTH: f32 = 64.0;

/// The choice of the threshold. The low-pass coefficients always stay, so that no smaller share than theirs can be chosen.
/// Returns whether the user exports the signal.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, look: &mut WaveletLook, seen: Option<&Remainder>) -> bool {
    let kinds = [
        (
            false,
            "Keep a share",
            "Keeps this percentage of all coefficients, the largest ones; the low-pass band of the last level always stays",
        ),
        (true, "Above a value", "Keeps the coefficients with a magnitude above the threshold, and the low-pass band of the last level"),
    ];
    bar.segmented("What is kept", &mut look.by_value, &kinds);
    amount_ui(bar, look, seen);
    let shrinks =
        [(Shrink::Hard, "Hard", "Kept coefficients do not change"), (Shrink::Soft, "Soft", "Kept coefficients shrink by the threshold")];
    bar.segmented("Kind of threshold", &mut look.shrink, &shrinks);
    let exports = bar.item("export", |ui| {
        let button = ui.add_enabled(seen.is_some(), Button::new("Export…"));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, seen.is_some(), "Export the thresholded signal"));
        button.on_hover_text("Writes the signal after the threshold to a file, in every channel and at full size").clicked()
    });
    exports == Some(true)
}

/// The slider of the threshold or of the share of coefficients that stay.
pub(super) fn amount_ui(bar: &mut Toolbar<'_>, look: &mut WaveletLook, seen: Option<&Remainder>) {
    bar.item("amount", |ui| {
        ui.spacing_mut().slider_width = SLIDER_WIDTH;
        // As wide as the longest number, so that none moves what follows.
        ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
        if look.by_value {
            let slider = Slider::new(&mut look.value, 0.0..=1e6).logarithmic(true).smallest_positive(1e-3).max_decimals(4);
            return labelled(ui, "Threshold", |ui| ui.add(slider));
        }
        let least = seen.map_or(0.0, |seen| share(seen.kept.low, seen.kept.of));
        // What is set stays as it is: undo of a level may bring back the room that it needs.
        let mut percent = look.percent.max(least);
        let slider = Slider::new(&mut percent, least..=100.0).logarithmic(true).smallest_positive(0.01).suffix(" %").max_decimals(2);
        let about = "The low-pass coefficients of the last level always stay: their share is the smallest";
        let response = labelled(ui, "Share", |ui| ui.add(slider)).on_hover_text(about);
        if response.changed() {
            look.percent = percent;
        }
        response
    });
}

/// A part of a number in percent.
pub(super) fn share(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// Shows the signal after the threshold.
pub(super) fn ui(ui: &mut Ui, textures: &mut ImageTextures, zoom: &mut LinkedZoom, seen: &Remainder) {
    let kept = seen.kept;
    let percent = share(kept.n, kept.of);
    let psnr = if seen.psnr.is_finite() { format!("{} dB", number(seen.psnr, 4)) } else { "∞, no sample changes".into() };
    let facts = [
        ("PSNR", psnr),
        ("Kept", format!("{} of {} coefficients ({} %)", integer(kept.n), integer(kept.of), number(percent, 4))),
        ("Energy", format!("{} %", number(100.0 * kept.energy, 6))),
        ("Dropped", format!("magnitudes up to {}", number(kept.threshold, 5))),
        ("Largest difference", number(seen.largest, 4)),
    ];
    widgets::facts_line(ui, &facts);
    ui.add_space(GRID);
    let area = ui.available_rect_before_wrap();
    if area.width() < 96.0 || area.height() < 64.0 {
        return widgets::empty_state(ui, "Make this pane larger to see the result");
    }
    match &seen.shown {
        Shown::Images([before, left, difference]) => {
            let titles = [
                ("Original", "Original image", before, Colormap::Gray),
                ("Reconstructed", "Reconstructed image", left, Colormap::Gray),
                ("Difference", "Difference", difference, Colormap::Magma),
            ];
            let gap = 2.0 * GRID;
            let each = vec2((area.width() - BAR_WIDTH + gap) / titles.len() as f32 - gap, area.height() - 24.0);
            for (index, (title, name, pixels, colormap)) in titles.into_iter().enumerate() {
                let corner = area.min + vec2(index as f32 * (each.x + gap), 0.0);
                let color = Tokens::current(ui).weak;
                ui.painter().text(corner, egui::Align2::LEFT_TOP, title, egui::FontId::proportional(11.0), color);
                let rect = fitted(Rect::from_min_size(corner + vec2(0.0, 18.0), each), pixels.size);
                let response = textures.part(ui, name, rect, pixels, colormap, zoom.visible());
                zoom.interact(ui, &response);
                if colormap == Colormap::Magma {
                    let bar = Rect::from_min_size(rect.right_top() + vec2(GRID, 0.0), vec2(10.0, rect.height()));
                    colour_bar(ui, bar, colormap.lut(), [0.0, seen.largest as f32], 40.0, false);
                }
            }
        }
        Shown::Curves { n, curves: [before, after, difference] } => {
            let tokens = Tokens::current(ui);
            let both = [("original", &before[..], tokens.weak), ("reconstructed", &after[..], tokens.accent)];
            let upper = Rect::from_min_size(area.min, vec2(area.width(), area.height() * 0.6));
            curves(ui, "Reconstructed signal", upper, *n, &both);
            let lower = Rect::from_min_max(upper.left_bottom() + vec2(0.0, GRID), area.max);
            curves(ui, "Difference", lower, *n, &[("difference", &difference[..], tokens.warning)]);
        }
    }
}

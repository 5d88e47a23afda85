//! The signal without its small coefficients: the threshold, the numbers, the signal and the difference.

use super::paint::{ImageTextures, LinkedZoom, curves, fitted};
use crate::display::Colormap;
use crate::engine::wavelet::{Remainder, Shown};
use crate::numerals::{integer, number};
use crate::ui::colour_bar::colour_bar;
use crate::ui::export::painted;
use crate::ui::looks::WaveletLook;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets::{self, row};
use crate::wavelet::Shrink;
use egui::{Rect, Role, Slider, Ui, WidgetInfo, vec2};

/// Width of the colour bar of the difference with its numbers, in points.
const BAR_WIDTH: f32 = 64.0;

/// The choice of the threshold. The low-pass coefficients always stay, so that no smaller share than theirs can be chosen.
pub(super) fn choices_ui(ui: &mut Ui, look: &mut WaveletLook, seen: Option<&Remainder>) {
    let kinds = [
        (
            false,
            "Keep a share",
            "Keeps this percentage of all coefficients, the largest ones; the low-pass band of the last level always stays",
        ),
        (true, "Above a value", "Keeps the coefficients with a magnitude above the threshold, and the low-pass band of the last level"),
    ];
    row(ui, "Keep", |ui| widgets::segmented(ui, &mut look.by_value, &kinds));
    ui.spacing_mut().slider_width = 180.0;
    if look.by_value {
        row(ui, "Threshold", |ui| {
            ui.add(Slider::new(&mut look.value, 0.0..=1e6).logarithmic(true).smallest_positive(1e-3).max_decimals(4))
        });
    } else {
        let least = seen.map_or(0.0, |seen| share(seen.kept.low, seen.kept.of));
        row(ui, "Share", |ui| {
            ui.add(Slider::new(&mut look.percent, least..=100.0).logarithmic(true).smallest_positive(0.01).suffix(" %").max_decimals(2))
        })
        .on_hover_text("The low-pass coefficients of the last level always stay: their share is the smallest");
    }
    let shrinks =
        [(Shrink::Hard, "Hard", "Kept coefficients do not change"), (Shrink::Soft, "Soft", "Kept coefficients shrink by the threshold")];
    row(ui, "Kind", |ui| widgets::segmented(ui, &mut look.shrink, &shrinks));
}

/// A part of a number in percent.
fn share(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// Shows the signal after the threshold; returns whether the user exports it.
pub(super) fn ui(ui: &mut Ui, textures: &mut ImageTextures, zoom: &mut LinkedZoom, seen: &Remainder) -> bool {
    let kept = seen.kept;
    let percent = share(kept.n, kept.of);
    let psnr = if seen.psnr.is_finite() { format!("{} dB", number(seen.psnr, 4)) } else { "∞, no sample changes".into() };
    let mut export = false;
    ui.horizontal_wrapped(|ui| {
        let about = "Writes the signal after the threshold to a file, in every channel and at full size";
        let button = ui.button("Export");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Export the thresholded signal"));
        export = button.on_hover_text(about).clicked();
        painted::begin(ui);
        ui.add_space(2.0 * GRID);
        for (name, value) in [
            ("PSNR", psnr),
            ("Kept", format!("{} of {} coefficients ({} %)", integer(kept.n), integer(kept.of), number(percent, 4))),
            ("Energy", format!("{} %", number(100.0 * kept.energy, 6))),
            ("Dropped", format!("magnitudes up to {}", number(kept.threshold, 5))),
            ("Largest difference", number(seen.largest, 4)),
        ] {
            widgets::fact_in_line(ui, name, &value);
        }
    });
    ui.add_space(GRID);
    let area = ui.available_rect_before_wrap();
    if area.width() < 96.0 || area.height() < 64.0 {
        widgets::empty_state(ui, "Make this pane larger to see the result");
        return export;
    }
    match &seen.shown {
        Shown::Images([before, left, difference]) => {
            let titles = [
                ("Original image", before, Colormap::Gray),
                ("Reconstructed image", left, Colormap::Gray),
                ("Difference", difference, Colormap::Magma),
            ];
            let gap = 2.0 * GRID;
            let each = vec2((area.width() - BAR_WIDTH + gap) / titles.len() as f32 - gap, area.height() - 24.0);
            for (index, (title, pixels, colormap)) in titles.into_iter().enumerate() {
                let corner = area.min + vec2(index as f32 * (each.x + gap), 0.0);
                let color = Tokens::current(ui).weak;
                ui.painter().text(corner, egui::Align2::LEFT_TOP, title, egui::FontId::proportional(12.0), color);
                let rect = fitted(Rect::from_min_size(corner + vec2(0.0, 18.0), each), pixels.size);
                let response = textures.part(ui, title, rect, pixels, colormap, zoom.visible());
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
    export
}

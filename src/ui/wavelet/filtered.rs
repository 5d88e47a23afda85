//! What is left of a signal without its small coefficients: the threshold, live, the numbers, the picture and the difference.

use super::paint::{Textures, curves, fitted};
use crate::display::Colormap;
use crate::engine::wavelet::{Remainder, Shown};
use crate::numerals::{integer, number};
use crate::ui::colour_bar::colour_bar;
use crate::ui::looks::WaveletLook;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets::{self, row};
use crate::wavelet::Shrink;
use egui::{Rect, Role, Slider, Ui, WidgetInfo, vec2};

/// Points for the colours of the difference and their values.
const SCALE: f32 = 64.0;

/// The threshold.
pub(super) fn choices_ui(ui: &mut Ui, look: &mut WaveletLook) {
    let kinds = [
        (false, "Keep a share", "The largest coefficients, so many percent of all; what is low-pass at the last level always stays"),
        (true, "Above a value", "The coefficients whose magnitude is above the threshold, and what is low-pass at the last level"),
    ];
    row(ui, "Keep", |ui| widgets::segmented(ui, &mut look.by_value, &kinds));
    ui.spacing_mut().slider_width = 180.0;
    if look.by_value {
        row(ui, "Threshold", |ui| {
            ui.add(Slider::new(&mut look.value, 0.0..=1e6).logarithmic(true).smallest_positive(1e-3).max_decimals(4))
        });
    } else {
        row(ui, "Share", |ui| {
            ui.add(Slider::new(&mut look.percent, 0.0..=100.0).logarithmic(true).smallest_positive(0.01).suffix(" %").max_decimals(2))
        });
    }
    let shrinks = [
        (Shrink::Hard, "Hard", "What is kept stays as it is"),
        (Shrink::Soft, "Soft", "The magnitude of what is kept is lessened by the threshold"),
    ];
    row(ui, "Kind", |ui| widgets::segmented(ui, &mut look.shrink, &shrinks));
}

/// Shows what is left; whether it is to be written to a file.
pub(super) fn ui(ui: &mut Ui, textures: &mut Textures, seen: &Remainder) -> bool {
    let kept = seen.kept;
    let percent = 100.0 * kept.n as f64 / kept.of.max(1) as f64;
    let psnr = if seen.psnr.is_finite() { format!("{} dB", number(seen.psnr, 4)) } else { "∞, no sample is changed".into() };
    let mut export = false;
    ui.horizontal_wrapped(|ui| {
        let about = "What is left, in every channel and at full size, as a file";
        let button = ui.button("Export");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Export what is left"));
        export = button.on_hover_text(about).clicked();
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
        widgets::empty_state(ui, "Make this pane larger to see what is left");
        return export;
    }
    match &seen.shown {
        Shown::Pictures([before, left, difference]) => {
            let titles = [
                ("Original picture", before, Colormap::Gray),
                ("Reconstructed picture", left, Colormap::Gray),
                ("Difference", difference, Colormap::Magma),
            ];
            let gap = 2.0 * GRID;
            let each = vec2((area.width() - SCALE + gap) / titles.len() as f32 - gap, area.height() - 24.0);
            for (index, (title, pixels, colormap)) in titles.into_iter().enumerate() {
                let corner = area.min + vec2(index as f32 * (each.x + gap), 0.0);
                let color = Tokens::current(ui).weak;
                ui.painter().text(corner, egui::Align2::LEFT_TOP, title, egui::FontId::proportional(12.0), color);
                let rect = fitted(Rect::from_min_size(corner + vec2(0.0, 18.0), each), pixels.size);
                textures.picture(ui, title, rect, pixels, colormap);
                if colormap == Colormap::Magma {
                    let bar = Rect::from_min_size(rect.right_top() + vec2(GRID, 0.0), vec2(10.0, rect.height()));
                    colour_bar(ui, bar, colormap, [0.0, seen.largest as f32], 40.0, false);
                }
            }
        }
        Shown::Curves { n, curves: [before, after, difference] } => {
            let tokens = Tokens::current(ui);
            let both = [("original", &before[..], tokens.weak), ("reconstructed", &after[..], tokens.accent)];
            let upper = Rect::from_min_size(area.min, vec2(area.width(), area.height() * 0.6));
            curves(ui, "Reconstructed line", upper, *n, &both);
            let lower = Rect::from_min_max(upper.left_bottom() + vec2(0.0, GRID), area.max);
            curves(ui, "Difference", lower, *n, &[("difference", &difference[..], tokens.warning)]);
        }
    }
    export
}

//! How values become colours: a histogram with both limits as handles, percentiles, gamma, and inversion.

use crate::display::Look;
use crate::engine::RenderedImage;
use crate::numerals::number;
use crate::ui::gestures::{began, dragged_to};
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align2, CursorIcon, FontId, PopupCloseBehavior, Rect, Role, Sense, Slider, Ui, WidgetInfo, pos2, vec2};

/// Width and height of the histogram, in points.
const SIZE: [f32; 2] = [260.0, 72.0];
/// Shares of the values that lie outside the colours, at each end.
const SHARES: [(&str, f64); 4] = [("All", 0.0), ("0.1 %", 0.001), ("1 %", 0.01), ("5 %", 0.05)];

/// The button that opens the histogram.
pub(super) fn levels_ui(ui: &mut Ui, look: &mut Look, shown: Option<&RenderedImage>) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (button, _) = MenuButton::new("Levels").config(config).ui(ui, |ui| {
        ui.set_width(SIZE[0]);
        if let Some(image) = shown.filter(|image| image.histogram.iter().any(|count| *count > 0)) {
            histogram_ui(ui, look, image);
            ui.horizontal(|ui| {
                widgets::weak(ui, "Leave out");
                let about = "Values below the first and above the last colour, as a share of all at each end; the limits stay as set then";
                for (name, share) in SHARES {
                    if ui.button(name).on_hover_text(about).clicked() {
                        look.range = Some(percentiles(image, share));
                    }
                }
            });
        }
        let is_locked = look.range.is_some();
        let mut locked = is_locked;
        let about = "The limits stay for other images and signals; unlocked, each result gets its own";
        ui.horizontal(|ui| {
            ui.toggle_value(&mut locked, "Locked").on_hover_text(about);
            ui.toggle_value(&mut look.inverted, "Inverted").on_hover_text("The smallest value has the last colour");
        });
        if locked != is_locked {
            look.range = if locked { shown.map(|image| image.range) } else { None };
        }
        let gamma = Slider::new(&mut look.gamma, 0.2..=5.0).logarithmic(true).max_decimals(2);
        widgets::row(ui, "Gamma", |ui| ui.add(gamma).on_hover_text("Below 1, small values are brighter"));
    });
    button.on_hover_text("Histogram with the limits of the colours, percentiles, gamma");
}

/// The histogram; its two lines are dragged.
fn histogram_ui(ui: &mut Ui, look: &mut Look, image: &RenderedImage) {
    let (rect, response) = ui.allocate_exact_size(vec2(SIZE[0], SIZE[1] + 4.0 * GRID), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Histogram of the shown values"));
    let (tokens, [low, high]) = (Tokens::current(ui), image.extremes);
    let bars = Rect::from_min_size(rect.min, vec2(SIZE[0], SIZE[1]));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(bars, 2.0, tokens.well);
    let most = image.histogram.iter().copied().max().unwrap_or(1).max(1);
    let height = |count: u32| bars.height() * (1.0 + count as f32).ln() / (1.0 + most as f32).ln();
    let width = bars.width() / image.histogram.len() as f32;
    for (index, &count) in image.histogram.iter().enumerate() {
        let left = bars.left() + index as f32 * width;
        let top = bars.bottom() - height(count);
        painter.rect_filled(Rect::from_min_max(pos2(left, top), pos2(left + width, bars.bottom())), 0.0, tokens.weak);
    }
    let at =
        |value: f32| (bars.left() + bars.width() * (value - low) / (high - low).max(f32::MIN_POSITIVE)).clamp(bars.left(), bars.right());
    let range = look.range.unwrap_or(image.range);
    for (value, align) in range.into_iter().zip([Align2::LEFT_TOP, Align2::RIGHT_TOP]) {
        painter.vline(at(value), bars.y_range(), (2.0, tokens.accent));
        let x = if align == Align2::LEFT_TOP { bars.left() } else { bars.right() };
        painter.text(pos2(x, bars.bottom() + 2.0), align, number(value.into(), 4), FontId::proportional(11.0), tokens.text);
    }
    let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    let grabbed = response.id.with("grabbed");
    if let Some(origin) = began(&response) {
        let is_last = (origin.x - at(range[1])).abs() < (origin.x - at(range[0])).abs();
        ui.data_mut(|data| data.insert_temp(grabbed, is_last));
    }
    if let Some(to) = dragged_to(&response) {
        let value = low + (high - low) * ((to.x - bars.left()) / bars.width()).clamp(0.0, 1.0);
        let is_last = ui.data(|data| data.get_temp::<bool>(grabbed)).unwrap_or_default();
        look.range = Some(if is_last { [range[0], value.max(range[0])] } else { [value.min(range[1]), range[1]] });
    }
}

/// The values that leave a share of all below the first and above the last colour, to the width of a bar.
fn percentiles(image: &RenderedImage, share: f64) -> [f32; 2] {
    let [low, high] = image.extremes;
    let (all, n) = (image.histogram.iter().map(|count| u64::from(*count)).sum::<u64>() as f64, image.histogram.len());
    let left_out = |counts: &mut dyn Iterator<Item = &u32>| {
        let mut sum = 0.0;
        counts
            .take_while(|count| {
                sum += f64::from(**count);
                sum <= share * all && share > 0.0
            })
            .count()
    };
    let (below, above) = (left_out(&mut image.histogram.iter()), left_out(&mut image.histogram.iter().rev()));
    let value = |bars: usize| low + (high - low) * bars as f32 / n as f32;
    let range = [value(below), value(n - above)];
    if range[0] < range[1] { range } else { image.extremes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::DisplayFrame;
    use crate::transforms::Shape;

    #[test]
    fn percentiles_leave_out_the_ends() {
        let frame = DisplayFrame::whole(Shape { rows: 1, columns: 1 });
        let histogram = vec![1, 9, 40, 40, 9, 1];
        let image = RenderedImage {
            frame,
            rgba: Vec::new(),
            range: [0.0, 6.0],
            is_blank: false,
            values: Vec::new(),
            extremes: [0.0, 6.0],
            histogram,
        };
        assert_eq!(percentiles(&image, 0.0), [0.0, 6.0]);
        assert_eq!(percentiles(&image, 0.01), [1.0, 5.0]);
        assert_eq!(percentiles(&image, 0.1), [2.0, 4.0]);
        assert_eq!(percentiles(&image, 0.6), [0.0, 6.0], "nothing would be left");
    }
}

//! Coefficients as bars that can be picked and dragged: those around the picked one.

use super::{Fields, PANE, place};
use crate::engine::Synthesis;
use crate::numerals::number;
use crate::transforms::Axes;
use crate::ui::gestures::dragged_to;
use crate::ui::pane_id::PaneId;
use crate::ui::settings::SynthesisLook;
use crate::ui::theme::Tokens;
use egui::{Align2, Color32, FontId, Key, Modifiers, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui, WidgetInfo, vec2};
use num_complex::Complex64;

/// The most bars that are shown.
const MOST: usize = 64;
/// Room above the largest bar, as a part of it.
const HEADROOM: f64 = 1.25;
/// An arrow key changes a coefficient by this part of the largest.
const STEP: f64 = 0.05;
/// Height of the line of indices, in points.
const INDICES: f32 = 16.0;

/// The bars.
#[derive(Default)]
pub(super) struct Bars {
    /// The largest magnitude while a bar is dragged, so that the scale stays.
    scale: Option<f64>,
}

impl Bars {
    /// Shows the bars around the picked coefficient.
    pub(super) fn ui(&mut self, ui: &mut Ui, area: Rect, Fields { shown, row, look, out }: Fields<'_>, report: &Synthesis) {
        let (axes, results) = (shown.shape().map_or(Axes::Rows, |(_, axes)| axes), shown.results);
        let n = report.coefs.len();
        let middle = report.picked.as_ref().map_or(0, |picked| match axes {
            Axes::Rows => picked.at[1],
            _ => picked.at[0] * report.shape.columns + picked.at[1],
        });
        let first = middle.saturating_sub(MOST / 2).min(n.saturating_sub(MOST));
        let shown = first..(first + MOST).min(n);
        let largest = report.coefs[shown.clone()].iter().map(|value| value.norm()).fold(0.0, f64::max);
        let scale = self.scale.unwrap_or(if largest > 0.0 { HEADROOM * largest } else { 1.0 });
        let bars = area.with_max_y(area.bottom() - INDICES);
        let is_signed = report.is_real && report.coefs[shown.clone()].iter().any(|value| value.re < 0.0);
        let zero = if is_signed { bars.center().y } else { bars.bottom() };
        let height = if is_signed { bars.height() / 2.0 } else { bars.height() };
        let tokens = Tokens::current(ui);
        ui.painter().hline(bars.x_range(), zero, Stroke::new(1.0, tokens.hairline));
        let pitch = bars.width() / shown.len().max(1) as f32;
        let lit = out.focus.lit_elsewhere(PaneId::of(&PANE)).and_then(|node| results.place_of(node));
        let (mut hovered, mut is_dragged) = (None, false);
        for (slot, index) in shown.enumerate() {
            let (at, value) = (place(report, axes, row, index), report.coefs[index]);
            let size = if report.is_real { value.re } else { value.norm() };
            let x = bars.left() + (slot as f32 + 0.5) * pitch;
            let tip = Pos2::new(x, zero - (size / scale) as f32 * height);
            let column = Rect::from_x_y_ranges(x - pitch / 2.0..=x + pitch / 2.0, area.y_range());
            let response = ui.interact(column, ui.scope_id().with(("coefficient", index)), Sense::click_and_drag());
            response.widget_info(|| WidgetInfo::slider(true, size, format!("Coefficient {index}")));
            let is_picked = report.picked.as_ref().is_some_and(|picked| picked.at == at);
            let is_changed = look.changed.iter().any(|change| change.at == at);
            let color = match () {
                () if is_picked || lit == Some(at) => tokens.warning,
                () if is_changed => tokens.accent,
                () => tokens.line,
            };
            let color = if report.is_kept[index] { color } else { color.gamma_multiply(0.25) };
            paint(ui, [Pos2::new(x, zero), tip], pitch, color);
            if pitch >= 22.0 || index.is_multiple_of(8) {
                let font = FontId::proportional(11.0);
                ui.painter().text(Pos2::new(x, area.bottom()), Align2::CENTER_BOTTOM, index.to_string(), font, tokens.weak);
            }
            if response.hovered() {
                hovered = Some(at);
                let shown = if report.is_real { format!("X = {}", number(value.re, 6)) } else { crate::ui::widgets::complex(value) };
                out.read_out = format!("coefficient {index}   {shown}");
            }
            if response.clicked() {
                response.request_focus();
                results.pick(at, &mut look.picked, &mut out.focus);
            }
            is_dragged |= change(ui, &response, Bar { at, value, is_real: report.is_real, zero, height, scale }, look);
        }
        self.scale = is_dragged.then_some(scale);
        out.focus.light(PaneId::of(&PANE), hovered.and_then(|at| results.node_at(at)));
    }
}

/// A coefficient and its bar, whose foot is at `zero`; a bar of the size `scale` has the height.
struct Bar {
    at: [usize; 2],
    value: Complex64,
    is_real: bool,
    zero: f32,
    height: f32,
    scale: f64,
}

/// Changes a coefficient by dragging its bar or by the arrow keys; returns whether it is dragged.
fn change(ui: &Ui, response: &Response, bar: Bar, look: &mut SynthesisLook) -> bool {
    let Bar { at, value, is_real, zero, height, scale } = bar;
    if response.has_focus() {
        let arrows = egui::EventFilter { vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let step = f64::from(i8::from(pressed(Key::ArrowUp)) - i8::from(pressed(Key::ArrowDown))) * STEP * scale;
        if step != 0.0 {
            let size = if is_real { value.re } else { value.norm() };
            look.change(at, with_size(value, size + step, is_real));
        }
    }
    let Some(pointer) = dragged_to(response) else { return response.dragged_by(PointerButton::Primary) };
    let wanted = f64::from((zero - pointer.y) / height).clamp(if is_real { -1.0 } else { 0.0 }, 1.0) * scale;
    look.change(at, with_size(value, wanted, is_real));
    look.picked = Some(at);
    true
}

/// A coefficient with another size; a complex one keeps its phase.
fn with_size(value: Complex64, size: f64, is_real: bool) -> [f64; 2] {
    let norm = value.norm();
    let value = match () {
        () if is_real => size.into(),
        () if norm > 0.0 => value * (size.max(0.0) / norm),
        () => Complex64::from(size.max(0.0)),
    };
    [value.re, value.im]
}

fn paint(ui: &Ui, [foot, tip]: [Pos2; 2], pitch: f32, color: Color32) {
    let width = (0.5 * pitch).clamp(1.0, 14.0);
    ui.painter().rect_filled(Rect::from_two_pos(foot - vec2(width / 2.0, 0.0), tip + vec2(width / 2.0, 0.0)), 1.0, color);
    ui.painter().circle_filled(tip, (0.4 * pitch).clamp(2.0, 4.0), color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complex_coefficient_keeps_its_phase_and_a_real_one_its_sign() {
        assert_eq!(with_size(Complex64::new(0.0, -2.0), 3.0, false), [0.0, -3.0]);
        assert_eq!(with_size(Complex64::default(), 3.0, false), [3.0, 0.0]);
        assert_eq!(with_size(Complex64::new(2.0, 0.0), -3.0, true), [-3.0, 0.0]);
        assert_eq!(with_size(Complex64::new(2.0, 1.0), -3.0, false), [0.0, 0.0], "no magnitude is negative");
    }
}

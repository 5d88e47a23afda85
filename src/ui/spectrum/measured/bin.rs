//! A value of the spectrum: the wave with which the samples are compared, and the value beside its definition in double precision.

use super::curve::Curve;
use crate::engine::{RecordingPart, SpectraAnswer, SpectraQuestion, SpectraRequest, SpectraStudy};
use crate::numerals::{integer, number};
use crate::ui::remedy::in_words;
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::{Pos2, Rect, Role, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, pos2};
use std::f64::consts::TAU;

/// The share of the card that the texts take, and the widest they are, in points.
const TEXTS: f32 = 0.4;
const MOST_TEXTS: f32 = 320.0;
/// The most periods that are drawn.
const MOST_PERIODS: f64 = 24.0;
/// The lanes of a flow graph in which the path of a value is seen.
pub(super) const DRAWN: usize = 16;

/// The card.
pub(super) struct BinCard {
    value: Studied<SpectraStudy>,
}

impl BinCard {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { value: Studied::new(studies, || SpectraStudy) }
    }

    /// Shows the value at a frequency; returns whether its path in a flow graph is asked for, as the index there.
    pub(super) fn ui(&mut self, ui: &mut Ui, part: &RecordingPart, curve: &Curve, frequency: f64) -> Option<usize> {
        let spectrum = &curve.spectrum;
        let (frames, last) = (spectrum.frames, curve.values.len() - 1);
        let position = curve.position(frequency).round().clamp(0.0, last as f64) as usize;
        let index = frames.natural(position, spectrum.calibration.is_complex);
        let area = ui.available_rect_before_wrap();
        let (texts, wave) = area.split_left_right_at_x(area.left() + (TEXTS * area.width()).min(MOST_TEXTS));
        basis_ui(
            ui,
            wave.with_min_x(wave.left() + GRID),
            index,
            frames.points,
            |sample| frames.window.weight(sample, frames.length),
            frames.length,
        );
        let request = SpectraRequest { part: part.clone(), question: SpectraQuestion::Value(frames, index) };
        let answer = self.value.ask(ui.ctx(), Some(&request)).filter(|answer| answer.is_newest);
        ui.scope_builder(UiBuilder::new().max_rect(texts), |ui| {
            let turns = number(index as f64 * frames.length as f64 / frames.points as f64, 6);
            let drawn = (index * DRAWN + frames.points / 2) / frames.points % DRAWN;
            // Where the pane is low, the first lines of the card are seen.
            let is_asked = ui.horizontal_wrapped(|ui| {
                let place = curve.scaling.frequency_text(curve.frequency(position as f64), 8);
                ui.label(format!("Value {} of {}: {place}", integer(index), integer(frames.points)));
                let about = format!("The first {DRAWN} samples of the part in the layout Graph, with the path to the value at the same share of the rate: {drawn}");
                ui.button(format!("Path in a graph of {DRAWN}")).on_hover_text(about).clicked()
            });
            widgets::weak(ui, format!("a cosine and a sine of {turns} periods in a frame, under the window"));
            match answer.map(|answer| answer.reply.result.clone()) {
                Some(Ok(SpectraAnswer::Value(exact))) => {
                    if let Some(values) = &spectrum.values {
                        let own = values[index];
                        ui.label(widgets::polar(own));
                        let error = (own - exact).norm() / exact.norm().max(f64::MIN_POSITIVE);
                        ui.label(format!("by its definition {}, relative difference {}", widgets::polar(exact), number(error, 2)));
                    } else {
                        ui.label(format!("first frame {}", widgets::polar(exact)));
                        ui.label(format!("root of the averaged |X|² {}", number(spectrum.power[index].sqrt(), 6)));
                    }
                }
                Some(Err(error)) => widgets::error(ui, &in_words(&error)),
                _ => drop(widgets::weak(ui, "The definition is being summed")),
            }
            is_asked.inner.then_some(drawn)
        })
        .inner
    }
}

/// Paints the cosine and the sine of a value over a frame, as the window leaves them; of many periods those in the middle.
fn basis_ui(ui: &mut Ui, rect: Rect, index: usize, points: usize, weight: impl Fn(usize) -> f64, length: usize) {
    let cycle = points as f64 / index.min(points - index).max(1) as f64;
    let shown = (length as f64).min(cycle * MOST_PERIODS);
    let first = (length as f64 - shown) / 2.0;
    let part = if shown < length as f64 { format!(", {MOST_PERIODS} periods in its middle") } else { String::new() };
    let response = ui.interact(rect, ui.scope_id().with("basis function"), Sense::HOVER);
    let name = format!("Basis function of value {index} over {length} samples{part}");
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    response.on_hover_text(&name);
    let tokens = Tokens::current(ui);
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 0.0, tokens.well);
    let pixels = rect.width().max(2.0) as usize;
    let wave = |phase: f64| {
        let point = |pixel: usize| {
            let share = pixel as f64 / (pixels - 1) as f64;
            let sample = first + share * (shown - 1.0).max(0.0);
            let value = weight(sample as usize) * (TAU * index as f64 * sample / points as f64 - phase).cos();
            pos2(rect.left() + rect.width() * share as f32, rect.center().y - 0.46 * rect.height() * value as f32)
        };
        (0..pixels).map(point).collect::<Vec<Pos2>>()
    };
    painter.add(Shape::line(wave(TAU / 4.0), Stroke::new(1.2, tokens.weak)));
    painter.add(Shape::line(wave(0.0), Stroke::new(1.2, tokens.line)));
}

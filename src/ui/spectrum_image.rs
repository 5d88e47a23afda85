//! The pane *Spectrum image*: the result as an image with two axes, a colour bar, and a read-out of the value under the pointer.

use super::canvas::{Canvas, Placement, ZoomTo};
use super::looks::FrequencyUnit;
use super::pane::{Pane, PaneInfo};
use super::result_looks::ResultLook;
use super::scene::Scene;
use super::settings::Settings;
use super::theme::{GRID, Tokens};
use super::widgets;
use crate::display::{Colormap, Look, Quantity, Scale, unshifted_index};
use crate::engine::{RenderedImage, Value};
use crate::numerals::number;
use crate::plan::Direction;
use crate::transforms::{Axes, Numbers, ResultIndex, Shape};
use egui::{Align2, Color32, FontId, Rect, Ui, Vec2, pos2, vec2};
use strum::IntoEnumIterator as _;

/// Room for the numbers of the row axis, in points.
const LEFT: f32 = 52.0;
/// Room for the numbers and the name of the column axis.
const BELOW: f32 = 32.0;
/// Room for the colour bar and its numbers.
const RIGHT: f32 = 76.0;
/// Room above the image for the name of the colour bar.
const ABOVE: f32 = 20.0;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "SpectrumPicture",
    title: "Spectrum image",
    help: &[
        "The result as an image; colours and scale change only how it looks.",
        "Wheel zooms at the cursor, drag pans, double-click fits.",
        "Where several values share a pixel, the strongest is shown, so that no peak is lost.",
    ],
    empty: "The spectrum image appears here once there is a signal",
    shows_result: true,
    keys: &[],
    create: |_| Box::<SpectrumImagePane>::default(),
};

/// The pane *Spectrum image*.
#[derive(Default)]
pub(super) struct SpectrumImagePane {
    canvas: Canvas,
    shape: Option<Shape>,
}

/// One axis of the displayed image.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FrequencyAxis {
    /// Values along the axis.
    n: usize,
    /// Whether index 0 stands at n/2.
    shifted: bool,
    /// Whether the axis is a frequency; otherwise it counts samples.
    is_frequency: bool,
    unit: FrequencyUnit,
    /// The unit of frequencies without a sample rate.
    cycles: &'static str,
    /// Samples per second, where the rate is known.
    rate: Option<f64>,
}

impl FrequencyAxis {
    /// The signed index at a displayed position.
    fn index(self, position: f64) -> f64 {
        if self.shifted { position - (self.n / 2) as f64 } else { position }
    }

    /// The number at a tick.
    fn value(self, position: f64) -> f64 {
        self.index(position) / self.per_unit()
    }

    /// About `wanted` round values between two displayed positions; only whole ones where the axis counts.
    fn ticks(self, from: f64, to: f64, wanted: f64) -> Vec<f64> {
        let counts = self.per_unit() == 1.0;
        let found = crate::plot::round_values(self.value(from), self.value(to), wanted.max(1.0));
        found.into_iter().filter(|value| !counts || value.fract() == 0.0).collect()
    }

    /// The displayed position of a tick.
    fn position(self, value: f64) -> f64 {
        value * self.per_unit() + if self.shifted { (self.n / 2) as f64 } else { 0.0 }
    }

    fn per_unit(self) -> f64 {
        match (self.unit, self.rate) {
            (FrequencyUnit::Bins, _) => 1.0,
            _ if !self.is_frequency => 1.0,
            (FrequencyUnit::Hertz, Some(rate)) => self.n as f64 / rate,
            _ => self.n as f64,
        }
    }

    /// The name of the axis along x or y.
    fn name(self, direction: &str) -> String {
        match (self.is_frequency, self.unit, self.rate) {
            (false, ..) => if direction == "x" { "column" } else { "row" }.to_owned(),
            (true, FrequencyUnit::Bins, _) => format!("frequency index along {direction}"),
            (true, FrequencyUnit::Hertz, Some(_)) => format!("frequency along {direction} (Hz)"),
            (true, ..) => format!("frequency along {direction} ({})", self.cycles),
        }
    }

    /// The frequency at a displayed position in words.
    fn frequency(self, position: usize) -> String {
        match self.rate {
            Some(rate) => format!("{} Hz", number(rate * self.cycles(position), 6)),
            None => format!("{} {}", number(self.cycles(position), 4), self.cycles),
        }
    }

    /// Cycles per sample or pixel at a displayed position, within −½ to ½.
    fn cycles(self, position: usize) -> f64 {
        let n = self.n as f64;
        let index = self.index(position as f64);
        (if !self.shifted && 2.0 * index >= n && self.n > 1 { index - n } else { index }) / n
    }
}

impl Pane for SpectrumImagePane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let shown = scene.report.and_then(|report| report.image.clone());
        let rate = scene.signal.and_then(|signal| signal.sample_rate_hz);
        let cycles = scene.cycles(scene.shape().map_or(Axes::Rows, |(_, axes)| axes), true);
        look_ui(ui, scene.settings, shown.as_deref(), (cycles, rate.is_some()));
        // A half spectrum begins at frequency 0.
        let is_centred = scene.settings.result_look().image.shifted
            && is_spectrum(scene.settings)
            && scene.settings.transform().gives != Numbers::HalfSpectrum;
        let look = Look { shifted: is_centred, ..scene.settings.result_look().image };
        scene.view.look = look;
        let Some((shape, axes)) = scene.shape() else {
            return widgets::empty_state(ui, &scene.empty_text(PANE.empty));
        };
        if self.shape != Some(shape) {
            self.shape = Some(shape);
            self.canvas.order(ZoomTo::Fit);
        }
        let area = ui.available_rect_before_wrap();
        let canvas = Rect::from_min_max(area.min + vec2(LEFT, ABOVE), area.max - vec2(RIGHT, BELOW));
        if canvas.width() < 32.0 || canvas.height() < 32.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the image");
        }
        let reply = self.canvas.ui(ui, "Spectrum image", canvas, shape, shown.as_ref(), scene.stale);
        scene.view.image = reply.frame;
        if shown.as_ref().is_some_and(|image| image.is_blank) {
            return widgets::in_place_of(ui, canvas, widgets::NOT_FINITE);
        }
        let [across, down] = axes_of(scene, is_centred, shape, axes);
        axes_ui(ui, &reply.placement, shape, across, down);
        if scene.settings.result_look().rings && across.is_frequency && down.is_frequency && look.shifted {
            rings_ui(ui, &reply.placement, shape);
        }
        if let Some(image) = &shown {
            let bar =
                Rect::from_min_max(pos2(canvas.right() + 3.0 * GRID, canvas.top()), pos2(canvas.right() + 6.0 * GRID, canvas.bottom()));
            colour_bar(ui, bar, &look, image.range);
        }
        let [x, y] = match reply.hovered {
            Some(at) => at,
            None => return,
        };
        let index = [(y, down), (x, across)].map(|(at, axis)| if axis.shifted { unshifted_index(at, axis.n) } else { at });
        scene.view.probe = Some(index);
        let probed = scene.report.and_then(|report| report.probe).filter(|(at, _)| *at == index);
        let [place, frequency] = read_out([x, y], across, down, index);
        let value = probed.map_or(String::new(), |(_, value)| match value {
            Value::Integer(value) => widgets::exact(value),
            Value::Complex(value) => widgets::complex(value),
        });
        *scene.read_out = [place, frequency, value].join("   ");
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.canvas.order(zoom);
    }
}

/// Whether the result has frequencies.
fn is_spectrum(settings: &Settings) -> bool {
    settings.transform().index == ResultIndex::Frequency && settings.parameters.direction == Direction::Forward
}

/// The axes across and down of a result.
fn axes_of(scene: &Scene<'_>, is_centred: bool, shape: Shape, axes: Axes) -> [FrequencyAxis; 2] {
    let rate = scene.signal.and_then(|signal| signal.sample_rate_hz);
    let axis = |n: usize, transformed: bool, along_rows: bool| FrequencyAxis {
        n,
        shifted: is_centred && transformed,
        is_frequency: transformed && is_spectrum(scene.settings),
        unit: scene.settings.result_look().unit,
        cycles: scene.cycles(axes, along_rows),
        // Only the samples of one line follow each other in time, not the lines.
        rate: rate.filter(|_| along_rows == axes.along_rows()),
    };
    let period = scene.period(shape, axes);
    match axes {
        Axes::Columns => [axis(shape.columns, false, true), axis(period, true, false)],
        Axes::Rows | Axes::Both => [axis(period, true, true), axis(shape.rows, axes == Axes::Both, false)],
    }
}

/// The controls above the image.
fn look_ui(ui: &mut Ui, settings: &mut Settings, shown: Option<&RenderedImage>, (cycles, has_rate): (&str, bool)) {
    let has_frequencies = settings.transform().index == ResultIndex::Frequency;
    let ResultLook { image: look, unit, rings, .. } = settings.result_look_mut();
    ui.horizontal_wrapped(|ui| {
        let quantities = Quantity::iter().map(|quantity| (quantity, quantity.name().to_owned(), String::new()));
        let before = look.quantity;
        widgets::combo_of_width(ui, "Quantity", 96.0, look.quantity.name(), &mut look.quantity, quantities)
            .on_hover_text("The quantity of the complex value that is shown");
        if look.quantity != before {
            look.colormap = fitting_colormap(look.quantity, look.colormap);
            look.range = None;
        }
        ui.add_enabled_ui(look.quantity != Quantity::Phase, |ui| {
            let scales = Scale::iter().map(|scale| (scale, scale.name().to_owned(), scale.label(look.quantity)));
            let scale = widgets::combo_of_width(ui, "Scale", 96.0, look.scale.name(), &mut look.scale, scales);
            if scale.on_hover_text("The scale of the values").changed() {
                look.range = None;
            }
        });
        let maps = Colormap::iter().map(|map| (map, map.name().to_owned(), String::new()));
        widgets::combo_of_width(ui, "Colour map", 88.0, look.colormap.name(), &mut look.colormap, maps).on_hover_text("Colour map");
        if has_frequencies {
            ui.toggle_value(&mut look.shifted, "Centred").on_hover_text("Frequency 0 in the middle of the image and of its axes");
            let button = ui.add_enabled(look.shifted, egui::Button::selectable(*rings, "Rings"));
            if button.on_hover_text("Rings of equal frequency, in cycles, round frequency 0 in the middle").clicked() {
                *rings = !*rings;
            }
        }
        let mut automatic = look.range.is_none();
        if ui.toggle_value(&mut automatic, "Auto range").on_hover_text("From the smallest to the largest value").changed() {
            look.range = if automatic { None } else { shown.map(|image| image.range) };
        }
        if let Some([low, high]) = &mut look.range {
            widgets::number(ui, "Value of the first colour", low).on_hover_text("Value of the first colour");
            widgets::number(ui, "Value of the last colour", high).on_hover_text("Value of the last colour");
        }
        if has_frequencies {
            let title = cycles.replacen('c', "C", 1);
            let units = [
                (FrequencyUnit::Hertz, "Hertz", "Axes in hertz"),
                (FrequencyUnit::Cycles, &title, "Axes in parts of the sampling rate"),
                (FrequencyUnit::Bins, "Index", "Axes in indices"),
            ];
            widgets::segmented(ui, unit, &units[usize::from(!has_rate)..]);
        }
    });
}

/// A cyclic map for the phase, a diverging one for signed values, a perceptual one for values that are never negative.
fn fitting_colormap(quantity: Quantity, current: Colormap) -> Colormap {
    match quantity {
        Quantity::Phase => Colormap::Sinebow,
        Quantity::Real | Quantity::Imaginary => Colormap::RdBu,
        Quantity::Magnitude | Quantity::Power if matches!(current, Colormap::Sinebow | Colormap::RdBu) => Colormap::default(),
        Quantity::Magnitude | Quantity::Power => current,
    }
}

fn axes_ui(ui: &Ui, placement: &Placement, shape: Shape, across: FrequencyAxis, down: FrequencyAxis) {
    let tokens = Tokens::current(ui);
    let painter = ui.painter();
    let font = FontId::proportional(11.0);
    let canvas = placement.canvas;
    let whole = placement.whole(shape).intersect(canvas);
    let corner = [placement.to_data(whole.min), placement.to_data(whole.max)];
    // A tick stands in the middle of the pixel of its value.
    let middle = 0.5;
    for value in across.ticks(corner[0][0] - middle, corner[1][0] - middle, f64::from(whole.width() / 48.0)) {
        let x = placement.to_screen([across.position(value) + middle, 0.0]).x;
        if (whole.left()..=whole.right()).contains(&x) {
            painter.vline(x, whole.bottom()..=whole.bottom() + GRID, (1.0, tokens.rule));
            painter.text(pos2(x, whole.bottom() + GRID + 1.0), Align2::CENTER_TOP, number(value, 5), font.clone(), tokens.weak);
        }
    }
    let below = pos2(whole.center().x, whole.bottom() + 17.0);
    painter.text(below, Align2::CENTER_TOP, across.name("x"), font.clone(), tokens.weak);
    for value in down.ticks(corner[0][1] - middle, corner[1][1] - middle, f64::from(whole.height() / 48.0)) {
        let y = placement.to_screen([0.0, down.position(value) + middle]).y;
        if (whole.top()..=whole.bottom()).contains(&y) {
            painter.hline(whole.left() - GRID..=whole.left(), y, (1.0, tokens.rule));
            painter.text(pos2(whole.left() - GRID - 2.0, y), Align2::RIGHT_CENTER, number(value, 5), font.clone(), tokens.weak);
        }
    }
    painter.text(pos2(whole.left(), whole.top() - 3.0), Align2::LEFT_BOTTOM, down.name("y"), font, tokens.weak);
}

/// Rings of equal frequency around frequency 0; they are ellipses where the image is not square.
fn rings_ui(ui: &Ui, placement: &Placement, shape: Shape) {
    const STEPS: usize = 128;
    let sides = [shape.columns, shape.rows];
    let middle = sides.map(|n| (n / 2) as f64 + 0.5);
    let painter = ui.painter().with_clip_rect(placement.whole(shape).intersect(placement.canvas));
    // White on black can be read on bright and dark colours.
    let [light, dark] = [Color32::from_white_alpha(150), Color32::from_black_alpha(130)];
    let per_cycle = placement.scale[0] * shape.columns as f64;
    let radii = crate::plot::round_values(0.0, std::f64::consts::FRAC_1_SQRT_2, (per_cycle / 64.0).clamp(2.0, 32.0));
    for radius in radii.into_iter().filter(|radius| *radius > 0.0) {
        let at = |part: f64| {
            let (sin, cos) = (part * std::f64::consts::TAU).sin_cos();
            let [x, y] = [radius * sides[0] as f64 * cos, radius * sides[1] as f64 * sin];
            placement.to_screen([middle[0] + x, middle[1] - y])
        };
        let ring: Vec<_> = (0..=STEPS).map(|step| at(step as f64 / STEPS as f64)).collect();
        painter.line(ring.clone(), (2.5, dark));
        painter.line(ring, (1.0, light));
        let galley = painter.layout_no_wrap(number(radius, 3), FontId::proportional(11.0), Color32::WHITE);
        let rect = Align2::CENTER_CENTER.anchor_size(at(0.125), galley.size());
        painter.rect_filled(rect.expand2(vec2(3.0, 0.0)), 2.0, Color32::from_black_alpha(170));
        painter.galley(rect.min, galley, Color32::WHITE);
    }
}

/// The colour bar with the name of its values.
fn colour_bar(ui: &Ui, bar: Rect, look: &Look, range: [f32; 2]) {
    let tokens = Tokens::current(ui);
    let font = FontId::proportional(11.0);
    let label = look.scale.label(look.quantity);
    // The number at the upper end reaches above the bar.
    let above = pos2(bar.right() + RIGHT - 6.0 * GRID - 2.0, bar.top() - 7.0);
    ui.painter().text(above, Align2::RIGHT_BOTTOM, label, font, tokens.weak);
    super::colour_bar::colour_bar(ui, bar, look.colormap, range, 40.0, false);
}

/// Index and frequency of a position; period, radius and angle.
fn read_out([x, y]: [usize; 2], across: FrequencyAxis, down: FrequencyAxis, [row, column]: [usize; 2]) -> [String; 2] {
    let (u, v) = (across.cycles(x), down.cycles(y));
    let only = |place: String| [place, String::new()];
    match (across.is_frequency, down.is_frequency) {
        (true, true) if across.cycles == down.cycles => {}
        (true, true) => return only(format!("row {row}, column {column}   f = ({}, {})", across.frequency(x), down.frequency(y))),
        (true, false) => return only(format!("row {row}, index {column}   f = {}", across.frequency(x))),
        (false, true) => return only(format!("column {column}, index {row}   f = {}", down.frequency(y))),
        (false, false) => return only(format!("row {row}, column {column}")),
    }
    let frequency = Vec2::new(u as f32, v as f32);
    let radius = f64::from(frequency.length());
    let period = if radius > 0.0 { format!("{} px", number(1.0 / radius, 4)) } else { "∞".into() };
    let angle = f64::from(-frequency.y).atan2(u).to_degrees();
    [
        format!("row {row}, column {column}   f = ({}, {}) cycles per pixel", number(u, 4), number(frequency.y.into(), 4)),
        format!("period {period}   radius {}   angle {}°", number(radius, 4), number(angle, 4)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_axes_have_zero_in_the_middle() {
        let axis =
            FrequencyAxis { n: 8, shifted: true, is_frequency: true, unit: FrequencyUnit::Cycles, cycles: "cycles per pixel", rate: None };
        assert_eq!(axis.value(4.0), 0.0);
        assert_eq!(axis.value(0.0), -0.5);
        assert_eq!(axis.position(0.25), 6.0);
        let plain = FrequencyAxis { shifted: false, unit: FrequencyUnit::Bins, ..axis };
        assert_eq!(plain.value(6.0), 6.0);
        assert_eq!(plain.cycles(6), -0.25);
        let odd = FrequencyAxis { n: 7, ..axis };
        assert_eq!(odd.cycles(3), 0.0);
    }

    #[test]
    fn the_read_out_gives_period_and_angle() {
        let axis =
            FrequencyAxis { n: 16, shifted: true, is_frequency: true, unit: FrequencyUnit::Cycles, cycles: "cycles per pixel", rate: None };
        let text = read_out([8, 4], axis, axis, [12, 0])[1].clone();
        assert!(text.contains("period 4 px") && text.contains("angle 90°"), "{text}");
        assert!(read_out([8, 8], axis, axis, [0, 0])[1].contains("period ∞"));
        let other = FrequencyAxis { shifted: false, is_frequency: false, ..axis };
        let line = FrequencyAxis { cycles: "cycles per sample", ..axis };
        assert_eq!(read_out([3, 12], other, line, [4, 3])[0], "column 3, index 4   f = 0.25 cycles per sample");
        assert_eq!(read_out([3, 12], other, other, [12, 3])[0], "row 12, column 3");
        let both = read_out([12, 4], line, FrequencyAxis { cycles: "cycles per line", ..line }, [12, 4]);
        assert_eq!(both[0], "row 12, column 4   f = (0.25 cycles per sample, −0.25 cycles per line)");
    }

    #[test]
    fn axes_of_recordings_are_in_hertz() {
        let axis = FrequencyAxis {
            n: 16,
            shifted: true,
            is_frequency: true,
            unit: FrequencyUnit::Hertz,
            cycles: "cycles per sample",
            rate: Some(8000.0),
        };
        assert_eq!((axis.value(12.0), axis.position(-4000.0), axis.name("x").as_str()), (2000.0, 0.0, "frequency along x (Hz)"));
        let row = FrequencyAxis { is_frequency: false, shifted: false, n: 1, ..axis };
        assert_eq!(read_out([12, 0], axis, row, [0, 4])[0], "row 0, index 4   f = 2000 Hz");
        let plain = FrequencyAxis { rate: None, ..axis };
        assert_eq!((plain.value(12.0), plain.name("x").as_str()), (0.25, "frequency along x (cycles per sample)"));
    }
}

//! Markers over the spectrum image: pinned by a click, moved by drags and arrows, with their mates, rings, harmonics and lattice.

use super::Fields;
use super::axis::FrequencyAxis;
use super::paint::ring;
use crate::measure::{Frequency, Lattice, Marker, Peak};
use crate::numerals::number;
use crate::signal::PixelSize;
use crate::transforms::Shape;
use crate::ui::canvas::{CanvasResponse, Placement};
use crate::ui::export::painted;
use crate::ui::gestures::{Grip, has_keys, keep_arrows, nudge, removes};
use crate::ui::measurer::{Measurer, in_units, length_unit, marker_text};
use crate::ui::settings::MeasureLook;
use crate::ui::theme::Tokens;
use egui::{Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Ui, vec2};

/// A click takes the strongest value at most this far from it, in points.
const REACH: f64 = 4.0;
/// Radius of a marker, and of the place that can be clicked, in points.
const RADIUS: f32 = 6.0;
/// Points of a lattice that lie closer on the screen, in points, would hide the spectrum.
const LEAST_SPACING: f32 = 16.0;
/// The most multiples of the vectors of a lattice that are drawn.
const MOST_MULTIPLES: i32 = 24;
const LIGHT: Color32 = Color32::WHITE;

/// The markers of the pane.
pub(super) struct Markers {
    pub(super) measurer: Measurer,
    /// Whether the last click has pinned a marker, which a double-click takes back.
    has_pinned: bool,
}

/// Where frequencies lie on the screen.
#[derive(Clone, Copy)]
struct Plane {
    axes: [FrequencyAxis; 2],
    placement: Placement,
}

impl Plane {
    /// The point of a frequency, in the middle of its value.
    fn point(&self, frequency: Frequency) -> Pos2 {
        let position = |f: f64, axis: FrequencyAxis| {
            let n = axis.n as f64;
            (f * n + if axis.shifted { (axis.n / 2) as f64 } else { 0.0 } + 0.5).rem_euclid(n)
        };
        let ([across, down], Frequency { u, v }) = (self.axes, frequency);
        self.placement.to_screen([position(u, across), position(-v, down)])
    }

    /// The frequency of the value at a point.
    fn frequency(&self, at: Pos2) -> Frequency {
        let [across, down] = self.axes;
        let [x, y] = self.placement.to_data(at);
        let cycles = |at: f64, axis: FrequencyAxis| axis.cycles(at.clamp(0.0, axis.n as f64 - 1.0) as usize);
        Frequency { u: cycles(x, across), v: 0.0 - cycles(y, down) }
    }

    /// How far a click reaches, in cycles per pixel; not to the next value where values are large.
    fn reach(&self) -> f64 {
        let of = |axis: usize| REACH / (self.placement.scale[axis] * self.axes[axis].n as f64);
        of(0).max(of(1))
    }
}

impl Markers {
    /// Markers that this one measures.
    pub(super) fn measured_by(measurer: Measurer) -> Self {
        Self { measurer, has_pinned: false }
    }

    /// Shows the markers over the image, pins and moves them; a click that is taken pins none.
    pub(super) fn ui(&mut self, ui: &Ui, fields: &mut Fields<'_>, reply: &CanvasResponse, axes: [FrequencyAxis; 2], is_taken: bool) {
        let Fields { shown, measure: look, filter, out, .. } = fields;
        let plane = Plane { axes, placement: reply.placement };
        let shape = Shape { rows: axes[1].n, columns: axes[0].n };
        let before = look.selected;
        self.click(look, reply, plane, is_taken);
        let known = self.measurer.markers(ui.ctx(), shown.job, look, &mut out.actions);
        let (peaks, lattice) = known.map_or((None, None), |(peaks, lattice)| (Some(peaks), lattice));
        let pixel = shown.pixel_size;
        let painter = ui.painter().with_clip_rect(reply.placement.whole(shape).intersect(reply.placement.canvas));
        let at = |index: usize, marker: &Marker| peaks.as_ref().map_or(marker.at, |peaks| peaks[index].frequency);
        let places: Vec<Frequency> = look.markers.iter().enumerate().map(|(index, marker)| at(index, marker)).collect();
        guides(&painter, look, &plane, &places, lattice.as_ref());
        let mut has_focus = reply.response.has_focus();
        let (mut hovered, mut takes_back) = (None, false);
        for (index, frequency) in places.iter().enumerate() {
            painted::note(ui, format!("marker {}: {}", index + 1, wave(*frequency, pixel, 4)));
            let place = plane.point(*frequency);
            let rect = Rect::from_center_size(place, vec2(2.0 * RADIUS + 2.0, 2.0 * RADIUS + 2.0));
            if !reply.placement.canvas.intersects(rect) {
                continue;
            }
            let name = format!("Marker {}, {}", index + 1, wave(*frequency, pixel, 5));
            let grip = Grip::new(ui, (ui.scope_id().with(("marker", index)), rect, reply.placement.canvas), CursorIcon::Move, &name);
            let response = &grip.response;
            // The second click of a double-click lies on the marker that the first one has pinned.
            takes_back |= response.double_clicked() && self.has_pinned && index + 1 == places.len();
            if grip.is_taken() {
                look.selected = Some(index);
            }
            if let Some(pointer) = grip.to() {
                look.markers[index] = Marker { at: plane.frequency(pointer), reach: 0.0 };
            }
            keep_arrows(response);
            has_focus |= response.has_focus();
            hovered = hovered.or(response.hovered().then_some(index));
            draw(&painter, &plane, *frequency, index, (look.selected == Some(index)).then(|| wave(*frequency, pixel, 4)));
        }
        if takes_back {
            look.selected = Some(places.len() - 1);
            look.remove_selected();
            self.has_pinned = false;
        }
        self.keys(ui, look, reply, shape, (has_focus, peaks.as_deref().map(Vec::as_slice)));
        if look.selected.is_some() && look.selected != before {
            filter.selected = None;
        }
        let told = hovered.or(look.selected.filter(|_| reply.hovered.is_none()));
        if let (Some(index), Some(peaks)) = (told, &peaks)
            && let Some(peak) = peaks.get(index)
        {
            out.read_out = format!("marker {}   {}", index + 1, marker_text(peak, look.refinement, pixel));
        } else if look.selected.is_some() && reply.hovered.is_some() {
            // A marker lies on the strongest value near the click, whose values are beside it.
            out.read_out.insert_str(0, "at the pointer: ");
        }
    }

    /// Pins a marker where the image is clicked. A double-click fits the image, and takes the marker of its first click back.
    fn click(&mut self, look: &mut MeasureLook, reply: &CanvasResponse, plane: Plane, is_taken: bool) {
        if reply.response.double_clicked() {
            if std::mem::take(&mut self.has_pinned) {
                look.remove_selected();
            }
        } else if reply.response.clicked()
            && !is_taken
            && let Some(at) = reply.response.interact_pointer_pos().filter(|_| reply.hovered.is_some())
        {
            reply.response.request_focus();
            look.pin(Marker { at: plane.frequency(at), reach: plane.reach() });
            self.has_pinned = true;
        }
    }

    /// Arrows move the selected marker by one value, with Shift by ten; Delete removes it.
    fn keys(&self, ui: &Ui, look: &mut MeasureLook, reply: &CanvasResponse, shape: Shape, (has_focus, peaks): (bool, Option<&[Peak]>)) {
        keep_arrows(&reply.response);
        let Some(index) = look.selected.filter(|index| *index < look.markers.len()) else { return };
        if !(has_focus || has_keys(&reply.response)) {
            return;
        }
        if let Some([right, down]) = nudge(ui.ctx()) {
            // The marker moves from the value that it belongs to, which may lie beside the click.
            let index_of = |peak: &Peak| {
                let [row, column] = peak.index.map(|index| index as f64);
                Frequency { u: column / shape.columns as f64, v: -row / shape.rows as f64 }
            };
            let from = peaks.and_then(|peaks| peaks.get(index)).map_or(look.markers[index].at, index_of);
            look.markers[index] = Marker { at: from, reach: 0.0 }.moved([right, -down], [shape.rows, shape.columns]);
        }
        if removes(ui.ctx()) {
            look.remove_selected();
        }
    }
}

/// Period and direction of a frequency.
fn wave(frequency: Frequency, pixel: Option<PixelSize>, digits: usize) -> String {
    let wave = in_units(frequency, pixel);
    format!("period {} {}, angle {}°", number(wave.period(), digits), length_unit(pixel), number(wave.angle(), digits - 1))
}

/// A line that can be read on bright and dark colours.
fn outlined(painter: &Painter, points: Vec<Pos2>, color: Color32) {
    painter.line(points.clone(), (2.5, Color32::from_black_alpha(150)));
    painter.line(points, (1.0, color));
}

/// A cross in a circle at the marker, a small circle at its mate, and its number.
fn draw(painter: &Painter, plane: &Plane, frequency: Frequency, index: usize, selected: Option<String>) {
    let color = if selected.is_some() { Tokens::of(egui::Theme::Dark).warning.lerp_to_gamma(LIGHT, 0.2) } else { LIGHT };
    let [at, mate] = [plane.point(frequency), plane.point(frequency.mate())];
    for (center, radius) in [(at, RADIUS), (mate, 0.5 * RADIUS)] {
        painter.circle_stroke(center, radius, (3.0, Color32::from_black_alpha(150)));
        painter.circle_stroke(center, radius, (1.4, color));
    }
    for step in [vec2(1.0, 0.0), vec2(0.0, 1.0)] {
        outlined(painter, vec![at - 2.0 * step, at + 2.0 * step], color);
    }
    let text = selected.map_or((index + 1).to_string(), |wave| format!("{}: {wave}", index + 1));
    let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), color);
    let clip = painter.clip_rect();
    let beside = if at.x + RADIUS + 6.0 + galley.size().x > clip.right() { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER };
    let anchor = at + vec2(if beside == Align2::LEFT_CENTER { RADIUS + 5.0 } else { -RADIUS - 5.0 }, 0.0);
    let rect = beside.anchor_size(anchor, galley.size());
    painter.rect_filled(rect.expand2(vec2(3.0, 1.0)), 2.0, Color32::from_black_alpha(170));
    painter.galley(rect.min, galley, color);
}

/// The rings through markers, the harmonics of the selected one, and the points of their lattice.
fn guides(painter: &Painter, look: &MeasureLook, plane: &Plane, places: &[Frequency], lattice: Option<&Lattice>) {
    let [across, down] = plane.axes;
    if look.rings && across.shifted && down.shifted {
        for frequency in places {
            let ring = ring(frequency.radius(), [across.n, down.n]);
            outlined(painter, ring.into_iter().map(|at| plane.placement.to_screen(at)).collect(), Color32::from_white_alpha(150));
        }
    }
    let is_inside = |Frequency { u, v }: Frequency| u.abs() <= 0.5 && v.abs() <= 0.5;
    let dot = |frequency: Frequency| {
        let at = plane.point(frequency);
        painter.circle_stroke(at, 3.0, (2.5, Color32::from_black_alpha(150)));
        painter.circle_stroke(at, 3.0, (1.0, Color32::from_white_alpha(220)));
    };
    if let Some(frequency) = look.selected.and_then(|index| places.get(index)).filter(|_| look.harmonics) {
        for multiple in 2..=MOST_MULTIPLES {
            let harmonic = frequency.times(multiple.into());
            [harmonic, harmonic.mate()].into_iter().filter(|harmonic| is_inside(*harmonic)).for_each(dot);
        }
    }
    let spacing = |vector: Frequency| plane.point(vector).distance(plane.point(Frequency { u: 0.0, v: 0.0 }));
    let is_clear = |lattice: &&Lattice| lattice.vectors.iter().all(|vector| spacing(*vector) >= LEAST_SPACING);
    if let Some(Lattice { vectors: [a, b], .. }) = lattice.filter(|_| look.lattice).filter(is_clear) {
        let range = || -MOST_MULTIPLES..=MOST_MULTIPLES;
        for (i, j) in range().flat_map(|i| range().map(move |j| (f64::from(i), f64::from(j)))).filter(|at| *at != (0.0, 0.0)) {
            let point = Frequency { u: i * a.u + j * b.u, v: i * a.v + j * b.v };
            if is_inside(point) {
                dot(point);
            }
        }
    }
}

//! The pane *Spectrum image*: the result as an image with two axes, a colour bar, and a read-out of the value under the pointer.

mod axis;
mod hold;
mod levels;
mod markers;
mod mask_tools;
mod paint;

use super::action::PaneOutput;
use super::canvas::{Canvas, CanvasResponse, ZoomTo};
use super::chips::{ChipPress, HeldResult};
use super::command::Command;
use super::export::painted;
use super::gestures::Navigation;
use super::measurer::Measurer;
use super::pane::{Pane, PaneInfo};
use super::pane_id::PaneId;
use super::profile_line;
use super::scale_bar;
use super::scene::Scene;
use super::settings::{Act, FilterLook, FrequencyUnit, MeasureLook, ResultLook, Settings, value_label};
use super::shown::ShownJob;
use super::toolbar::toolbar;
use super::widgets;
use crate::choice::Named as _;
use crate::display::{Colormap, ColormapGroup, Look, Scale, ValuePart, unshifted_index};
use crate::engine::measure::LOOK_OF_DIFFERENCE;
use crate::engine::{Job, RenderedImage, Value};
use crate::numerals::number;
use crate::prepare::Detrend;
use crate::signal::Sampling;
use crate::transforms::{Axes, Numbers, Shape};
use axis::{FrequencyAxis, axes_of, frequency_at, read_out};
use egui::{Rect, Ui, vec2};
use hold::Hold;
use markers::Markers;
pub(crate) use mask_tools::MaskTools;
use paint::{axes_ui, colour_bar, rings_ui};
use std::sync::Arc;

/// How much wider the pane is than its image, in points.
pub(super) const MARGINS: f32 = LEFT + RIGHT;

/// Room for the numbers of the row axis, in points.
const LEFT: f32 = 52.0;
/// Room for the numbers and the name of the column axis.
pub(super) const BELOW: f32 = 32.0;
/// Room for the colour bar and its numbers.
const RIGHT: f32 = 76.0;
/// Room above the image for the name of the colour bar.
pub(super) const ABOVE: f32 = 20.0;

/// The help of the automatic range.
const AUTOMATIC: &str = "From the 1st to the 99.8th percentile of a spectrum, so that one large value does not hide the others; \
     from the smallest to the largest value of other results";

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The result as an image; colours and scale change only how it looks.",
        "Wheel zooms at the cursor, drag pans, right-drag boxes, double-click fits. Drag an end of the colour bar to set its value.",
        "Drag an outline, a handle or the inside of a shape of the mask, whatever the tool; a tool draws on empty places. Shift squares, Alt draws about the centre.",
        "A click on the spectrum of an image pins a marker at the strongest value there; drag or arrows move it, Shift by 10, Delete removes it.",
        "Where several values share a pixel, the strongest is shown, so that no peak is lost.",
    ],
    empty: "The spectrum image appears here once there is a signal",
    shows_result: true,
    // Arrows move markers.
    keys: &[Command::StepForward, Command::StepBack],
    has_content: |scene| scene.shown().has_rows(),
    acts: &[Act::Mask],
    ..PaneInfo::new("SpectrumPicture", "Spectrum image", |services| {
        let (markers, hold) = (Markers::measured_by(Measurer::new(&services.studies)), Hold::new(&services.studies));
        let (canvas, mask_tools) = Default::default();
        Box::new(SpectrumImagePane { canvas, shape: None, markers, hold, mask_tools })
    })
};

/// The pane *Spectrum image*.
pub(super) struct SpectrumImagePane {
    canvas: Canvas,
    shape: Option<Shape>,
    markers: Markers,
    hold: Hold,
    mask_tools: MaskTools,
}

struct Fields<'a> {
    shown: ShownJob<'a>,
    out: &'a mut PaneOutput,
    look: &'a mut ResultLook,
    filter: &'a mut FilterLook,
    measure: &'a mut MeasureLook,
    detrend: &'a mut Detrend,
    picked: &'a mut Option<[usize; 2]>,
}

impl Pane for SpectrumImagePane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let newest = shown.signal.filter(|_| shown.has_markers()).map(|signal| scene.settings.job(signal));
        let Settings { looks, filter, measure, preparation, synthesis, .. } = &mut *scene.settings;
        let look = looks.of_mut(shown.transform, shown.parameters.direction);
        let (detrend, picked) = (&mut preparation.detrend, &mut synthesis.picked);
        let fields = &mut Fields { shown, out, look, filter, measure, detrend, picked };
        self.canvas.hides_values = scene.learn.hides(crate::lesson::Topic::Values);
        let image = fields.shown.results.report.and_then(|report| report.image.clone());
        if look_ui(ui, fields, image.as_deref(), newest.map(|newest| (&mut self.hold, newest))) {
            self.markers.measurer.find_peaks();
        }
        fields.out.view.look = centred_look(fields);
        match fields.shown.shape() {
            Some(shape) => self.image_ui(ui, fields, shape, image),
            None => widgets::empty_state(ui, &fields.shown.results.empty_text(PANE.empty)),
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.canvas.order(zoom);
    }

    fn kept(&self) -> serde_json::Value {
        self.canvas.kept(self.shape)
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.shape = self.canvas.restore(kept);
    }

    fn forget(&mut self) {
        self.hold.release();
    }

    fn held_of_other(&self) -> Option<HeldResult> {
        self.hold.held().of_other()
    }

    fn press_held(&mut self, press: ChipPress) {
        self.hold.held_mut().press(press);
    }
}

impl SpectrumImagePane {
    /// Shows the image with its axes.
    fn image_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, (shape, axes): (Shape, Axes), image: Option<Arc<RenderedImage>>) {
        let Fields { shown, look: set, out, filter, .. } = fields;
        if self.shape != Some(shape) {
            self.shape = Some(shape);
            self.canvas.order(ZoomTo::Fit);
        }
        let (finds, look, letter) = (shown.has_markers(), out.view.look, letter(shown));
        let [across, down] = axes_of(shown, look.shifted, set.unit, shape, axes);
        let is_plane = across.is_frequency && down.is_frequency && across.cycles == down.cycles;
        // The frequencies of both axes have one scale, so that circles are circles and angles are those of the read-out.
        let sides = is_plane.then_some([shape.columns as f64 / across.n as f64, shape.rows as f64 / down.n as f64]);
        self.canvas.set_sides(sides);
        let area = ui.available_rect_before_wrap();
        let canvas = Rect::from_min_max(area.min + vec2(LEFT, ABOVE), area.max - vec2(RIGHT, BELOW));
        if canvas.width() < 32.0 || canvas.height() < 32.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the image");
        }
        let against = self.hold.shown(ui.ctx(), shown.results, image.as_ref().filter(|_| is_plane && finds), look);
        let canvas = self.hold.beside(ui, canvas, &self.canvas, sides, against.report.as_ref());
        let image = against.image.or(image);
        let look = if against.is_difference { Look { shifted: look.shifted, ..LOOK_OF_DIFFERENCE } } else { look };
        if is_plane && look.shifted {
            self.canvas.link(ui, "frequencies", shape);
        }
        let has_mask = is_plane && look.shifted;
        self.canvas.yield_to(ui, canvas, shape, |placement, at| has_mask && MaskTools::holds(filter, (placement, shape), at));
        self.canvas.take_axes(Navigation::over_axes(ui, PANE.title, area, canvas));
        let reply = self.canvas.ui(ui, "Spectrum image", canvas, shape, image.as_ref(), shown.results.stale);
        out.view.image = reply.frame;
        if image.as_ref().is_some_and(|image| image.is_blank) {
            return widgets::not_finite(ui, canvas, shown.results.is_finite(), fields.detrend);
        }
        axes_ui(ui, &reply.placement, shape, across, down);
        self.hold.why_none(ui, reply.placement.whole(shape).intersect(canvas), against.report.as_ref());
        let takes_click = is_plane && self.plane_ui(ui, fields, &reply, (shape, across), look.shifted);
        if let Some(image) = &image {
            let rect = reply.placement.whole(shape).intersect(canvas);
            let set = if against.is_difference { None } else { Some(&mut fields.look.image.range) };
            colour_bar(ui, (rect, &look), (image.range, set), (fields.shown.transform, letter));
        }
        image.iter().for_each(|image| painted::note(ui, look_text(&look, image.range)));
        pointer_ui(fields, &reply, [across, down], takes_click);
        if let Some(at) = reply.hovered {
            fields.out.read_out.push_str(&self.hold.read_out(frequency_at(at, [across, down]), against.report.as_ref()));
        }
        if is_plane && finds {
            self.markers.ui(ui, fields, &reply, [across, down], takes_click);
        }
    }

    /// Draws the mask and the rings over a plane of frequencies, and the scale bar; returns whether the mask takes a click.
    fn plane_ui(
        &mut self,
        ui: &Ui,
        fields: &mut Fields<'_>,
        reply: &CanvasResponse,
        (shape, across): (Shape, FrequencyAxis),
        has_middle: bool,
    ) -> bool {
        let (placement, mut takes_click) = (&reply.placement, false);
        if has_middle {
            takes_click = self.mask_tools.ui(ui, reply, fields.filter, shape);
            if takes_click {
                // Keys belong to what was selected last.
                fields.measure.selected = None;
            }
            if fields.shown.has_markers() {
                profile_line::line_ui(ui, placement, fields.measure, shape, true);
            }
        }
        if let Some(pixel) = fields.shown.pixel_size {
            let seen = placement.whole(shape).intersect(placement.canvas);
            let per_unit = placement.scale[0] * across.n as f64 * pixel.width;
            let painter = ui.painter().with_clip_rect(placement.canvas);
            scale_bar::draw(&painter, seen, per_unit, &format!("/ {}", pixel.unit.symbol()));
        }
        if fields.look.rings && has_middle {
            rings_ui(ui, placement, shape);
        }
        takes_click
    }
}

/// How the values are shown, in words.
fn look_text(look: &Look, [low, high]: [f32; 2]) -> String {
    let (quantity, scale, colours) = (look.quantity.title(), look.scale.title().to_lowercase(), look.colormap.title());
    let [low, high] = [low, high].map(|end| number(end.into(), 4));
    format!("{quantity}, {scale}, colours {colours}{} from {low} to {high}", toned(look))
}

/// Gamma and inversion in words, if any.
fn toned(look: &Look) -> String {
    let gamma = if look.gamma == 1.0 { String::new() } else { format!(", gamma {}", number(look.gamma.into(), 3)) };
    format!("{gamma}{}", if look.inverted { ", inverted" } else { "" })
}

/// The look of the image; a half spectrum begins at frequency 0.
fn centred_look(Fields { look, shown, .. }: &Fields<'_>) -> Look {
    let shifted = look.image.shifted && shown.has_frequencies() && shown.transform.gives != Numbers::HalfSpectrum;
    Look { shifted, ..look.image }
}

/// Reads out the value under the pointer, with its frequencies, lights it in the flow graph, and picks it where it is clicked.
fn pointer_ui(
    Fields { shown, picked, out, .. }: &mut Fields<'_>,
    reply: &CanvasResponse,
    [across, down]: [FrequencyAxis; 2],
    takes_click: bool,
) {
    let index = |[x, y]: [usize; 2]| [(y, down), (x, across)].map(|(at, axis)| if axis.shifted { unshifted_index(at, axis.n) } else { at });
    let at = reply.hovered.map(index);
    out.focus.light(PaneId::of(&PANE), at.and_then(|at| shown.results.node_at(at)));
    let (Some(at), Some(displayed)) = (at, reply.hovered) else { return };
    out.view.probe = Some(at);
    let probed = shown.results.report.and_then(|report| report.probe).filter(|(told, _)| *told == at);
    let [place, frequency] = read_out(displayed, across, down, at);
    let value = probed.map_or(String::new(), |(_, value)| match value {
        Value::Integer(value) => widgets::exact(value),
        Value::Complex(value) => widgets::polar(value),
    });
    out.read_out = [place, frequency, value.replace('X', letter(shown))].join("   ");
    if shown.is_forward() && reply.response.clicked() && !takes_click {
        shown.results.pick(at, picked, &mut out.focus);
    }
}

/// The letter of a result: x for samples, otherwise X.
fn letter(shown: &ShownJob<'_>) -> &'static str {
    if shown.is_forward() { "X" } else { "x" }
}

/// The controls above the image; returns whether peaks are to be found.
fn look_ui(ui: &mut Ui, fields: &mut Fields<'_>, image: Option<&RenderedImage>, tools: Option<(&mut Hold, Job)>) -> bool {
    let Fields { shown, look: ResultLook { image: look, unit, rings, .. }, .. } = fields;
    let (is_spectrum, transform, letter) = (shown.has_frequencies(), shown.transform, letter(shown));
    let rate_unit = shown.pixel_size.map(|pixel| pixel.unit.frequency()).or(shown.sampling().map(Sampling::frequency));
    let cycles = shown.cycles(shown.shape().map_or(Axes::Rows, |(_, axes)| axes), true);
    toolbar(ui, PANE.title, |bar| {
        let before = look.quantity;
        bar.item("quantity", |ui| {
            let quantities = ValuePart::ALL.iter().map(|quantity| (*quantity, quantity.title().to_owned(), quantity.about().to_owned()));
            widgets::combo_of_width(ui, "Quantity", 96.0, look.quantity.title(), &mut look.quantity, quantities)
                .on_hover_text("The quantity of the complex value that is shown");
        });
        if look.quantity != before {
            look.colormap = fitting_colormap(look.quantity, look.colormap);
            look.range = None;
        }
        bar.item("scale", |ui| {
            ui.add_enabled_ui(look.quantity != ValuePart::Phase, |ui| {
                let scales =
                    Scale::ALL.iter().map(|&scale| (scale, scale.title().to_owned(), value_label(scale, look.quantity, transform, letter)));
                let scale = widgets::combo_of_width(ui, "Scale", 96.0, look.scale.title(), &mut look.scale, scales);
                if scale.on_hover_text("The scale of the values").changed() {
                    look.range = None;
                }
            });
        });
        bar.item("colours", |ui| {
            let maps = |group: ColormapGroup| Colormap::ALL.iter().copied().filter(move |map| map.group() == group);
            let choices = ColormapGroup::offered()
                .into_iter()
                .map(|(group, title, about)| (title, maps(group).map(move |map| (map, map.title().to_owned(), about.to_owned()))));
            widgets::combo_in_groups(ui, "Colour map", 88.0, look.colormap.title(), &mut look.colormap, choices)
                .on_hover_text("Colour map");
        });
        if is_spectrum {
            bar.item("centred", |ui| {
                widgets::toggle(ui, &mut look.shifted, "Centred").on_hover_text("Frequency 0 in the middle of the image and of its axes")
            });
            bar.item("rings", |ui| {
                let toggle = ui.add_enabled(look.shifted, egui::Button::selectable(*rings, "Rings"));
                widgets::outline(ui, &toggle, *rings);
                if toggle.on_hover_text("Rings of equal frequency, in cycles, round frequency 0 in the middle").clicked() {
                    *rings = !*rings;
                }
            });
        }
        bar.item("levels", |ui| levels::levels_ui(ui, look, image));
        if is_spectrum {
            bar.item("unit", |ui| unit_ui(ui, unit, cycles, rate_unit));
        }
        let about = "Pins markers on the strongest values that stand clear of their surroundings; they replace the present ones";
        let finds = tools.and_then(|(hold, newest)| {
            let finds = bar.item("peaks", |ui| ui.button("Find peaks").on_hover_text(about).clicked());
            hold.controls(bar, newest);
            finds
        });
        bar.item("range", |ui| range_ui(ui, look, image));
        finds.unwrap_or(false)
    })
}

/// The choice of the values of the first and of the last colour.
fn range_ui(ui: &mut Ui, look: &mut Look, shown: Option<&RenderedImage>) {
    let mut automatic = look.range.is_none();
    if widgets::toggle(ui, &mut automatic, "Auto range").on_hover_text(AUTOMATIC).changed() {
        look.range = if automatic { None } else { shown.map(|image| image.range) };
    }
    if let Some([low, high]) = &mut look.range {
        widgets::number(ui, "Value of the first colour", low).on_hover_text("Value of the first colour");
        widgets::number(ui, "Value of the last colour", high).on_hover_text("Value of the last colour");
    }
}

/// The choice of the unit of the axes.
fn unit_ui(ui: &mut Ui, unit: &mut FrequencyUnit, cycles: &str, rate_unit: Option<&str>) {
    let title = cycles.replacen('c', "C", 1);
    let units = [
        match rate_unit {
            Some("Hz") | None => (FrequencyUnit::Hertz, "Hertz", "Axes in hertz"),
            Some(unit) => (FrequencyUnit::Hertz, unit.trim_start_matches("cycles "), "Axes by the size of a pixel or the step of a sample"),
        },
        (FrequencyUnit::Cycles, &title, "Axes in parts of the sampling rate"),
        (FrequencyUnit::Bins, "Index", "Axes in indices"),
    ];
    // Without a sampling rate, hertz mean cycles.
    let has_rate = rate_unit.is_some();
    let mut shown = if has_rate || *unit != FrequencyUnit::Hertz { *unit } else { FrequencyUnit::Cycles };
    let choice = widgets::segmented(ui, &mut shown, &units[usize::from(!has_rate)..]);
    if widgets::named("Unit of the axes", choice).changed() {
        *unit = shown;
    }
}

/// A cyclic map for the phase, a diverging one for signed values, a perceptual one for values that are never negative.
fn fitting_colormap(quantity: ValuePart, current: Colormap) -> Colormap {
    match quantity {
        ValuePart::Phase if current.group() != ColormapGroup::Cyclic => Colormap::Sinebow,
        ValuePart::Real | ValuePart::Imaginary if !current.is_diverging() => Colormap::RdBu,
        ValuePart::Magnitude | ValuePart::Power if current.group() == ColormapGroup::Cyclic || current.is_diverging() => {
            Colormap::default()
        }
        _ => current,
    }
}

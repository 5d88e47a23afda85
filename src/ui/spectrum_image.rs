//! The pane *Spectrum image*: the result as an image with two axes, a colour bar, and a read-out of the value under the pointer.

mod axis;
mod hold;
mod levels;
mod markers;
mod mask_tools;
mod paint;
mod view;

use super::canvas::{Canvas, Placement, ZoomTo};
use super::command::Command;
use super::export::Export;
use super::measurer::{Measurer, has_markers};
use super::pane::{Pane, PaneInfo};
use super::pane_id::PaneId;
use super::profile_line;
use super::scale_bar;
use super::scene::{Action, Scene};
use super::settings::ResultLook;
use super::settings::Settings;
use super::settings::{FrequencyUnit, value_label};
use super::toolbar::toolbar;
use super::widgets;
use crate::choice::Named as _;
use crate::display::{Colormap, ColormapGroup, Look, Quantity, Scale, unshifted_index};
use crate::engine::measure::LOOK_OF_DIFFERENCE;
use crate::engine::{Job, RenderedImage, Value};
use crate::measure::Frequency;
use crate::plan::Direction;
use crate::signal::{AxisUnit, PixelSize, Sampling};
use crate::transforms::{Axes, Numbers, ResultIndex, Shape};
use axis::{FrequencyAxis, read_out};
use egui::{Rect, Ui, vec2};
use hold::Hold;
use markers::Markers;
use mask_tools::MaskTools;
use paint::{axes_ui, colour_bar, rings_ui};

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

/// What the automatic range does.
const AUTOMATIC: &str = "From the 1st to the 99.8th percentile of a spectrum, so that one large value does not hide the others; \
     from the smallest to the largest value of other results";

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "SpectrumPicture",
    title: "Spectrum image",
    help: &[
        "The result as an image; colours and scale change only how it looks.",
        "Wheel zooms at the cursor, drag pans, double-click fits.",
        "A click on the spectrum of an image pins a marker at the strongest value there; drag or arrows move it, Shift by 10, Delete removes it.",
        "Where several values share a pixel, the strongest is shown, so that no peak is lost.",
    ],
    empty: "The spectrum image appears here once there is a signal",
    shows_result: true,
    // Arrows move markers.
    keys: &[Command::StepForward, Command::StepBack],
    has_content: |scene| scene.shape().is_none_or(|(shape, _)| shape.rows > 1),
    create: |services| {
        let (markers, hold) = (Markers::measured_by(Measurer::new(&services.store)), Hold::new(&services.store));
        let (canvas, mask_tools) = Default::default();
        Box::new(SpectrumImagePane { canvas, shape: None, markers, hold, exports: false, mask_tools })
    },
};

/// The pane *Spectrum image*.
pub(super) struct SpectrumImagePane {
    canvas: Canvas,
    shape: Option<Shape>,
    markers: Markers,
    hold: Hold,
    /// Whether the view is to be exported.
    exports: bool,
    mask_tools: MaskTools,
}

impl Pane for SpectrumImagePane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (exports, shown) = (std::mem::take(&mut self.exports), scene.report.and_then(|report| report.image.clone()));
        let rate_unit = scene.pixel_size().map(|pixel| pixel.unit.frequency()).or(scene.sampling().map(Sampling::frequency));
        let cycles = scene.cycles(scene.shape().map_or(Axes::Rows, |(_, axes)| axes), true);
        let finds = has_markers(scene);
        let tools = scene.signal.filter(|_| finds).map(|signal| (&mut self.hold, scene.settings.job(signal)));
        if look_ui(ui, scene.settings, shown.as_deref(), (cycles, rate_unit), tools) {
            self.markers.measurer.find_peaks();
        }
        let look = centred_look(scene.settings);
        scene.view.look = look;
        let Some((shape, axes)) = scene.shape() else {
            return widgets::empty_state(ui, &scene.empty_text(PANE.empty));
        };
        if self.shape != Some(shape) {
            self.shape = Some(shape);
            self.canvas.order(ZoomTo::Fit);
        }
        let [across, down] = axes_of(scene, look.shifted, shape, axes);
        let is_plane = across.is_frequency && down.is_frequency && across.cycles == down.cycles;
        // The frequencies of both axes have one scale, so that circles are circles and angles are those of the read-out.
        let sides = is_plane.then_some([shape.columns as f64 / across.n as f64, shape.rows as f64 / down.n as f64]);
        self.canvas.hides_values = scene.learn.hides(crate::lesson::Topic::Values);
        self.canvas.set_sides(sides);
        let area = ui.available_rect_before_wrap();
        let canvas = Rect::from_min_max(area.min + vec2(LEFT, ABOVE), area.max - vec2(RIGHT, BELOW));
        if canvas.width() < 32.0 || canvas.height() < 32.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the image");
        }
        let against = self.hold.shown(ui.ctx(), scene, shown.as_ref().filter(|_| is_plane && finds), look);
        let canvas = self.hold.beside(ui, canvas, &self.canvas, sides, against.report.as_ref());
        let shown = against.image.or(shown);
        let look = if against.is_difference { Look { shifted: look.shifted, ..LOOK_OF_DIFFERENCE } } else { look };
        if is_plane && look.shifted {
            self.canvas.link(ui, "frequencies", shape);
        }
        let reply = self.canvas.ui(ui, "Spectrum image", canvas, shape, shown.as_ref(), scene.stale);
        scene.view.image = reply.frame;
        if shown.as_ref().is_some_and(|image| image.is_blank) {
            let are_finite = scene.is_finite();
            return widgets::not_finite(ui, canvas, are_finite, &mut scene.settings.preparation.detrend);
        }
        axes_ui(ui, &reply.placement, shape, across, down);
        if is_plane {
            self.plane_ui(ui, scene, &reply.placement, (shape, across), look.shifted);
        }
        let letter = letter(scene.settings);
        if let Some(image) = &shown {
            colour_bar(ui, reply.placement.whole(shape).intersect(canvas), &look, image.range, (scene.settings.transform(), letter));
        }
        let figure = shown.as_deref().map(|image| (image, &look, letter));
        if exports {
            self.export_ui(scene, figure, &reply.placement, ([across, down], is_plane && finds));
        }
        let pointed = reply.hovered.map(|at| read_out_ui(scene, at, [across, down], letter));
        scene.point_at_result(PaneId::of(&PANE), pointed, reply.response.clicked());
        if let Some(at) = reply.hovered {
            scene.read_out.push_str(&self.hold.read_out(frequency_at(at, [across, down]), against.report.as_ref()));
        }
        if is_plane && finds && self.markers.ui(ui, scene, &reply, [across, down], true) {
            self.canvas.order(ZoomTo::Fit);
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

    fn export(&mut self) -> bool {
        self.exports = true;
        true
    }

    fn is_settled(&self) -> bool {
        self.markers.measurer.is_settled() && self.hold.is_settled()
    }
}

impl SpectrumImagePane {
    /// Exports the image as it is shown, with the rings and markers over it.
    fn export_ui(
        &self,
        scene: &mut Scene<'_>,
        shown: Option<(&RenderedImage, &Look, &str)>,
        placement: &Placement,
        (axes, has_markers): ([FrequencyAxis; 2], bool),
    ) {
        let measured = &scene.settings.measure;
        let pins = match has_markers {
            true => markers::in_figure(measured, self.markers.measurer.known(measured), axes, scene.pixel_size()),
            false => Vec::new(),
        };
        let is_plane = axes.iter().all(|axis| axis.is_frequency && axis.shifted) && axes[0].cycles == axes[1].cycles;
        let rings = scene.settings.result_look().rings && is_plane;
        let view = shown.map(|shown| view::view(scene, shown, placement, axes, (rings, pins)));
        scene.actions.push(exported(view));
    }

    /// What lies over a plane of frequencies: the mask and the rings around a middle, and the scale bar.
    fn plane_ui(
        &mut self,
        ui: &Ui,
        scene: &mut Scene<'_>,
        placement: &Placement,
        (shape, across): (Shape, FrequencyAxis),
        has_middle: bool,
    ) {
        if has_middle {
            self.mask_tools.ui(ui, placement, &mut scene.settings.filter, shape);
            if has_markers(scene) {
                profile_line::line_ui(ui, placement, &mut scene.settings.measure, shape, true);
            }
        }
        if let Some(pixel) = scene.pixel_size() {
            let seen = placement.whole(shape).intersect(placement.canvas);
            let per_unit = placement.scale[0] * across.n as f64 * pixel.width;
            let painter = ui.painter().with_clip_rect(placement.canvas);
            scale_bar::draw(&painter, seen, per_unit, &format!("/ {}", pixel.unit.symbol()));
        }
        if scene.settings.result_look().rings && has_middle {
            rings_ui(ui, placement, shape);
        }
    }
}

/// The look of the image; a half spectrum begins at frequency 0.
fn centred_look(settings: &Settings) -> Look {
    let look = settings.result_look().image;
    let shifted = look.shifted && is_spectrum(settings) && settings.transform().gives != Numbers::HalfSpectrum;
    Look { shifted, ..look }
}

/// The export of a view, or what is missing.
fn exported(view: Option<Export>) -> Action {
    view.map_or_else(|| Action::ShowError("there is no image to export yet".into()), |export| Action::Export(Box::new(export)))
}

/// The frequency at a displayed column and row.
fn frequency_at(at: [usize; 2], [across, down]: [FrequencyAxis; 2]) -> Frequency {
    Frequency { u: across.cycles(at[0]), v: 0.0 - down.cycles(at[1]) }
}

/// Reads out the value at a displayed column and row, with its frequencies; returns its row and column in the result.
fn read_out_ui(scene: &mut Scene<'_>, [x, y]: [usize; 2], [across, down]: [FrequencyAxis; 2], letter: &str) -> [usize; 2] {
    let index = [(y, down), (x, across)].map(|(at, axis)| if axis.shifted { unshifted_index(at, axis.n) } else { at });
    scene.view.probe = Some(index);
    let probed = scene.report.and_then(|report| report.probe).filter(|(at, _)| *at == index);
    let [place, frequency] = read_out([x, y], across, down, index);
    let value = probed.map_or(String::new(), |(_, value)| match value {
        Value::Integer(value) => widgets::exact(value),
        Value::Complex(value) => widgets::polar(value),
    });
    *scene.read_out = [place, frequency, value.replace('X', letter)].join("   ");
    index
}

/// The letter of a result: x for samples, otherwise X.
fn letter(settings: &Settings) -> &'static str {
    if settings.gives_samples() { "x" } else { "X" }
}

/// Whether the result has frequencies.
fn is_spectrum(settings: &Settings) -> bool {
    settings.transform().index == ResultIndex::Frequency && settings.parameters.direction == Direction::Forward
}

/// The axes across and down of a result.
fn axes_of(scene: &Scene<'_>, is_centred: bool, shape: Shape, axes: Axes) -> [FrequencyAxis; 2] {
    let (sampling, pixel) = (scene.sampling(), scene.pixel_size());
    let axis = |n: usize, transformed: bool, along_rows: bool| FrequencyAxis {
        n,
        shifted: is_centred && transformed,
        upwards: is_centred && axes == Axes::Both && !along_rows,
        is_frequency: transformed && is_spectrum(scene.settings),
        unit: scene.settings.result_look().unit,
        cycles: scene.cycles(axes, along_rows),
        // Only the samples of one line follow each other in time, not the lines.
        rate: match pixel {
            Some(PixelSize { width, height, .. }) => Some(1.0 / if along_rows { width } else { height }),
            None => sampling.filter(|_| along_rows == axes.along_rows()).map(|sampling| sampling.per_unit),
        },
        along: pixel.map(|pixel| AxisUnit::Length(pixel.unit)).or(sampling.map(|sampling| sampling.unit)).unwrap_or_default(),
    };
    let period = scene.period(shape, axes);
    match axes {
        Axes::Columns => [axis(shape.columns, false, true), axis(period, true, false)],
        Axes::Rows | Axes::Both => [axis(period, true, true), axis(shape.rows, axes == Axes::Both, false)],
    }
}

/// The controls above the image; returns whether peaks are to be found.
fn look_ui(
    ui: &mut Ui,
    settings: &mut Settings,
    shown: Option<&RenderedImage>,
    (cycles, rate_unit): (&str, Option<&str>),
    tools: Option<(&mut Hold, Job)>,
) -> bool {
    let (is_spectrum, transform) = (is_spectrum(settings), settings.transform());
    let letter = letter(settings);
    let ResultLook { image: look, unit, rings, .. } = settings.result_look_mut();
    toolbar(ui, PANE.title, |bar| {
        let before = look.quantity;
        bar.item("quantity", |ui| {
            let quantities = Quantity::ALL.iter().map(|quantity| (*quantity, quantity.title().to_owned(), quantity.about().to_owned()));
            widgets::combo_of_width(ui, "Quantity", 96.0, look.quantity.title(), &mut look.quantity, quantities)
                .on_hover_text("The quantity of the complex value that is shown");
        });
        if look.quantity != before {
            look.colormap = fitting_colormap(look.quantity, look.colormap);
            look.range = None;
        }
        bar.item("scale", |ui| {
            ui.add_enabled_ui(look.quantity != Quantity::Phase, |ui| {
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
        bar.item("levels", |ui| levels::levels_ui(ui, look, shown));
        if is_spectrum {
            bar.item("unit", |ui| unit_ui(ui, unit, cycles, rate_unit));
        }
        let about = "Pins markers on the strongest values that stand clear of their surroundings; they replace the present ones";
        let finds = tools.and_then(|(hold, newest)| {
            let finds = bar.item("peaks", |ui| ui.button("Find peaks").on_hover_text(about).clicked());
            hold.controls(bar, newest);
            finds
        });
        bar.item("range", |ui| range_ui(ui, look, shown));
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
fn fitting_colormap(quantity: Quantity, current: Colormap) -> Colormap {
    match quantity {
        Quantity::Phase if current.group() != ColormapGroup::Cyclic => Colormap::Sinebow,
        Quantity::Real | Quantity::Imaginary if !current.is_diverging() => Colormap::RdBu,
        Quantity::Magnitude | Quantity::Power if current.group() == ColormapGroup::Cyclic || current.is_diverging() => Colormap::default(),
        _ => current,
    }
}

//! The controls of the spectrogram: what it shows, how frames are made, how levels become colours, and its exports.

use super::PANE;
use crate::choice::Named;
use crate::display::{Colormap, ColormapGroup};
use crate::numerals::integer;
use crate::prepare::Window;
use crate::spectra::{Frames, FrequencyScale, Method, Pool, Quantity};
use crate::ui::settings::{BoxesLook, PictureLength, SpectrogramLook};
use crate::ui::toolbar::{Toolbar, toolbar};
use crate::ui::widgets;
use egui::{DragValue, Role, Ui, WidgetInfo};

/// The lengths of frames that are offered, as powers of two.
const LENGTHS: std::ops::RangeInclusive<u32> = 5..=16;

/// The widths of strokes that are offered, in points.
const BRUSH: std::ops::RangeInclusive<f32> = 4.0..=120.0;

/// The control that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressed {
    Export(&'static str),
    CopyCommand,
}

/// The facts about the picture that the controls need.
pub(super) struct Known {
    /// The frames as they are.
    pub(super) frames: Frames,
    /// Whether frequencies lie on both sides of 0.
    pub(super) is_complex: bool,
    /// Whether they are in Hz.
    pub(super) is_in_hertz: bool,
    /// The levels of the first and the last colour, once there is a picture.
    pub(super) range: Option<[f32; 2]>,
}

/// Everything above the picture; returns what was pressed.
pub(super) fn controls_ui(ui: &mut Ui, (look, boxes): (&mut SpectrogramLook, &mut BoxesLook), known: &Known) -> Option<Pressed> {
    toolbar(ui, PANE.title, |bar| {
        bar.kept("box", |ui| {
            let about = "A drag draws a box of time and frequency, as with Shift; the boxes are listed beside the spectrogram";
            let toggle = widgets::toggle(ui, &mut boxes.is_tool, "Box").on_hover_text(about);
            boxes.is_brush &= !toggle.changed();
        });
        bar.kept("stroke", |ui| {
            let about = "A drag draws a freehand stroke, which filters as a box does where it covers time and frequency";
            let toggle = widgets::toggle(ui, &mut boxes.is_brush, "Stroke").on_hover_text(about);
            boxes.is_tool &= !toggle.changed();
        });
        bar.kept("boxes", |ui| {
            let mut is_open = boxes.has_panel();
            let about = "The panel of the boxes beside the spectrogram: their files, measures and filter, and listening. It opens with the first box";
            let toggle = widgets::toggle(ui, &mut is_open, "Boxes").on_hover_text(about);
            if toggle.changed() {
                boxes.panel = Some(is_open);
            }
        });
        frames_ui(bar, look, known);
        axis_ui(bar, look, known);
        colours_ui(bar, look, known);
        let pressed = exports_ui(bar);
        // It comes and goes, so it is last.
        if boxes.is_brush {
            bar.kept("width of a stroke", |ui| {
                let field = ui.add(DragValue::new(&mut boxes.brush).range(BRUSH).speed(0.5).max_decimals(0).prefix("width ").suffix(" pt"));
                field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Width of a stroke"));
                field.on_hover_text("The width of a stroke on the screen: zoom in for narrow ones")
            });
        }
        rare_ui(bar, look, known);
        pressed
    })
}

fn frames_ui(bar: &mut Toolbar<'_>, look: &mut SpectrogramLook, known: &Known) {
    bar.item("length", |ui| {
        let title = |length: PictureLength| match length {
            PictureLength::Samples(n) => integer(n),
            PictureLength::Follows => "Follows zoom".to_owned(),
        };
        let follows = format!("As sharp across the pixels as along them; {} samples here", integer(known.frames.length));
        let lengths = LENGTHS.map(|power| (PictureLength::Samples(1 << power), String::new()));
        let offered = std::iter::once((PictureLength::Follows, follows)).chain(lengths);
        let offered: Vec<_> = offered.map(|(length, about)| (length, title(length), about)).collect();
        widgets::combo_of_width(ui, "Samples of a frame", 88.0, title(look.length), &mut look.length, offered)
            .on_hover_text("Samples of a frame: longer ones tell nearer tones apart, shorter ones nearer moments. The lowest wavelet of a scalogram has one period in them")
    });
    // A scalogram has wavelets in place of windows, and all samples count.
    if look.method != Method::Scalogram {
        window_ui(bar, look);
    }
}

fn window_ui(bar: &mut Toolbar<'_>, look: &mut SpectrogramLook) {
    bar.item("overlap", |ui| {
        let mut percent = 100.0 * look.overlap;
        let field = ui.add(DragValue::new(&mut percent).range(0.0..=99.0).speed(0.5).max_decimals(1).suffix(" %").prefix("overlap "));
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Overlap of the spectrogram in percent"));
        if field.on_hover_text("The share of a frame that the next one has too").changed() {
            look.overlap = percent / 100.0;
        }
    });
    if look.method == Method::Multitaper {
        return;
    }
    bar.item("window", |ui| {
        let shown = look.window.shape.title();
        widgets::combo_of_width(ui, "Window of the spectrogram", 104.0, shown, &mut look.window.shape, offered::<Window>())
            .on_hover_text("What each frame is multiplied by")
    });
}

fn axis_ui(bar: &mut Toolbar<'_>, look: &mut SpectrogramLook, known: &Known) {
    bar.item("axis", |ui| {
        let suits = |scale: FrequencyScale| match scale {
            FrequencyScale::Linear => true,
            FrequencyScale::Log => !known.is_complex,
            _ => !known.is_complex && known.is_in_hertz,
        };
        let offered = offered::<FrequencyScale>().into_iter().filter(|(scale, ..)| suits(*scale));
        widgets::combo_of_width(ui, "Frequency axis", 96.0, look.scale.title(), &mut look.scale, offered)
            .on_hover_text("How frequencies are placed along the axis")
    });
    bar.item("ridge", |ui| widgets::toggle(ui, &mut look.ridge, "Ridge").on_hover_text("Marks the strongest frequency of each column"));
}

fn colours_ui(bar: &mut Toolbar<'_>, look: &mut SpectrogramLook, known: &Known) {
    bar.item("colours", |ui| {
        let maps = Colormap::ALL.iter().filter(|map| map.group() == ColormapGroup::Perceptual);
        let choices = maps.map(|map| (*map, map.title().to_owned(), map.about().to_owned()));
        widgets::combo_of_width(ui, "Colours of the spectrogram", 88.0, look.colormap.title(), &mut look.colormap, choices)
            .on_hover_text("Colour map")
    });
    bar.item("range", |ui| {
        let mut is_automatic = look.range.is_none();
        let about = "80 dB below the largest level in view, so that it follows the zoom. Without it the levels stay as they are, \
                     in all views and files; drag the ends of the colour bar to set them";
        let toggle = widgets::toggle(ui, &mut is_automatic, "Auto range").on_hover_text(about);
        toggle.widget_info(|| WidgetInfo::selected(Role::Button, true, is_automatic, "Automatic range of the spectrogram"));
        if toggle.changed() {
            look.range = if is_automatic { None } else { known.range };
        }
    });
    bar.item("quantity", |ui| {
        let has_density = look.method != Method::Scalogram;
        let quantities = [Quantity::Power, Quantity::Density]
            .into_iter()
            .filter(|quantity| has_density || *quantity == Quantity::Power)
            .map(|quantity| (quantity, quantity.title().to_owned(), quantity.about().to_owned()));
        widgets::combo_of_width(ui, "Quantity of the spectrogram", 80.0, look.quantity.title(), &mut look.quantity, quantities)
            .on_hover_text("Power reads tones; density reads noise")
    });
}

fn exports_ui(bar: &mut Toolbar<'_>) -> Option<Pressed> {
    let mut pressed = None;
    bar.item("values", |ui| {
        widgets::weak(ui, "Values as");
        for (ending, name) in [("csv", "CSV"), ("npy", "NPY")] {
            let about = "Writes the value of every pixel with its time and its frequency: not in decibels, the lowest frequency first";
            let button = ui.button(name).on_hover_text(about);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Spectrogram as {name}")));
            if button.clicked() {
                pressed = Some(Pressed::Export(ending));
            }
        }
    });
    bar.item("copy", |ui| {
        let button = ui.button("Copy command").on_hover_text("The command line that draws this part");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy the command of the spectrogram"));
        if button.clicked() {
            pressed = Some(Pressed::CopyCommand);
        }
    });
    pressed
}

fn rare_ui(bar: &mut Toolbar<'_>, look: &mut SpectrogramLook, known: &Known) {
    bar.rare("method", |ui| {
        widgets::weak(ui, "Method");
        let before = look.method;
        let methods = offered::<Method>().into_iter().filter(|(method, ..)| *method != Method::Scalogram || !known.is_complex);
        widgets::combo_of_width(ui, "Method of the spectrogram", 112.0, look.method.title(), &mut look.method, methods)
            .on_hover_text("How the power of a frame is distributed over time and frequency");
        if look.method != before && look.scale == FrequencyScale::Linear && look.method == Method::Scalogram {
            look.scale = FrequencyScale::Log;
        }
    });
    bar.rare("pool", |ui| {
        widgets::weak(ui, "A pixel shows");
        ui.add_enabled_ui(look.method != Method::Reassigned, |ui| {
            widgets::combo_of_width(ui, "Pixels of the spectrogram", 112.0, look.pool.title(), &mut look.pool, offered::<Pool>())
                .on_hover_text("Every frame counts: the largest power of a pixel, so that nothing is missed, or their mean")
        });
    });
}

/// Every value with its title and its sentence, as lists take them.
fn offered<T: Named>() -> Vec<(T, String, String)> {
    T::offered().into_iter().map(|(value, title, about)| (value, title.to_owned(), about.to_owned())).collect()
}

//! The controls of a measured spectrum: what it shows, how frames become one spectrum, and its tools.

use crate::filter::Effect;
use crate::numerals::{integer, number};
use crate::prepare::{Detrend, Window};
use crate::spectra::{Average, Quantity};
use crate::ui::settings::{FrameLength, LineLook, SignalLook};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets;
use egui::{DragValue, Role, Ui, WidgetInfo};

/// The lengths of frames that are offered, as powers of two.
const LENGTHS: std::ops::RangeInclusive<u32> = 8..=20;
/// Parts of an octave over which values are averaged.
const OCTAVES: [usize; 7] = [0, 1, 3, 6, 12, 24, 48];
/// Factors by which zeros lengthen a transform.
const PADDINGS: [usize; 5] = [1, 2, 4, 8, 16];

/// The button that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressed {
    Pin,
    Cursors,
    Harmonics,
    Band,
    Filter(Effect),
    Tone,
    Export(&'static str),
    CopyCommand,
    CopyScript,
}

/// The choice between the measured spectrum and the result of the transform.
pub(super) fn reading_ui(bar: &mut Toolbar<'_>, look: &mut SignalLook) {
    let mut is_measured = true;
    let readings = [
        (true, "Measured", "A spectrum in units or decibels, windowed and averaged, of the selected part"),
        (false, "Raw", "The values of the transform as they are: those of the flow graph"),
    ];
    if bar.segmented("Reading of the spectrum", &mut is_measured, &readings).is_some_and(|chosen| chosen.changed()) {
        look.measures = Some(is_measured);
    }
}

/// Everything above the plot, for some samples; returns what was pressed.
pub(super) fn controls_ui(
    bar: &mut Toolbar<'_>,
    (look, line, is_over_time): (&mut SignalLook, &mut LineLook, &mut bool),
    samples: usize,
) -> Option<Pressed> {
    quantity_ui(bar, look);
    frames_ui(bar, look, samples);
    let pressed = tools_ui(bar, look, line);
    rare_ui(bar, look);
    bar.rare("spectrogram", |ui| {
        widgets::toggle(ui, is_over_time, "Over time").on_hover_text("The pane Spectrogram: the spectra of frames over time")
    });
    pressed
}

fn quantity_ui(bar: &mut Toolbar<'_>, look: &mut SignalLook) {
    bar.item("quantity", |ui| {
        widgets::combo_of_width(ui, "Quantity", 88.0, look.quantity.title(), &mut look.quantity, offered::<Quantity>())
            .on_hover_text("What the spectrum shows")
    });
    bar.item("decibels", |ui| {
        ui.add_enabled_ui(look.quantity != Quantity::Phase, |ui| {
            let toggle = widgets::toggle(ui, &mut look.decibels, "dB").on_hover_text("Decibels, with their reference on the axis");
            toggle.widget_info(|| WidgetInfo::selected(Role::Button, true, look.decibels, "Decibels"));
        })
    });
    bar.item("average", |ui| {
        widgets::combo_of_width(ui, "Average", 80.0, look.average.title(), &mut look.average, offered::<Average>())
            .on_hover_text("How the spectra of frames become one")
    });
}

fn frames_ui(bar: &mut Toolbar<'_>, look: &mut SignalLook, samples: usize) {
    bar.item("window", |ui| {
        let shown = look.window.shape.title();
        widgets::combo_of_width(ui, "Window of a frame", 104.0, shown, &mut look.window.shape, offered::<Window>())
            .on_hover_text("What each frame is multiplied by; its gain and noise bandwidth stand below the plot");
        if let Some((name, usual, [low, high])) = look.window.shape.parameter() {
            let mut value = look.window.parameter.unwrap_or(usual);
            let field = ui.add(DragValue::new(&mut value).range(low..=high).speed(0.02).max_decimals(3).prefix(format!("{name} ")));
            field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Parameter of the window"));
            if field.changed() {
                look.window.parameter = Some(value);
            }
        }
    });
    bar.item("length", |ui| {
        let title = |length: FrameLength| match length {
            FrameLength::Automatic => "Automatic".to_owned(),
            FrameLength::Whole => "Whole part".to_owned(),
            FrameLength::Samples(n) => integer(n),
        };
        let about = |length: FrameLength| match length {
            FrameLength::Automatic => format!("{} samples here: usual frames where several fit", integer(look.frames(samples).length)),
            FrameLength::Whole => "One transform of the whole selection: the finest resolution, and no average".to_owned(),
            FrameLength::Samples(_) => String::new(),
        };
        let lengths = LENGTHS.map(|power| 1_usize << power).filter(|length| *length <= samples).map(FrameLength::Samples);
        let offered = [FrameLength::Automatic, FrameLength::Whole].into_iter().chain(lengths);
        let offered: Vec<_> = offered.map(|length| (length, title(length), about(length))).collect();
        widgets::combo_of_width(ui, "Length of a frame", 88.0, title(look.length), &mut look.length, offered)
            .on_hover_text("Samples of a frame: longer ones tell nearer tones apart, shorter ones leave more to average")
    });
    bar.item("overlap", |ui| {
        let mut percent = 100.0 * look.overlap;
        let field = ui.add(DragValue::new(&mut percent).range(0.0..=99.0).speed(0.5).max_decimals(1).suffix(" %").prefix("overlap "));
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Overlap of frames in percent"));
        if field.on_hover_text("The share of a frame that the next one has too").changed() {
            look.overlap = percent / 100.0;
        }
    });
    bar.item("reference", |ui| {
        let mut value = look.reference.unwrap_or(1.0);
        let field = ui.add(DragValue::new(&mut value).range(1e-12..=1e12).speed(0.01).max_decimals(9).prefix("0 dB at "));
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Reference of decibels"));
        let about = "The peak amplitude of the sine that is 0 dBFS in a recording, otherwise the value of 0 dB in the unit of the samples";
        if field.on_hover_text(about).changed() {
            look.reference = Some(value);
        }
    });
}

fn band_ui(bar: &mut Toolbar<'_>) -> Option<Pressed> {
    let mut pressed = None;
    bar.item("filter of the band", |ui| {
        for (effect, title) in [(Effect::Pass, "Keep the band"), (Effect::Cut, "Cut the band")] {
            let about = "Filters the whole recording by the band; the spectrogram shows the result, and the ends stay here to be dragged";
            if ui.button(title).on_hover_text(about).clicked() {
                pressed = Some(Pressed::Filter(effect));
            }
        }
    });
    pressed
}

fn tools_ui(bar: &mut Toolbar<'_>, look: &SignalLook, line: &mut LineLook) -> Option<Pressed> {
    let mut pressed = None;
    let marks = look.marks;
    bar.item("peaks", |ui| widgets::toggle(ui, &mut line.peaks, "Peaks").on_hover_text("Lists the strongest tones of the selected part"));
    let tools = [
        (Pressed::Cursors, marks.cursors.is_some(), "Cursors", "Two places to drag, with their values and differences"),
        (Pressed::Harmonics, marks.harmonics.is_some(), "Harmonics", "A place to drag, whose multiples are marked"),
        (Pressed::Band, marks.band.is_some(), "Band", "A band to drag, with its power and the width of its peak"),
        (
            Pressed::Tone,
            marks.tone.is_some(),
            "Tone",
            "Distortion, noise and their ratios for the strongest tone, or that at the harmonics' place",
        ),
    ];
    for (tool, mut is_on, title, about) in tools {
        if bar.item(title, |ui| widgets::toggle(ui, &mut is_on, title).on_hover_text(about).clicked()).unwrap_or(false) {
            pressed = Some(tool);
        }
    }
    if bar
        .kept("pin", |ui| ui.button("Pin").on_hover_text("Keeps this spectrum behind the next ones, on the same scale").clicked())
        .unwrap_or(false)
    {
        pressed = Some(Pressed::Pin);
    }
    axis_ui(bar, line);
    bar.item("values", |ui| {
        widgets::weak(ui, "Values as");
        for (ending, name) in [("csv", "CSV"), ("json", "JSON"), ("npy", "NPY"), ("npz", "NPZ")] {
            let button = ui
                .button(name)
                .on_hover_text("Writes the values as they are shown, with their frequencies and settings where the format has room");
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Values as {name}")));
            if button.clicked() {
                pressed = Some(Pressed::Export(ending));
            }
        }
    });
    bar.item("copy", |ui| {
        widgets::weak(ui, "Copy as");
        let copies = [
            (Pressed::CopyCommand, "command", "The command line that gives the same numbers"),
            (Pressed::CopyScript, "Python", "A script for SciPy that gives the same numbers"),
        ];
        for (press, name, about) in copies {
            let button = ui.button(name).on_hover_text(about);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Copy as {name}")));
            if button.clicked() {
                pressed = Some(press);
            }
        }
    });
    // They come and go, so they are last.
    if marks.band.is_some() {
        pressed = band_ui(bar).or(pressed);
    }
    pressed
}

fn axis_ui(bar: &mut Toolbar<'_>, line: &mut LineLook) {
    bar.log_axis(&mut line.log_axis);
    bar.item("period axis", |ui| {
        widgets::toggle(ui, &mut line.period_axis, "Period axis")
            .on_hover_text("The axis counts periods in place of frequencies, on a logarithmic scale")
    });
    bar.item("periods", |ui| {
        widgets::toggle(ui, &mut line.periods, "Periods").on_hover_text("A second axis above the plot: the period of every frequency")
    });
}

fn rare_ui(bar: &mut Toolbar<'_>, look: &mut SignalLook) {
    let list = |ui: &mut Ui, name: &str, value: &mut usize, values: &[usize], title: &dyn Fn(usize) -> String| {
        let choices: Vec<_> = values.iter().map(|value| (*value, title(*value), String::new())).collect();
        widgets::combo_of_width(ui, name, 112.0, title(*value), value, choices)
    };
    bar.rare("padding", |ui| {
        widgets::weak(ui, "Zero padding");
        let title = |factor: usize| if factor == 1 { "None".to_owned() } else { format!("{} times", number(factor as f64, 3)) };
        list(ui, "Zero padding", &mut look.padding, &PADDINGS, &title)
            .on_hover_text("Zeros after each frame: more values along the same curve, and no finer resolution")
    });
    bar.rare("detrending", |ui| {
        widgets::weak(ui, "Remove");
        widgets::combo_of_width(ui, "Trend of a frame", 112.0, look.detrend.title(), &mut look.detrend, offered::<Detrend>())
            .on_hover_text("What is removed from each frame before the window")
    });
    bar.rare("smoothing", |ui| {
        widgets::weak(ui, "Smoothing");
        let title = |part: usize| if part == 0 { "None".to_owned() } else { format!("1/{part} octave") };
        list(ui, "Smoothing", &mut look.smoothing, &OCTAVES, &title)
            .on_hover_text("The mean power over a part of an octave about each frequency")
    });
}

/// Every value with its title and its sentence, as lists take them.
fn offered<T: crate::choice::Named>() -> Vec<(T, String, String)> {
    T::offered().into_iter().map(|(value, title, about)| (value, title.to_owned(), about.to_owned())).collect()
}

/// Says why there is no spectrum; where samples are not numbers, a press takes the rest.
pub(super) fn error_ui(ui: &mut Ui, area: egui::Rect, text: &str, look: &mut SignalLook) {
    widgets::in_place_of(ui, area, text);
    if look.detrend == Detrend::None && text.contains("not finite") {
        let button = egui::Rect::from_center_size(area.center() + egui::vec2(0.0, 28.0), egui::vec2(160.0, 24.0));
        if ui
            .put(button, egui::Button::new("Remove the mean"))
            .on_hover_text("The mean stands in for samples that are no numbers")
            .clicked()
        {
            look.detrend = Detrend::Mean;
        }
    }
}

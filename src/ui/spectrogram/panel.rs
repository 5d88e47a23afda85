//! The boxes beside the spectrogram: their list, the fields and the measures of the selected one, the filter, and listening.

mod filter;
mod listen;
mod measures;
mod wanted;

use super::places::Places;
use super::result::ResultView;
use crate::choice::Named as _;
use crate::engine::{RecordingPart, SpectraStudy};
use crate::filter::Effect;
use crate::prepare::{Outline, Region};
use crate::signal::{AxisUnit, seconds_of_clock};
use crate::spectra::{NamedBox, RecordingExtent, Reference};
use crate::ui::action::{Action, PaneOutput};
use crate::ui::export::Export;
use crate::ui::origin::Origin;
use crate::ui::player::Player;
use crate::ui::settings::{BoxView, BoxesLook, SignalLook};
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Button, DragValue, Rect, Role, ScrollArea, TextEdit, Ui, UiBuilder, WidgetInfo};

/// The height of the measures of a box, in points.
const HEIGHT_OF_MEASURES: f32 = 90.0;
/// A panel of this width has two columns; the left one, of this width, is the list.
const LEAST_OF_COLUMNS: f32 = 344.0;
const LIST: f32 = 112.0;

crate::choice! {
    /// A part of the panel.
    enum Tab {
        /// The boxes, their files, and the measures of the selected one.
        #[default]
        Boxes = "Boxes";
        /// The filter by the boxes.
        Filter = "Filter";
        /// Playing the recording, the boxes or the result.
        Listen = "Listen";
    }
}

/// The panel.
pub(super) struct Panel {
    tab: Tab,
    measures: Studied<SpectraStudy>,
    tone: Studied<SpectraStudy>,
    /// Whether a tone is looked for, which is cut then.
    wants_tone: bool,
    /// The changes of the last tone, where it made the frames longer.
    lengthened: Option<Lengthened>,
    player: Player,
}

/// The changes of a cut tone that needed longer frames.
struct Lengthened {
    /// The length of the frames and what the filter showed.
    before: (Option<usize>, BoxView),
    /// The length since.
    now: usize,
    /// The boxes of the tone.
    added: Vec<NamedBox>,
}

/// The facts about the recording that the panel needs.
pub(super) struct Known<'a> {
    /// All its samples.
    pub(super) part: &'a RecordingPart,
    pub(super) places: &'a Places<'a>,
    pub(super) of: RecordingExtent,
    pub(super) reference: &'a Reference,
    pub(super) result: &'a ResultView,
    pub(super) origin: &'a Origin,
}

/// The settings that the panel changes.
pub(super) struct Set<'a> {
    pub(super) boxes: &'a mut BoxesLook,
    pub(super) spectrum: &'a mut SignalLook,
    pub(super) region: &'a mut Option<Region>,
    pub(super) out: &'a mut PaneOutput,
}

impl Known<'_> {
    /// Writes boxes beside the recording.
    fn saved(&self, boxes: Vec<NamedBox>, ending: &'static str) -> Action {
        let (part, reference, folder) = (self.part.clone(), self.reference.clone(), self.origin.folder());
        Action::Export(Box::new(Export::Boxes { part, boxes, reference, folder, ending }))
    }
}

impl Set<'_> {
    /// The selected part of `n` samples, or all of them.
    fn part(&self, n: usize) -> std::ops::Range<usize> {
        self.region.map_or(0..n, |region| region.x.min(n)..(region.x + region.width).min(n))
    }
}

impl Panel {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        let study = || Studied::new(studies, || SpectraStudy);
        Self { tab: Tab::default(), measures: study(), tone: study(), wants_tone: false, lengthened: None, player: Player::new() }
    }

    /// The sample that is heard.
    pub(super) fn heard(&self) -> Option<f64> {
        self.player.sample()
    }

    /// Shows everything in `rect`.
    pub(super) fn ui(&mut self, ui: &mut Ui, rect: Rect, known: &Known<'_>, set: &mut Set<'_>) {
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
            ScrollArea::vertical().id_salt("panel of boxes").auto_shrink([false, false]).show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    let tab = widgets::segmented(ui, &mut self.tab, &Tab::offered());
                    widgets::named("Part of the panel of boxes", tab);
                    if self.tab == Tab::Boxes {
                        files_ui(ui, known, set);
                    }
                });
                match self.tab {
                    Tab::Boxes if rect.width() < LEAST_OF_COLUMNS => {
                        list_ui(ui, set);
                        ui.add_space(GRID);
                        ui.horizontal_wrapped(|ui| {
                            acts_ui(ui, known, set);
                            saves_ui(ui, known, set);
                        });
                        self.selected_ui(ui, known, set);
                    }
                    Tab::Boxes => self.columns_ui(ui, rect.bottom(), known, set),
                    Tab::Filter => self.filter_ui(ui, known, set),
                    Tab::Listen => self.listen_ui(ui, known, set),
                }
            })
        });
    }

    /// The list, which scrolls by itself, with the selected box beside it: they fit into little height.
    fn columns_ui(&mut self, ui: &mut Ui, bottom: f32, known: &Known<'_>, set: &mut Set<'_>) {
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(LIST);
                let height = bottom - ui.cursor().top() - 2.0 * (ui.spacing().interact_size.y + GRID);
                ScrollArea::vertical().id_salt("list of boxes").max_height(height).show(ui, |ui| list_ui(ui, set));
                acts_ui(ui, known, set);
            });
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.5 * GRID;
                ui.horizontal(|ui| saves_ui(ui, known, set));
                self.selected_ui(ui, known, set);
            });
        });
    }

    /// The measures and the fields of the selected box.
    fn selected_ui(&mut self, ui: &mut Ui, known: &Known<'_>, set: &mut Set<'_>) {
        let Some((index, shown)) = set.boxes.shown() else { return };
        let mut own = shown.clone();
        ui.scope(|ui| {
            // The widgets below keep their places while the box is measured.
            ui.set_min_height(HEIGHT_OF_MEASURES);
            self.measures_ui(ui, known, &own.part);
        });
        ends_ui(ui, known, &mut own.part);
        if set.boxes.list[index] != own {
            set.boxes.list[index] = own;
        }
    }
}

/// The actions on the selected box.
fn acts_ui(ui: &mut Ui, known: &Known<'_>, set: &mut Set<'_>) {
    let Some((_, own)) = set.boxes.shown() else { return };
    let about = "Takes its time as the part and its frequencies as the band: the measured spectrum shows them";
    if ui.button("Its spectrum").on_hover_text(about).clicked() {
        let (x, width) = (own.part.samples.start, own.part.samples.len());
        *set.region = Some(Region { x, y: 0, width, height: known.part.signal.rows, outline: Outline::Rectangle });
        set.spectrum.marks.band = Some(own.part.frequencies(known.of.rate));
    }
    if ui.button("Remove box").on_hover_text("Delete removes it, too").clicked() {
        set.boxes.remove();
    }
}

/// Files of the selected box.
fn saves_ui(ui: &mut Ui, known: &Known<'_>, set: &mut Set<'_>) {
    let Some((_, own)) = set.boxes.shown() else { return };
    if ui.button("Save measures…").on_hover_text("Writes those of this box as a table").clicked() {
        set.out.actions.push(known.saved(vec![own.clone()], "csv"));
    }
    if ui.button("Save samples…").on_hover_text("Writes what this box alone holds of every channel").clicked() {
        let (signal, filter) = (known.part.signal.clone(), Box::new(wanted::of_box(known.part, &own.part, set.boxes)));
        let (folder, what) = (known.origin.folder(), own.name.clone());
        set.out.actions.push(Action::Export(Box::new(Export::Boxed { signal, filter, is_difference: false, folder, what })));
    }
}

/// Files of all boxes.
fn files_ui(ui: &mut Ui, known: &Known<'_>, set: &mut Set<'_>) {
    let about = "Adds those of a file: labels of Audacity, a selection table of Raven, or annotations of SigMF";
    let opens = ui.button("Open…").on_hover_text(about);
    opens.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Open boxes…"));
    if opens.clicked() {
        set.out.actions.push(Action::OpenBoxes(known.of));
    }
    let about = "Writes all of them for Audacity (.txt), Raven (.selections.txt) or SigMF (.sigmf-meta), or their measures (.csv); only SigMF keeps which boxes cut, and strokes";
    let has_boxes = !set.boxes.list.is_empty();
    let saves = ui.add_enabled(has_boxes, Button::new("Save…")).on_hover_text(about);
    saves.widget_info(|| WidgetInfo::labeled(Role::Button, has_boxes, "Save boxes…"));
    if saves.clicked() {
        set.out.actions.push(known.saved(set.boxes.list.clone(), "txt"));
    }
}

/// The boxes.
fn list_ui(ui: &mut Ui, set: &mut Set<'_>) {
    if set.boxes.list.is_empty() {
        widgets::weak(ui, "Drag over the spectrogram with Box or Stroke to draw one");
    }
    let BoxesLook { list, selected, .. } = &mut *set.boxes;
    for (index, own) in list.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let mut cuts = own.part.effect == Effect::Cut;
            let toggle = widgets::toggle(ui, &mut cuts, "Cut").on_hover_text("The filter cuts what it holds; otherwise that passes");
            toggle.widget_info(|| WidgetInfo::selected(Role::Button, true, cuts, format!("Cut {}", own.name)));
            own.part.effect = if cuts { Effect::Cut } else { Effect::Pass };
            if *selected == Some(index) {
                let field = ui.add(TextEdit::singleline(&mut own.name).desired_width(f32::INFINITY));
                widgets::named("Name of the box", field);
            } else if ui.add(Button::selectable(false, own.name.as_str()).truncate()).clicked() {
                *selected = Some(index);
            }
        });
    }
}

/// A field of a time, which reads seconds and times of a clock, and shows what the axis has.
fn time_field<'a>(field: DragValue<'a>, places: &Places<'_>, unit: &'a str) -> DragValue<'a> {
    let Some(axis) = places.axis.filter(|axis| axis.unit == AxisUnit::Second) else { return field.suffix(unit) };
    let field = field.custom_parser(|text| {
        let number = || text.trim_end_matches(['s', ' ']).replace('−', "-").parse().ok();
        seconds_of_clock(text).or_else(number)
    });
    match axis.clock_times(places.samples) {
        Some(written) => field.custom_formatter(move |seconds, _| written(seconds)),
        None => field.suffix(unit),
    }
}

/// The ends of a box, to be typed or dragged.
fn ends_ui(ui: &mut Ui, known: &Known<'_>, part: &mut crate::spectra::TimeFrequencyBox) {
    let (places, of) = (known.places, known.of);
    let pixel = |ends: [f64; 2], points: f32| (ends[1] - ends[0]).abs() / f64::from(points.max(1.0));
    let time_step = pixel(places.view.time.map(|sample| places.time(sample)), places.canvas.width());
    let mut times = [part.samples.start, part.samples.end].map(|sample| places.time(sample as f64));
    let mut frequencies = part.frequencies(of.rate);
    let frequency_step = pixel(places.view.band.map(|share| places.all.frequency(share)), places.canvas.height());
    let suffix = |unit: &str| format!(" {unit}");
    let fields = [
        ("Time", &mut times, time_step, suffix(known.part.rate.unit()), ["Beginning of the box", "End of the box"]),
        (
            "Frequency",
            &mut frequencies,
            frequency_step,
            suffix(of.rate.frequency()),
            ["Lowest frequency of the box", "Highest frequency of the box"],
        ),
    ];
    let mut is_changed = false;
    for (title, values, speed, unit, names) in fields {
        widgets::row(ui, title, |ui| {
            let responses: Vec<_> = names
                .into_iter()
                .zip(values.iter_mut())
                .map(|(name, value)| {
                    let field = DragValue::new(value).speed(speed).max_decimals(6);
                    let field = ui.add(if title == "Time" { time_field(field, places, &unit) } else { field.suffix(&unit) });
                    field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
                    field
                })
                .collect();
            is_changed |= responses.iter().any(egui::Response::changed);
            responses.into_iter().reduce(|a, b| a | b).expect("there are two fields")
        });
    }
    if is_changed {
        let corner = |end: usize| [places.sample(times[end]), frequencies[end]];
        if let Some(changed) = of.part([corner(0), corner(1)], part.effect) {
            part.take_ends(changed);
        }
    }
}

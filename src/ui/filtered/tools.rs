//! The controls and the facts of the pane *Filtered*.

use crate::choice::Named as _;
use crate::engine::filter::{FilterShown, FilterStudy};
use crate::engine::{EngineError, StudyReply};
use crate::numerals::{counted, duration, number};
use crate::prepare::{LEAST_WEIGHT, PreparedFacts};
use crate::ui::command::Command;
use crate::ui::settings::{FilterLook, FilteredView, MaskTool, presets};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets;
use egui::Ui;

/// The wish of a button of the toolbar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Periodic noise is to be found.
    Noise,
    /// All values are to be exported.
    Values,
    /// The mask is to be exported.
    Mask,
    /// A mask is to be opened.
    Open,
    /// The plan of the filter is to be shown.
    Plan,
}

/// The controls above an image or a signal.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, look: &mut FilterLook, is_image: bool) -> Option<Wanted> {
    let views = views(is_image);
    bar.item("shows", |ui| {
        let shown = views.iter().find(|(view, ..)| *view == look.shows).map_or("", |(_, name, _)| name);
        let choices = views.map(|(view, name, about)| (view, name.to_owned(), about.to_owned()));
        widgets::combo_of_width(ui, "View of the filter", 96.0, shown, &mut look.shows, choices)
    });
    if is_image {
        bar.item("tool", |ui| {
            let tools = MaskTool::offered().into_iter().map(|(tool, title, about)| (tool, title.to_owned(), about.to_owned()));
            let about = format!("What the mouse does in the spectrum image. {}", look.tool.about());
            widgets::combo_of_width(ui, "Mask tool", 88.0, look.tool.title(), &mut look.tool, tools).on_hover_text(about)
        });
    }
    bar.kept("add", |ui| {
        widgets::menu(ui, "Add", |ui| {
            for (name, about, shape) in presets(is_image) {
                if ui.button(name).on_hover_text(about).clicked() {
                    look.add(shape);
                    ui.close();
                }
            }
        })
        .response
        .on_hover_text("Adds a shape to the mask: a low or a high pass, a band, a notch; for images stripes, a wedge, a lattice")
    });
    let find = match is_image {
        true => "Finds the spots of a moiré, a screen or stripes in the spectrum, and shows them before anything is cut",
        false => "Finds hum and other lines of the spectrum, and names them before anything is cut",
    };
    let finds = bar.kept("find", |ui| {
        let button = ui.button("Find noise");
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Find periodic noise"));
        button.on_hover_text(find).clicked()
    });
    let (export, all) = match is_image {
        true => ("Export image…", "Writes the filtered image in every channel: 8 and 16 bits as PNG, values as TIFF or NPY"),
        false => ("Export signal…", "Writes the filtered signal in every channel: WAV, CSV or NPY"),
    };
    let values = bar.item("values", |ui| ui.button(export).on_hover_text(all).clicked());
    bar.rare("mean", |ui| ui.checkbox(&mut look.mask.keep_mean, "Keep the mean").on_hover_text("Frequency 0 passes, whatever is cut"));
    bar.rare("clear", |ui| {
        if ui.button("Remove all shapes").on_hover_text("Undo brings them back").clicked() {
            (look.mask.shapes, look.painted, look.proposed, look.selected) = (Vec::new(), None, Vec::new(), None);
        }
    });
    let about = Command::OpenMask.tooltip();
    let opens = bar.rare("open", |ui| ui.button("Open mask…").on_hover_text(about).clicked());
    let about = "Writes the shapes as JSON; drop such a file on the window to open it, or give it to papillon filter";
    let saves = bar.rare("save", |ui| ui.button("Save mask…").on_hover_text(about).clicked());
    let about = "Makes the filter of the chosen channel the transform: its flow graph, times and kernels are shown, and follow the mask. Undo goes back";
    let follows = bar.rare("plan", |ui| ui.button("Show its plan").on_hover_text(about).clicked());
    let asked = [(follows, Wanted::Plan), (finds, Wanted::Noise), (values, Wanted::Values), (saves, Wanted::Mask), (opens, Wanted::Open)];
    asked.into_iter().find(|(clicked, _)| *clicked == Some(true)).map(|(_, wanted)| wanted)
}

/// Takes the spots that were found as proposals; returns whether they have come.
pub(super) fn take_spots(look: &mut FilterLook, report: Option<&StudyReply<FilterStudy>>) -> bool {
    let Some(Ok(FilterShown { spots: Some(spots), .. })) = report.map(|report| &report.result) else {
        return report.is_some_and(|report| report.request.finds && report.result.is_err());
    };
    look.proposed = spots.iter().map(|spot| spot.notch().with_edge(look.edge)).collect();
    true
}

/// Offers to cut what was found; returns whether it was cut.
pub(super) fn proposal_ui(ui: &mut Ui, look: &mut FilterLook, is_image: bool) -> bool {
    let mut is_cut = false;
    widgets::text_row(ui, |ui| {
        let n = look.proposed.len();
        let (one, many) = if is_image { ("pair of spots", "pairs of spots") } else { ("frequency", "frequencies") };
        let about = look.proposed.iter().map(|shape| shape.to_string()).collect::<Vec<_>>().join("\n");
        ui.label(format!("{n} {} found", if n == 1 { one } else { many })).on_hover_text(about);
        if ui.button("Cut them").on_hover_text("Adds them to the mask; dashed circles in the spectrum image show spots").clicked() {
            look.mask.shapes.append(&mut look.proposed);
            (look.selected, is_cut) = (None, true);
        }
        if ui.button("Dismiss").on_hover_text("Forgets what was found").clicked() {
            look.proposed.clear();
        }
    });
    is_cut
}

/// Offers what helps where stripes are left at the edges after spots were cut; returns whether it is done.
pub(super) fn edges_ui(ui: &mut Ui, look: &mut FilterLook, periodic: &mut bool) -> bool {
    let mut is_done = false;
    widgets::text_row(ui, |ui| {
        let about =
            "Are stripes left at the edges? There the samples jump, which spreads every spot: this removes the jump (periodic plus smooth)";
        if !*periodic && ui.button("Smooth edges").on_hover_text(about).clicked() {
            *periodic = true;
        }
        let about = "Are stripes left? Makes every spot of the mask half as wide again";
        if ui.button("Wider spots").on_hover_text(about).clicked() {
            look.widen_spots();
        }
        is_done = ui.button("Done").on_hover_text("Nothing is left").clicked();
    });
    is_done
}

/// Shows in one line how far the result is from the source.
pub(super) fn result_ui(ui: &mut Ui, look: &FilterLook, shown: Option<Result<&FilterShown, &EngineError>>, is_image: bool) {
    let facts = match shown {
        Some(Ok(_)) if look.is_open() => vec![("Mask", "empty".to_owned())],
        Some(Ok(shown)) => result_facts(shown, is_image),
        _ => vec![("Filter", "being computed".into())],
    };
    widgets::facts_line(ui, &facts);
}

/// The facts about a source that decide which hint helps.
#[derive(Clone, Copy)]
pub(super) struct HintedSource {
    pub(super) is_image: bool,
    /// Whether no periodic noise was found in it.
    pub(super) has_no_noise: bool,
}

/// Shows in one line how the result was computed, or what to do while nothing is cut.
pub(super) fn making_ui(
    ui: &mut Ui,
    look: &FilterLook,
    shown: Option<Result<&FilterShown, &EngineError>>,
    HintedSource { is_image, has_no_noise }: HintedSource,
) {
    let facts = match shown {
        Some(Ok(shown)) if look.is_open() => missing(shown).into_iter().collect(),
        Some(Ok(shown)) => making_facts(shown, look),
        _ => Vec::new(),
    };
    if facts.is_empty() && look.is_open() {
        let hints = match is_image {
            _ if has_no_noise => ["No periodic noise stands out: draw a shape where you see some", "No periodic noise stands out"],
            true if look.tool == MaskTool::Point => {
                ["Choose a tool and draw over the spectrum image, Add a shape, or Find noise", "Add a shape, or Find noise"]
            }
            true => ["Draw over the spectrum image, Add a shape, or Find noise", "Draw, Add or Find noise"],
            false => ["Add a shape, or Find noise", "Add or Find noise"],
        };
        return widgets::text_row(ui, |row| {
            let fits = |hint: &&str| widgets::text_width(row, hint) <= row.available_width();
            if let Some(hint) = hints.into_iter().find(fits) {
                widgets::weak(row, hint);
            }
        });
    }
    widgets::facts_line(ui, &facts);
}

/// How far the result is from the source.
fn result_facts(shown: &FilterShown, is_image: bool) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Energy", format!("{} %", number(100.0 * shown.energy, 4)))];
    if let Some([psnr, similar]) = shown.quality {
        facts.push(("PSNR to the source", if psnr.is_finite() { format!("{} dB", number(psnr, 4)) } else { "∞".into() }));
        facts.extend(is_image.then(|| ("SSIM", number(similar, 4))));
    }
    facts
}

/// The mask, the preparation and the time of a result.
fn making_facts(shown: &FilterShown, look: &FilterLook) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Symmetric", symmetry(shown.symmetric))];
    if let (FilteredView::Difference, Some(image)) = (look.shows, &shown.image) {
        facts.insert(0, ("Full colour", format!("from ±{}", number(image.range[1].into(), 3))));
    }
    facts.extend(missing(shown));
    if let Some((prepared, kept)) = shown.prepared.as_ref().filter(|(facts, _)| !facts.steps().is_empty()) {
        facts.push(("Prepared", prepared.names().join(", ")));
        facts.push(("Undone after it", undone(prepared, *kept)));
    }
    if let Some(timed) = &shown.timed {
        facts.push(("Mask and way back", format!("{} on {}", duration(timed.micros), timed.adapter.as_deref().unwrap_or("CPU"))));
    }
    facts
}

/// The samples that no filter changes.
fn missing(shown: &FilterShown) -> Option<(&'static str, String)> {
    (shown.gaps > 0).then(|| ("Left as it is", counted(shown.gaps, "infinite or NaN sample")))
}

/// How much of a mask is symmetric. Every drawn shape has its mate; a painted mask may differ from its mirror image.
fn symmetry(painted: Option<f64>) -> String {
    painted.map_or_else(
        || "as each shape also acts at (−u, −v)".to_owned(),
        |share| format!("{} % of the painted mask", number(100.0 * share, 4)),
    )
}

/// The part of a preparation that stays on the way back.
fn undone(facts: &PreparedFacts, kept: f64) -> String {
    let window = match kept > 0.0 {
        true => format!("all but {} % where the window is below {LEAST_WEIGHT}", number(100.0 * kept, 3)),
        false => "all".to_owned(),
    };
    if facts.preparation.region.is_some() { format!("{window}, the source stands around the region") } else { window }
}

/// The ways to show a filter: their names, and what they show.
fn views(is_image: bool) -> [(FilteredView, &'static str, &'static str); 5] {
    match is_image {
        true => [
            (FilteredView::Result, "Result", "The image after the mask"),
            (FilteredView::Mask, "Mask", "The factors, black for 0 and white for 1, with frequency 0 in the middle"),
            (FilteredView::Difference, "Difference", "The image after the mask minus the source: blue less, red more"),
            (FilteredView::Split, "Split", "The source left of a movable edge, the result right of it"),
            (FilteredView::Flicker, "Flicker", "Source and result in turn"),
        ],
        false => [
            (FilteredView::Result, "Result", "The signal after the mask"),
            (FilteredView::Mask, "Mask", "The factor of every frequency"),
            (FilteredView::Difference, "Difference", "The signal after the mask minus the source"),
            (FilteredView::Split, "Both", "The signal after the mask over the source"),
            (FilteredView::Flicker, "Flicker", "Source and result in turn"),
        ],
    }
}

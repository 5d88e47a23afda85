//! The pane *Memory*: which memory the threads of a stage or a launch touch, in how many transactions, which threads work, and the tiles over an image.

mod drawing;
mod facts;
mod follow;
mod padding;
mod tiles;

use super::canvas::ZoomTo;
use super::export::painted;
use super::pane::{Pane, PaneData, PaneInfo};
use super::pane_id::PaneId;
use super::pictures::LinkedZoom;
use super::scene::Scene;
use super::settings::{MemoryLook, MemoryView};
use super::theme::GRID;
use super::toolbar::toolbar;
use super::widgets;
use crate::choice::Named as _;
use crate::engine::{AccessBy, AccessStudy};
use crate::numerals::integer;
use egui::{DragValue, Rect, Role, Ui, UiBuilder, WidgetInfo};
use follow::Follower;
use std::sync::Arc;

/// Width of the facts beside the drawing, in points.
const FACTS_WIDTH: f32 = 356.0;
/// From this width on, the facts are beside the drawing, in points.
const LEAST_WIDTH_SIDE_BY_SIDE: f32 = 760.0;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Accesses: the threads of one subgroup from top to bottom, the memory that they touch from left to right, a colour for each transaction of 128 bytes. For loops of the CPU: iterations and cache lines of 64 bytes.",
        "Banks: workgroup memory with its 32 banks; words of one bank take several passes. Padding moves the rows of a transposition apart.",
        "Threads: which threads work and which are idle. On the image: the tiles of a launch over the image, with their halos.",
        "It follows the step cursor. Hover an access to light its lane in the flow graph.",
    ],
    empty: "The memory accesses appear here once a transform has run",
    data: PaneData::Plan,
    ..PaneInfo::new("Memory", "Memory", |services| {
        Box::new(MemoryPane {
            follower: Follower::new(&services.studies),
            timer: padding::PaddingTimer::new(&services.studies),
            tiles: tiles::TilesView::default(),
            drawing: None,
            zoom: LinkedZoom::default(),
        })
    })
};

/// The pane.
struct MemoryPane {
    follower: Follower,
    timer: padding::PaddingTimer,
    tiles: tiles::TilesView,
    /// The drawing of the frame before.
    drawing: Option<drawing::KeptDrawing>,
    /// The part of it that is visible.
    zoom: LinkedZoom,
}

impl Pane for MemoryPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (results, adapters, preview) = (scene.results, scene.adapters, scene.preview);
        let (look, learn, out) = (&mut scene.settings.memory, &*scene.learn, &mut *scene.out);
        let Some(target) = self.follower.target(results, adapters) else {
            let text = match results.outcome() {
                Some(outcome) => format!("{} has no plan, so its accesses are not known; take another algorithm", outcome.algorithm),
                None => results.empty_text(PANE.empty),
            };
            return widgets::empty_state(ui, &text);
        };
        let stage = out.focus.n_run.saturating_sub(1).min(target.plan.stages.len().saturating_sub(1));
        let launch = target.launch_of(stage);
        let request = target.request(look, stage, launch);
        let reply = self.follower.studied.ask_ui(ui, Some(&request)).map(|answer| answer.reply);
        let reply = reply.filter(|reply| Arc::ptr_eq(&reply.request.plan, &target.plan));
        let known = reply.as_ref().and_then(|reply| reply.result.0.as_ref().ok()).map(|(study, _)| study);
        controls_ui(ui, look, known, target.image.is_some());
        widgets::weak(ui, target.title(learn, stage, launch, look.shown_by()));
        painted::begin(ui);
        if look.view == MemoryView::Tiles {
            preview.into_iter().for_each(|image| self.tiles.lie_over(ui, image));
            return self.tiles.ui(ui, &target, launch, known, &mut out.read_out);
        }
        match &reply {
            None => widgets::empty_state(ui, "The kernel is being followed"),
            Some(reply) => match &reply.result.0 {
                Err(error) => widgets::error(ui, error),
                Ok(followed) => {
                    let [drawing, facts] = areas(ui);
                    if !drawing.is_positive() {
                        return widgets::empty_state(ui, "Make this pane larger to see the accesses");
                    }
                    let device = results.outcome().map_or("", |outcome| &outcome.device);
                    let times = results.outcome().filter(|_| target.ran).map(|outcome| outcome.launch_medians()).unwrap_or_default();
                    let (study, columns) = (&followed.0, target.columns(stage, launch, followed.0.choice.by));
                    ui.scope_builder(UiBuilder::new().max_rect(drawing).id_salt("drawing"), |ui| match look.view {
                        MemoryView::Threads => drawing::threads_ui(ui, &target, stage, launch, study),
                        MemoryView::Banks => drawing::banks_ui(ui, reply, followed, (&mut self.drawing, &mut self.zoom), &mut out.read_out),
                        _ => {
                            let answer = (reply, study, reply.request == request);
                            drawing::accesses_ui(ui, learn, (&target.plan, columns), answer, (&mut self.drawing, &mut self.zoom), out);
                        }
                    });
                    ui.scope_builder(UiBuilder::new().max_rect(facts).id_salt("facts"), |ui| {
                        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                            facts::ui(ui, (look.view, learn), &target, (launch, &times), followed);
                            if study.kernel.as_ref().is_some_and(|kernel| kernel.pitch.is_some()) {
                                self.timer.ui(ui, adapters, device, &target, launch);
                            }
                        });
                    });
                }
            },
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.zoom.order(zoom);
    }
}

/// The areas of the drawing and of its facts, beside it or below; none in a small pane.
fn areas(ui: &Ui) -> [Rect; 2] {
    let area = ui.available_rect_before_wrap();
    if area.width() < 120.0 || area.height() < 80.0 {
        return [Rect::NOTHING; 2];
    }
    if area.width() >= LEAST_WIDTH_SIDE_BY_SIDE {
        let right = area.with_min_x(area.right() - FACTS_WIDTH);
        return [area.with_max_x(right.left() - 3.0 * GRID), right];
    }
    let height = (0.62 * area.height()).max(area.height() - 240.0);
    [area.with_max_y(area.top() + height), area.with_min_y(area.top() + height + GRID)]
}

/// The controls above the drawing.
fn controls_ui(ui: &mut Ui, look: &mut MemoryLook, study: Option<&AccessStudy>, has_tiles: bool) {
    toolbar(ui, "Memory", |bar| {
        bar.item("view", |ui| {
            let refused = |view| (view == MemoryView::Tiles && !has_tiles).then(|| "Only images have tiles to look at".into());
            widgets::named("View of the memory", widgets::segmented_unless(ui, &mut look.view, &MemoryView::offered(), refused))
        });
        // Banks and tiles belong to kernels.
        let has_choice = !matches!(look.view, MemoryView::Banks | MemoryView::Tiles);
        bar.item("by", |ui| {
            if !has_choice {
                return;
            }
            let choices = AccessBy::offered().into_iter().map(|(value, title, about)| (value, title.to_owned(), about.to_owned()));
            widgets::combo_of_width(ui, "Accesses by", 150.0, look.by.title(), &mut look.by, choices);
        });
        let Some(study) = study else { return };
        if let Some(kernel) = &study.kernel {
            bar.item("workgroup", |ui| number_ui(ui, "Workgroup", &mut look.group, kernel.groups));
        }
        let name = if study.choice.by.loop_order().is_some() { "Iterations" } else { "Subgroup" };
        if look.view != MemoryView::Tiles {
            bar.item("subgroup", |ui| number_ui(ui, name, &mut look.subgroup, study.n_subgroups));
        }
        if study.kernel.as_ref().is_some_and(|kernel| kernel.pitch.is_some()) {
            bar.item("padding", |ui| {
                widgets::toggle(ui, &mut look.padded, "Padding")
                    .on_hover_text("Rows of the square in workgroup memory stand one lane further apart than they are long")
            });
        }
    });
}

/// A number from 1 to `n`, kept from 0 on.
fn number_ui(ui: &mut Ui, name: &str, value: &mut usize, n: usize) -> egui::Response {
    let mut shown = (*value).min(n.saturating_sub(1)) + 1;
    ui.horizontal(|ui| {
        widgets::weak(ui, name);
        let drag = ui.add(DragValue::new(&mut shown).range(1..=n.max(1)).suffix(format!(" of {}", integer(n))));
        drag.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
        if drag.changed() {
            *value = shown - 1;
        }
        drag
    })
    .inner
}

/// This pane, as the one that lights nodes.
fn id() -> PaneId {
    PaneId::of(&PANE)
}

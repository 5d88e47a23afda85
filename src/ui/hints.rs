//! The hints of a first start: each lies at the place that it speaks of, until one press closes it for good.

use super::action::Action;
use super::command::Command;
use super::origin::Origin;
use super::pane_id::PaneId;
use super::preset::Preset;
use super::theme::{GRID, Tokens};
use super::{filtered, graph_pane, source, spectrum_image};
use crate::lesson::lessons;
use crate::signal::built_in::BUILT_IN;
use egui::{Align2, Area, Context, Frame, Id, Order, Rect, Role, Stroke, Ui, WidgetInfo, vec2};
use std::collections::{BTreeSet, HashMap};

/// The greatest width of a hint, in points.
const WIDTH: f32 = 360.0;

/// A hint: its name, its layout and pane, and what it says.
struct Hint {
    name: &'static str,
    preset: Preset,
    pane: fn() -> PaneId,
    /// What its pane shows below a view, in points: no hint covers a control.
    below: f32,
    text: &'static str,
}

/// The name of the hint that offers what to begin with.
const WELCOME: &str = "waves";

/// What [`WELCOME`] says of an image without a ring.
const WITHOUT_RING: &str = "Every image is a sum of waves: Add and Low pass keep the long ones alone.";

static HINTS: [Hint; 4] = [
    Hint {
        name: WELCOME,
        preset: Preset::Image,
        pane: || PaneId::of(&filtered::PANE),
        below: 72.0,
        text: "Every image is a sum of waves: drag the ring in the spectrum image.",
    },
    Hint {
        name: "markers",
        preset: Preset::Image,
        pane: || PaneId::of(&spectrum_image::PANE),
        below: 0.0,
        text: "A point is a wave of the image. Click one to read its period and direction; the wheel zooms.",
    },
    Hint {
        name: "part",
        preset: Preset::Signal,
        pane: || PaneId::of(&source::PANE),
        below: 0.0,
        text: "Drag over the wave: the spectrum is that of this part.",
    },
    Hint {
        name: "cone",
        preset: Preset::FlowGraph,
        pane: || PaneId::of(&graph_pane::PANE),
        below: 72.0,
        text: "Point at a node to see what it is made of; Space runs the stages one after the other.",
    },
];

/// The hints that have yet to be closed. Only a first start has any.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Hints {
    open: BTreeSet<String>,
}

impl Hints {
    /// All hints.
    pub(super) fn all() -> Self {
        Self { open: HINTS.iter().map(|hint| hint.name.to_owned()).collect() }
    }

    /// Shows the hints of a layout over the panes that lie at `rects`, so that nothing moves when one is closed. `has_ring` says whether there is one to drag.
    pub(super) fn ui(
        &mut self,
        ctx: &Context,
        (preset, has_ring): (Preset, bool),
        rects: &HashMap<PaneId, Rect>,
        actions: &mut Vec<Action>,
    ) {
        for hint in HINTS.iter().filter(|hint| hint.preset == preset) {
            let Some(pane) = rects.get(&(hint.pane)()).filter(|_| self.open.contains(hint.name)) else { continue };
            let width = WIDTH.min(pane.width() - 8.0 * GRID);
            if width < 160.0 || pane.height() < 120.0 {
                continue;
            }
            let text = if hint.name == WELCOME && !has_ring { WITHOUT_RING } else { hint.text };
            let at = pane.left_bottom() + vec2(4.0 * GRID, -4.0 * GRID - hint.below);
            let area = Area::new(Id::unique(("hint", hint.name))).order(Order::Middle).pivot(Align2::LEFT_BOTTOM).fixed_pos(at);
            let is_closed = area.show(ctx, |ui| card_ui(ui, hint, text, width, actions)).inner;
            if is_closed {
                self.open.remove(hint.name);
            }
        }
    }
}

/// Shows a hint; returns whether it was closed.
fn card_ui(ui: &mut Ui, hint: &Hint, text: &str, width: f32, actions: &mut Vec<Action>) -> bool {
    let tokens = Tokens::current(ui);
    let frame = Frame::new().fill(tokens.raised).stroke(Stroke::new(1.0, tokens.accent)).corner_radius(4).inner_margin(2.0 * GRID);
    let card = frame.show(ui, |ui| {
        ui.set_width(width - 4.0 * GRID);
        let is_closed = ui
            .horizontal_top(|ui| {
                let room = vec2(ui.available_width() - 7.0 * GRID, 0.0);
                ui.allocate_ui(room, |ui| ui.add(egui::Label::new(text).wrap()));
                let close = ui.button("×").on_hover_text("Closes the hint for good");
                close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close the hint: {text}")));
                close.clicked()
            })
            .inner;
        if hint.name == WELCOME {
            ui.horizontal_wrapped(|ui| beginnings_ui(ui, actions));
        }
        is_closed
    });
    card.inner
}

/// What to begin with: a file of one's own, a sample, or the first lesson.
fn beginnings_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.button("Open…").on_hover_text(Command::Open.tooltip()).clicked() {
        actions.push(Action::Run(Command::Open));
    }
    for sample in BUILT_IN {
        if ui.button(sample.name).on_hover_text(sample.about).clicked() {
            actions.push(Action::SetOrigin(Origin::Sample(sample.name.into())));
        }
    }
    if let Some(lesson) = lessons().first()
        && ui.button("First lesson").on_hover_text(&lesson.head.summary).clicked()
    {
        actions.push(Action::OpenLesson(lesson));
    }
}

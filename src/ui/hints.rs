//! The hints of a first start: each lies beside the place that it speaks of, until one press closes it for good.

use super::action::Action;
use super::command::Command;
use super::origin::Origin;
use super::pane_id::PaneId;
use super::preset::Preset;
use super::theme::{GRID, Tokens};
use super::{filtered, graph_pane, source, spectrum_image};
use crate::lesson::lessons;
use crate::signal::built_in::BUILT_IN;
use egui::{Align2, Area, Color32, Context, Frame, Id, Margin, Order, Rect, Role, Stroke, TextStyle, Ui, WidgetInfo, vec2};
use std::collections::{BTreeSet, HashMap};

/// The greatest width of a hint, and the width of what is beside the words of one in a line, in points.
const WIDTH: f32 = 360.0;
const CLOSE: f32 = 56.0;

/// A hint: its name, its layout and pane, and what it says.
struct Hint {
    name: &'static str,
    preset: Preset,
    pane: fn() -> PaneId,
    /// The height of the controls below a view, in points: no hint covers a control.
    below: f32,
    text: &'static str,
}

/// The name of the hint that offers what to begin with.
const WELCOME: &str = "waves";

/// The text of [`WELCOME`] for an image without a ring.
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
        text: "Click a point to read its wave; the wheel zooms.",
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

    /// Shows the hints of a layout above or over the panes that lie at `rects`, so that nothing moves when one is closed. `has_ring` says whether there is one to drag.
    pub(super) fn ui(&mut self, ctx: &Context, preset: Preset, has_ring: bool, rects: &HashMap<PaneId, Rect>, actions: &mut Vec<Action>) {
        for hint in HINTS.iter().filter(|hint| hint.preset == preset) {
            let id = (hint.pane)();
            let Some(pane) = rects.get(&id).filter(|_| self.open.contains(hint.name)) else { continue };
            let text = if hint.name == WELCOME && !has_ring { WITHOUT_RING } else { hint.text };
            let is_closed = match free_line(ctx, hint, id, *pane) {
                Some(free) => line_ui(ctx, hint, free),
                None => {
                    let width = WIDTH.min(pane.width() - 8.0 * GRID);
                    if width < 160.0 || pane.height() < 120.0 {
                        continue;
                    }
                    let at = pane.left_bottom() + vec2(4.0 * GRID, -4.0 * GRID - hint.below);
                    let area = Area::new(Id::unique(("hint", hint.name))).order(Order::Middle).pivot(Align2::LEFT_BOTTOM).fixed_pos(at);
                    area.show(ctx, |ui| card_ui(ui, hint, text, width, actions)).inner
                }
            };
            if is_closed {
                self.open.remove(hint.name);
            }
        }
    }
}

/// The room between the tabs above a pane and their buttons, where a hint of one line fits there: it covers nothing.
fn free_line(ctx: &Context, hint: &Hint, pane: PaneId, rect: Rect) -> Option<Rect> {
    let free: Rect = ctx.data(|data| data.get_temp(pane.free_strip()))?;
    let font = TextStyle::Body.resolve(&ctx.global_style());
    let width = ctx.fonts_mut(|fonts| fonts.layout_no_wrap(hint.text.to_owned(), font, Color32::PLACEHOLDER).size().x);
    // A pane in the whole window has no tabs.
    let is_above = (free.bottom() - rect.top()).abs() < GRID;
    (hint.name != WELCOME && is_above && width + CLOSE < free.width()).then_some(free)
}

/// Shows a hint in one line; returns whether it was closed.
fn line_ui(ctx: &Context, hint: &Hint, free: Rect) -> bool {
    let area = Area::new(Id::unique(("hint", hint.name))).order(Order::Middle).pivot(Align2::RIGHT_CENTER).fixed_pos(free.right_center());
    let line = |ui: &mut Ui| {
        let tokens = Tokens::current(ui);
        let frame = Frame::new().fill(tokens.raised).stroke(Stroke::new(1.0, tokens.accent)).corner_radius(4);
        let row = |ui: &mut Ui| {
            ui.add(egui::Label::new(hint.text).extend());
            close_ui(ui, hint.text)
        };
        frame.inner_margin(Margin::symmetric(2 * GRID as i8, 0)).show(ui, |ui| ui.horizontal(row).inner).inner
    };
    area.show(ctx, line).inner
}

/// The button that closes a hint; returns whether it was clicked.
fn close_ui(ui: &mut Ui, text: &str) -> bool {
    let close = ui.button("×").on_hover_text("Closes the hint for good");
    close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close the hint: {text}")));
    close.clicked()
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
                close_ui(ui, text)
            })
            .inner;
        if hint.name == WELCOME {
            ui.horizontal_wrapped(|ui| beginnings_ui(ui, actions));
        }
        is_closed
    });
    card.inner
}

/// Ways to begin: a file of one's own, a sample, or the first lesson.
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

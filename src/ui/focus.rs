//! The keyboard focus: F6 walks through the panes, Tab through the controls of one, and a ring shows where it is.

use super::command::Command;
use super::pane_id::PaneId;
use super::theme::{STRIP, Tokens};
use super::widgets::{begin_group, focus_stop};
use super::workspace::Workspace;
use egui::{Context, Id, Key, LayerId, Order, Rect, Stroke, StrokeKind, Ui};

/// The focus stop before the tabs and the buttons above a pane.
fn strip(pane: PaneId) -> Id {
    Id::unique(("strip of a pane", pane))
}

/// The focus stops before the first control of a pane and behind the last one.
fn start(pane: PaneId) -> Id {
    Id::unique(("start of a pane", pane))
}

fn end(pane: PaneId) -> Id {
    Id::unique(("end of a pane", pane))
}

/// The pane whose strip takes the focus at the next frame.
fn entered() -> Id {
    Id::unique("pane whose strip takes the focus")
}

/// Begins the tabs and the buttons above a pane. They follow behind its last control, and hand the focus on to its beginning.
pub(super) fn begin_strip(ui: &Ui, pane: PaneId) {
    let is_entered = ui.data(|data| data.get_temp::<PaneId>(entered())) == Some(pane);
    if is_entered {
        ui.data_mut(|data| data.remove::<PaneId>(entered()));
    }
    let response = begin_group(ui, strip(pane), &format!("Tabs of {}", pane.info().title), is_entered);
    // Shift+Tab moves the focus a frame after the key, Tab at once.
    if response.gained_focus() && !is_entered && !ui.input(|input| input.key_pressed(Key::Tab)) {
        ui.memory_mut(|memory| memory.request_focus(end(pane)));
    }
}

/// Begins the controls of a pane.
pub(super) fn begin(ui: &Ui, pane: PaneId) {
    focus_stop(ui, start(pane), &format!("Pane: {}", pane.info().title));
}

/// Ends the controls of a pane: Tab goes on with what is above it.
pub(super) fn finish(ui: &Ui, pane: PaneId) {
    let response = focus_stop(ui, end(pane), &format!("End of {}", pane.info().title));
    if response.gained_focus() && ui.input(|input| !input.modifiers.shift && input.key_pressed(Key::Tab)) {
        ui.data_mut(|data| data.insert_temp(entered(), pane));
        ui.request_repaint();
    }
}

/// Whether the focus is on a pane, and on none of its controls.
pub(super) fn is_on_pane(ctx: &Context, pane: PaneId) -> bool {
    ctx.memory(|memory| memory.focused()).is_some_and(|focused| [strip, start, end].into_iter().any(|stop| stop(pane) == focused))
}

/// Paints a ring around what has the focus.
pub(super) fn ring_ui(workspace: &Workspace, ui: &Ui) {
    let ctx = ui.ctx();
    let Some(focused) = ctx.memory(|memory| memory.focused()) else { return };
    let on_pane = workspace.rects.iter().find(|(pane, _)| is_on_pane(ctx, **pane));
    let rect = match on_pane {
        Some((_, rect)) => rect.shrink(2.0),
        None => match ctx.read_response(focused) {
            Some(response) => response.interact_rect.expand(2.0),
            None => return,
        },
    };
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::unique("focus ring")));
    painter.rect_stroke(rect, 4.0, Stroke::new(2.0, Tokens::current(ui).accent), StrokeKind::Middle);
}

impl Workspace {
    /// Moves the focus to the next pane, or to the one before: from top to bottom, column by column.
    pub(super) fn walk(&mut self, ctx: &Context, command: Command) {
        let mut panes: Vec<(PaneId, Rect)> = self.rects.iter().map(|(pane, rect)| (*pane, *rect)).collect();
        panes.sort_by(|(_, a), (_, b)| a.left().total_cmp(&b.left()).then(a.top().total_cmp(&b.top())));
        let focused = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id)).map(|response| response.rect.center());
        // The tabs of a pane belong to it.
        let with_strip = |rect: &Rect| rect.with_min_y(rect.top() - STRIP);
        let at = |(pane, rect): &(PaneId, Rect)| is_on_pane(ctx, *pane) || focused.is_some_and(|at| with_strip(rect).contains(at));
        let current = panes.iter().position(at);
        let next = match (current, command) {
            (None, Command::NextPane) => 0,
            (None, _) => panes.len().saturating_sub(1),
            (Some(current), Command::NextPane) => (current + 1) % panes.len(),
            (Some(current), _) => (current + panes.len() - 1) % panes.len(),
        };
        if let Some((pane, _)) = panes.get(next) {
            self.active = *pane;
            self.tabbed_at = ctx.input(|input| input.time);
            ctx.memory_mut(|memory| memory.request_focus(start(*pane)));
        }
    }
}

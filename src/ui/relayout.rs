//! Frames that are laid out again before anyone sees them, because what is beside other things has turned out larger or smaller than before.
//!
//! Anything drawn after [`egui::Context::request_discard`] finds its surface invisible: plots then take no room for the numbers of their axes,
//! and the next pass of the frame would show them over each other. So the request waits until everything is drawn.

use egui::{Context, Id, Ui};

fn wanted() -> Id {
    Id::unique("the frame is laid out again")
}

/// Asks for another pass of this frame.
pub(super) fn lay_out_again(ui: &Ui) {
    ui.data_mut(|data| data.insert_temp(wanted(), true));
}

/// Lays the frame out again if that was asked for; everything is drawn by now.
pub(super) fn finish(ctx: &Context) {
    if ctx.data_mut(|data| data.remove_temp::<bool>(wanted())).is_some() {
        ctx.request_discard("something has another size");
        if !ctx.will_discard() {
            // This frame had its passes already, so that the next one puts it right.
            ctx.request_repaint();
        }
    }
}

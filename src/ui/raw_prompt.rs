//! A prompt for the type of the samples in a file that no format recognises. The answer is kept for files of the same ending.

use super::origin::{Origin, TableReading};
use super::source::raw_ui;
use super::theme::GRID;
use super::widgets;
use crate::signal::{RawFormat, ReadOptions};
use egui::{Context, Id, Modal, Ui};

/// The question about a file that could not be read, and its answer so far.
pub(super) struct RawPrompt {
    /// The file.
    origin: Origin,
    /// One line on why it could not be read.
    pub refusal: String,
    options: ReadOptions,
}

/// How a prompt ended.
pub(super) enum Answer {
    /// The file is to be read like this.
    Read(Origin, ReadOptions),
    /// The file stays unread.
    Cancelled,
}

impl RawPrompt {
    pub(super) fn new(origin: Origin, refusal: String) -> Self {
        Self { origin, refusal, options: TableReading::of_raw(RawFormat::default()) }
    }

    /// Shows the prompt; returns how it ended, once.
    pub(super) fn ui(&mut self, ctx: &Context) -> Option<Answer> {
        let modal = Modal::new(Id::unique("samples without a header")).show(ctx, |ui| self.body_ui(ui));
        let closes = modal.should_close();
        modal.inner.or(closes.then_some(Answer::Cancelled))
    }

    fn body_ui(&mut self, ui: &mut Ui) -> Option<Answer> {
        ui.set_width(520.0);
        ui.strong(format!("{} is of no known format", self.origin.title()));
        widgets::weak(
            ui,
            "If it holds samples without a header, say how they are stored. The answer is kept for files with the same ending.",
        );
        ui.add_space(GRID);
        let format = self.options.raw.unwrap_or_default();
        ui.horizontal(|ui| raw_ui(ui, format, &mut self.options));
        ui.add_space(GRID);
        let (mut reads, mut cancels) = (false, false);
        ui.horizontal(|ui| {
            reads = ui.button("Read as samples").clicked();
            cancels = ui.button("Cancel").clicked();
        });
        match (reads, cancels) {
            (true, _) => Some(Answer::Read(self.origin.clone(), self.options.clone())),
            (_, true) => Some(Answer::Cancelled),
            _ => None,
        }
    }
}

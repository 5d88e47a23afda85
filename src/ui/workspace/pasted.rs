//! Signals that are in memory only: pasted, or dropped without a path. A table among them stays readable in another way.

use super::Workspace;
use crate::signal::drawing::Drawing;
use crate::signal::{ReadOptions, Signal, SignalKind};
use crate::ui::origin::{LoadTable, Origin, TableReading};
use std::sync::Arc;

/// Something that was pasted.
pub(crate) struct Pasted {
    /// The number in its origin.
    pub number: u64,
    /// The text of the status bar while it is read.
    label: String,
    /// Reads it, or reads it anew; an image without pages has one reading only.
    read: Option<LoadTable>,
    /// The last signal that was read, and how.
    signal: Option<(Arc<Signal>, Option<ReadOptions>)>,
}

impl Workspace {
    /// Loads samples that are in memory only.
    pub(crate) fn take_pasted(&mut self, label: &str, read: LoadTable) {
        // One that could not be read is not asked for again.
        self.pasted.retain(|pasted| pasted.signal.is_some());
        let number = self.pasted.last().map_or(0, |last| last.number) + 1;
        self.pasted.push(Pasted { number, label: label.to_owned(), read: Some(read), signal: None });
        self.memory.settings.open(Origin::Pasted(number));
    }

    /// Shows what was pasted under this number, and reads it first where that is needed.
    pub(super) fn load_pasted(&mut self, number: u64, tables: &TableReading) {
        let Some(pasted) = self.pasted.iter().find(|pasted| pasted.number == number) else {
            self.memory.settings.origin = Origin::default();
            return;
        };
        let known = pasted.signal.clone().filter(|(_, read_as)| pasted.read.is_none() || *read_as == tables.chosen);
        match (known, &pasted.read) {
            (Some((signal, _)), _) => self.take_signal(Origin::Pasted(number), signal, None),
            (None, Some(read)) => self.loader.load((Origin::Pasted(number), Drawing::default()), pasted.label.clone(), read(tables)),
            (None, None) => self.memory.settings.origin = Origin::default(),
        }
    }

    /// Keeps what was read of something that was pasted.
    pub(super) fn keep_pasted(&mut self, number: u64, signal: &Arc<Signal>) {
        if let Some(pasted) = self.pasted.iter_mut().find(|pasted| pasted.number == number) {
            pasted.signal = Some((signal.clone(), self.content.requested_table.clone()));
            let has_other_readings = signal.pages.is_some() || signal.notes.iter().any(|note| !note.others.is_empty());
            if signal.kind == SignalKind::Image && !has_other_readings {
                pasted.read = None;
            }
        }
    }
}

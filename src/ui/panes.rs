//! The list of panes. A new pane is a file that implements [`Pane`] and a line here; presets name the panes that they show in front.

use super::chips::Chip;
use super::command::Command;
use super::export::Export;
use super::pane::{Pane, PaneInfo, PaneServices};
use super::pane_id::PaneId;
use super::studies::Studies;
use crate::engine::Progress;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// Every pane, in the order of the help card.
pub(super) const PANES: &[&PaneInfo] = &[
    &super::source::PANE,
    &super::transform::PANE,
    &super::graph_pane::PANE,
    &super::second_graph::PANE,
    &super::matrix::PANE,
    &super::memory_access::PANE,
    &super::kernel::PANE,
    &super::spectrum::PANE,
    &super::spectrogram::PANE,
    &super::spectrogram::stream::PANE,
    &super::spectrum_image::PANE,
    &super::coefficients::PANE,
    &super::filtered::PANE,
    &super::transfer::PANE,
    &super::markers::PANE,
    &super::profile::PANE,
    &super::pair::PANE,
    &super::timing::PANE,
    &super::logic::PANE,
    &super::wavelet::PANE,
    &super::system::PANE,
    &super::learn::PANE,
];

impl PaneId {
    /// The pane of this name in sessions.
    pub(super) fn named(name: &str) -> Option<Self> {
        PANES.iter().find(|pane| pane.name == name).map(|pane| Self::of(pane))
    }

    /// The entry in the list.
    pub(super) fn info(self) -> &'static PaneInfo {
        PANES.iter().find(|info| info.name == self.0).expect("every pane stands in the list")
    }
}

impl<'de> Deserialize<'de> for PaneId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| D::Error::custom(format!("no pane is called {name}")))
    }
}

/// The panes with what they remember from frame to frame.
pub(super) struct Panes {
    panes: Vec<(PaneId, Box<dyn Pane>)>,
    studies: Studies,
}

impl Panes {
    /// Makes every pane of the list.
    pub(super) fn new(services: &PaneServices) -> Self {
        Self { panes: PANES.iter().map(|info| (PaneId::of(info), (info.create)(services))).collect(), studies: services.studies.clone() }
    }

    /// Plays, or shows the next or previous stage; `now` is in seconds.
    pub(super) fn play(&mut self, command: Command, now: f64) {
        for (_, pane) in &mut self.panes {
            pane.play(command, now);
        }
    }

    /// The values that one of some panes shows in place of those of the result.
    pub(super) fn values(&self, is_visible: impl Fn(PaneId) -> bool) -> Option<Export> {
        self.panes.iter().filter(|(id, _)| is_visible(*id)).find_map(|(_, pane)| pane.values())
    }

    /// The kept state of every pane, by its name.
    pub(super) fn kept(&self) -> BTreeMap<String, Value> {
        let kept = self.panes.iter().map(|(id, pane)| (id.info().name.to_owned(), pane.kept()));
        kept.filter(|(_, kept)| !kept.is_null()).collect()
    }

    /// Shows every pane as it was kept.
    pub(super) fn restore(&mut self, kept: &BTreeMap<String, Value>) {
        for (id, pane) in &mut self.panes {
            pane.restore(kept.get(id.info().name).unwrap_or(&Value::Null));
        }
    }

    /// Forgets what belongs to results of the session before.
    pub(super) fn forget(&mut self) {
        self.panes.iter_mut().for_each(|(_, pane)| pane.forget());
    }

    /// The chips of the results that panes hold of other signals than the newest one.
    pub(super) fn held_chips(&self) -> impl Iterator<Item = Chip> + '_ {
        self.panes.iter().filter_map(|(id, pane)| Some(Chip::of_held(*id, pane.held_of_other()?)))
    }

    /// Whether none of them waits for what it computes besides the transform.
    pub(super) fn is_settled(&self) -> bool {
        self.studies.are_settled() && self.panes.iter().all(|(_, pane)| pane.is_settled())
    }

    /// How far what a pane computes for long is.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.studies.progress()
    }

    /// Gives up what panes compute for long.
    pub(super) fn cancel_studies(&self) -> bool {
        self.studies.cancel()
    }

    /// Takes a pin away, or cancels what a pane computes for long; returns whether there was something.
    pub(super) fn cancel(&mut self) -> bool {
        self.panes.iter_mut().any(|(_, pane)| pane.cancel()) || self.cancel_studies()
    }

    /// One of them.
    pub(super) fn of(&mut self, wanted: PaneId) -> &mut dyn Pane {
        let found = self.panes.iter_mut().find(|(id, _)| *id == wanted);
        &mut **found.map(|(_, pane)| pane).expect("every pane of the list is made")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_pane_has_a_name_a_title_and_help() {
        let names: HashSet<_> = PANES.iter().map(|pane| pane.name).collect();
        let titles: HashSet<_> = PANES.iter().map(|pane| pane.title).collect();
        assert_eq!([names.len(), titles.len()], [PANES.len(); 2]);
        assert!(PANES.iter().all(|pane| !pane.help.is_empty()));
    }

    #[test]
    fn sessions_hold_the_name() {
        for info in PANES {
            let text = serde_json::to_string(&PaneId::of(info)).expect("a name has a JSON form");
            assert_eq!(text, format!("\"{}\"", info.name));
            assert_eq!(serde_json::from_str::<PaneId>(&text).expect("the name is known"), PaneId::of(info));
        }
        assert!(serde_json::from_str::<PaneId>("\"Nowhere\"").is_err());
    }
}

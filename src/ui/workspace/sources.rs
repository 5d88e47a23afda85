//! Which source each layout shows: the one that was used last where it can, and otherwise what it showed before, with a line that says why.

use super::Workspace;
use super::content::LayoutContent;
use crate::engine::filter::mask_shape;
use crate::filter::MaskFile;
use crate::graph::GraphNode;
use crate::plan::Direction;
use crate::signal::Signal;
use crate::signal::drawing::Drawing;
use crate::ui::chips::{self, Chip, ChipPress};
use crate::ui::origin::Origin;
use crate::ui::preset::Preset;
use crate::ui::scene::StandIn;
use crate::ui::session::Memory;
use crate::ui::settings::{Part, Settings, Slice};
use crate::ui::sources::{Shown, SourceKind, SourceSettings, Stop};
use egui::util::undoer::Undoer;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

/// Where something acts from that was set before the program was started.
const EARLIER_RUN: &str = "an earlier run";

impl Workspace {
    /// Takes the shapes of a mask; undo brings back those before.
    pub(super) fn take_mask(&mut self, path: &Path, file: MaskFile) {
        let settings = &self.memory.settings;
        let shape = self.content.signal.as_ref().map(|signal| mask_shape(signal, &settings.preparation));
        let name = path.display();
        self.show_message(match shape.and_then(|shape| file.other_size(shape)) {
            Some([other, own]) => format!("{name}: drawn for a spectrum of {other}, this one has {own}; its frequencies in cycles stay"),
            None => format!("{name}: the mask of the pane Filtered"),
        });
        let filter = &mut self.memory.settings.filter;
        (filter.mask, filter.selected) = (file.mask, None);
    }

    /// Makes a source of what a person has opened, chosen or typed since the last frame. A lesson has its own samples.
    pub(crate) fn follow_source(&mut self) {
        let (memory, content) = (&mut self.memory, &mut self.content);
        if memory.preset == Preset::Learn {
            return;
        }
        let settings = &mut memory.settings;
        settings.earlier.follow(&settings.preparation, &settings.filter);
        match content.followed.replace(settings.origin.clone()) {
            None => {
                let is_file = matches!(settings.origin, Origin::File(_) | Origin::Pasted(_));
                if is_file && memory.sources.of(&settings.origin).is_none() {
                    memory.sources.use_now(&settings.origin);
                    memory.sources.keep(settings, memory.preset);
                }
            }
            Some(before) if before == settings.origin => {}
            Some(before) => {
                let left = content.at_rest.as_ref().filter(|left| left.origin == before).cloned();
                let left = left.unwrap_or_else(|| Settings { origin: before, ..settings.clone() });
                memory.sources.change(&left, memory.preset, settings);
                self.leave_stream();
            }
        }
    }

    /// Shows the path to a value in the flow graph of the first samples from one on, whose results are in natural order.
    pub(crate) fn show_path(&mut self, first: usize, index: usize) {
        self.show_preset(Preset::FlowGraph);
        let settings = &mut self.memory.settings;
        let n = Slice::LANES;
        settings.slice = Some(Slice { line: None, part: Some(Part { first, n }) });
        (settings.transform, settings.algorithm) = ("dft".to_owned(), Some("stockham-2".to_owned()));
        settings.parameters.direction = Direction::Forward;
        let node = GraphNode { column: n.ilog2() as usize, lane: index % n };
        self.focus.set_when_run(usize::MAX, Some(node));
    }

    /// Notes that all that acts now comes from an earlier run; a first window has its ring from none.
    pub(super) fn note_earlier_run(&mut self) {
        if self.memory.settings == Memory::first().settings {
            return self.follow_source();
        }
        let Settings { earlier, preparation, filter, .. } = &mut self.memory.settings;
        earlier.note(EARLIER_RUN, preparation, filter);
        self.follow_source();
    }

    /// Keeps what is set for the source that is shown.
    pub(super) fn keep_source(&mut self) {
        if self.memory.preset != Preset::Learn {
            self.memory.sources.keep(&self.memory.settings, self.memory.preset);
        }
    }

    /// Shows the current source in the layout where it can be shown.
    pub(super) fn show_current(&mut self) {
        let memory = &mut self.memory;
        let (preset, settings) = (memory.preset, &mut memory.settings);
        if preset == Preset::Learn {
            return;
        }
        let before = settings.origin.clone();
        match memory.sources.current().filter(|source| source.shown_in(preset) != Shown::No) {
            Some(source) => {
                self.content.stays = source.kind().map(|_| source.origin.clone());
                memory.sources.put(&source.origin, preset, settings);
            }
            None if memory.sources.of(&before).is_some() => memory.sources.put(&before, preset, settings),
            // It has been closed since.
            None if matches!(before, Origin::File(_) | Origin::Pasted(_)) => {
                let own = Settings::of_preset(preset);
                SourceSettings::of(&own).set(settings);
                settings.origin = own.origin;
            }
            None => {}
        }
        if settings.origin != before {
            // The way back leads to the sources, not to an undo.
            self.content.undoer = Undoer::default();
        }
        self.content.followed = Some(settings.origin.clone());
    }

    /// Makes a source current, and shows it: here where it can be shown, otherwise in the layout that is made for it.
    pub(crate) fn use_source(&mut self, origin: &Origin) {
        self.leave_stream();
        self.keep_source();
        self.memory.sources.use_now(origin);
        let preset = self.memory.preset;
        let source = self.memory.sources.of(origin);
        let kind = source.and_then(|source| source.kind());
        let is_shown = preset != Preset::Learn && source.is_some_and(|source| source.shown_in(preset) != Shown::No);
        if is_shown { self.show_current() } else { self.show_preset(kind.map_or(Preset::default(), SourceKind::home)) }
    }

    /// Uses the current source where another one stands in: its values as a signal, if any.
    pub(crate) fn use_here(&mut self, origin: &Origin) {
        let preset = self.memory.preset;
        let kind = self.memory.sources.of(origin).and_then(|source| source.kind());
        if kind.is_some_and(|kind| kind.has_values_for(preset)) {
            self.memory.sources.use_in(origin, preset);
        }
        self.use_source(origin);
    }

    /// Closes a source; the one that was used before it is shown where it was shown.
    pub(crate) fn close_source(&mut self, origin: &Origin) {
        let was_shown = self.memory.settings.origin == *origin;
        self.keep_source();
        self.memory.sources.close(origin);
        if was_shown {
            match self.memory.sources.current().map(|source| source.origin.clone()) {
                Some(next) => self.use_source(&next),
                None => self.show_current(),
            }
        }
    }

    /// Shows the next source in the order of use, or by −1 the previous one.
    pub(super) fn step_source(&mut self, step: isize) {
        match self.memory.sources.step(step) {
            Some(Stop::Source(origin)) => self.use_source(&origin),
            Some(Stop::Stream) => self.show_stream(),
            None => self.show_message("open several files first: they become tabs of the pane Source".into()),
        }
    }

    /// Shows another file of the folder in the place of the one that is shown, with all settings; what acts is said to come from there.
    pub(super) fn page_to(&mut self, path: PathBuf) {
        let (from, to) = (self.memory.settings.origin.clone(), Origin::File(path.clone()));
        let Settings { earlier, preparation, filter, .. } = &mut self.memory.settings;
        earlier.note(&from.title(), preparation, filter);
        self.memory.settings.page_to(path);
        self.memory.sources.page(&from, &to);
        self.content.followed = Some(to);
    }

    /// Decides which part of a new signal the layout shows, and cuts it.
    pub(super) fn slice_of(&mut self, origin: &Origin, whole: &Arc<Signal>) -> Arc<Signal> {
        let preset = self.memory.preset;
        let kind = SourceKind::of(origin, whole);
        let shown = self.memory.sources.of(origin).map_or(kind.shown_in(preset), |source| source.shown_in(preset));
        // The length of a generated row is a number beside it.
        let is_long = whole.kind.is_image() || !matches!(origin, Origin::Generator(_));
        let slice = self.memory.settings.slice.get_or_insert_with(|| match shown {
            Shown::Row => Slice::row_of(whole),
            Shown::Part if is_long => Slice::part_of(whole),
            _ => Slice::default(),
        });
        *slice = slice.within(whole);
        self.content.loaded_slice = Some(*slice);
        slice.cut(whole)
    }

    /// Cuts another part of the signal that is loaded, where another one is set.
    pub(super) fn follow_slice(&mut self) {
        let (settings, content) = (&mut self.memory.settings, &mut self.content);
        let Some(whole) = content.whole.clone().filter(|_| settings.slice.is_some() && content.loaded_slice != settings.slice) else {
            return;
        };
        let slice = settings.slice.unwrap_or_default().within(&whole);
        let signal = slice.cut(&whole);
        settings.slice = Some(slice);
        settings.fit_region(&signal);
        (content.loaded_slice, content.signal, content.as_read) = (Some(slice), Some(signal.clone()), Some(signal));
        (content.requested_drawing, content.loaded_drawing) = (Drawing::default(), Drawing::default());
    }

    /// The chips of what acts from an earlier source or run, or waits to.
    pub(crate) fn chips(&self) -> Vec<Chip> {
        let Settings { earlier, preparation, filter, .. } = &self.memory.settings;
        chips::of_settings(earlier, preparation, filter).into_iter().chain(self.panes.held_chips()).collect()
    }

    /// Does what a press on a chip says.
    pub(crate) fn press(&mut self, chip: &Chip, press: ChipPress) {
        let Settings { earlier, preparation, filter, .. } = &mut self.memory.settings;
        match chip.pane {
            Some(pane) => self.panes.of(pane).press_held(press),
            None => chips::press(chip, press, earlier, (preparation, filter)),
        }
    }

    /// Says that another source is current than the one that is shown, and why.
    pub(crate) fn stand_in(&self) -> Option<StandIn> {
        let preset = self.memory.preset;
        let shown = &self.memory.settings.origin;
        let current = self.memory.sources.current().filter(|source| source.origin != *shown && preset != Preset::Learn)?;
        let (title, kind) = (current.origin.title(), current.kind()?);
        let uses = format!("Use {title}");
        let (text, button) = match current.shown_in(preset) {
            Shown::No if kind.has_values_for(preset) => (format!("{title} is {}, and {} stands in", kind.noun(), shown.title()), uses),
            Shown::No => {
                (format!("{title} is {}, and {} stands in", kind.noun(), shown.title()), format!("Use {title} in {}", kind.home().title()))
            }
            _ => (format!("{} is shown, and {title} is open too", shown.title()), uses),
        };
        Some(StandIn { text, button, origin: current.origin.clone() })
    }
}

impl LayoutContent {
    /// The loaded signal of an origin and a reading.
    pub(super) fn loaded(&self, settings: &Settings) -> Option<&Arc<Signal>> {
        let is_it = self.loaded_origin.as_ref() == Some(&settings.origin) && self.loaded_table == settings.table;
        self.whole.as_ref().filter(|_| is_it)
    }
}

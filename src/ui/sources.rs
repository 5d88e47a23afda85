//! The sources that are open in the window, in the order of their tabs and in the order of use. The one that was used last is current: every layout shows it where it can.

use super::origin::{Origin, is_logic};
use super::preset::Preset;
use super::settings::{Drawn, Earlier, Settings, Slice, TypedPixel, TypedRate};
use crate::filter::{Mask, MaskShape};
use crate::measure::{Marker, ProfileLine};
use crate::prepare::Preparation;
use crate::signal::generate::Generator;
use crate::signal::{ChannelChoice, ReadOptions, Signal, SignalKind, System};
use crate::spectra::NamedBox;
use crate::ui::settings::PaintedLook;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::swap;

/// The kind of a source, which decides where it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, strum::EnumIter)]
pub enum SourceKind {
    /// Pixels.
    Image,
    /// Samples, columns of a table, or rows.
    Samples,
    /// Values of a Boolean function or an S-box.
    Function,
    /// The rows of a tridiagonal system.
    Equations,
}

/// How a layout shows a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// All of it.
    Whole,
    /// One of its rows or columns.
    Row,
    /// 2^k samples of a row.
    Part,
    /// Not at all, unless a person asks for its values as a signal.
    No,
}

/// A source that is open.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// Where it comes from.
    pub origin: Origin,
    /// Its kind, once it has been read.
    #[serde(default)]
    kind: Option<SourceKind>,
    /// The greater, the later it was used.
    #[serde(default)]
    used: u64,
    /// Layouts that show it all the same, because a person asked for it.
    #[serde(default)]
    used_in: BTreeSet<Preset>,
    /// Its settings where all of it is shown; `None` before it is shown.
    #[serde(default)]
    whole: Option<SourceSettings>,
    /// The settings of its row or part, by layout.
    #[serde(default)]
    slices: BTreeMap<Preset, SourceSettings>,
}

/// The settings that belong to a source.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SourceSettings {
    table: Option<ReadOptions>,
    channel: ChannelChoice,
    typed_rate: Option<TypedRate>,
    typed_pixel: Option<TypedPixel>,
    slice: Option<Slice>,
    row: usize,
    drawn: Option<Drawn>,
    preparation: Preparation,
    mask: Mask,
    painted: Option<PaintedLook>,
    proposed: Vec<MaskShape>,
    selected: Option<usize>,
    markers: Vec<Marker>,
    line: Option<ProfileLine>,
    boxes: Vec<NamedBox>,
    earlier: Earlier,
}

impl SourceKind {
    /// The kind of a signal of an origin.
    pub(super) fn of(origin: &Origin, signal: &Signal) -> Self {
        match signal.kind {
            SignalKind::Image => Self::Image,
            SignalKind::Rows if is_logic(origin, signal) => Self::Function,
            SignalKind::Rows if System::may_be_in(signal) && signal.rows > 1 => Self::Equations,
            SignalKind::Rows => Self::Samples,
        }
    }

    /// The layout that is made for it.
    pub(super) fn home(self) -> Preset {
        match self {
            Self::Image => Preset::Image,
            Self::Samples => Preset::Signal,
            Self::Function => Preset::Logic,
            Self::Equations => Preset::System,
        }
    }

    /// How a layout shows it.
    pub(super) fn shown_in(self, preset: Preset) -> Shown {
        match (preset, self) {
            (Preset::Signal, Self::Image) => Shown::Row,
            (Preset::FlowGraph, Self::Image | Self::Samples) => Shown::Part,
            (Preset::FlowGraph | Preset::Benchmark | Preset::Learn, _) => Shown::Whole,
            (Preset::Wavelet, Self::Image | Self::Samples) => Shown::Whole,
            _ if self.home() == preset => Shown::Whole,
            _ => Shown::No,
        }
    }

    /// Whether a layout that does not show it can show its values as a signal.
    pub(super) fn has_values_for(self, preset: Preset) -> bool {
        matches!(self, Self::Function | Self::Equations) && matches!(preset, Preset::Signal | Preset::Wavelet)
    }

    /// Its kind, in a sentence that says why a layout does not show it.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Image => "an image",
            Self::Samples => "a signal",
            Self::Function => "a Boolean function",
            Self::Equations => "a system of equations",
        }
    }
}

impl SourceSettings {
    /// Exchanges these with the settings of a layout.
    fn swap(&mut self, settings: &mut Settings) {
        swap(&mut self.table, &mut settings.table);
        swap(&mut self.channel, &mut settings.channel);
        swap(&mut self.typed_rate, &mut settings.typed_rate);
        swap(&mut self.typed_pixel, &mut settings.typed_pixel);
        swap(&mut self.slice, &mut settings.slice);
        swap(&mut self.row, &mut settings.row);
        swap(&mut self.drawn, &mut settings.drawn);
        swap(&mut self.preparation, &mut settings.preparation);
        swap(&mut self.mask, &mut settings.filter.mask);
        swap(&mut self.painted, &mut settings.filter.painted);
        swap(&mut self.proposed, &mut settings.filter.proposed);
        swap(&mut self.selected, &mut settings.filter.selected);
        swap(&mut self.markers, &mut settings.measure.markers);
        swap(&mut self.line, &mut settings.measure.line);
        swap(&mut self.boxes, &mut settings.boxes.list);
        swap(&mut self.earlier, &mut settings.earlier);
    }

    /// Those of a layout.
    pub(super) fn of(settings: &Settings) -> Self {
        let mut own = Self::default();
        own.swap(&mut settings.clone());
        own
    }

    /// Sets them.
    pub(super) fn set(mut self, settings: &mut Settings) {
        self.swap(settings);
        settings.measure.selected = settings.measure.selected.filter(|index| *index < settings.measure.markers.len());
    }

    /// These, with how the source is read, its channel and its scale from others.
    fn with_shared(self, Self { table, channel, typed_rate, typed_pixel, .. }: Self) -> Self {
        Self { table, channel, typed_rate, typed_pixel, ..self }
    }

    /// Those of another part of the same source: how it is read, its channel and its scale stay.
    fn of_other_part(&self) -> Self {
        let Self { table, channel, typed_rate, typed_pixel, .. } = self.clone();
        Self { table, channel, typed_rate, typed_pixel, ..Self::default() }
    }
}

impl Source {
    fn new(origin: Origin) -> Self {
        Self { origin, kind: None, used: 0, used_in: BTreeSet::new(), whole: None, slices: BTreeMap::new() }
    }

    /// Its kind, once it has been read.
    pub(super) fn kind(&self) -> Option<SourceKind> {
        self.kind
    }

    /// How a layout shows it; a source that has not been read is tried.
    pub(super) fn shown_in(&self, preset: Preset) -> Shown {
        match self.kind.map(|kind| kind.shown_in(preset)) {
            Some(Shown::No) if self.used_in.contains(&preset) => Shown::Whole,
            shown => shown.unwrap_or(Shown::Whole),
        }
    }

    /// Shows it in a layout with what is set for it there.
    fn put(&self, preset: Preset, settings: &mut Settings) {
        let whole = self.whole.clone().unwrap_or_default();
        let own = match self.shown_in(preset) {
            Shown::Row | Shown::Part => self.slices.get(&preset).cloned().unwrap_or_else(|| whole.of_other_part()),
            Shown::Whole | Shown::No => whole,
        };
        let shared = self.whole.as_ref().map_or_else(|| own.of_other_part(), SourceSettings::of_other_part);
        settings.origin = self.origin.clone();
        own.with_shared(shared).set(settings);
    }
}

/// Whether a person has made or opened it, so that choosing it from a list does not bring it back.
fn is_own(origin: &Origin) -> bool {
    matches!(origin, Origin::File(_) | Origin::Pasted(_) | Origin::Generator(Generator::Boolean(_) | Generator::Typed(_)))
}

/// Whether two origins are the same generator with other numbers.
pub(super) fn is_same_generator(a: &Origin, b: &Origin) -> bool {
    matches!((a, b), (Origin::Generator(a), Origin::Generator(b)) if a.entry().name == b.entry().name)
}

/// The sources that are open.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Sources {
    open: Vec<Source>,
    /// When the stream was used, where one is open; it belongs to no session.
    #[serde(skip)]
    stream: Option<u64>,
    /// While a key walks through the sources: the order of use before that, and the place that is reached.
    #[serde(skip)]
    walk: Option<(Vec<Stop>, usize)>,
}

/// A stop of the key that walks through the sources.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    Source(Origin),
    Stream,
}

impl Sources {
    /// All of them, in the order of their tabs.
    pub fn open(&self) -> &[Source] {
        &self.open
    }

    /// The one that was used last.
    pub fn current(&self) -> Option<&Source> {
        self.open.iter().max_by_key(|source| source.used)
    }

    /// The one of this origin.
    pub(super) fn of(&self, origin: &Origin) -> Option<&Source> {
        self.open.iter().find(|source| source.origin == *origin)
    }

    fn of_mut(&mut self, origin: &Origin) -> Option<&mut Source> {
        self.open.iter_mut().find(|source| source.origin == *origin)
    }

    /// The number of the next use.
    fn next(&self) -> u64 {
        1 + self.current().map_or(0, |source| source.used).max(self.stream.unwrap_or(0))
    }

    /// Makes the stream current, or closes it.
    pub(super) fn use_stream(&mut self, is_open: bool) {
        self.stream = is_open.then(|| self.next());
    }

    /// Whether the stream was used last.
    pub(super) fn is_stream_current(&self) -> bool {
        self.stream.is_some_and(|used| self.current().is_none_or(|source| source.used < used))
    }

    /// Makes one current; a new one gets a tab.
    pub(super) fn use_now(&mut self, origin: &Origin) {
        let next = self.next();
        if self.of(origin).is_none() {
            // Samples and generators are chosen again with one click, so one of them is enough.
            self.open.retain(|source| is_own(origin) || is_own(&source.origin));
            self.open.push(Source::new(origin.clone()));
        }
        self.of_mut(origin).into_iter().for_each(|source| source.used = next);
    }

    /// Gives several a tab each, in this order, so that the first is used before the others.
    pub fn add(&mut self, origins: &[Origin]) {
        origins.iter().rev().for_each(|origin| self.use_now(origin));
        let is_new = |source: &Source| origins.contains(&source.origin);
        self.open.sort_by_key(|source| (is_new(source), is_new(source).then(|| u64::MAX - source.used)));
    }

    /// Notes what one holds.
    pub(super) fn know(&mut self, origin: &Origin, kind: SourceKind) {
        self.of_mut(origin).into_iter().for_each(|source| source.kind = Some(kind));
    }

    /// Shows one in a layout all the same, where it is of this kind.
    pub(super) fn use_in(&mut self, origin: &Origin, preset: Preset) {
        if let Some(source) = self.of_mut(origin) {
            source.used_in.insert(preset);
        }
    }

    /// Keeps what is set for the one that a layout shows.
    pub(super) fn keep(&mut self, settings: &Settings, preset: Preset) {
        let Some(source) = self.of_mut(&settings.origin) else { return };
        let own = SourceSettings::of(settings);
        if matches!(source.shown_in(preset), Shown::Row | Shown::Part) {
            let whole = source.whole.take().unwrap_or_default();
            source.whole = Some(whole.with_shared(own.clone()));
            source.slices.insert(preset, own);
        } else {
            source.whole = Some(own);
        }
    }

    /// Shows one in a layout, with what is set for it.
    pub(super) fn put(&self, origin: &Origin, preset: Preset, settings: &mut Settings) {
        self.of(origin).into_iter().for_each(|source| source.put(preset, settings));
    }

    /// Another origin has been set: it becomes current, with its own settings; a new source begins anew and offers those of the one before.
    pub(super) fn change(&mut self, left: &Settings, preset: Preset, settings: &mut Settings) {
        let origin = settings.origin.clone();
        if is_same_generator(&left.origin, &origin) {
            match self.of_mut(&left.origin) {
                Some(source) => source.origin = origin,
                None if is_own(&origin) => self.use_now(&origin),
                None => {}
            }
            return;
        }
        self.keep(left, preset);
        if self.of(&origin).is_some_and(|source| source.whole.is_some()) {
            self.put(&origin, preset, settings);
        } else {
            // The mask of a sample was not made for a person's file.
            let given = (!matches!(left.origin, Origin::Sample(_)) || !is_own(&origin)).then(|| left.filter.clone());
            let earlier = Earlier::of(left.origin.title(), &left.preparation, &given.unwrap_or_default());
            SourceSettings { table: settings.table.clone(), earlier, ..SourceSettings::default() }.set(settings);
        }
        self.use_now(&origin);
    }

    /// Another file takes the place of one.
    pub(super) fn page(&mut self, from: &Origin, to: &Origin) {
        if from != to {
            self.open.retain(|source| source.origin != *to);
        }
        self.of_mut(from).into_iter().for_each(|source| source.origin = to.clone());
        self.use_now(to);
    }

    /// Closes one.
    pub(super) fn close(&mut self, origin: &Origin) {
        self.open.retain(|source| source.origin != *origin);
    }

    /// The next one in the order of use, or by −1 the previous one; the order stays while the walk lasts.
    pub(super) fn step(&mut self, step: isize) -> Option<Stop> {
        let sources = self.open.iter().map(|source| (source.used, Stop::Source(source.origin.clone())));
        let mut order: Vec<_> = sources.chain(self.stream.map(|used| (used, Stop::Stream))).collect();
        order.sort_by_key(|(used, _)| std::cmp::Reverse(*used));
        let (order, at) = self.walk.take().unwrap_or_else(|| (order.into_iter().map(|(_, stop)| stop).collect(), 0));
        let n = order.len() as isize;
        if n < 2 {
            return None;
        }
        let at = (at as isize + step).rem_euclid(n) as usize;
        let stop = order[at].clone();
        self.walk = Some((order, at));
        Some(stop)
    }

    /// Ends the walk: the next step goes through the order of use as it is then.
    pub(super) fn end_walk(&mut self) {
        self.walk = None;
    }

    /// The origins, for a session to make whole.
    pub(super) fn retain(&mut self, mut keeps: impl FnMut(&mut Origin) -> bool) {
        self.open.retain_mut(|source| keeps(&mut source.origin));
    }

    /// The tabs of a session that had some in each layout, each with its settings.
    pub(super) fn of_tabs<'a>(tabs: impl IntoIterator<Item = &'a Settings>) -> Self {
        let mut sources = Self::default();
        for settings in tabs.into_iter().filter(|settings| is_own(&settings.origin)) {
            sources.use_now(&settings.origin);
            sources.keep(settings, Preset::default());
        }
        sources
    }
}

#[cfg(test)]
mod tests;

//! The waves of a signal: that of the chosen channel, and on demand those of all channels over each other along one axis.

use super::{Fields, PANE, SourcePane, figure, function, reading};
use crate::engine::PlotData;
use crate::numerals::{counted, integer};
use crate::signal::{Channel, ChannelChoice, Signal, Wave};
use crate::transforms::{Input, Shape};
use crate::ui::action::Action;
use crate::ui::export::painted;
use crate::ui::line_plot::{KeptPlot, LinePlot, PlotLook, PlotReply, ReducedPlot};
use crate::ui::pane_id::PaneId;
use crate::ui::studies::Studies;
use crate::ui::theme::GRID;
use crate::ui::visible_time::ends_of;
use crate::ui::widgets;
use egui::{Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, vec2};
use std::sync::Arc;

/// The least height of the wave of a channel among others, in points.
const LEAST_HEIGHT: f32 = 48.0;

/// A wave with its plot. Few samples are read at once; many are counted by a worker, and a first impression stands for them meanwhile.
pub(super) struct WavePlot {
    plot: ReducedPlot<Wave>,
    wave: Option<Arc<Wave>>,
}

impl WavePlot {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { plot: ReducedPlot::glimpsing(studies, PlotData::glimpse_of_wave), wave: None }
    }

    /// The plot, to set what it shows besides the wave.
    pub(super) fn plot(&mut self) -> &mut LinePlot {
        self.plot.plot()
    }

    /// The visible part, as a session keeps it.
    pub(super) fn kept(&self) -> Option<KeptPlot> {
        self.plot.kept_plot()
    }

    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.plot.reset();
    }

    /// Shows the wave of a row of a channel; the nearest one where the signal has no such row or channel.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        look: &PlotLook<'_>,
        (signal, channel, row): (&Arc<Signal>, ChannelChoice, usize),
    ) -> PlotReply {
        let row = row.min(signal.rows.saturating_sub(1));
        let channel = if signal.check_channel(channel).is_ok() { channel } else { ChannelChoice::default() };
        if self.wave.as_ref().is_none_or(|wave| !wave.is_of(signal, channel, row)) {
            self.wave = Wave::new(signal.clone(), channel, row).ok().map(Arc::new);
        }
        match &self.wave {
            Some(wave) => self.plot.ui(ui, rect, look, wave, wave.len(), PlotData::of_wave),
            None => self.plot.plot().ui(ui, rect, signal.columns, look, None, &[]),
        }
    }

    /// The note on a first impression.
    pub(super) fn glimpse_text(&self) -> Option<String> {
        let share = self.plot.glimpsed().map(PlotData::glimpsed_share)?;
        (share > 1).then(|| format!("1 of {} samples", integer(share)))
    }
}

impl SourcePane {
    /// The wave with what is drawn over it: the selection, the pen, and the value under the pointer.
    pub(super) fn line_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, rect: Rect, signal: &Arc<Signal>) {
        let (row, known) = (fields.row, fields.shown.axis.clone());
        let axis = known.as_ref().filter(|axis| axis.place_of(0).is_some());
        let uneven = axis.filter(|axis| axis.per_unit.is_none()).and_then(|axis| axis.positions.as_deref());
        let mean = uneven.and_then(|positions| Some((positions.len() - 1) as f64 / (positions.last()? - positions.first()?)));
        let per_unit = axis.and_then(|axis| axis.per_unit).or(mean.filter(|mean| mean.is_finite())).unwrap_or(1.0);
        let dates = axis.and_then(|axis| axis.on_clock(signal.columns));
        let unit = axis.map_or("sample".to_owned(), |axis| axis.label_of_ticks(signal.columns));
        let channel = signal.channel(fields.shown.channel);
        self.wave.plot().set_gaps(channel.map_or(&[], |channel| &channel.missing));
        let name = channel.map(Channel::label);
        let plain = if signal.is_complex_in(fields.shown.channel) { "real part" } else { name.as_deref().unwrap_or("value") };
        let y_label = function::axis(fields.origin).unwrap_or(plain);
        let look = PlotLook {
            origin: axis.map_or(0.0, |axis| -axis.start * per_unit),
            per_unit,
            positions: uneven,
            stems: false,
            dates,
            linked: self.others.are_shown.then(|| ui.scope_id().with("channels")),
            ends: ends_of(ui, signal).filter(|[left, right]| *left > rect.left() && *right < rect.right()),
            ..PlotLook::over_index(ui, "Source plot", &unit, y_label)
        };
        figure::begin(ui, &fields.shown, rect, None);
        let rect = self.others.ui(ui, fields, rect, signal, &look);
        if let Some(asked) = self.time.asked(ui, signal) {
            self.wave.plot().show(signal.columns, asked);
        }
        let reply = self.wave.ui(ui, rect, &look, (signal, fields.shown.channel, row));
        if let Some(share) = self.wave.glimpse_text() {
            widgets::words_over(ui, reply.placement.canvas, &share);
            painted::note(ui, format!("the wave shows {share}"));
        }
        self.visible = Some(reply.visible);
        self.time.show(ui, signal, reply.ends.map(|end| look.position(end)));
        // A region is a stretch of samples, which has even steps on the screen.
        if fields.shown.transform.input != Input::Equations && uneven.is_none() {
            let (shape, mut region) = (Shape { rows: signal.rows, columns: signal.columns }, *fields.region);
            let place = (&mut region, shape);
            let stroke = self.region.line_ui(ui, &reply.placement, place, || self.pen.line_ui(ui, fields, &reply, signal));
            *fields.region = region;
            self.wave.plot().hold_heights(self.pen.holds_heights.then_some(reply.heights));
            fields.out.actions.extend(stroke.map(|stroke| Action::Draw(vec![stroke])));
        }
        let node = reply.hovered.and_then(|column| fields.shown.node_of_sample(row * signal.columns + column));
        fields.out.focus.light(PaneId::of(&PANE), node);
        if let Some(column) = reply.hovered {
            fields.out.read_out = reading::read_out(signal, axis, fields.shown.channel, [row, column]);
        }
    }
}

/// The waves of the other channels.
pub(super) struct OtherWaves {
    studies: Studies,
    /// Whether they are shown.
    pub(super) are_shown: bool,
    waves: Vec<WavePlot>,
}

impl OtherWaves {
    /// Shows none yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { studies: studies.clone(), are_shown: false, waves: Vec::new() }
    }

    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.waves.iter_mut().for_each(WavePlot::reset);
    }

    /// The switch, for a signal of several channels.
    pub(super) fn switch_ui(&mut self, ui: &mut Ui) {
        let about = "The waves of all channels over each other; a click chooses the channel that is transformed";
        let toggle = widgets::toggle(ui, &mut self.are_shown, "All channels").on_hover_text(about);
        toggle.widget_info(|| WidgetInfo::selected(Role::Button, true, self.are_shown, "Waves of all channels"));
    }

    /// Shows the other channels along the same axis, and returns where that of the chosen one belongs.
    pub(super) fn ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, rect: Rect, signal: &Arc<Signal>, look: &PlotLook<'_>) -> Rect {
        let n = signal.channels.len();
        if !self.are_shown || n < 2 || signal.is_colour() {
            return rect;
        }
        let n_shown = ((rect.height() / LEAST_HEIGHT) as usize).clamp(1, n);
        let chosen =
            signal.channels.iter().position(|channel| signal.channel(*fields.channel).is_some_and(|own| std::ptr::eq(own, channel)));
        // The chosen channel is among those that have room.
        let first = chosen.unwrap_or(0).saturating_sub(n_shown - 1);
        let height = rect.height() / n_shown as f32;
        while self.waves.len() < n_shown {
            self.waves.push(WavePlot::new(&self.studies));
        }
        let mut own = rect.with_max_y(rect.top() + height);
        for (place, (index, wave)) in (first..n).zip(&mut self.waves).take(n_shown).enumerate() {
            let strip = Rect::from_min_size(rect.min + vec2(0.0, place as f32 * height), vec2(rect.width(), height));
            // Pairs of channels have no strip of their own.
            if chosen.unwrap_or(0) == index {
                own = strip;
                continue;
            }
            let name = signal.channels[index].label();
            let look = PlotLook { y_label: &name, name: "Wave of another channel", ..*look };
            let choice = ChannelChoice::Channel(index);
            ui.scope_builder(UiBuilder::new().max_rect(strip).id_salt(("wave", index)), |ui| {
                let frame = wave.ui(ui, strip, &look, (signal, choice, fields.row)).placement.canvas;
                let taken = ui.interact(frame, ui.scope_id().with("choose"), Sense::CLICK);
                taken.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Choose channel {name}")));
                if taken.clicked() {
                    *fields.channel = choice;
                }
            });
        }
        if n_shown < n {
            fields.out.read_out = format!("{} of {} have room: make the pane higher to see more", n_shown, counted(n, "channel"));
        }
        own.with_max_y(own.bottom() - GRID / 2.0)
    }
}

//! The pane *Transfer*: two channels of a recording or a table, or two signals, measured against each other.

mod curve;

use super::action::{Action, PaneOutput};
use super::command::Command;
use super::line_plot::{PlotLook, ReducedPlot, RowBehind};
use super::pane::{Pane, PaneData, PaneInfo};
use super::scene::Scene;
use super::settings::{PairedWith, TransferLook, TransferView};
use super::shown::ShownJob;
use super::studied::Studied;
use super::theme::Tokens;
use super::toolbar::{Toolbar, toolbar};
use super::widgets;
use crate::choice::Named as _;
use crate::engine::{PlotData, RecordingPart, TransferAnswer, TransferRequest, TransferStudy};
use crate::numerals::{counted, integer, number};
use crate::signal::{ChannelChoice, Signal};
use crate::spectra::{Alignment, Estimator, Rate};
use curve::TransferCurve;
use egui::{DragValue, RichText, Role, Ui, WidgetInfo, vec2};
use std::sync::Arc;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Two channels measured against each other: x is the channel that is shown, y another one of the same file, or that of the second signal.",
        "Values whose coherence is low are dimmed: the input does not explain them. H1 is right where noise is on y, H2 where it is on x.",
        "The delay of y to x comes from the slope of the phase, the lag from the correlation; PHAT weighs every frequency alike.",
    ],
    empty: "Two channels are compared here: open a recording or a table with two, or a second signal",
    has_content: |scene| is_offered(&scene.shown(), &scene.settings.transfer),
    data: PaneData::Samples,
    ..PaneInfo::new("TwoChannels", "Transfer", |services| {
        Box::new(TransferPane {
            study: Studied::new(&services.studies, || TransferStudy),
            plot: ReducedPlot::new(&services.studies),
            shown: None,
        })
    })
};

/// The lengths of frames that are offered, as powers of two.
const LENGTHS: std::ops::RangeInclusive<u32> = 6..=17;
/// The height of the line of facts, in points.
const LINE: f32 = 18.0;

/// The pane.
struct TransferPane {
    study: Studied<TransferStudy>,
    plot: ReducedPlot<Vec<f64>>,
    shown: Option<Shown>,
}

/// The curve that is shown, and what it is of.
struct Shown {
    of: (Arc<TransferAnswer>, TransferLook),
    curve: TransferCurve,
    values: Arc<Vec<f64>>,
}

/// Whether there are two channels of samples in even steps, or a second signal is asked for.
fn is_offered(shown: &ShownJob<'_>, look: &TransferLook) -> bool {
    is_even_row(shown) && shown.signal.is_some_and(|signal| signal.channels.len() > 1 || look.with == PairedWith::Second)
}

/// Whether the samples are one row in even steps.
fn is_even_row(shown: &ShownJob<'_>) -> bool {
    let is_even = shown.axis.as_ref().is_none_or(|axis| axis.per_unit.is_some());
    let is_row = |signal: &Signal| !signal.kind.is_image() && signal.rows == 1 && signal.columns > 3;
    is_even && shown.signal.is_some_and(|signal| is_row(signal))
}

impl Pane for TransferPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, second, look, out) = (scene.shown(), scene.second, &mut scene.settings.transfer, &mut *scene.out);
        match shown.signal {
            Some(signal) if is_even_row(&shown) => self.pair_ui(ui, (&shown, signal, second), look, out),
            _ => widgets::empty_state(ui, PANE.empty),
        }
    }
}

impl TransferPane {
    fn pair_ui(
        &mut self,
        ui: &mut Ui,
        (shown, signal, second): (&ShownJob<'_>, &Arc<Signal>, Option<&Arc<Signal>>),
        look: &mut TransferLook,
        out: &mut PaneOutput,
    ) {
        let opens = toolbar(ui, PANE.title, |bar| controls_ui(bar, look, signal));
        if opens {
            out.actions.push(Action::Run(Command::OpenSecond));
        }
        let rate = Rate::from(shown.sampling());
        let (first, n) = shown.preparation.region.map_or((0, signal.columns), |region| (region.x, region.width));
        let part = |signal: &Arc<Signal>, channel: ChannelChoice, n: usize| {
            let end = (first + n).min(signal.columns);
            RecordingPart { signal: signal.clone(), channel, samples: first.min(end)..end, rate }
        };
        let x = part(signal, shown.channel, n);
        let y = match (look.with, second) {
            (PairedWith::Channel(channel), _) => part(signal, channel, n),
            (PairedWith::Second, Some(second)) if !Arc::ptr_eq(second, signal) => {
                let has_it = second.check_channel(shown.channel).is_ok();
                part(second, if has_it { shown.channel } else { ChannelChoice::default() }, second.columns)
            }
            _ => return widgets::empty_state(ui, "Open second signal takes the recording that is compared"),
        };
        if Rate::from(y.signal.sampling()) != Rate::from(signal.sampling()) {
            return widgets::error(ui, &format!("{} does not have the rate of {}: resample one of them", y.signal.name, signal.name));
        }
        if y.samples.is_empty() || y.signal.check_channel(y.channel).is_err() {
            return widgets::empty_state(ui, "y has no samples here: choose another output, such as Second signal, or another part");
        }
        let frames = look.frames(x.samples.len().min(y.samples.len()));
        let request = TransferRequest { frames, pair: [x, y], alignment: look.alignment, phat: look.phat };
        let answer = self.study.result_ui(ui, Some(&request), |_| true, "The channels are being compared");
        if let Some(Ok(answer)) = answer.map(|answer| answer.reply.result.clone()) {
            self.answer_ui(ui, &answer, look, rate);
        }
    }

    /// The curve, and what the numbers depend on.
    fn answer_ui(&mut self, ui: &mut Ui, answer: &Arc<TransferAnswer>, look: &TransferLook, rate: Rate) {
        if !self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(&shown.of.0, answer) && shown.of.1 == *look) {
            let mut curve = TransferCurve::new(answer, look, rate);
            let values = Arc::new(std::mem::take(&mut curve.values));
            self.shown = Some(Shown { of: (answer.clone(), *look), curve, values });
        }
        let Some(Shown { curve, values, .. }) = &self.shown else { return };
        let width = ui.available_width();
        let (_, line) = ui.allocate_space(vec2(width, LINE));
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(line));
        widgets::parts(&mut child, &facts(answer, look, curve, rate), width, |text| RichText::new(text).weak());
        if values.is_empty() {
            return widgets::empty_state(
                ui,
                "No impulse response was found: it needs real, finite samples that are not silent, and memory for all of them",
            );
        }
        let look = PlotLook {
            origin: -curve.first / curve.step,
            per_unit: curve.step.recip(),
            stems: false,
            log_axis: look.log_axis && look.is_over_frequency(),
            ..PlotLook::over_index(ui, "Transfer between two channels", &curve.labels[0], &curve.labels[1])
        };
        if let Some(frame) = self.plot.frame().copied() {
            let dimmed = (curve.dimmed > 0).then(|| RowBehind {
                data: PlotData::of_reals(&curve.all, frame),
                scale: [look.origin, look.per_unit],
                color: Tokens::current(ui).weak.gamma_multiply(0.6),
            });
            self.plot.plot().set_behind(dimmed.into_iter().collect());
        }
        let area = ui.available_rect_before_wrap();
        self.plot.ui(ui, area, &look, values, values.len(), |values, frame| PlotData::of_reals(values, frame));
    }
}

/// The controls; returns whether the second signal is to be opened.
fn controls_ui(bar: &mut Toolbar<'_>, look: &mut TransferLook, signal: &Signal) -> bool {
    bar.item("view", |ui| {
        let offered = TransferView::offered().into_iter().map(|(view, title, about)| (view, title.to_owned(), about.to_owned()));
        widgets::combo_of_width(ui, "View of the transfer", 120.0, look.view.title(), &mut look.view, offered)
            .on_hover_text(look.view.about());
    });
    bar.item("output", |ui| {
        let title = |with: PairedWith| match with {
            PairedWith::Second => "Second signal".to_owned(),
            PairedWith::Channel(channel) => signal.channel_name(channel),
        };
        let channel = |index: usize| if index == 0 { ChannelChoice::default() } else { ChannelChoice::Channel(index) };
        let channels = (0..signal.channels.len()).map(|index| PairedWith::Channel(channel(index)));
        let offered: Vec<_> = channels.chain([PairedWith::Second]).map(|with| (with, title(with), String::new())).collect();
        widgets::combo_of_width(ui, "Output y", 112.0, title(look.with), &mut look.with, offered)
            .on_hover_text("What is compared with the channel that is shown");
    });
    let opens = (look.with == PairedWith::Second).then(|| bar.item("open", |ui| ui.button("Open second signal").clicked()));
    bar.segmented(
        "Estimator",
        &mut look.estimator,
        &[Estimator::H1, Estimator::H2].map(|estimator| (estimator, estimator.title(), estimator.about())),
    );
    bar.item("length", |ui| {
        let offered = LENGTHS.map(|power| 1_usize << power).map(|n| (n, integer(n), String::new()));
        widgets::combo_of_width(ui, "Samples of a frame of the transfer", 80.0, integer(look.length), &mut look.length, offered)
            .on_hover_text("Samples of a frame: fewer give more averages, more give finer frequencies");
    });
    bar.item("phase", |ui| {
        widgets::toggle(ui, &mut look.unwraps, "Unwrap").on_hover_text("Lets the phase go on beyond 180°");
        widgets::toggle(ui, &mut look.removes_delay, "Remove delay").on_hover_text("Takes the delay of y to x away");
        let mut aligns = look.alignment == Alignment::Delay;
        let about = "Moves the frames of y by a long delay before averages are taken; frames that stay lower gain and coherence";
        widgets::toggle(ui, &mut aligns, "Align").on_hover_text(about);
        look.alignment = if aligns { Alignment::Delay } else { Alignment::None };
        widgets::toggle(ui, &mut look.phat, "PHAT").on_hover_text("Finds the lag by the phases alone, every frequency alike");
    });
    if look.is_over_frequency() {
        bar.log_axis(&mut look.log_axis);
    }
    bar.item("least", |ui| {
        let field = ui.add(DragValue::new(&mut look.least).range(0.0..=1.0).speed(0.01).max_decimals(2).prefix("dim below "));
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Least coherence"));
        field.on_hover_text("Values of a lower coherence are dimmed");
    });
    opens.flatten() == Some(true)
}

/// The meaning of the numbers and the settings behind them, in a few words each.
fn facts(answer: &TransferAnswer, look: &TransferLook, curve: &TransferCurve, rate: Rate) -> Vec<String> {
    let TransferAnswer { cross, delay, correlation, .. } = answer;
    let time = |samples: f64| format!("{} {}", number(samples / rate.per_unit, 6), rate.unit());
    let spread = |deviation: Option<f64>| deviation.map_or(String::new(), |deviation| format!(" ± {}", number(deviation, 2)));
    let mut facts = Vec::new();
    if cross.count == 1 {
        facts.push("one average: its coherence is 1 and says nothing; take shorter frames".to_owned());
    }
    if curve.dimmed > 0 {
        let whole = integer(curve.all.len());
        facts.push(format!("{} of {whole} values dimmed: coherence below {}", integer(curve.dimmed), number(look.least, 3)));
    }
    if let Some(delay) = delay {
        facts.push(format!("y comes {}{} samples after x, {}", number(delay.samples, 6), spread(delay.deviation), time(delay.samples)));
    }
    if let Some(found) = correlation {
        let how = if look.phat { "PHAT lag" } else { "lag" };
        facts.push(format!("{how} {}{} samples, height {}", number(found.lag, 6), spread(Some(found.deviation)), number(found.height, 3)));
    }
    facts.push(format!("{} of {}", counted(cross.count, "average"), counted(cross.frames.length, "sample")));
    if cross.shift != 0 {
        facts.push(cross.shift_text());
    }
    if cross.skipped > 0 {
        facts.push(format!("{} left out: samples in them are not numbers", counted(cross.skipped, "frame")));
    }
    facts
}

//! The padding of a transposition, measured here and now with and without it.

use super::follow::Target;
use crate::engine::{Ask, EngineError, PaddingTimes, SharedResult, Study, StudyMailbox, TimingReason, time_padding};
use crate::gpu::AdapterInfo;
use crate::numerals::{duration, number};
use crate::plan::{Plan, Precision};
use crate::schedule::Launch;
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::GRID;
use egui::Ui;
use std::sync::Arc;

/// A transposition to measure.
#[derive(Debug, Clone)]
struct PaddingRequest {
    plan: Arc<Plan>,
    launch: Launch,
    is_double: bool,
    adapter: usize,
}

impl PartialEq for PaddingRequest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.plan, &other.plan)
            && (&self.launch, self.is_double, self.adapter) == (&other.launch, other.is_double, other.adapter)
    }
}

impl Ask for PaddingRequest {}

/// Measures transpositions.
struct PaddingStudy;

impl Study for PaddingStudy {
    type Request = PaddingRequest;
    type Report = Result<PaddingTimes, EngineError>;

    const NAME: &'static str = "padding";

    fn is_long(_: &PaddingRequest) -> bool {
        true
    }

    fn answer(
        &mut self,
        PaddingRequest { plan, launch, is_double, adapter }: &PaddingRequest,
        _: Result<Vec<SharedResult>, EngineError>,
        mut mailbox: StudyMailbox<'_>,
    ) -> Self::Report {
        (mailbox.progress)("the times of the transposition", 0.0);
        let _guard = mailbox.lock_timing(TimingReason::Asked)?;
        let precision = if *is_double { Precision::Double } else { Precision::Single };
        time_padding(plan, launch, precision, *adapter, mailbox.devices, mailbox.cancel)
    }
}

/// The study that measures the padding, and its last question.
pub(super) struct PaddingTimer {
    studied: Studied<PaddingStudy>,
    asked: Option<PaddingRequest>,
}

impl PaddingTimer {
    pub(super) fn new(studies: &Studies) -> Self {
        Self { studied: Studied::new(studies, || PaddingStudy), asked: None }
    }

    /// The button that measures, and what was measured.
    pub(super) fn ui(&mut self, ui: &mut Ui, adapters: &[AdapterInfo], device: &str, target: &Target, launch: Option<usize>) {
        let Some(launch) = launch.filter(|_| target.ran) else { return };
        let Some(adapter) = adapters.iter().find(|adapter| device.contains(&adapter.name)) else {
            return;
        };
        let launch = target.schedule.launches[launch].clone();
        let request = PaddingRequest { plan: target.plan.clone(), launch, is_double: target.is_double(), adapter: adapter.index };
        ui.add_space(2.0 * GRID);
        let about = "Runs this transposition alone with padded rows and with plain ones in workgroup memory, in turn";
        let button = ui.add_enabled(!self.studied.is_busy(), egui::Button::new("Measure the padding"));
        if button.on_hover_text(about).clicked() {
            self.studied.ask_anew(ui.ctx(), &request);
            self.asked = Some(request.clone());
        }
        if self.asked.as_ref() == Some(&request)
            && let Some(answer) = self.studied.result_ui(ui, Some(&request), |_| true, "The padding is being measured")
            && let Ok(times) = &answer.reply.result
        {
            ui.add(egui::Label::new(told(times)).wrap());
        }
    }
}

/// The times in words.
fn told(times: &PaddingTimes) -> String {
    let one = |[median, low, high]: [f64; 3]| format!("{} ({} to {})", duration(median), duration(low), duration(high));
    let [padded, plain] = times.micros.map(one);
    let verdict = match times.gain() {
        None => "no measurable gain".to_owned(),
        Some(gain) => format!("{} times as fast with padding", number(gain, 3)),
    };
    let PaddingTimes { pitches: [long, short], n, adapter, .. } = times;
    format!("Pitch {long}: {padded}; pitch {short}: {plain}; medians and quartiles of {n} on {adapter}: {verdict}")
}

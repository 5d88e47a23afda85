//! The state of a step as settings of the window, and as jobs.

use crate::display::Scale;
use crate::engine::Job;
use crate::engine::filter::factors_signal;
use crate::lesson::{PlanState, State, Subjects};
use crate::plan::Precision;
use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{Generator, Typed};
use crate::signal::{Signal, Watch};
use crate::transforms::{Axes, Input};
use crate::ui::origin::{Origin, SecondOrigin, TableReading};
use crate::ui::settings::Beside;
use crate::ui::settings::Settings;
use serde_json::Value;
use std::sync::Arc;

/// The settings that a step begins with.
///
/// # Errors
/// When a name is unknown or the keys do not fit together; in one line.
pub fn settings_of(state: &State) -> Result<Settings, String> {
    let transform = state.plan.transform()?;
    let typed = |text: &str| Typed { text: text.to_owned(), image: transform.axes == Axes::Both };
    let checked = |typed: Typed| typed.signal().map(|_| Origin::Generator(Generator::Typed(typed)));
    let origin = match (&state.signal, &state.sample, &state.generator) {
        (Some(text), ..) => checked(typed(text)).map_err(|error| format!("signal: {error}"))?,
        (_, Some(name), _) => match BUILT_IN.iter().find(|sample| sample.name == name) {
            Some(sample) => Origin::Sample(sample.name.to_owned()),
            None => {
                let known: Vec<_> = BUILT_IN.iter().map(|sample| sample.name).collect();
                return Err(format!("sample: there is none named '{name}': take one of {}", known.join(", ")));
            }
        },
        (_, _, Some(generator)) => Origin::Generator(generator.clone()),
        _ => Origin::Generator(Generator::Typed(Typed::default())),
    };
    let second = state.second.as_deref().map(|text| checked(typed(text)).map_err(|error| format!("second: {error}"))).transpose()?;
    let beside = state.beside.as_ref().map(|plan| {
        let transform = Some(plan.transform()?.name.to_owned());
        let cut = Some(plan.cut()).filter(|cut| *cut != state.plan.cut());
        let device = plan.device.clone().filter(|device| Some(device) != state.plan.device.as_ref());
        let (algorithm, parameters) = (plan.algorithm.clone(), Some(plan.parameters));
        Ok::<_, String>(Beside { transform, algorithm, parameters, cut, device, size: None })
    });
    let mut settings = Settings {
        origin,
        beside: beside.transpose()?,
        second: second.map_or(SecondOrigin::Itself, SecondOrigin::Other),
        // A lane takes as many bytes on every device.
        precision: state.precision.or(Some(Precision::Single)),
        ..of_plan(Settings::default(), &state.plan)?
    };
    if state.signal.is_some() {
        // A few typed numbers give mostly whole results, and some are 0.
        settings.result_look_mut().line.scale = Scale::Linear;
    }
    if state.settings.is_empty() {
        return Ok(settings);
    }
    let mut json = serde_json::to_value(&settings).map_err(|error| error.to_string())?;
    let over = serde_json::to_value(&state.settings).map_err(|error| error.to_string())?;
    if let Some(unknown) = over.as_object().into_iter().flatten().find(|(key, _)| json.get(key).is_none()) {
        return Err(format!("settings: there is none named '{}'", unknown.0));
    }
    lay_over(&mut json, over);
    serde_json::from_value(json).map_err(|error| format!("settings: {error}"))
}

/// The settings with another transform, algorithm, parameters and schedule.
fn of_plan(settings: Settings, plan: &PlanState) -> Result<Settings, String> {
    Ok(Settings {
        transform: plan.transform()?.name.to_owned(),
        algorithm: plan.algorithm.clone(),
        parameters: plan.parameters,
        cut: plan.cut(),
        device: plan.device.clone().unwrap_or_default(),
        ..settings
    })
}

/// Lays an object over another one, key by key.
pub(super) fn lay_over(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                lay_over(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}

/// The jobs of a state, with their signals loaded: what its questions and checks are read from.
///
/// # Errors
/// When the state or a signal is wrong; in one line.
pub fn subjects_of(state: &State) -> Result<Subjects, String> {
    let settings = settings_of(state)?;
    let beside = state.beside.as_ref().map(|plan| of_plan(settings.clone(), plan)).transpose()?;
    let (job, beside) = jobs_of(&settings, beside.as_ref())?;
    Ok(Subjects::new(job, beside))
}

/// The job of settings and of others with the same signals, which are loaded.
///
/// # Errors
/// When a signal cannot be loaded; in one line.
pub fn jobs_of(settings: &Settings, beside: Option<&Settings>) -> Result<(Job, Option<Job>), String> {
    let signal = loaded(&settings.origin)?;
    let second = match &settings.second {
        SecondOrigin::Itself => signal.clone(),
        SecondOrigin::Other(origin) => loaded(origin)?,
        SecondOrigin::Mask => {
            let (mask, painted) = (&settings.filter.mask, settings.filter.painted_file());
            let factors = factors_signal(&signal, &settings.preparation, (mask, painted.as_deref()));
            Arc::new(factors.map_err(|error| error.to_string())?)
        }
    };
    let job = |settings: &Settings| {
        let takes_two = settings.transform().input == Input::TwoSignals;
        Job { second: takes_two.then(|| second.clone()), ..settings.job(&signal) }
    };
    Ok((job(settings), beside.map(job)))
}

fn loaded(origin: &Origin) -> Result<Arc<Signal>, String> {
    let (_, load) = origin.load(&TableReading::default()).ok_or("the signal is in memory only")?;
    load(&Watch::default()).map(Arc::new).map_err(|refusal| refusal.words)
}

//! The state of the window in a step: its keys, what it inherits, and what its plan is.

use crate::choice::{Chosen, Slot as _};
use crate::engine::DeviceChoice;
use crate::graph::{GraphLayout, GraphNode, PageFocus};
use crate::plan::Precision;
use crate::schedule::{Cut, CutParameters};
use crate::signal::generate::Generator;
use crate::transforms::{Parameters, Transform, transform};
use serde::Deserialize;
use std::fmt::Display;
use strum::IntoEnumIterator as _;

/// The state of the window in a step; `None` and empty lists are as the window begins.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// Typed numbers.
    pub signal: Option<String>,
    /// The name of a built-in sample.
    pub sample: Option<String>,
    /// A generator.
    pub generator: Option<Generator>,
    /// Typed numbers of the second signal.
    pub second: Option<String>,
    /// The transform, its algorithm, parameters and schedule, which have keys of their own.
    #[serde(skip)]
    pub plan: PlanState,
    /// The same for the second flow graph, with what it does not change.
    #[serde(skip)]
    pub beside: Option<PlanState>,
    /// The precision.
    pub precision: Option<Precision>,
    /// The name of the layout that the lesson goes on in when it is left.
    pub layout: Option<String>,
    /// Names of the panes beside the text.
    pub panes: Vec<String>,
    /// Names of the panes below them.
    pub lower: Vec<String>,
    /// Number of stages that have run; `None` for all.
    pub stage: Option<usize>,
    /// The node that is highlighted.
    pub node: Option<NodeAt>,
    /// The name of an experiment of a paper.
    pub experiment: Option<String>,
    /// Anything else of the settings of the window.
    pub settings: toml::Table,
    /// The kept state of panes, by their names.
    pub views: toml::Table,
}

impl State {
    /// The place that the step points at, for a page.
    pub fn page_focus(&self) -> PageFocus {
        let has_matrix = self.panes.iter().chain(&self.lower).any(|pane| pane == "Matrix");
        let shown = self.views.get("Matrix").and_then(|view| view.get("shown")).cloned();
        let matrix = has_matrix.then(|| shown.and_then(|shown| shown.try_into().ok()).unwrap_or_default());
        PageFocus { n_run: self.stage, node: self.node.map(|node| GraphNode { column: node.stage, lane: node.lane }), matrix }
    }

    /// The layout of the flow graph that the step shows.
    pub fn graph_layout(&self) -> GraphLayout {
        let name = self.views.get("FlowGraph").and_then(|view| view.get("layout")).and_then(toml::Value::as_str);
        GraphLayout::iter().find(|layout| Some(layout.name()) == name).unwrap_or_default()
    }
}

/// A node of the flow graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeAt {
    /// Number of stages that have run; 0 for the inputs.
    pub stage: usize,
    /// The lane, from 0.
    pub lane: usize,
}

/// A transform, its algorithm, parameters and schedule.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanState {
    /// The name of the transform.
    pub transform: Option<String>,
    /// The name of the algorithm; `None` takes the fastest.
    pub algorithm: Option<String>,
    /// The parameters of the transform.
    pub parameters: Parameters,
    /// The schedule, without its parameters.
    asked: Cut,
    cut: CutParameters,
    /// The device.
    pub device: Option<DeviceChoice>,
}

/// The keys that say where the signal comes from; one replaces the others.
const ORIGIN_KEYS: [&str; 3] = ["signal", "sample", "generator"];

/// The key of what differs in the second flow graph.
const BESIDE: &str = "beside";

/// The text of a value; numbers and lists of numbers count as text.
fn text_of(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(values) => values.iter().map(text_of).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn unknown(text: &str, error: &impl Display) -> String {
    format!("'{text}' is not known here ({error})")
}

/// The keys that hold at a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys(toml::Table);

impl Keys {
    /// Lays the keys of a step over those before; an empty text or list takes a key back.
    ///
    /// # Errors
    /// With the first key that is unknown or has a wrong value, and the reason.
    pub(super) fn set(&mut self, own: toml::Table) -> Result<(), (String, String)> {
        for (key, value) in own {
            let is_empty = value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
            if !is_empty && ORIGIN_KEYS.contains(&key.as_str()) {
                ORIGIN_KEYS.iter().for_each(|origin| drop(self.0.remove(*origin)));
            }
            self.0.remove(&key);
            let outcome = match value.as_table() {
                Some(table) if key == BESIDE => PlanState::of(table).map(drop),
                _ => PlanState::default()
                    .set(&key, &text_of(&value))
                    .unwrap_or_else(|| read::<State>([(key.clone(), value.clone())]).map(drop)),
            };
            match outcome {
                Err(reason) if !is_empty || key != BESIDE && reason.contains("unknown field") => return Err((key, reason)),
                _ if is_empty => {}
                _ => drop(self.0.insert(key, value)),
            }
        }
        Ok(())
    }

    /// The state that the keys describe.
    ///
    /// # Errors
    /// When they do not fit together.
    pub(super) fn state(&self) -> Result<State, String> {
        let (plan, mut rest): (toml::Table, toml::Table) = self.0.clone().into_iter().partition(|(key, _)| PlanState::has_key(key));
        let beside = rest.remove(BESIDE).and_then(|own| own.as_table().cloned()).map(|own| {
            let mut table = plan.clone();
            // Another transform has other algorithms.
            if own.contains_key("transform") {
                table.remove("algorithm");
            }
            table.extend(own);
            table.retain(|_, value| value.as_str() != Some(""));
            PlanState::of(&table)
        });
        Ok(State { plan: PlanState::of(&plan)?, beside: beside.transpose()?, ..read(rest)? })
    }
}

fn read<T: serde::de::DeserializeOwned>(pairs: impl IntoIterator<Item = (String, toml::Value)>) -> Result<T, String> {
    pairs.into_iter().collect::<toml::Table>().try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

impl PlanState {
    /// The transform; the DFT where none is named.
    ///
    /// # Errors
    /// When the table has no transform or algorithm of this name.
    pub fn transform(&self) -> Result<&'static Transform, String> {
        let found = transform(self.transform.as_deref().unwrap_or("dft")).map_err(|error| error.to_string())?;
        if let Some(name) = &self.algorithm {
            found.algorithm(name).map_err(|error| error.to_string())?;
        }
        Ok(found)
    }

    /// The schedule: the usual one of the algorithm where only its parameters are given.
    pub fn cut(&self) -> Cut {
        if self.cut == CutParameters::default() {
            return self.asked;
        }
        let algorithm = self.transform().ok().and_then(|transform| transform.algorithm(self.algorithm.as_deref()?).ok());
        self.cut.applied(self.cut.usual(self.asked, algorithm))
    }

    /// Takes the text of a key; `None` if no plan has the key.
    fn set(&mut self, key: &str, text: &str) -> Option<Result<(), String>> {
        let outcome = match key {
            "transform" => self.transform.read(Some(text)),
            "algorithm" => self.algorithm.read(Some(text)),
            "cut" => text.parse().map(|cut| self.asked = cut),
            "device" => text.parse().map(|device| self.device = Some(device)),
            _ => set_choice(&mut self.parameters, key, text).or_else(|| set_choice(&mut self.cut, key, text))?,
        };
        Some(outcome.map_err(|error| unknown(text, &error)))
    }

    fn has_key(key: &str) -> bool {
        Self::default().set(key, "").is_some()
    }

    /// The state that some keys describe.
    ///
    /// # Errors
    /// For a key that no plan has, and for a wrong value.
    fn of(keys: &toml::Table) -> Result<Self, String> {
        let mut state = Self::default();
        for (key, value) in keys {
            state.set(key, &text_of(value)).unwrap_or_else(|| Err(format!("plans have no key '{key}'")))?;
        }
        Ok(state)
    }
}

/// Sets the parameter of a key; `None` if the table has none. Transforms may share a key, and have other values for it.
fn set_choice<S: Chosen>(of: &mut S, key: &str, text: &str) -> Option<Result<(), String>> {
    let mut outcomes = S::CHOICES.iter().filter(|choice| choice.lesson_key() == key).map(|choice| choice.set(of, Some(text)));
    let first = outcomes.next()?;
    Some(first.or_else(|error| outcomes.find(Result::is_ok).unwrap_or(Err(error))))
}

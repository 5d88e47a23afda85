//! The state of the window in a step: its keys, what it inherits, and what its plan is.

use crate::engine::{Cut, DeviceChoice};
use crate::graph::{GraphLayout, GraphNode, PageFocus};
use crate::plan::{Direction, Precision};
use crate::schedule::{BlockScheme, IndexArithmetic, KernelVariant, SectionMemory, SplitAndMerge, ThreadsPerSample, TwiddleSource};
use crate::signal::generate::Generator;
use crate::transforms::{Base, BatchAxis, Boundary, PacketOrder, Parameters, RowOrder, Transform, transform};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::str::FromStr;
use strum::IntoEnumIterator as _;

/// The state of the window in a step; `None` and empty lists are as the window begins.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// Typed numbers.
    pub signal: Option<String>,
    /// The name of a built-in sample.
    pub sample: Option<String>,
    /// A generator.
    pub generator: Option<Generator>,
    /// Typed numbers of the second signal.
    pub second: Option<String>,
    /// The transform, its algorithm, parameters and schedule.
    pub plan: PlanState,
    /// The same for the second flow graph, with what it does not change.
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
    /// What panes keep, by their names.
    pub views: toml::Table,
}

impl State {
    /// What the step points at, for a page.
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
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlanState {
    /// The name of the transform.
    pub transform: Option<String>,
    /// The name of the algorithm; `None` takes the fastest.
    pub algorithm: Option<String>,
    /// Whether it is the inverse.
    pub inverse: bool,
    #[serde(deserialize_with = "from_text")]
    axis: Option<BatchAxis>,
    #[serde(deserialize_with = "from_text")]
    order: Option<RowOrder>,
    levels: Option<usize>,
    #[serde(deserialize_with = "from_text")]
    boundary: Option<Boundary>,
    #[serde(deserialize_with = "from_text")]
    packet_order: Option<PacketOrder>,
    #[serde(deserialize_with = "from_text")]
    matrix: Option<Base>,
    normalized: bool,
    tile: Option<usize>,
    #[serde(deserialize_with = "from_text")]
    cut: Option<Cut>,
    levels_per_stage: Option<usize>,
    #[serde(deserialize_with = "from_text")]
    merge: Option<SectionMemory>,
    #[serde(deserialize_with = "from_text")]
    threads: Option<ThreadsPerSample>,
    width: Option<usize>,
    block: Option<usize>,
    #[serde(deserialize_with = "from_text")]
    scheme: Option<BlockScheme>,
    #[serde(deserialize_with = "from_text")]
    twiddles: Option<TwiddleSource>,
    #[serde(deserialize_with = "from_text")]
    index: Option<IndexArithmetic>,
    /// The device.
    #[serde(deserialize_with = "from_text")]
    pub device: Option<DeviceChoice>,
}

/// The keys of [`PlanState`].
const PLAN_KEYS: [&str; 21] = [
    "transform",
    "algorithm",
    "inverse",
    "axis",
    "order",
    "levels",
    "boundary",
    "packet_order",
    "matrix",
    "normalized",
    "tile",
    "cut",
    "levels_per_stage",
    "merge",
    "threads",
    "width",
    "block",
    "scheme",
    "twiddles",
    "index",
    "device",
];

/// The keys that say where the signal comes from; one replaces the others.
const ORIGIN_KEYS: [&str; 3] = ["signal", "sample", "generator"];

/// The other keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rest {
    signal: Option<String>,
    sample: Option<String>,
    generator: Option<Generator>,
    second: Option<String>,
    beside: Option<toml::Table>,
    #[serde(deserialize_with = "from_text")]
    precision: Option<Precision>,
    layout: Option<String>,
    panes: Vec<String>,
    lower: Vec<String>,
    stage: Option<usize>,
    node: Option<NodeAt>,
    experiment: Option<String>,
    settings: toml::Table,
    views: toml::Table,
}

/// Reads a value from the text that the command line takes for it; numbers and lists of numbers count as text.
fn from_text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<Option<T>, D::Error> {
    fn text(value: &toml::Value) -> String {
        match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        }
    }
    let text = text(&toml::Value::deserialize(deserializer)?);
    text.parse().map(Some).map_err(|error| serde::de::Error::custom(format!("'{text}' is not known here ({error})")))
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
            if is_empty {
                if !PLAN_KEYS.contains(&key.as_str()) {
                    read::<Rest>([(key.clone(), value)]).map_or_else(
                        |error| if error.contains("unknown field") { Err((key.clone(), error)) } else { Ok(()) },
                        |_| Ok(()),
                    )?;
                }
                continue;
            }
            let one = [(key.clone(), value.clone())];
            let outcome = if PLAN_KEYS.contains(&key.as_str()) { read::<PlanState>(one).map(drop) } else { read::<Rest>(one).map(drop) };
            outcome.map_err(|reason| (key.clone(), reason))?;
            if key == "beside" {
                value.as_table().map_or(Ok(PlanState::default()), |table| read(table.clone())).map_err(|reason| (key.clone(), reason))?;
            }
            self.0.insert(key, value);
        }
        Ok(())
    }

    /// The state that the keys describe.
    ///
    /// # Errors
    /// When they do not fit together.
    pub(super) fn state(&self) -> Result<State, String> {
        let (plan, rest): (toml::Table, toml::Table) = self.0.clone().into_iter().partition(|(key, _)| PLAN_KEYS.contains(&key.as_str()));
        let rest: Rest = read(rest)?;
        let beside = rest.beside.map(|own| {
            let mut table = plan.clone();
            // Another transform has other algorithms.
            if own.contains_key("transform") {
                table.remove("algorithm");
            }
            table.extend(own);
            table.retain(|_, value| value.as_str() != Some(""));
            read(table)
        });
        let Rest { signal, sample, generator, second, precision, layout, panes, lower, stage, node, experiment, settings, views, .. } =
            rest;
        let (plan, beside) = (read(plan)?, beside.transpose()?);
        Ok(State {
            signal,
            sample,
            generator,
            second,
            plan,
            beside,
            precision,
            layout,
            panes,
            lower,
            stage,
            node,
            experiment,
            settings,
            views,
        })
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

    /// The parameters of the transform.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            direction: if self.inverse { Direction::Inverse } else { Direction::Forward },
            lines: self.axis.unwrap_or_default(),
            tile_lanes: self.tile,
            order: self.order.unwrap_or_default(),
            normalized: self.normalized,
            matrix: self.matrix.unwrap_or_default(),
            levels: self.levels,
            boundary: self.boundary.unwrap_or_default(),
            packet_order: self.packet_order.unwrap_or_default(),
            ..Parameters::default()
        }
    }

    /// The schedule: sections where one of their settings is given.
    pub fn cut(&self) -> Cut {
        let usual = SplitAndMerge::default();
        let sections = SplitAndMerge {
            levels: self.levels_per_stage.unwrap_or(usual.levels),
            width: self.width.unwrap_or(usual.width),
            merge: self.merge.unwrap_or(usual.merge),
            threads: self.threads.unwrap_or(usual.threads),
            block: self.block.unwrap_or(usual.block),
            scheme: self.scheme.unwrap_or(usual.scheme),
        };
        let has_sections = self.merge.is_some() || self.threads.is_some() || self.width.is_some() || self.block.is_some();
        match self.cut {
            Some(Cut::SplitAndMerge(_)) => Cut::SplitAndMerge(sections),
            Some(Cut::Overlapped(_)) => Cut::Overlapped(self.levels_per_stage.unwrap_or(0)),
            Some(Cut::Stages) if self.twiddles.is_some() || self.index.is_some() => {
                Cut::StagesBy(KernelVariant { twiddles: self.twiddles.unwrap_or_default(), index: self.index.unwrap_or_default() })
            }
            Some(Cut::Stages) => self.threads.map(Cut::StagesOf).or(self.scheme.map(Cut::StagesIn)).unwrap_or(Cut::Stages),
            Some(cut) => cut,
            None if self.algorithm.as_deref() == Some("overlapped") => Cut::Overlapped(self.levels_per_stage.unwrap_or(0)),
            None if has_sections || self.levels_per_stage.is_some() => Cut::SplitAndMerge(sections),
            None => Cut::default(),
        }
    }
}

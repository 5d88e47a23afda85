//! The second flow graph as a setting: another transform, algorithm or size for the same data.

use super::Settings;
use crate::engine::{Cut, DeviceChoice, Job};
use crate::prepare::Extent;
use crate::signal::Signal;
use crate::transforms::{Parameters, TRANSFORMS, Transform};
use std::sync::Arc;

/// Another transform of the same data; what is `None` is as in the first graph.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Beside {
    /// Name of the transform in the table.
    pub transform: Option<String>,
    /// Name of the algorithm; `None` takes the fastest.
    pub algorithm: Option<String>,
    /// Its parameters: order, levels, direction and others.
    pub parameters: Option<Parameters>,
    /// How it is cut into launches.
    pub cut: Option<Cut>,
    /// The device.
    pub device: Option<DeviceChoice>,
    /// Number of samples of a row; a longer row is cut at its end, a shorter one continues with zeros.
    pub size: Option<usize>,
}

impl Beside {
    /// The usual partner of a transform: constant geometry, or else an algorithm that is not the one beside it.
    pub(crate) fn partner_of(transform: &Transform, algorithm: Option<&str>) -> Self {
        let mut names = transform.algorithms.iter().filter(|known| known.plan_fn().is_some()).map(|known| known.name);
        let others: Vec<_> = names.by_ref().filter(|name| Some(*name) != algorithm).collect();
        let partner = others.iter().find(|name| **name == "constant-geometry").or(others.first());
        Self { algorithm: partner.map(|name| (*name).to_owned()), ..Self::default() }
    }

    /// The transform of the second graph, which is `first` where none is set.
    pub(crate) fn transform_or(&self, first: &'static Transform) -> &'static Transform {
        let named = |name: &String| TRANSFORMS.iter().find(|transform| transform.name == *name);
        self.transform.as_ref().and_then(named).unwrap_or(first)
    }
}

impl Settings {
    /// The job of the second graph, without the second signal of a convolution; `None` where no second graph is set.
    pub fn job_beside(&self, signal: &Arc<Signal>) -> Option<Job> {
        let beside = self.beside.as_ref()?;
        let mut parameters = beside.parameters.unwrap_or(self.parameters);
        let transform = beside.transform_or(self.transform());
        if !transform.has_inverse {
            parameters.direction = crate::plan::Direction::Forward;
        }
        let mut preparation = self.preparation;
        if let Some(columns) = beside.size {
            let rows = self.prepared_shape(signal).rows;
            preparation.padding.extent = Extent::To([rows, columns]);
        }
        let (transform, algorithm) = (transform.name.to_owned(), beside.algorithm.clone());
        let cut = beside.cut.unwrap_or(self.cut);
        let device = beside.device.clone().unwrap_or_else(|| self.device.clone());
        Some(Self { transform, algorithm, parameters, cut, device, preparation, ..self.clone() }.job(signal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;
    use crate::transforms::transform;

    fn eight() -> Arc<Signal> {
        Arc::new(Signal::row("eight", Samples::F64((0..8).map(f64::from).collect())))
    }

    #[test]
    fn what_is_not_set_is_as_in_the_first_graph() {
        let first = Settings { transform: "walsh".into(), algorithm: Some("cooley-tukey".into()), ..Settings::default() };
        assert_eq!(first.job_beside(&eight()), None);
        let beside = |beside: Beside| Settings { beside: Some(beside), ..first.clone() }.job_beside(&eight()).unwrap();
        let same = beside(Beside::default());
        assert_eq!((same.transform, same.algorithm), ("walsh", None));
        let other =
            beside(Beside { transform: Some("haar".into()), algorithm: Some("cooley-tukey".into()), size: Some(4), ..Beside::default() });
        assert_eq!((other.transform, other.algorithm, other.shape().columns), ("haar", Some("cooley-tukey"), 4));
        let tiles = beside(Beside { cut: Some(Cut::TilesOf(4)), device: Some(DeviceChoice::Cpu), ..Beside::default() });
        assert_eq!((same.cut, tiles.cut, tiles.device), (Cut::Tiles, Cut::TilesOf(4), DeviceChoice::Cpu));
        let unknown = beside(Beside { transform: Some("none".into()), algorithm: Some("none".into()), ..Beside::default() });
        assert_eq!((unknown.transform, unknown.algorithm), ("walsh", None));
    }

    #[test]
    fn the_partner_is_constant_geometry_or_another_algorithm() {
        let partner = |name: &str, algorithm| Beside::partner_of(transform(name).unwrap(), algorithm).algorithm;
        assert_eq!(partner("walsh", Some("cooley-tukey")).as_deref(), Some("constant-geometry"));
        assert_eq!(partner("walsh", Some("constant-geometry")).as_deref(), Some("cooley-tukey"));
        assert_eq!(partner("dft2", Some("stockham")).as_deref(), Some("row-column"));
        assert_eq!(partner("haar-printed", Some("cooley-tukey")), None);
    }

    #[test]
    fn sessions_without_a_second_graph_open() {
        let settings: Settings = serde_json::from_str(r#"{"transform": "walsh"}"#).unwrap();
        assert_eq!(settings.beside, None);
        let settings: Settings = serde_json::from_str(r#"{"beside": {"algorithm": "constant-geometry"}}"#).unwrap();
        assert_eq!(settings.beside.and_then(|beside| beside.algorithm).as_deref(), Some("constant-geometry"));
    }
}

//! The numbers of a paper in its figures: factors and shares as horizontal lines, sizes as vertical ones, and the figure before anything is measured here.

use super::charts::{axis, printed, sizes_axis};
use super::experiments::{Claim, Experiment, LineName, Measure, Paper};
use super::quantity::{PlotQuantity, PlotRequest, TimedPart};
use super::record::Record;
use crate::figure::Series;
use crate::numerals::number;
use crate::plot::{Chart, ChartAxis, Crossing, Curve, CurvePoint, CurveRole};

impl Experiment {
    /// Whether the paper draws it as curves.
    pub fn is_figure(&self) -> bool {
        self.place.starts_with("Figure")
    }

    /// The first content of its chart: that of the figure, or factors where the paper states these alone.
    pub fn first_plot(&self) -> PlotRequest {
        let plot = PlotRequest { quantity: self.plot, part: TimedPart::Kernels, against: self.against };
        let has_factors = self.claims.iter().any(|claim| quantity(claim) == PlotQuantity::SpeedUp && has_values(claim));
        let states_only_factors = self.is_figure() && has_factors && printed(self, plot).is_empty();
        if states_only_factors { PlotRequest { quantity: PlotQuantity::SpeedUp, ..plot } } else { plot }
    }

    /// The first and the last size of the paper, in samples.
    fn ends(&self) -> [f64; 2] {
        let samples = |exponent: Option<&u32>| self.shape(exponent.copied().unwrap_or_default()).len() as f64;
        [samples(self.exponents.first()), samples(self.exponents.last())]
    }
}

/// The figure of an experiment before it is measured here: axes with the sizes of the paper, and what the paper prints and states.
pub fn paper_chart(paper: &Paper, experiment: &Experiment) -> Chart {
    let plot = experiment.first_plot();
    let mut curves = printed(experiment, plot);
    let stated = experiment.claims.iter().filter(|claim| quantity(claim) == plot.quantity);
    curves.extend(stated.flat_map(|claim| lines(experiment, claim, |value| value)));
    number_variants(&mut curves);
    let y = match plot.quantity {
        PlotQuantity::SpeedUp => ChartAxis { name: "times as fast (×)".into(), ..axis(plot) },
        _ => axis(plot),
    };
    Chart {
        title: format!("{}: {}", experiment.place, experiment.title),
        notes: vec![format!("{} was measured on {}", experiment.place, paper.hardware)],
        x: ChartAxis { includes: Some(experiment.ends()), ..sizes_axis() },
        y,
        curves,
        crossings: experiment.claims.iter().filter_map(|claim| size(experiment, claim)).collect(),
    }
}

/// The lines of what a paper states, in the chart of a record.
pub(super) fn stated_curves(experiment: &Experiment, record: &Record, plot: PlotRequest) -> Vec<Curve> {
    let place = |name: &LineName| match name {
        LineName::Index(index) => experiment.lines_in(record).get(*index).copied().flatten(),
        LineName::Added(name) => record.sweep.lines.iter().position(|line| line.label.as_ref() == Some(name)),
    };
    let mut curves = Vec::new();
    for claim in experiment.claims.iter().filter(|claim| quantity(claim) == plot.quantity) {
        match &claim.measure {
            Measure::SpeedUp { than, part, .. } if *part == plot.part && place(than) == Some(plot.against) => {
                curves.extend(lines(experiment, claim, |value| value));
            }
            Measure::SpeedUp { line, part, .. } if *part == plot.part && place(line) == Some(plot.against) => {
                let inverse = lines(experiment, claim, f64::recip);
                curves.extend(inverse.map(|curve| Curve { name: format!("1 / ({})", curve.name), ..curve }));
            }
            Measure::SpeedUp { .. } => {}
            _ => curves.extend(lines(experiment, claim, |value| value)),
        }
    }
    number_variants(&mut curves);
    curves
}

/// The sizes that a paper states, in the chart of a record.
pub(super) fn stated_sizes(experiment: &Experiment, plot: PlotRequest) -> Vec<Crossing> {
    let is_of_part = |claim: &&Claim| matches!(&claim.measure, Measure::FasterFrom { part, .. } if *part == plot.part);
    let shows_times = matches!(plot.quantity, PlotQuantity::Time | PlotQuantity::SpeedUp);
    experiment.claims.iter().filter(is_of_part).filter(|_| shows_times).filter_map(|claim| size(experiment, claim)).collect()
}

/// The quantity that the values of a claim belong to.
fn quantity(claim: &Claim) -> PlotQuantity {
    match claim.measure {
        Measure::Transfers { .. } => PlotQuantity::Transfers,
        Measure::Rates { .. } => PlotQuantity::Flops,
        _ => PlotQuantity::SpeedUp,
    }
}

fn has_values(claim: &Claim) -> bool {
    claim.stated.as_ref().is_some_and(|stated| !stated.values.is_empty())
}

/// A line over all sizes of the paper for each value of a claim.
fn lines<'a>(experiment: &'a Experiment, claim: &'a Claim, at: impl Fn(f64) -> f64 + 'a) -> impl Iterator<Item = Curve> + 'a {
    let unit = if quantity(claim) == PlotQuantity::Transfers { "%" } else { "×" };
    claim.stated.iter().flat_map(|stated| stated.values.iter().map(move |value| (stated, *value))).map(move |(stated, value)| {
        let point = |x: f64| CurvePoint { x, y: at(value), interval: [at(value); 2], is_right: true };
        let name = format!("{} {unit}, paper: {}", number(value, 3), stated.of);
        let role = CurveRole::Stated;
        Curve { name, series: Series::Library, variant: 0, role, points: experiment.ends().map(point).to_vec() }
    })
}

/// Gives each line a colour and a dash of its own.
fn number_variants(curves: &mut [Curve]) {
    for (index, curve) in curves.iter_mut().filter(|curve| curve.role == CurveRole::Stated).enumerate() {
        (curve.series, curve.variant) = (Series::ALL[index % Series::ALL.len()], index);
    }
}

/// The mark of the size that a claim states.
fn size(experiment: &Experiment, claim: &Claim) -> Option<Crossing> {
    let stated = claim.stated.as_ref()?;
    let samples = f64::from(stated.from?).exp2();
    let text = format!("the paper: {} from {} on", stated.of, (sizes_axis().text)(samples));
    experiment.ends()[1].ge(&samples).then_some(Crossing { x: samples, y: None, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{SweepSettings, chart, experiment, papers};
    use crate::figure::Mark;
    use crate::plot::layout;

    #[test]
    fn a_figure_that_nothing_was_measured_for_has_the_numbers_of_its_paper() {
        let (paper, figure) = experiment("gajic-2011-fig-4a").unwrap();
        let chart = paper_chart(paper, figure);
        let values: Vec<f64> = chart.curves.iter().map(|curve| curve.points[0].y).collect();
        assert_eq!(values, [104.0, 78.0, 5.0, 3.7, 21.0, 1.0, 1.16, 1.19]);
        assert_eq!(chart.curves[0].points.iter().map(|point| point.x.log2()).collect::<Vec<_>>(), [10.0, 22.0]);
        assert_eq!(chart.curves[0].name, "104 ×, paper: GPU against CPU A, calculation");
        assert_eq!(chart.crossings[0].x, 262_144.0);
        let marks = layout(&chart, [900.0, 500.0], &[]).figure.marks;
        let is_written = |text: &str| marks.iter().any(|mark| matches!(mark, Mark::Text { text: other, .. } if other == text));
        assert!(is_written("104") && is_written("size (samples)") && is_written("times as fast (×)"));
    }

    #[test]
    fn an_axis_without_numbers_of_the_paper_has_none() {
        let (paper, figure) = experiment("sorman-2016-fig-6-1").unwrap();
        let chart = paper_chart(paper, figure);
        assert!(chart.curves.is_empty());
        let marks = layout(&chart, [900.0, 500.0], &[]).figure.marks;
        let texts: Vec<&String> =
            marks.iter().filter_map(|mark| if let Mark::Text { text, .. } = mark { Some(text) } else { None }).collect();
        assert!(texts.iter().any(|text| text.starts_with("the paper: the GPU is faster")), "{texts:?}");
        assert!(!texts.iter().any(|text| text.ends_with("µs") || text.ends_with("ms")), "no time is made up: {texts:?}");
        assert!(texts.iter().any(|text| **text == (chart.x.text)(65_536.0)), "{texts:?}");
    }

    #[test]
    fn numbers_of_a_claim_are_those_of_its_sentence() {
        for claim in papers().iter().flat_map(|paper| &paper.experiments).flat_map(|experiment| &experiment.claims) {
            let Some(stated) = &claim.stated else { continue };
            let sentence = claim.says.replace("as long as", "1");
            let numbers: Vec<&str> =
                sentence.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_end_matches('.')).collect();
            let says = |value: f64| numbers.contains(&&*number(value, 3)) || numbers.contains(&&*number(1.0 / value, 3));
            assert!(stated.values.iter().all(|value| says(*value)), "{}: {stated:?}", claim.says);
            assert!(stated.from.is_none_or(|from| claim.says.contains(&from.to_string())), "{}: {stated:?}", claim.says);
        }
    }

    #[test]
    fn measured_curves_join_the_lines_of_the_paper() {
        let (_, figure) = experiment("gajic-2011-fig-4a").unwrap();
        let record = Record::begun(0, figure.sweep(&figure.shapes(12), &[], SweepSettings::default()));
        let stated = |against: usize, part: TimedPart| {
            let chart = chart(&record, None, PlotRequest { part, against, ..figure.first_plot() });
            chart.curves.iter().filter(|curve| curve.role == CurveRole::Stated).map(|curve| curve.points[0].y).collect::<Vec<_>>()
        };
        assert_eq!(stated(0, TimedPart::Kernels), [104.0, 21.0]);
        assert_eq!(stated(0, TimedPart::Total), [78.0]);
        assert_eq!(stated(1, TimedPart::Kernels), [5.0, 1.0 / 21.0]);
        let times = chart(&record, None, PlotRequest::default());
        assert!(times.curves.iter().all(|curve| curve.role != CurveRole::Stated), "factors are no times");
    }
}

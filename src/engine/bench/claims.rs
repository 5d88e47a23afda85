//! The claims of a paper, tested with a record: beside its sentence is what this machine measured, or why it cannot tell.

use super::comparison::{Filler, micros, size_text};
use super::experiments::{Experiment, LineName, Measure, Pick, is_measured_by};
use super::{CaseFigures, Measurement, PlotQuantity, Record, TimedPart};
use crate::engine::DeviceChoice;
use crate::gpu::AdapterInfo;
use crate::numerals::number;
use crate::transforms::Shape;

/// A claim, and what a record says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestedClaim {
    /// The sentence of the paper, in our words.
    pub says: String,
    /// The measurement here, or why nothing was measured.
    pub here: Result<String, String>,
}

impl TestedClaim {
    /// Both in one line.
    pub fn text(&self) -> String {
        match &self.here {
            Ok(here) => format!("the paper: {}; here {here}", self.says),
            Err(reason) => format!("the paper: {}; not tested here: {reason}", self.says),
        }
    }
}

/// The claims of an experiment, tested with a record of it.
pub fn tested_claims(experiment: &Experiment, record: Option<&Record>) -> Vec<TestedClaim> {
    let filler = Filler::new(experiment, record);
    let test = Test { experiment, record, filler };
    experiment.claims.iter().map(|claim| TestedClaim { says: claim.says.clone(), here: test.here(&claim.measure) }).collect()
}

struct Test<'a> {
    experiment: &'a Experiment,
    record: Option<&'a Record>,
    filler: Filler<'a>,
}

impl<'a> Test<'a> {
    fn here(&self, measure: &Measure) -> Result<String, String> {
        match measure {
            Measure::SpeedUp { line, than, part, pick } => self.speed_up(&self.pairs(line, than)?, *part, *pick),
            Measure::FasterFrom { line, than, part } => Ok(faster_from(&self.pairs(line, than)?, |of| self.time(of, *part))),
            Measure::Transfers { lines } => self.transfers(lines),
            Measure::Backends { line } => self.backends(*line),
            Measure::Spread { lines } => self.spread(lines),
            Measure::Fastest { lines } => self.fastest(lines),
            Measure::Rates { line } => self.rates(*line),
            Measure::Limits => self.limits(),
            Measure::Never(reason) => Err(reason.clone()),
        }
    }

    /// The index of a line.
    fn line(&self, name: &LineName, like: &LineName) -> Result<usize, String> {
        match (name, like) {
            (LineName::Index(index), _) => Ok(*index),
            (LineName::Added(name), LineName::Index(like)) => {
                let found = self.filler.added(name, &self.experiment.lines[*like]);
                found.ok_or_else(|| format!("no line is named {name}: a record of another program adds it"))
            }
            (LineName::Added(name), LineName::Added(_)) => Err(format!("{name} is compared with no line of this program")),
        }
    }

    /// The measurements of both lines at every size that has both, by size.
    fn pairs(&self, line: &LineName, than: &LineName) -> Result<Vec<(Shape, [&'a Measurement; 2])>, String> {
        let [line, than] = [self.line(line, than)?, self.line(than, line)?];
        let mut why = "nothing is measured yet".to_owned();
        let mut pairs = Vec::new();
        for size in self.filler.sizes() {
            match (self.filler.measured(line, size), self.filler.measured(than, size)) {
                (Ok(one), Ok(other)) => pairs.push((size, [one, other])),
                (Err(reason), _) => why = format!("{}: {reason}", self.filler.name(line)),
                (_, Err(reason)) => why = format!("{}: {reason}", self.filler.name(than)),
            }
        }
        if pairs.is_empty() { Err(why) } else { Ok(pairs) }
    }

    /// The time of a run in µs; of one row, where the experiment compares rows.
    fn time(&self, of: &Measurement, part: TimedPart) -> f64 {
        micros(of, part) / if self.experiment.plot == PlotQuantity::Row { of.shape.rows as f64 } else { 1.0 }
    }

    /// "61 × at 2^20", or the range over all sizes.
    fn speed_up(&self, pairs: &[(Shape, [&Measurement; 2])], part: TimedPart, pick: Pick) -> Result<String, String> {
        let ratio = |[one, other]: &[&Measurement; 2]| self.time(other, part) / self.time(one, part);
        let ratios: Vec<(Shape, f64)> = pairs.iter().map(|(size, both)| (*size, ratio(both))).collect();
        let ratios: Vec<(Shape, f64)> = ratios.into_iter().filter(|(_, ratio)| ratio.is_finite()).collect();
        let at = |(size, ratio): &(Shape, f64)| format!("{} × at {}", number(*ratio, 3), size_text(*size));
        let most = ratios.iter().max_by(|a, b| a.1.total_cmp(&b.1)).ok_or("the times are 0")?;
        let least = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("the times are 0")?;
        let named = |exponent| ratios.iter().find(|(size, _)| *size == self.experiment.shape(exponent));
        Ok(match pick {
            Pick::Most => at(most),
            Pick::Range if most == least => at(most),
            Pick::Range => format!("{} to {}", at(least), at(most)),
            Pick::Largest => at(&ratios[ratios.len() - 1]),
            Pick::At(exponent) => at(named(exponent).unwrap_or(&ratios[ratios.len() - 1])),
        })
    }

    /// "31 to 92 %".
    fn transfers(&self, lines: &[usize]) -> Result<String, String> {
        let mut why = "nothing is measured yet".to_owned();
        let mut shares = Vec::new();
        for (size, line) in self.filler.sizes().into_iter().flat_map(|size| lines.iter().map(move |line| (size, *line))) {
            match self.filler.measured(line, size) {
                Ok(measurement) => shares.push(100.0 * CaseFigures::of(measurement).share.transfers()),
                Err(reason) => why = format!("{}: {reason}", self.filler.name(line)),
            }
        }
        let ends = [shares.iter().copied().fold(f64::INFINITY, f64::min), shares.iter().copied().fold(0.0, f64::max)];
        if shares.is_empty() { Err(why) } else { Ok(format!("{} to {} %", number(ends[0], 2), number(ends[1], 2))) }
    }

    /// The times of the backends of one adapter over the fastest, at the largest size.
    fn backends(&self, line: usize) -> Result<String, String> {
        let record = self.record.ok_or("nothing is measured yet")?;
        let asked = &self.experiment.lines[line];
        let adapter_of = |device: &DeviceChoice| match device {
            DeviceChoice::Adapter(index) => record.machine.adapters.iter().find(|adapter| adapter.index.to_string() == *index),
            _ => record.machine.adapters.first(),
        };
        let same = record
            .sweep
            .lines
            .iter()
            .enumerate()
            .filter(|(_, ran)| is_measured_by(asked, ran) && matches!(ran.device, DeviceChoice::Gpu | DeviceChoice::Adapter(_)));
        let ran: Vec<_> = same.filter_map(|(index, ran)| Some((index, adapter_of(&ran.device)?))).collect();
        for size in self.filler.sizes().into_iter().rev() {
            let is_at = |m: &Measurement| self.experiment.size_of(&record.sweep.lines[m.line], m.shape) == size;
            let at = |index: usize| record.measurements.iter().find(|m| m.line == index && is_at(m) && m.is_right());
            let times: Vec<(String, &str, f64)> = ran
                .iter()
                .filter_map(|(index, adapter)| {
                    Some((adapter.kind.clone(), adapter.backend.as_str(), micros(at(*index)?, TimedPart::Kernels)))
                })
                .collect();
            let Some((kind, ..)) = times.first() else { continue };
            let of_one: Vec<_> = times.iter().filter(|(other, ..)| other == kind).collect();
            let best = of_one.iter().map(|(.., time)| *time).fold(f64::INFINITY, f64::min);
            if of_one.iter().any(|(_, backend, _)| *backend != of_one[0].1) {
                let each = of_one.iter().map(|(_, backend, time)| format!("{backend} {} ×", number(time / best, 3)));
                return Ok(format!("{} of the time of the fastest backend, at {}", each.collect::<Vec<_>>().join(", "), size_text(size)));
            }
        }
        let backends: Vec<&str> = ran.iter().map(|(_, adapter)| adapter.backend.as_str()).collect();
        match backends.first() {
            Some(only) => Err(format!("it takes two backends of one adapter, and this machine has {only} alone")),
            None => Err("it takes two backends of one adapter, and no GPU was measured".into()),
        }
    }

    /// The longest time over the shortest, at the largest size that has all.
    fn spread(&self, lines: &[usize]) -> Result<String, String> {
        let (size, times) = self.times(lines)?;
        let longest = times.iter().copied().fold(0.0, f64::max);
        Ok(format!("{} × at {}", number(longest / least(&times), 3), size_text(size)))
    }

    /// "512 threads, 1.2 × as fast as the slowest, at 2^20".
    fn fastest(&self, lines: &[usize]) -> Result<String, String> {
        let (size, times) = self.times(lines)?;
        let best = lines.iter().zip(&times).min_by(|a, b| a.1.total_cmp(b.1)).map(|(line, _)| self.filler.name(*line)).unwrap_or_default();
        let longest = times.iter().copied().fold(0.0, f64::max);
        Ok(format!("{best}, {} × as fast as the slowest, at {}", number(longest / least(&times), 3), size_text(size)))
    }

    /// "18.8 Gflop/s at 2^15, 50.1 at 2^27".
    fn rates(&self, line: usize) -> Result<String, String> {
        let (mut rates, mut why) = (Vec::new(), "nothing is measured yet".to_owned());
        for size in self.filler.sizes() {
            match self.filler.measured(line, size) {
                Ok(measurement) => rates.push((number(CaseFigures::of(measurement).gflop_per_sec, 3), size_text(size))),
                Err(reason) => why = format!("{}: {reason}", self.filler.name(line)),
            }
        }
        match &rates[..] {
            [] => Err(why),
            [(rate, size)] => Ok(format!("{rate} Gflop/s at {size}")),
            [(rate, size), .., (last_rate, last_size)] => Ok(format!("{rate} Gflop/s at {size}, {last_rate} at {last_size}")),
        }
    }

    /// "1024 threads and 32768 bytes (llvmpipe)".
    fn limits(&self) -> Result<String, String> {
        let adapters = &self.record.ok_or("nothing is measured yet")?.machine.adapters;
        let one = |adapter: &AdapterInfo| {
            format!("{} threads and {} bytes ({}, {})", adapter.max_invocations, adapter.workgroup_bytes, adapter.name, adapter.backend)
        };
        if adapters.is_empty() { Err("no GPU was measured".into()) } else { Ok(adapters.iter().map(one).collect::<Vec<_>>().join("; ")) }
    }

    /// The kernel times of lines in µs, at the largest size that has all.
    fn times(&self, lines: &[usize]) -> Result<(Shape, Vec<f64>), String> {
        let mut why = "nothing is measured yet".to_owned();
        for size in self.filler.sizes().into_iter().rev() {
            let times: Result<Vec<f64>, String> =
                lines.iter().map(|line| Ok(micros(self.filler.measured(*line, size)?, TimedPart::Kernels))).collect();
            match times {
                Ok(times) => return Ok((size, times)),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// "from 2^16 on", "at every size from 2^10 on" or "at no size up to 2^18".
fn faster_from(pairs: &[(Shape, [&Measurement; 2])], time: impl Fn(&Measurement) -> f64) -> String {
    let is_faster = |(_, [one, other]): &(Shape, [&Measurement; 2])| time(one) < time(other);
    let first = pairs.iter().rposition(|pair| !is_faster(pair)).map_or(0, |last| last + 1);
    match pairs.get(first) {
        Some((size, _)) if first == 0 => format!("at every size from {} on", size_text(*size)),
        Some((size, _)) => format!("from {} on", size_text(*size)),
        None => format!("at no size up to {}", pairs.last().map_or_else(String::new, |(size, _)| size_text(*size))),
    }
}

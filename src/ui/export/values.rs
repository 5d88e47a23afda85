//! The values of a result as a table: index, frequency or position with its unit, and the settings as comments.

use crate::engine::{Devices, Job, Outcome, Store};
use crate::plan::Direction;
use crate::signal::{Axis, AxisUnit, PixelSize, Samples, Sampling, SignalKind};
use crate::transforms::{Axes, Numbers, ResultIndex, Shape, Transform, transform};
use crate::ui::remedy::in_words;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

/// The scale of the axes as it is set in the window.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ValueScale {
    /// When or where the samples of a row were taken.
    pub axis: Option<Axis>,
    /// The size of a pixel of an image.
    pub pixel: Option<PixelSize>,
}

/// The meaning of an index along one axis of a result.
struct IndexAxis {
    /// Name and unit of the value of an index; `None` where the index says all.
    name: Option<String>,
    /// The value of index 0, and values per index.
    first: f64,
    step: f64,
    /// Above this index frequencies are negative; they repeat after `period`.
    half: usize,
    period: usize,
    /// Name and unit of the period of a frequency, where the axis has frequencies.
    period_name: Option<String>,
}

impl IndexAxis {
    /// The axis along the rows or the columns of a result.
    fn of(job: &Job, ValueScale { axis, pixel }: &ValueScale, outcome: &Outcome, row: &Transform, along_rows: bool) -> Self {
        let (signal, shape) = (&job.signal, outcome.shape);
        let n = if along_rows { shape.columns } else { shape.rows };
        let plain = |name: Option<String>, step: f64| Self { name, first: 0.0, step, half: usize::MAX, period: n, period_name: None };
        let is_transformed = if along_rows { outcome.axes.along_rows() } else { outcome.axes.along_columns() };
        // Only the samples of one line follow each other in time.
        let axis = axis.as_ref();
        let sampling = match *pixel {
            Some(PixelSize { width, height, unit }) => {
                Some(Sampling { per_unit: 1.0 / if along_rows { width } else { height }, unit: AxisUnit::Length(unit) })
            }
            None => axis.and_then(Axis::sampling).filter(|_| along_rows == outcome.axes.along_rows()),
        };
        let is_forward = outcome.parameters.direction == Direction::Forward;
        match (row.index, sampling) {
            _ if !is_transformed => plain(None, 1.0),
            (ResultIndex::Frequency, _) if is_forward => {
                let is_half = row.gives == Numbers::HalfSpectrum && (along_rows || outcome.axes == Axes::Columns);
                let period = match (is_half, along_rows) {
                    (true, true) => job.shape().columns,
                    (true, false) => job.shape().rows,
                    (false, _) => n,
                };
                let unit = match (sampling, signal.kind) {
                    (Some(sampling), _) => sampling.frequency(),
                    (None, SignalKind::Image) => "cycles per pixel",
                    (None, SignalKind::Rows) => "cycles per sample",
                };
                let half = if is_half { usize::MAX } else { (period - 1) / 2 };
                let of_period =
                    sampling.map_or_else(|| format!("{}s", unit.trim_start_matches("cycles per ")), |sampling| sampling.unit().to_owned());
                Self {
                    name: Some(format!("frequency ({unit})")),
                    first: 0.0,
                    period_name: Some(if of_period.is_empty() { "period".to_owned() } else { format!("period ({of_period})") }),
                    step: sampling.map_or(1.0, |sampling| sampling.per_unit) / period as f64,
                    half,
                    period,
                }
            }
            (ResultIndex::Lag(name), Some(sampling)) if is_forward => {
                plain(Some(format!("{name} ({})", sampling.unit())), 1.0 / sampling.per_unit)
            }
            (_, Some(sampling)) if !is_forward => {
                let name = axis.map_or_else(|| Axis::new("", sampling).label(), Axis::label);
                Self { first: axis.map_or(0.0, |axis| axis.start), ..plain(Some(name), 1.0 / sampling.per_unit) }
            }
            _ => plain(None, 1.0),
        }
    }

    /// The value of an index.
    fn value(&self, index: usize) -> f64 {
        let signed = if index > self.half { index as f64 - self.period as f64 } else { index as f64 };
        self.first + signed * self.step
    }

    /// The period of an index; empty for frequency 0, which has none.
    fn period(&self, index: usize) -> String {
        let period = self.value(index).abs().recip();
        if period.is_finite() { period.to_string() } else { String::new() }
    }
}

/// The table of a job, whose result is looked for in a store; an error is one line.
pub(super) fn table(job: &Job, store: &Store, scale: &ValueScale) -> Result<String, String> {
    let row = transform(job.transform).map_err(|error| error.to_string())?;
    let result = store.result(job, &mut Devices::default(), &AtomicBool::new(false)).map_err(|error| in_words(&error))?;
    let outcome = result.outcome.clone();
    let samples = result.into_samples();
    let axes = [false, true].map(|along_rows| IndexAxis::of(job, scale, &outcome, row, along_rows));
    let mut text = comments(job, &outcome, row);
    let is_line = outcome.shape.rows == 1;
    let mut head: Vec<String> = if is_line { vec!["index".into()] } else { vec!["row".into(), "column".into()] };
    let named = axes.iter().zip([" along y", " along x"]).skip(usize::from(is_line));
    head.extend(named.filter_map(|(axis, along)| {
        axis.name.as_ref().map(|name| if is_line { name.clone() } else { name.replacen(" (", &format!("{along} ("), 1) })
    }));
    // A wave of an image has one period, but two frequencies.
    let periods = axes.iter().position(|axis| axis.period_name.is_some()).filter(|_| axes.iter().any(|axis| axis.period_name.is_none()));
    head.extend(periods.and_then(|along| axes[along].period_name.clone()));
    head.extend(if samples.is_complex() { vec!["real".to_owned(), "imaginary".to_owned()] } else { vec!["value".to_owned()] });
    writeln!(text, "{}", head.join(",")).expect("a String takes any text");
    for index in 0..outcome.shape.len() {
        let at = [index / outcome.shape.columns, index % outcome.shape.columns];
        let mut fields: Vec<String> = at.iter().skip(usize::from(is_line)).map(usize::to_string).collect();
        let values = axes.iter().zip(at).skip(usize::from(is_line)).filter(|(axis, _)| axis.name.is_some());
        fields.extend(values.map(|(axis, index)| axis.value(index).to_string()));
        fields.extend(periods.map(|along| axes[along].period(at[along])));
        fields.extend(numbers(&samples, index));
        writeln!(text, "{}", fields.join(",")).expect("a String takes any text");
    }
    Ok(text)
}

/// The settings, a comment each.
fn comments(job: &Job, outcome: &Outcome, row: &Transform) -> String {
    let direction = outcome.parameters.direction;
    let precision = format!("{:?}", outcome.precision).to_lowercase();
    let lines = [
        ("transform", format!("{} ({})", row.name, if direction == Direction::Forward { "forward" } else { "inverse" })),
        ("formula", row.formula_of(direction).into_owned()),
        ("algorithm", outcome.algorithm.to_owned()),
        ("device", format!("{}, {precision} precision", outcome.device)),
        ("signal", format!("{}: {}", job.signal.name, job.signal.description())),
        ("channel", job.signal.channel_name(job.channel)),
        ("preparation", outcome.preparation.map_or("none".to_owned(), |facts| facts.steps().join("; "))),
        ("size", size(job.signal.kind, outcome.shape)),
    ];
    lines.into_iter().map(|(name, value)| format!("# {name}: {}\n", value.replace(['\n', '\r'], " "))).collect()
}

/// The size of a result as people write it: width × height of an image, the number of values of a signal.
fn size(kind: SignalKind, Shape { rows, columns }: Shape) -> String {
    match (kind, rows) {
        (SignalKind::Image, _) => format!("{columns} × {rows} px"),
        (SignalKind::Rows, 1) => format!("{columns} values"),
        (SignalKind::Rows, _) => format!("{rows} rows of {columns} values"),
    }
}

/// The real and the imaginary part of a complex sample, or the number of another one, with all digits.
fn numbers(samples: &Samples, index: usize) -> Vec<String> {
    match samples {
        Samples::U8(values) => vec![values[index].to_string()],
        Samples::U16(values) => vec![values[index].to_string()],
        Samples::I32(values) => vec![values[index].to_string()],
        Samples::I64(values) => vec![values[index].to_string()],
        // The sum with 0 is the same number, and 0 for −0.
        Samples::F32(values) => vec![(values[index] + 0.0).to_string()],
        Samples::F64(values) => vec![(values[index] + 0.0).to_string()],
        Samples::Complex32(values) => [values[index].re, values[index].im].map(|part| (part + 0.0).to_string()).to_vec(),
        Samples::Complex64(values) => [values[index].re, values[index].im].map(|part| (part + 0.0).to_string()).to_vec(),
        Samples::Pcm(values) => {
            let value = values.value(index).unwrap_or_default();
            [value.re, value.im].iter().take(1 + usize::from(values.is_complex())).map(f64::to_string).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::DeviceChoice;
    use crate::signal::{Channel, ChannelChoice, Signal};

    use std::sync::Arc;

    fn job(signal: Signal, transform: &'static str) -> Job {
        Job { device: DeviceChoice::CpuParallel, ..Job::new(Arc::new(signal), transform) }
    }

    /// The lines without comments.
    fn rows(text: &str) -> Vec<&str> {
        text.lines().filter(|line| !line.starts_with('#')).collect()
    }

    #[test]
    fn a_recording_has_frequencies_in_hertz_and_its_settings() {
        let signal = Signal::row("tone.wav", Samples::F32(vec![1.0, 0.0, -1.0, 0.0]));
        let scale = ValueScale { axis: Some(Axis::of_rate(8000.0)), pixel: None };
        let text = table(&job(signal.clone(), "dft"), &Store::default(), &scale).unwrap();
        assert_eq!(rows(&text)[0], "index,frequency (Hz),period (s),real,imaginary");
        let column = |index: usize| rows(&text)[1..].iter().map(|row| row.split(',').nth(index).unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(column(1), ["0", "2000", "-4000", "-2000"]);
        assert_eq!(column(2), ["", "0.0005", "0.00025", "0.0005"], "frequency 0 has no period");
        for words in ["# transform: dft (forward)", "# formula: X[k]", "# signal: tone.wav: 4 samples", "# size: 4 values\n"] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        let scale = ValueScale { axis: "0.5 mm".parse().ok().map(|sampling| Axis::new("", sampling)), pixel: None };
        let text = table(&job(signal.clone(), "dft"), &Store::default(), &scale).unwrap();
        assert_eq!(rows(&text)[..3], ["index,frequency (cycles per mm),period (mm),real,imaginary", "0,0,,0,0", "1,0.5,2,2,0"]);
        assert_eq!(rows(&table(&job(signal.clone(), "rdft"), &Store::default(), &scale).unwrap()).len(), 4, "a head and three frequencies");
        let monthly = ValueScale {
            axis: "12 per year".parse().ok().map(|sampling| Axis { start: 1990.0, ..Axis::new("YEAR", sampling) }),
            pixel: None,
        };
        let text = table(&job(signal.clone(), "dft"), &Store::default(), &monthly).unwrap();
        assert_eq!(rows(&text)[..3], ["index,frequency (1/year),period (years),real,imaginary", "0,0,,0,0", "1,3,0.3333333333333333,2,0"]);
        let text = table(&job(signal.clone(), "dft"), &Store::default(), &ValueScale::default()).unwrap();
        assert_eq!(rows(&text)[2], "1,0.25,4,2,0", "periods in samples");
        let mut back = job(signal, "dft");
        back.parameters.direction = Direction::Inverse;
        let text = table(&back, &Store::default(), &monthly).unwrap();
        assert!(rows(&text)[0].starts_with("index,YEAR (years),") && rows(&text)[1].starts_with("0,1990,"), "{text}");
    }

    #[test]
    fn the_channel_has_the_name_of_its_column() {
        let column = |name: &str| Channel::new(name, Samples::F32(vec![1.0, 0.0, -1.0, 0.0]));
        let signal = Signal::from_channels("log.csv", SignalKind::Rows, (1, 4), vec![column("voltage"), column("current")]);
        let named = |channel| table(&Job { channel, ..job(signal.clone(), "dft") }, &Store::default(), &ValueScale::default()).unwrap();
        assert!(named(ChannelChoice::default()).contains("# channel: voltage\n"));
        assert!(named(ChannelChoice::Channel(1)).contains("# channel: current\n"));
        let colours = ["red", "green", "blue"].map(|name| Channel::new(name, Samples::U8(vec![0, 1, 2, 3])));
        let photo = Signal::from_channels("a.png", SignalKind::Image, (2, 2), colours.into());
        assert!(table(&job(photo, "dft2"), &Store::default(), &ValueScale::default()).unwrap().contains("# channel: luminance\n"));
    }

    #[test]
    fn an_image_has_a_frequency_along_each_axis_and_integers_stay_exact() {
        let gray = vec![Channel::new("gray", Samples::U8(vec![0, 1, 2, 3, 4, 5, 6, 7]))];
        let signal = Signal::from_channels("a.png", SignalKind::Image, (2, 4), gray);
        let text = table(&job(signal.clone(), "dft2"), &Store::default(), &ValueScale::default()).unwrap();
        assert_eq!(rows(&text)[0], "row,column,frequency along y (cycles per pixel),frequency along x (cycles per pixel),real,imaginary");
        assert!(rows(&text)[8].starts_with("1,3,-0.5,-0.25,") && text.contains("# size: 4 × 2 px\n"), "{text}");
        let pixel = "0.5 x 0.25 nm".parse().ok();
        let sized = table(&job(signal.clone(), "dft2"), &Store::default(), &ValueScale { axis: None, pixel }).unwrap();
        assert!(rows(&sized)[0].contains("frequency along x (cycles per nm)") && rows(&sized)[8].starts_with("1,3,-2,-0.5,"), "{sized}");
        let walsh = table(&job(signal, "walsh2"), &Store::default(), &ValueScale::default()).unwrap();
        assert_eq!(rows(&walsh)[..2], ["row,column,value", "0,0,28"]);
    }
}

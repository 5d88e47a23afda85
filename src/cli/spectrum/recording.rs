//! `papillon spectrum` of a recording: one transform of the selection, or the average of its frames.

use super::super::arguments::{ComputeArguments, one_of};
use super::super::preparation::PreparationArguments;
use super::super::signals::{
    Figures, LengthArguments, LevelArguments, LookArguments, Recording, SelectArguments, Table, ValueFormat, frame_facts, frames, measured,
    picture_format, precision, with_figures, write_picture,
};
use super::super::{Failure, say};
use crate::numerals::{counted, number};
use crate::plan::Precision;
use crate::plot::AxisScale;
use crate::spectra::{Average, Averaged, Frames, FrequencyScale, Legend, Quantity, Reference, averaged, spectrum_figure};
use clap::Args;
use std::path::Path;

/// The options of the spectrum of a recording.
#[derive(Debug, Args)]
pub(crate) struct RecordingArguments {
    #[command(flatten)]
    pub(super) select: SelectArguments,
    #[command(flatten)]
    pub(super) level: LevelArguments,
    #[command(flatten)]
    pub(super) length: LengthArguments,
    /// How the frames of a recording become one spectrum: mean (Welch), median, max or min of their power [default: mean, with a --length or an --overlap].
    #[arg(long, value_name = "HOW", value_parser = one_of::<Average>(), ignore_case = true)]
    pub(super) average: Option<Average>,
    /// The quantity of a recording: magnitude, amplitude (the peak of a sine), rms, power, density (power in 1 Hz), density-root or phase [default: amplitude; power in pictures].
    #[arg(long, value_name = "QUANTITY", value_parser = one_of::<Quantity>(), ignore_case = true)]
    pub(super) quantity: Option<Quantity>,
    /// Writes the values of a recording in decibels.
    #[arg(long)]
    pub(super) db: bool,
    #[command(flatten)]
    pub(super) look: LookArguments,
    #[arg(long, value_name = "FORMAT", help = format!("The format of a recording's spectrum on standard output: one of {} [default: csv]", endings().join(", ")))]
    pub(super) format: Option<String>,
}

impl RecordingArguments {
    /// The options that images do not have.
    pub(super) fn given(&self) -> [(&'static str, bool); 14] {
        let [from, to, rate] = self.select.given();
        let [full_scale, reference] = self.level.given();
        let [range, frequency_axis, size] = self.look.given();
        [
            from,
            to,
            rate,
            full_scale,
            reference,
            ("length", self.length.length.is_some()),
            ("overlap", self.length.overlap.is_some()),
            ("average", self.average.is_some()),
            ("quantity", self.quantity.is_some()),
            ("db", self.db),
            range,
            frequency_axis,
            size,
            ("format", self.format.is_some()),
        ]
    }

    /// The quantity that is written or drawn.
    ///
    /// # Errors
    /// If an option has no meaning for it.
    fn quantity(&self, is_picture: bool) -> Result<Quantity, Failure> {
        self.look.check(is_picture)?;
        let refused = |words: &str| Err(Failure::Call(words.into()));
        let quantity = self.quantity.unwrap_or(if is_picture { Quantity::Power } else { Quantity::Amplitude });
        match () {
            () if is_picture && self.db => refused("a picture shows decibels already: leave --db out"),
            () if quantity == Quantity::Phase && self.look.range.is_some() => refused("a phase goes from −π to π: leave --range out"),
            () if quantity == Quantity::Phase && self.db => refused("a phase has no decibels: leave --db out"),
            () => Ok(quantity),
        }
    }

    /// The frames of a selection: averaged ones on request, else one of all samples.
    fn frames(&self, samples: usize, preparation: &PreparationArguments) -> Result<Frames, Failure> {
        let usual = Frames::default().length;
        if self.length.length.is_none() && samples < usual && (self.length.overlap.is_some() || self.average.is_some()) {
            return Err(Failure::Call(format!(
                "--overlap and --average take frames of {usual} samples, and the selection has {samples}: say a shorter --length"
            )));
        }
        let is_averaged = self.length.length.is_some() || self.length.overlap.is_some() || self.average.is_some();
        let usual = if is_averaged { Frames::default() } else { Frames::whole(samples) };
        frames(usual, &self.length, (preparation.window, preparation.pad, preparation.detrend))
    }
}

/// Writes the spectrum of a recording.
pub(super) fn run(
    arguments: &RecordingArguments,
    preparation: &PreparationArguments,
    compute: &ComputeArguments,
    (recording, to): (&Recording, &Path),
) -> Result<(), Failure> {
    let format = ValueFormat::of(to, arguments.format.as_deref(), &endings())?;
    let picture = picture_format(format);
    let quantity = arguments.quantity(picture.is_some())?;
    recording.say_channel();
    let frames = arguments.frames(recording.samples.len(), preparation)?;
    let precision = precision(compute, &[recording.track()?]);
    let average = arguments.average.unwrap_or_default();
    let about = format!("computing the spectrum of {}", recording.signal.name);
    let found = measured(&[recording], frames, (compute, precision), about, |job| {
        job.check()?;
        if quantity == Quantity::Phase && job.count() > 1 {
            let why = "an average has no phase: leave --length, --overlap and --average out for one transform";
            return Err(Failure::Call(why.into()).into());
        }
        Ok(averaged(job, average)?)
    })?;
    let reference = arguments.level.of(recording);
    let facts = facts(recording, &found, &reference, quantity);
    let in_decibels = arguments.db || picture.is_some() && quantity != Quantity::Phase;
    let values = values(&found, &reference, quantity, in_decibels);
    let unit = recording.signal.channel(recording.channel).and_then(|channel| channel.unit.clone());
    let unit = if in_decibels {
        reference.label(quantity, recording.rate.frequency())
    } else {
        quantity.unit(unit.as_deref(), recording.rate.frequency())
    };
    if let Some(format) = picture {
        draw((to, format), &arguments.look, recording, &found, (quantity, &values, &unit), &facts)?;
    } else {
        let frequencies: Vec<f64> = found.frequencies().map(|(frequency, _)| frequency).collect();
        let facts =
            [facts, vec![("value", format!("{} in {unit}", quantity.title())), ("frequency", recording.rate.frequency().into())]].concat();
        Table { facts: &facts, columns: &[("frequency", &frequencies), ("value", &values)], double: precision == Precision::Double }
            .write(to, format)?;
    }
    tell(recording, &found, (&reference, quantity, precision));
    Ok(())
}

/// The endings of the files of a recording's spectrum.
pub(super) fn endings() -> Vec<&'static str> {
    with_figures(&["csv", "json", "npy"])
}

/// A quantity in its unit, or in decibels.
fn values(found: &Averaged, reference: &Reference, quantity: Quantity, in_decibels: bool) -> Vec<f64> {
    let mut values = found.values(quantity);
    if in_decibels {
        values.iter_mut().for_each(|value| *value = reference.decibels(*value, quantity, &found.calibration));
    }
    values
}

/// The settings that the values depend on.
fn facts(recording: &Recording, found: &Averaged, reference: &Reference, quantity: Quantity) -> Figures {
    let own = vec![
        ("averages", if found.count == 1 { "1".to_owned() } else { format!("{}, {}", found.count, found.average) }),
        ("reference", reference.label(quantity, recording.rate.frequency())),
        ("band", {
            let mut frequencies = found.frequencies().map(|(frequency, _)| frequency);
            let low = frequencies.next().unwrap_or(0.0);
            format!("{low}..{} {}", frequencies.last().unwrap_or(low), recording.rate.frequency())
        }),
    ];
    [recording.facts(), frame_facts(&found.frames, &found.calibration, recording.rate), own].concat()
}

/// Says how the spectrum was made.
fn tell(recording: &Recording, found: &Averaged, (reference, quantity, precision): (&Reference, Quantity, Precision)) {
    let unit = recording.rate.frequency();
    let averages =
        if found.count == 1 { "1 frame".to_owned() } else { format!("the {} of {}", found.average, counted(found.count, "frame")) };
    say(&format!(
        "{} of {averages} of {}, {} window: bins every {} {unit}, noise bandwidth {} {unit}, {} precision; decibels are {}",
        quantity.title().to_lowercase(),
        counted(found.frames.length, "sample"),
        found.frames.window,
        number(found.calibration.step(), 6),
        number(found.calibration.noise_bandwidth(), 6),
        precision,
        reference.label(quantity, unit)
    ));
    if found.skipped > 0 {
        say(&format!("{} with samples that are infinite or not a number do not count", counted(found.skipped, "frame")));
    }
    if found.replaced > 0 {
        say(&format!("{}: what is removed stands in for each", counted(found.replaced, "infinite or NaN sample")));
    }
    if found.average == Average::Median && found.count > 1 {
        say("the median of the power of noise is 0.70 of its mean over many frames; it is not divided out");
    }
}

/// Draws the spectrum.
fn draw(
    (to, format): (&Path, crate::figure::FigureFormat),
    look: &LookArguments,
    recording: &Recording,
    found: &Averaged,
    (quantity, values, unit): (Quantity, &[f64], &str),
    facts: &Figures,
) -> Result<(), Failure> {
    /// Decibels above the largest value.
    const ABOVE: f64 = 3.0;
    let scale = look.spectrum_axis(found.calibration.is_complex)?;
    // The value at frequency 0 has no place on a logarithmic axis.
    let shown = || found.frequencies().zip(values).filter(|((frequency, _), _)| scale == FrequencyScale::Linear || *frequency > 0.0);
    let largest = shown().map(|(_, value)| *value).filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
    let range = match quantity {
        Quantity::Phase => [-std::f64::consts::PI, std::f64::consts::PI],
        _ => look.levels(if largest.is_finite() { largest } else { 0.0 }, ABOVE),
    };
    let settings: Vec<String> = facts.iter().skip(1).map(|(name, text)| format!("{name} {text}")).collect();
    let legend = Legend {
        title: format!("{} of {}", quantity.title(), recording.signal.name),
        settings: settings.join("; "),
        across: format!("Frequency ({})", recording.rate.frequency()),
        up: format!("{} ({unit})", quantity.title()),
        values: String::new(),
    };
    let points: Vec<[f64; 2]> = shown().map(|((frequency, _), value)| [frequency, *value]).collect();
    let figure = spectrum_figure(look.size(), &legend, &points, (scale, AxisScale::Linear, range));
    write_picture(to, &figure, format)
}

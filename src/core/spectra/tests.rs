//! Measures against their definitions as double loops, and against signals of known tones, noise and delays.

use super::*;
use crate::prepare::{Detrend, Window, Windowing};
use crate::random::{random_bits, unit};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use num_complex::Complex64;
use std::f64::consts::{PI, TAU};
use std::sync::atomic::AtomicBool;

fn signal(channels: Vec<Samples>) -> Signal {
    let n = channels[0].len();
    let channels = channels.into_iter().map(|samples| Channel::new("x", samples)).collect();
    Signal::from_channels("test", SignalKind::Rows, (1, n), channels)
}

fn job<'a>(signal: &'a Signal, choices: &[ChannelChoice], frames: Frames, rate: f64, cancel: &'a AtomicBool) -> SpectraJob<'a> {
    let tracks = choices.iter().map(|choice| signal.track(*choice).expect("it has the channel")).collect();
    SpectraJob::new(tracks, 0..signal.columns, frames, rate, cancel)
}

/// Noise of mean 0 and variance 1, about normal.
fn noise(seed: u64, n: usize) -> Vec<f64> {
    let draw = |index: usize| (0..12).map(|k| unit(random_bits(seed << 40 | (index as u64) << 4 | k))).sum::<f64>() - 6.0;
    (0..n).map(draw).collect()
}

fn sine(n: usize, cycles: f64, amplitude: f64, phase: f64) -> Vec<f64> {
    (0..n).map(|index| amplitude * (TAU * cycles * index as f64 + phase).cos()).collect()
}

/// The DFT by its definition.
fn dft(values: &[Complex64], points: usize) -> Vec<Complex64> {
    let term = |k: usize, n: usize| values[n] * Complex64::from_polar(1.0, -TAU * ((k * n) % points) as f64 / points as f64);
    (0..points).map(|k| (0..values.len()).map(|n| term(k, n)).sum()).collect()
}

#[test]
fn averages_are_those_of_the_definition() {
    let (n, length, hop, points, rate) = (70, 16, 5, 24, 10.0);
    let (re, im) = (noise(1, n), noise(2, n));
    let frames = Frames { hop, points, ..Frames::new(length, Overlap::Samples(0)) };
    let cancel = AtomicBool::new(false);
    let weight = |index: usize| 0.5 - 0.5 * (TAU * index as f64 / length as f64).cos();
    let squares: f64 = (0..length).map(|index| weight(index).powi(2)).sum();
    for is_complex in [false, true] {
        let sample = |index: usize| Complex64::new(re[index], if is_complex { im[index] } else { 0.0 });
        let signal =
            signal(if is_complex { vec![Samples::F64(re.clone()), Samples::F64(im.clone())] } else { vec![Samples::F64(re.clone())] });
        let choice = if is_complex { ChannelChoice::Iq } else { ChannelChoice::Luma };
        let spectra: Vec<Vec<Complex64>> = (0..=(n - length) / hop)
            .map(|m| dft(&(0..length).map(|i| sample(m * hop + i) * weight(i)).collect::<Vec<_>>(), points))
            .collect();
        let bins = if is_complex { points } else { points / 2 + 1 };
        for average in <Average as crate::choice::Named>::ALL {
            let found = averaged(&job(&signal, &[choice], frames, rate, &cancel), *average).unwrap();
            let density = found.values(Quantity::Density);
            assert_eq!((found.count, density.len()), (spectra.len(), bins));
            for (place, (frequency, natural)) in found.frequencies().enumerate() {
                let mut powers: Vec<f64> = spectra.iter().map(|spectrum| spectrum[natural].norm_sqr()).collect();
                powers.sort_by(f64::total_cmp);
                let middle = powers.len() / 2;
                let power = match average {
                    Average::Mean => powers.iter().sum::<f64>() / powers.len() as f64,
                    Average::Median if powers.len() % 2 == 1 => powers[middle],
                    Average::Median => 0.5 * (powers[middle - 1] + powers[middle]),
                    Average::Max => powers[powers.len() - 1],
                    Average::Min => powers[0],
                };
                let sides = if is_complex || natural == 0 || 2 * natural == points { 1.0 } else { 2.0 };
                let expected = sides * power / (rate * squares);
                assert!((density[place] - expected).abs() < 1e-12 * expected, "{average} {frequency}: {} for {expected}", density[place]);
            }
        }
    }
}

#[test]
fn a_frame_without_its_line_is_that_of_the_definition() {
    let (length, points) = (12, 12);
    let values = noise(3, 40);
    let signal = signal(vec![Samples::F64(values.clone())]);
    let cancel = AtomicBool::new(false);
    let frames =
        Frames { hop: 7, points, detrend: Detrend::Plane, window: Window::None.into(), ..Frames::new(length, Overlap::Samples(0)) };
    let found =
        spectrogram::<f64>(&job(&signal, &[ChannelChoice::Luma], frames, 1.0, &cancel), Method::Plain, Quantity::Magnitude).unwrap();
    for (m, column) in found.columns.iter().enumerate() {
        let frame = &values[7 * m..][..length];
        let x = |i: usize| i as f64 - (length as f64 - 1.0) / 2.0;
        let mean = frame.iter().sum::<f64>() / length as f64;
        let slope = (0..length).map(|i| x(i) * frame[i]).sum::<f64>() / (0..length).map(|i| x(i) * x(i)).sum::<f64>();
        let spectrum = dft(&(0..length).map(|i| (frame[i] - mean - slope * x(i)).into()).collect::<Vec<_>>(), points);
        for (found, z) in column.iter().zip(spectrum) {
            assert!((found - z.norm()).abs() < 1e-12, "{m}: {found} for {}", z.norm());
        }
    }
}

#[test]
fn quantities_of_a_sine_are_those_of_the_table() {
    let (n, amplitude) = (240, 0.5);
    let signal = signal(vec![Samples::F64(sine(n, 20.0 / 240.0, amplitude, 0.3))]);
    let cancel = AtomicBool::new(false);
    let found = averaged(&job(&signal, &[ChannelChoice::Luma], Frames::whole(n), 1000.0, &cancel), Average::Mean).unwrap();
    for (quantity, expected, decibels) in [
        (Quantity::Magnitude, amplitude * n as f64 / 4.0, -6.0206),
        (Quantity::Amplitude, amplitude, -6.0206),
        (Quantity::Rms, amplitude / 2f64.sqrt(), -6.0206),
        (Quantity::Power, amplitude * amplitude / 2.0, -6.0206),
        (Quantity::Density, amplitude * amplitude / 2.0 / (1.5 * 1000.0 / n as f64), -6.0206 - 7.9588),
        (Quantity::Phase, 0.3, f64::NAN),
    ] {
        let value = found.values(quantity)[20];
        assert!((value - expected).abs() < 1e-12, "{quantity}: {value} for {expected}");
        let level = Reference::FullScale(1.0).decibels(value, quantity, &found.calibration);
        assert!(decibels.is_nan() || (level - decibels).abs() < 1e-3, "{quantity}: {level} dB for {decibels}");
    }
    let volts = Reference::Value(1.0, Some("V".into()));
    assert!((volts.decibels(0.125, Quantity::Power, &found.calibration) + 9.031).abs() < 1e-3);
    assert_eq!(volts.decibels(0.0, Quantity::Power, &found.calibration), f64::NEG_INFINITY);
    assert!((found.calibration.noise_bandwidth() - 1.5 * 1000.0 / 240.0).abs() < 1e-12);
}

#[test]
fn sines_are_exact_between_the_values() {
    let (n, rate) = (4801, 48_000.0);
    let cancel = AtomicBool::new(false);
    // Cycles in the selection, amplitude, phase.
    for tones in [
        vec![(100.37, 0.5, 0.7)],
        vec![(2.6, 0.5, -2.0)],
        vec![(2399.3, 0.9, 1.0)],
        vec![(700.0, 0.1, 0.0)],
        vec![(1000.5, 0.5, 0.1), (1012.2, 0.4, 3.0), (40.25, 1e-4, -1.0), (2000.9, 1e-6, 2.0)],
    ] {
        let mut values = vec![0.3; n];
        for (cycles, amplitude, phase) in &tones {
            let wave = sine(n, cycles / n as f64, *amplitude, *phase);
            values.iter_mut().zip(wave).for_each(|(sum, value)| *sum += value);
        }
        let signal = signal(vec![Samples::F64(values)]);
        let found = tone_peaks(&job(&signal, &[ChannelChoice::Luma], Frames::whole(n), rate, &cancel), 10).unwrap();
        assert_eq!(found.len(), tones.len(), "{tones:?}: {found:?}");
        for (peak, (cycles, amplitude, phase)) in found.iter().zip(&tones) {
            let steps = peak.frequency * n as f64 / rate - cycles;
            let level = 20.0 * (peak.amplitude / amplitude).log10();
            let turned = (peak.phase - phase + PI).rem_euclid(TAU) - PI;
            assert!(
                steps.abs() < 1e-3 && level.abs() < 1e-3 && turned.abs() < 1e-2,
                "{tones:?}: {steps} steps, {level} dB, {turned} rad: {peak:?}"
            );
            if tones.len() == 1 && *cycles > 10.0 && *cycles < 2000.0 {
                assert!((peak.width * n as f64 / rate - 1.44).abs() < 0.02, "{peak:?}");
            }
        }
    }
}

#[test]
fn noise_and_silence_have_no_peaks() {
    let cancel = AtomicBool::new(false);
    for values in [noise(5, 20_000), vec![0.0; 1000], vec![0.7; 1000]] {
        let signal = signal(vec![Samples::F64(values)]);
        let found = tone_peaks(&job(&signal, &[ChannelChoice::Luma], Frames::whole(1), 1.0, &cancel), 10).unwrap();
        assert_eq!(found, []);
    }
}

#[test]
fn a_complex_tone_is_found_on_its_side() {
    let (n, cancel) = (1000, AtomicBool::new(false));
    let wave = |index: usize| Complex64::from_polar(0.25, -TAU * 123.4 * index as f64 / 1000.0 + 0.5);
    let signal = signal(vec![Samples::Complex64((0..n).map(wave).collect())]);
    let found = tone_peaks(&job(&signal, &[ChannelChoice::Luma], Frames::whole(n), 1000.0, &cancel), 10).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].frequency + 123.4).abs() < 1e-3 && (found[0].amplitude - 0.25).abs() < 1e-5 && (found[0].phase - 0.5).abs() < 1e-3);
}

#[test]
fn a_tone_has_the_distortion_and_the_noise_that_it_was_made_with() {
    let (n, rate, cancel) = (48_000, 48_000.0, AtomicBool::new(false));
    let (at, amplitude, deviation) = (997.3, 0.5, 1e-4);
    let harmonics = [(2.0, 1e-3), (3.0, 5e-4), (7.0, 1e-4)];
    let mut values = sine(n, at / rate, amplitude, 0.4);
    for (times, level) in harmonics {
        let wave = sine(n, times * at / rate, level, 1.0);
        values.iter_mut().zip(wave).for_each(|(sum, value)| *sum += value);
    }
    values.iter_mut().zip(noise(9, n)).for_each(|(sum, value)| *sum += deviation * value + 0.01 / n as f64);
    let signal = signal(vec![Samples::F64(values)]);
    let job = job(&signal, &[ChannelChoice::Luma], Frames::whole(n), rate, &cancel);
    let found = tone(&job, ToneRequest::default()).unwrap();
    let power = amplitude * amplitude / 2.0;
    let distortion: f64 = harmonics.iter().map(|(_, level)| level * level / 2.0).sum();
    let decibels = |ratio: f64| 10.0 * ratio.log10();
    let noise = deviation * deviation;
    for (name, value, expected, within) in [
        ("frequency", found.frequency, at, 1e-3),
        ("amplitude", decibels(found.amplitude.powi(2) / amplitude.powi(2)), 0.0, 1e-3),
        ("thd", found.thd, decibels(distortion / power), 0.02),
        ("snr", found.snr, decibels(power / noise), 0.15),
        ("sinad", found.sinad, decibels(power / (noise + distortion)), 0.05),
        ("thdn", found.thdn, decibels((noise + distortion) / power), 0.05),
        ("sfdr", found.sfdr, decibels(power / (1e-6 / 2.0)), 0.05),
        ("enob", found.enob, (found.sinad - 1.76) / 6.02, 1e-12),
        ("noise", decibels(found.noise_density / (noise / 24_000.0)), 0.0, 0.15),
    ] {
        assert!((value - expected).abs() < within, "{name}: {value} for {expected}");
    }
    let near = tone(&job, ToneRequest { at: Some(1990.0), ..ToneRequest::default() }).unwrap();
    assert!((near.frequency - 2.0 * at).abs() < 0.01, "{near:?}");
    let silent = self::signal(vec![Samples::F64(vec![0.0; 1000])]);
    assert_eq!(
        tone(&self::job(&silent, &[ChannelChoice::Luma], Frames::whole(1000), rate, &cancel), ToneRequest::default()),
        Err(SpectraError::Silent)
    );
}

/// A band-limited sequence between its samples, by a long sinc under a Kaiser window.
fn delayed(values: &[f64], delay: f64) -> Vec<f64> {
    const REACH: isize = 60;
    let kaiser = Windowing { shape: Window::Kaiser, parameter: Some(12.0), radial: false };
    let whole = delay.round() as isize;
    let at = |n: usize| {
        (-REACH..=REACH)
            .filter_map(|k| {
                let value = values.get(usize::try_from(n as isize - whole - k).ok()?)?;
                let x = k as f64 - (delay - whole as f64);
                let sinc = if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
                let weight = kaiser.weight((x + REACH as f64 + 1.0).round() as usize, 2 * REACH as usize + 2);
                Some(value * sinc * weight)
            })
            .sum()
    };
    (0..values.len()).map(at).collect()
}

#[test]
fn delays_are_right_between_samples() {
    let (n, cancel) = (40_000, AtomicBool::new(false));
    // Noise below half the rate, so that its samples determine it.
    let smooth: Vec<f64> = noise(11, n).windows(3).map(|w| 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2]).collect();
    for (delay, sign) in [(17.3, 1.0), (-4.62, 1.0), (0.5, -1.0), (250.0, 1.0)] {
        let deviation = (smooth.iter().map(|value| value * value).sum::<f64>() / n as f64).sqrt();
        let y: Vec<f64> =
            delayed(&smooth, delay).iter().zip(noise(12, n)).map(|(value, noise)| sign * value + 0.1 * deviation * noise).collect();
        let signal = signal(vec![Samples::F64(smooth.clone()), Samples::F64(y)]);
        let choices = [ChannelChoice::Channel(0), ChannelChoice::Channel(1)];
        let job = job(&signal, &choices, Frames::default(), 1.0, &cancel);
        let found = cross(&job).unwrap();
        let Delay { samples, deviation } = found.delay().unwrap();
        assert!((samples - delay).abs() < 0.01, "{samples} for {delay}");
        assert!(deviation.is_some_and(|deviation| deviation < 0.01 && (samples - delay).abs() < 6.0 * deviation + 2e-3), "{deviation:?}");
        let range = 0..signal.columns;
        let correlation = correlate([(&job.tracks[0], range.clone()), (&job.tracks[1], range)], false, None, &cancel).unwrap();
        assert!((correlation.lag - delay).abs() < 0.02, "{correlation:?} for {delay}");
        assert!(correlation.height * sign > 0.98 && correlation.deviation < 0.01, "{correlation:?}");
        // A delay of a good part of a frame costs coherence, as the frames share less.
        assert!(delay > 100.0 || (found.transfer(200, Estimator::H1).norm() - 1.0).abs() < 0.05 && found.coherence(200) > 0.97);
    }
}

#[test]
fn a_single_average_is_coherent_and_says_nothing() {
    let (n, cancel) = (64, AtomicBool::new(false));
    let signal = signal(vec![Samples::F64(noise(20, n)), Samples::F64(noise(21, n))]);
    let found = cross(&job(&signal, &[ChannelChoice::Channel(0), ChannelChoice::Channel(1)], Frames::whole(n), 1.0, &cancel)).unwrap();
    assert!((0..33).all(|bin| (found.coherence(bin) - 1.0).abs() < 1e-9));
    assert!(found.delay().is_none_or(|delay| delay.deviation.is_none()));
}

#[test]
fn one_loud_sample_is_seen_in_its_column() {
    let n = 1_000_000;
    let mut values = vec![0.0_f32; n];
    values[654_321] = 1.0;
    let signal = signal(vec![Samples::F32(values)]);
    let cancel = AtomicBool::new(false);
    let axis = FrequencyAxis { scale: FrequencyScale::Linear, ends: [0.0, 0.5], rows: 20 };
    for method in <Method as crate::choice::Named>::ALL {
        let frames = Frames::of_spectrogram();
        let found = pooled(
            &job(&signal, &[ChannelChoice::Luma], frames, 1.0, &cancel),
            (*method, Pool::Max),
            Quantity::Power,
            (&TimeAxis::whole(n, 100), &axis),
        )
        .unwrap();
        let loud: Vec<usize> = (0..100).filter(|column| found.columns[*column].iter().all(|power| *power > 0.0)).collect();
        assert_eq!(loud, [65], "{method}");
    }
}

#[test]
fn a_part_of_a_picture_has_the_values_of_the_whole() {
    let n = 50_000;
    let signal = signal(vec![Samples::F64(noise(7, n))]);
    let cancel = AtomicBool::new(false);
    let job = job(&signal, &[ChannelChoice::Luma], Frames::new(256, Overlap::Samples(192)), 1.0, &cancel);
    let axis = FrequencyAxis { scale: FrequencyScale::Linear, ends: [0.0, 0.5], rows: 40 };
    for how in [(Method::Plain, Pool::Max), (Method::Plain, Pool::Mean), (Method::Multitaper, Pool::Max), (Method::Reassigned, Pool::Max)] {
        let of = |times: TimeAxis| pooled(&job, how, Quantity::Power, (&times, &axis)).unwrap().columns;
        let whole = of(TimeAxis::whole(n, 50));
        let part = of(TimeAxis { ends: [10_000.0, 30_000.0], columns: 20 });
        for (a, b) in whole[10..30].iter().flatten().zip(part.iter().flatten()) {
            assert!((a - b).abs() <= 1e-5 * a, "{how:?}: {a} and {b}");
        }
        if !how.0.is_spread() {
            let blocks = Blocks::new(&job, how, &TimeAxis::whole(n, 7)).unwrap();
            let found = pooled_from(&blocks, &job, Quantity::Power, (&TimeAxis::whole(n, 50), &axis)).unwrap().columns;
            assert!(whole.iter().flatten().zip(found.iter().flatten()).all(|(a, b)| (a - b).abs() <= 1e-5 * a), "{how:?}");
        }
    }
}

#[test]
fn reassigned_power_gathers_at_the_tone_and_at_the_click() {
    let n = 8192;
    let cancel = AtomicBool::new(false);
    let frames = Frames::new(256, Overlap::Samples(192));
    let axis = FrequencyAxis { scale: FrequencyScale::Linear, ends: [0.0, 0.5], rows: 500 };
    let tone = signal(vec![Samples::F64(sine(n, 0.12345, 1.0, 0.0))]);
    let found = pooled(
        &job(&tone, &[ChannelChoice::Luma], frames, 1.0, &cancel),
        (Method::Reassigned, Pool::Max),
        Quantity::Power,
        (&TimeAxis::whole(n, 64), &axis),
    )
    .unwrap();
    let column = &found.columns[30];
    let total: f32 = column.iter().sum();
    assert!(column[123] > 0.95 * total, "the row of 0.12345: {:?}", &column[120..127]);
    let mut values = vec![0.0; n];
    values[4000] = 1.0;
    let click = signal(vec![Samples::F64(values)]);
    let found = pooled(
        &job(&click, &[ChannelChoice::Luma], frames, 1.0, &cancel),
        (Method::Reassigned, Pool::Max),
        Quantity::Power,
        (&TimeAxis::whole(n, n), &axis),
    )
    .unwrap();
    let sums: Vec<f32> = found.columns.iter().map(|column| column.iter().sum()).collect();
    assert!(sums[3999..4002].iter().sum::<f32>() > 0.95 * sums.iter().sum::<f32>());
}

#[test]
fn samples_that_are_no_numbers_spoil_their_frames_alone() {
    let mut values = noise(30, 10_000);
    values[5000] = f64::NAN;
    let signal = signal(vec![Samples::F64(values)]);
    let cancel = AtomicBool::new(false);
    let frames = Frames::new(1000, Overlap::Samples(0));
    let job = job(&signal, &[ChannelChoice::Luma], frames, 1.0, &cancel);
    let found = averaged(&job, Average::Mean).unwrap();
    assert_eq!((found.count, found.skipped), (9, 1));
    assert!(found.values(Quantity::Density).iter().all(|value| value.is_finite()));
    let columns = spectrogram::<f64>(&job, Method::Plain, Quantity::Power).unwrap().columns;
    assert!((0..10).all(|m| columns[m].iter().all(|value| value.is_nan() == (m == 5))));
    let whole = SpectraJob { frames: Frames::whole(10_000), ..job.clone() };
    assert_eq!(averaged(&whole, Average::Mean), Err(SpectraError::NotFinite(1)));
    let replaced = SpectraJob { frames: Frames { detrend: Detrend::Mean, ..whole.frames }, ..whole };
    assert_eq!(averaged(&replaced, Average::Mean).map(|found| found.replaced), Ok(1));
}

#[test]
fn whoever_transforms_rows_gives_the_same() {
    let signal = signal(vec![Samples::F64(noise(40, 3000)), Samples::F64(noise(41, 3000))]);
    let cancel = AtomicBool::new(false);
    let rows = |batch: Batch| {
        let points = batch.points;
        let values: Vec<Complex64> = batch.samples.to_complex64();
        let bins = if batch.samples.is_complex() { points } else { points / 2 + 1 };
        Ok(values.chunks(points).flat_map(|row| dft(row, points).into_iter().take(bins)).collect())
    };
    for choices in [vec![ChannelChoice::Channel(0), ChannelChoice::Channel(1)], vec![ChannelChoice::Iq, ChannelChoice::Iq]] {
        let frames = Frames::new(100, Overlap::Samples(50));
        let own = job(&signal, &choices, frames, 1.0, &cancel);
        let other = SpectraJob { rows: Some(&rows), ..own.clone() };
        let [a, b] = [&own, &other].map(|job| cross(job).unwrap());
        assert!(a.pxy.iter().zip(&b.pxy).all(|(a, b)| (a - b).norm() < 1e-9));
        let [a, b] = [own, other].map(|job| averaged(&SpectraJob { frames: Frames::whole(3000), ..job }, Average::Mean).unwrap());
        assert!(a.power.iter().zip(&b.power).all(|(a, b)| (a - b).abs() < 1e-6 * (a + b)));
    }
}

#[test]
fn a_band_holds_the_power_of_what_lies_in_it() {
    let (n, cancel) = (48_000, AtomicBool::new(false));
    let signal = signal(vec![Samples::F64(noise(50, n))]);
    let found = averaged(&job(&signal, &[ChannelChoice::Luma], Frames::default(), 48_000.0, &cancel), Average::Mean).unwrap();
    let all = band(&found, [0.0, 24_000.0]).unwrap();
    assert!((all.power - 1.0).abs() < 0.03 && (all.centroid - 12_000.0).abs() < 200.0, "{all:?}");
    assert!((all.occupied[1] - all.occupied[0] - 0.99 * 24_000.0).abs() < 100.0, "{all:?}");
    let quarter = band(&found, [6000.0, 12_000.0]).unwrap();
    assert!((quarter.power - 0.25).abs() < 0.02, "{quarter:?}");
    assert!(matches!(band(&found, [30_000.0, 40_000.0]), Err(SpectraError::Band { .. })));
}

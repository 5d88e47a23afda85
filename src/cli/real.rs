//! Fits results into formats of real numbers and of integers, if the imaginary part and the fractions are only rounding errors.

use super::{Failure, say};
use crate::remedy::ending_list;
use crate::signal::{Channel, Holds, OutputFormat, Samples, Signal};
use crate::threads;
use num_complex::Complex64;
use std::ops::Range;

/// Imaginary parts below this share of the norm are rounding errors.
const ROUNDING: f64 = 1e-5;

/// Samples of an image this close to integers are integers with the rounding errors of a transform and its inverse.
const NEARLY_WHOLE: f64 = 0.05;

/// `signal` as `format` holds it: formats of complex numbers keep it, the others take its real part if the rest is rounding.
pub(super) fn fitted(signal: Signal, format: &OutputFormat) -> Result<Signal, Failure> {
    let signal = signal.in_arrays();
    let samples = &signal.channels[0].samples;
    let has_fractions = matches!(samples, Samples::F32(_) | Samples::F64(_));
    let Holds { complex, reals, .. } = format.holds;
    if !reals && has_fractions {
        let channel = Channel::new(signal.channels[0].name.clone(), whole(samples.clone()));
        return Ok(Signal { channels: vec![channel], ..signal });
    }
    if complex || !signal.is_complex() {
        return Ok(signal);
    }
    let share = imaginary_share(samples);
    if share.is_nan() || share > ROUNDING {
        return Err(Failure::Call(format!(
            "the result is complex (its imaginary part is {share:.1e} of the norm), and this format holds real numbers: write {}, or take 'papillon spectrum' for the spectrum image",
            ending_list(&OutputFormat::endings_where(|holds| holds.complex))
        )));
    }
    say(&format!("the real part is written; the imaginary part is {share:.1e} of the norm"));
    let real = match samples {
        Samples::Complex32(values) => Samples::F32(threads::convert(values, |value| value.re)),
        other => Samples::F64(other.to_f64()),
    };
    let real = if reals { real } else { whole(real) };
    Ok(Signal { channels: vec![Channel::new(signal.channels[0].name.clone(), real)], ..signal })
}

/// ‖imaginary part‖ / ‖values‖.
fn imaginary_share(samples: &Samples) -> f64 {
    fn sums<T: Sync>(values: &[T], wide: impl Fn(&T) -> Complex64 + Sync) -> [f64; 2] {
        let squares = |value| (wide(value).im.powi(2), wide(value).norm_sqr());
        let block = |block: Range<usize>| values[block].iter().map(squares).fold([0.0; 2], |sums, (a, b)| [sums[0] + a, sums[1] + b]);
        threads::map_blocks(values.len(), &block).into_iter().fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
    }
    let [imaginary, all] = match samples {
        Samples::Complex32(values) => sums(values, |value| Complex64::new(value.re.into(), value.im.into())),
        Samples::Complex64(values) => sums(values, |value| *value),
        _ => [0.0; 2],
    };
    if all == 0.0 { 0.0 } else { (imaginary / all).sqrt() }
}

/// Samples of 8 or 16 bits if all values round to integers of that range; otherwise the samples unchanged, which the PNG writer refuses.
fn whole(samples: Samples) -> Samples {
    let values = samples.to_f64();
    let fits = |most: f64| {
        threads::all(&values, |value| (value - value.round()).abs() <= NEARLY_WHOLE && (0.0..=most).contains(&(value.round() + 0.0)))
    };
    if fits(u8::MAX.into()) {
        say("all values are whole but for rounding, so the PNG has 8 bits");
        return Samples::U8(threads::convert(&values, |value| value.round() as u8));
    }
    if fits(u16::MAX.into()) {
        say("all values are whole but for rounding, so the PNG has 16 bits");
        return Samples::U16(threads::convert(&values, |value| value.round() as u16));
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(ending: &str) -> &'static OutputFormat {
        OutputFormat::of_ending(ending).expect("a format that is written")
    }
    use num_complex::Complex32;

    #[test]
    fn nothing_is_lost() {
        let line = |values: &[(f32, f32)]| {
            let values = values.iter().map(|&(re, im)| Complex32::new(re, im)).collect();
            Signal::row("test", Samples::Complex32(values))
        };
        let rounding = line(&[(3.01, 1e-6), (254.99, -1e-6)]);
        assert_eq!(fitted(rounding.clone(), output("png")).unwrap().channels[0].samples, Samples::U8(vec![3, 255]));
        assert_eq!(fitted(rounding.clone(), output("wav")).unwrap().channels[0].samples, Samples::F32(vec![3.01, 254.99]));
        assert_eq!(fitted(rounding.clone(), output("npy")).unwrap(), rounding);
        assert_eq!(fitted(line(&[(0.0, 0.0), (256.0, 0.0)]), output("png")).unwrap().channels[0].samples, Samples::U16(vec![0, 256]));
        assert!(fitted(line(&[(1.0, 0.1)]), output("wav")).is_err());
        let real = |values: &[f32]| fitted(Signal::row("test", Samples::F32(values.to_vec())), output("png")).unwrap();
        assert_eq!(real(&[3.01, 254.99]).channels[0].samples, Samples::U8(vec![3, 255]));
        assert_eq!(real(&[0.5]).channels[0].samples, Samples::F32(vec![0.5]));
        let fractions = fitted(line(&[(0.5, 0.0), (-1.0, 0.0)]), output("png")).unwrap();
        assert_eq!(fractions.channels[0].samples, Samples::F32(vec![0.5, -1.0]));
    }
}

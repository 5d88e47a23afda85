//! Filtered samples in the type of the samples that were read.

use crate::signal::Samples;
use rayon::prelude::*;

/// Samples in the type of a file, and how many of them had to be clamped.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounded {
    /// The samples.
    pub samples: Samples,
    /// Samples below 0 or above full scale, which became these; a sample that is no number becomes 0 and counts.
    pub clamped: usize,
}

/// Rounds samples to 8 or 16 bits where those before the filter had so many; all others stay as they are.
pub fn rounded_to_type(samples: Samples, before: &Samples) -> Rounded {
    let values = match before {
        Samples::U8(_) | Samples::U16(_) => samples.to_f64(),
        _ => return Rounded { samples, clamped: 0 },
    };
    let most = if matches!(before, Samples::U8(_)) { f64::from(u8::MAX) } else { f64::from(u16::MAX) };
    let clamped = values.par_iter().filter(|value| !(0.0..=most).contains(&(value.round() + 0.0))).count();
    // `as` rounds towards 0, ends at the limits of the type, and makes 0 of what is no number.
    let samples = match before {
        Samples::U8(_) => Samples::U8(values.par_iter().map(|value| value.round() as u8).collect()),
        _ => Samples::U16(values.par_iter().map(|value| value.round() as u16).collect()),
    };
    Rounded { samples, clamped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_type_are_clamped_and_counted() {
        let values = Samples::F32(vec![-0.4, -0.6, 12.5, 255.4, 255.6, f32::NAN]);
        let found = rounded_to_type(values.clone(), &Samples::U8(Vec::new()));
        assert_eq!(found, Rounded { samples: Samples::U8(vec![0, 0, 13, 255, 255, 0]), clamped: 3 });
        assert_eq!(rounded_to_type(values.clone(), &Samples::U16(Vec::new())).clamped, 2);
        assert_eq!(rounded_to_type(values.clone(), &Samples::F32(Vec::new())).clamped, 0);
    }
}

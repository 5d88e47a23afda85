//! Convolution of two signals: both are joined in one signal, which goes through the plan.

use super::{EngineError, Job};
use crate::signal::{Channel, ChannelChoice, Samples, Signal};
use crate::transforms::convolution::dyadic_bound;
use crate::transforms::{Axes, Input, transform};
use std::borrow::Cow;
use std::sync::Arc;

/// A job of two signals as a job of one: every row holds the first signal and then the second. A second signal of one row is repeated for every row of the first.
///
/// # Errors
/// When a second signal is needed and missing, their sizes differ, or the channel does not exist.
pub(super) fn joined(job: &Job) -> Result<Cow<'_, Job>, EngineError> {
    if transform(job.transform)?.input != Input::TwoSignals {
        return Ok(Cow::Borrowed(job));
    }
    let (first, second) = (&job.signal, job.second.as_ref().ok_or(EngineError::NoSecond { transform: job.transform })?);
    // Where both axes are transformed, an image is behind the other as a whole.
    let is_image = transform(job.transform)?.axes == Axes::Both;
    let fits_rows = second.rows == first.rows || (second.rows == 1 && !is_image);
    if second.columns != first.columns || !fits_rows {
        let size = |signal: &Signal| signal.kind.size(signal.rows, signal.columns);
        return Err(EngineError::Lines {
            second: second.name.clone(),
            has: size(second),
            first: first.name.clone(),
            needed: size(first),
            columns: first.columns,
        });
    }
    // The second signal may lack the channel; luminance always exists.
    let channels = [(&**first, job.channel), (&**second, ChannelChoice::default())];
    let samples = row_behind_row(channels, if is_image { first.len() } else { first.columns })?;
    let shape = if is_image { (2 * first.rows, first.columns) } else { (first.rows, 2 * first.columns) };
    let signal = Signal::from_channels(first.name.clone(), first.kind, shape, vec![Channel::new("both", samples)]);
    Ok(Cow::Owned(Job { signal: Arc::new(signal), second: None, channel: ChannelChoice::default(), ..job.clone() }))
}

/// The samples of two signals in a type that keeps each of them.
fn row_behind_row(channels: [(&Signal, ChannelChoice); 2], columns: usize) -> Result<Samples, EngineError> {
    fn alternating<T: Clone>([first, second]: [Vec<T>; 2], columns: usize) -> Vec<T> {
        let rows = first.chunks_exact(columns).zip(second.chunks_exact(columns).cycle());
        rows.flat_map(|(first, second)| [first, second].concat()).collect()
    }
    macro_rules! join {
        ($kind:ident, $plane:ident) => {{
            let [(first, of_first), (second, of_second)] = channels;
            Samples::$kind(alternating([first.$plane(of_first)?, second.$plane(of_second)?], columns))
        }};
    }
    let is_whole = channels.iter().all(|(signal, channel)| signal.has_integers(*channel));
    if let (true, [Some(first), Some(second)]) = (is_whole, whole_planes(channels)?) {
        return Ok(Samples::I64(alternating([first, second], columns)));
    }
    let is_complex = channels.iter().any(|(signal, channel)| signal.is_complex_in(*channel));
    let is_double = channels.iter().any(|(signal, _)| signal.is_double());
    Ok(match (is_complex, is_double) {
        (true, true) => join!(Complex64, samples_complex64),
        (true, false) => join!(Complex32, samples_complex32),
        (false, true) => join!(F64, samples_f64),
        (false, false) => join!(F32, samples_f32),
    })
}

fn whole_planes([first, second]: [(&Signal, ChannelChoice); 2]) -> Result<[Option<Vec<i64>>; 2], EngineError> {
    Ok([first.0.whole_numbers(first.1)?, second.0.whole_numbers(second.1)?])
}

/// The bound of all values on the way of a dyadic convolution, for the samples of a job that is joined.
pub(super) fn bound(input: Input, columns: usize, samples: &[i64]) -> u128 {
    let n_parts = if input == Input::TwoSignals { 2 } else { 1 };
    let n = columns / n_parts;
    let largest =
        |part: usize| samples.chunks(n).skip(part).step_by(n_parts).flatten().map(|value| value.unsigned_abs()).max().unwrap_or(0);
    dyadic_bound(n, [largest(0), largest(n_parts - 1)])
}

#[cfg(test)]
mod tests {
    use super::super::DeviceChoice;
    use super::*;
    use crate::signal::SignalKind;

    fn signal(name: &str, rows: usize, values: &[i64]) -> Arc<Signal> {
        let channel = Channel::new("value", Samples::I64(values.to_vec()));
        Arc::new(Signal::from_channels(name, SignalKind::Rows, (rows, values.len() / rows), vec![channel]))
    }

    fn job(signal: Arc<Signal>, second: Option<Arc<Signal>>) -> Job {
        Job { second, device: DeviceChoice::Cpu, prefer_plan: true, ..Job::new(signal, "dyadic-convolution") }
    }

    #[test]
    fn the_second_stands_behind_the_first_in_every_row() {
        let first = signal("f", 2, &[1, 2, 3, 4]);
        let both = |second| joined(&job(first.clone(), Some(second))).map(|job| job.signal.channels[0].samples.clone());
        assert_eq!(both(signal("g", 1, &[5, 6])), Ok(Samples::I64(vec![1, 2, 5, 6, 3, 4, 5, 6])));
        assert_eq!(both(signal("g", 2, &[5, 6, 7, 8])), Ok(Samples::I64(vec![1, 2, 5, 6, 3, 4, 7, 8])));
        let halves = Arc::new(Signal::row("g", Samples::F64(vec![0.5, 1.5])));
        assert_eq!(both(halves), Ok(Samples::F64(vec![1.0, 2.0, 0.5, 1.5, 3.0, 4.0, 0.5, 1.5])));
    }

    #[test]
    fn what_does_not_fit_is_told_in_one_line() {
        let first = signal("first", 1, &[1, 2, 3, 4]);
        let told = |second| joined(&job(first.clone(), second)).map(drop).unwrap_err().to_string();
        let differ = told(Some(signal("second", 1, &[1, 2])));
        assert!(differ.contains("second has 1 × 2") && differ.contains("4 values") && !differ.contains('\n'), "{differ}");
        assert!(told(Some(signal("second", 3, &[0; 12]))).contains("second has 3 × 4"));
        assert!(told(None).contains("two signals"));
    }
}

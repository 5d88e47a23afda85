//! Figures that follow from a measurement: rates, the share of the transfers, and the distance from two memory limits.

use super::{Measurement, RunTimes};

/// Figures that follow from a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseFigures {
    /// Operations over the median kernel time, in 10^9 per second.
    pub gflop_per_sec: f64,
    /// Compulsory bytes, each read or written once, over the median kernel time, in 10^9 per second.
    pub gbyte_per_sec: f64,
    /// The same for a plain copy on the device: the roof.
    pub copy_gbyte_per_sec: Option<f64>,
    /// Median kernel time over the time of a plain copy of the compulsory bytes; 1 is the memory limit.
    pub over_floor: Option<f64>,
    /// Bytes that the launches move, in copies of the compulsory bytes; `None` where a library did the work.
    pub copies: Option<f64>,
    /// Median kernel time over the time of these copies: 1 for launches that are as fast as their own traffic allows.
    pub over_copies: Option<f64>,
    /// Operations per compulsory byte.
    pub operations_per_byte: f64,
    /// Shares of the total time.
    pub share: TimeShare,
}

/// Shares of upload, kernels and download in the total time of a run, from medians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeShare {
    /// Host to device.
    pub upload: f64,
    /// Making buffers, where every run makes its own.
    pub buffers: f64,
    /// All launches.
    pub kernel: f64,
    /// Device to host.
    pub download: f64,
}

impl CaseFigures {
    /// Computes the figures of a measurement.
    pub fn of(measurement: &Measurement) -> Self {
        let micros = measurement.kernel().median;
        let bytes = measurement.bytes_once as f64;
        let over_floor = measurement.copy_micros.map(|copy| micros / copy);
        let copies = measurement.bytes_moved.map(|moved| moved as f64 / bytes);
        let total = measurement.part(|run| run.total).median.max(f64::MIN_POSITIVE);
        let part = |part: fn(&RunTimes) -> f64| (measurement.part(part).median / total).min(1.0);
        Self {
            gflop_per_sec: measurement.operations / micros / 1e3,
            gbyte_per_sec: bytes / micros / 1e3,
            copy_gbyte_per_sec: measurement.copy_micros.map(|copy| bytes / copy / 1e3),
            over_floor,
            copies,
            over_copies: measurement.launch_copies_micros.map(|copies| micros / copies),
            operations_per_byte: measurement.operations / bytes.max(1.0),
            share: TimeShare {
                upload: part(|run| run.upload),
                buffers: part(|run| run.buffers),
                kernel: part(|run| run.kernel),
                download: part(|run| run.download),
            },
        }
    }
}

impl TimeShare {
    /// Both transfers, and the making of buffers where it counts.
    pub fn transfers(self) -> f64 {
        self.buffers + self.upload + self.download
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::measurement;

    #[test]
    fn rates_follow_from_the_medians() {
        let measurement = measurement(0, 1024, 10.0);
        let figures = CaseFigures::of(&measurement);
        assert!((figures.gbyte_per_sec - 6.5536).abs() < 1e-9, "64 · 1024 bytes in 10 µs");
        assert!((figures.gflop_per_sec - 20.48).abs() < 1e-9, "4 times 5 · 1024 · 10 operations in 10 µs");
        assert!(figures.over_floor.is_some_and(|ratio| (ratio - 3.0).abs() < 1e-4));
        assert!(figures.copies == Some(2.0) && figures.over_copies.is_some_and(|ratio| (ratio - 1.5).abs() < 1e-4));
        assert!(figures.copy_gbyte_per_sec.is_some_and(|rate| (rate - 3.0 * 6.5536).abs() < 1e-3));
        assert!((figures.share.transfers() - 0.45).abs() < 1e-9 && (figures.share.kernel - 0.5).abs() < 1e-9);
    }
}

//! What follows from a measurement: rates, the share of the transfers, and how far it is from what the memory allows.

use super::{Measurement, Trip};

/// What follows from a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Operations over the median without transfers, in 10^9 a second.
    pub gflop_per_sec: f64,
    /// Bytes that have to be read once and to be written once over the median without transfers, in 10^9 a second.
    pub gbyte_per_sec: f64,
    /// The same of a plain copy on the same device: the roof.
    pub copy_gbyte_per_sec: Option<f64>,
    /// The median without transfers over the time of a plain copy of what has to be read and written: 1 is the floor that memory sets.
    pub over_floor: Option<f64>,
    /// Operations on a byte that has to be moved.
    pub operations_per_byte: f64,
    /// Where the time of a run from samples to result goes.
    pub share: Share,
}

/// Parts of the time of a run, medians, each as a part of the whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Host to device.
    pub upload: f64,
    /// All launches.
    pub kernel: f64,
    /// Device to host.
    pub download: f64,
}

impl Figures {
    /// Of a measurement.
    pub fn of(measurement: &Measurement) -> Self {
        let micros = measurement.kernel().median;
        let bytes = measurement.bytes_once as f64;
        let total = measurement.part(|trip| trip.total).median.max(f64::MIN_POSITIVE);
        let part = |part: fn(&Trip) -> f64| (measurement.part(part).median / total).min(1.0);
        Self {
            gflop_per_sec: measurement.operations / micros / 1e3,
            gbyte_per_sec: bytes / micros / 1e3,
            copy_gbyte_per_sec: measurement.copy_micros.map(|copy| bytes / copy / 1e3),
            over_floor: measurement.copy_micros.map(|copy| micros / copy),
            operations_per_byte: measurement.operations / bytes.max(1.0),
            share: Share { upload: part(|trip| trip.upload), kernel: part(|trip| trip.kernel), download: part(|trip| trip.download) },
        }
    }
}

impl Share {
    /// Both transfers.
    pub fn transfers(self) -> f64 {
        self.upload + self.download
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::measurement;

    #[test]
    fn rates_follow_from_the_medians() {
        let measurement = measurement(0, 1024, 10.0);
        let figures = Figures::of(&measurement);
        assert!((figures.gbyte_per_sec - 6.5536).abs() < 1e-9, "64 · 1024 bytes in 10 µs");
        assert!((figures.gflop_per_sec - 20.48).abs() < 1e-9, "4 times 5 · 1024 · 10 operations in 10 µs");
        assert!(figures.over_floor.is_some_and(|ratio| (ratio - 3.0).abs() < 1e-4));
        assert!(figures.copy_gbyte_per_sec.is_some_and(|rate| (rate - 3.0 * 6.5536).abs() < 1e-3));
        assert!((figures.share.transfers() - 0.45).abs() < 1e-9 && (figures.share.kernel - 0.5).abs() < 1e-9);
    }
}

//! Which transform computes the wavelet coefficients of a signal, and wavelet packets by the plans of the table.

use crate::engine::{DeviceChoice, Devices, EngineError, Job, analysis, compute};
use crate::plan::Direction;
use crate::signal::{Channel, Samples, Signal, SignalKind};
use crate::transforms::{Parameters, Shape, transform};
use crate::wavelet::{Node, Tree};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The job with the wavelet transform that belongs to its transform; see [`crate::transforms::Transform::wavelet`].
///
/// # Errors
/// When its transform has nothing to do with wavelets.
fn of_wavelet(job: &Job) -> Result<Job, EngineError> {
    let asked = transform(job.transform)?;
    let wavelet = asked.wavelet().ok_or(EngineError::NoWavelet { transform: asked.name })?;
    if wavelet.name == asked.name {
        return Ok(job.clone());
    }
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    Ok(Job {
        transform: wavelet.name,
        algorithm: job.algorithm.filter(|name| wavelet.algorithm(name).is_ok()),
        parameters: wavelet.within_levels(shape, wavelet.within_lines(shape, job.parameters)),
        ..job.clone()
    })
}

/// The job whose result are the wavelet coefficients of a job.
///
/// # Errors
/// When the transform is none of the wavelets, or the samples are complex.
pub(super) fn forward(job: &Job) -> Result<Job, EngineError> {
    let job = of_wavelet(job)?;
    if job.signal.is_complex() {
        return Err(EngineError::RealOnly { transform: job.transform, signal: job.signal.name.clone() });
    }
    analysis::forward(&job)
}

/// The wavelet packets of a signal at every level, computed on a device; entry 0 is the signal itself.
///
/// # Errors
/// When `cancel` is raised, or the length is not divisible by 2^levels.
pub fn packets(
    line: &[f64],
    levels: u32,
    device: &DeviceChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Vec<Vec<f64>>, EngineError> {
    let mut all = vec![line.to_vec()];
    for level in 0..levels {
        let blocks = 1 << level;
        let next = halves(&all[level as usize], blocks, Direction::Forward, device, devices, cancel)?;
        all.push(next);
    }
    Ok(all)
}

/// One level of D4 for every block, or its inverse.
fn halves(
    values: &[f64],
    blocks: usize,
    direction: Direction,
    device: &DeviceChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, EngineError> {
    let shape = (blocks, values.len() / blocks);
    let signal = Signal::from_channels("blocks", SignalKind::Rows, shape, vec![Channel::new("value", Samples::F64(values.to_vec()))]);
    let job = Job {
        parameters: Parameters { direction, levels: Some(1), ..Parameters::default() },
        device: device.clone(),
        prefer_plan: true,
        ..Job::new(Arc::new(signal), "d4-packet")
    };
    Ok(compute::samples(&job, devices, cancel)?.to_f64())
}

/// The signal that the leaves of a tree reconstruct, those that `keeps` accepts.
///
/// # Errors
/// When `cancel` is raised.
pub fn reconstruct(
    coefs: &[Vec<f64>],
    tree: &Tree,
    keeps: impl Fn(Node) -> bool,
    device: &DeviceChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, EngineError> {
    let n = coefs.first().map_or(0, Vec::len);
    let mut below = vec![0.0; n];
    for level in (0..=tree.levels()).rev() {
        let mut here = vec![0.0; n];
        let samples = n >> level;
        for block in 0..1 << level {
            let node = Node { level, block };
            let place = block * samples..(block + 1) * samples;
            if tree.is_leaf(node) && keeps(node) {
                here[place].copy_from_slice(node.of(coefs));
            } else if tree.reaches(node) && tree.is_split(node) {
                here[place.clone()].copy_from_slice(&halves(&below[place], 1, Direction::Inverse, device, devices, cancel)?);
            }
        }
        below = here;
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wavelet::Cost;

    #[test]
    fn every_basis_reconstructs_the_line_and_its_parts_add_up() {
        let line: Vec<f64> = (0..96).map(|i| (f64::from(i) * 0.7).sin() + f64::from(i * i % 11)).collect();
        let (mut devices, go) = (Devices::default(), AtomicBool::new(false));
        let coefs = packets(&line, 4, &DeviceChoice::Cpu, &mut devices, &go).unwrap();
        for tree in [Tree::new(4, |_| false), Tree::new(4, |_| true), Tree::new(4, |node| node.block == 0), Tree::best(&coefs, Cost::L1)] {
            let whole = reconstruct(&coefs, &tree, |_| true, &DeviceChoice::CpuParallel, &mut devices, &go).unwrap();
            let mut sum = vec![0.0; line.len()];
            for leaf in tree.leaves() {
                let part = reconstruct(&coefs, &tree, |node| node == leaf, &DeviceChoice::Cpu, &mut devices, &go).unwrap();
                sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            }
            for leaf in tree.leaves() {
                let [in_tree, alone] = [&tree, &Tree::down_to(leaf)]
                    .map(|tree| reconstruct(&coefs, tree, |node| node == leaf, &DeviceChoice::Cpu, &mut devices, &go).unwrap());
                assert_eq!(in_tree, alone, "what a block makes up is the same in every tree");
            }
            let far = |other: &[f64]| line.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(far(&whole) < 1e-12 && far(&sum) < 1e-11, "{} and {}", far(&whole), far(&sum));
        }
    }
}

//! The best basis of wavelet packets: `papillon transform -t d4-packet --best-basis`, and the inverse from the chosen blocks.

use super::progress::Progress;
use super::transform::TransformArguments;
use super::{Failure, say};
use crate::engine::check_finite;
use crate::engine::wavelet::{packets, reconstruct};
use crate::engine::{DeviceChoice, Devices};
use crate::numerals::fixed;
use crate::plan::{Direction, Precision};
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::transforms::wavelet::D4_PACKET;
use crate::transforms::{PacketOrder, Parameters, Shape, Transform};
use crate::wavelet::{Cost, Node, Tree};
use clap::Args;

/// The blocks of wavelet packets in the result.
#[derive(Debug, Args)]
pub(super) struct BasisArguments {
    /// For wavelet packets: takes the cheapest basis by a cost, entropy, log-energy, threshold:VALUE (the number of larger magnitudes) or l1. Prints its blocks, for --basis with --inverse.
    #[arg(long, value_name = "COST", value_parser = cost, conflicts_with = "basis")]
    best_basis: Option<Cost>,
    /// For wavelet packets: takes these blocks, each by the path of its filters, as in LLL,LLH,LH,H.
    #[arg(long, value_name = "BLOCKS")]
    basis: Option<Tree>,
}

/// Parses a cost.
fn cost(text: &str) -> Result<Cost, String> {
    match text.split_once(':') {
        None if text == "entropy" => Ok(Cost::Shannon),
        None if text == "log-energy" => Ok(Cost::LogEnergy),
        None if text == "l1" => Ok(Cost::L1),
        Some(("threshold", value)) => match value.parse() {
            Ok(value) if value >= 0.0 => Ok(Cost::Threshold(value)),
            _ => Err(format!("'{value}' is no threshold: take a number from 0 on, as in threshold:2.5")),
        },
        _ => Err(format!("'{text}' is no cost: take entropy, log-energy, threshold:VALUE or l1")),
    }
}

impl BasisArguments {
    /// Whether --best-basis or --basis was given.
    pub(super) fn is_given(&self) -> bool {
        self.best_basis.is_some() || self.basis.is_some()
    }

    /// Checks that transform, direction and device support a basis.
    ///
    /// # Errors
    /// For another transform, for an inverse without blocks, and for a GPU.
    pub(super) fn check(&self, transform: &Transform, arguments: &TransformArguments) -> Result<(), Failure> {
        if !self.is_given() {
            return Ok(());
        }
        let name = if self.best_basis.is_some() { "--best-basis" } else { "--basis" };
        if transform.name != D4_PACKET.name {
            return Err(Failure::Call(format!("{name} chooses among wavelet packets: take -t {}, or leave it out", D4_PACKET.name)));
        }
        if self.best_basis.is_some() && arguments.parameters.is_inverse() {
            return Err(Failure::Call("coefficients do not tell their basis: take --basis with the blocks that --best-basis said".into()));
        }
        let on_gpu = matches!(arguments.compute.device, DeviceChoice::Gpu | DeviceChoice::Adapter(_));
        if on_gpu || arguments.compute.numbers.precision == Some(Precision::Single) {
            return Err(Failure::Call(format!(
                "{name} is computed on the CPU in double precision: take -d cpu-parallel, --precision double"
            )));
        }
        Ok(())
    }

    /// The coefficients of all rows in one common basis, or the rows from their coefficients.
    ///
    /// # Errors
    /// If the rows are complex, or cannot be halved at every level.
    pub(super) fn run(
        &self,
        arguments: &TransformArguments,
        transform: &Transform,
        (signal, channel): (&Signal, ChannelChoice),
        parameters: Parameters,
    ) -> Result<Samples, Failure> {
        if signal.is_complex_in(channel) {
            return Err(Failure::Call(format!("{} is complex, and packets are of real samples", signal.name)));
        }
        let levels = match &self.basis {
            Some(basis) if arguments.parameters.is_inverse() || parameters.levels.is_none() => basis.levels() as usize,
            Some(basis) if parameters.levels != Some(basis.levels() as usize) => {
                return Err(Failure::Call(format!("--basis has {} levels: leave --levels out", basis.levels())));
            }
            _ => transform.levels(Shape::line(signal.columns), parameters).unwrap_or(0),
        };
        // The plan of the full tree checks that the rows can be halved.
        let (shape, all) = (Shape::line(signal.columns), Parameters { levels: Some(levels), ..parameters });
        transform.first_plan().plan_fn().map(|build| build(shape, all)).transpose()?;
        let _progress = Progress::start(format!("packets of {}", signal.name));
        let samples = signal.samples_f64(channel)?;
        if self.best_basis.is_some() {
            check_finite(signal, &samples)?;
        }
        let rows: Vec<&[f64]> = samples.chunks(signal.columns.max(1)).collect();
        let (order, mut devices, cancel) = (parameters.packet_order, Devices::default(), super::cancel());
        // The default is all cores of the CPU: the halves of a block are too short for a GPU.
        let device =
            if arguments.compute.device == DeviceChoice::Auto { DeviceChoice::CpuParallel } else { arguments.compute.device.clone() };
        let done: Vec<f64> = match (parameters.direction, &self.basis) {
            (Direction::Inverse, Some(tree)) => {
                let back = |row: &&[f64]| reconstruct(&of_leaves(row, tree, order), tree, |_| true, &device, &mut devices, cancel);
                rows.iter().map(back).collect::<Result<Vec<_>, _>>()?.concat()
            }
            _ => {
                let coefs: Vec<Vec<Vec<f64>>> =
                    rows.iter().map(|row| packets(row, levels as u32, &device, &mut devices, cancel)).collect::<Result<_, _>>()?;
                let tree = self.tree(&coefs, levels as u32);
                coefs.iter().flat_map(|coefs| in_order(coefs, &tree, order)).collect()
            }
        };
        let is_double = signal.is_double() || arguments.compute.numbers.precision == Some(Precision::Double);
        Ok(if is_double { Samples::F64(done) } else { Samples::F32(done.iter().map(|&x| x as f32).collect()) })
    }

    /// The basis of all rows: the given one, or the cheapest, which is printed.
    fn tree(&self, rows: &[Vec<Vec<f64>>], levels: u32) -> Tree {
        let Some(cost) = self.best_basis else { return self.basis.clone().unwrap_or_else(|| Tree::new(levels, |_| true)) };
        let energy = rows.iter().flat_map(|coefs| &coefs[0]).map(|x| x * x).sum();
        let of_rows = |node: Node| rows.iter().map(|coefs| cost.of(node.of(coefs), energy)).sum::<f64>();
        let tree = Tree::cheapest(levels, of_rows);
        let total = |tree: &Tree| tree.leaves().into_iter().map(of_rows).sum::<f64>();
        let [best, whole, full] = [tree.clone(), Tree::new(0, |_| false), Tree::new(levels, |_| true)].map(|tree| total(&tree));
        let n = tree.leaves().len();
        say(&format!("--basis {tree}"));
        say(&format!(
            "the cheapest of {levels} levels, {n} blocks: costs {}, the samples {}, all blocks of the last level {}",
            fixed(best, 6),
            fixed(whole, 6),
            fixed(full, 6)
        ));
        tree
    }
}

/// The blocks of the leaves, concatenated in `order`.
fn in_order(coefs: &[Vec<f64>], tree: &Tree, order: PacketOrder) -> Vec<f64> {
    let n = coefs[0].len();
    let mut line = vec![0.0; n];
    tree.leaves().into_iter().for_each(|leaf| line[leaf.places(n, order)].copy_from_slice(leaf.of(coefs)));
    line
}

/// The coefficients of all levels, with those of the leaves filled in.
fn of_leaves(line: &[f64], tree: &Tree, order: PacketOrder) -> Vec<Vec<f64>> {
    let n = line.len();
    let mut coefs = vec![vec![0.0; n]; tree.levels() as usize + 1];
    for leaf in tree.leaves() {
        coefs[leaf.level as usize][leaf.places(n, PacketOrder::Natural)].copy_from_slice(&line[leaf.places(n, order)]);
    }
    coefs
}

//! The options of transforms: direction, axis, order, normalisation, matrix, levels, boundary extension and precision.

use super::Failure;
use super::arguments::{from_zero, one_of};
use crate::plan::{Direction, Precision};
use crate::transforms::{Algorithm, Base, BatchAxis, Boundary, PacketOrder, Parameter, Parameters, RowOrder, Shape, Transform};
use clap::Args;

/// The precision of real and complex numbers.
#[derive(Debug, Args)]
pub(super) struct PrecisionArguments {
    /// single or double; by default single, but double on a CPU for samples of 64-bit floats or of integers of 32 bits and more. A GPU computes in double only on request, if it supports it.
    #[arg(long, value_parser = one_of::<Precision>(), ignore_case = true)]
    pub(super) precision: Option<Precision>,
}

/// The parameters of a transform.
#[derive(Debug, Args)]
pub(super) struct ParameterArguments {
    /// The inverse transform, from the spectrum to the samples.
    #[arg(long)]
    pub(super) inverse: bool,
    /// The axis of a two-dimensional input: rows (axis 1 of NumPy) or columns (axis 0) [default: rows].
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    axis: Option<BatchAxis>,
    /// The order of a Walsh spectrum: natural (Hadamard), sequency (by sign changes) or dyadic (Paley) [default: natural].
    /// Reed-Muller, arithmetic and Kronecker coefficients: natural, or dyadic, with the bits of the index reversed.
    #[arg(long, value_name = "ORDER")]
    order: Option<RowOrder>,
    /// The orthonormal Haar transform: every row divided by its norm.
    #[arg(long)]
    normalized: bool,
    /// The matrix of a Kronecker transform, row by row [default: 1,1,1,-1].
    #[arg(long, value_name = "a,b,c,d", allow_hyphen_values = true)]
    matrix: Option<Base>,
    /// Lanes of the local part of an algorithm such as global-local: twice the threads of a block, a power of two.
    #[arg(long, value_name = "LANES", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    tile: Option<usize>,
    #[command(flatten)]
    wavelet: WaveletArguments,
}

/// The parameters of a wavelet transform.
#[derive(Debug, Args)]
pub(super) struct WaveletArguments {
    /// Levels of a wavelet transform [default: 4, or the most that the size allows].
    #[arg(long, value_name = "LEVELS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    levels: Option<usize>,
    /// Boundary extension of a wavelet transform: symmetric (mirrored at the first and last sample) or periodic [default: symmetric].
    #[arg(long, value_name = "BORDER", value_parser = one_of::<Boundary>(), ignore_case = true)]
    boundary: Option<Boundary>,
    /// The order of the blocks of wavelet packets: natural (as the filters are applied) or frequency [default: natural].
    #[arg(long, value_name = "ORDER", value_parser = one_of::<PacketOrder>(), ignore_case = true)]
    packet_order: Option<PacketOrder>,
}

impl ParameterArguments {
    /// The parameters for `transform`.
    ///
    /// # Errors
    /// If the transform does not take a given parameter.
    pub(super) fn of(&self, transform: &Transform) -> Result<Parameters, Failure> {
        if self.inverse && !transform.has_inverse {
            return Err(Failure::Call(format!("{} has no --inverse: leave it out", transform.name)));
        }
        let has_index_order = transform.parameters.contains(&Parameter::IndexOrder);
        let order = if has_index_order { Parameter::IndexOrder } else { Parameter::Order };
        if has_index_order && self.order == Some(RowOrder::Sequency) {
            return Err(Failure::Call(format!("{} has no sign changes to count: take --order natural or dyadic", transform.name)));
        }
        let given = [
            (self.axis == Some(BatchAxis::Columns), Parameter::Lines, "--axis columns"),
            (self.order.is_some(), order, "--order"),
            (self.normalized, Parameter::Normalized, "--normalized"),
            (self.matrix.is_some(), Parameter::Matrix, "--matrix"),
        ];
        refuse_foreign(transform, &given)?;
        Ok(Parameters {
            direction: if self.inverse { Direction::Inverse } else { Direction::Forward },
            lines: self.axis.unwrap_or_default(),
            order: self.order.unwrap_or_default(),
            normalized: self.normalized,
            matrix: self.matrix.unwrap_or_default(),
            tile_lanes: self.tile,
            ..self.wavelet.of(transform)?
        })
    }
}

impl ParameterArguments {
    /// Refuses --tile where none of the algorithms has a local part, or the longest row has fewer lanes. `None` stands for the fastest algorithm.
    pub(super) fn check_tile(&self, transform: &Transform, algorithms: &[Option<&Algorithm>], longest: Shape) -> Result<(), Failure> {
        let Some(tile) = self.tile else { return Ok(()) };
        let most = if self.axis == Some(BatchAxis::Columns) { longest.rows } else { longest.columns };
        Err(Failure::Call(match () {
            () if !tile.is_power_of_two() => format!("--tile takes a power of two, and {tile} is none"),
            () if !algorithms.iter().flatten().any(|algorithm| algorithm.takes_tile_lanes()) => {
                let owners: Vec<&str> =
                    transform.algorithms.iter().filter(|algorithm| algorithm.takes_tile_lanes()).map(|algorithm| algorithm.name).collect();
                let instead =
                    if owners.is_empty() { "leave it out".into() } else { format!("take -a {}, or leave it out", owners.join(", ")) };
                let named = algorithms.iter().flatten().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ");
                let named = if named.is_empty() { "the fastest algorithm" } else { &named };
                format!("--tile is for a local part, and {named} has none: {instead}")
            }
            () if tile > most => format!("--tile {tile} is more than the {most} lanes of a row: take at most {most}"),
            () => return Ok(()),
        }))
    }
}

impl WaveletArguments {
    /// The parameters for `transform`.
    ///
    /// # Errors
    /// If the transform does not take a given parameter.
    pub(super) fn of(&self, transform: &Transform) -> Result<Parameters, Failure> {
        let given = [
            (self.levels.is_some(), Parameter::Levels, "--levels"),
            (self.boundary.is_some(), Parameter::Boundary, "--boundary"),
            (self.packet_order.is_some(), Parameter::PacketOrder, "--packet-order"),
        ];
        refuse_foreign(transform, &given)?;
        Ok(Parameters {
            levels: self.levels,
            boundary: self.boundary.unwrap_or_default(),
            packet_order: self.packet_order.unwrap_or_default(),
            ..Parameters::default()
        })
    }
}

/// Refuses columns of one sample each, which no transform changes.
pub(super) fn check_lines(shape: Shape, parameters: Parameters) -> Result<(), Failure> {
    if parameters.lines == BatchAxis::Columns && shape.rows == 1 {
        return Err(Failure::Call(format!(
            "--axis columns has nothing to do: one row of {} samples has columns of one sample each: leave it out",
            shape.columns
        )));
    }
    Ok(())
}

/// Refuses a given option that the transform does not take.
fn refuse_foreign(transform: &Transform, given: &[(bool, Parameter, &str)]) -> Result<(), Failure> {
    for &(_, parameter, option) in given.iter().filter(|(is_given, ..)| *is_given) {
        if !transform.parameters.contains(&parameter) {
            let takers = crate::transforms::TRANSFORMS.iter().filter(|other| other.parameters.contains(&parameter));
            let takers: Vec<_> = takers.map(|other| other.name).collect();
            let instead = if parameter == Parameter::Lines { "transpose the input, as " } else { "" };
            return Err(Failure::Call(format!("{} takes no {option}: {instead}it belongs to {}", transform.name, takers.join(", "))));
        }
    }
    Ok(())
}

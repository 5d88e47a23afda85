//! The options of transforms: the parameters of the table, and the precision.

use super::Failure;
use super::arguments::one_of;
use super::choices::{Choices, Offer};
use crate::choice::{Choice, Chosen as _, Kind};
use crate::plan::{Direction, Precision};
use crate::transforms::{Algorithm, BatchAxis, Parameter, Parameters, Shape, TRANSFORMS, Transform};
use clap::Args;

/// The precision of real and complex numbers.
#[derive(Debug, Args)]
pub(super) struct PrecisionArguments {
    /// By default single, but double on a CPU for samples of 64-bit floats or of integers of 32 bits and more. A GPU computes in double only on request, if it supports it.
    #[arg(long, value_parser = one_of::<Precision>(), ignore_case = true)]
    pub(super) precision: Option<Precision>,
}

/// All parameters of transforms.
#[derive(Debug, Clone)]
pub(super) struct EveryParameter;

impl Offer for EveryParameter {
    type Of = Parameters;
}

/// The parameters of transforms with an inverse, for a command that goes both ways.
#[derive(Debug, Clone)]
pub(super) struct OfInvertible;

impl Offer for OfInvertible {
    type Of = Parameters;

    fn offers(id: Parameter) -> bool {
        let is_taken = |transform: &Transform| transform.has_coefficients() && transform.has(id);
        // The order of coefficients is the same before and after.
        let is_order = matches!(id, Parameter::Order | Parameter::IndexOrder | Parameter::PacketOrder | Parameter::TileLanes);
        id != Parameter::Direction && !is_order && TRANSFORMS.iter().any(is_taken)
    }
}

impl<O: Offer<Of = Parameters>> Choices<O> {
    /// Whether the inverse is asked for.
    pub(super) fn is_inverse(&self) -> bool {
        self.all().direction == Direction::Inverse
    }

    /// The parameters for `transform`.
    ///
    /// # Errors
    /// If the transform does not take a given parameter, or not this value.
    pub(super) fn of(&self, transform: &Transform) -> Result<Parameters, Failure> {
        let mut parameters = Parameters::default();
        for (key, text) in &self.given {
            let before = parameters;
            let mut rows = Parameters::with_key(key);
            match rows.clone().find(|choice| transform.has(choice.id) || choice.id == Parameter::TileLanes) {
                Some(choice) => choice
                    .set(&mut parameters, Some(text))
                    .map_err(|instead| Failure::Call(format!("{} has no --{key} {text}: {instead}", transform.name)))?,
                None => {
                    let choice = rows.find(|choice| choice.set(&mut parameters, Some(text)).is_ok());
                    // Who asks for what holds without the option asks for nothing.
                    if let Some(choice) = choice.filter(|_| parameters != before) {
                        return Err(foreign(choice, text, transform));
                    }
                }
            }
        }
        Ok(parameters)
    }

    /// Refuses --tile where none of the algorithms has a local part, or the longest row has fewer lanes. `None` stands for the fastest algorithm.
    pub(super) fn check_tile(&self, transform: &Transform, algorithms: &[Option<&Algorithm>], longest: Shape) -> Result<(), Failure> {
        let Parameters { tile_lanes: Some(tile), lines, .. } = self.all() else { return Ok(()) };
        let most = if lines == BatchAxis::Columns { longest.rows } else { longest.columns };
        Err(Failure::Call(match () {
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

/// The error for a parameter that the transform does not have.
fn foreign(choice: &Choice<Parameters>, text: &str, transform: &Transform) -> Failure {
    let value = if let Kind::Switch(_) = choice.kind { String::new() } else { format!(" {text}") };
    let takers = || TRANSFORMS.iter().filter(|other| other.has(choice.id)).map(|other| other.name).collect::<Vec<_>>().join(", ");
    let instead = match choice.id {
        Parameter::Direction => "leave it out".to_owned(),
        Parameter::Lines => format!("transpose the input, as it belongs to {}", takers()),
        _ => format!("it belongs to {}", takers()),
    };
    Failure::Call(format!("{} takes no --{}{value}: {instead}", transform.name, choice.key))
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

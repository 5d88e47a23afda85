//! `papillon matrix`: the stages of a plan as sparse matrices and formulas, their product, and the definition.

use super::arguments::{Size, no_format};
use super::choices::Choices;
use super::parameters::{EveryParameter, check_lines};
use super::plan::MOST_PRINTED_RADIX_2;
use super::{Failure, load_numbers, output, say};
use crate::graph::matrix::{
    MAX_MATRIX_LANES, MatrixFile, MatrixFormat, definition, difference, factor, product, product_name, system_matrix, whole,
};
use crate::numerals::number;
use crate::plan::Plan;
use crate::remedy::ending_list;
use crate::signal::System;
use crate::transforms::{Algorithm, Input, Parameters, Shape, Transform, transform};
use clap::Args;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Writes the matrix of a stage, of the stages up to it or of the whole transform, or lists the formulas of the stages.
///
/// A formula is written only where its matrix equals that of the stage, entry by entry.
#[derive(Debug, Args)]
pub(super) struct MatrixArguments {
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    transform: String,
    /// One of its algorithms with a flow graph; by default the one that `papillon graph` draws.
    #[arg(short, long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Values per row, or ROWSxCOLUMNS; at most 256 in all.
    #[arg(short = 'n', long, value_name = "SIZE", allow_negative_numbers = true)]
    size: Size,
    #[command(flatten)]
    parameters: Choices<EveryParameter>,
    /// The stage whose matrix is written, from 1 on; for a system of equations the stages that have run, from 0 on.
    #[arg(long, value_name = "NUMBER")]
    stage: Option<usize>,
    /// The product of the stages up to --stage; without --stage that of all, beside the definition.
    #[arg(long)]
    product: bool,
    /// The matrix by the definition of the transform.
    #[arg(long, conflicts_with_all = ["stage", "product"])]
    definition: bool,
    /// The file with the equations of a system, one row a, b, c, d for each; only for a transform of equations.
    #[arg(long, value_name = "INPUT")]
    values: Option<PathBuf>,
    #[arg(short, long, default_value = "-", value_name = "OUTPUT", help = output::endings_help(&MatrixFormat::endings(), ""))]
    output: PathBuf,
    /// The format on standard output, by the ending of its files.
    #[arg(long, default_value = "csv", value_parser = matrix_format, value_name = "FORMAT")]
    format: MatrixFormat,
}

/// Parses the format of a matrix file.
fn matrix_format(ending: &str) -> Result<MatrixFormat, String> {
    MatrixFormat::from_path(&PathBuf::from(format!("x.{ending}"))).ok_or_else(|| no_format(ending, &MatrixFormat::endings()))
}

pub(super) fn run(arguments: &MatrixArguments) -> Result<(), Failure> {
    let transform = transform(&arguments.transform)?;
    let (shape, parameters) = (arguments.size.shape(transform.axes), arguments.parameters.of(transform)?);
    let format = match output::is_standard(&arguments.output) {
        true => arguments.format,
        false => MatrixFormat::from_path(&arguments.output).ok_or_else(|| {
            let (path, endings) = (arguments.output.display(), ending_list(&MatrixFormat::endings()));
            Failure::Call(format!("'{path}' names no kind of matrix: end it with {endings}"))
        })?,
    };
    output::check(&arguments.output)?;
    check_lines(shape, parameters)?;
    // A plan has scratch lanes too, but never fewer lanes than values.
    if shape.len() > MAX_MATRIX_LANES {
        return Err(Failure::Call(format!("--size {} is too large: take at most {MAX_MATRIX_LANES} values", shape.len())));
    }
    let algorithm = match &arguments.algorithm {
        Some(name) => transform.algorithm(name)?,
        None => {
            transform.radix_2_for(shape, parameters, MOST_PRINTED_RADIX_2).unwrap_or_else(|| transform.first_plan_for(shape, parameters))
        }
    };
    let Some(build) = algorithm.plan_fn() else {
        return Err(Failure::Call(format!("{} is a library and has no stages: take another algorithm", algorithm.name)));
    };
    arguments.parameters.check_tile(transform, &[Some(algorithm)], shape)?;
    let parameters = transform.within_levels(shape, parameters);
    let wanted = Wanted { arguments, transform, algorithm, shape, parameters, plan: build(shape, parameters)? };
    if arguments.algorithm.is_none() && !arguments.definition {
        say(&format!("{} by {}", transform.name, algorithm.name));
    }
    let is_list = arguments.stage.is_none() && !arguments.product && !arguments.definition && transform.input != Input::Equations;
    let bytes = if is_list && output::is_standard(&arguments.output) {
        wanted.list()?.into_bytes()
    } else {
        let file = if transform.input == Input::Equations { wanted.system()? } else { wanted.matrix()? };
        file.bytes(format)?
    };
    output::bytes(&arguments.output, |out| out.write_all(&bytes))
}

/// The matrix that is asked for, and the plan.
struct Wanted<'a> {
    arguments: &'a MatrixArguments,
    transform: &'static Transform,
    algorithm: &'static Algorithm,
    shape: Shape,
    parameters: Parameters,
    plan: Plan,
}

impl Wanted<'_> {
    /// One line for each stage: its number, its label and its formula.
    fn list(&self) -> Result<String, Failure> {
        let mut text = String::new();
        for (index, stage) in self.plan.stages.iter().enumerate() {
            let formula = match factor(&self.plan, index) {
                Ok(factor) => factor.formula.map_or_else(
                    || format!("{} entries other than 0, and no shorter formula", factor.matrix.entries.len()),
                    |formula| formula.text(),
                ),
                Err(none) => none.to_string(),
            };
            writeln!(text, "{}\t{}\t{formula}", index + 1, stage.label).map_err(|_| Failure::Work("the list is too long".into()))?;
        }
        Ok(text)
    }

    /// The number of stages up to --stage, all without it.
    fn n_stages(&self, least: usize) -> Result<usize, Failure> {
        let n = self.plan.stages.len();
        match self.arguments.stage {
            Some(stage) if stage < least || stage > n => Err(Failure::Call(format!("--stage {stage} is not among the {n} stages"))),
            stage => Ok(stage.unwrap_or(n)),
        }
    }

    fn file(&self, what: &str, symbol: &str) -> MatrixFile {
        MatrixFile {
            title: format!("{} of {} values by {}, {what}", self.transform.title, self.shape.len(), self.algorithm.name),
            symbol: symbol.into(),
            formula: None,
            matrix: Default::default(),
            right: None,
            blocks: Vec::new(),
        }
    }

    fn matrix(&self) -> Result<MatrixFile, Failure> {
        let none = |none: crate::graph::matrix::NoMatrix| Failure::Work(none.to_string());
        let by_definition = || definition(self.transform, self.shape, self.parameters, self.plan.inputs);
        if self.arguments.definition {
            let matrix = by_definition().ok_or_else(|| Failure::Work(format!("{} has no definition as a matrix", self.transform.name)))?;
            return Ok(MatrixFile { matrix: matrix.tidied(self.plan.inputs), ..self.file("definition", "X") });
        }
        if let (Some(_), false) = (self.arguments.stage, self.arguments.product) {
            let index = self.n_stages(1)? - 1;
            let found = factor(&self.plan, index).map_err(none)?;
            let blocks = found.formula.as_ref().map(|formula| formula.blocks()).unwrap_or_default();
            let what = format!("stage {} of {}, {}", index + 1, self.plan.stages.len(), self.plan.stages[index].label);
            let file = self.file(&what, &format!("A{}", crate::figure::subscript(index + 1)));
            return Ok(MatrixFile { matrix: found.matrix, formula: found.formula, blocks, ..file });
        }
        let n = self.n_stages(0)?;
        if self.arguments.stage.is_some() {
            let file = self.file(&format!("the first {n} of {} stages", self.plan.stages.len()), &product_name(n));
            return Ok(MatrixFile { matrix: product(&self.plan, n).map_err(none)?, ..file });
        }
        let matrix = whole(&self.plan).map_err(none)?;
        if let Some(apart) = by_definition().and_then(|expected| difference(&matrix, &expected)) {
            say(&format!("the largest difference from the definition is {}", number(apart.largest, 2)));
        }
        Ok(MatrixFile { matrix: matrix.tidied(self.plan.inputs), ..self.file("all stages", &product_name(n)) })
    }

    /// The matrix of a system after some stages, with its right-hand side.
    fn system(&self) -> Result<MatrixFile, Failure> {
        let path = self.arguments.values.as_ref();
        let path = path.ok_or_else(|| Failure::Call("the stages of a system depend on its equations: give them by --values".into()))?;
        let rows = System::of(&load_numbers(path)?)?.rows;
        if rows.len() != self.plan.inputs {
            return Err(Failure::Call(format!("{} has {} equations, and --size is {}", path.display(), rows.len(), self.plan.inputs)));
        }
        let n = self.n_stages(0)?;
        let equations: Vec<_> = rows.into_iter().map(Into::into).collect();
        let system = system_matrix(&self.plan, n, &self.plan.run_equation_stages(&equations, n));
        let file = self.file(&format!("the system after {n} of {} stages", self.plan.stages.len()), "A");
        Ok(MatrixFile { matrix: system.matrix, right: Some(system.right), ..file })
    }
}

//! `papillon list`: prints the table of transforms.

use super::{Failure, output};
use crate::transforms::{Algorithm, Axes, TRANSFORMS, Transform};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Lists the transforms and their algorithms.
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &ListArguments) -> Result<(), Failure> {
    if arguments.json {
        let table: Vec<Value> = TRANSFORMS.iter().map(row).collect();
        return output::print(&format!("{:#}\n", Value::from(table)));
    }
    let mut text = String::new();
    for transform in TRANSFORMS {
        let done = writeln!(text, "{}  {}: {}", transform.name, transform.about, transform.formula);
        done.expect("writing to a string does not fail");
        let width = transform.algorithms.iter().map(|algorithm| algorithm.name.len()).max().unwrap_or(0);
        for algorithm in transform.algorithms {
            let done = writeln!(text, "    {:width$}  {}", algorithm.name, algorithm.about);
            done.expect("writing to a string does not fail");
        }
    }
    output::print(&text)
}

fn row(transform: &Transform) -> Value {
    let algorithm = |algorithm: &Algorithm| {
        json!({
            "name": algorithm.name,
            "about": algorithm.about,
            "source": algorithm.source,
            "flow_graph": algorithm.plan_fn().is_some(),
        })
    };
    let axes = match transform.axes {
        Axes::Rows => "rows",
        Axes::Columns => "columns",
        Axes::Both => "both",
    };
    json!({
        "name": transform.name,
        "title": transform.title,
        "family": transform.family.title(),
        "about": transform.about,
        "formula": transform.formula,
        "axes": axes,
        "algorithms": transform.algorithms.iter().map(algorithm).collect::<Vec<_>>(),
    })
}

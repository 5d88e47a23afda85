//! Assembles the WGSL of a kernel from its file in `shaders/` and from data: radices, strides, factors, sizes.
//!
//! A kernel's file holds its whole algorithm. Lines that begin with `//@` are statements of the template language (Jinja), and `⟨…⟩` stands for a value:
//!
//! ```wgsl
//! //@ for k in range(radix)
//! let a⟨k⟩ = input[first + ⟨k * stride⟩u];
//! //@ endfor
//! ```
//!
//! `//@ include "lane_real.wgsl"` inserts another file. `⟨value|real⟩` writes a number as a literal of the kernel's precision: the data of a kernel in double precision have `double: true`.
//! `cosine(k, n)` and `sine(k, n)` are the parts of the k-th power of the n-th root of unity.

use super::wgsl::literal;
use crate::plan::Precision;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{Environment, State, UndefinedBehavior, escape_formatter};
use serde::Serialize;
use std::collections::HashSet;
use std::f64::consts::TAU;
use std::sync::LazyLock;

/// Declares the files of `shaders/` by name.
macro_rules! shader_files {
    ($($name:literal),* $(,)?) => {
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../shaders/", $name)))),*];
    };
}

#[rustfmt::skip]
shader_files!(
    "bands.wgsl", "banks.wgsl", "bits.wgsl", "block.wgsl", "boundary.wgsl", "butterflies.wgsl", "butterfly.wgsl", "copy.wgsl", "display.wgsl", "doubling.wgsl", "extension.wgsl", "fft.wgsl", "fft_exchange.wgsl", "fft_gather.wgsl", "fft_join.wgsl", "fft_join_lines.wgsl", "fft_lines.wgsl", "fft_load.wgsl", "fft_macros.wgsl", "fft_part.wgsl", "fft_part_lines.wgsl", "fft_points.wgsl", "fft_store.wgsl", "filter_bank.wgsl", "filter_bank_butterfly.wgsl", "filter_bank_image.wgsl", "filter_bank_levels.wgsl", "filter_bank_values.wgsl", "haar.wgsl", "haar_inverse.wgsl", "half_spectrum.wgsl", "kronecker.wgsl", "kronecker_macros.wgsl", "lane_complex.wgsl", "lane_gf2.wgsl", "lane_integer.wgsl", "lane_prime.wgsl", "lane_real.wgsl", "lane_row.wgsl", "level_analysis.wgsl", "level_order.wgsl", "level_synthesis.wgsl", "lifting.wgsl", "lifting2d.wgsl", "lifting_forward.wgsl", "lifting_image.wgsl", "lifting_image_forward.wgsl", "lifting_image_inverse.wgsl", "lifting_image_read.wgsl", "lifting_image_read_coefficients.wgsl", "lifting_inverse.wgsl", "lifting_level.wgsl", "lifting_steps.wgsl", "look.wgsl", "nested.wgsl", "numbers.wgsl", "paired.wgsl", "permutation.wgsl", "reduced_equations.wgsl", "residues.wgsl", "scan_sections.wgsl", "scan_sections_level.wgsl", "section_units.wgsl", "split_merge.wgsl", "split_merge_samples.wgsl", "split_merge_steps.wgsl", "stage.wgsl", "stage_butterfly.wgsl", "stage_helpers.wgsl", "transpose.wgsl", "tridiagonal.wgsl", "tridiagonal_load.wgsl", "tridiagonal_rows.wgsl", "tridiagonal_unknowns.wgsl", "vectors.wgsl", "widen.wgsl",
);

/// The files, each of which is parsed once, when a kernel needs it: all of them take 2 ms.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let syntax = SyntaxConfig::builder().variable_delimiters("⟨", "⟩").line_statement_prefix("//@").keep_trailing_newline(true).build();
    let mut environment = Environment::new();
    environment.set_syntax(syntax.expect("the delimiters differ from each other"));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_filter("real", real);
    environment.add_function("cosine", |k: usize, n: usize| (TAU * (k % n) as f64 / n as f64).cos());
    environment.add_function("sine", |k: usize, n: usize| (TAU * (k % n) as f64 / n as f64).sin());
    // Truth values as WGSL writes them.
    environment.set_formatter(|out, state, value| match bool::try_from(value.clone()) {
        Ok(truth) if value.kind() == ValueKind::Bool => Ok(write!(out, "{truth}")?),
        _ => escape_formatter(out, state, value),
    });
    environment.set_loader(|name| Ok(FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned())));
    environment
});

/// Parses all files, which stay parsed: for who knows that a kernel will be asked for, and has nothing else to do.
pub fn parse_shaders() {
    // A file that cannot be parsed is told where a kernel needs it.
    FILES.iter().for_each(|(file, _)| drop(ENVIRONMENT.get_template(file)));
}

/// Fills the template `file` of `shaders/` with data.
///
/// # Panics
/// When the file is not in the list, or uses a value that the data lack: both are mistakes in the program, and the tests assemble every kernel.
pub(super) fn assemble(file: &str, data: impl Serialize) -> String {
    let text = ENVIRONMENT.get_template(file).and_then(|template| template.render(Value::from(Serde(&data))));
    tidied(&text.unwrap_or_else(|error| panic!("shaders/{file}: {error:#}")))
}

/// The text as a person writes it: indented by its braces, without blank lines that follow one another. A comment that was unrolled appears once.
fn tidied(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_comment = |line: &str| line.starts_with("//");
    let (mut tidied, mut comments, mut depth) = (String::with_capacity(text.len()), HashSet::new(), 0_usize);
    for block in lines.chunk_by(|a, b| is_comment(a) == is_comment(b)) {
        if is_comment(block[0]) && !comments.insert(block) {
            continue;
        }
        for line in block {
            let code = line.split("//").next().unwrap_or_default();
            let closed_first = code.chars().take_while(|character| "})]".contains(*character)).count();
            let indentation = if line.is_empty() { 0 } else { 4 * depth.saturating_sub(closed_first) };
            let is_gap = tidied.is_empty() || tidied.ends_with("\n\n") || tidied.ends_with("{\n");
            if !line.is_empty() || !is_gap {
                tidied.extend([" ".repeat(indentation).as_str(), line, "\n"]);
            }
            depth = (depth + code.matches(['{', '(', '[']).count()).saturating_sub(code.matches(['}', ')', ']']).count());
        }
    }
    tidied
}

/// A number as a literal of the precision of the kernel, rounded once.
fn real(state: &State<'_, '_>, value: f64) -> String {
    let double = state.lookup("double").is_some_and(|value| value.is_true());
    literal(value, if double { Precision::Double } else { Precision::Single })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_unrolls_and_writes_literals_as_wgsl_does() {
        let mut environment = ENVIRONMENT.clone();
        environment.add_template("test", "//@ for k in range(n)\nlet a⟨k⟩ = ⟨factor|real⟩ * ⟨k * 2⟩u;\n//@ endfor\n").unwrap();
        let template = environment.get_template("test").unwrap();
        let text = template.render(minijinja::context! { n => 2, factor => 0.5 }).unwrap();
        assert_eq!(text, "let a0 = 0.5f * 0u;\nlet a1 = 0.5f * 2u;\n");
        let text = template.render(minijinja::context! { n => 1, factor => 3, double => true }).unwrap();
        assert_eq!(text, "let a0 = 3.0lf * 0u;\n");
        environment.add_template("truth", "⟨n > 1⟩").unwrap();
        assert_eq!(tidied("// a\nif x {\nf(\n2\n);\n}\n\n\n// a\ny\n"), "// a\nif x {\n    f(\n        2\n    );\n}\n\ny\n");
        assert_eq!(environment.get_template("truth").unwrap().render(minijinja::context! { n => 2 }).unwrap(), "true");
    }
}

//! The formulas of the literature, the product of the factors, reduced systems, and files.

use super::*;
use crate::figure::FigureFormat;
use crate::plan::{Direction, ReducedEquation};
use crate::transforms::{Numbers, TRANSFORMS, transform};

fn plan(name: &str, algorithm: &str, n: usize, parameters: Parameters) -> Plan {
    transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap()(Shape::line(n), parameters).unwrap()
}

/// The formulas of all stages, the first one first.
fn formulas(name: &str, algorithm: &str, n: usize, parameters: Parameters) -> Vec<String> {
    let plan = plan(name, algorithm, n, parameters);
    let text = |stage| factor(&plan, stage).unwrap().formula.map_or_else(|| "none".into(), |formula| formula.text());
    (0..plan.stages.len()).map(text).collect()
}

#[test]
fn stages_have_the_formulas_of_the_literature() {
    let default = Parameters::default();
    assert_eq!(formulas("walsh", "cooley-tukey", 8, default), ["W ⊗ I₄", "I₂ ⊗ W ⊗ I₂", "I₄ ⊗ W"]);
    assert_eq!(formulas("walsh", "constant-geometry", 8, default), ["L(8, 2)·(I₄ ⊗ W)"; 3]);
    assert_eq!(formulas("reed-muller", "cooley-tukey", 4, default), ["M ⊗ I₂", "I₂ ⊗ M"]);
    assert_eq!(
        formulas("dft", "cooley-tukey-dif", 8, default),
        ["T(2, 4)·(F₂ ⊗ I₄)", "I₂ ⊗ (T(2, 2)·(F₂ ⊗ I₂))", "I₄ ⊗ F₂"],
        "Gentleman and Sande's decimation in frequency"
    );
    assert_eq!(formulas("dft", "stockham-2", 8, default), ["L(8, 4)·T(2, 4)·(F₂ ⊗ I₄)", "(L(4, 2)·T(2, 2)·(F₂ ⊗ I₂)) ⊗ I₂", "F₂ ⊗ I₄"]);
    assert_eq!(
        formulas("dft", "stockham-dit-2", 8, default),
        ["L(8, 4)·(F₂ ⊗ I₄)", "(L(4, 2) ⊗ I₂)·(F₂ ⊗ I₄)·D", "(F₂ ⊗ I₄)·T(2, 4)"],
        "decimation in time: the twiddles stand before the butterflies"
    );
    let reversed = formulas("dft", "cooley-tukey", 8, default);
    assert_eq!(reversed.last().unwrap(), "R₈");
    assert_eq!(formulas("haar", "constant-geometry", 8, default), ["L(8, 2)·(I₄ ⊗ W)", "(L(4, 2)·(I₂ ⊗ W)) ⊕ I₄", "W ⊕ I₆"]);
    let one_level = Parameters { levels: Some(1), ..default };
    assert_eq!(formulas("d4", "filter-bank", 8, one_level), ["[H; G]"]);
    let lifting = formulas("cdf97", "direct", 8, one_level);
    assert_eq!(lifting[..2], ["I₈ + α·N", "I₈ + β·N"]);
    assert!(lifting.iter().all(|formula| formula != "none"), "{lifting:?}");
}

#[test]
fn formulas_follow_the_size_the_radix_and_the_direction() {
    let default = Parameters::default();
    let inverse = Parameters { direction: Direction::Inverse, ..default };
    assert!(formulas("dft", "stockham", 64, default)[0].contains("F₈") || formulas("dft", "stockham", 64, default)[0].contains("F₄"));
    assert!(formulas("dft", "stockham-2", 16, inverse)[0].contains("T*(2, 8)"), "{:?}", formulas("dft", "stockham-2", 16, inverse));
    let rows = transform("walsh").unwrap().algorithm("constant-geometry").unwrap().plan_fn().unwrap();
    let batch = rows(Shape { rows: 3, columns: 4 }, default).unwrap();
    assert_eq!(factor(&batch, 0).unwrap().formula.unwrap().text(), "I₃ ⊗ (L(4, 2)·(I₂ ⊗ W))");
}

#[test]
fn the_product_of_the_factors_is_the_transform() {
    let (mut n_plans, mut n_stages, mut n_formulas) = (0, 0, 0);
    for row in TRANSFORMS.iter().filter(|row| ![Numbers::HalfSpectrum, Numbers::Residues].contains(&row.gives)) {
        for algorithm in row.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            let shape = if row.axes == Axes::Both { Shape { rows: 4, columns: 4 } } else { Shape::line(16) };
            let Ok(plan) = build(shape, Parameters::default()) else { continue };
            let Ok(shown) = whole(&plan) else { continue };
            let found: Vec<Factor> = (0..plan.stages.len()).map(|stage| factor(&plan, stage).unwrap()).collect();
            let start = Formula::Identity(plan.lanes).matrix().corner(plan.lanes, plan.inputs);
            let product = found.iter().fold(start, |product, factor| factor.matrix.times(&product));
            let dense = product.dense();
            let rows = plan.output.natural(&dense[..plan.outputs]);
            let exact: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|x| plan.ring.reduced(*x)).collect()).collect();
            let apart = difference(&SparseMatrix::of_rows(&exact, plan.inputs), &shown).unwrap();
            assert!(apart.largest < 1e-12 * shown.largest(), "{} {}: {apart:?}", row.name, algorithm.name);
            if let Some(expected) = definition(row, shape, Parameters::default(), plan.inputs) {
                let apart = difference(&shown, &expected).expect("the definition has the size of the plan");
                assert!(apart.largest < 1e-12 * expected.largest(), "{} {}: {apart:?}", row.name, algorithm.name);
            }
            n_plans += 1;
            n_stages += found.len();
            n_formulas += found.iter().filter(|factor| factor.formula.is_some()).count();
        }
    }
    assert!(n_plans > 40 && 10 * n_formulas > 9 * n_stages, "{n_formulas} formulas for {n_stages} stages of {n_plans} plans");
}

#[test]
fn a_wrong_formula_is_not_shown() {
    let plan = plan("walsh", "constant-geometry", 8, Parameters::default());
    let right = factor(&plan, 0).unwrap();
    let mut other = right.matrix.clone();
    other.entries[3].weight = Coef::Real(2.0);
    assert_eq!(recognise(&plan.stages[0], &other, plan.ring), None);
    assert_eq!(difference(&right.matrix, &other).unwrap(), MatrixDifference { largest: 1.0, at: [1, 3] });
}

#[test]
fn stages_without_a_matrix_say_why() {
    let of = |name: &str| {
        let row = transform(name).unwrap();
        whole(&row.plan(Shape::line(8), Parameters::default()).unwrap()).unwrap_err().to_string()
    };
    assert!(of("dyadic-convolution").contains("multiplies two values"), "{}", of("dyadic-convolution"));
    assert!(of("tridiagonal").contains("eliminates"));
    let large = plan("walsh", "cooley-tukey", 512, Parameters::default());
    assert_eq!(factor(&large, 0).unwrap_err(), NoMatrix::Lanes { lanes: 512 });
}

#[test]
fn a_reduced_system_keeps_its_solution_and_loses_its_neighbours() {
    let plan = plan("tridiagonal", "cyclic-reduction", 7, Parameters::default());
    let rows: Vec<_> = (0..7).map(|i| ReducedEquation { a: f64::from(i > 0), b: 4.0, c: f64::from(i < 6), d: i as f64 + 1.0 }).collect();
    let x: Vec<f64> = plan.run_equations(&rows).iter().map(|row| row.d).collect();
    for n in 0..=plan.stages.len() {
        let shown = system_matrix(&plan, n, &plan.run_equation_stages(&rows, n));
        for (row, right) in shown.right.iter().enumerate() {
            let entries = shown.matrix.entries.iter().filter(|entry| entry.row == row);
            let sum: f64 = entries.map(|entry| entry.weight.value().re * x[entry.column]).sum();
            assert!((sum - right).abs() < 1e-12, "equation {row} after {n} stages");
        }
    }
    // After the first reduction every second equation reaches over its neighbours.
    let first = system_matrix(&plan, 1, &plan.run_equation_stages(&rows, 1));
    assert_eq!(first.matrix.entries.iter().filter(|e| e.row == 3).map(|e| e.column).collect::<Vec<_>>(), [1, 3, 5]);
    assert_eq!(first.changed, [false, true, false, true, false, true, false]);
    let last = system_matrix(&plan, plan.stages.len(), &plan.run_equations(&rows));
    assert!(last.matrix.is_like(&Formula::Identity(7).matrix()) && last.n_solved() == 7);
}

#[test]
fn entries_are_exact_where_they_can_be() {
    let roots = whole(&plan("dft", "stockham-2", 8, Parameters::default())).unwrap().tidied(8);
    let texts: Vec<String> = (0..8).map(|column| entry_text(roots.at(1, column).unwrap().weight)).collect();
    assert_eq!(texts, ["1", "ω¹₈", "−i", "ω³₈", "−1", "ω⁵₈", "i", "ω⁷₈"]);
    assert_eq!([Coef::Real(0.5), Coef::Real(-0.125), Coef::Complex { re: 0.0, im: -1.0 }].map(entry_text), ["½", "−0.125", "−i"]);
    assert_eq!(entry_tex(Coef::root(3, 16, Direction::Forward)), "\\omega ^{3}_{16}");
}

#[test]
fn files_hold_the_matrix() {
    let plan = plan("walsh", "cooley-tukey", 4, Parameters::default());
    let Factor { matrix, formula } = factor(&plan, 0).unwrap();
    let file = MatrixFile { title: "t".into(), symbol: "A₁".into(), formula, matrix, right: None, blocks: Vec::new() };
    let text = |format| String::from_utf8(file.bytes(format).unwrap()).unwrap();
    assert_eq!(text(MatrixFormat::Csv), "1,0,1,0\n0,1,0,1\n1,0,-1,0\n0,1,0,-1\n");
    let tex = text(MatrixFormat::Tex);
    assert!(tex.contains("A_{1} = W \\otimes I_{2} = ") && tex.contains("1 & \\cdot & -1 & \\cdot"), "{tex}");
    let svg = text(MatrixFormat::Drawing(FigureFormat::Svg));
    assert_eq!(svg.matches("fill=\"#0072b2\"").count(), 6, "{svg}");
    assert_eq!(svg.matches("fill=\"#d55e00\"").count(), 2);
}

#[test]
fn blocks_are_outlined() {
    let d4 = plan("d4", "filter-bank", 8, Parameters { levels: Some(2), ..Parameters::default() });
    let blocks = factor(&d4, 1).unwrap().formula.unwrap().blocks();
    assert_eq!(blocks, [[0..2, 0..4], [2..4, 0..4], [4..8, 4..8]], "low-pass, high-pass, and what the level leaves");
}

//! The plans of a transform do what its row of the table declares.

use num_complex::Complex64;
use papillon::gpu::{Limits, most_overlapped_levels, overlapped};
use papillon::plan::{Direction, Plan, Precision, Ring, Stage};
use papillon::schedule::{Schedule, SplitAndMerge};
use papillon::transforms::{
    Axes, Family, Input, Numbers, Parameter, Parameters, ResultIndex, ScheduleKind, Sections, Shape, TRANSFORMS, Transform, transform,
};

/// The largest error of a round trip of 16 samples.
const ROUNDING: f64 = 1e-12;

/// 16 samples, as a line or as an image.
fn shape(transform: &Transform) -> Shape {
    if transform.axes == Axes::Both { Shape { rows: 4, columns: 4 } } else { Shape::line(16) }
}

/// Values without a pattern for the inputs of a plan: bits over GF(2), and without an imaginary part where `is_real`.
fn values(plan: &Plan, is_real: bool) -> Vec<Complex64> {
    let value = |i: usize| match plan.ring {
        Ring::Gf2 => Complex64::from((i * i % 7 % 2) as f64),
        Ring::Prime(_) => Complex64::from((i * i % 7) as f64),
        _ => Complex64::new((i as f64 * 0.7).sin(), if is_real { 0.0 } else { (i as f64 * 1.3).cos() }),
    };
    (0..plan.inputs).map(value).collect()
}

/// Visits the row and the plan of every algorithm, forward.
fn every_plan(mut visit: impl FnMut(&Transform, &str, &dyn Fn(Shape, Parameters) -> Plan, Plan)) {
    for transform in TRANSFORMS {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            let what = format!("{} by {}", transform.name, algorithm.name);
            let build = |shape, parameters| build(shape, parameters).unwrap_or_else(|error| panic!("{what}: {error}"));
            visit(transform, &what, &build, build(shape(transform), Parameters::default()));
        }
    }
}

fn run(plan: &Plan, input: &[Complex64]) -> Vec<Complex64> {
    plan.output.natural(&plan.run(input))
}

fn is_near(a: &[Complex64], b: &[Complex64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).norm() < ROUNDING)
}

#[test]
fn plans_have_the_declared_ring_and_ends() {
    every_plan(|transform, what, _, plan| {
        // The root of a prime field follows from the length.
        assert_eq!(plan.ring.name(), transform.ring.name(), "{what}");
        assert!(plan.ring == transform.ring || transform.takes == Numbers::Residues, "{what}");
        assert_eq!(plan.ring == Ring::Equation, transform.input == Input::Equations, "{what}");
        assert_eq!(plan.ring == Ring::Gf2, transform.takes == Numbers::Bits, "{what}");
        let shape = shape(transform);
        // Real samples may be in pairs in complex lanes.
        let n_inputs = match transform.input {
            Input::TwoSignals => vec![2 * shape.len()],
            Input::Signal if transform.takes == Numbers::Real => vec![shape.len() / 2, shape.len()],
            Input::Signal | Input::Equations => vec![shape.len()],
        };
        assert!(n_inputs.contains(&plan.inputs), "{what} takes {} values", plan.inputs);
        if transform.input != Input::Equations {
            assert_eq!(plan.outputs, transform.result_shape(shape, Parameters::default()).len(), "{what}");
        }
    });
}

#[test]
fn only_declared_inverses_exist_and_lead_back() {
    every_plan(|transform, what, build, forward| {
        if transform.input == Input::Equations {
            return assert!(!transform.has_inverse);
        }
        let parameters = Parameters { direction: Direction::Inverse, columns: Some(shape(transform).columns), ..Parameters::default() };
        let back = build(transform.result_shape(shape(transform), Parameters::default()), parameters);
        let samples = values(&forward, transform.takes == Numbers::Real && transform.gives == Numbers::Real);
        let leads_back = back.inputs == forward.outputs && is_near(&run(&back, &run(&forward, &samples)), &samples);
        assert_eq!(leads_back, transform.has_inverse, "{what}");
    });
}

#[test]
fn results_are_the_declared_numbers() {
    every_plan(|transform, what, _, plan| {
        if transform.input == Input::Equations {
            return;
        }
        let result = run(&plan, &values(&plan, true));
        let is_real = result.iter().all(|value| value.im.abs() < ROUNDING);
        match transform.gives {
            Numbers::Any | Numbers::Real => assert!(is_real, "{what}"),
            Numbers::Complex | Numbers::HalfSpectrum => assert!(!is_real, "{what}"),
            Numbers::Bits | Numbers::Residues => assert!(result.iter().all(|&value| value == plan.ring.reduced(value)), "{what}"),
        }
    });
}

#[test]
fn a_wave_has_one_frequency_and_its_opposite() {
    every_plan(|transform, what, _, plan| {
        // A plan with the misprint of a paper is not a Fourier transform.
        let is_wave = transform.has_inverse
            && transform.axes == Axes::Rows
            && transform.takes == Numbers::Complex
            && transform.family == Family::Fourier;
        if is_wave {
            assert_eq!(transform.index, ResultIndex::Frequency, "{what}");
            let wave: Vec<Complex64> = (0..16).map(|n| (std::f64::consts::TAU * 3.0 * n as f64 / 16.0).cos().into()).collect();
            let found: Vec<usize> = (0..16).filter(|&k| run(&plan, &wave)[k].norm() > ROUNDING).collect();
            assert_eq!(found, [3, 13], "{what}");
        }
    });
}

#[test]
fn partners_are_the_same_along_other_axes() {
    for row in TRANSFORMS {
        let Some(partner) = row.partner else { continue };
        let partner = transform(partner).unwrap();
        assert_eq!(partner.partner, Some(row.name));
        assert_ne!(partner.axes, row.axes);
        assert_eq!((partner.family, partner.takes, partner.gives), (row.family, row.takes, row.gives), "{}", row.name);
    }
}

/// The plan of 64 samples, which has boundaries between tiles; of an image where the transform takes images.
fn plan_in_tiles(transform: &Transform, build: &dyn Fn(Shape, Parameters) -> Plan) -> Plan {
    build(if transform.axes == Axes::Both { Shape { rows: 16, columns: 16 } } else { Shape::line(64) }, Parameters::default())
}

#[test]
fn only_declared_sections_exist() {
    every_plan(|row, what, build, _| {
        let name = what.rsplit(' ').next().unwrap();
        let plan = plan_in_tiles(row, build);
        let split = Schedule::split_and_merge(&plan, SplitAndMerge { block: 8, ..SplitAndMerge::default() });
        let has_sections = split.launches.iter().any(|launch| launch.section().is_some());
        let schedules = row.algorithm(name).unwrap().schedules();
        assert_eq!(has_sections, schedules.sections != Sections::None, "{what}");
        assert!(has_sections || schedules.usual != ScheduleKind::Sections, "{what}");
        if row.has(Parameter::Levels) {
            let is_in_place = plan.stages.first().is_some_and(Stage::in_place);
            // A transposition is between both axes.
            let is_square = is_in_place && !name.ends_with("transposed");
            assert_eq!(is_square, schedules.sections == Sections::Squares, "{what}");
        }
    });
}

#[test]
fn only_declared_levels_are_overlapped() {
    let limits = Limits { workgroup_bytes: 32 << 10, max_invocations: 256, max_groups: 65_535, subgroup: 1, precision: Precision::Single };
    every_plan(|row, what, build, _| {
        let name = what.rsplit(' ').next().unwrap();
        let plan = plan_in_tiles(row, build);
        let most = overlapped(&plan, None, limits).map(|_| most_overlapped_levels(&plan));
        assert_eq!(most, row.algorithm(name).unwrap().schedules().overlapped_levels, "{what}");
    });
}

//! Every way on the CPU runs any affine stage: backwards, from a base lane, with constants in twiddles, in place and in batches.

#[path = "../common/affine.rs"]
mod plans;

use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend};
use papillon::schedule::Schedule;
use std::sync::atomic::AtomicBool;

#[test]
fn every_way_runs_any_affine_stage() {
    let mut n_backwards = 0;
    for (index, plan) in plans::plans(300).into_iter().enumerate() {
        assert_eq!(plan.unwritten(), None);
        n_backwards += usize::from(plan.stages.iter().any(|stage| stage.read.advance < 0 || stage.read.hop < 0));
        let input: Vec<Complex64> = (0..plan.inputs).map(|i| Complex64::new((i as f64).sin(), (i as f64 * 0.7).cos())).collect();
        let expected = plan.run(&input);
        for schedule in [Schedule::by_stage(&plan), Schedule::tiled(&plan, 64)] {
            schedule.check(&plan).unwrap();
            for way in CpuBackend::ALL {
                let (result, _) = cpu::run(&plan, &schedule, &input, way, &AtomicBool::new(false)).unwrap();
                let error = result.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
                let largest = expected.iter().map(|value| value.norm()).fold(1.0, f64::max);
                assert!(error < 1e-13 * largest, "plan {index}, {way:?}: {error:e} of {largest}\n{plan:#?}");
            }
        }
        // A stage that can work in place gives the same on one array.
        if plan.stages.iter().all(|stage| stage.writes_its_taps()) {
            assert!(plan.in_place());
        }
    }
    assert!(n_backwards > 100, "{n_backwards} plans read backwards");
}

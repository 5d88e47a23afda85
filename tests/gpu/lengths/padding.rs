//! A transposition with and without the padding of its workgroup memory: the same result, and the times of both.

use crate::common::{GO, complex_noise, device, relative_error, single};
use papillon::engine::{Devices, time_padding};
use papillon::plan::shapes::TranspositionStage;
use papillon::plan::{Plan, Precision, ResultOrder, Ring};
use papillon::schedule::Schedule;

fn transposition() -> Plan {
    Plan::new(Ring::Complex, 64 * 96, vec![TranspositionStage { rows: 64, columns: 96 }.stage()], ResultOrder::Natural)
}

#[test]
fn a_transposition_is_right_at_every_pitch() {
    let (plan, input) = (transposition(), complex_noise(64 * 96));
    let expected = plan.run(&input);
    for pitch in [32, 33, 36] {
        let prepared = device().prepare_pitched(&plan, &Schedule::by_stage(&plan), Precision::Single, pitch).unwrap();
        assert_eq!(prepared.commands()[0].kernel.pitch(), Some(pitch));
        prepared.upload(&single(&input), &GO).unwrap();
        prepared.spoil().unwrap();
        prepared.run(&GO).unwrap();
        assert_eq!(relative_error(&prepared.download(&GO).unwrap(), &expected), 0.0, "pitch {pitch}");
    }
}

#[test]
fn padding_is_timed_in_turn() {
    let times = time_padding(&transposition(), 0, Precision::Single, device().info().index, &mut Devices::default(), &GO).unwrap();
    assert_eq!((times.n, times.adapter.as_str()), (25, device().info().name.as_str()));
    assert!(times.micros.iter().all(|[median, low, high]| *low > 0.0 && low <= median && median <= high), "{times:?}");
}

//! A transposition with and without the padding of its workgroup memory: the same result, and the times of both.

use crate::common::{GO, complex_noise, device, relative_error, single};
use papillon::engine::{Devices, time_padding};
use papillon::plan::shapes::TranspositionStage;
use papillon::plan::{Plan, Precision, ResultOrder, Ring};
use papillon::schedule::{KernelVariant, Launch, Schedule, Tile};

fn transposition() -> Plan {
    Plan::new(Ring::Complex, 64 * 96, vec![TranspositionStage { rows: 64, columns: 96 }.stage()], ResultOrder::Natural)
}

#[test]
fn a_transposition_is_right_at_every_pitch() {
    let (plan, input) = (transposition(), complex_noise(64 * 96));
    let expected = plan.run(&input);
    for (square, pitch) in [(None, 32), (None, 33), (None, 36), (Some(16), 16), (Some(16), 17), (Some(64), 64), (Some(64), 65)] {
        let tile = square.map_or(Tile::Each, |_| Tile::Variant(KernelVariant { square, ..KernelVariant::default() }));
        let schedule = Schedule { launches: vec![Launch { stages: 0..1, tile }] };
        let prepared = device().prepare_pitched(&plan, &schedule, Precision::Single, pitch).unwrap();
        assert_eq!(schedule.launches[0].n_tiles(&plan), if square.is_some() { prepared.commands()[0].groups[0] as usize } else { 64 * 96 });
        assert_eq!(prepared.commands()[0].kernel.pitch(), Some(pitch));
        prepared.upload(&single(&input), &GO).unwrap();
        prepared.spoil().unwrap();
        prepared.run(&GO).unwrap();
        assert_eq!(relative_error(&prepared.download(&GO).unwrap(), &expected), 0.0, "pitch {pitch}");
    }
}

#[test]
fn padding_is_timed_in_turn() {
    let launch = Launch { stages: 0..1, tile: Tile::Each };
    let times = time_padding(&transposition(), &launch, Precision::Single, device().info().index, &mut Devices::default(), &GO).unwrap();
    assert_eq!((times.n, times.adapter.as_str()), (25, device().info().name.as_str()));
    assert!(times.micros.iter().all(|[median, low, high]| *low > 0.0 && low <= median && median <= high), "{times:?}");
}

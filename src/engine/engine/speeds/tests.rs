//! Which backend a job takes, by its size and by what is known of the machine.

use super::*;
use crate::engine::{Cut, MeasuredEntry, MeasuredTime};
use crate::signal::{Samples, Signal};
use crate::transforms::{Parameters, transform};
use std::sync::Arc;

const CLOSED: DeviceState = DeviceState { is_open: false, is_prepared: false, n_alike: 0 };
const OPEN: DeviceState = DeviceState { is_open: true, ..CLOSED };
const PREPARED: DeviceState = DeviceState { is_prepared: true, ..OPEN };

/// A job of a shape, whose samples nobody reads.
fn size(name: &str, rows: usize, columns: usize, stays: bool) -> JobSize {
    let row = transform(name).expect("it is in the table");
    let job = Job { parameters: Parameters::default(), ..Job::new(Arc::new(Signal::row("one", Samples::F32(vec![0.0]))), row.name) };
    JobSize::of(&job, row, Shape { rows, columns }, stays)
}

/// Times of runs on a machine with an NVIDIA H200 and 16 cores.
fn known() -> Speeds {
    let of = |speed: f64| BTreeMap::from([("dft2".to_owned(), speed)]);
    let gpu = GpuSpeeds {
        name: "NVIDIA H200".into(),
        driver: "580".into(),
        open: 145e3,
        array: 2_147_483_644,
        transfer: BTreeMap::from([(16, [30e3, 36e3])]),
        work: of(7e-7),
        compile: of(9e3),
    };
    Speeds { cpu: BTreeMap::from([("dft2, 16".to_owned(), 1.4e-4)]), gpu: Some(gpu) }
}

#[test]
fn the_backend_that_gives_the_result_sooner_is_taken() {
    for (what, speeds, n_threads, size, state, takes_gpu) in [
        ("a new process on an unknown machine", Speeds::default(), 16, size("dft2", 1024, 1024, false), CLOSED, false),
        ("a huge image there", Speeds::default(), 2, size("dft2", 16384, 8192, false), CLOSED, true),
        ("a new process", known(), 16, size("dft2", 1024, 1024, false), CLOSED, false),
        ("4096² in a new process", known(), 16, size("dft2", 4096, 4096, false), CLOSED, false),
        ("8192² in a new process", known(), 16, size("dft2", 8192, 8192, false), CLOSED, true),
        ("16384² is beyond a binding of the device", known(), 16, size("dft2", 16384, 16384, false), CLOSED, false),
        ("the same where the device is open and ready", known(), 16, size("dft2", 16384, 16384, false), PREPARED, false),
        ("1024² for an open device", known(), 16, size("dft2", 1024, 1024, true), OPEN, false),
        ("1024² for the fourth time", known(), 16, size("dft2", 1024, 1024, true), DeviceState { n_alike: 3, ..OPEN }, true),
        ("1024² for kernels that ran last", known(), 16, size("dft2", 1024, 1024, true), PREPARED, true),
        ("a short line for an open device", known(), 16, size("dft2", 1, 256, true), PREPARED, false),
    ] {
        let compared = speeds.compare(&size, n_threads, state, &Measured::default());
        assert_eq!(compared.takes_gpu(), takes_gpu, "{what}: {compared:?}");
    }
}

#[test]
fn speeds_that_another_program_has_kept_stay() {
    let (mut mine, mut theirs) = (known(), known());
    mine.cpu.insert("walsh, 16".into(), 1.0);
    theirs.cpu.extend([("walsh, 16".to_owned(), 2.0), ("haar, 2".to_owned(), 3.0)]);
    let gpu = |speeds: &mut Speeds| speeds.gpu.take().expect("it is known");
    let (mut my_gpu, mut their_gpu) = (gpu(&mut mine), gpu(&mut theirs));
    my_gpu.work.insert("walsh".into(), 4.0);
    their_gpu.work.extend([("walsh".to_owned(), 5.0), ("haar".to_owned(), 6.0)]);
    their_gpu.transfer.insert(2, [7.0, 8.0]);
    let of = |gpu: &GpuSpeeds| Speeds { gpu: Some(gpu.clone()), ..mine.clone() };
    let both = of(&my_gpu).with_those_of(Speeds { gpu: Some(their_gpu.clone()), ..theirs.clone() });
    assert_eq!([both.cpu["walsh, 16"], both.cpu["haar, 2"]], [1.0, 3.0], "the newer one of each");
    let found = both.gpu.expect("both know it");
    assert_eq!(([found.work["walsh"], found.work["haar"]], found.transfer[&2]), ([4.0, 6.0], [7.0, 8.0]));
    // Another GPU, or another driver, has other speeds.
    their_gpu.driver = "581".into();
    let mine_alone = of(&my_gpu).with_those_of(Speeds { gpu: Some(their_gpu.clone()), ..theirs.clone() });
    assert_eq!(mine_alone.gpu, Some(my_gpu));
    assert_eq!(mine.with_those_of(Speeds { gpu: Some(their_gpu.clone()), ..theirs }).gpu, Some(their_gpu), "it is better than none");
}

#[test]
fn a_result_that_stays_on_the_device_counts_no_download() {
    let [whole, stays] = [false, true]
        .map(|stays| known().compare(&size("dft2", 4096, 4096, stays), 16, PREPARED, &Measured::default()).gpu.expect("it fits"));
    assert!(whole.transfers > stays.transfers + 3e3, "134 MB at 36 GB/s: {whole:?}, {stays:?}");
    let [lines, columns] = ["dft", "rdft"].map(|name| size(name, 1, 1 << 20, false).bytes);
    assert_eq!([lines, columns], [[4e6 * 1.048_576, 8e6 * 1.048_576], [4e6 * 1.048_576, 4e6 * 1.048_576]]);
}

#[test]
fn both_times_stand_beside_the_choice() {
    let reason = |size: JobSize, state: DeviceState| {
        let compared = known().compare(&size, 16, state, &Measured::default());
        compared.reason(compared.takes_gpu())
    };
    let closed = reason(size("dft2", 1024, 1024, false), CLOSED);
    assert_eq!(closed, "about 2.9 ms here, 150 ms on a GPU that opens in 150 ms");
    assert_eq!(reason(size("dft2", 1024, 1024, true), PREPARED), "about 300 µs here, 2.9 ms on the CPU");
    assert_eq!(reason(size("dft2", 16384, 16384, false), OPEN), "NVIDIA H200 takes no arrays of this size");
    let unknown = Speeds::default().compare(&size("dft2", 64, 64, false), 4, CLOSED, &Measured::default()).reason(false);
    assert!(unknown.starts_with("about ") && unknown.ends_with(" here, 250 ms with the opening of a GPU"), "{unknown}");
}

#[test]
fn transfers_are_known_by_the_threads_that_copy() {
    let gpu = known().gpu.expect("it is known");
    assert_eq!([16, 32, 2].map(|n| gpu.transfer_on(n)), [[30e3, 36e3], [30e3, 36e3], [3.75e3, 4.5e3]]);
    let both = GpuSpeeds { transfer: BTreeMap::from([(2, [6e3, 1e3]), (16, [30e3, 36e3])]), ..gpu };
    assert_eq!([1, 2, 4, 12].map(|n| both.transfer_on(n)[0]), [3e3, 6e3, 6e3, 22.5e3]);
    let size = size("dft2", 16384, 8192, false);
    let times = |n| Speeds { gpu: Some(both.clone()), ..known() }.compare(&size, n, CLOSED, &Measured::default()).gpu.expect("it fits");
    assert!(times(2).transfers > 20.0 * times(16).transfers, "1 GiB comes back at 1 GB/s");
}

#[test]
fn every_run_adds_to_what_is_known() {
    let (mut speeds, size) = (Speeds::default(), size("dft2", 2048, 2048, false));
    let cpu = |speeds: &Speeds| speeds.compare(&size, 4, CLOSED, &Measured::default()).cpu.total();
    let times = |total_micros| Times { total_micros, ..Times::default() };
    speeds.note_cpu(&size, 4, &times(50e3));
    assert!((cpu(&speeds) - 50e3).abs() < 1.0, "the first run is all that is known");
    speeds.note_cpu(&size, 4, &times(30e3));
    assert!((cpu(&speeds) - 40e3).abs() < 1.0, "the next one half of it");
    let (before, small) = (speeds.clone(), self::size("dft2", 8, 8, false));
    speeds.note_cpu(&small, 4, &times(500.0));
    assert_eq!(speeds, before, "a short job tells no speed");
    let mut near = speeds.clone();
    near.note_cpu(&size, 4, &times(45e3));
    assert!(!speeds.differs(&near) && Speeds::default().differs(&speeds), "a small change is not written");
    near.note_cpu(&size, 4, &times(400e3));
    assert!(speeds.differs(&near));
}

#[test]
fn speeds_are_kept_as_they_are() {
    let text = serde_json::to_vec(&known()).expect("they have a JSON form");
    assert_eq!(serde_json::from_slice::<Speeds>(&text).ok(), Some(known()));
}

#[test]
fn what_was_measured_of_algorithms_goes_first() {
    let at = |backend: &str, driver: &str| MeasuredOn {
        device: backend.into(),
        driver: driver.into(),
        ..MeasuredOn::at(&Backend::Cpu(CpuBackend::Parallel), Precision::Single)
    };
    let here = Backend::Cpu(CpuBackend::Parallel).name();
    let mut measured = Measured::default();
    for (at, micros) in [(at(&here, ""), 70.0), (at("NVIDIA H200", "580"), 5.0), (at("NVIDIA H200", "570"), 1.0)] {
        let time = |algorithm: &str, micros| MeasuredTime { algorithm: algorithm.into(), cut: Cut::Tiles, micros };
        let times = vec![time("slow", Some(9.0 * micros)), time("fast", Some(micros)), time("hopeless", None)];
        let entry = MeasuredEntry { at, transform: "dft2".into(), shape: Shape { rows: 1024, columns: 1024 }, times };
        measured.remember(entry).expect("nothing is written without a path");
    }
    let compared = known().compare(&size("dft2", 1024, 1024, true), rayon::current_num_threads(), PREPARED, &measured);
    assert_eq!(compared.cpu.total(), 70.0);
    assert_eq!(compared.gpu.expect("it fits").work, 5.0 + LATENCY, "of this driver");
    let other = known().compare(&size("dft2", 4096, 4096, true), rayon::current_num_threads(), PREPARED, &measured);
    assert!(other.cpu.total() > 1e4, "another size was not measured: {other:?}");
}

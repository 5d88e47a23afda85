//! Values that go both ways, in any number and type, also after transfers that end early.

use super::*;
use crate::fault::caught;
use crate::gpu::AdapterChoice;
use std::sync::atomic::Ordering;

/// Four-byte values of a slot, and of more slots than there are.
const OF_SLOT: usize = SLOT / 4;
const ALL: usize = 9 * OF_SLOT + 5;

/// A device with a buffer for all values behind byte 8.
fn with_buffer() -> (Device, Array) {
    let device = Device::open(&AdapterChoice::Any).expect("the tests have an adapter");
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    let buffer = device.array("values", 4 * (ALL as u64 + 2), usage).unwrap();
    (device, buffer)
}

#[test]
fn values_go_both_ways_in_any_number_of_slots() {
    let ((device, whole), go) = (with_buffer(), AtomicBool::new(false));
    let divided = device.with_bindings_of(1 << 24).array("parts", whole.size(), BufferUsages::COPY_DST | BufferUsages::COPY_SRC).unwrap();
    assert!(whole.extent().is_whole && !divided.extent().is_whole);
    // Slots are made by the first long one, and kept for the others.
    for (buffer, n) in [0, 1, 15, 16, 17, AT_ONCE / 4, AT_ONCE / 4 + 1, 3 * OF_SLOT, ALL, 8 * OF_SLOT - 1]
        .into_iter()
        .flat_map(|n| [(&whole, n), (&divided, n)])
    {
        let values: Vec<u64> = (0..n as u64).map(|k| k * 3 + n as u64).collect();
        let write = || device.write(buffer, 8, &(&values).into(), &|value| value as u32, &go);
        let (reserved, written) = Reserved::beside(n, write);
        written.unwrap();
        for reserved in [reserved, Reserved::default()] {
            let back = device.read(None, buffer, 8, (n, reserved), |lane: u32| u64::from(lane), &go).unwrap();
            assert!(back == values, "{n} values");
        }
    }
}

#[test]
fn a_transfer_that_ends_early_leaves_the_next_one_whole() {
    let ((device, buffer), go) = (with_buffer(), AtomicBool::new(false));
    let values: Vec<u32> = (0..ALL as u32).collect();
    let whole = || {
        device.write(&buffer, 8, &(&values).into(), &|value| value, &go).unwrap();
        let back = device.read(None, &buffer, 8, (ALL, Reserved::default()), |lane: u32| lane, &go).unwrap();
        assert!(back == values);
    };
    assert!(matches!(device.write(&buffer, 8, &(&values).into(), &|value| value, &AtomicBool::new(true)), Err(GpuError::Cancelled)));
    let cancel = AtomicBool::new(false);
    let raise = |value: u32| {
        cancel.fetch_or(value == OF_SLOT as u32, Ordering::Relaxed);
        value
    };
    assert!(matches!(device.write(&buffer, 8, &(&values).into(), &raise, &cancel), Err(GpuError::Cancelled)));
    whole();
    cancel.store(false, Ordering::Relaxed);
    let (reserved, ()) = Reserved::beside(ALL, || ());
    assert!(matches!(device.read(None, &buffer, 8, (ALL, reserved), raise, &cancel), Err(GpuError::Cancelled)));
    whole();
    let faulty = |value: u32| if value == 1 { panic!("this lane holds no such value") } else { value };
    let done = caught(|| device.write(&buffer, 8, &(&values).into(), &faulty, &go));
    assert!(!matches!(done, Ok(Ok(()))), "a fault of a thread ends the upload");
    whole();
}

#[test]
fn results_that_are_read_slowly_are_copied_first() {
    let ((device, buffer), go) = (with_buffer(), AtomicBool::new(false));
    let values: Vec<u32> = (0..ALL as u32).collect();
    device.write(&buffer, 8, &(&values).into(), &|value| value, &go).unwrap();
    let back = || device.read(None, &buffer, 8, (ALL, Reserved::default()), |lane: u32| lane + 1, &go).unwrap();
    let expected: Vec<u32> = values.iter().map(|value| value + 1).collect();
    let slow = || device.note_read(1 << 20, Duration::from_millis(100));
    (0..7).for_each(|_| slow());
    device.note_read(1 << 20, Duration::from_micros(100));
    (0..7).for_each(|_| slow());
    device.note_read(100, Duration::from_micros(100));
    assert!(!device.reads_slowly(), "the system was busy");
    slow();
    assert!(device.reads_slowly());
    assert!(back() == expected);
    assert!(device.reads_slowly(), "it stays so");
}

#[test]
fn the_slots_of_a_transfer_are_made_once() {
    let (device, _) = with_buffer();
    for (bytes, up, down) in [(0, 0, 1), (100, 0, 1), (LEAST_DOWN + 1, 0, 2), (SLOT, 1, 2), (5 * SLOT, 5, 5), (100 * SLOT, 8, 6), (1, 8, 6)]
    {
        device.make_slots([bytes; 2]).unwrap();
        assert_eq!([Way::Up, Way::Down].map(|way| device.slots().of(way).len()), [up, down], "{bytes} bytes");
    }
}

//! Recordings in the window: samples without a header, and two channels as complex samples.

use super::*;
use papillon::signal::ChannelChoice;

/// A window with a file of these bytes.
fn opened(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> Window {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    window(Memory::default(), vec![path])
}

fn shown(window: &Window) -> std::sync::Arc<papillon::signal::Signal> {
    workspace(window).report().unwrap().request.job.signal.clone()
}

#[test]
fn samples_without_a_header_are_read_as_chosen_and_the_choice_is_remembered_for_the_ending() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..400_u16).flat_map(|k| (k.wrapping_mul(7919)).to_be_bytes()).collect();
    let mut window = opened(&folder, "a.s16", &bytes);
    assert!(says(&window, "The file has no header"));
    assert_eq!(shown(&window).columns, 400);
    click(&mut window, "Big-endian");
    settle(&mut window);
    let values = shown(&window).samples_f64(ChannelChoice::Luma).unwrap();
    assert_eq!(values[1], 7919.0 / 32_768.0);
    assert!(!says(&window, "The file has no header"), "nothing is guessed any longer");
    choose(&mut window, "Samples", "8 bits, unsigned");
    settle(&mut window);
    assert_eq!(shown(&window).columns, 800);
    click(&mut window, "Complex");
    settle(&mut window);
    assert!(shown(&window).columns == 400 && shown(&window).is_complex());
    let second = folder.path().join("b.s16");
    std::fs::write(&second, &bytes[..200]).unwrap();
    window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(second)));
    window.step();
    settle(&mut window);
    assert!(shown(&window).columns == 100 && shown(&window).is_complex(), "{}", shown(&window));
}

#[test]
fn two_channels_are_complex_samples() {
    let stereo = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/pcm16.wav");
    let mut window = window(Memory::default(), vec![stereo]);
    assert!(!says(&window, "real part"));
    choose(&mut window, "Channel", "I/Q");
    settle(&mut window);
    let report = workspace(&window).report().unwrap().clone();
    assert_eq!(report.request.job.channel, ChannelChoice::Iq);
    assert!(report.outcome.as_ref().is_some_and(Result::is_ok) || says(&window, "complex"), "{}", workspace(&window).message());
}

#[test]
fn two_channels_are_compared() {
    use papillon::signal::{Channel, Samples, Signal, SignalKind, save};
    let folder = tempfile::tempdir().unwrap();
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let x: Vec<f32> = (0..20_000).map(|_| noise()).collect();
    let y: Vec<f32> = (0..x.len()).map(|n| if n < 5 { 0.0 } else { 0.5 * x[n - 5] }).collect();
    let channels = [("left", x), ("right", y)].map(|(name, values)| Channel::new(name, Samples::F32(values)));
    let path = folder.path().join("stereo.wav");
    save(&path, &Signal::from_channels("stereo", SignalKind::Rows, (1, 20_000), channels.into())).unwrap();
    let mut window = window(Memory::default(), vec![path]);
    run(&mut window, Command::ToggleDrawer);
    click(&mut window, "Transfer");
    wait(&mut window, "the delay is not found", |window| says(window, "y comes 5"));
    assert!(says(&window, "Transfer between two channels"));
    choose(&mut window, "View of the transfer", "Impulse response");
    let is_half = |window: &Window| ["0.5 ", "0.499", "0.500"].iter().any(|half| says(window, &format!("values, largest {half}")));
    wait(&mut window, "the response is not shown", is_half);
}

#[test]
fn the_type_of_samples_is_asked_once_for_an_ending_that_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..400_u16).flat_map(|k| (k.wrapping_mul(7919) | 0x8080).to_le_bytes()).collect();
    let mut window = opened(&folder, "a.capture", &bytes);
    assert!(says(&window, "a.capture is of no known format"));
    click(&mut window, "Cancel");
    settle(&mut window);
    assert!(workspace(&window).message().contains("is not a file that Papillon reads"), "{}", workspace(&window).message());
    let drop_file = |window: &mut Window, name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(path)));
        window.step();
        settle(window);
    };
    drop_file(&mut window, "b.capture", &bytes);
    click(&mut window, "Complex");
    window.step();
    click(&mut window, "Read as samples");
    settle(&mut window);
    assert!(shown(&window).columns == 200 && shown(&window).is_complex(), "{}", shown(&window));
    drop_file(&mut window, "c.capture", &bytes[..200]);
    assert!(!says(&window, "is of no known format"), "it has been asked");
    assert!(shown(&window).columns == 50 && shown(&window).is_complex(), "{}", shown(&window));
}

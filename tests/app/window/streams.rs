//! Streams in the window: samples that come through a pipe while it is open.

use super::*;
use papillon::ui::{Command, StreamSource};
use std::f64::consts::TAU;
use std::io::{Read, Write as _};
use std::sync::mpsc::channel;
use std::thread;

/// A window into which a stream runs.
fn streaming(stream: impl Read + Send + 'static, raw: Option<&str>) -> Window {
    let mut window = window(memory(Preset::Signal, small_image(), "dft"), Vec::new());
    let ctx = window.ctx.clone();
    let raw = raw.map(|raw| raw.parse().unwrap());
    let source = StreamSource { name: "standard input".into(), stream: Box::new(stream), raw };
    let workspace = window.state_mut().take().unwrap().streaming(&ctx, source);
    *window.state_mut() = Some(workspace);
    window
}

fn tone(samples: std::ops::Range<usize>) -> Vec<u8> {
    samples.flat_map(|n| ((16_384.0 * (TAU * n as f64 / 8.0).sin()) as i16).to_le_bytes()).collect()
}

#[test]
fn a_stream_runs_is_held_goes_on_ends_inside_a_sample_and_becomes_a_source() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let (go_on, waits) = channel();
    let feeder = thread::spawn(move || {
        // Samples that come before the window is there would be read at once, as a file.
        waits.recv().unwrap();
        for block in 0..40 {
            writer.write_all(&tone(200 * block..200 * block + 200)).unwrap();
            thread::sleep(Duration::from_millis(20));
        }
        waits.recv().unwrap();
        writer.write_all(&[1]).unwrap();
    });
    let mut window = streaming(reader, Some("s16,1,8000"));
    go_on.send(()).unwrap();
    wait(&mut window, "frames do not count", |window| says(window, "6 frames counted, 0 left out"));
    wait(&mut window, "the waterfall is not shown", |window| says(window, "Waterfall from"));
    click(&mut window, "Log axis");
    assert!(says(&window, "Running spectrum"));
    click(&mut window, "Pause");
    assert!(says(&window, "paused"));
    window.key_press(egui::Key::Space);
    wait(&mut window, "Space does not go on", |window| !says(window, "paused"));
    go_on.send(()).unwrap();
    feeder.join().unwrap();
    wait(&mut window, "the end is not said", |window| says(window, "has ended with 1 byte, less than one sample"));
    click(&mut window, "Open part");
    wait(&mut window, "the part is no source", |window| {
        workspace(window).report().is_some_and(|report| report.request.job.signal.columns > 4000)
    });
    let signal = workspace(&window).report().unwrap().request.job.signal.clone();
    assert_eq!(signal.rate_hz(), Some(8000.0));
}

#[test]
fn a_stream_is_one_of_the_sources_and_the_status_bar_speaks_of_it() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let mut window = streaming(reader, Some("s16,1,8000"));
    window.step();
    for block in 0..8 {
        writer.write_all(&tone(400 * block..400 * block + 400)).unwrap();
    }
    let is_shown = |window: &Window| says(window, "Waterfall from");
    wait(&mut window, "the stream is not shown", is_shown);
    wait(&mut window, "the pixels are not timed", |window| says(window, "ms behind"));
    assert!(says(&window, "standard input") && says(&window, "samples a second"));
    // Ctrl+Tab goes to the source before, and back.
    run(&mut window, Command::NextTab);
    wait(&mut window, "the source before is not shown", |window| window.query_by_label("Tab standard input").is_some());
    run(&mut window, Command::NextTab);
    window.run_steps(4);
    assert!(is_shown(&window) && window.query_by_label("Tab standard input").is_none(), "it has the whole window");
    run(&mut window, Command::Maximise);
    run(&mut window, Command::Record);
    wait(&mut window, "a second stream is not refused", |window| workspace(window).message().contains("standard input is open"));
    wait(&mut window, "there is no tab", |window| window.query_by_label("Close standard input").is_some());
    click(&mut window, "Close standard input");
    window.run_steps(4);
    assert!(window.query_by_label("Tab standard input").is_none() && !is_shown(&window));
}

#[test]
fn what_ends_at_once_is_a_recording_and_what_is_no_stream_is_read_as_any_file() {
    let mut window = streaming(std::io::Cursor::new(tone(0..3000)), Some("s16,1,8000"));
    let columns = |window: &Window| workspace(window).report().map_or(0, |report| report.request.job.signal.columns);
    wait(&mut window, "a pipe that ends at once is no recording", |window| columns(window) == 3000);
    let mut window = streaming(std::io::Cursor::new(b"1\n2\n4\n5.5\n3\n".to_vec()), None);
    wait(&mut window, "numbers are not read", |window| columns(window) == 5);
    let mut window = streaming(std::io::Cursor::new(Vec::new()), Some("s16,1,8000"));
    wait(&mut window, "an empty stream is not said", |window| says(window, "ended before its first sample"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_part_that_cannot_be_saved_is_told_and_saved_elsewhere_while_the_stream_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    // A disk that is full.
    let full = ["full.wav", "full.sigmf-data"];
    full.iter().for_each(|name| std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).unwrap());
    let (reader, mut writer) = std::io::pipe().unwrap();
    let mut window = streaming(reader, Some("s16,1,8000"));
    let workspace_now = window.state_mut().take().unwrap().prompting_always();
    *window.state_mut() = Some(workspace_now);
    window.step();
    writer.write_all(&tone(0..3200)).unwrap();
    wait(&mut window, "the stream is not shown", |window| says(window, "2 frames counted, 0 left out"));
    for name in full {
        click(&mut window, "Save part…");
        answer(&mut window, folder.path().join(name).to_str().unwrap());
        wait(&mut window, "it is not told", |window| workspace(window).message().contains(name));
        let told = workspace(&window).message();
        assert!(told.contains("cannot write") && told.lines().count() == 1, "{told}");
        window.run_steps(APART);
    }
    writer.write_all(&tone(3200..8000)).unwrap();
    wait(&mut window, "the stream does not go on", |window| says(window, "6 frames counted, 0 left out"));
    click(&mut window, "Save part…");
    let file = folder.path().join("part.wav");
    answer(&mut window, file.to_str().unwrap());
    wait(&mut window, "the part is not saved", |_| file.exists());
    assert!(papillon::signal::load(&file).unwrap().columns >= 6000);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "nothing else is left behind");
}

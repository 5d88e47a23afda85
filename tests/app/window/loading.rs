//! What is read: a pipe that never delivers, and how it is given up.

use super::*;

#[cfg(unix)]
#[test]
fn a_pipe_that_never_delivers_is_given_up_and_the_window_goes_on_meanwhile() {
    /// The bound of a frame, wide enough for an unoptimised build on a busy machine; a window that waits for the pipe has no frame at all.
    const STALL: Duration = Duration::from_secs(5);
    let folder = tempfile::TempDir::new().unwrap();
    let pipe = folder.path().join("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut window = window(memory(Preset::default(), small_image(), "dft2"), Vec::new());
    let shown = workspace(&window).report().unwrap().request.job.signal.name.clone();
    for _ in 0..2 {
        window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(pipe.clone())));
        let (begin, mut n_frames) = (Instant::now(), 0);
        while begin.elapsed() < Duration::from_secs(1) || n_frames < 5 {
            let frame = Instant::now();
            window.step();
            assert!(frame.elapsed() < STALL, "a frame took {:?}", frame.elapsed());
            n_frames += 1;
        }
        assert!(!workspace(&window).is_settled(), "the pipe is being read");
        run(&mut window, Command::Cancel);
        wait(&mut window, "the pipe is not given up", |window| workspace(window).message() == "Loading is cancelled");
        settle(&mut window);
        assert_eq!(workspace(&window).report().unwrap().request.job.signal.name, shown, "what was shown stays");
    }
}

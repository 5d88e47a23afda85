//! Twenty-six jobs that people have, each done with the mouse and keys at the places that are drawn. A job checks its result, and each of its steps.
//!
//! `docs/jobs.md` has the steps: `cargo test --test app -- --ignored write_the_page_of_the_jobs` writes it.

mod courses;
mod files;
mod images;
mod logic;
mod measures;
mod recordings;

use super::hands::Hands;
use super::window_of;
use papillon::ui::{Memory, Workspace};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A job with its name in the list.
struct Job {
    name: &'static str,
    title: &'static str,
    /// The files and settings that a person begins with.
    given: &'static str,
    /// The result at the end, which the job has checked.
    result: &'static str,
    /// Who changes the window so that this grows has made the job longer.
    n_steps: usize,
    run: fn(&Path) -> Hands,
}

/// Declares the jobs in their order on the page, each a test of its own.
macro_rules! jobs {
    ($($module:ident::$name:ident, $n_steps:literal steps: $title:literal, $given:literal => $result:literal;)*) => {
        static JOBS: &[Job] = &[$(Job {
            name: stringify!($name),
            title: $title,
            given: $given,
            result: $result,
            n_steps: $n_steps,
            run: $module::$name,
        }),*];

        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

jobs! {
    images::stripe, 2 steps: "Remove the stripes of a scan", "`papillon scan.png`" => "The filtered image has the values without stripes.";
    images::moire, 2 steps: "Remove a moiré, also at the edges", "`papillon moire.png`"
        => "The filtered image has the values without moiré, at its edges to 8 of 255.";
    measures::lattice, 4 steps: "Measure a lattice", "`papillon crystal.png`" => "The pane Markers has the two periods and the angle.";
    measures::region, 6 steps: "Transform a region with a window", "`papillon two.png`, whose right half has waves of 5 pixels"
        => "The strongest wave of the region has a period of 5 pixels.";
    measures::radial_profile, 6 steps: "Read a radial profile", "`papillon waves.png`, with waves of 5 pixels in two directions"
        => "The profile has its largest power at 0.2 cycles per pixel.";
    measures::hold, 6 steps: "Hold a spectrum and compare", "`papillon scan.png`" => "The difference of both spectra is told under the pointer.";
    measures::register, 5 steps: "Find the shift of two images", "`papillon first.png`, and second.png" => "The shift is found to a twentieth of a pixel.";
    files::export, 6 steps: "Export a spectrum as shown and as values", "`papillon waves.png`" => "A drawing with its axes, and a table of the values.";
    files::session, 7 steps: "Save a session and return to it", "`papillon scan.png`" => "The image and its mask are there again.";
    files::folder, 2 steps: "Page through a folder", "`papillon a1.png` in a folder of three images" => "The third image is shown with its values.";
    recordings::tone, 1 steps: "Find the tone in a recording", "A window, and tone.wav" => "The largest peak has the frequency of the tone.";
    recordings::part, 2 steps: "Look at a part of a recording", "`papillon two-tones.wav`" => "The spectrum has the tone of the part alone.";
    recordings::two_windows, 3 steps: "Compare two windows", "`papillon two-tones.wav`" => "The weak tone beside the strong one is seen with the second window.";
    recordings::two_spectra, 2 steps: "Compare two spectra", "`papillon before.wav`, and after.wav"
        => "The spectrum of the first recording stands behind that of the second, on one scale.";
    recordings::pitch, 1 steps: "Read a pitch", "`papillon notes.wav`" => "The note and its frequency are told, and the spectrum is that of its frame.";
    courses::course_step, 4 steps: "Do a step of a course", "A window" => "The prediction is answered, and the next step is shown.";
    courses::pin, 2 steps: "Pin a value in two graphs", "A window" => "Both graphs show what the value depends on.";
    logic::bit_flip, 2 steps: "Flip a bit of a function", "A window" => "The function is bent no longer.";
    images::denoise, 9 steps: "Remove the noise of an image", "A window, and noisy.png" => "The image that was written is nearer to the one without noise.";
    logic::solve, 1 steps: "Solve a tridiagonal system", "A window, and system.csv" => "The solution is that of the equations.";
    logic::sweep, 10 steps: "Measure a sweep and export it", "A window" => "A table of the times of every size.";
    recordings::hum, 2 steps: "Measure a hum and its harmonics", "`papillon hum.wav`" => "The distortion of the hum is told beside what it means.";
    recordings::dates, 1 steps: "Find the period in a table with dates", "A window, and house.csv" => "The largest peak has a period of a week.";
    recordings::hum_removed, 3 steps: "Remove a hum and its harmonics", "`papillon call.wav`" => "What is left of the recording is shown beside it, without the hum.";
    recordings::call, 3 steps: "Measure a call and save its measures", "`papillon call.wav`" => "A table with the frequencies, the level and the duration of the call.";
    recordings::click, 1 steps: "Find a click", "`papillon silence.wav`, a minute of silence with one loud sample" => "The samples around the click are selected.";
}

/// Does a job, and compares its steps with the page.
fn check(name: &str) {
    let job = JOBS.iter().find(|job| job.name == name).unwrap();
    let steps = done(job);
    let n = steps.len();
    assert!(n <= job.n_steps, "“{}” took {} steps, and takes {n} now:\n{}", job.title, job.n_steps, steps.join("\n"));
    assert!(
        n == job.n_steps,
        "“{}” takes {n} steps only: lower the number in the list, so that it stays so\n{}",
        job.title,
        steps.join("\n")
    );
    let page = std::fs::read_to_string(page()).unwrap();
    assert!(page.contains(&section(job, &steps)), "docs/jobs.md has other steps than these:\n{}", section(job, &steps));
}

/// The steps of a job.
fn done(job: &Job) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    (job.run)(folder.path()).steps()
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/jobs.md")
}

const HEAD: &str = "# Jobs\n\nTwenty-six jobs with the mouse and keys. A test does each of them at the places that are drawn, checks the result, and writes this page.\n\
    One press, drag, turn of the wheel, key or text is a step; a job may not take more steps than here.\n";

fn section(job: &Job, steps: &[String]) -> String {
    let index = JOBS.iter().position(|other| other.name == job.name).unwrap() + 1;
    let steps: String = steps.iter().enumerate().map(|(k, step)| format!("{}. {step}\n", k + 1)).collect();
    format!("\n## {index}. {}\n\nGiven: {}.\n\n{steps}\n{}\n", job.title, job.given, job.result)
}

#[test]
fn the_page_has_the_jobs_of_the_list() {
    let page = std::fs::read_to_string(page()).unwrap();
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    let expected: Vec<String> = JOBS.iter().enumerate().map(|(k, job)| format!("## {}. {}", k + 1, job.title)).collect();
    assert!(page.starts_with(HEAD) && headings == expected, "docs/jobs.md has {headings:?}");
}

#[test]
#[ignore = "writes docs/jobs.md"]
fn write_the_page_of_the_jobs() {
    // Loops of the engine need the threads of rayon.
    let sections: String = std::thread::scope(|scope| {
        let threads: Vec<_> = JOBS.iter().map(|job| scope.spawn(|| section(job, &done(job)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    std::fs::write(page(), format!("{HEAD}{sections}")).unwrap();
}

/// The window as `papillon` opens it with these files; it asks for paths in itself.
fn begin(files: &[PathBuf]) -> Hands {
    let files = files.to_vec();
    Hands::on(window_of(move |ctx| Workspace::new(ctx, Memory::default(), files).prompting_always()))
}

/// Writes an image of 8 bits, whose value at column x and row y is that of `value`.
fn png(folder: &Path, name: &str, [columns, rows]: [usize; 2], value: impl Fn(f64, f64) -> f64) -> PathBuf {
    let path = folder.join(name);
    let pixel = |at: usize| value((at % columns) as f64, (at / columns) as f64).round().clamp(0.0, 255.0) as u8;
    let pixels = image::GrayImage::from_raw(columns as u32, rows as u32, (0..rows * columns).map(pixel).collect());
    pixels.unwrap().save(&path).unwrap();
    path
}

/// Writes a text.
fn text(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The middle of a pixel of an image that is seen whole.
fn pixel(hands: &Hands, name: &str, [columns, rows]: [usize; 2], [x, y]: [f32; 2]) -> egui::Pos2 {
    let canvas = hands.place(name);
    let side = (canvas.width() / columns as f32).min(canvas.height() / rows as f32);
    canvas.center() + side * egui::vec2(x + 0.5 - columns as f32 / 2.0, y + 0.5 - rows as f32 / 2.0)
}

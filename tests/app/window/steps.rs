//! Every step of every lesson as a person sees it: no text is cut or covered, no pane is empty, and an image of each step on demand.

use super::screens::{controls, faults, overlaps};
use super::{Window, run, settle, window_of};
use egui::{Theme, Vec2, vec2};
use papillon::lesson::lessons;
use papillon::ui::{Command, Memory, Preset, Workspace};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The window in pixels, one pixel a point.
fn size() -> Vec2 {
    let text = std::env::var("PAPILLON_SIZE").unwrap_or_else(|_| "1280x800".into());
    let sides: Vec<f32> = text.split('x').map(|side| side.parse().unwrap()).collect();
    vec2(sides[0], sides[1])
}

fn theme() -> Theme {
    if std::env::var("PAPILLON_THEME").is_ok_and(|name| name == "light") { Theme::Light } else { Theme::Dark }
}

/// A window at the first lesson.
fn learn() -> Window {
    let memory = Memory { preset: Preset::Learn, tree: Preset::Learn.tree(), theme: theme().into(), ..Memory::default() };
    let mut window = window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()));
    window.set_size(size());
    window.run_steps(3);
    window
}

/// Opens a step and waits until it is shown.
fn open(window: &mut Window, name: &str, step: usize) {
    let ctx = window.ctx.clone();
    assert!(window.state_mut().as_mut().unwrap().show_lesson(&ctx, name, Some(step)), "{name}");
    settle(window);
    window.run_steps(5);
    settle(window);
}

fn save(window: &mut Window, folder: &Path, name: &str, step: usize) {
    window.render().unwrap().save(folder.join(format!("{name}-{:02}.png", step + 1))).unwrap();
}

/// `PAPILLON_IMAGES=FOLDER`, `PAPILLON_SIZE=2560x1440`, `PAPILLON_THEME=light` and `PAPILLON_LESSONS=PREFIX` choose what is written.
#[test]
#[ignore = "takes minutes"]
fn every_step_is_shown_whole() {
    let folder = std::env::var_os("PAPILLON_IMAGES").map(PathBuf::from);
    let prefix = std::env::var("PAPILLON_LESSONS").unwrap_or_default();
    let mut window = learn();
    let mut wrong = Vec::new();
    for lesson in lessons().iter().filter(|lesson| lesson.name.starts_with(&prefix)) {
        for step in 0..lesson.steps.len() {
            let begin = Instant::now();
            open(&mut window, &lesson.name, step);
            let mut found = faults(&window.output().shapes, window.ctx.content_rect());
            // Lines of a kernel and the table of its launches scroll.
            let shows_kernel = lesson.steps[step].state.panes.iter().chain(&lesson.steps[step].state.lower).any(|pane| pane == "Kernel");
            found.retain(|fault| !shows_kernel || !fault.contains("is cut"));
            found.extend(overlaps(&controls(&window)));
            let at = format!("{} {}", lesson.name, step + 1);
            eprintln!("{at}: {:.1} s", begin.elapsed().as_secs_f64());
            found.iter().for_each(|fault| eprintln!("  {fault}"));
            wrong.extend(found.into_iter().map(|fault| format!("{at}: {fault}")));
            if let Some(folder) = &folder {
                save(&mut window, folder, &lesson.name, step);
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// Prints the time of a frame with two graphs of 64 lanes beside each other, while nothing happens and while the cursor moves. Run it in a release build.
#[test]
#[ignore = "a measurement"]
fn the_time_of_a_frame_with_two_graphs_of_64_lanes() {
    let mut window = learn();
    for (name, step) in [("twiddles-and-radices", 7), ("li-2012-table-1", 0)] {
        open(&mut window, name, step);
        for command in [None, Some(Command::StepBack)] {
            let mut millis = Vec::new();
            for _ in 0..25 {
                if let Some(command) = command {
                    run(&mut window, command);
                }
                let begin = Instant::now();
                window.step();
                let meshes = window.ctx.tessellate(window.output().shapes.clone(), 1.0);
                assert!(!meshes.is_empty());
                millis.push(begin.elapsed().as_secs_f64() * 1e3);
            }
            millis.sort_by(f64::total_cmp);
            let what = if command.is_some() { "stepping" } else { "at rest" };
            eprintln!("{name} {}, {what}: median {:.1} ms, longest {:.1} ms", step + 1, millis[12], millis[24]);
        }
    }
}

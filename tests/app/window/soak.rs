//! Random commands, keys and clicks while the engine computes: no panic, no growing memory.
//!
//! `PAPILLON_SOAK_SECS=3600 cargo test --release --test app window::soak -- --nocapture` goes on for an hour and prints the longest frame.

use super::*;
use papillon::random::Random;

/// Memory of this process in bytes; 0 where the system does not say.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    1024 * line.trim().trim_end_matches(" kB").parse::<usize>().unwrap()
}

#[test]
fn random_commands_and_clicks_do_no_harm() {
    let secs = std::env::var("PAPILLON_SOAK_SECS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    // What a random key writes goes to this folder; other tests name whole paths.
    let (folder, before) = (tempfile::TempDir::new().unwrap(), std::env::current_dir().unwrap());
    std::env::set_current_dir(&folder).unwrap();
    let memory = memory(Preset::default(), small_image(), "dft2");
    let mut window = window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let (commands, mut random) = (Command::all().collect::<Vec<_>>(), Random::new(7));
    let (begin, all) = (Instant::now(), Duration::from_secs(secs));
    let (mut longest, mut n, mut at_half) = (Duration::ZERO, 0_u64, None);
    while begin.elapsed() < all {
        match random.below(3) {
            0 => run(&mut window, commands[random.below(commands.len())]),
            1 => {
                let keys =
                    [egui::Key::Tab, egui::Key::Enter, egui::Key::Escape, egui::Key::ArrowDown, egui::Key::ArrowUp, egui::Key::Space];
                window.key_press(keys[random.below(keys.len())]);
            }
            _ => {
                let at = egui::pos2(random.below(1280) as f32, random.below(800) as f32);
                window.event(egui::Event::PointerMoved(at));
                for pressed in [true, false] {
                    window.event(egui::Event::PointerButton {
                        pos: at,
                        button: egui::PointerButton::Primary,
                        pressed,
                        modifiers: Default::default(),
                    });
                }
            }
        }
        let frame = Instant::now();
        window.step();
        (longest, n) = (longest.max(frame.elapsed()), n + 1);
        if begin.elapsed() > all / 2 {
            at_half.get_or_insert_with(resident);
        }
    }
    std::env::set_current_dir(before).unwrap();
    let (half, end) = (at_half.unwrap_or(1), resident());
    eprintln!("{n} frames, the longest took {longest:?}; {} MiB at half time, {} MiB at the end", half >> 20, end >> 20);
    // A bound for an unoptimised build on a busy machine; by hand it is 100 ms.
    assert!(longest < Duration::from_secs(10), "a frame took {longest:?}");
    // Other tests share the process in a short run.
    assert!(secs < 60 || end < half + half / 5, "memory grows from {half} to {end} bytes");
}

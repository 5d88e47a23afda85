//! Panes share the results of the engine: what is shown is transformed once, however many panes read it.

use super::*;
use egui_tiles::{Tile, Tree};
use papillon::engine::{Backend, DeviceChoice, Devices};
use papillon::measure::{Frequency, Marker};
use strum::IntoEnumIterator as _;

/// A window that shows a small image in all panes for images and for other presets at once, with a marker on its spectrum.
fn all_panes(others: &[Preset], device: DeviceChoice) -> Window {
    let mut memory = memory(Preset::Image, small_image(), "dft2");
    let pane = |tile: &Tile<_>| if let Tile::Pane(pane) = tile { Some(*pane) } else { None };
    let of_preset = |preset: Preset| preset.tree().tiles.iter().filter_map(|(_, tile)| pane(tile)).collect::<Vec<_>>();
    let mut panes = of_preset(Preset::Image);
    for pane in others.iter().copied().flat_map(of_preset) {
        if !panes.contains(&pane) {
            panes.push(pane);
        }
    }
    memory.tree = Tree::new_grid(egui::Id::unique("all panes"), panes);
    memory.settings.device = device;
    memory.settings.measure.markers = vec![Marker { at: Frequency { u: 0.0625, v: 0.0625 }, reach: 0.0 }];
    memory.settings.filter.mask = papillon::filter::MaskShape::low_pass(0.2).into();
    let mut window = window(memory, Vec::new());
    window.set_size(egui::vec2(5120.0, 2880.0));
    settle(&mut window);
    window
}

#[test]
fn an_image_in_all_panes_is_transformed_once() {
    let mut window = all_panes(&[], DeviceChoice::default());
    for shown in ["Spectrum image", "Filtered image"] {
        assert!(window.query_by_role_and_label(Role::Image, shown).is_some(), "{shown}");
    }
    for said in ["Profile, ", "Marker 1, period", "a coefficient for its part"] {
        assert!(says(&window, said), "{said}");
    }
    assert_eq!(workspace(&window).n_transforms(), 1);
    click(&mut window, "Hold");
    settle(&mut window);
    assert_eq!(workspace(&window).n_transforms(), 1, "what is held is known");
    click(&mut window, "Rectangle");
    settle(&mut window);
    assert_eq!(workspace(&window).n_transforms(), 2, "the newest and the held one are known");
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(workspace(&window).n_transforms(), 2, "what was taken back finds its result again");
}

#[test]
fn all_panes_recover_together_from_a_lost_device() {
    let gpu = || match Devices::default().backend(&DeviceChoice::Gpu).unwrap().0 {
        Backend::Gpu(device) => device,
        Backend::Cpu(_) => panic!("a GPU was asked for"),
    };
    let _device = crate::DEVICE.lock();
    let mut window = all_panes(&[], DeviceChoice::Gpu);
    let message = workspace(&window).message().to_owned();
    let is_shown = |window: &Window| {
        assert_eq!(workspace(window).message(), message, "no error is said in the status bar");
        for shown in ["Spectrum image", "Filtered image"] {
            assert!(window.query_by_role_and_label(Role::Image, shown).is_some(), "{shown}");
        }
        for said in ["Profile, ", "Marker 1, period", "a coefficient for its part"] {
            assert!(says(window, said), "{said}");
        }
        assert!(workspace(window).report().unwrap().outcome().is_some() && !says(window, "lost"));
    };
    is_shown(&window);
    let lost = gpu();
    // All panes need a new result.
    window.get_by_label("Rectangle").click();
    window.step();
    lost.destroy();
    settle(&mut window);
    is_shown(&window);
    let device = gpu();
    assert!(!device.is(&lost), "it was opened anew");
    // Between two results the device is lost as well.
    device.destroy();
    run(&mut window, Command::Undo);
    settle(&mut window);
    is_shown(&window);
}

/// The names of the threads of this process, without those of loops, of drivers and of the tests.
fn threads() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir("/proc/self/task")
        .unwrap()
        .filter_map(|task| Some(std::fs::read_to_string(task.ok()?.path().join("comm")).ok()?.trim().to_owned()))
        .filter(|name| !OTHERS.iter().any(|other| name.starts_with(other)))
        .collect();
    names.sort();
    names
}

/// Threads of loops, of drivers, and of the test itself.
const OTHERS: [&str; 6] = ["loop ", "llvmpipe-", "WSI", "app", "window::store", "[vkcf]"];
/// Threads of ours in a window: engine, loader, filter, sweeps, three for studies, and one that watches the file.
const MOST_THREADS: usize = 8;

#[test]
fn a_window_in_which_every_pane_was_seen_has_few_threads() {
    const SELF: &str = "window::store::a_window_in_which_every_pane_was_seen_has_few_threads";
    const COUNTS: &str = "PAPILLON_COUNTS_THREADS";
    // The threads of other tests do not belong to this window.
    if std::env::var_os(COUNTS).is_none() {
        let program = std::env::current_exe().unwrap();
        let done = std::process::Command::new(program).args(["--exact", SELF, "--nocapture"]).env(COUNTS, "1").output().unwrap();
        assert!(done.status.success(), "{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        return;
    }
    let mut window = all_panes(&Preset::iter().collect::<Vec<_>>(), DeviceChoice::default());
    for preset in Preset::iter() {
        run(&mut window, Command::Preset(preset));
        settle(&mut window);
    }
    let names = threads();
    assert!(names.len() <= MOST_THREADS && names.iter().any(|name| name.starts_with("study ")), "{names:?}");
}

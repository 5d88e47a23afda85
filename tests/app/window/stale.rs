//! Random changes of the size, the zoom and the file: no pixel of a file that was shown before is left over.
//!
//! Each file has a tint of its own, which nothing else in the window has. A file may be seen while the next one loads, and no longer.
//! `PAPILLON_STALE_ROUNDS=500` goes on for so many changes, `PAPILLON_STALE_SEED=8` makes others.

use super::*;
use egui::{Key, Modifiers, vec2};
use papillon::random::Random;

/// The tints as the largest share of each colour; pixels of a file differ in their brightness only.
const TINTS: [[bool; 3]; 3] = [[true, false, false], [false, true, false], [true, false, true]];
/// The columns and rows of the files.
const SIZES: [[u32; 2]; 3] = [[64, 48], [96, 32], [40, 80]];

/// Writes the files into a folder.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let written = |(k, (tint, [columns, rows])): (usize, ([bool; 3], [u32; 2]))| {
        let path = folder.join(format!("tint{k}.png"));
        let pixel = |x: u32, y: u32| image::Rgb(tint.map(|has| if has { 160 + ((7 * x + 5 * y) % 90) as u8 } else { 0 }));
        image::RgbImage::from_fn(columns, rows, pixel).save(&path).unwrap();
        path
    };
    TINTS.into_iter().zip(SIZES).enumerate().map(written).collect()
}

/// The number of pixels of each tint in the window.
fn tinted(window: &mut Window) -> [usize; 3] {
    let mut n = [0; 3];
    for pixel in window.render().unwrap().pixels() {
        let [low, high] = [30, 130];
        let is_of = |tint: &[bool; 3]| tint.iter().zip(&pixel.0[..3]).all(|(has, value)| if *has { *value > high } else { *value < low });
        if let Some(k) = TINTS.iter().position(is_of) {
            n[k] += 1;
        }
    }
    n
}

/// The number of the file that is shown.
fn shown(window: &Window) -> usize {
    let name = workspace(window).report().map(|report| report.request.job.signal.name.clone()).unwrap_or_default();
    (0..3).find(|k| name == format!("tint{k}.png")).unwrap_or_else(|| panic!("“{name}” is no file of the test"))
}

/// Changes the window in one of the ways, and says which.
fn change(window: &mut Window, files: &[PathBuf], random: &mut Random) -> String {
    let size = window.ctx.content_rect().size();
    match random.below(6) {
        0 => {
            let size = vec2(900.0 + random.below(400) as f32, 600.0 + random.below(240) as f32);
            window.set_size(size);
            format!("the size {size:?}")
        }
        1 | 2 => {
            let at = egui::pos2(random.below(size.x as usize) as f32, 40.0 + random.below(size.y as usize - 80) as f32);
            window.event(egui::Event::PointerMoved(at));
            window.step();
            hands::wheel(window, random.below(9) as f32 - 3.0, Modifiers::NONE);
            format!("the wheel at {at:?}")
        }
        3 => {
            let key = if random.below(2) == 0 { Key::PageDown } else { Key::PageUp };
            window.key_press(key);
            format!("{key:?}")
        }
        4 => {
            let k = random.below(files.len());
            window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(files[k].clone())));
            format!("file {k}")
        }
        _ => {
            window.key_press(Key::Num0);
            "fit".into()
        }
    }
}

#[test]
fn no_pixel_of_another_file_is_left_over() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (rounds, seed) = (number("PAPILLON_STALE_ROUNDS").unwrap_or(24), number("PAPILLON_STALE_SEED").unwrap_or(5));
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let mut window = window(Memory::default(), vec![files[0].clone()]);
    let (mut random, mut done) = (Random::new(seed), Vec::new());
    let (mut n_files, mut n_seen) = (1, 0);
    for _ in 0..rounds {
        let before = shown(&window);
        done.push(change(&mut window, &files, &mut random));
        window.step();
        let at_once = tinted(&mut window);
        settle(&mut window);
        let now = shown(&window);
        let later = tinted(&mut window);
        let last = &done[done.len().saturating_sub(4)..];
        for k in 0..3 {
            assert!(
                at_once[k] == 0 || k == before || k == now,
                "{} pixels of file {k} at once, file {before} was shown; after {last:?}",
                at_once[k]
            );
            assert!(later[k] == 0 || k == now, "{} pixels of file {k} are left over, file {now} is shown; after {last:?}", later[k]);
        }
        (n_files, n_seen) = (n_files + usize::from(now != before), n_seen + usize::from(later[now] > 200));
    }
    assert!(n_files > 2 && 2 * n_seen > rounds as usize, "of {rounds} rounds {n_files} had another file, {n_seen} showed one: {done:?}");
}

#[cfg(unix)]
#[test]
fn the_old_picture_is_dimmed_from_the_frame_in_which_another_file_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    // A file that is read for as long as somebody waits for it.
    let pipe = folder.path().join("pipe.png");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut window = window(Memory::default(), vec![files[0].clone()]);
    assert!(tinted(&mut window)[0] > 200);
    window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(pipe)));
    window.step();
    assert_eq!(tinted(&mut window), [0; 3], "the old picture is not as bright under the new name");
    wait(&mut window, "nothing says what is read", |window| says(window, "Reading pipe.png"));
    run(&mut window, Command::Cancel);
    settle(&mut window);
    assert!(tinted(&mut window)[0] > 200, "the picture is back");
}

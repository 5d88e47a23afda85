//! Pages, slices and orientations of images in the window.

use super::*;
use papillon::signal::{Pages, Signal};
use std::path::Path;
use std::sync::Arc;

/// The window with a file of `tests/data`.
fn opened(name: &str) -> Window {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), vec![path]);
    settle(&mut window);
    window
}

fn signal(window: &Window) -> Arc<Signal> {
    workspace(window).report().unwrap().request.job.signal.clone()
}

fn pages(window: &Window) -> Option<Pages> {
    signal(window).pages
}

#[test]
fn a_slider_chooses_the_slice_and_undo_goes_back() {
    let mut window = opened("t08-imagej-stack.tif");
    assert!(says(&window, "slice 1 of 5"));
    set(&mut window, "Slice", 3.0);
    settle(&mut window);
    assert_eq!(pages(&window).map(|pages| (pages.shown, pages.total)), Some((3, 5)));
    assert!(says(&window, "slice 3 of 5"));
    // A change of the settings that has rested is a step of its own for undo.
    window.run_steps(80);
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(pages(&window).map(|pages| pages.shown), Some(1));
}

#[test]
fn an_image_is_read_as_stored_and_upright_by_a_click() {
    let mut window = opened("t03-orientation6.tif");
    let shape = |window: &Window| (signal(window).rows, signal(window).columns);
    assert!(says(&window, "turned clockwise by 90°"));
    assert_eq!(shape(&window), (14, 9));
    click(&mut window, "As stored");
    settle(&mut window);
    assert_eq!(shape(&window), (9, 14));
    click(&mut window, "Upright");
    settle(&mut window);
    assert_eq!(shape(&window), (14, 9));
}

#[test]
fn the_source_tells_the_values_of_the_pixel_under_the_pointer() {
    let mut window = opened("t03-orientation6.tif");
    let image = window.get_by_role_and_label(Role::Image, "Source image").rect();
    window.hover_at(image.center() + egui::vec2(1.0, 1.0));
    window.run_steps(3);
    let signal = signal(&window);
    let [row, column] = [signal.rows / 2, signal.columns / 2];
    let value = signal.channels[0].samples.value(row * signal.columns + column).unwrap().re;
    assert!(says(&window, &format!("row {row}, column {column}   {} {value}", signal.channels[0].name)));
}

#[test]
fn a_table_of_ten_columns_does_not_open_as_an_image() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.npy");
    let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (800, 10), }\n";
    let mut bytes = [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    bytes.extend((0..8000_i32).flat_map(|index| (((index / 10) * (index / 10) + index % 10) as i16 % 97).to_le_bytes()));
    std::fs::write(&path, bytes).unwrap();
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), vec![path]);
    settle(&mut window);
    assert_eq!(workspace(&window).memory().preset, Preset::Signal);
    assert_eq!((signal(&window).columns, signal(&window).channels.len()), (800, 10));
    click(&mut window, "Make it an image");
    settle(&mut window);
    assert_eq!((signal(&window).rows, signal(&window).columns), (800, 10));
}

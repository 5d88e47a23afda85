//! Images that a file asks to turn, and pages, slices and bands that a person chooses.

use super::*;

/// Copies a file of `tests/data`.
fn fetch(folder: &TempDir, name: &str) {
    write(folder, name, std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap());
}

#[test]
fn an_image_is_turned_upright_and_written_so() {
    let folder = TempDir::new().unwrap();
    fetch(&folder, "t03-orientation6.tif");
    let told = done(&folder, "filter t03-orientation6.tif --low-pass 0.7 -o upright.png");
    assert!(told.contains("turned clockwise by 90°") && told.contains("take --as-stored"), "{told}");
    let told = done(&folder, "filter t03-orientation6.tif --low-pass 0.7 --as-stored -o stored.png");
    assert!(told.contains("as stored") && told.contains("leave out --as-stored"), "{told}");
    let (columns, rows, _, upright) = read_png(&folder.path().join("upright.png"));
    let (stored_columns, stored_rows, _, stored) = read_png(&folder.path().join("stored.png"));
    assert_eq!((columns, rows, stored_columns, stored_rows), (9, 14, 14, 9));
    for (index, value) in upright.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        assert_eq!(*value, stored[(stored_rows - 1 - column) * stored_columns + row], "{row}, {column}");
    }
    let told = done(&folder, "filter upright.png --low-pass 0.7 -o again.png");
    assert!(!told.contains("as the file asks for"), "{told}");
}

#[test]
fn a_page_is_chosen_by_its_number() {
    let folder = TempDir::new().unwrap();
    fetch(&folder, "t08-imagej-stack.tif");
    let told = done(&folder, "transform t08-imagej-stack.tif -t walsh2 -o first.npy");
    assert!(told.contains("first of several slices is read: slice 1 of 5: take --page with a number from 1 to 5"), "{told}");
    let told = done(&folder, "transform t08-imagej-stack.tif --page 3 -t walsh2 -o third.npy");
    assert!(told.contains("slice 3 of 5"), "{told}");
    assert_ne!(read(&folder, "first.npy"), read(&folder, "third.npy"));
    let told = refused(&folder, "transform t08-imagej-stack.tif --page 6 -t walsh2 -o none.npy", 1);
    assert!(told.contains("it has 5 slices, and 6 is asked for: take --page with a number from 1 to 5"), "{told}");
    refused(&folder, "transform t08-imagej-stack.tif --page 0 -t walsh2 -o none.npy", 2);
    write_png(&folder, "one.png", 4, 4, &pixels(16));
    let told = refused(&folder, "transform one.png --page 2 -t walsh2 -o none.npy", 1);
    assert!(told.contains("and 2 is asked for: leave out --page"), "{told}");
}

#[test]
fn a_fourth_band_is_a_channel_and_is_never_dropped() {
    let folder = TempDir::new().unwrap();
    fetch(&folder, "t07-rgb-nir.tif");
    done(&folder, "transform t07-rgb-nir.tif --channel 4 -t dft2 -o infrared.npy");
    done(&folder, "transform t07-rgb-nir.tif --channel 3 -t dft2 -o blue.npy");
    assert_ne!(read(&folder, "infrared.npy"), read(&folder, "blue.npy"));
    let told = refused(&folder, "filter t07-rgb-nir.tif --low-pass 0.2 -o soft.png", 2);
    assert!(told.contains("here are 4") && told.contains("--channel"), "{told}");
    done(&folder, "filter t07-rgb-nir.tif --low-pass 0.2 -o soft.npy");
    let header = String::from_utf8_lossy(&read(&folder, "soft.npy")[10..90]).into_owned();
    assert!(header.contains("(8, 12, 4"), "{header}");
}

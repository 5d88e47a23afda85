//! NIfTI files of both versions and byte orders, written here field by field.

use super::{read, read_as, refusal, says, values};
use papillon::signal::{ReadOptions, Samples};
use std::num::NonZeroUsize;

/// The header of a NIfTI file of the first or the second version, in either byte order, and room for data.
pub(super) struct Nifti {
    bytes: Vec<u8>,
    is_first: bool,
    is_big_endian: bool,
}

impl Nifti {
    /// A header for voxels of this type.
    pub(super) fn new(is_first: bool, is_big_endian: bool, sizes: &[i64], kind: i64) -> Self {
        let mut file = Self { bytes: vec![0; if is_first { 352 } else { 544 }], is_first, is_big_endian };
        let (length, start, at, width, kinds) = if is_first { (348, 352, 40, 2, 70) } else { (540, 544, 16, 8, 12) };
        file.whole(0, 4, length);
        if is_first {
            file.bytes[344..348].copy_from_slice(b"n+1\0");
            file.real(108, f64::from(start));
        } else {
            file.bytes[4..12].copy_from_slice(b"n+2\0\r\n\x1a\n");
            file.whole(168, 8, i64::from(start));
        }
        file.whole(at, width, sizes.len() as i64);
        for (axis, size) in sizes.iter().enumerate() {
            file.whole(at + width * (axis + 1), width, *size);
        }
        file.whole(kinds, 2, kind);
        file
    }

    fn whole(&mut self, at: usize, width: usize, value: i64) {
        let mut bytes = value.to_le_bytes()[..width].to_vec();
        if self.is_big_endian {
            bytes.reverse();
        }
        self.bytes[at..at + width].copy_from_slice(&bytes);
    }

    fn real(&mut self, at: usize, value: f64) {
        let mut bytes = if self.is_first { (value as f32).to_le_bytes().to_vec() } else { value.to_le_bytes().to_vec() };
        if self.is_big_endian {
            bytes.reverse();
        }
        self.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
    }

    /// The file with these voxels.
    pub(super) fn voxels(mut self, numbers: &[i16]) -> Vec<u8> {
        let order = if self.is_big_endian { i16::to_be_bytes } else { i16::to_le_bytes };
        self.bytes.extend(numbers.iter().flat_map(|x| order(*x)));
        self.bytes
    }
}

#[test]
fn nifti_volumes_show_their_first_slice() {
    let numbers: Vec<i16> = (-2..10).collect();
    for (is_first, is_big_endian) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut file = Nifti::new(is_first, is_big_endian, &[3, 2, 2], 4);
        let (steps, unit) = if is_first { ([80, 84], 123) } else { ([112, 120], 500) };
        file.real(steps[0], 0.5);
        file.real(steps[1], 0.75);
        file.whole(unit, if is_first { 1 } else { 4 }, 10);
        let signal = read("brain.nii", &file.voxels(&numbers));
        assert_eq!(signal.channels[0].samples, Samples::I32(vec![1, 2, 3, -2, -1, 0]), "{is_first} {is_big_endian}");
        assert_eq!(signal.pixel_size.map(|size| size.to_string()).as_deref(), Some("0.5 × 0.75 mm"));
        assert!(says(&signal, "slice 1 of 2") && says(&signal, "top to bottom"), "{:?}", signal.notes);
        let chosen = |page: usize| ReadOptions { page: NonZeroUsize::new(page), as_stored: true, ..ReadOptions::default() };
        let second = read_as("brain.nii", &Nifti::new(is_first, is_big_endian, &[3, 2, 2], 4).voxels(&numbers), chosen(2));
        assert_eq!(values(&second.expect("it is there")), [[4.0, 5.0, 6.0, 7.0, 8.0, 9.0]]);
        let third = read_as("brain.nii", &Nifti::new(is_first, is_big_endian, &[3, 2, 2], 4).voxels(&numbers), chosen(3));
        assert!(third.is_err_and(|error| error.to_string().contains("it has 2 slices, and 3 is asked for")));
        let mut down = Nifti::new(is_first, is_big_endian, &[3, 2, 2], 4);
        let (code, row) = if is_first { ((254, 2), 300) } else { ((348, 4), 440) };
        down.whole(code.0, code.1, 1);
        down.real(row, -2.0);
        let down = read("down.nii", &down.voxels(&numbers));
        assert_eq!(values(&down), [[-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]], "rows that go downwards stay");
    }
    let mut mapped = Nifti::new(true, false, &[3, 1], 4);
    mapped.real(112, 0.5);
    mapped.real(116, 100.0);
    assert_eq!(values(&read("map.nii", &mapped.voxels(&[2, 4, 6]))), [[101.0, 102.0, 103.0]]);
    let mut colour = Nifti::new(true, false, &[2, 1], 128).bytes;
    colour.extend([1, 2, 3, 4, 5, 6]);
    assert_eq!(values(&read("rgb.nii", &colour)), [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
}

#[test]
fn nifti_files_that_are_not_read_say_why() {
    let mut pair = Nifti::new(true, false, &[2, 2], 4).bytes;
    pair[344..348].copy_from_slice(b"ni1\0");
    for (bytes, words) in [
        (pair, "in the .img file"),
        (Nifti::new(true, false, &[2, 2], 1536).voxels(&[0; 4]), "128 bits"),
        (Nifti::new(true, false, &[2, 2], 77).voxels(&[0; 4]), "unknown type 77"),
        (Nifti::new(true, false, &[2, 2], 4).voxels(&[0; 3]), "6 of 8 bytes"),
        (Nifti::new(true, false, &[2, -2], 4).voxels(&[0; 3]), "axis 2 the size -2"),
        (Nifti::new(false, false, &[1 << 40, 1 << 40], 4).voxels(&[0; 3]), "pixels, which takes"),
    ] {
        let refused = refusal("x.nii", &bytes);
        assert!(refused.contains(words), "{refused}");
    }
}

//! Files of formats that are not read are named by their first bytes, with a way to a file that is read.

use super::refusal;

/// Bytes at their offsets, between zeros.
fn at(parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; 600];
    for (at, part) in parts {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    bytes
}

#[test]
fn well_known_formats_are_named_with_what_helps() {
    type Parts = &'static [(usize, &'static [u8])];
    let cases: [(Parts, &str); 28] = [
        (&[(0, b"\x89HDF\r\n\x1a\n")], "an HDF5 file, which Papillon does not read: save the numbers as NPY or CSV"),
        (&[(0, b"MATLAB 5.0 MAT-file, Platform: GLNXA64")], "a MATLAB file"),
        (&[(0, b"MATLAB 7.3 MAT-file"), (512, b"\x89HDF")], "a MATLAB file"),
        (&[(0, b"CDF\x01")], "a NetCDF file"),
        (&[(0, b"PAR1")], "a Parquet table, which Papillon does not read: save the table as CSV"),
        (
            &[(0, b"PK\x03\x04"), (30, b"[Content_Types].xml"), (500, b"xl/workbook.xml")],
            "an Excel workbook, which Papillon does not read: save the sheet as CSV",
        ),
        (&[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")], "an old Excel or Word file"),
        (&[(0, b"PK\x03\x04"), (30, b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")], "an OpenDocument spreadsheet"),
        (&[(0, b"PK\x03\x04"), (30, b"data/.zarray")], "a Zarr archive"),
        (&[(0, b"PK\x03\x04"), (30, b"photo.jpg")], "a ZIP archive without arrays of NumPy, which Papillon does not read: unpack it"),
        (&[(0, b"\0\0\0\x20ftypheix")], "a HEIC image, which Papillon does not read: save it as PNG or TIFF"),
        (&[(0, b"\0\0\0\x20ftypavif")], "an AVIF image"),
        (&[(0, b"\0\0\0\x0cjP  \r\n\x87\n")], "a JPEG 2000 image"),
        (&[(0, b"\xff\x0a\x3a\x1f")], "a JPEG XL image"),
        (&[(0, b"\x76\x2f\x31\x01\x02")], "an OpenEXR image"),
        (&[(0, b"II*\0\x10\0\0\0CR\x02\0")], "a raw photograph (Canon CR2), which Papillon does not read: develop it"),
        (&[(0, b"wvpk")], "a WavPack recording"),
        (&[(0, b"MAC \x96\x0f")], "a Monkey's Audio recording"),
        (&[(0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11")], "a Windows Media file"),
        (&[(0, b"\x1a\x45\xdf\xa3\x9f")], "a Matroska or WebM file"),
        (&[(0, b"RIFF\x10\0\0\0AVI LIST")], "an AVI video"),
        (&[(0, b"7z\xbc\xaf\x27\x1c")], "a 7z archive"),
        (&[(0, b"\xfd7zXZ\0")], "an xz archive"),
        (&[(257, b"ustar")], "a tar archive"),
        (&[(0, b"\x7fELF\x02")], "a program or a library, which Papillon does not read: choose a file"),
        (&[(0, b"SQLite format 3\0")], "an SQLite database"),
        (&[(208, b"MAP ")], "an MRC map"),
        (&[(0, b"ENVI\r\ndescription")], "an ENVI header"),
    ];
    for (parts, words) in cases {
        let refused = refusal("x.dat", &at(parts));
        assert!(refused.starts_with(&format!("x.dat is {words}")), "{refused}");
    }
}

#[test]
fn raw_photographs_inside_a_tiff_are_told_from_their_previews() {
    // A directory that says that its image is a smaller copy, and that others are below.
    let entry = |tag: u16, value: u16| [&tag.to_le_bytes()[..], b"\x03\0\x01\0\0\0", &value.to_le_bytes(), b"\0\0"].concat();
    let entries: Vec<u8> = [(254, 1), (256, 2), (257, 1), (258, 8), (262, 1), (273, 8), (279, 2), (330, 8)]
        .iter()
        .flat_map(|&(tag, value)| entry(tag, value))
        .collect();
    let bytes = [b"II*\0\x0a\0\0\0\x01\x02\x08\0", &entries[..], b"\0\0\0\0"].concat();
    let refused = refusal("photo.nef", &bytes);
    assert!(refused.contains("raw photograph") && refused.contains("develop it"), "{refused}");
}

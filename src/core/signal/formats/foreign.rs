//! Well-known formats that are not read, told by their first bytes, each with the way to a file that is.

use crate::remedy::Remedy;
use crate::signal::error::FileError;

/// A format that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Foreign {
    /// Its name with its article.
    what: &'static str,
    /// The remedy.
    advice: &'static str,
}

impl Foreign {
    /// The error for a file of this name.
    pub(super) fn error(self, name: String) -> FileError {
        FileError::Foreign { name, what: self.what, remedy: Remedy::Advice(self.advice) }
    }

    /// The format of content that is not read, where it is known.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let has = |(at, mark): &(usize, &[u8])| bytes.get(*at..).is_some_and(|rest| rest.starts_with(mark));
        let row = ROWS.iter().find(|(marks, ..)| marks.iter().all(has));
        let row = row.map(|&(_, what, advice)| Self { what, advice });
        row.or_else(|| member_names(bytes)).or_else(|| is_program(bytes).then_some(PROGRAM))
    }
}

const IMAGE: &str = "save it as PNG or TIFF";
const PHOTOGRAPH: &str = "develop it, and save it as TIFF or PNG";
const SOUND: &str = "save it as WAV or FLAC";
const VIDEO: &str = "save its sound as WAV, or a frame as PNG";
const NUMBERS: &str = "save the numbers as NPY or CSV";
const SHEET: &str = "save the sheet as CSV";
const UNPACK: &str = "unpack it, and take a file from inside";
const PAGE: &str = "save its image as PNG, or its table as CSV";
const NOTHING: &str = "choose a file of samples, pixels or numbers";

const PROGRAM: Foreign = Foreign { what: "a program or a library", advice: NOTHING };

/// Which bytes are at which offsets, what that is, and what helps. Longer marks are before shorter ones that they begin with.
type Row = (&'static [(usize, &'static [u8])], &'static str, &'static str);

static ROWS: &[Row] = &[
    // Images
    (&[(0, b"\0\0\0\x0cjP  \r\n")], "a JPEG 2000 image", IMAGE),
    (&[(0, b"\xff\x4f\xff\x51")], "a JPEG 2000 image", IMAGE),
    (&[(0, b"\0\0\0\x0cJXL \r\n")], "a JPEG XL image", IMAGE),
    (&[(0, b"\xff\x0a")], "a JPEG XL image", IMAGE),
    (&[(4, b"ftypavif")], "an AVIF image", IMAGE),
    (&[(4, b"ftypavis")], "an AVIF image", IMAGE),
    (&[(4, b"ftyphei")], "a HEIC image", IMAGE),
    (&[(4, b"ftyphev")], "a HEIC image", IMAGE),
    (&[(4, b"ftypmif1")], "a HEIF image", IMAGE),
    (&[(4, b"ftypmsf1")], "a HEIF image", IMAGE),
    (&[(4, b"ftypcrx ")], "a raw photograph (Canon CR3)", PHOTOGRAPH),
    (&[(0, b"\x76\x2f\x31\x01")], "an OpenEXR image", "save it as 32-bit float TIFF"),
    (&[(0, b"#?RADIANCE")], "a Radiance HDR image", "save it as 32-bit float TIFF or PFM"),
    (&[(0, b"#?RGBE")], "a Radiance HDR image", "save it as 32-bit float TIFF or PFM"),
    (&[(0, b"8BPS")], "a Photoshop document", IMAGE),
    (&[(0, b"gimp xcf")], "a GIMP document", IMAGE),
    (&[(0, b"qoif")], "a QOI image", IMAGE),
    (&[(0, b"farbfeld")], "a farbfeld image", IMAGE),
    (&[(0, b"BPG\xfb")], "a BPG image", IMAGE),
    (&[(0, b"FLIF")], "a FLIF image", IMAGE),
    (&[(0, b"DDS ")], "a DirectDraw surface", IMAGE),
    (&[(0, b"\xabKTX ")], "a KTX texture", IMAGE),
    (&[(0, b"\x01\xda\x00")], "an SGI image", IMAGE),
    (&[(0, b"\x01\xda\x01")], "an SGI image", IMAGE),
    (&[(0, b"\x59\xa6\x6a\x95")], "a Sun raster image", IMAGE),
    (&[(0, b"\x0a\x05\x01")], "a PCX image", IMAGE),
    (&[(0, b"\0\0\x01\0"), (5, b"\0")], "an icon", IMAGE),
    (&[(0, b"\0\0\x02\0"), (5, b"\0"), (9, b"\0")], "a TGA image or a cursor", IMAGE),
    (&[(1, b"\0\x02\0\0\0\0\0")], "a TGA image", IMAGE),
    (&[(1, b"\0\x03\0\0\0\0\0")], "a TGA image", IMAGE),
    (&[(1, b"\0\x0a\0\0\0\0\0")], "a TGA image", IMAGE),
    (&[(0, b"AT&TFORM")], "a DjVu document", PAGE),
    (&[(0, b"FUJIFILMCCD-RAW")], "a raw photograph (Fujifilm RAF)", PHOTOGRAPH),
    (&[(0, b"IIRO")], "a raw photograph (Olympus ORF)", PHOTOGRAPH),
    (&[(0, b"IIRS")], "a raw photograph (Olympus ORF)", PHOTOGRAPH),
    (&[(0, b"MMOR")], "a raw photograph (Olympus ORF)", PHOTOGRAPH),
    (&[(0, b"IIU\0")], "a raw photograph (Panasonic RW2)", PHOTOGRAPH),
    (&[(0, b"II*\0"), (8, b"CR")], "a raw photograph (Canon CR2)", PHOTOGRAPH),
    (&[(0, b"II\x1a\0\0\0HEAPCCDR")], "a raw photograph (Canon CRW)", PHOTOGRAPH),
    (&[(0, b"FOVb")], "a raw photograph (Sigma X3F)", PHOTOGRAPH),
    (&[(0, b"\0MRM")], "a raw photograph (Minolta MRW)", PHOTOGRAPH),
    // Microscopes and other instruments
    (&[(0, b"ZISRAWFILE")], "a Zeiss CZI image", "export it as TIFF, for example by Fiji"),
    (&[(0, b"\xda\xce\xbe\x0a")], "a Nikon ND2 image", "export it as TIFF, for example by Fiji"),
    (&[(0, b"\x70\0\0\0"), (8, b"\x2a")], "a Leica LIF image", "export it as TIFF, for example by Fiji"),
    (&[(0, b"\0\0\0\x03"), (8, b"\0\0\0")], "a Gatan DM3 image", "export it as TIFF, for example by Fiji"),
    (&[(0, b"\0\0\0\x04\0\0\0\0")], "a Gatan DM4 image", "export it as TIFF, for example by Fiji"),
    (&[(0, b"II\x97\x01")], "an image series of FEI's TIA", "export it as TIFF"),
    (&[(208, b"MAP ")], "an MRC map", "save a slice of it as TIFF or NPY"),
    (&[(0, b"###CBF")], "a CBF diffraction image", "save it as TIFF or NPY"),
    (&[(0, b"NRRD000")], "an NRRD volume", "save it as NIfTI or NPY"),
    (&[(0, b"ObjectType = Image")], "a MetaImage header", "save the image as NIfTI or NPY"),
    (&[(0, b"# vtk DataFile")], "a VTK file", NUMBERS),
    (&[(0, b"ENVI\n")], "an ENVI header, whose image is in the file beside it", "save the image as TIFF or NPY"),
    (&[(0, b"ENVI\r\n")], "an ENVI header, whose image is in the file beside it", "save the image as TIFF or NPY"),
    (&[(0, b"GRIB")], "a GRIB file of weather", NUMBERS),
    (&[(0, b"LASF")], "a LAS cloud of points", NUMBERS),
    (&[(0, b"TDSm")], "a LabVIEW TDMS file", NUMBERS),
    (&[(0, b"0       ")], "an EDF recording", "export it as CSV or WAV"),
    (&[(0, b"\xffBIOSEMI")], "a BDF recording", "export it as CSV or WAV"),
    // Sound and video
    (&[(0, b"\x1a\x45\xdf\xa3"), (4, b"\x01\0\0\0\0\0\0")], "a Matroska or WebM file", VIDEO),
    (&[(0, b"\x1a\x45\xdf\xa3")], "a Matroska or WebM file", VIDEO),
    (&[(0, b"RIFF"), (8, b"AVI ")], "an AVI video", VIDEO),
    (&[(0, b"RIFF"), (8, b"RMID")], "a MIDI file, which holds notes and no sound", SOUND),
    (&[(0, b"MThd")], "a MIDI file, which holds notes and no sound", SOUND),
    (&[(0, b"FLV\x01")], "a Flash video", VIDEO),
    (&[(0, b"\0\0\x01\xba")], "an MPEG video", VIDEO),
    (&[(0, b"\0\0\x01\xb3")], "an MPEG video", VIDEO),
    (&[(0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11")], "a Windows Media file (WMA or WMV)", SOUND),
    (&[(0, b"OggS"), (28, b"Speex   ")], "a Speex recording", SOUND),
    (&[(0, b"OggS"), (28, b"\x80theora")], "a Theora film", VIDEO),
    (&[(0, b"wvpk")], "a WavPack recording", SOUND),
    (&[(0, b"MAC ")], "a Monkey's Audio recording (APE)", SOUND),
    (&[(0, b"TTA1")], "a TTA recording", SOUND),
    (&[(0, b"MPCK")], "a Musepack recording", SOUND),
    (&[(0, b"MP+")], "a Musepack recording", SOUND),
    (&[(0, b"#!AMR")], "an AMR recording", SOUND),
    (&[(0, b"DSD ")], "a DSD recording", SOUND),
    (&[(0, b"FRM8")], "a DSD recording", SOUND),
    (&[(0, b"Creative Voice File")], "a VOC recording", SOUND),
    (&[(0, b"FORM"), (8, b"8SVX")], "an 8SVX recording", SOUND),
    (&[(0, b"FORM"), (8, b"ILBM")], "an ILBM image", IMAGE),
    // Numbers
    (&[(0, b"MATLAB "), (10, b" MAT-file")], "a MATLAB file", NUMBERS),
    (&[(0, b"\0\0\x03\xe8\0\0\0")], "a MATLAB file", NUMBERS),
    (&[(0, b"\x89HDF\r\n\x1a\n")], "an HDF5 file", NUMBERS),
    (&[(0, b"CDF\x01")], "a NetCDF file", NUMBERS),
    (&[(0, b"CDF\x02")], "a NetCDF file", NUMBERS),
    (&[(0, b"CDF\x05")], "a NetCDF file", NUMBERS),
    (&[(0, b"\xcd\xf3\0\x01")], "a CDF file", NUMBERS),
    (&[(0, b"PAR1")], "a Parquet table", "save the table as CSV"),
    (&[(0, b"ARROW1")], "an Arrow table", "save the table as CSV"),
    (&[(0, b"FEA1")], "a Feather table", "save the table as CSV"),
    (&[(0, b"root\0")], "a ROOT file", NUMBERS),
    (&[(0, b"\x80\x02")], "a Python pickle", NUMBERS),
    (&[(0, b"\x80\x03")], "a Python pickle", NUMBERS),
    (&[(0, b"\x80\x04\x95")], "a Python pickle", NUMBERS),
    (&[(0, b"\x80\x05\x95")], "a Python pickle", NUMBERS),
    (&[(0, b"SQLite format 3\0")], "an SQLite database", "save the table as CSV"),
    (&[(0, b"RDX2\n")], "a file of R", "save the numbers by write.csv"),
    (&[(0, b"RDX3\n")], "a file of R", "save the numbers by write.csv"),
    (&[(0, b"X\n\0\0\0")], "a file of R", "save the numbers by write.csv"),
    (&[(0, b"$FL2@(#)")], "an SPSS file", "save the table as CSV"),
    (&[(0, b"<stata_dta>")], "a Stata file", "save the table as CSV"),
    // An archive stores the kind of an OpenDocument as its first member, without packing it.
    (&[(30, b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")], "an OpenDocument spreadsheet", SHEET),
    (&[(30, b"mimetypeapplication/vnd.oasis.opendocument")], "an OpenDocument text or drawing", PAGE),
    (&[(30, b"mimetypeapplication/epub")], "an e-book", NOTHING),
    (&[(30, b"mimetypeimage/openraster")], "an OpenRaster document", IMAGE),
    (&[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")], "an old Excel or Word file", SHEET),
    // Documents
    (&[(0, b"%PDF")], "a PDF document", PAGE),
    (&[(0, b"%!PS")], "a PostScript document", PAGE),
    (&[(0, b"\xc5\xd0\xd3\xc6")], "a PostScript document", PAGE),
    (&[(0, b"{\\rtf")], "a rich text document", PAGE),
    (&[(0, b"<svg")], "an SVG drawing", IMAGE),
    (&[(0, b"<!DOCTYPE")], "an HTML page", PAGE),
    (&[(0, b"<!doctype")], "an HTML page", PAGE),
    (&[(0, b"<html")], "an HTML page", PAGE),
    (&[(0, b"<?xml")], "an XML or SVG document", PAGE),
    (&[(0, b"\xef\xbb\xbf<?xml")], "an XML or SVG document", PAGE),
    (&[(0, b"OTTO\0")], "a font", NOTHING),
    (&[(0, b"\0\x01\0\0\0")], "a font", NOTHING),
    (&[(0, b"wOF")], "a font", NOTHING),
    // Packages
    (&[(0, b"\x1f\x8b")], "a package of gzip inside another", UNPACK),
    (&[(0, b"\x28\xb5\x2f\xfd")], "a Zstandard archive", UNPACK),
    (&[(0, b"\xfd7zXZ\0")], "an xz archive", UNPACK),
    (&[(0, b"BZh"), (4, b"1AY&SY")], "a bzip2 archive", UNPACK),
    (&[(0, b"\x04\x22\x4d\x18")], "an LZ4 archive", UNPACK),
    (&[(0, b"\x1f\x9d")], "an archive of compress", UNPACK),
    (&[(0, b"\x5d\0\0")], "an LZMA archive", UNPACK),
    (&[(0, b"LZIP")], "an lzip archive", UNPACK),
    (&[(0, b"7z\xbc\xaf\x27\x1c")], "a 7z archive", UNPACK),
    (&[(0, b"Rar!\x1a\x07")], "a RAR archive", UNPACK),
    (&[(257, b"ustar")], "a tar archive", UNPACK),
    // Programs
    (&[(0, b"\x7fELF")], PROGRAM.what, NOTHING),
    (&[(0, b"\xcf\xfa\xed\xfe")], PROGRAM.what, NOTHING),
    (&[(0, b"\xca\xfe\xba\xbe")], PROGRAM.what, NOTHING),
    (&[(0, b"\0asm")], PROGRAM.what, NOTHING),
];

/// A program of Windows; the two letters alone begin texts, too.
fn is_program(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MZ") && bytes.get(2..64).is_some_and(|header| header.contains(&0))
}

/// The format of a ZIP archive without arrays, told by the names of its members at its end.
fn member_names(bytes: &[u8]) -> Option<Foreign> {
    const MOST: usize = 1 << 16;
    if !bytes.starts_with(b"PK\x03\x04") && !bytes.starts_with(b"PK\x05\x06") {
        return None;
    }
    let directory = &bytes[bytes.len().saturating_sub(MOST)..];
    let has = |name: &[u8]| directory.windows(name.len()).any(|window| window == name);
    let (what, advice) = match () {
        () if has(b"xl/workbook") => ("an Excel workbook", SHEET),
        () if has(b"word/document") => ("a Word document", PAGE),
        () if has(b"ppt/presentation") => ("a PowerPoint file", PAGE),
        () if has(b".zarray") || has(b"zarr.json") => ("a Zarr archive", NUMBERS),
        () => ("a ZIP archive without arrays of NumPy", UNPACK),
    };
    Some(Foreign { what, advice })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::formats::FORMATS;

    #[test]
    fn every_row_is_found_by_its_marks() {
        for (marks, what, _) in ROWS {
            let end = marks.iter().map(|(at, mark)| at + mark.len()).max().unwrap_or(0);
            let mut bytes = vec![b' '; end.max(300)];
            for (at, mark) in *marks {
                bytes[*at..at + mark.len()].copy_from_slice(mark);
            }
            assert_eq!(Foreign::of(&bytes).map(|found| found.what), Some(*what), "{marks:?}");
            let read = FORMATS.iter().find(|format| !format.marks.is_empty() && format.recognises(&bytes));
            assert!(read.is_none(), "{what} is read: {:?}", read.map(|format| format.name));
        }
        assert_eq!(Foreign::of(b"MZ and more words"), None);
        assert_eq!(Foreign::of(&[b"MZ\x90\0\x03\0", &[0; 100][..]].concat()), Some(PROGRAM));
    }
}

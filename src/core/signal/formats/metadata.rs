//! EXIF and XMP data of a JPEG, PNG or WebP: the orientation of the image and its resolution.

use super::directory::{Directory, File, Tag};
use super::orientation::{ORIENTATION, Orientation};
use crate::remedy::Remedy;
use crate::signal::{Note, PixelSize, Reading, Signal};

const X_RESOLUTION: Tag = Tag(282, "XResolution");
const Y_RESOLUTION: Tag = Tag(283, "YResolution");
const RESOLUTION_UNIT: Tag = Tag(296, "ResolutionUnit");

/// The orientation and the resolution that a file gives its image.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Metadata {
    /// The number of the orientation, where it is known.
    pub orientation: Option<u64>,
    pub pixel_size: Option<PixelSize>,
}

impl Metadata {
    /// Reads EXIF data, with or without the mark that JPEG puts before them, and XMP text. EXIF wins where both say something.
    pub(super) fn of(exif: Option<&[u8]>, xmp: Option<&[u8]>) -> Self {
        let exif = exif.map(|exif| exif.strip_prefix(b"Exif\0\0").unwrap_or(exif)).and_then(File::of);
        let said = exif.and_then(|file| file.directories().0.into_iter().next()).map(|directory| Self::of_directory(&directory));
        let Self { orientation, pixel_size } = said.unwrap_or_default();
        Self { orientation: orientation.or_else(|| xmp.and_then(orientation_of_xmp)), pixel_size }
    }

    /// Reads a directory of a TIFF.
    pub(super) fn of_directory(directory: &Directory<'_>) -> Self {
        Self { orientation: directory.integer(ORIENTATION).ok().flatten(), pixel_size: of_resolution(directory) }
    }

    /// The image with its pixel size, turned upright unless a person chose otherwise; a note says so.
    pub(super) fn applied(self, mut signal: Signal, how: &Reading) -> Signal {
        signal.pixel_size = signal.pixel_size.or(self.pixel_size);
        let Some(orientation) = self.orientation.and_then(Orientation::of) else { return signal };
        let words = orientation.words();
        if how.options.as_stored {
            signal.notes.push(Note::new(format!("Rows and columns are as stored; upright, the image is {words}"), [Remedy::Upright]));
            return signal;
        }
        let mut upright = orientation.applied(&signal);
        (upright.notes, upright.pages) = (signal.notes, signal.pages);
        upright.notes.push(Note::new(format!("The image is {words}, as the file asks for"), [Remedy::AsStored]));
        upright
    }
}

/// The orientation in an XMP text, as an attribute or an element.
pub(super) fn orientation_of_xmp(xmp: &[u8]) -> Option<u64> {
    let name = b"tiff:Orientation";
    let at = xmp.windows(name.len()).position(|window| window == name)?;
    let digit = xmp[at + name.len()..].iter().take(8).find(|byte| byte.is_ascii_digit())?;
    Some((digit - b'0').into())
}

/// Pixels in a unit of length, across and down.
pub(super) fn resolution(directory: &Directory<'_>) -> Option<[f64; 2]> {
    Some([directory.real(X_RESOLUTION)?, directory.real(Y_RESOLUTION)?])
}

/// The size by the resolution, which counts pixels in an inch where nothing else is said.
pub(super) fn of_resolution(directory: &Directory<'_>) -> Option<PixelSize> {
    const NO_UNIT: u64 = 1;
    const CENTIMETRE: u64 = 3;
    let pixels = resolution(directory)?;
    match directory.integer(RESOLUTION_UNIT).ok().flatten() {
        Some(NO_UNIT) => None,
        Some(CENTIMETRE) => PixelSize::of_dots(pixels.map(|pixels| 2.54 * pixels)),
        _ => PixelSize::of_dots(pixels),
    }
}

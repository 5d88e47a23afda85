//! The image, the recording and the table inside the program, to be looked at without a file. assets/README.md says how they were made.

use super::{FileError, Reading, Signal, load_bytes_as};

/// A row of [`BUILT_IN`].
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// Its name in a list.
    pub name: &'static str,
    /// A hint at something to look for, in a sentence.
    pub about: &'static str,
    /// Name of the file in assets/.
    pub file: &'static str,
    bytes: &'static [u8],
}

/// The name of the recording.
pub const CHORD: &str = "Chord";

/// All images, recordings and tables inside the program; the first is shown at the first start.
/// A static, as every crate and every unit of compilation that used a constant would hold the files again.
pub static BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: "Butterfly",
        about: "A butterfly printed with a halftone screen, whose dots are a lattice of points in the spectrum.",
        file: "butterfly.png",
        bytes: include_bytes!("../assets/butterfly.png"),
    },
    BuiltIn {
        name: CHORD,
        about: "Three plucked strings, whose harmonics are three combs of peaks.",
        file: "chord.wav",
        bytes: include_bytes!("../assets/chord.wav"),
    },
    BuiltIn {
        name: "Daylight",
        about: "A table with dates: hours of daylight in Trondheim, every week of eight years.",
        file: "daylight.csv",
        bytes: include_bytes!("../assets/daylight.csv"),
    },
];

impl BuiltIn {
    /// Decodes the file.
    ///
    /// # Errors
    /// When the file inside the program is damaged.
    pub fn load(&self) -> Result<Signal, FileError> {
        self.load_as(&Reading::default())
    }

    /// Reads it as a person decides.
    ///
    /// # Errors
    /// As [`Self::load`]; and when its table does not allow what is decided.
    pub fn load_as(&self, how: &Reading) -> Result<Signal, FileError> {
        let mut signal = load_bytes_as(self.file, self.bytes, how)?;
        signal.name = self.name.to_owned();
        Ok(signal)
    }
}

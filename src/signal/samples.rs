//! The image and the recording inside the program, to be looked at without a file. assets/README.md says how they were made.

use super::{FileError, Signal, load_bytes};

/// One row of the table of samples.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Its name in a list.
    pub name: &'static str,
    /// What to look for, in a sentence.
    pub about: &'static str,
    /// Name of the file in assets/.
    pub file: &'static str,
    bytes: &'static [u8],
}

/// All samples; the first is shown at the first start.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "Butterfly",
        about: "A butterfly printed with a halftone screen, whose dots are a lattice of points in the spectrum.",
        file: "butterfly.png",
        bytes: include_bytes!("../../assets/butterfly.png"),
    },
    Sample {
        name: "Chord",
        about: "Three plucked strings, whose harmonics are three combs of peaks.",
        file: "chord.wav",
        bytes: include_bytes!("../../assets/chord.wav"),
    },
];

impl Sample {
    /// Decodes the file.
    ///
    /// # Errors
    /// When the file inside the program is damaged.
    pub fn load(&self) -> Result<Signal, FileError> {
        let mut signal = load_bytes(self.file, self.bytes)?;
        signal.name = self.name.to_owned();
        Ok(signal)
    }
}

//! The measurements: markers and profiles of an image, and the operation with a second one.

use crate::measure::{Marker, ProfileLine, Refinement};

/// The measurements on an image and its spectrum.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MeasureLook {
    /// The markers on the spectrum image.
    pub markers: Vec<Marker>,
    /// The marker that keys move.
    pub selected: Option<usize>,
    /// How their positions are refined.
    pub refinement: Refinement,
    /// Whether a ring is drawn through every marker.
    pub rings: bool,
    /// Whether the harmonics of the selected marker are drawn.
    pub harmonics: bool,
    /// Whether the lattice that the markers span is drawn.
    pub lattice: bool,
    /// The number of peaks that are looked for.
    pub n_peaks: usize,
    /// The profile that is shown.
    pub profile: ProfileTab,
    /// The line of the profile along a line; `None` lies across the middle.
    pub line: Option<ProfileLine>,
    /// Whether that line lies on the spectrum image.
    pub on_spectrum: bool,
    /// Whether that line is drawn where it lies.
    pub shows_line: bool,
    /// Whether the axis of the frequency is logarithmic.
    pub log_frequency: bool,
    /// Whether the axis of the power is logarithmic.
    pub log_power: bool,
    /// The operation with a second image.
    pub pair: PairLook,
}

impl Default for MeasureLook {
    fn default() -> Self {
        Self {
            markers: Vec::new(),
            selected: None,
            refinement: Refinement::default(),
            rings: false,
            harmonics: false,
            lattice: true,
            n_peaks: 8,
            profile: ProfileTab::default(),
            line: None,
            on_spectrum: false,
            shows_line: true,
            log_frequency: true,
            log_power: true,
            pair: PairLook::default(),
        }
    }
}

impl MeasureLook {
    /// Pins a marker and selects it.
    pub(crate) fn pin(&mut self, marker: Marker) {
        self.markers.push(marker);
        self.selected = Some(self.markers.len() - 1);
    }

    /// Removes the selected marker, and selects the one before it.
    pub(crate) fn remove_selected(&mut self) {
        if let Some(index) = self.selected.filter(|index| *index < self.markers.len()) {
            self.markers.remove(index);
            self.selected = (!self.markers.is_empty()).then(|| index.saturating_sub(1));
        }
    }
}

crate::choice! {
    /// A profile.
    pub enum ProfileTab {
        /// The mean power over the frequency.
        #[default]
        Radial = "Radial";
        /// The mean power over the direction.
        Angular = "By angle";
        /// The values along a line.
        Line = "Line";
    }
}

/// The operation with a second image, or with a blur.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct PairLook {
    /// Whether a second image was asked for, which is loaded then.
    pub has_second: bool,
    /// The operation.
    pub task: PairTask,
    /// The cause of the blur.
    pub blur: BlurForm,
    /// Standard deviation, radius or length of the blur in pixels.
    pub size: f64,
    /// The direction of a motion in degrees, anticlockwise from x.
    pub angle: f64,
    /// The power of the noise beside that of the image, in dB.
    pub noise_db: f64,
}

impl Default for PairLook {
    fn default() -> Self {
        Self { has_second: false, task: PairTask::default(), blur: BlurForm::default(), size: 2.0, angle: 0.0, noise_db: -30.0 }
    }
}

crate::choice! {
    /// The operation with a second image.
    pub enum PairTask {
        /// Where the second image lies against the first, by phase correlation.
        #[default]
        Shift = "Shift";
        /// The image before a blur, by Wiener deconvolution.
        Deblur = "Deblur";
    }
}

crate::choice! {
    /// The cause of a blur.
    pub enum BlurForm {
        /// A Gaussian of this standard deviation.
        #[default]
        Gauss = "Gauss";
        /// A disc of this radius, as a lens out of focus blurs.
        Disc = "Disc";
        /// A line of this length, as a motion blurs.
        Motion = "Motion";
        /// The second image is the kernel, its middle in the middle.
        Image = "Image";
    }
}

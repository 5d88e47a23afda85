//! What is measured: markers and profiles of an image, and what is done with a second one.

use crate::measure::{Marker, ProfileLine, Refinement};

/// What is measured on an image and its spectrum.
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
    /// What is done with a second image.
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

/// A profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum ProfileTab {
    /// The power over the frequency.
    #[default]
    Radial,
    /// The power over the direction.
    Angular,
    /// Values along a line.
    Line,
}

/// What is done with a second image, or with a blur.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct PairLook {
    /// Whether a second image was asked for, which is loaded then.
    pub has_second: bool,
    /// What is done.
    pub task: PairTask,
    /// What blurred the image.
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

/// What is done with a second image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum PairTask {
    /// Its shift is found.
    #[default]
    Shift,
    /// A blur is undone.
    Deblur,
}

/// What blurred an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum BlurForm {
    /// A Gaussian.
    #[default]
    Gauss,
    /// A disc.
    Disc,
    /// A line.
    Motion,
    /// The second image.
    Image,
}

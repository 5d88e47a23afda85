//! The colours of the flow graph, taken from the window's theme; only emphasis and time have hues of their own (Okabe-Ito).

use super::super::theme::launch_color;
use egui::{Color32, Theme, Visuals};

/// One set of colours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    /// Lines, nodes and texts.
    pub(super) line: Color32,
    /// Captions and lanes that go on.
    pub(super) quiet: Color32,
    /// Lines with coefficients other than 1 and −1.
    pub(super) other: Color32,
    /// Lines of a split section.
    pub(super) split: Color32,
    /// Lines of a merge section.
    pub(super) merge: Color32,
    /// Frames.
    pub(super) frame: Color32,
    /// The ground of the canvas.
    pub(super) ground: Color32,
    /// What the node in question depends on.
    pub(super) source: Color32,
    /// What depends on the node in question.
    pub(super) target: Color32,
    /// The butterfly that computes the node in question.
    pub(super) butterfly: Color32,
    /// The step cursor.
    pub(super) cursor: Color32,
    /// Dark or light.
    theme: Theme,
}

/// The colours of split sections and of merge sections.
pub(in crate::ui) fn section_colors(visuals: &Visuals) -> [Color32; 2] {
    if visuals.dark_mode {
        [Color32::from_rgb(86, 180, 233), Color32::from_rgb(240, 140, 60)]
    } else {
        [Color32::from_rgb(0, 114, 178), Color32::from_rgb(200, 80, 0)]
    }
}

impl Ink {
    /// The colours that go with a theme.
    pub(super) fn of(visuals: &Visuals) -> Self {
        let themed = |dark: [u8; 3], light: [u8; 3]| {
            let [r, g, b] = if visuals.dark_mode { dark } else { light };
            Color32::from_rgb(r, g, b)
        };
        let [split, merge] = section_colors(visuals);
        Self {
            line: themed([225, 225, 225], [30, 30, 30]),
            quiet: themed([160, 160, 160], [90, 90, 90]),
            other: themed([204, 121, 167], [150, 60, 110]),
            split,
            merge,
            frame: themed([125, 125, 125], [130, 130, 130]),
            ground: visuals.panel_fill,
            source: themed([86, 180, 233], [0, 114, 178]),
            target: themed([60, 200, 150], [0, 125, 90]),
            butterfly: themed([240, 165, 20], [200, 80, 0]),
            cursor: themed([240, 228, 66], [140, 110, 0]),
            theme: if visuals.dark_mode { Theme::Dark } else { Theme::Light },
        }
    }

    /// The colour of a launch, that of its bars in the times.
    pub(super) fn launch(self, index: usize) -> Color32 {
        launch_color(index, self.theme)
    }

    /// The tint of a launch that took this part of the time of the slowest one.
    pub(super) fn heat(self, index: usize, part: f32) -> Color32 {
        self.launch(index).gamma_multiply(0.08 + 0.5 * part.clamp(0.0, 1.0))
    }
}

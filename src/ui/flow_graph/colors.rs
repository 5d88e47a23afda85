//! The colours of the flow graph; the hues of emphasis and sections are those of Okabe and Ito, which colour-blind readers can tell apart.

use super::super::theme::launch_color;
use egui::{Color32, Theme, Visuals};

/// The colours of one theme.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphColors {
    /// Edges, nodes and texts.
    pub(super) line: Color32,
    /// Captions and lane segments.
    pub(super) weak: Color32,
    /// Edges with coefficients other than 1 and −1.
    pub(super) other: Color32,
    /// Edges of a split.
    pub(super) split: Color32,
    /// Edges of a merge.
    pub(super) merge: Color32,
    /// Frames.
    pub(super) frame: Color32,
    /// The background of the canvas.
    pub(super) ground: Color32,
    /// Sources of the node that the user asks about.
    pub(super) source: Color32,
    /// Targets of that node.
    pub(super) target: Color32,
    /// The butterfly that computes that node.
    pub(super) butterfly: Color32,
    /// Words that have overflowed.
    pub(super) overflow: Color32,
    /// The step cursor.
    pub(super) cursor: Color32,
    /// The theme itself, for the colours of launches.
    theme: Theme,
}

/// The colours of split and merge sections.
pub(crate) fn section_colors(visuals: &Visuals) -> [Color32; 2] {
    if visuals.dark_mode {
        [Color32::from_rgb(86, 180, 233), Color32::from_rgb(240, 140, 60)]
    } else {
        [Color32::from_rgb(0, 114, 178), Color32::from_rgb(200, 80, 0)]
    }
}

impl GraphColors {
    /// The colours for a theme.
    pub(super) fn of(visuals: &Visuals) -> Self {
        let themed = |dark: [u8; 3], light: [u8; 3]| {
            let [r, g, b] = if visuals.dark_mode { dark } else { light };
            Color32::from_rgb(r, g, b)
        };
        let [split, merge] = section_colors(visuals);
        Self {
            line: themed([225, 225, 225], [30, 30, 30]),
            weak: themed([160, 160, 160], [90, 90, 90]),
            other: themed([204, 121, 167], [150, 60, 110]),
            split,
            merge,
            frame: themed([125, 125, 125], [130, 130, 130]),
            ground: visuals.panel_fill,
            source: themed([86, 180, 233], [0, 114, 178]),
            target: themed([60, 200, 150], [0, 125, 90]),
            butterfly: themed([240, 165, 20], [200, 80, 0]),
            overflow: visuals.error_fg_color,
            cursor: themed([240, 228, 66], [140, 110, 0]),
            theme: if visuals.dark_mode { Theme::Dark } else { Theme::Light },
        }
    }

    /// The colour of a launch, the same as its bars in the pane *Timing*.
    pub(super) fn launch(self, index: usize) -> Color32 {
        launch_color(index, self.theme)
    }

    /// The tint of a launch that took the fraction `part` of the slowest launch's time.
    pub(super) fn heat(self, index: usize, part: f32) -> Color32 {
        // Light text on it keeps its contrast in the dark.
        let strongest = if self.theme == Theme::Dark { 0.4 } else { 0.58 };
        self.launch(index).gamma_multiply(0.08 + (strongest - 0.08) * part.clamp(0.0, 1.0))
    }
}

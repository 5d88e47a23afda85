//! The filter that is set, and how it is shown. These are settings, so that they are undone, remembered and saved.

use crate::filter::{Effect, Mask, MaskForm, MaskShape, STRIPE_TOLERANCE, ShapeEdge};
use std::path::PathBuf;

/// The filter of a layout.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct FilterLook {
    /// The filter.
    pub mask: Mask,
    /// An image whose factors multiply those of the mask.
    pub painted: Option<PaintedLook>,
    /// Shapes that are proposed and cut nothing yet.
    pub proposed: Vec<MaskShape>,
    /// The view of the pane *Filtered*.
    pub shows: FilteredView,
    /// The place of the movable edge, from 0 at the left to 1.
    pub split: SplitEdge,
    /// The tool of the mouse in the spectrum image.
    pub tool: MaskTool,
    /// Whether new shapes pass or cut.
    pub effect: Effect,
    /// The edge of new shapes.
    pub edge: ShapeEdge,
    /// The shape that is selected.
    pub selected: Option<usize>,
}

/// A mask that is painted as an image.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PaintedLook {
    /// The file.
    pub path: PathBuf,
    /// Whether it is switched off.
    #[serde(default)]
    pub off: bool,
}

/// The view of the pane *Filtered*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum FilteredView {
    /// The filtered image.
    #[default]
    Result,
    /// The factors of the mask.
    Mask,
    /// The filtered image minus the source.
    Difference,
    /// The source at the left of a movable edge, the filtered image at the right.
    Split,
    /// Source and filtered image in turn.
    Flicker,
}

/// The place of an edge, from 0 at the left to 1.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SplitEdge(pub f64);

impl Default for SplitEdge {
    fn default() -> Self {
        Self(0.5)
    }
}

crate::choice! {
    /// The tool of the mouse in the spectrum image.
    pub enum MaskTool {
        /// Drag an outline, a handle or the inside of a shape to change it, or an empty place to move the image.
        #[default]
        #[serde(alias = "Pan", alias = "Select")]
        Point = "Point";
        /// Drag from the middle of a spot to its edge; a click makes a small one. Its mate comes by itself.
        Spots = "Spot pair";
        /// Drag from the inner to the outer radius of a ring.
        Ring = "Ring";
        /// Drag from one side of a wedge of directions to the other.
        Wedge = "Wedge";
        /// Drag from corner to corner.
        Rectangle = "Rectangle";
        /// Drag from corner to corner of the box around the ellipse.
        Ellipse = "Ellipse";
        /// Drag paints.
        Brush = "Brush";
    }
}

/// A shape that a menu adds for an image or a signal: its name, what it does, and the shape.
pub(crate) fn presets(is_image: bool) -> Vec<(&'static str, &'static str, MaskShape)> {
    let cut = |form: MaskForm| MaskShape::new(form, Effect::Cut);
    let ring = |from: f64, to: f64, effect: Effect| MaskShape::new(MaskForm::Ring { from, to }, effect);
    let passes = [
        ("Low pass", "Keeps coarse structures", ring(0.0, 0.1, Effect::Pass).with_edge(ShapeEdge::Gaussian)),
        ("High pass", "Keeps fine structures", ring(0.0, 0.05, Effect::Cut).with_edge(ShapeEdge::Gaussian)),
        ("Band pass", "Keeps structures between two sizes", ring(0.05, 0.2, Effect::Pass).with_edge(ShapeEdge::Butterworth { order: 2.0 })),
        (
            "Band stop",
            "Removes structures between two sizes",
            ring(0.15, 0.2, Effect::Cut).with_edge(ShapeEdge::Butterworth { order: 2.0 }),
        ),
    ];
    let notch = ("Notch", "Removes a tone or hum", MaskShape::notch([0.1, 0.0], 0.005));
    let of_image = [
        ("Horizontal stripes", "Removes horizontal stripes", MaskShape::stripes(0.0, STRIPE_TOLERANCE)),
        ("Vertical stripes", "Removes vertical stripes", MaskShape::stripes(90.0, STRIPE_TOLERANCE)),
        ("Wedge", "Removes a range of directions", cut(MaskForm::Wedge { angle: 45.0, width: 15.0 })),
        ("Lattice", "Removes the spots of a lattice", cut(MaskForm::Lattice { a: [0.2, 0.0], b: [0.0, 0.2], radius: 0.01 })),
    ];
    match is_image {
        true => of_image[..2].iter().cloned().chain(passes).chain(of_image[2..].iter().cloned()).collect(),
        false => passes.into_iter().chain([notch]).collect(),
    }
}

impl FilterLook {
    /// The file of the painted mask, where one is switched on.
    pub(crate) fn painted_file(&self) -> Option<PathBuf> {
        self.painted.as_ref().filter(|painted| !painted.off).map(|painted| painted.path.clone())
    }

    /// Whether nothing is filtered.
    pub(crate) fn is_open(&self) -> bool {
        self.mask.is_open() && self.painted_file().is_none()
    }

    /// Number of rows in the list of shapes.
    pub(crate) fn n_listed(&self) -> usize {
        self.mask.shapes.len() + usize::from(self.painted.is_some())
    }

    /// Adds a shape and selects it.
    pub(crate) fn add(&mut self, shape: MaskShape) {
        self.mask.shapes.push(shape);
        self.selected = Some(self.mask.shapes.len() - 1);
    }

    /// Makes every spot of the mask half as wide again.
    pub(crate) fn widen_spots(&mut self) {
        for shape in &mut self.mask.shapes {
            if let MaskForm::Spots { radius, .. } = &mut shape.form {
                *radius *= 1.5;
            }
        }
    }

    /// Removes a shape.
    pub(crate) fn remove(&mut self, index: usize) {
        if index < self.mask.shapes.len() {
            self.mask.shapes.remove(index);
            self.selected = None;
        }
    }
}

//! A mask that is painted as an image, read from its file and kept until the file changes.

use crate::engine::EngineError;
use crate::filter::MaskTable;
use crate::signal;
use crate::transforms::Shape;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A mask that was read from an image.
#[derive(Debug)]
pub struct PaintedMask {
    /// The factors.
    pub table: MaskTable,
    /// The part of the sum of squares that is symmetric, from 0 to 1; the mean of the mask with its mirror image is applied.
    pub symmetric: f64,
    path: PathBuf,
    /// The time of the last change of the file.
    modified: Option<SystemTime>,
    shape: Shape,
}

impl PaintedMask {
    /// Reads a mask for a spectrum of this shape.
    ///
    /// # Errors
    /// When the file is not an image or holds what is not a number, or when the image has another size.
    pub fn read(path: &Path, shape: Shape) -> Result<Self, EngineError> {
        let modified = modified(path);
        let image = signal::load(path).map_err(|error| EngineError::MaskFile { reason: error.to_string() })?;
        let table = MaskTable::of_image(&image, shape)?;
        Ok(Self { symmetric: table.symmetric_share(), table, path: path.to_owned(), modified, shape })
    }
}

/// The mask of a file for a spectrum of this shape: the one that is known, if it is still that of the file.
pub(super) fn kept_or_read(known: Option<&Arc<PaintedMask>>, path: &Path, shape: Shape) -> Result<Arc<PaintedMask>, EngineError> {
    let is_current = |known: &&Arc<PaintedMask>| known.path == path && known.shape == shape && known.modified == modified(path);
    known.filter(is_current).cloned().map_or_else(|| PaintedMask::read(path, shape).map(Arc::new), Ok)
}

/// The time of the last change of a file, where the system tells.
fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

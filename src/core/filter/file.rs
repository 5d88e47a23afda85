//! A mask as a file: its shapes as JSON, and the size of the spectrum that it was drawn over.

use super::Mask;
use crate::transforms::Shape;
use serde::{Deserialize, Serialize};

/// A mask with the size that it was made for. Its frequencies are in cycles per sample or pixel, so that it fits every size.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MaskFile {
    /// The mask.
    #[serde(flatten)]
    pub mask: Mask,
    /// Columns and rows of the spectrum that it was drawn over, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[usize; 2]>,
}

impl MaskFile {
    /// A mask that was drawn over a spectrum of this shape.
    pub fn new(mask: Mask, shape: Shape) -> Self {
        Self { mask, size: Some([shape.columns, shape.rows]) }
    }

    /// Both sizes in words, columns × rows, where the mask was made for another one than `shape`.
    pub fn other_size(&self, shape: Shape) -> Option<[String; 2]> {
        let other = self.size.filter(|size| *size != [shape.columns, shape.rows])?;
        Some([other, [shape.columns, shape.rows]].map(|[columns, rows]| format!("{columns} × {rows}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::MaskShape;

    #[test]
    fn a_file_knows_its_size_and_stays_a_mask() {
        let shape = Shape { rows: 64, columns: 96 };
        let file = MaskFile::new(MaskShape::notch([0.25, 0.125], 0.02).into(), shape);
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(serde_json::from_str::<MaskFile>(&text).unwrap(), file);
        assert_eq!(serde_json::from_str::<Mask>(&text).unwrap(), file.mask);
        assert_eq!(file.other_size(shape), None);
        let other = Shape { rows: 512, columns: 512 };
        assert_eq!(file.other_size(other), Some(["96 × 64".to_owned(), "512 × 512".to_owned()]));
        // A mask that was typed by hand says no size.
        let typed: MaskFile = serde_json::from_str(r#"{"shapes":[]}"#).unwrap();
        assert_eq!((typed.size, typed.other_size(other)), (None, None));
    }
}

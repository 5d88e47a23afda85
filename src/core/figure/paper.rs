//! The paper of printed pages.

crate::choice! {
    /// The paper of a printed page.
    pub enum PaperSize {
        /// 210 × 297 mm.
        #[default]
        A4 = "A4", "a4";
        /// 8.5 × 11 inches.
        Letter = "Letter", "letter";
    }
}

impl PaperSize {
    /// Width and height in points.
    pub const fn size(self) -> [f32; 2] {
        match self {
            Self::A4 => [595.28, 841.89],
            Self::Letter => [612.0, 792.0],
        }
    }
}

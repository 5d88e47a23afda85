//! The pages, slices and frames of a file, of which one is read.

use super::{Cause, Note, ReadOptions};
use crate::numerals::{counted, integer};
use crate::remedy::Remedy;

/// The page of a file that a signal was read from, where the file has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pages {
    /// The number of the page, from 1.
    pub shown: usize,
    /// How many there are.
    pub total: usize,
    /// Their kind.
    pub kind: PageKind,
}

/// The kind of images that a file has several of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// Images that have nothing in common.
    Page,
    /// Images of one stack, volume or array.
    Slice,
    /// Images of an animation.
    Frame,
}

impl PageKind {
    /// "page", "slice" or "frame".
    pub fn noun(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Slice => "slice",
            Self::Frame => "frame",
        }
    }
}

impl Pages {
    /// The page that a person chose of `total`, or the first one; `None` if there is only one.
    ///
    /// # Errors
    /// When there is no such page.
    pub(super) fn chosen(options: &ReadOptions, total: usize, kind: PageKind) -> Result<Option<Self>, Cause> {
        let shown = options.page.map_or(1, |page| page.get());
        if shown > total {
            let has = format!("it has {}, and {} is asked for", counted(total, kind.noun()), integer(shown));
            return Err(Cause::choice(has, [Remedy::Page(total)]));
        }
        Ok((total > 1).then_some(Self { shown, total, kind }))
    }

    /// The index of the page, from 0.
    pub(super) fn index(this: Option<Self>) -> usize {
        this.map_or(0, |pages| pages.shown - 1)
    }

    /// Says which page is shown, and how to read another one.
    pub(super) fn note(self) -> Note {
        let (noun, place) = (self.kind.noun(), format!("{} of {}", integer(self.shown), integer(self.total)));
        let text = match (self.shown, self.kind) {
            (1, PageKind::Frame) => format!("Only the first frame of an animation is read: frame {place}"),
            (1, _) => format!("Only the first of several {noun}s is read: {noun} {place}"),
            _ => format!("One of several {noun}s is read: {noun} {place}"),
        };
        Note::new(text, [Remedy::Page(self.total)])
    }
}

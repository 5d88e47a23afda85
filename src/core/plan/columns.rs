//! Applies the plan of a line to all columns of an image, without transposing it.

use super::{BitOrder, Extension, Loop, Plan, ResultOrder, Stage, Twiddle};

impl Plan {
    /// The same plan for every column of an image `width` columns wide: lane l of column c is lane l·`width` + c.
    /// `None` if the loops of a stage cannot take in the columns, or if a stage permutes lanes.
    pub fn down_columns(self, width: usize) -> Option<Self> {
        if width == 1 {
            return Some(self);
        }
        let stages = self.stages.into_iter().map(|stage| stage.down_columns(width)).collect::<Option<_>>()?;
        let [lanes, inputs, outputs] = [self.lanes, self.inputs, self.outputs].map(|n| n * width);
        (self.output == ResultOrder::Natural).then(|| Self { lanes, inputs, outputs, stages, ..self })
    }
}

impl Stage {
    /// Multiplies all strides by `width`, and runs one loop over the columns as well.
    fn down_columns(self, width: usize) -> Option<Self> {
        if self.write.scatters() || self.write.bit_order != BitOrder::Kept {
            return None;
        }
        let Self { outer, group, mut read, mut write, .. } = self;
        let apart = |lanes: Loop| Loop { n: lanes.n, read: lanes.read * width, write: lanes.write * width };
        let merged = |lanes: Loop| Loop::new(lanes.n * width, 1);
        let is_dense = |lanes: Loop| (lanes.read, lanes.write) == (1, 1);
        read.base *= width;
        (write.first, write.hop) = (write.first * width, write.hop * width);
        let outer_is_free = outer.n > 1 && is_dense(outer);
        let is_plain = (read.step, read.advance, read.extension, write.advance) == (1, 1, Extension::None, 1) && read.hop >= 0;
        if !outer_is_free && is_plain && self.twiddle.is_none() && self.direct_sum().is_none() {
            // Blocks and distances grow by the same factor, so a Kronecker step stays one.
            (read.first, read.hop, read.len) = (read.first * width as i64, read.hop * width as i64, read.len * width);
            return Some(Self { outer: apart(outer), group: apart(group), positions: self.positions * width, read, write, ..self });
        }
        (read.step, write.advance) = (read.step * width, write.advance * width);
        let group_is_free = (group.n == 1 || is_dense(group)) && is_same_in_groups(self.twiddle.as_ref());
        let (outer, group) = match () {
            () if outer_is_free => (merged(outer), apart(group)),
            () if group_is_free => (apart(outer), merged(group)),
            () if outer.n == 1 => (merged(outer), apart(group)),
            () => return None,
        };
        Some(Self { outer, group, read, write, ..self })
    }
}

/// Whether the twiddle is the same in all groups; the index into a table counts groups too.
fn is_same_in_groups(twiddle: Option<&Twiddle>) -> bool {
    match twiddle {
        None => true,
        Some(Twiddle::Root { column, .. }) => column[1] == 0,
        Some(Twiddle::Table(_)) => false,
    }
}

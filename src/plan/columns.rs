//! From the plan of one line to one of many lines that stand side by side, as the columns of a picture do.

use super::{BitOrder, Extension, Loop, Plan, ResultOrder, Stage, Twiddle};

impl Plan {
    /// The same plan down every column of a picture of `width` columns: lane l of column c stands at l·`width` + c, and nothing is transposed.
    ///
    /// `None` where the loops of a stage have no place for the columns, or where lanes are permuted.
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
    /// All strides times `width`, and a turn more for every column in the loop whose turns then stand side by side.
    fn down_columns(self, width: usize) -> Option<Self> {
        if self.write.scatters() || self.write.bit_order != BitOrder::Kept {
            return None;
        }
        let Self { outer, group, mut read, mut write, .. } = self;
        let apart = |turns: Loop| Loop { n: turns.n, read: turns.read * width, write: turns.write * width };
        let merged = |turns: Loop| Loop::new(turns.n * width, 1);
        let is_dense = |turns: Loop| (turns.read, turns.write) == (1, 1);
        read.base *= width;
        (write.first, write.hop) = (write.first * width, write.hop * width);
        let outer_is_free = outer.n > 1 && is_dense(outer);
        let is_plain = (read.step, read.advance, read.extension, write.advance) == (1, 1, Extension::None, 1) && read.hop >= 0;
        if !outer_is_free && is_plain && self.twiddle.is_none() {
            // Pairs of lanes of a block stay such, of a wider block: a step of one digit of the index stays one.
            (read.first, read.hop, read.len) = (read.first * width as i64, read.hop * width as i64, read.len * width);
            return Some(Self { outer: apart(outer), group: apart(group), positions: self.positions * width, read, write, ..self });
        }
        (read.step, write.advance) = (read.step * width, write.advance * width);
        let group_is_free = (group.n == 1 || is_dense(group)) && turns_alike(self.twiddle.as_ref());
        let (outer, group) = match () {
            () if outer_is_free => (merged(outer), apart(group)),
            () if group_is_free => (apart(outer), merged(group)),
            () if outer.n == 1 => (merged(outer), apart(group)),
            () => return None,
        };
        Some(Self { outer, group, read, write, ..self })
    }
}

/// Whether a twiddle is the same in all groups; numbers of a table are counted inside a turn of the outer loop, groups included.
fn turns_alike(twiddle: Option<&Twiddle>) -> bool {
    match twiddle {
        None => true,
        Some(Twiddle::Root { column, .. }) => column[1] == 0,
        Some(Twiddle::Table(_)) => false,
    }
}

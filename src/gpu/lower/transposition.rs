//! Which stages transpose a picture, so that a kernel of their own moves it in squares.

use crate::plan::{Coef, Fold, Loop, Stage};

/// Rows and columns of the picture in the first lanes that the stage transposes, if that is what it does.
pub(super) fn transposition(stage: &Stage, lanes: usize) -> Option<[usize; 2]> {
    let (rows, columns) = (stage.group.n, stage.positions);
    let read = &stage.read;
    let reads_rows = [read.advance, read.hop, read.step] == [1; 3] && read.first == 0 && read.len == columns && read.fold == Fold::None;
    let writes_columns = stage.write.first == 0 && stage.write.advance == rows && !stage.write.scatters();
    let copies = stage.twiddle.is_none() && stage.matrix().coefs == [Coef::ONE];
    let strides = stage.group == Loop { n: rows, read: columns, write: 1 } && stage.outer.n == 1;
    (reads_rows && writes_columns && copies && strides && rows * columns <= lanes).then_some([rows, columns])
}

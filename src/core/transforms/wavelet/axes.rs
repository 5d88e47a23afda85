//! The order in which levels take the axes of an image: along rows and down columns where they are, or as rows of the transposed image.
//!
//! J. Franco, G. Bernabé, J. Fernández, M. E. Acacio, M. Ujaldón, The GPU on the 2D wavelet transform, survey and contributions (2010), transpose between rows and columns.

use super::super::{Algorithm, Build, PlanFn, ScheduleKind, Schedules, Sections, Shape};
use crate::plan::shapes::TranspositionStage;
use crate::plan::{Direction, Stage, halved};

/// How the columns of an image are transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Columns {
    /// Where they are.
    InPlace,
    /// As rows of the transposed image.
    Transposed,
}

/// The samples of a level along one axis: their number, the lanes between two of them at the first level, the lines, and the lanes between two lines at the first level.
#[derive(Debug, Clone, Copy)]
pub(super) struct AxisLines {
    pub(super) samples: usize,
    pub(super) stride: usize,
    pub(super) n_lines: usize,
    pub(super) line_stride: usize,
}

/// The stages of all levels in groups, in the order of the forward direction. `of` gives those of a level along one axis, which it names x or y, or nothing for a line.
///
/// The image is transposed once a level: a level that finds it transposed begins with the columns, since both axes commute.
pub(super) fn levels(
    image: Shape,
    n_levels: u32,
    columns: Columns,
    direction: Direction,
    mut of: impl FnMut(u32, &str, AxisLines) -> Vec<Vec<Stage>>,
) -> Vec<Vec<Stage>> {
    let is_image = image.rows > 1 && image.columns > 1;
    let transposes = is_image && columns == Columns::Transposed;
    let (mut groups, mut is_transposed) = (Vec::new(), false);
    let turned = |is_transposed: bool| {
        // The inverse of a transposition transposes its result.
        let Shape { rows, columns } = if is_transposed == (direction == Direction::Forward) { image.transposed() } else { image };
        vec![TranspositionStage { rows, columns }.stage()]
    };
    for level in 0..n_levels {
        let [rows, columns] = [image.rows, image.columns].map(|n| halved(n, level));
        let [column_stride, row_stride] = if transposes { [1, image.rows] } else { [image.columns, 1] };
        let along_x = AxisLines { samples: columns, stride: 1, n_lines: rows, line_stride: image.columns };
        let along_y = AxisLines { samples: rows, stride: column_stride, n_lines: columns, line_stride: row_stride };
        let mut axes = [("x", along_x), ("y", along_y)];
        if is_transposed {
            axes.reverse();
        }
        for (part, (axis, lines)) in axes.into_iter().enumerate() {
            if transposes && part == 1 {
                groups.push(turned(is_transposed));
                is_transposed = !is_transposed;
            }
            if lines.samples > 1 {
                groups.extend(of(level, if is_image { axis } else { "" }, lines));
            }
        }
    }
    groups.extend(is_transposed.then(|| turned(true)));
    groups
}

/// Groups of stages in running order.
pub(super) fn in_direction(mut groups: Vec<Vec<Stage>>, direction: Direction) -> Vec<Stage> {
    if direction == Direction::Inverse {
        groups.reverse();
    }
    groups.concat()
}

/// Besides the algorithms of an image those that transpose it between rows and columns, by lifting and by filter bank.
pub(super) const fn with_transposed([a, b, c, d, e, f]: [Algorithm; 6], lifting: PlanFn, bank: PlanFn) -> [Algorithm; 8] {
    let by_lifting = Algorithm { build: Build::Scheduled(lifting, LIFTED_TRANSPOSED), ..LIFTING_TRANSPOSED };
    let by_filters = Algorithm { build: Build::Scheduled(bank, FILTERED_TRANSPOSED), ..FILTERS_TRANSPOSED };
    [a, b, c, d, e, f, by_lifting, by_filters]
}

/// Lifting along rows, transpose, lifting along rows.
const LIFTING_TRANSPOSED: Algorithm = Algorithm {
    name: "transposed",
    about: "Lifting along rows, transpose, lifting along rows again, one launch per step; a further level begins with the columns, which are rows already",
    source: "J. Franco, G. Bernabé et al. 2010; F. Argüello et al. 2012, Table 5",
    build: Build::Library,
};

/// A filter bank along rows, transpose, and the same again.
const FILTERS_TRANSPOSED: Algorithm = Algorithm {
    name: "filter-bank-transposed",
    about: "Both filters along rows, transpose, both filters along rows again; a further level begins with the columns, which are rows already",
    ..LIFTING_TRANSPOSED
};

/// Lifting along rows alone has sections; a filter bank is cut as a whole, which transpositions divide.
const LIFTED_TRANSPOSED: Schedules = Schedules { usual: ScheduleKind::Stages, sections: Sections::Lines, overlapped_levels: None };
const FILTERED_TRANSPOSED: Schedules = Schedules { sections: Sections::None, ..LIFTED_TRANSPOSED };

//! How many tiles the split sections of each level have.

use papillon::plan::Plan;
use papillon::schedule::{Schedule, SectionKind, SplitAndMerge};
use papillon::transforms::{Parameters, Shape, transform};

#[test]
fn every_level_has_tiles_for_the_samples_that_remain() {
    let tiles = |plan: &Plan, how: SplitAndMerge| -> Vec<usize> {
        let schedule = Schedule::split_and_merge(plan, how);
        let splits = schedule.launches.iter().filter(|launch| launch.section() == Some(SectionKind::Split));
        splits.map(|launch| launch.n_tiles(plan)).collect()
    };
    let how = SplitAndMerge { levels: 1, ..SplitAndMerge::default() };
    // Rows in tiles of 512 samples, columns in tiles of 16 rows and 32 columns; then a quarter of the image.
    let parameters = |levels| Parameters { levels: Some(levels), ..Parameters::default() };
    let build = transform("cdf97-2").unwrap().algorithm("direct").unwrap().plan_fn().unwrap();
    let plan = build(Shape { rows: 64, columns: 48 }, parameters(2)).unwrap();
    assert_eq!(tiles(&plan, how), [64, 4 * 2, 32, 2]);
    let build = transform("d4").unwrap().algorithm("filter-bank").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(1024), parameters(4)).unwrap();
    assert_eq!(tiles(&plan, SplitAndMerge { block: 64, ..how }), [8, 4, 2, 1]);
}

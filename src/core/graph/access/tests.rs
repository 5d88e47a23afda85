//! Counts that were worked out by hand.

use super::*;
use crate::figure::{Anchor, Mark};
use crate::plan::{Loop, Plan};
use crate::schedule::{BlockScheme, Launch, Schedule, SplitAndMerge, ThreadsPerSample, Tile, TileGrid};
use crate::transforms::{Parameters, Shape, transform};

fn plan(name: &str, algorithm: &str, n: usize) -> Plan {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape::line(n), Parameters::default()).unwrap()
}

/// Transactions of the first 32 threads in every stage, and the least possible.
fn transactions(plan: &Plan, lane_bytes: usize) -> Vec<[usize; 3]> {
    let count = |stage| {
        let requests = of_butterflies(stage, &butterflies_of_subgroup(stage, 0, SUBGROUP), lane_bytes);
        let AccessCount { touched, least, distinct } = AccessCount::of(&requests, TRANSACTION_BYTES);
        [touched, least, distinct]
    };
    plan.stages.iter().map(count).collect()
}

#[test]
fn cooley_tukey_needs_more_transactions_where_lanes_are_close() {
    // 32 threads load 2 × 128 bytes and store as much: 4 transactions where the lanes of a butterfly are 32 or more apart.
    // At a distance of 16, the first taps are lanes 0 to 15 and 32 to 47: two segments, and so for every load and store.
    let mut expected = vec![[4, 4, 4]; 5];
    expected.extend([[8, 4, 4]; 5]);
    let found = transactions(&plan("walsh", "cooley-tukey", 1024), 4);
    assert!(found == expected || found.iter().rev().eq(expected.iter()), "{found:?}");
}

#[test]
fn constant_geometry_costs_the_same_in_every_stage() {
    // Thread i loads lanes 2i and 2i + 1, which are 64 lanes in two segments, twice, and stores lanes i and i + 512, one segment each.
    let plan = plan("walsh", "constant-geometry", 1024);
    assert_eq!(transactions(&plan, 4), vec![[6, 4, 4]; 10]);
    let requests = of_butterflies(&plan.stages[3], &butterflies_of_subgroup(&plan.stages[3], 0, SUBGROUP), 4);
    let strides: Vec<String> = requests.iter().map(|request| request.stride(4).to_string()).collect();
    assert_eq!(strides, ["stride 2", "stride 2", "neighbours", "neighbours"]);
    assert_eq!(requests[3].spans[5], Some(Span { first: 4 * 517, bytes: 4 }));
}

#[test]
fn a_stage_is_counted_by_its_subgroups() {
    // 128 threads of 256 values are four subgroups; in stage 4 of Haar 16 threads work, 16 lanes apart: two loads and two stores of 16 lanes in 8 segments.
    let count = |name, algorithm, stage: usize| stage_transactions(&plan(name, algorithm, 256).stages[stage], SUBGROUP, 4).touched;
    assert_eq!([count("walsh", "cooley-tukey", 0), count("walsh", "cooley-tukey", 7)], [16, 32]);
    assert_eq!([count("haar", "cooley-tukey", 0), count("haar", "cooley-tukey", 3)], [32, 32]);
}

#[test]
fn idle_threads_of_haar_and_of_one_thread_a_sample() {
    let n_working =
        |rows: Vec<(String, Vec<bool>)>| rows.iter().map(|(_, row)| row.iter().filter(|works| **works).count()).collect::<Vec<_>>();
    let haar = plan("haar", "cooley-tukey", 16);
    assert_eq!(n_working(working_threads(&haar, &Schedule::by_stage(&haar)))[..4], [8, 4, 2, 1]);
    let lifting = plan("cdf97", "split-merge", 1 << 12);
    for (threads, n_threads) in [(ThreadsPerSample::Half, 2048), (ThreadsPerSample::One, 4096)] {
        let how = SplitAndMerge { threads, ..SplitAndMerge::default() };
        let rows = working_threads(&lifting, &Schedule::split_and_merge(&lifting, how));
        // The first step updates every other sample.
        assert_eq!(rows[0].1.iter().filter(|works| **works).count(), 2048);
        assert!(rows[0].1.len() >= n_threads && rows[0].1[..n_threads].iter().filter(|works| **works).count() == 2048);
    }
}

#[test]
fn strides_have_names() {
    let of = |lanes: &[u64]| Stride::of(&lanes.iter().map(|lane| Some(Span { first: 8 * lane, bytes: 8 })).collect::<Vec<_>>(), 8);
    assert_eq!(of(&[3]), Stride::Single);
    assert_eq!(of(&[5, 5, 5]).to_string(), "one address for all");
    assert_eq!(of(&[9, 7, 5]), Stride::Constant(-2));
    assert_eq!(of(&[0, 1, 2, 3, 8, 9, 10, 11]), Stride::Runs { length: 4, stride: 1, jump: 8 });
    assert_eq!(of(&[0, 1, 8, 9]).to_string(), "2 neighbours, then 8 further");
    assert_eq!(of(&[0, 3, 4]), Stride::Irregular);
    let without = [None, Some(Span { first: 0, bytes: 4 }), None, Some(Span { first: 8, bytes: 4 })];
    assert_eq!(Stride::of(&without, 4), Stride::Constant(2), "idle threads have no address");
}

/// A request of workgroup memory, a word a thread.
fn words(place: impl Fn(u64) -> u64, bytes: u64) -> AccessRequest {
    let spans = (0..32).map(|thread| Some(Span { first: bytes * place(thread), bytes })).collect();
    AccessRequest { name: "square".into(), memory: AccessedMemory::Workgroup, is_write: false, phase: 0, line: None, spans }
}

#[test]
fn words_of_one_bank_take_several_passes() {
    assert_eq!(words(|x| x, 4).banks(), BankUse { passes: 1, least: 1 });
    assert_eq!(words(|x| 2 * x, 4).banks(), BankUse { passes: 2, least: 1 });
    assert_eq!(words(|x| 32 * x, 4).banks().name(), "32-way conflict");
    assert_eq!(words(|x| 33 * x, 4).banks().name(), "no conflict");
    assert_eq!(words(|_| 7, 4).banks(), BankUse { passes: 1, least: 1 }, "a word that all read is broadcast");
    // Complex lanes are two words: 64 words take at least two passes. At a pitch of 32 all words are in two banks.
    assert_eq!(words(|x| 33 * x, 8).banks(), BankUse { passes: 2, least: 2 });
    assert_eq!(words(|x| 32 * x, 8).banks(), BankUse { passes: 32, least: 2 });
}

#[test]
fn a_loop_touches_cache_lines() {
    // Stage of distance 4 in 64 lanes: 8 repetitions of 4 positions. 8 lanes of 8 bytes fill a cache line.
    let plan = plan("walsh", "cooley-tukey", 64);
    let stage = plan.stages.iter().find(|stage| stage.positions == 4 && stage.outer.n == 8).unwrap();
    assert_eq!(stage.outer, Loop::new(8, 8));
    let near: Vec<[usize; 3]> = (0..4).map(|p| [p, 0, 0]).collect();
    let far: Vec<[usize; 3]> = (0..4).map(|b| [0, 0, b]).collect();
    let lines = |places: &[[usize; 3]]| AccessCount::of(&of_butterflies(stage, places, 8), CACHE_LINE_BYTES).distinct;
    // Each line is read and written.
    assert_eq!([lines(&near), lines(&far)], [2, 8]);
}

#[test]
fn tiles_lie_over_the_image() {
    let walsh = plan("walsh", "cooley-tukey", 64);
    let rects = |tile: Tile, image| tile_rects(&walsh, &Launch { stages: 0..1, tile }, image);
    let found = rects(Tile::Strided { points: 4, stride: 6, lines: 4, mirrored: false }, [4, 6]);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].owned, [0..4, 4..6], "the last tile is narrower");
    let grid = TileGrid { rows: 2, extent: [8, 8], ..TileGrid::line(8, 4) };
    let found = rects(Tile::Overlapped { grid, halo: [1, 3] }, [8, 8]);
    assert_eq!(found.len(), 8);
    assert_eq!((&found[3].owned, &found[3].read), (&[2..4, 4..8], &[1..5, 1..8]));
    // On the second level samples are in every other row.
    let grid = TileGrid { rows: 2, extent: [4, 8], ..TileGrid::line(16, 4) };
    assert_eq!(rects(Tile::Overlapped { grid, halo: [1, 0] }, [8, 8])[2].read, [2..8, 0..4]);
    assert_eq!(rects(Tile::Block { lanes: 16 }, [4, 8]).len(), 2);
    assert!(rects(Tile::Each, [4, 8]).is_empty());
}

#[test]
fn blocks_of_threads_lie_over_the_image() {
    let build = transform("cdf97-2").unwrap().algorithm("direct").unwrap().plan_fn().unwrap();
    let plan = build(Shape { rows: 64, columns: 64 }, Parameters { levels: Some(1), ..Parameters::default() }).unwrap();
    let schedule = Schedule::by_stage_in(&plan, BlockScheme::Square);
    let launch = &schedule.launches[0];
    assert_eq!(launch.tile, Tile::Patch { positions: 16, lines: 16 });
    let rects = tile_rects(&plan, launch, [64, 64]);
    // 16 threads along a row update every other of 32 samples, the odd ones first, and read the even ones beside them.
    assert_eq!(rects.len(), 2 * 4);
    assert_eq!((&rects[1].owned, &rects[1].read), (&[0..16, 33..64], &[0..16, 32..64]));
}

#[test]
fn every_access_is_a_cell() {
    let plan = plan("walsh", "constant-geometry", 1024);
    let requests = of_butterflies(&plan.stages[0], &butterflies_of_subgroup(&plan.stages[0], 0, SUBGROUP), 4);
    let (reads, writes): (Vec<_>, Vec<_>) = requests.iter().partition(|request| !request.is_write);
    let panel = |title: &str, requests: Vec<_>| AccessPanel {
        title: title.into(),
        brief: "in brief".into(),
        requests,
        axis: PanelAxis::Segments { bytes: TRANSACTION_BYTES },
        lane_bytes: 4,
        row_name: "thread",
    };
    let drawn = access_figure(&[panel("reads", reads), panel("writes", writes)], [600.0, 400.0]);
    assert_eq!(drawn.cells.len(), 4 * 32);
    let inside = |[x, y]: [f32; 2]| (0.0..=600.0).contains(&x) && (0.0..=400.0).contains(&y);
    assert!(drawn.cells.iter().all(|cell| cell.corners.into_iter().all(inside)));
}

#[test]
fn titles_of_narrow_panels_are_short_and_do_not_meet() {
    let plan = plan("walsh", "cooley-tukey", 256);
    let requests = of_butterflies(&plan.stages[0], &butterflies_of_subgroup(&plan.stages[0], 0, SUBGROUP), 4);
    let panels = AccessPanel::of_lanes(&requests, TRANSACTION_BYTES, 4, "thread");
    let titles = |width: f32| {
        let marks = access_figure(&panels, [width, 300.0]).figure.marks;
        let of = |mark: &Mark| match mark {
            Mark::Text { text, .. } if text.starts_with("Loads") || text.starts_with("Stores") => Some(text.clone()),
            _ => None,
        };
        marks.iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(titles(800.0), ["Loads: 2 transactions of 128 bytes, at least 2", "Stores: 2 transactions of 128 bytes, at least 2"]);
    assert_eq!(titles(420.0), ["Loads: 2, at least 2", "Stores: 2, at least 2"]);
}

#[test]
fn numbers_below_segments_do_not_meet() {
    // 32 iterations of loop A at a distance of 1024 touch lines 2048 lanes apart, which have numbers of five digits.
    let plan = plan("walsh", "cooley-tukey", 1 << 16);
    let stage = plan.stages.iter().find(|stage| stage.positions == 1024).unwrap();
    let blocks: Vec<[usize; 3]> = (0..32).map(|block| [0, 0, block]).collect();
    let requests = of_butterflies(stage, &blocks, 4);
    let panels = AccessPanel::of_lanes(&requests, CACHE_LINE_BYTES, 4, "iteration");
    let figure = access_figure(&panels, [500.0, 200.0]).figure;
    let number = |mark: &Mark| match mark {
        Mark::Text { at, anchor: Anchor::Left, text, .. } if !text.contains(|c: char| c.is_alphabetic()) => {
            Some((at[0], text.chars().count()))
        }
        _ => None,
    };
    let numbers: Vec<(f32, usize)> = figure.marks.iter().filter_map(number).collect();
    assert!(numbers.iter().any(|(_, n_characters)| *n_characters >= 6), "a space stands in the number");
    for pair in numbers.windows(2).filter(|pair| pair[1].0 > pair[0].0) {
        assert!(pair[1].0 - pair[0].0 > pair[0].1 as f32 * 6.5, "{pair:?}");
    }
}

#[test]
fn a_merge_is_a_band_around_every_border() {
    let build = transform("cdf97-2").unwrap().algorithm("direct").unwrap().plan_fn().unwrap();
    let plan = build(Shape { rows: 32, columns: 32 }, Parameters { levels: Some(1), ..Parameters::default() }).unwrap();
    let how = SplitAndMerge { levels: 1, threads: ThreadsPerSample::One, scheme: BlockScheme::Square, ..SplitAndMerge::default() };
    let schedule = Schedule::split_and_merge(&plan, how);
    let rects: Vec<Vec<TileRect>> = schedule.launches.iter().map(|launch| tile_rects(&plan, launch, [32, 32])).collect();
    // Figure 11, to the right: four squares, then the columns around the border between them, then the rows. The last of the four steps leaves
    // samples −4 to 2 from the border.
    assert_eq!(rects.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 2, 0]);
    assert_eq!(rects[0][3].owned, [16..32, 16..32]);
    assert_eq!([&rects[1][0].owned, &rects[2][1].owned], [&[0..16, 12..19], &[12..19, 16..32]]);
    let panels = rects.into_iter().take(3).map(|tiles| TilesPanel { title: "tiles".into(), tiles }).collect::<Vec<_>>();
    let figure = tiles_figure(&panels, [32, 32], 600.0, "three launches".into());
    let frames = figure.marks.iter().filter(|mark| matches!(mark, Mark::Frame { .. })).count();
    assert_eq!(frames, 3 + 4 + 2 + 2, "the image three times, and its tiles");
}

#[test]
fn a_block_of_a_row_or_of_a_column_lies_over_it() {
    let build = transform("cdf97-2").unwrap().algorithm("direct").unwrap().plan_fn().unwrap();
    let plan = build(Shape { rows: 32, columns: 32 }, Parameters { levels: Some(1), ..Parameters::default() }).unwrap();
    let schedule = Schedule::by_stage_in(&plan, BlockScheme::RowColumn);
    let of = |launch: usize| tile_rects(&plan, &schedule.launches[launch], [32, 32]);
    // Figure 10, to the left: the even samples of a row, and of a column.
    assert_eq!((of(1).len(), of(1)[5].owned.clone()), (32, [5..6, 0..31]));
    assert_eq!((of(5).len(), of(5)[5].owned.clone()), (32, [0..31, 5..6]));
}

#[test]
fn a_host_and_a_device_are_drawn_with_all_times() {
    let run = |n: usize| HostDevice {
        device: "a GPU".into(),
        values: ["64 values".into(), "what is shown".into()],
        transfer_micros: [10.0, 20.0],
        launches: (1..=n).map(|k| (format!("stage {k}"), k as f64)).collect(),
    };
    let texts = |run: &HostDevice| {
        let marks = host_device_figure(run, [700.0, 240.0]).marks;
        let text = |mark: Mark| if let Mark::Text { text, .. } = mark { Some(text) } else { None };
        marks.into_iter().filter_map(text).collect::<Vec<_>>()
    };
    let few = texts(&run(3));
    for text in ["Host", "a GPU", "upload, 10 µs", "download, 20 µs", "64 values", "stage 3"] {
        assert!(few.iter().any(|other| other == text), "{text}: {few:?}");
    }
    // Launches without room share one bar: 1 + 2 + … + 30 µs are there all the same.
    let many = texts(&run(30));
    let more = many.iter().position(|text| text.ends_with(" more")).expect("not all fit");
    let shown = many.iter().filter(|text| text.starts_with("stage ")).count();
    let rest: usize = (shown + 1..=30).sum();
    assert_eq!(many[more], format!("{} more", 30 - shown));
    assert_eq!(many[more + 1], crate::numerals::duration(rest as f64));
}

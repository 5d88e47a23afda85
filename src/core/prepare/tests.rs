//! The chain as a whole, against its links one by one.

use super::*;

const SHAPE: (usize, usize) = (6, 9);

fn value(row: usize, column: usize) -> f64 {
    ((row * 7 + column * column * 5) % 13) as f64
}

fn image(kind: SignalKind) -> Signal {
    let samples = Samples::F64((0..SHAPE.0 * SHAPE.1).map(|i| value(i / SHAPE.1, i % SHAPE.1)).collect());
    Signal::from_channels("image", kind, SHAPE, vec![Channel::new("gray", samples)])
}

fn prepared(axes: Axes, preparation: Preparation) -> PreparedSamples {
    prepare(&image(SignalKind::Image), ChannelChoice::Luma, axes, &preparation, &AtomicBool::new(false)).expect("it fits")
}

fn values(prepared: &PreparedSamples) -> Vec<f64> {
    prepared.signal.samples_f64(prepared.channel).expect("it has the channel")
}

fn region(text: &str) -> Option<Region> {
    Some(text.parse().expect("a region"))
}

#[test]
fn nothing_happens_unless_asked_for() {
    let nothing = Preparation::default();
    assert!(nothing.is_none() && !Preparation { periodic: true, ..nothing }.is_none());
    assert_eq!(prepared(Axes::Both, nothing).signal, image(SignalKind::Image));
    assert!(prepared(Axes::Both, nothing).facts.steps().is_empty());
    let other: Preparation = serde_json::from_str("{}").expect("every field has a default");
    assert_eq!(other, nothing);
}

#[test]
fn a_region_and_padding_keep_the_type_of_all_channels() {
    let colour = |k: usize| Samples::U8((0..20).map(|i| (i * k) as u8).collect());
    let channels = [("red", 1), ("green", 2), ("blue", 3)].map(|(name, k)| Channel::new(name, colour(k))).into();
    let image = Signal::from_channels("colours", SignalKind::Image, (4, 5), channels);
    let padding = Padding { extent: Extent::To([3, 4]), fill: Fill::Mirror };
    let preparation = Preparation { region: region("1,2,3,2"), padding, ..Preparation::default() };
    let found = prepare(&image, ChannelChoice::Red, Axes::Both, &preparation, &AtomicBool::new(false)).expect("it fits");
    assert_eq!((found.channel, found.signal.channels.len()), (ChannelChoice::Red, 3));
    assert_eq!(found.signal.channels[0].samples, Samples::U8(vec![11, 12, 13, 13, 16, 17, 18, 18, 16, 17, 18, 18]));
    assert_eq!(found.facts.steps(), ["region 3 × 2 px at (1, 2)", "padded to 4 × 3 px with mirrored samples"]);
}

#[test]
fn outside_an_ellipse_stands_the_mean_of_the_inside() {
    let outline = region("1,0,7,6:ellipse");
    let inside = |i: usize| outline.expect("it is there").has_inside(i / 7, i % 7);
    let at = |i: usize| value(i / 7, i % 7 + 1);
    let n = (0..42).filter(|&i| inside(i)).count() as f64;
    let mean = (0..42).filter(|&i| inside(i)).map(at).sum::<f64>() / n;
    let found = prepared(Axes::Both, Preparation { region: outline, ..Preparation::default() });
    let without = prepared(Axes::Both, Preparation { region: outline, detrend: Detrend::Mean, ..Preparation::default() });
    for (i, (found, without)) in values(&found).into_iter().zip(values(&without)).enumerate() {
        let expected = if inside(i) { at(i) } else { mean };
        assert!((found - expected).abs() < 1e-12 && (without - expected + mean).abs() < 1e-12, "at {i}");
    }
}

#[test]
fn rows_and_columns_are_prepared_one_by_one() {
    let preparation = Preparation { detrend: Detrend::Mean, window: Window::Hann.into(), ..Preparation::default() };
    let (rows, columns) = (values(&prepared(Axes::Rows, preparation)), values(&prepared(Axes::Columns, preparation)));
    let hann = |index: usize, n: usize| 0.5 - 0.5 * (std::f64::consts::TAU * index as f64 / n as f64).cos();
    for (row, column) in [(0, 0), (2, 3), (5, 8), (3, 4)] {
        let of_row = (0..SHAPE.1).map(|c| value(row, c)).sum::<f64>() / SHAPE.1 as f64;
        let of_column = (0..SHAPE.0).map(|r| value(r, column)).sum::<f64>() / SHAPE.0 as f64;
        let index = row * SHAPE.1 + column;
        assert!((rows[index] - (value(row, column) - of_row) * hann(column, SHAPE.1)).abs() < 1e-12);
        assert!((columns[index] - (value(row, column) - of_column) * hann(row, SHAPE.0)).abs() < 1e-12);
    }
}

#[test]
fn the_mean_is_added_behind_the_window() {
    let padding = Padding { extent: Extent::Power, fill: Fill::Mean };
    let window = Windowing { radial: true, ..Window::Kaiser.into() };
    let alone = prepared(Axes::Both, Preparation { window, ..Preparation::default() });
    let padded = prepared(Axes::Both, Preparation { window, padding, ..Preparation::default() });
    let (alone, all) = (values(&alone), values(&padded));
    let mean = alone.iter().sum::<f64>() / alone.len() as f64;
    assert_eq!((padded.signal.rows, padded.signal.columns), (8, 16));
    for (i, found) in all.iter().enumerate() {
        let inside = i / 16 < SHAPE.0 && i % 16 < SHAPE.1;
        let expected = if inside { alone[i / 16 * SHAPE.1 + i % 16] } else { mean };
        assert!((found - expected).abs() < 1e-12, "at {i}");
    }
    let figures = padded.facts.window.expect("there is a window");
    assert!(figures.coherent_gain < 0.3 && figures.noise_bandwidth > 2.0, "{figures:?}");
    assert!(padded.facts.steps()[0].starts_with("Kaiser (β = 8.6) window, radial, gain 0."), "{:?}", padded.facts.steps());
}

#[test]
fn what_does_not_fit_is_said_in_one_line() {
    let told = |preparation: Preparation| {
        prepare(&image(SignalKind::Image), ChannelChoice::Luma, Axes::Both, &preparation, &AtomicBool::new(false))
            .map(drop)
            .expect_err("it does not fit")
            .to_string()
    };
    let outside = told(Preparation { region: region("5,0,5,6"), ..Preparation::default() });
    assert_eq!(outside, "the region 5,0,5,6 does not lie in the image of 9 × 6 px");
    let padding = |extent| Preparation { padding: Padding { extent, fill: Fill::Zeros }, ..Preparation::default() };
    for extent in [Extent::To([1 << 24, 1 << 24]), Extent::Factor(usize::MAX)] {
        assert!(told(padding(extent)).contains("MiB of memory"), "{extent:?}");
    }
}

//! Tests of the pane of a filter: colours, a preparation, signals, and its quality.

use super::*;
use crate::engine::{Devices, Store, asked};
use crate::filter::MaskShape;
use crate::prepare::{Preparation, Window};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Shape, transform};

fn request(mask: Mask, shows: FilterView) -> FilterRequest {
    // Red has vertical stripes of two pixels, green is flat, blue has a slope.
    let plane = |name: &str, value: fn(usize) -> u8| Channel::new(name, Samples::U8((0..64).map(value).collect()));
    let channels = vec![plane("red", |i| (i % 2 * 200) as u8), plane("green", |_| 90), plane("blue", |i| i as u8)];
    let signal = Arc::new(Signal::from_channels("test", SignalKind::Image, (8, 8), channels));
    let frame = Some(DisplayFrame::whole(Shape { rows: 8, columns: 8 }));
    FilterRequest {
        signal,
        channel: ChannelChoice::Luma,
        preparation: Preparation::default(),
        mask,
        device: DeviceChoice::Cpu,
        shows,
        frame,
        shown: None,
        painted: None,
        plot: None,
        finds: false,
        probe: None,
        quality: false,
    }
}

fn show(study: &mut FilterStudy, request: &FilterRequest) -> Result<FilterShown, EngineError> {
    asked(study, request, &Store::default())
}

#[test]
fn colours_are_filtered_each_and_shown_in_colour() {
    let first = request(MaskShape::low_pass(0.3).into(), FilterView::Result);
    let mut study = FilterStudy::default();
    let pixel = |shown: &FilterShown, at: usize| shown.image.as_ref().unwrap().rgba[4 * at..][..4].to_vec();
    let shown = show(&mut study, &first).unwrap();
    let found = pixel(&shown, 0);
    assert_eq!((found[0], found[1], found[3]), (100, 90, 255), "the stripes are gone, and their mean is left");
    let of = |study: &mut FilterStudy, shows: FilterView| show(study, &FilterRequest { shows, ..first.clone() }).unwrap();
    let source = of(&mut study, FilterView::Source);
    assert_eq!((pixel(&source, 0)[0], pixel(&source, 1)[0]), (0, 200));
    let split = of(&mut study, FilterView::Split(0.5));
    assert_eq!((pixel(&split, 1)[0], pixel(&split, 5)[0]), (200, 100), "before at the left, after at the right");
    let mask = of(&mut study, FilterView::Mask);
    assert_eq!((pixel(&mask, 4 * 8 + 4), pixel(&mask, 0)), (vec![255; 4], vec![0, 0, 0, 255]), "frequency 0 stands in the middle");
    assert!(shown.energy > 0.0 && shown.energy < 0.2);
    let open = show(&mut study, &FilterRequest { mask: Mask::default(), ..first.clone() }).unwrap();
    assert!((open.energy - 1.0).abs() < 1e-12 && pixel(&open, 1)[0] == 200);
    let wrong = FilterRequest { mask: MaskShape::notch([0.0, 0.0], 0.1).into(), ..first.clone() };
    assert!(matches!(show(&mut study, &wrong), Err(EngineError::Mask(_))));
}

#[test]
fn few_pixels_come_with_their_values() {
    for device in [DeviceChoice::Cpu, DeviceChoice::Gpu] {
        let first = FilterRequest { device, ..request(MaskShape::low_pass(0.3).into(), FilterView::Result) };
        let mut study = FilterStudy::default();
        let mut of = |shows: FilterView| {
            let shown = show(&mut study, &FilterRequest { shows, ..first.clone() }).unwrap();
            RenderedImage::clone(&shown.image.unwrap())
        };
        let result = of(FilterView::Result).values;
        assert_eq!(result.len(), 3 * 64, "three colours a pixel");
        assert!((result[0] - 100.0).abs() < 1e-3 && (result[3 * 63 + 1] - 90.0).abs() < 1e-3, "{result:?}");
        let difference = of(FilterView::Difference).values;
        assert!(difference.len() == 64 && (difference[0] * 3.0 - 100.0 - result[2]).abs() < 1e-3, "{difference:?}");
        let split = of(FilterView::Split(0.5)).values;
        assert!((split[3] - 200.0).abs() < 1e-3 && (split[3 * 5] - 100.0).abs() < 1e-3, "before at the left, after at the right");
        let mask = of(FilterView::Mask);
        assert_eq!((mask.values.len(), mask.values[8 * 4 + 4], mask.values[0]), (64, 1.0, 0.0));
    }
}

#[test]
fn a_pixel_is_told_at_every_zoom() {
    for device in [DeviceChoice::Cpu, DeviceChoice::Gpu] {
        // One pixel of the screen for the whole image has no value of its own.
        let frame = Some(DisplayFrame { width: 1, height: 1, ..DisplayFrame::whole(Shape { rows: 8, columns: 8 }) });
        let first = FilterRequest { device, frame, ..request(MaskShape::low_pass(0.3).into(), FilterView::Result) };
        let mut study = FilterStudy::default();
        let mut of = |shows: FilterView, at: [usize; 2]| {
            let asked = FilterRequest { shows, probe: Some(at), ..first.clone() };
            show(&mut study, &asked).unwrap().probe.unwrap()
        };
        let result = of(FilterView::Result, [3, 0]);
        assert!((result.values[0] - 100.0).abs() < 1e-3 && (result.values[1] - 90.0).abs() < 1e-3, "{result:?}");
        assert_eq!((result.at, result.before), ([3, 0], vec![200.0, 90.0, 3.0]));
        let difference = of(FilterView::Difference, [3, 0]);
        assert!((3.0 * difference.values[0] + 100.0 - (result.values[2] - 3.0)).abs() < 1e-3 && difference.before.is_empty());
        let split = [2, 5].map(|column| of(FilterView::Split(0.5), [column, 0]).values[0]);
        assert!((split[0] - 0.0).abs() < 1e-3 && (split[1] - 100.0).abs() < 1e-3, "{split:?}");
        assert_eq!((of(FilterView::Mask, [4, 4]).values, of(FilterView::Mask, [0, 0]).values), (vec![1.0], vec![0.0]));
    }
}

#[test]
fn a_painted_mask_multiplies_the_shapes_and_must_have_the_size_of_the_spectrum() {
    let folder = tempfile::TempDir::new().unwrap();
    let painted = |name: &str, side: u32, value: fn(u32, u32) -> u8| {
        let path = folder.path().join(name);
        image::GrayImage::from_fn(side, side, |x, y| image::Luma([value(x, y)])).save(&path).unwrap();
        path
    };
    // Only frequency 0 passes, and the column of the highest frequency at one of its two signs.
    let fits = painted("fits.png", 8, |x, y| if (x, y) == (4, 4) || (x, y) == (2, 4) { 255 } else { 0 });
    for device in [DeviceChoice::Cpu, DeviceChoice::Gpu] {
        let first = FilterRequest { device, painted: Some(fits.clone()), ..request(Mask::default(), FilterView::Result) };
        let mut study = FilterStudy::default();
        let shown = show(&mut study, &first).unwrap();
        // The value at frequency 0 is its own mirror image and stays whole. The other value and its mate get half of it each.
        assert!((shown.symmetric.unwrap() - 0.75).abs() < 1e-12, "{:?}", shown.symmetric);
        let red = shown.image.unwrap().values[0];
        assert!((red - 100.0).abs() < 1e-3, "the stripes of two pixels are cut: {red}");
        let mask = show(&mut study, &FilterRequest { shows: FilterView::Mask, ..first.clone() }).unwrap().image.unwrap();
        assert_eq!([[4, 4], [2, 4], [6, 4], [0, 0]].map(|[column, row]| mask.values[8 * row + column]), [1.0, 0.5, 0.5, 0.0]);
        let wrong = FilterRequest { painted: Some(painted("wrong.png", 4, |_, _| 255)), ..first.clone() };
        let error = show(&mut study, &wrong).unwrap_err();
        assert!(matches!(&error, EngineError::Mask(_)) && error.to_string().contains("4 × 4"), "{error}");
        let none = FilterRequest { painted: Some(folder.path().join("none.png")), ..first.clone() };
        assert!(matches!(show(&mut study, &none), Err(EngineError::MaskFile { .. })));
        // The file is read again when it has changed, and the mask before still works after an error.
        assert!(show(&mut study, &first).unwrap().symmetric.is_some());
        let plain = show(&mut study, &FilterRequest { painted: None, ..first }).unwrap();
        assert_eq!((plain.symmetric, plain.energy), (None, 1.0));
    }
}

#[test]
fn the_quality_comes_when_it_is_asked_for() {
    let mut study = FilterStudy::default();
    let first = request(MaskShape::low_pass(0.3).into(), FilterView::Result);
    assert_eq!(show(&mut study, &first).unwrap().quality, None);
    let quality = show(&mut study, &FilterRequest { quality: true, ..first.clone() }).unwrap().quality.unwrap();
    assert!(quality[0] > 5.0 && quality[0] < 20.0 && quality[1] < 0.9, "{quality:?}");
    assert_eq!(show(&mut study, &first).unwrap().quality, Some(quality), "it is kept");
}

#[test]
fn a_prepared_image_is_shown_whole_and_says_what_was_prepared() {
    let region = Some("0,0,4,8".parse().unwrap());
    let preparation = Preparation { region, window: Window::Hann.into(), ..Preparation::default() };
    let asked = FilterRequest { preparation, ..request(MaskShape::low_pass(0.3).into(), FilterView::Result) };
    let mut study = FilterStudy::default();
    let shown = show(&mut study, &asked).unwrap();
    let (facts, kept) = shown.prepared.unwrap();
    assert_eq!(facts.names(), ["region", "Hann"]);
    assert!(kept > 0.1 && kept < 0.9, "{kept}");
    let red = |column: usize| shown.image.as_ref().unwrap().rgba[4 * (4 * 8 + column)];
    assert_eq!([red(4), red(5), red(6), red(7)], [0, 200, 0, 200], "beside the region the image is as it was");
    assert!(red(2) > 0, "inside, the stripes are weaker");
    let open = show(&mut study, &FilterRequest { mask: Mask::default(), ..asked }).unwrap();
    assert!(open.prepared.is_none());
}

#[test]
fn a_signal_is_shown_as_a_plot() {
    let samples = (0..128).map(|i| if i % 2 == 0 { 1.0 } else { 3.0 }).collect();
    let signal = Arc::new(Signal::row("tone", Samples::F32(samples)));
    let plot = Some(PlotFrame::plain(0, [0.0, 128.0], 400));
    let of = |shows: FilterView| {
        let asked = FilterRequest { signal: signal.clone(), frame: None, plot, ..request(MaskShape::low_pass(0.3).into(), shows) };
        let shown = show(&mut FilterStudy::default(), &asked).unwrap();
        let [line, behind] = shown.plots.as_deref().unwrap();
        let at = |line: &PlotData, k: usize| line.columns[k][2];
        (at(line.as_ref().unwrap(), 1), behind.as_ref().map(|line| at(line, 1)))
    };
    let near = |(a, b): (f64, Option<f64>), (c, d): (f64, Option<f64>)| (a - c).abs() < 1e-5 && b == d;
    assert!(near(of(FilterView::Result), (2.0, None)), "the alternation is gone, the mean is left");
    assert!(near(of(FilterView::Split(0.5)), (2.0, Some(3.0))), "the samples before stand behind it");
    assert!(near(of(FilterView::Difference), (-1.0, None)) && near(of(FilterView::Source), (3.0, None)));
    assert!(near(of(FilterView::Mask), (1.0, None)), "1/128 passes");
}

#[test]
fn the_spectrum_that_is_shown_takes_the_place_of_a_transform() {
    let samples = Samples::U8((0..96).map(|i| (i * i % 251) as u8).collect());
    let signal = Arc::new(Signal::from_channels("gray", SignalKind::Image, (8, 12), vec![Channel::new("gray", samples)]));
    let library = transform("dft2").unwrap().library().unwrap().name;
    for (algorithm, window) in [(None, Window::None), (Some(library), Window::None), (Some(library), Window::Hann)] {
        let preparation = Preparation { window: window.into(), ..Preparation::default() };
        let (channel, device) = (ChannelChoice::Luma, DeviceChoice::CpuParallel);
        let job = Job { channel, preparation, algorithm, device, prefer_plan: true, ..Job::new(signal.clone(), "dft2") };
        let frame = Some(DisplayFrame::whole(Shape { rows: 8, columns: 12 }));
        let plain = request(MaskShape::low_pass(0.2).into(), FilterView::Result);
        let own = FilterRequest { signal: signal.clone(), preparation, frame, ..plain };
        let (store, go) = (Store::default(), AtomicBool::new(false));
        drop(store.result(&job, &mut Devices::default(), &go).unwrap());
        let values = |request: &FilterRequest, store: &Store| {
            let shown = asked(&mut FilterStudy::default(), request, store).unwrap();
            (shown.image.unwrap().values.clone(), shown.energy)
        };
        let (found, energy) = values(&FilterRequest { shown: Some(job), ..own.clone() }, &store);
        let (expected, all) = values(&own, &Store::default());
        assert_eq!(store.n_runs(), 1, "{algorithm:?}, {window:?}");
        assert!((energy - all).abs() < 1e-6 && found.len() == 96);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-3), "{algorithm:?}, {window:?}");
    }
}

#[test]
fn a_new_mask_costs_no_transform_and_every_colour_one_at_first() {
    let (mut study, store) = (FilterStudy::default(), Store::default());
    for cut in [0.1, 0.2, 0.3] {
        asked(&mut study, &request(MaskShape::low_pass(cut).into(), FilterView::Result), &store).unwrap();
    }
    let signal = request(Mask::default(), FilterView::Result).signal;
    for cut in [0.1, 0.2, 0.3] {
        let of_one = FilterRequest { signal: signal.clone(), ..request(MaskShape::low_pass(cut).into(), FilterView::Result) };
        asked(&mut study, &of_one, &store).unwrap();
    }
    // Each of the first three requests is about an image of its own.
    assert_eq!(store.n_runs(), 4 * 3);
}

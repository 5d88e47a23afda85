//! Filters with the way back on the GPU against the way back on the CPU: images, energies and quality.

use papillon::display::DisplayFrame;
use papillon::engine::filter::{FilterRequest, FilterShown, FilterStudy, FilterView};
use papillon::engine::{DeviceChoice, Store, asked};
use papillon::filter::{Mask, MaskShape};
use papillon::prepare::{Detrend, Extent, Fill, Padding, Preparation, Window};
use papillon::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use papillon::transforms::Shape;
use std::sync::Arc;

/// An image with this number of channels of 8 bits.
fn image(shape: Shape, n_channels: usize) -> Arc<Signal> {
    let plane = |k: usize| Samples::U8((0..shape.len()).map(|i| ((i * i + (k + 3) * i) % 251) as u8).collect());
    let names = ["red", "green", "blue"];
    let channels = (0..n_channels).map(|k| Channel::new(names[k], plane(k))).collect();
    Arc::new(Signal::from_channels("image", SignalKind::Image, (shape.rows, shape.columns), channels))
}

fn request(signal: &Arc<Signal>, mask: Mask, device: DeviceChoice, shows: FilterView) -> FilterRequest {
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    // Some pixels of the screen cover several of the image.
    let frame = DisplayFrame { width: shape.columns / 2 + 1, height: shape.rows, ..DisplayFrame::whole(shape) };
    let preparation = Preparation::default();
    let (signal, channel, frame) = (signal.clone(), ChannelChoice::Luma, Some(frame));
    FilterRequest {
        signal,
        channel,
        preparation,
        shown: None,
        mask,
        painted: None,
        device,
        shows,
        frame,
        plot: None,
        finds: false,
        probe: None,
        quality: false,
    }
}

fn shown(study: &mut FilterStudy, request: &FilterRequest) -> FilterShown {
    asked(study, request, &Store::default()).unwrap()
}

#[test]
fn both_ways_back_show_the_same() {
    let masks: [Mask; 3] = [MaskShape::low_pass(0.2).into(), MaskShape::notch([0.21, -0.13], 0.05).into(), Mask::default()];
    for (rows, columns) in [(16, 16), (24, 40), (15, 21), (1, 32), (37, 2)] {
        for n_channels in [1, 3] {
            let signal = image(Shape { rows, columns }, n_channels);
            // A study keeps its spectra for another device, so that both ways begin with the same ones.
            let (mut study, store) = (FilterStudy::default(), Store::default());
            for mask in &masks {
                for shows in [FilterView::Result, FilterView::Source, FilterView::Split(0.5), FilterView::Difference, FilterView::Result] {
                    let name = format!("{rows} × {columns}, {n_channels} channels, {shows:?} of {mask:?}");
                    let [here, there] = [DeviceChoice::CpuParallel, DeviceChoice::Gpu]
                        .map(|device| asked(&mut study, &request(&signal, mask.clone(), device, shows), &store).unwrap());
                    assert!((here.energy - there.energy).abs() < 1e-9, "{name}");
                    assert_eq!((adapter(&here), adapter(&there).is_some()), (None, !mask.is_open()), "{name}");
                    let [here, there] = [here.image, there.image].map(|image| image.unwrap().rgba.clone());
                    // A level between two colours may be rounded to either; a difference is drawn up to its own largest value.
                    let far = here.iter().zip(&there).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
                    let most = if shows == FilterView::Difference { 3 } else { 1 };
                    assert!(far <= most, "{name}: {far}");
                }
            }
        }
    }
}

#[test]
fn the_quality_is_that_of_the_samples_on_both_ways_back() {
    let signal = image(Shape { rows: 48, columns: 64 }, 1);
    let quality = |device: DeviceChoice| {
        let asked = request(&signal, MaskShape::low_pass(0.2).into(), device, FilterView::Result);
        shown(&mut FilterStudy::default(), &FilterRequest { quality: true, ..asked }).quality.unwrap()
    };
    let [here, there] = [DeviceChoice::CpuParallel, DeviceChoice::Gpu].map(quality);
    assert!((here[0] - there[0]).abs() < 1e-3 && (here[1] - there[1]).abs() < 1e-5, "{here:?} and {there:?}");
}

#[test]
fn a_preparation_is_undone_on_both_ways_back() {
    let signal = image(Shape { rows: 30, columns: 44 }, 3);
    let padding = Padding { extent: Extent::Power, fill: Fill::Mirror };
    let region = Some("3,2,33,25".parse().unwrap());
    let preparation = Preparation { region, detrend: Detrend::Plane, periodic: true, window: Window::Hamming.into(), padding };
    for shows in [FilterView::Result, FilterView::Difference] {
        let [here, there] = [DeviceChoice::CpuParallel, DeviceChoice::Gpu].map(|device| {
            let asked = request(&signal, MaskShape::low_pass(0.2).into(), device, shows);
            shown(&mut FilterStudy::default(), &FilterRequest { preparation, ..asked })
        });
        assert!(adapter(&there).is_some() && here.prepared == there.prepared && here.prepared.unwrap().1 > 0.0);
        let far = here.image.unwrap().rgba.iter().zip(&there.image.unwrap().rgba).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(far <= 3, "{shows:?}: {far}");
    }
}

/// The GPU that took the time of a filter.
fn adapter(shown: &FilterShown) -> Option<String> {
    shown.timed.as_ref().and_then(|timed| timed.adapter.clone())
}

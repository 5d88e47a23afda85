//! Images and extremes made on the GPU equal those made on the CPU, for every quantity and scale, enlarged, reduced and beside the data.

use crate::common::{GO, device};
use num_complex::Complex32;
use papillon::choice::Named as _;
use papillon::display::{Colormap, DisplayFrame, ImageRect, Look, Scale, ValuePart, extremes, render};
use papillon::gpu::Prepared;
use papillon::plan::{Plan, ResultOrder, Ring, reverse_bits};
use papillon::schedule::Schedule;
use papillon::transforms::{Axes, Shape};

/// A result of these values: a plan without stages leaves them as they are.
fn result(values: &[Complex32], ring: Ring, output: ResultOrder) -> Prepared {
    let plan = Plan::new(ring, values.len(), vec![], output);
    let prepared = device().prepare(&plan, &Schedule { launches: vec![] }).unwrap();
    prepared.upload(values, &GO).unwrap();
    prepared.run(&GO).unwrap();
    prepared
}

/// Values of all magnitudes and signs, with a zero and what is not finite.
fn values(shape: Shape) -> Vec<Complex32> {
    let mut values: Vec<Complex32> =
        (0..shape.len()).map(|i| Complex32::from_polar((1.0 + (i * 37 % 101) as f32).powi(2) * 0.01, i as f32 * 0.7)).collect();
    values[3] = Complex32::default();
    values[5] = Complex32::new(f32::INFINITY, 1.0);
    values[7] = Complex32::new(f32::NAN, 0.0);
    values
}

fn looks() -> impl Iterator<Item = Look> {
    ValuePart::ALL.iter().flat_map(|&quantity| {
        Scale::ALL.iter().flat_map(move |&scale| [false, true].map(|shifted| Look { quantity, scale, shifted, ..Look::of_samples() }))
    })
}

/// At most one step of the colour map apart, and the same transparency.
fn assert_same_image(gpu: &[u8], cpu: &[u8], name: &str) {
    assert_eq!(gpu.len(), cpu.len(), "{name}");
    for (index, (gpu, cpu)) in gpu.chunks(4).zip(cpu.chunks(4)).enumerate() {
        assert!(gpu[3] == cpu[3] && gpu[0].abs_diff(cpu[0]) <= 1, "{name}: pixel {index} is {gpu:?} on the GPU and {cpu:?} on the CPU");
    }
}

#[test]
fn images_equal_those_of_the_cpu() {
    let shape = Shape { rows: 9, columns: 14 };
    let values = values(shape);
    let on_gpu = result(&values, Ring::Complex, ResultOrder::Natural);
    let at = |row: usize, column: usize| values[row * shape.columns + column];
    let rect = |top, left, height, width| ImageRect { top, left, height, width };
    let frames = [
        DisplayFrame::whole(shape),
        DisplayFrame { rect: rect(0.0, 0.0, 9.0, 14.0), width: 4, height: 3 },
        DisplayFrame { rect: rect(2.3, 1.6, 3.1, 4.4), width: 40, height: 31 },
        DisplayFrame { rect: rect(-3.0, -2.0, 20.0, 18.0), width: 33, height: 7 },
    ];
    for look in looks() {
        let range = on_gpu.extremes(shape, &look).unwrap();
        for axes in [Axes::Rows, Axes::Both] {
            for frame in frames {
                let cpu = render(at, shape, axes, &look, range, frame);
                let gpu = on_gpu.image(shape, axes, &look, range, frame).unwrap();
                assert_same_image(&gpu, &cpu, &format!("{look:?} {frame:?}"));
            }
        }
    }
}

#[test]
fn extremes_equal_those_of_the_cpu() {
    for shape in [Shape { rows: 9, columns: 14 }, Shape { rows: 700, columns: 512 }] {
        let values = values(shape);
        let on_gpu = result(&values, Ring::Complex, ResultOrder::Natural);
        for look in looks() {
            let cpu = extremes(|row, column| values[row * shape.columns + column], shape, &look);
            let gpu = on_gpu.extremes(shape, &look).unwrap();
            for (gpu, cpu) in gpu.iter().zip(cpu) {
                assert!((gpu - cpu).abs() <= 1e-5 * (1.0 + cpu.abs()), "{look:?}: {gpu} on the GPU, {cpu} on the CPU");
            }
        }
    }
    let nothing = result(&[Complex32::new(f32::NAN, 0.0); 4], Ring::Complex, ResultOrder::Natural);
    assert_eq!(nothing.extremes(Shape::line(4), &Look::default()).unwrap(), [0.0, 0.0]);
}

#[test]
fn orders_and_real_lanes_are_understood() {
    let shape = Shape { rows: 3, columns: 16 };
    let natural: Vec<Complex32> = (0..shape.len()).map(|i| Complex32::from(i as f32)).collect();
    let lanes: Vec<Complex32> = (0..shape.len()).map(|lane| natural[lane / 16 * 16 + reverse_bits(lane % 16, 4)]).collect();
    let order = ResultOrder::Rows { columns: 16, each: Box::new(ResultOrder::BitReversed { n_bits: 4 }) };
    let look = Look { scale: Scale::Linear, shifted: false, colormap: Colormap::Gray, ..Look::default() };
    let cpu = render(|row, column| natural[row * 16 + column], shape, Axes::Rows, &look, [0.0, 47.0], DisplayFrame::whole(shape));
    for ring in [Ring::Complex, Ring::Real] {
        let gpu = result(&lanes, ring, order.clone()).image(shape, Axes::Rows, &look, [0.0, 47.0], DisplayFrame::whole(shape)).unwrap();
        assert_same_image(&gpu, &cpu, ring.name());
    }
}

#[test]
fn an_image_of_another_shape_is_refused() {
    let on_gpu = result(&[Complex32::default(); 8], Ring::Complex, ResultOrder::Natural);
    let look = Look::default();
    assert!(on_gpu.extremes(Shape::line(9), &look).is_err());
    let shape = Shape::line(8);
    let empty = DisplayFrame { width: 0, ..DisplayFrame::whole(shape) };
    assert_eq!(on_gpu.image(shape, Axes::Rows, &look, [0.0, 1.0], empty).unwrap(), Vec::<u8>::new());
}

/// Hue by phase, with gamma, inverted. Beside a border of two hues the devices may round apart by one hue.
#[test]
fn hues_and_tones_equal_those_of_the_cpu() {
    let shape = Shape { rows: 9, columns: 14 };
    let values: Vec<Complex32> = values(shape).into_iter().map(|value| if value.is_finite() { value } else { Complex32::ONE }).collect();
    let on_gpu = result(&values, Ring::Complex, ResultOrder::Natural);
    let at = |row: usize, column: usize| values[row * shape.columns + column];
    for inverted in [false, true] {
        let look = Look { colormap: Colormap::Hue, gamma: 0.5, inverted, ..Look::default() };
        let range = on_gpu.extremes(shape, &look).unwrap();
        let frame = DisplayFrame::whole(shape);
        let (cpu, gpu) =
            (render(at, shape, Axes::Both, &look, range, frame), on_gpu.image(shape, Axes::Both, &look, range, frame).unwrap());
        let differing = cpu.chunks(4).zip(gpu.chunks(4)).filter(|(cpu, gpu)| cpu.iter().zip(*gpu).any(|(a, b)| a.abs_diff(*b) > 4)).count();
        assert!(differing * 50 < shape.len(), "{differing} pixels differ");
        let colours: std::collections::HashSet<&[u8]> = cpu.chunks(4).collect();
        assert!(colours.len() > 50, "{} colours", colours.len());
    }
}

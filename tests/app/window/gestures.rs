//! One table of gestures for every view, with events of the pointer at the places that are drawn, and drawing on the signal.

use super::{APART, Window, click, memory, says, set, settle, small_image, window, workspace};
use egui::epaint::Brush;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, Shape, TouchPhase, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use papillon::signal::generate::{Boolean, Generator, Impulse, SquareWave};
use papillon::signal::{ChannelChoice, built_in::CHORD};
use papillon::ui::{Command, LogicTab, Memory, Origin, Preset};

/// Presses a button, moves in small steps, and releases it.
pub(super) fn drag(window: &mut Window, button: PointerButton, from: Pos2, to: Pos2, modifiers: Modifiers) {
    let press = |pos: Pos2, pressed: bool| Event::PointerButton { pos, button, pressed, modifiers };
    // Two presses in a row would be a double click.
    window.run_steps(APART);
    for event in [Event::PointerMoved(from), press(from, true)] {
        window.event_modifiers(event, modifiers);
        window.step();
    }
    for part in 1..=6 {
        window.event_modifiers(Event::PointerMoved(from + (to - from) * (part as f32 / 6.0)), modifiers);
        window.step();
    }
    window.event_modifiers(press(to, false), modifiers);
    window.run_steps(3);
}

fn wheel(window: &mut Window, at: Pos2, points: f32) {
    window.hover_at(at);
    window.run_steps(2);
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, points),
        modifiers: Modifiers::NONE,
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
    });
    window.run_steps(6);
}

/// The painted parts of a view: the places of its shapes, its texts, and the parts of its images that are seen.
fn seen(window: &mut Window, view: Rect) -> Vec<String> {
    window.hover_at(pos2(2.0, 2.0));
    window.run_steps(2);
    settle(window);
    let mut painted = Vec::new();
    for clipped in &window.output().shapes {
        each(&clipped.shape, &mut |shape| {
            let bounds = shape.visual_bounding_rect().intersect(clipped.clip_rect);
            if !bounds.is_positive() || !view.expand(1.0).contains_rect(bounds) {
                return;
            }
            let part = match shape {
                Shape::Rect(rect) => rect.brush.as_ref().map(|brush: &std::sync::Arc<Brush>| brush.uv),
                Shape::Mesh(mesh) => mesh.vertices.first().zip(mesh.vertices.last()).map(|(a, b)| Rect::from_two_pos(a.uv, b.uv)),
                _ => None,
            };
            let text = if let Shape::Text(text) = shape { text.galley.text().to_owned() } else { String::new() };
            // Times are measured again while the window rests.
            if [" ns", " µs", " ms"].iter().any(|unit| text.ends_with(unit)) {
                return;
            }
            painted.push(format!("{bounds:.1?} {part:.4?} {text}"));
        });
    }
    painted
}

fn each(shape: &Shape, take: &mut impl FnMut(&Shape)) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| each(shape, take)),
        shape => take(shape),
    }
}

fn impulse(length: usize) -> Origin {
    Origin::Generator(Generator::Impulse(Impulse { length, position: 1, height: 1.0 }))
}

/// A layout, what is clicked in it, and its views by the beginnings of their names.
type Views = (Memory, &'static [&'static str], &'static [&'static str]);

fn views() -> Vec<Views> {
    let tables = |mut memory: Memory| {
        memory.settings.logic.tab = LogicTab::Tables;
        memory
    };
    let sbox = Boolean { text: "present".into() };
    vec![
        (memory(Preset::Image, small_image(), "dft2"), &[], &["Source image", "Spectrum image", "Filtered image"]),
        (memory(Preset::Signal, Origin::Sample(CHORD.into()), "dft"), &[], &["Source plot, ", "Spectrum plot, "]),
        (memory(Preset::FlowGraph, impulse(8), "walsh"), &[], &["Flow graph, ", "Matrix "]),
        (memory(Preset::FlowGraph, impulse(64), "walsh"), &["Memory"], &["Memory accesses, "]),
        (memory(Preset::Wavelet, small_image(), "cdf97-2"), &[], &["Wavelet coefficients", "Reconstructed image"]),
        (tables(memory(Preset::Logic, Origin::Generator(Generator::Boolean(sbox)), "walsh")), &[], &["Linear approximation table"]),
    ]
}

#[test]
fn every_view_is_moved_and_zoomed_by_the_same_gestures() {
    let mut faults = Vec::new();
    for (memory, clicks, names) in views() {
        let mut window = window(memory, Vec::new());
        for label in clicks {
            click(&mut window, label);
            settle(&mut window);
        }
        for name in names {
            // A tab has the name of its view.
            let views = window.query_all_by_label_contains(name).map(|node| node.rect());
            let view = views.max_by(|a, b| a.area().total_cmp(&b.area())).unwrap_or_else(|| panic!("there is no {name}"));
            // Beside the middle, where the cursor of a graph or a mark may be.
            let middle = view.center() + vec2(-0.13, -0.11) * view.size();
            let mut check = |now: &[String], then: &[String], is_same: bool, what: &str| {
                let other = now.iter().find(|shape| !then.contains(shape)).or(then.iter().find(|shape| !now.contains(shape)));
                faults.extend(((now == then) != is_same).then(|| format!("{name}: {what}: {other:?}")));
            };
            let first = seen(&mut window, view);
            let (left, primary) = (middle + vec2(-24.0, 14.0), PointerButton::Primary);
            wheel(&mut window, middle, 160.0);
            let zoomed = seen(&mut window, view);
            check(&zoomed, &first, false, "the wheel zooms");
            drag(&mut window, PointerButton::Middle, middle, left, Modifiers::NONE);
            let panned = seen(&mut window, view);
            check(&panned, &zoomed, false, "the middle button pans");
            window.key_down(Key::Space);
            window.step();
            drag(&mut window, primary, left, middle, Modifiers::NONE);
            window.key_up(Key::Space);
            window.run_steps(2);
            check(&seen(&mut window, view), &panned, false, "Space and a drag pan");
            // In a corner, as a click on a node of the graph pins it, which its picture shows.
            let free = if name.starts_with("Flow graph") { view.right_top() + vec2(-8.0, 8.0) } else { middle };
            double_click(&mut window, free);
            check(&seen(&mut window, view), &first, true, "a double click resets");
            drag(&mut window, PointerButton::Secondary, middle, middle + vec2(40.0, 30.0), Modifiers::NONE);
            check(&seen(&mut window, view), &first, false, "the right button boxes");
            double_click(&mut window, free);
            check(&seen(&mut window, view), &first, true, "a double click resets");
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn double_click(window: &mut Window, at: Pos2) {
    window.run_steps(APART);
    window.event(Event::PointerMoved(at));
    window.step();
    // The clicks are closer in time than the steps of the window that a test takes with each event.
    for _ in 0..2 {
        let press = |pressed: bool| Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        window.input_mut().events.extend([true, false].map(press));
        window.step();
    }
    window.run_steps(6);
}

/// The samples that the window transforms.
fn samples(window: &Window) -> Vec<f64> {
    let signal = &workspace(window).report().unwrap().request.job.signal;
    signal.samples_complex64(ChannelChoice::default()).unwrap().into_iter().map(|value| value.re).collect()
}

#[test]
fn a_value_of_a_short_signal_is_dragged_in_the_plot_and_in_the_graph() {
    let square = SquareWave { length: 8, amplitude: 1.0, frequency: 1.0, duty: 0.375 };
    let mut window = window(memory(Preset::FlowGraph, Origin::Generator(Generator::Square(square)), "dft"), Vec::new());
    let before = samples(&window);
    let from = window.get_by_label("Sample 5: −1").rect().center();
    drag(&mut window, PointerButton::Primary, from, from - vec2(0.0, 20.0), Modifiers::NONE);
    settle(&mut window);
    let after = samples(&window);
    assert!(after[5] > before[5] && (0..8).all(|at| at == 5 || after[at] == before[at]), "{before:?} and {after:?}");
    assert!(says(&window, "Edited: 1 value"));
    click(&mut window, "Change a sample");
    set(&mut window, "Value of x₀", 4.0);
    settle(&mut window);
    assert_eq!((samples(&window)[0], samples(&window)[5]), (4.0, after[5]));
    assert!(says(&window, "Edited: 2 values"));
    // A session keeps the drawing.
    let kept = serde_json::to_value(workspace(&window).memory()).unwrap();
    let again = super::window(serde_json::from_value(kept).unwrap(), Vec::new());
    assert_eq!(samples(&again), samples(&window));
    click(&mut window, "Undo the drawing");
    settle(&mut window);
    assert_eq!(samples(&window), before);
    assert!(!says(&window, "Edited: "));
    window.run_steps(20);
    super::run(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(samples(&window)[0], 4.0, "undo brings it back");
}

#[test]
fn the_pen_draws_on_a_wave_and_on_an_image() {
    let mut wave = window(memory(Preset::Signal, Origin::Sample(CHORD.into()), "dft"), Vec::new());
    let plot = wave.get_by_label_contains("Source plot, ").rect();
    let height = plot.height();
    let (from, to) = (plot.left_center() + vec2(200.0, -0.2 * height), plot.left_center() + vec2(260.0, 0.2 * height));
    drag(&mut wave, PointerButton::Primary, from, to, Modifiers::NONE);
    settle(&mut wave);
    let part = workspace(&wave).memory().settings.preparation.region.expect("a drag over a wave selects a part");
    assert!(part.width > 1000 && says(&wave, "Part"), "{part}");
    click(&mut wave, "Draw on the signal");
    let before = samples(&wave);
    // Beside the edge of the part, which is grabbed whatever the tool.
    drag(&mut wave, PointerButton::Primary, from + vec2(20.0, 0.0), to - vec2(20.0, 0.0), Modifiers::NONE);
    settle(&mut wave);
    let after = samples(&wave);
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert!((part.width / 5..part.width).contains(&changed), "{changed} beside {}", part.width);
    assert!(says(&wave, "Edited: "));
    wave.key_press(Key::Escape);
    wave.run_steps(3);
    assert!(wave.query_by_label("Pen").is_none(), "Escape puts the pen away");

    let mut image = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    click(&mut image, "Draw on the signal");
    let canvas = image.get_by_label("Source image").rect();
    let before = samples(&image);
    drag(&mut image, PointerButton::Primary, canvas.center(), canvas.center() + vec2(20.0, 15.0), Modifiers::NONE);
    settle(&mut image);
    let after = samples(&image);
    assert!(after.iter().zip(&before).any(|(after, before)| after != before) && says(&image, "Edited: "));
}

#[test]
fn a_drag_beside_a_region_draws_another_one() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    let region = |window: &Window| workspace(window).memory().settings.preparation.region;
    let canvas = window.get_by_label("Source image").rect();
    let side = canvas.width().min(canvas.height());
    let at = |x: f32, y: f32| canvas.center() + side * vec2(x - 0.5, y - 0.5);
    drag(&mut window, PointerButton::Primary, at(0.1, 0.1), at(0.3, 0.4), Modifiers::SHIFT);
    settle(&mut window);
    let first = region(&window).expect("Shift and a drag draw one");
    assert!(first.x < 8 && first.width < 12 && first.height > first.width, "{first}");
    drag(&mut window, PointerButton::Primary, at(0.6, 0.6), at(0.8, 0.9), Modifiers::NONE);
    settle(&mut window);
    let second = region(&window).expect("it is another one");
    assert!(second.x > 15 && second.y > 15, "{second}");
    drag(&mut window, PointerButton::Primary, at(0.1, 0.1), at(0.3, 0.4), Modifiers::SHIFT);
    settle(&mut window);
    let square = region(&window).unwrap();
    assert_eq!(square.width, square.height, "Shift squares");
}

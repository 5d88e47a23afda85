//! The pane *Filtered* and the mask tools over the spectrum image.

use super::{Window, click, memory, run, says, settle, wait, window, workspace};
use egui_kittest::kittest::Queryable as _;
use papillon::filter::MaskForm;
use papillon::ui::{Command, FilteredView, MaskTool, Origin, Preset, SecondOrigin};
use std::f64::consts::TAU;
use tempfile::TempDir;

const ROWS: usize = 64;
const COLUMNS: usize = 96;

/// A window with an image that has a moiré of a period of 4 pixels across and 8 upwards.
fn striped(folder: &TempDir, tool: MaskTool) -> Window {
    let value = |i: usize| {
        let (y, x) = ((i / COLUMNS) as f64, (i % COLUMNS) as f64);
        100.0 + 0.5 * x + if (y - 30.0).abs() < 12.0 { 40.0 } else { 0.0 } + 20.0 * (TAU * (0.25 * x - 0.125 * y)).cos()
    };
    let path = folder.path().join("moire.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), COLUMNS as u32, ROWS as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..ROWS * COLUMNS).map(|i| value(i).round() as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let mut memory = memory(Preset::Image, Origin::File(path), "dft2");
    memory.settings.filter.tool = tool;
    window(memory, Vec::new())
}

/// The numbers that follow the image have come.
fn wait_for_quality(window: &mut Window) {
    wait(window, "no PSNR", |window| says(window, "PSNR "));
}

#[test]
fn the_filtered_image_stands_there_and_stripes_are_removed_in_two_actions() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    assert!(window.query_by_label("Filtered image").is_some() && says(&window, "Mask empty"));
    click(&mut window, "Add");
    click(&mut window, "Horizontal stripes");
    settle(&mut window);
    wait_for_quality(&mut window);
    assert!(window.query_by_label("Shape 1: stripes").is_some() && says(&window, "Energy ") && says(&window, "SSIM "));
    // The numbers of a shape are in sight beside the narrow image.
    let (pane, number) = (window.get_by_label("Filtered image").rect(), window.get_by_label("angle of shape 1").rect());
    assert!(number.left() > pane.left() && number.right() < pane.right(), "{number:?} in {pane:?}");
    click(&mut window, "Shape 1: stripes on");
    settle(&mut window);
    assert!(says(&window, "Mask empty"), "a shape is switched off");
    click(&mut window, "Remove shape 1");
    settle(&mut window);
    assert!(workspace(&window).memory().settings.filter.mask.shapes.is_empty());
}

#[test]
fn the_plan_of_the_filter_is_shown_run_and_followed() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    click(&mut window, "Add");
    click(&mut window, "Horizontal stripes");
    settle(&mut window);
    let outcome = |window: &Window| workspace(window).report().and_then(|report| report.outcome().cloned()).expect("it has run");
    click(&mut window, "More in Filtered");
    click(&mut window, "Show its plan");
    settle(&mut window);
    let settings = &workspace(&window).memory().settings;
    assert_eq!((settings.transform.as_str(), &settings.second), ("filter2", &SecondOrigin::Mask));
    let ran = outcome(&window);
    let plan = ran.plan.as_ref().expect("it has a plan");
    assert!(plan.stages.iter().any(|stage| stage.label == "× factors"), "the factors multiply the spectrum");
    let report = workspace(&window).report().unwrap().clone();
    let first = report.request.job.second.clone().expect("the factors are the second signal");
    assert_eq!((first.rows, first.columns), (ROWS, COLUMNS));
    click(&mut window, "Shape 1: stripes on");
    settle(&mut window);
    let second = workspace(&window).report().unwrap().request.job.second.clone().expect("there are factors");
    assert!(first.channels != second.channels && second.channels[0].samples.to_f64().iter().all(|&factor| factor == 1.0));
}

#[test]
fn periodic_noise_is_shown_before_it_is_cut() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    click(&mut window, "Find periodic noise");
    wait(&mut window, "nothing is found", |window| says(window, "found"));
    let filter = workspace(&window).memory().settings.filter.clone();
    assert!(filter.mask.shapes.is_empty() && filter.proposed.len() == 1, "{filter:?}");
    click(&mut window, "Cut them");
    settle(&mut window);
    wait_for_quality(&mut window);
    let filter = &workspace(&window).memory().settings.filter;
    assert!(filter.proposed.is_empty());
    let MaskForm::Spots { u, v, .. } = filter.mask.shapes[0].form else { panic!("{filter:?}") };
    assert_eq!((u, v), (0.25, 0.125), "v points upwards");
}

/// Drags over the spectrum image between two places, from 0 to 1 across and down, in small moves.
fn drag(window: &mut Window, from: [f32; 2], to: [f32; 2]) {
    let image = spectrum(window);
    let at = |[x, y]: [f32; 2]| image.min + egui::vec2(x * image.width(), y * image.height());
    super::gestures::drag(window, egui::PointerButton::Primary, at(from), at(to), egui::Modifiers::NONE);
    settle(window);
}

/// Where the whole spectrum image of equal sides lies, which is fitted into the middle of its canvas.
fn spectrum(window: &Window) -> egui::Rect {
    let canvas = window.get_by_role_and_label(egui::accesskit::Role::Image, "Spectrum image").rect();
    egui::Rect::from_center_size(canvas.center(), egui::Vec2::splat(canvas.width().min(canvas.height())))
}

/// The shapes of the mask.
fn forms(window: &Window) -> Vec<MaskForm> {
    workspace(window).memory().settings.filter.mask.shapes.iter().map(|shape| shape.form.clone()).collect()
}

#[test]
fn shapes_are_drawn_moved_and_removed_with_the_mouse() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Spots);
    // From the middle of a spot at u = 0.25, v = 0.25 to its edge.
    drag(&mut window, [0.75, 0.25], [0.8, 0.25]);
    let spot = |window: &Window| forms(window).pop().expect("there is a shape");
    let MaskForm::Spots { u, v, radius } = spot(&window) else { panic!("a pair of spots") };
    assert!((u - 0.25).abs() < 0.02 && (v - 0.25).abs() < 0.02 && (radius - 0.05).abs() < 0.02, "{u}, {v}, {radius}");
    assert_eq!(workspace(&window).memory().settings.filter.tool, MaskTool::Point, "a tool that has drawn goes back to pointing");
    drag(&mut window, [0.75, 0.25], [0.65, 0.25]);
    let MaskForm::Spots { u: moved, radius: same, .. } = spot(&window) else { panic!("a pair of spots") };
    assert!((u - moved - 0.1).abs() < 0.02 && same == radius, "{u} and {moved}");
    // Its mate has an outline, too.
    drag(&mut window, [0.5 - moved as f32 + radius as f32, 0.75], [0.5 - moved as f32 + 2.0 * radius as f32, 0.75]);
    let MaskForm::Spots { radius: larger, .. } = spot(&window) else { panic!("a pair of spots") };
    assert!((larger - 2.0 * radius).abs() < 0.02 && forms(&window).len() == 1, "{radius} and {larger}");
    window.hover_at(spectrum(&window).center());
    window.key_press(egui::Key::ArrowRight);
    window.run_steps(2);
    let MaskForm::Spots { u: nudged, .. } = spot(&window) else { panic!("a pair of spots") };
    assert!(nudged > moved && nudged < moved + 0.03, "an arrow moves it by a value: {moved} and {nudged}");
    window.key_press(egui::Key::Delete);
    settle(&mut window);
    assert!(forms(&window).is_empty());
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(forms(&window).len(), 1);
}

#[test]
fn the_outline_of_a_ring_is_dragged_as_soon_as_it_is_added() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    click(&mut window, "Add");
    click(&mut window, "Low pass");
    settle(&mut window);
    let ring = |window: &Window| match forms(window)[..] {
        [MaskForm::Ring { to, .. }] => to,
        ref other => panic!("{other:?}"),
    };
    drag(&mut window, [0.6, 0.5], [0.7, 0.5]);
    assert!((ring(&window) - 0.2).abs() < 0.02, "its handle: {}", ring(&window));
    drag(&mut window, [0.5, 0.3], [0.5, 0.35]);
    assert!((ring(&window) - 0.15).abs() < 0.02, "its outline: {}", ring(&window));
    // With a tool, an empty place draws, and what is seen is still grabbed.
    super::choose(&mut window, "Mask tool", "Rectangle");
    drag(&mut window, [0.5, 0.35], [0.5, 0.3]);
    assert!((ring(&window) - 0.2).abs() < 0.02 && workspace(&window).memory().settings.filter.tool == MaskTool::Rectangle);
    drag(&mut window, [0.8, 0.1], [0.9, 0.2]);
    assert!(matches!(forms(&window)[..], [MaskForm::Ring { .. }, MaskForm::Rectangle { .. }]), "{:?}", forms(&window));
    super::choose(&mut window, "Mask tool", "Ellipse");
    window.hover_at(spectrum(&window).center());
    window.key_press(egui::Key::Escape);
    window.run_steps(3);
    assert_eq!(workspace(&window).memory().settings.filter.tool, MaskTool::Point, "Escape leaves the tool");
}

#[test]
fn the_shapes_of_a_mask_are_grabbed_where_the_mask_is_shown_too() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    click(&mut window, "Add");
    click(&mut window, "Low pass");
    super::choose(&mut window, "View of the filter", "Mask");
    let canvas = window.get_by_role_and_label(egui::accesskit::Role::Image, "Filtered image").rect();
    // The mask has the shape of the image, and pixels are square.
    let width = canvas.width().min(canvas.height() * COLUMNS as f32 / ROWS as f32);
    let at = |u: f32| canvas.center() + egui::vec2(u * width, 0.0);
    super::gestures::drag(&mut window, egui::PointerButton::Primary, at(0.1), at(0.25), egui::Modifiers::NONE);
    settle(&mut window);
    let [MaskForm::Ring { to, .. }] = forms(&window)[..] else { panic!("{:?}", forms(&window)) };
    assert!((to - 0.25).abs() < 0.02, "its handle: {to}");
}

#[test]
fn a_notch_at_the_mean_says_what_helps_and_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let mut memory = workspace(&striped(&folder, MaskTool::Point)).memory().clone();
    memory.settings.filter.mask = papillon::filter::MaskShape::notch([0.2, 0.1], 0.05).into();
    let mut window = window(memory, Vec::new());
    for (along_u, along_v, is_bad) in [(0.0, 0.0, true), (0.2, 0.1, false)] {
        super::set(&mut window, "u of shape 1", along_u);
        super::set(&mut window, "v of shape 1", along_v);
        settle(&mut window);
        assert_eq!(says(&window, "removes the mean, at frequency 0: take a smaller radius"), is_bad);
        assert_eq!(workspace(&window).memory().settings.filter.mask.shapes.len(), 1);
    }
    wait_for_quality(&mut window);
}

#[test]
fn the_mask_stays_the_second_signal_while_it_is_wrong() {
    let folder = TempDir::new().unwrap();
    let mut memory = workspace(&striped(&folder, MaskTool::Point)).memory().clone();
    memory.settings.filter.mask = papillon::filter::MaskShape::notch([0.2, 0.1], 0.05).into();
    (memory.settings.transform, memory.settings.second) = ("filter2".into(), SecondOrigin::Mask);
    let mut window = window(memory, Vec::new());
    let factors = |window: &Window| workspace(window).report().unwrap().request.job.second.clone().expect("there are factors");
    let first = factors(&window);
    for (along_u, along_v) in [(0.0, 0.0), (0.3, 0.1)] {
        super::set(&mut window, "u of shape 1", along_u);
        super::set(&mut window, "v of shape 1", along_v);
        settle(&mut window);
        assert_eq!(workspace(&window).memory().settings.second, SecondOrigin::Mask);
    }
    assert!(factors(&window).channels != first.channels, "the mask is right again");
}

#[test]
fn every_view_of_a_filter_is_rendered() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    click(&mut window, "Add");
    click(&mut window, "Low pass");
    settle(&mut window);
    for (label, view) in [
        ("Mask", FilteredView::Mask),
        ("Difference", FilteredView::Difference),
        ("Split", FilteredView::Split),
        ("Flicker", FilteredView::Flicker),
        ("Result", FilteredView::Result),
    ] {
        super::choose(&mut window, "View of the filter", label);
        assert_eq!(workspace(&window).memory().settings.filter.shows, view);
        assert_eq!(window.query_by_label("Edge between source and result").is_some(), view == FilteredView::Split);
    }
    let saved = serde_json::to_value(workspace(&window).memory()).unwrap();
    let memory: papillon::ui::Memory = serde_json::from_value(saved).unwrap();
    assert_eq!(memory.settings.filter, workspace(&window).memory().settings.filter);
}

#[test]
fn a_mask_file_is_opened_like_any_other() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    let path = folder.path().join("mask.json");
    std::fs::write(&path, r#"{"shapes":[{"kind":"spots","u":0.25,"v":0.125,"radius":0.02}]}"#).unwrap();
    window.input_mut().dropped_files.push(std::sync::Arc::new(super::layouts::Dropped(path)));
    wait(&mut window, "the mask is not taken", |window| !workspace(window).memory().settings.filter.mask.shapes.is_empty());
    settle(&mut window);
    assert!(window.query_by_label("Shape 1: spot pair").is_some());
}

#[test]
fn a_mask_of_another_size_is_said_in_one_line_and_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let memory = workspace(&striped(&folder, MaskTool::Point)).memory().clone();
    let mut window = super::window_of(|ctx| papillon::ui::Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let path = folder.path().join("other.json");
    let shapes = r#"[{"kind":"spots","u":0.25,"v":0.125,"radius":0.02}]"#;
    std::fs::write(&path, format!(r#"{{"shapes":{shapes},"size":[512,512]}}"#)).unwrap();
    window.input_mut().dropped_files.push(std::sync::Arc::new(super::layouts::Dropped(path)));
    wait(&mut window, "nothing is said", |window| {
        workspace(window).message().ends_with("drawn for a spectrum of 512 × 512, this one has 96 × 64; its frequencies in cycles stay")
    });
    settle(&mut window);
    assert!(window.query_by_label("Shape 1: spot pair").is_some() && !workspace(&window).message().contains('\n'));
    // An image has a factor for every value, so that its size must be that of the spectrum.
    let painted = |name: &str, columns: u32, rows: u32| {
        let path = folder.path().join(name);
        image::GrayImage::from_fn(columns, rows, |x, _| image::Luma([if x < columns / 4 { 0 } else { 255 }])).save(&path).unwrap();
        path.display().to_string()
    };
    let open = |window: &mut Window, path: &str| {
        run(window, Command::OpenMask);
        super::answer(window, path);
        wait(window, "the mask is not taken", |window| workspace(window).memory().settings.filter.painted.is_some());
        settle(window);
    };
    open(&mut window, &painted("small.png", 32, 16));
    assert!(says(&window, "the mask has 32 × 16 values (columns × rows), and the image 96 × 64: a mask as an image has the size"));
    let filter = workspace(&window).memory().settings.filter.clone();
    assert!(filter.mask.shapes.len() == 1 && window.query_by_label("Shape 1: spot pair").is_some());
    click(&mut window, "Remove the painted mask");
    settle(&mut window);
    wait_for_quality(&mut window);
    assert!(!says(&window, "values (columns × rows)") && says(&window, "Symmetric as each shape also acts at (−u, −v)"));
    open(&mut window, &painted("fitting.png", 96, 64));
    wait_for_quality(&mut window);
    assert!(says(&window, "% of the painted mask"), "a quarter at one side has no mate");
    click(&mut window, "Painted mask on");
    settle(&mut window);
    assert!(says(&window, "Symmetric as each shape also acts at (−u, −v)"));
}

#[test]
fn the_value_under_the_pointer_is_told_in_every_view() {
    let folder = TempDir::new().unwrap();
    let mut window = striped(&folder, MaskTool::Point);
    click(&mut window, "Add");
    click(&mut window, "Low pass");
    settle(&mut window);
    let tells = |window: &mut Window, view: &str, words: &[&str]| {
        super::choose(window, "View of the filter", view);
        let rect = window.get_by_label("Filtered image").rect();
        window.hover_at(rect.center() + egui::vec2(20.0, 10.0));
        wait(window, view, |window| words.iter().all(|words| says(window, words)));
    };
    for view in ["Result", "Split", "Flicker"] {
        tells(&mut window, view, &["filtered image   row ", "   value 1", ", source 1"]);
    }
    tells(&mut window, "Difference", &["difference   row ", "filtered minus source "]);
    tells(&mut window, "Mask", &["mask   u 0.", "cycles per pixel   factor 0."]);
}

#[test]
fn the_preparation_is_applied_said_and_undone() {
    let folder = TempDir::new().unwrap();
    let mut memory = workspace(&striped(&folder, MaskTool::Point)).memory().clone();
    memory.settings.preparation.region = Some("8,8,40,40".parse().unwrap());
    memory.settings.preparation.window = papillon::prepare::Window::Hann.into();
    let mut window = window(memory, Vec::new());
    click(&mut window, "Add");
    click(&mut window, "Low pass");
    settle(&mut window);
    wait_for_quality(&mut window);
    assert!(says(&window, "Prepared region, Hann") && says(&window, "where the window is below 0.25, the source stands around the region"));
}

#[test]
fn hum_is_removed_from_a_recording_in_three_actions() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hum.csv");
    let value = |i: u32| (TAU * 0.05 * f64::from(i)).sin() + 0.2 * (TAU * 0.203 * f64::from(i)).cos();
    let rows = (0..1000).map(|i| format!("{},{}\n", f64::from(i) / 1000.0, value(i))).collect::<String>();
    std::fs::write(&path, format!("t,x\n{rows}")).unwrap();
    let mut window = window(papillon::ui::Memory::default(), vec![path]);
    run(&mut window, Command::ToggleDrawer);
    settle(&mut window);
    click(&mut window, "Filtered");
    wait(&mut window, "no plot", |window| window.query_by_label_contains("Filtered plot, 1000 values").is_some());
    click(&mut window, "Find periodic noise");
    wait(&mut window, "nothing is found", |window| says(window, "frequencies found") || says(window, "frequency found"));
    click(&mut window, "Cut them");
    settle(&mut window);
    wait_for_quality(&mut window);
    let filter = &workspace(&window).memory().settings.filter;
    let cuts = |hertz: f64| {
        filter.mask.shapes.iter().any(|shape| matches!(shape.form, MaskForm::Spots { u, .. } if (u * 1000.0 - hertz).abs() < 1.0))
    };
    assert!(cuts(50.0), "{filter:?}");
    assert!(
        window.query_by_label("u of shape 1").is_some() && window.query_by_label("v of shape 1").is_none(),
        "a signal has one frequency"
    );
    for (label, name) in [("Mask", "Filtered plot, 501 values"), ("Difference", "Filtered plot, 1000"), ("Both", "Filtered plot, 1000")] {
        super::choose(&mut window, "View of the filter", label);
        settle(&mut window);
        assert!(window.query_by_label_contains(name).is_some(), "{label}");
    }
}

#[test]
fn an_image_without_periodic_noise_is_said_to_have_none() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("slope.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), COLUMNS as u32, ROWS as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..ROWS * COLUMNS).map(|i| (i % COLUMNS + i / COLUMNS) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let mut window = window(memory(Preset::Image, Origin::File(path), "dft2"), Vec::new());
    assert!(!says(&window, "No periodic noise stands out"));
    click(&mut window, "Find periodic noise");
    wait(&mut window, "the search does not end", |window| says(window, "No periodic noise stands out"));
}

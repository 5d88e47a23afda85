//! The pane *Learn*: from the list into a lesson, through its steps and questions, and out of it.

use super::{Window, click, memory, run, says, settle, small_image, wait, window, workspace};
use egui_kittest::kittest::Queryable as _;
use papillon::lesson::lesson;
use papillon::ui::{Command, Memory, Origin, Preset};

/// A window that shows the course on constant geometry.
fn course() -> Window {
    let mut window = window(memory(Preset::Learn, small_image(), "dft2"), Vec::new());
    click(&mut window, "Lesson Constant geometry");
    settle(&mut window);
    window
}

/// Opens a step of a lesson.
fn open(window: &mut Window, name: &str, step: usize) {
    let ctx = window.ctx.clone();
    assert!(window.state_mut().as_mut().unwrap().show_lesson(&ctx, name, Some(step)), "{name}");
    settle(window);
}

fn job(window: &Window) -> (String, Option<&'static str>) {
    let report = workspace(window).report().unwrap();
    (report.request.job.transform.to_owned(), report.request.job.algorithm)
}

#[test]
fn a_lesson_is_found_in_the_list_and_read_to_its_end() {
    let mut window = window(memory(Preset::Learn, small_image(), "dft2"), Vec::new());
    window.get_by_label("Search lessons").focus();
    window.get_by_label("Search lessons").type_text("constant geometry figure 2b");
    window.run_steps(4);
    assert!(window.query_by_label("Lesson Constant geometry").is_none());
    let figure = lesson("gajic-2011-figure-2b").unwrap();
    click(&mut window, &format!("Lesson {}", figure.head.title));
    settle(&mut window);
    assert!(says(&window, &figure.steps[0].title));
    for index in 1..=figure.steps.len() {
        run(&mut window, Command::NextLessonStep);
        settle(&mut window);
        assert_eq!(says(&window, "All lessons"), index < figure.steps.len());
        assert_eq!(says(&window, "Go on with"), index + 1 == figure.steps.len(), "the last step names the next lesson");
    }
    assert!(workspace(&window).memory().learn.has_read(figure));
}

#[test]
fn a_figure_without_printed_numbers_says_what_the_paper_says_and_what_to_press() {
    let mut window = window(memory(Preset::Learn, small_image(), "dft2"), Vec::new());
    window.get_by_label("Search lessons").focus();
    window.get_by_label("Search lessons").type_text("sorman figure 6.1");
    window.run_steps(4);
    click(&mut window, "Lesson Time of one transform");
    settle(&mut window);
    assert!(says(&window, "The paper draws curves here and prints no numbers. The button Measure Figure 6.1 draws those of this machine."));
    assert!(says(&window, "The paper: CUDA is faster than the CPU from 2^12 points on, without transfers"));
    assert!(window.get_by_label("Run sorman-2016-fig-6-1").rect().right() < 1280.0);
    window.get_by_label("Up to");
}

#[test]
fn a_step_sets_signal_plan_panes_and_cursor() {
    let window = course();
    assert_eq!(job(&window), ("walsh".to_owned(), Some("cooley-tukey")));
    assert!(says(&window, "after stage 0 of 3"));
    assert_eq!(workspace(&window).report().unwrap().request.job.signal.columns, 8);
}

#[test]
fn the_program_answers_a_prediction() {
    let mut window = course();
    assert!(says(&window, "Predict"));
    click(&mut window, "2");
    wait(&mut window, "no answer", |window| says(window, "1: you said 2"));
    assert!(says(&window, "after stage 3 of 3"), "the graph has run to the stage in question");
    click(&mut window, "Ask again");
    click(&mut window, "1");
    wait(&mut window, "no answer", |window| says(window, "1: as you predicted"));
}

#[test]
fn what_is_changed_stays_with_its_step_until_the_lesson_restores_it() {
    let mut window = course();
    let begun = workspace(&window).memory().settings.clone();
    run(&mut window, Command::NextLessonStep);
    settle(&mut window);
    run(&mut window, Command::PreviousLessonStep);
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings, begun);
    click(&mut window, "Source");
    window.get_by_label("Typed values").focus();
    window.get_by_label("Typed values").type_text("1 ");
    window.run_steps(4);
    settle(&mut window);
    let changed = workspace(&window).memory().settings.clone();
    assert_ne!(changed, begun);
    run(&mut window, Command::NextLessonStep);
    settle(&mut window);
    assert_ne!(workspace(&window).memory().settings.origin, changed.origin);
    run(&mut window, Command::PreviousLessonStep);
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings, changed, "the step is as it was left");
    click(&mut window, "Back to the lesson");
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings, begun);
    assert_eq!(job(&window), ("walsh".to_owned(), Some("cooley-tukey")));
}

#[test]
fn playing_freely_takes_the_state_along_and_the_lesson_remembers_its_step() {
    let mut window = course();
    run(&mut window, Command::NextLessonStep);
    settle(&mut window);
    let settings = workspace(&window).memory().settings.clone();
    click(&mut window, "Play freely");
    settle(&mut window);
    assert_eq!(workspace(&window).memory().preset, Preset::FlowGraph);
    let shown = workspace(&window).memory().settings.clone();
    assert_eq!((&shown.origin, &shown.algorithm, &shown.beside), (&settings.origin, &settings.algorithm, &settings.beside));
    run(&mut window, Command::Preset(Preset::Learn));
    settle(&mut window);
    assert!(says(&window, "2 of 12"), "the lesson goes on where it was left");
    // What outlives the program holds the lesson and the step.
    let text = serde_json::to_string(workspace(&window).memory()).unwrap();
    let kept: Memory = serde_json::from_str(&text).unwrap();
    assert_eq!(kept.learn.open().map(|(lesson, step)| (lesson.name.as_str(), step)), Some(("constant-geometry", 1)));
}

#[test]
fn a_lesson_opens_by_its_name_and_gives_the_device_back() {
    let mut window = window(Memory::default(), vec!["gajic-2011-cpu-a-and-b.lesson".into()]);
    let cpu = lesson("gajic-2011-cpu-a-and-b").unwrap();
    assert_eq!(workspace(&window).memory().preset, Preset::Learn);
    assert!(says(&window, &cpu.steps[0].title));
    let before = Memory::default().settings.device;
    run(&mut window, Command::Preset(Preset::Image));
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.device, before, "a step's device is no device of another layout");
    assert_eq!(workspace(&window).memory().settings.origin, Origin::default());
}

#[test]
fn keys_lead_to_the_stage_and_the_node_of_a_step_with_the_same_signal() {
    let mut window = course();
    for expected in ["after stage 3 of 3", "after stage 1 of 3", "after stage 1 of 3"] {
        run(&mut window, Command::NextLessonStep);
        settle(&mut window);
        assert!(says(&window, expected), "{expected}");
    }
    run(&mut window, Command::PreviousLessonStep);
    settle(&mut window);
    assert!(says(&window, "a₂ = x₄ + x₅"), "the node of thread 2 is lit");
    // Another signal for the same algorithm.
    open(&mut window, "twiddles-and-radices", 1);
    run(&mut window, Command::NextLessonStep);
    settle(&mut window);
    assert!(says(&window, "after stage 1 of 4"));
}

#[test]
fn names_of_results_wait_for_the_answer() {
    let mut window = course();
    open(&mut window, "constant-geometry", 7);
    let painted = |window: &Window| {
        let shapes = window.output().shapes.iter().map(|shape| &shape.shape);
        shapes.filter(|shape| matches!(shape, egui::Shape::Text(text) if text.galley.text().starts_with("X₄"))).count()
    };
    assert_eq!(painted(&window), 0, "the question asks which result stands where");
    click(&mut window, "4");
    wait(&mut window, "no answer", |window| says(window, "4: as you predicted"));
    window.run_steps(3);
    assert_eq!(painted(&window), 1);
}

#[test]
fn one_click_in_the_step_measures_its_figure() {
    let mut window = course();
    open(&mut window, "sorman-2016-figure-6-4", 0);
    assert!(says(&window, "The paper draws curves here and prints no numbers"));
    click(&mut window, "Measure Figure 6.4");
    wait(&mut window, "nothing is measured", |window| says(window, "Cancel sweep"));
    run(&mut window, Command::Cancel);
    settle(&mut window);
    // What was measured of one figure does not stand for another one.
    open(&mut window, "sorman-2016-figure-6-5", 0);
    assert!(says(&window, "The paper draws curves here and prints no numbers"));
}

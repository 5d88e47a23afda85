//! The pane *Learn*: from the list into a lesson, through its steps and questions, and out of it.

use super::{Window, click, memory, run, says, settle, small_image, wait, window, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
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
    assert!(says(
        &window,
        "The paper draws curves here and prints no numbers of them. The button Measure Figure 6.1 draws those of this machine."
    ));
    assert!(says(&window, "The paper: CUDA is faster than the CPU from 2^12 points on, without transfers"));
    // The axes of the figure are there, with the size that the paper states.
    assert!(says(&window, "Plot, Figure 6.1: Forward transform of a sequence, 0 curves"));
    // The power is in runs of its own: 2, and 12 raised.
    let texts: Vec<String> = painted(&window).into_iter().map(|(text, _)| text).collect();
    let line =
        texts.iter().position(|text| text == "the paper: the GPU is faster than the CPU from ").expect("the line of the paper is named");
    assert_eq!(texts[line + 1..][..2], ["2", "12"]);
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
    wait(&mut window, "no hint", |window| says(window, "are read in stage 2. Follow the edges that enter one butterfly of stage 3"));
    assert!(!says(&window, "1: you said"), "a wrong prediction has a second try before the answer");
    assert!(window.get_by_label("2").accesskit_node().is_disabled());
    click(&mut window, "4");
    wait(&mut window, "no answer", |window| says(window, "1: you said 4"));
    assert!(says(&window, "after stage 0 of 3"), "an answer moves no cursor");
    click(&mut window, "Show it in the graph");
    wait(&mut window, "nothing ran", |window| says(window, "after stage 3 of 3"));
    click(&mut window, "Ask again");
    click(&mut window, "1");
    wait(&mut window, "no answer", |window| says(window, "1: as you predicted"));
    click(&mut window, "Ask again");
    click(&mut window, "4");
    wait(&mut window, "no hint", |window| says(window, "Not 4."));
    click(&mut window, "1");
    wait(&mut window, "no answer", |window| says(window, "1: right at the second try"));
}

/// To a tenth of a point.
#[test]
fn an_answer_leaves_the_graph_where_it_is() {
    let mut window = course();
    let place = |rect: egui::Rect| [rect.center().x, rect.center().y].map(|at| (10.0 * at).round() as i32);
    let lanes = |window: &Window| {
        let lanes = painted(window).into_iter().filter(|(text, _)| text.contains('x') && text.chars().count() <= 8);
        lanes.map(|(text, rect)| (text, place(rect))).collect::<Vec<_>>()
    };
    for (name, step, right) in [("constant-geometry", 0, "1"), ("arguello-2012-figure-1", 1, "3"), ("constant-geometry", 7, "4")] {
        open(&mut window, name, step);
        let before = lanes(&window);
        assert!(before.len() >= 8, "{name}: {before:?}");
        click(&mut window, right);
        wait(&mut window, "no answer", |window| says(window, "as you predicted"));
        settle(&mut window);
        assert_eq!(lanes(&window), before, "{name}, step {}", step + 1);
    }
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
    // The memory that outlives the program holds the lesson and the step.
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
fn a_lesson_opens_at_a_step_and_for_the_window_that_it_finds() {
    let butterfly = lesson("the-butterfly").unwrap();
    let mut at_step = window(Memory::default(), vec!["the-butterfly.lesson#2".into()]);
    settle(&mut at_step);
    assert!(says(&at_step, &butterfly.steps[1].title) && says(&at_step, "2 of"));
    // Two graphs stand one above the other in a narrow window, which is known with its first frame.
    let narrow = window(Memory::default(), vec!["constant-geometry.lesson#2".into()]);
    let mut opened = window(Memory::default(), vec!["constant-geometry.lesson".into()]);
    run(&mut opened, Command::NextLessonStep);
    settle(&mut opened);
    let panes = |window: &Window| {
        let graphs =
            ["Flow graph, ", "Second graph, "].map(|name| window.query_all_by_label_contains(name).next().map(|graph| graph.rect()));
        assert!(graphs.iter().all(Option::is_some));
        graphs
    };
    assert_eq!(panes(&narrow), panes(&opened));
}

#[test]
fn the_palette_opens_with_a_click_and_finds_a_figure_by_its_words() {
    let mut window = course();
    click(&mut window, "Commands…");
    window.run_steps(3);
    window.get_by_label("Search commands").type_text("figure 2b");
    window.run_steps(3);
    window.key_press(egui::Key::Enter);
    settle(&mut window);
    assert!(says(&window, &lesson("gajic-2011-figure-2b").unwrap().steps[0].title));
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

/// The texts that are painted, with their places.
fn painted(window: &Window) -> Vec<(String, egui::Rect)> {
    let shapes = window.output().shapes.iter().map(|shape| &shape.shape);
    let text = |shape: &egui::Shape| match shape {
        egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
        _ => None,
    };
    shapes.filter_map(text).collect()
}

/// How many of them begin so.
fn n_painted(window: &Window, beginning: &str) -> usize {
    painted(window).iter().filter(|(text, _)| text.starts_with(beginning)).count()
}

#[test]
fn names_of_results_wait_for_the_answer() {
    let mut window = course();
    open(&mut window, "constant-geometry", 7);
    assert_eq!(n_painted(&window, "X₄"), 0, "the question asks which result stands where");
    click(&mut window, "4");
    wait(&mut window, "no answer", |window| says(window, "4: as you predicted"));
    window.run_steps(3);
    assert_eq!(n_painted(&window, "X₄"), 1);
}

#[test]
fn names_of_stages_and_numbers_of_launches_wait_for_the_answer() {
    let mut window = course();
    window.set_size(egui::vec2(1280.0, 800.0));
    settle(&mut window);
    assert_eq!(n_painted(&window, "distance"), 0, "the question asks for a distance");
    click(&mut window, "1");
    wait(&mut window, "no answer", |window| says(window, "1: as you predicted"));
    window.run_steps(3);
    assert_eq!(n_painted(&window, "distance"), 3);
    open(&mut window, "arguello-2012-figure-1", 1);
    assert_eq!(n_painted(&window, "launch"), 0, "the question asks for the launches");
    assert!(!says(&window, "5 stages in 3 launches"));
    click(&mut window, "3");
    wait(&mut window, "no answer", |window| says(window, "3: as you predicted"));
    click(&mut window, "Show it in the graph");
    settle(&mut window);
    assert!(n_painted(&window, "launch") > 0);
    assert!(says(&window, "5 stages in 3 launches"));
}

#[test]
fn lists_of_launches_wait_for_the_answer() {
    let mut window = course();
    for (name, step, answer, listed) in
        [("sorman-2016-algorithm-1", 2, "4", "3 · blocks of 4"), ("honest-benchmarks", 2, "20", "Launch 2: distance 262144")]
    {
        open(&mut window, name, step);
        assert!(!says(&window, listed), "{name}");
        if window.query_by_role_and_label(Role::TextInput, "Answer").is_some() {
            window.get_by_role_and_label(Role::TextInput, "Answer").focus();
            window.get_by_role_and_label(Role::TextInput, "Answer").type_text(answer);
            window.run_steps(2);
            window.key_press(egui::Key::Enter);
        } else {
            click(&mut window, answer);
        }
        wait(&mut window, "no answer", |window| says(window, &format!("{answer}: as you predicted")));
        settle(&mut window);
        wait(&mut window, "no list", |window| says(window, listed));
    }
}

#[test]
fn a_paragraph_is_one_text() {
    let mut window = course();
    open(&mut window, "constant-geometry", 2);
    assert!(says(&window, "each butterfly of a stage to a thread. Thread t reads lanes 2t"), "emphasis divides no text");
    open(&mut window, "sorman-2016-table-3-1", 1);
    window.get_by_label("log₂N − 1 − s = 2");
}

#[test]
fn no_value_stands_behind_the_names_of_the_results() {
    let mut window = course();
    window.set_size(egui::vec2(2560.0, 1440.0));
    window.run_steps(3);
    open(&mut window, "li-2012-table-1", 0);
    let texts = painted(&window);
    // The names of the results of the first graph, and those of the inputs of the second one.
    let names = |letter: char| texts.iter().filter(move |(text, _)| text.starts_with(letter) && text.chars().count() == 2);
    let results = names('X').map(|(_, rect)| rect.left()).fold(f32::MAX, f32::min);
    let inputs = names('x').map(|(_, rect)| rect.left()).fold(0.0, f32::max);
    assert!(results < inputs, "{results} {inputs}");
    let between = texts.iter().filter(|(_, rect)| rect.left() > results && rect.left() < inputs);
    let values: Vec<_> = between.filter(|(text, _)| text.replace('−', "-").parse::<f64>().is_ok()).collect();
    assert!(values.is_empty(), "{values:?}");
}

#[test]
fn a_second_signal_that_is_an_image_is_drawn_as_one() {
    let mut window = course();
    open(&mut window, "cleaning-an-image", 4);
    window.get_by_label("Second image");
    assert!(window.query_by_label("Second signal plot").is_none());
    let second = workspace(&window).report().unwrap().second.clone().unwrap();
    assert_eq!((second.frame.width, second.frame.height), (4, 4));
    assert_eq!(second.values.iter().filter(|value| **value == 0.0).count(), 1, "one factor of the sixteen is 0");
}

#[test]
fn overlapped_tiles_of_a_small_signal_are_several() {
    let mut window = course();
    window.set_size(egui::vec2(1600.0, 1000.0));
    open(&mut window, "split-and-merge", 9);
    click(&mut window, "1");
    wait(&mut window, "no answer", |window| says(window, "1: as you predicted"));
    click(&mut window, "Show it in the graph");
    settle(&mut window);
    assert!(painted(&window).iter().any(|(text, _)| text.contains("2 workgroups")), "{:?}", painted(&window));
}

#[test]
fn one_click_in_the_step_measures_its_figure() {
    let mut window = course();
    open(&mut window, "sorman-2016-figure-6-4", 0);
    assert!(says(&window, "The lines are the numbers that the paper prints"));
    click(&mut window, "Measure Figure 6.4");
    wait(&mut window, "nothing is measured", |window| says(window, "Cancel sweep"));
    run(&mut window, Command::Cancel);
    settle(&mut window);
    // A measurement of one figure does not count for another one.
    open(&mut window, "sorman-2016-figure-6-5", 0);
    assert!(says(&window, "The lines are the numbers that the paper prints"));
}

#[test]
fn a_question_about_launches_hides_their_number_alone() {
    let mut window = course();
    open(&mut window, "sorman-2016-figure-5-9", 1);
    wait(&mut window, "no times", |window| says(window, "All launches"));
    let texts = painted(&window);
    // The number of the launch that is shown would be the answer, too: it is the last one.
    assert!(!texts.iter().any(|(text, _)| text.starts_with("Launch 1: ") || text.starts_with("launch ")), "{texts:?}");
    assert!(texts.iter().any(|(text, _)| text == "one launch"), "{texts:?}");
    assert!(texts.iter().any(|(text, _)| text == "Groups"), "the list of launches has the one that is shown: {texts:?}");
}

#[test]
fn a_step_about_a_kernel_marks_the_line_that_it_speaks_of() {
    let mut window = course();
    let steps = papillon::lesson::lessons().iter().flat_map(|lesson| (0..lesson.steps.len()).map(move |step| (lesson, step)));
    let mut n_found = 0;
    for (lesson, step) in steps {
        let state = &lesson.steps[step].state;
        let searched = state.views.get("Kernel").and_then(|kernel| kernel.get("search")?.as_str()).unwrap_or_default();
        let is_shown = state.panes.iter().any(|pane| pane == "Kernel");
        if searched.is_empty() || !is_shown {
            continue;
        }
        open(&mut window, &lesson.name, step);
        let words = [format!(" lines contain “{searched}”"), format!("1 line contains “{searched}”")];
        let none = format!("0{}", words[0]);
        wait(&mut window, &lesson.name, |window| {
            words.iter().any(|words| says(window, words)) && window.query_all_by_label(&none).next().is_none()
        });
        n_found += 1;
    }
    assert!(n_found >= 8, "{n_found}");
}

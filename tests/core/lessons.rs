//! Every lesson: it loads, its states lay out jobs that plan, its questions have one answer, and what it claims holds.

use papillon::bench::experiment;
use papillon::cli::papers_page;
use papillon::lesson::{Answered, FILES, GROUPS, Lesson, Topic, agree, lesson, lessons, missing, papers};
use papillon::ui::{Settings, settings_of_lesson, subjects_of_lesson, verify_lesson};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};

/// Lessons that have yet to be written. A lesson that exists must not be here.
const NOT_WRITTEN: [&str; 0] = [];

#[test]
fn every_file_is_a_lesson() {
    let wrong: Vec<_> = FILES.iter().filter_map(|(path, text)| Lesson::parse(path, text).err()).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(lessons().len(), FILES.len());
    let names: HashSet<_> = lessons().iter().map(|lesson| lesson.name.as_str()).collect();
    assert_eq!(names.len(), lessons().len(), "two lessons share a name");
}

#[test]
fn every_figure_table_and_course_has_its_lesson() {
    let (written, absent): (Vec<_>, Vec<_>) = NOT_WRITTEN.iter().partition(|name| lesson(name).is_some());
    assert!(written.is_empty(), "these lessons exist, so that they are no exceptions: {written:?}");
    let missing: Vec<_> = missing().into_iter().filter(|name| !absent.contains(&&name.as_str())).collect();
    assert!(missing.is_empty(), "{} lessons are missing: {}", missing.len(), missing.join(", "));
    assert_eq!(GROUPS.iter().map(|group| group.names.len()).sum::<usize>(), 140);
}

/// The list names every figure, table and experiment, and each command of it begins with one that the program has.
#[test]
fn every_entry_of_the_papers_is_shown() {
    for paper in papers() {
        let listed: BTreeSet<&String> = paper.entries.iter().flat_map(|entry| &entry.experiments).collect();
        assert!(listed.iter().all(|name| experiment(name).is_some()), "{}: experiments that the program lacks: {listed:?}", paper.folder);
        let measured = papillon::bench::papers().iter().filter(|measured| measured.paper == paper.folder);
        let unlisted = measured.flat_map(|measured| &measured.experiments).find(|experiment| !listed.contains(&experiment.name));
        assert!(unlisted.is_none(), "{unlisted:?} is not listed");
        let empty = paper.entries.iter().find(|entry| entry.lesson.is_empty() || entry.what.is_empty());
        assert!(empty.is_none(), "{}: {empty:?}", paper.folder);
    }
    let commands = papers().iter().flat_map(|paper| &paper.entries).flat_map(|entry| &entry.commands);
    let wrong: Vec<_> = commands.filter_map(|command| papillon::cli::unread(command)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(papillon::cli::unread("papillon graph --colour").is_some() && papillon::cli::unread("graph -t walsh").is_some());
}

/// Kinds of places that are numbered in a paper.
const KINDS: [&str; 7] = ["figure", "table", "algorithm", "equation", "example", "section", "chapter"];

/// Every numbered place of the papers, from their first page to their last; of sections, those that are listed at all.
const PLACES: [(&str, &str); 5] = [
    ("gajic-2011", "Figures 1, 2a to 2f, 3, 4a to 4d; Table 1; Algorithms 1 to 4; Equations 1 to 6; Sections 5.1, 5.2 and 6"),
    ("gajic-2012", "Figures 1 to 3; Tables 1 and 2; Algorithm 1; Examples 1 to 3; Equations 1 to 16"),
    ("li-2012", "Tables 1 and 2; Algorithm 1; Sections 1.1, 1.2, 3.2, 4.1 and 4.2"),
    (
        "sorman-2016",
        "Figures 3.1 to 3.4, 4.1 to 4.5, 5.1 to 5.11, 6.1 to 6.10; Tables 3.1, 3.2, 4.1, 5.1 to 5.6, 6.1 and 6.2; \
         Algorithms 1 and 2; Equation 2.1; Chapter 4; Sections 6.2, 6.2.1, 6.2.2 and 6.4",
    ),
    ("arguello-2012", "Figures 1 to 11; Tables 1 to 5; Equations 1 to 12; Sections 2, 3 and 4"),
];

/// The numbered places that a text names: "Figures 2a to 2c" are three.
fn places(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut kind, mut from) = (None, None);
    let mut is_range = false;
    for word in text.split_whitespace().map(|word| word.trim_end_matches([',', ';', '.', ':'])) {
        let lower = word.to_lowercase();
        if let Some(known) = KINDS.iter().find(|known| lower.trim_end_matches('s') == **known) {
            (kind, from) = (Some(*known), None);
        } else if let Some(kind) = kind.filter(|_| word.starts_with(|sign: char| sign.is_ascii_digit())) {
            let first = from.filter(|_| is_range).unwrap_or(word);
            found.extend(between(first, word).into_iter().map(|number| format!("{kind} {number}")));
            from = Some(word);
        }
        is_range = word == "to";
    }
    found
}

/// The numbers from one to another, which differ in what follows the last dot, or in their letter.
fn between(first: &str, last: &str) -> Vec<String> {
    let is_lettered = last.ends_with(|sign: char| sign.is_ascii_lowercase());
    let at = if is_lettered { last.len() - 1 } else { last.rfind('.').map_or(0, |dot| dot + 1) };
    let (start, [from, to]) = (&last[..at], [&first[at..], &last[at..]]);
    assert_eq!(&first[..at], start, "{first} to {last}");
    if is_lettered {
        let letter = |text: &str| text.chars().next().unwrap();
        (letter(from)..=letter(to)).map(|end| format!("{start}{end}")).collect()
    } else {
        let number = |text: &str| text.parse::<u32>().unwrap();
        (number(from)..=number(to)).map(|end| format!("{start}{end}")).collect()
    }
}

#[test]
fn the_list_names_every_numbered_place_of_the_papers() {
    assert_eq!(places("Algorithm 1 and the kernel of section 4.1"), ["algorithm 1", "section 4.1"].map(String::from).into());
    assert_eq!(places("Figures 2a to 2c, 5.9 to 5.11").len(), 6);
    assert_eq!(papers().iter().map(|paper| paper.folder.as_str()).collect::<Vec<_>>(), PLACES.map(|(folder, _)| folder));
    for (paper, (folder, all)) in papers().iter().zip(PLACES) {
        let listed: BTreeSet<_> = paper.entries.iter().flat_map(|entry| places(&entry.place)).collect();
        let all = places(all);
        let missing: Vec<_> = all.difference(&listed).collect();
        let unknown: Vec<_> = listed.difference(&all).collect();
        assert!(missing.is_empty() && unknown.is_empty(), "{folder}: missing {missing:?}, unknown {unknown:?}");
    }
}

/// The page is made from the list: `cargo test --test core -- --ignored write_the_page` writes it.
#[test]
fn the_page_of_the_papers_is_made_from_the_list() {
    let page = std::fs::read_to_string(page_of_papers()).unwrap();
    assert_eq!(page, papers_page(), "docs/papers.md differs from the list of the papers");
}

#[test]
#[ignore = "writes docs/papers.md"]
fn write_the_page_of_the_papers() {
    std::fs::write(page_of_papers(), papers_page()).unwrap();
}

fn page_of_papers() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/papers.md")
}

#[test]
fn every_lesson_holds_what_it_claims() {
    let wrong: Vec<String> = lessons().par_iter().flat_map(|lesson| verify_lesson(lesson, &[])).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Somebody who reads a figure of a paper sees a graph, an image or times, and is told what to look at.
#[test]
fn lessons_have_short_texts_and_a_sentence_for_the_list() {
    let mut wrong = Vec::new();
    for lesson in lessons() {
        let head = &lesson.head;
        let is_sentence = |text: &str| text.ends_with(['.', '?']) && text.len() < 200;
        if !is_sentence(&head.summary) || head.later.as_deref().is_some_and(|later| !later.ends_with('.')) {
            wrong.push(format!("{}: summary and later are sentences", lesson.name));
        }
        let unknown = head.needs.iter().filter(|name| papillon::lesson::lesson(name).is_none());
        wrong.extend(unknown.map(|name| format!("{}: there is no lesson named '{name}'", lesson.name)));
        if head.minutes == 0 || head.title.is_empty() || head.place.is_empty() {
            wrong.push(format!("{}: title, place and minutes are needed", lesson.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The state of a step is a part of a session: it survives being written and read.
#[test]
fn states_are_settings_that_sessions_keep() {
    for lesson in lessons() {
        for step in &lesson.steps {
            let settings = settings_of_lesson(&step.state).unwrap_or_else(|error| panic!("{}: {error}", lesson.name));
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings, "{}", lesson.name);
        }
    }
}

/// A value on a lane is written once its stage has run, so a step that asks for it stops before.
#[test]
fn no_step_shows_the_value_that_it_asks_for() {
    let mut told = Vec::new();
    for lesson in lessons() {
        for (index, step) in lesson.steps.iter().enumerate() {
            let (state, asked) = (&step.state, step.question.as_ref().map(|question| &question.read));
            let shows_graph = state.panes.is_empty() || state.panes.iter().chain(&state.lower).any(|pane| pane == "FlowGraph");
            let Some(asked) = asked.filter(|asked| asked.topic() == Topic::Values && shows_graph) else { continue };
            let subjects = subjects_of_lesson(&step.state).unwrap();
            let n_stages = subjects.main().map_or(0, |subject| subject.plan.stages.len());
            let (shown, needed) = (state.stage.unwrap_or(n_stages), asked.stage().unwrap_or(n_stages));
            let is_drawn = subjects.main().is_ok_and(|subject| subject.values().is_some());
            if shown >= needed && is_drawn {
                told.push(format!("{} {}: shows stage {shown}, asks for stage {needed}", lesson.name, index + 1));
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// Two devices may cut a plan in two ways, so an answer about launches says which schedule or which device it counts.
#[test]
fn an_answer_about_launches_is_what_the_window_shows() {
    let problems = |cut: &str, ask: &str| {
        let text = format!(
            "+++\ntitle = \"T\"\nplace = \"Course\"\nminutes = 1\nsummary = \"S.\"\n+++\n\n## Step\n\n\
            ```state\ntransform = \"dft2\"\nalgorithm = \"global-local\"\n{cut}\n\
            generator = {{ NoisePicture = {{ rows = 64, columns = 64, amplitude = 1.0, distribution = \"Uniform\", seed = 1 }} }}\n```\n\n\
            Text.\n\n```question\nask = \"{ask}\"\nread = {{ launches = true }}\nwhy = \"W.\"\n```\n"
        );
        verify_lesson(&Lesson::parse("courses/launches.md", &text).unwrap(), &[])
    };
    let unnamed = problems("", "How many launches?");
    assert!(unnamed.len() == 1 && unnamed[0].contains("name the schedule"), "{unnamed:?}");
    assert_eq!(problems("cut = \"tiles:1024\"", "How many launches?"), Vec::<String>::new());
    assert_eq!(problems("", "How many launches on a GPU?"), Vec::<String>::new());
}

#[test]
fn wrong_claims_and_wrong_choices_are_found() {
    let text = "+++\ntitle = \"T\"\nplace = \"Course\"\nminutes = 1\nsummary = \"S.\"\n+++\n\n## Step\n\n\
        ```state\ntransform = \"walsh\"\nalgorithm = \"cooley-tukey\"\nsignal = \"1 0 0 0\"\nstage = 3\npanes = [\"Nowhere\"]\n```\n\nText.\n\n\
        ```question\nask = \"?\"\nchoices = [\"5\", \"6\"]\nread = { result = 0 }\nwhy = \"W.\"\n```\n\n\
        ```check\nstages = 3\nvalues = \"1 1 1 2\"\nedges = 16\n```\n";
    let problems = verify_lesson(&Lesson::parse("courses/wrong.md", text).unwrap(), &[]);
    let expected = [
        "Nowhere",
        "the plan has 2 stages",
        "stages: the lesson says 3",
        "values: the lesson says 1 1 1 2",
        "no choice is the answer, which is 1",
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:?}");
    assert!(problems.iter().zip(expected).all(|(problem, words)| problem.contains(words)), "{problems:?}");
}

/// A wrong prediction gets a hint that says how the answer is found. It never is the answer, and no word of the program's insides.
#[test]
fn every_question_has_a_hint() {
    let mut n = 0;
    for lesson in lessons() {
        for (index, step) in lesson.steps.iter().enumerate() {
            let Some(question) = &step.question else { continue };
            let place = format!("{}, step {}", lesson.name, index + 1);
            let answer = question.choices.iter().find(|choice| choice.parse::<f64>().is_err()).map_or("12345", String::as_str);
            let hint = question.hint("54321", &Answered { answer: answer.to_owned(), others: Vec::new() });
            let words = hint.split_whitespace().count();
            assert!((6..=60).contains(&words) && hint.ends_with('.'), "{place}: {hint}");
            assert!(!hint.contains("12345") && !hint.contains("54321"), "{place}: {hint}");
            // A choice of one letter is told where it is as a word.
            let told_in = |choice: &str| {
                hint.match_indices(choice).any(|(at, _)| {
                    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                    !is_letter(hint[..at].chars().next_back()) && !is_letter(hint[at + choice.len()..].chars().next())
                })
            };
            let told = question.choices.iter().filter(|choice| choice.parse::<f64>().is_err() && told_in(choice));
            assert_eq!(told.collect::<Vec<_>>(), Vec::<&String>::new(), "{place}: {hint}");
            n += 1;
        }
    }
    assert!(n > 200, "{n} questions");
}

/// The value that a reader has taken from another place is told by its place, and the answer is not.
#[test]
fn a_hint_says_what_a_wrong_prediction_is_the_answer_to() {
    for (name, step, given, is) in [
        ("constant-geometry", 1, "2", "That is the distance of the lanes that are read in stage 2. "),
        ("constant-geometry", 1, "54321", ""),
    ] {
        let step = &lesson(name).unwrap().steps[step - 1];
        let question = step.question.as_ref().unwrap();
        let answered = question.answered(&subjects_of_lesson(&step.state).unwrap()).unwrap();
        let hint = question.hint(given, &answered);
        assert_eq!(hint.strip_prefix("That is").is_some(), !is.is_empty(), "{hint}");
        assert!(hint.starts_with(is), "{hint}");
    }
    let known: usize = lessons()
        .par_iter()
        .filter(|lesson| lesson.head.place == "Course")
        .flat_map(|lesson| &lesson.steps)
        .filter_map(|step| Some((step, step.question.as_ref().filter(|question| !question.read.is_measured())?)))
        .map(|(step, question)| {
            let answered = question.answered(&subjects_of_lesson(&step.state).unwrap()).unwrap();
            for (value, is) in &answered.others {
                let hint = question.hint(value, &answered);
                assert!(hint.starts_with("That is ") && !is.split(' ').any(|word| word == answered.answer), "{}: {hint}", question.ask);
            }
            question.choices.iter().filter(|choice| answered.others.iter().any(|(value, _)| agree(choice, value))).count()
        })
        .sum();
    assert!(known > 5, "{known} choices are values of the plan");
}

/// The sentences of a handout about a step hold on paper, and something is left to read.
#[test]
fn no_sentence_of_a_page_speaks_of_the_window() {
    let words = ["press", "click", "drag", "hover", "pane", "pointer", "wheel", "toolbar", "button"];
    for lesson in lessons() {
        for (index, step) in lesson.steps.iter().enumerate() {
            let question = step.question.iter().flat_map(|question| question.lines().into_iter().chain([question.answer_line("1")]));
            for text in question.chain([step.page_text()]) {
                let spoken = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).find(|word| words.contains(&word.as_str()));
                assert_eq!(spoken, None, "{}, step {}: {text}", lesson.name, index + 1);
                assert!(!text.contains('\u{1}'));
            }
        }
        assert!(lesson.steps.iter().any(|step| step.page_text().split_whitespace().count() > 4), "{}", lesson.name);
    }
}

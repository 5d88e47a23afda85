//! The tables of choices: every row can be read, told, typed and looked up.

use papillon::choice::{Choice, Chosen, Kind};
use papillon::cli::unread;
use papillon::schedule::{BlockKernels, Cut, CutParameters, SplitAndMerge};
use papillon::transforms::{Parameters, TRANSFORMS};

/// Texts that a row takes.
fn texts<S: Chosen>(choice: &Choice<S>) -> Vec<&str> {
    match choice.kind {
        Kind::Named(values) => values.iter().map(|value| value.name).collect(),
        Kind::Switch(_) => vec!["true"],
        Kind::Number { least, .. } => vec![if least > 2 { "3" } else { "2" }, "6"],
        Kind::PowerOfTwo { least, .. } => vec![if least > 8 { "16" } else { "8" }, "64"],
        Kind::Matrix => vec!["2,-1,1,1", "-0.5,0,1,1000000"],
    }
}

fn walk<S: Chosen>() {
    for choice in S::CHOICES {
        let key = choice.key;
        let is_sentence = |text: &str| text.len() > 5 && text.ends_with('.') && !text.contains("..");
        assert!(!choice.title.is_empty() && is_sentence(choice.sentence), "{key}: {}", choice.sentence);
        for value in choice.kind.values() {
            assert!(!value.title.is_empty() && is_sentence(value.sentence), "{key} {}: {}", value.name, value.sentence);
        }
        for text in texts(choice) {
            let mut values = S::default();
            choice.set(&mut values, Some(text)).unwrap();
            assert_eq!(choice.text(&values).as_deref(), Some(text), "{key}");
            let typed = if let Kind::Switch(_) = choice.kind { String::new() } else { format!(" {text}") };
            assert_eq!(unread(&format!("papillon transform x.npy -t dft -o y.npy --{key}{typed}")), None);
            choice.set(&mut values, None).unwrap();
            assert_eq!(choice.text(&values), choice.text(&S::default()), "{key}");
        }
        for wrong in ["", "x", "-3", "1.5"] {
            assert!(
                choice.set(&mut S::default(), Some(wrong)).is_err_and(|told| told.starts_with("take ") || told.contains("write ")),
                "{key} {wrong}"
            );
        }
    }
}

#[test]
fn every_row_is_told_and_read_back() {
    walk::<Parameters>();
    walk::<CutParameters>();
}

/// A row of the page: the option, what it sets, its values and who has it.
fn row<S: Chosen>(choice: &Choice<S>, owners: &str) -> String {
    let values = choice.kind.values().iter().map(|value| format!("`{}`: {}", value.name, value.about().replace('|', "\\|")));
    let values = match choice.kind {
        Kind::Named(_) => values.collect::<Vec<_>>().join("<br>"),
        Kind::Switch(_) => "a switch".to_owned(),
        Kind::Number { least, .. } => format!("a whole number from {least} on"),
        Kind::PowerOfTwo { least, most: Some(most), .. } => format!("a power of two from {least} to {most}"),
        Kind::PowerOfTwo { .. } => "a power of two".to_owned(),
        Kind::Matrix => "four numbers, row by row".to_owned(),
    };
    let usual = choice.usual().map_or(String::new(), |usual| format!(" ({usual})"));
    format!("| `--{}` | {}{usual} | {values} | {owners} |\n", choice.key, choice.about())
}

/// The transforms that have a parameter, or those that do not have it where they are few.
fn owners(choice: &Choice<Parameters>) -> String {
    let names =
        |has: bool| -> Vec<_> { TRANSFORMS.iter().filter(|of| of.has(choice.id) == has).map(|of| format!("`{}`", of.name)).collect() };
    let [with, without] = [names(true), names(false)];
    if without.len() < with.len() { format!("all but {}", without.join(", ")) } else { with.join(", ") }
}

#[test]
fn the_documentation_has_the_tables() {
    let mut table = String::from("| option | what it sets (the default) | values | who has it |\n| --- | --- | --- | --- |\n");
    table.extend(Parameters::CHOICES.iter().map(|choice| row(choice, &owners(choice))));
    for choice in CutParameters::CHOICES {
        let is_of = |cut: Cut| TRANSFORMS.iter().any(|transform| choice.id.is_of(cut, transform, None));
        let blocks = Cut::Blocks(BlockKernels::default());
        let sections = Cut::SplitAndMerge(SplitAndMerge::default());
        let kinds =
            [("sections", sections), ("overlapped tiles", Cut::Overlapped(0)), ("a launch a stage", Cut::Stages), ("blocks", blocks)];
        let kinds: Vec<_> = kinds.iter().filter(|(_, cut)| is_of(*cut)).map(|(name, _)| *name).collect();
        table += &row(choice, &kinds.join(", "));
    }
    let page = |name: &str| std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap();
    assert!(page("command-line.md").contains(&table), "docs/command-line.md lacks this table:\n{table}");
    let keys = Parameters::CHOICES.iter().map(Choice::lesson_key).chain(CutParameters::CHOICES.iter().map(Choice::lesson_key));
    let lessons = page("lessons.md");
    keys.for_each(|key| assert!(lessons.contains(&format!("`{key}`")), "docs/lessons.md lacks the key {key}"));
}

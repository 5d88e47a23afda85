//! TeX that any LaTeX sets: a strict reading of what files of flow graphs, matrices and handouts contain.
//!
//! Every command of the list, and every package, was set once with pdflatex of TeX Live.

use super::graph::{export, request};
use papillon::figure::{FigureFormat, PaperSize};
use papillon::graph::matrix::{MatrixFile, MatrixFormat, factor};
use papillon::graph::{GraphOptions, GraphRequest, GraphStyle, Handout, HandoutGraph, HiddenParts, PageFocus};
use papillon::lesson::{Question, lessons};
use papillon::schedule::Schedule;
use papillon::transforms::{Parameters, Shape, TRANSFORMS};

const PACKAGES: [&str; 2] = ["tikz", "amsmath"];
const COMMANDS: &str = "documentclass usepackage definecolor begin end draw node fill sffamily fontsize selectfont displaystyle left right mathrm tfrac frac \
    cdot times otimes oplus to dots enspace textendash textasciigrave textdollar backslash alpha beta gamma delta zeta psi omega Delta pi mu surd Sigma Pi \
    circ pm le ge infty i overline mathsf";
/// Commands of one sign.
const SIGNS: &str = "\\,{}#%&_^~\"'";

/// The mistake in a file: characters, braces, environments, formulas, commands or packages.
fn mistake(tex: &str) -> Option<String> {
    let (mut open, mut is_formula, mut characters) = (Vec::<String>::new(), false, tex.chars().peekable());
    let argument = |characters: &mut std::iter::Peekable<std::str::Chars<'_>>| -> String {
        let rest: String = characters.clone().skip_while(|c| *c != '{').skip(1).take_while(|c| *c != '}').collect();
        rest
    };
    while let Some(c) = characters.next() {
        match c {
            '%' => _ = characters.by_ref().find(|c| *c == '\n'),
            '\\' => {
                let mut name = String::new();
                while let Some(letter) = characters.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                if name.is_empty() {
                    let sign = characters.next()?;
                    if !SIGNS.contains(sign) {
                        return Some(format!("\\{sign} is no command"));
                    }
                }
                match name.as_str() {
                    "begin" => open.push(argument(&mut characters)),
                    "end" if open.pop().as_deref() != Some(&argument(&mut characters)) => {
                        return Some("an environment ends elsewhere".into());
                    }
                    "usepackage" if !PACKAGES.contains(&argument(&mut characters).as_str()) => return Some("a package is unknown".into()),
                    "" | "end" | "usepackage" => {}
                    name if COMMANDS.split_whitespace().any(|known| known == name) => {}
                    name => return Some(format!("\\{name} is no command of the list")),
                }
            }
            '{' => open.push("{".into()),
            '}' if open.pop().as_deref() != Some("{") => return Some("a brace closes nothing".into()),
            '$' if is_formula && open.last().is_some_and(|last| last == "$") => {
                (is_formula, _) = (false, open.pop());
            }
            '$' if is_formula => return Some("a formula ends inside a group".into()),
            '$' => {
                is_formula = true;
                open.push("$".into());
            }
            '_' | '^' if !is_formula => return Some(format!("{c} stands outside a formula")),
            '#' | '?' => return Some(format!("{c}: a character that TeX cannot set")),
            c if !c.is_ascii() => return Some(format!("{c} is no ASCII")),
            _ => {}
        }
    }
    (!open.is_empty()).then(|| format!("{open:?} stay open"))
}

#[test]
fn the_reading_is_strict() {
    for wrong in ["{$x}$", "\\begin{a}\\end{b}", "a_1", "$x", "\\foo", "}", "\\usepackage{foo}", "é", "d?"] {
        assert!(mistake(wrong).is_some(), "{wrong}");
    }
    assert_eq!(mistake("\\begin{a}$x_{1}^2$ \\\"o 100\\% % a comment {\n{b}\\end{a}"), None);
}

#[test]
fn every_algorithm_has_a_graph_and_matrices_that_tex_sets() {
    let mut n_files = 0;
    let mut check = |tex: &str, what: &str| {
        n_files += 1;
        assert_eq!(mistake(tex), None, "{what}\n{tex}");
    };
    for (row, algorithm) in TRANSFORMS.iter().flat_map(|row| row.algorithms.iter().map(move |algorithm| (row, algorithm))) {
        let Some(plan) = algorithm.plan_fn().and_then(|build| build(Shape::line(8), Parameters::default()).ok()) else { continue };
        for style in [GraphStyle::Launches, GraphStyle::Plain] {
            let options = GraphOptions { title: format!("{} by {}", row.title, algorithm.name), style, ..GraphOptions::default() };
            let request = GraphRequest { schedule: Schedule::by_stage(&plan), plan: plan.clone(), options };
            check(&export(FigureFormat::Tikz, &request, None).unwrap(), algorithm.name);
        }
        for factor in (0..plan.stages.len()).filter_map(|stage| factor(&plan, stage).ok()) {
            let (title, symbol, formula) = (format!("{} & more", row.title), "A₁·A₂".into(), factor.formula);
            let file = MatrixFile { title, symbol, formula, matrix: factor.matrix, right: None, blocks: Vec::new() };
            for format in [MatrixFormat::Tex, MatrixFormat::Drawing(FigureFormat::Tikz)] {
                check(&String::from_utf8(file.bytes(format).unwrap()).unwrap(), algorithm.name);
            }
        }
    }
    assert!(n_files > 200, "{n_files}");
}

#[test]
fn the_text_of_every_lesson_is_set() {
    let request = request("cooley-tukey", 4);
    for lesson in lessons() {
        let paragraphs = lesson.steps.iter().flat_map(|step| [step.title.clone(), step.page_text()]);
        let paragraphs = paragraphs.chain([lesson.group.title.to_owned(), lesson.head.place.clone()]).collect();
        let graph = HandoutGraph {
            facts: Vec::new(),
            request: request.clone(),
            values: None,
            focus: PageFocus::default(),
            hidden: HiddenParts::default(),
        };
        let question = lesson.steps.iter().filter_map(|step| step.question.as_ref()).flat_map(Question::lines).collect();
        let page = Handout { heading: lesson.head.title.clone(), paragraphs, question, graphs: vec![graph], paper: PaperSize::Letter };
        let tex = String::from_utf8(page.figure().bytes(FigureFormat::Tikz).unwrap()).unwrap();
        assert_eq!(mistake(&tex.replace('?', "")), None, "{}", lesson.name);
        // Only the texts' own question marks are left.
        let n_own: usize = page.paragraphs.iter().chain(&page.question).chain([&page.heading]).map(|text| text.matches('?').count()).sum();
        assert_eq!(tex.matches('?').count(), n_own, "{}", lesson.name);
    }
}

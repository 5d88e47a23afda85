//! The list of the papers as data: every figure, table, algorithm, equation and statement, with what shows it here.
//!
//! The groups of lessons, the documentation's page of the papers and a test read this list.

use std::sync::LazyLock;

/// A paper.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedPaper {
    /// The folder of its lessons, and the first part of the names of its experiments.
    pub folder: String,
    /// Authors and year.
    pub title: String,
    /// Its title.
    pub about: String,
    /// Authors, title and year, in Markdown.
    pub source: String,
    /// The parts of it that the program has, in Markdown.
    pub has: String,
    /// Its figures, tables, algorithms, equations and statements.
    pub entries: Vec<PaperEntry>,
    /// Its errors, in Markdown.
    pub errata: Vec<String>,
}

/// A figure, table, algorithm, equation or statement.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperEntry {
    /// Where it is in the paper.
    pub place: String,
    /// Its name.
    pub what: String,
    /// The lesson that shows it, without the name of the paper.
    pub lesson: String,
    /// The commands that show it.
    #[serde(default)]
    pub commands: Vec<String>,
    /// The experiments that measure it.
    #[serde(default)]
    pub experiments: Vec<String>,
}

/// The file.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    papers: Vec<ListedPaper>,
}

static PAPERS: LazyLock<Vec<ListedPaper>> = LazyLock::new(|| {
    let list: List = toml::from_str(include_str!("../assets/lessons/papers.toml")).expect("the files of the program are well-formed");
    list.papers
});

/// The papers, in the order of the lessons.
pub fn papers() -> &'static [ListedPaper] {
    &PAPERS
}

//! The text of a step: its Markdown as blocks of runs.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A part of a text, below the parts before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextBlock {
    /// A paragraph, or a block of code.
    Paragraph(Vec<TextRun>),
    /// An item of a list.
    Item(Vec<TextRun>),
    /// The rows of a table, from its head on.
    Table(Vec<Vec<Vec<TextRun>>>),
}

/// Neighbouring characters of one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRun {
    /// The characters.
    pub text: String,
    /// Their style.
    pub style: RunStyle,
}

/// The style of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunStyle {
    /// No style.
    #[default]
    Plain,
    /// `*so*`: a new word.
    Emphasised,
    /// `**so**`: the name of a pane.
    Strong,
    /// Code.
    Code,
}

/// Collects the parts of a text.
#[derive(Default)]
struct Collector {
    blocks: Vec<TextBlock>,
    /// The runs of the paragraph, item or cell that is being read.
    runs: Vec<TextRun>,
    cells: Vec<Vec<TextRun>>,
    rows: Vec<Vec<Vec<TextRun>>>,
    style: RunStyle,
}

/// The blocks of a text in Markdown.
///
/// # Errors
/// When it holds what lessons do not show, such as a link or an image; in one line.
pub(super) fn blocks(text: &str) -> Result<Vec<TextBlock>, String> {
    let mut collector = Collector::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        collector.take(&event)?;
    }
    Ok(collector.blocks)
}

impl Collector {
    fn take(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Text(text) => self.add(text, self.style),
            Event::Code(text) => self.add(text, RunStyle::Code),
            Event::SoftBreak | Event::HardBreak => self.add(" ", self.style),
            Event::Start(Tag::Emphasis) => self.style = RunStyle::Emphasised,
            Event::Start(Tag::Strong) => self.style = RunStyle::Strong,
            Event::Start(Tag::CodeBlock(_)) => self.style = RunStyle::Code,
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => self.style = RunStyle::Plain,
            Event::End(TagEnd::Paragraph | TagEnd::CodeBlock) => {
                self.style = RunStyle::Plain;
                let runs = std::mem::take(&mut self.runs);
                self.blocks.push(TextBlock::Paragraph(runs));
            }
            Event::End(TagEnd::Item) => {
                let runs = std::mem::take(&mut self.runs);
                self.blocks.push(TextBlock::Item(runs));
            }
            Event::End(TagEnd::TableCell) => self.cells.push(std::mem::take(&mut self.runs)),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => self.rows.push(std::mem::take(&mut self.cells)),
            Event::End(TagEnd::Table) => self.blocks.push(TextBlock::Table(std::mem::take(&mut self.rows))),
            Event::Start(Tag::Paragraph | Tag::List(None) | Tag::Item) | Event::End(TagEnd::List(_)) => {}
            Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell) => {}
            other => return Err(format!("lessons show paragraphs, lists, tables, emphasis and code, and no {other:?}")),
        }
        Ok(())
    }

    /// Adds characters, to the run before if it has the same style.
    fn add(&mut self, text: &str, style: RunStyle) {
        match self.runs.last_mut().filter(|run| run.style == style) {
            Some(run) => run.text += text,
            None => self.runs.push(TextRun { text: text.to_owned(), style }),
        }
    }
}

/// Words of sentences that only somebody at the window can follow.
const WINDOW_WORDS: [&str; 14] =
    ["press", "click", "drag", "hover", "pane", "panes", "pointer", "wheel", "toolbar", "tick", "switch", "zoom", "papillon", "button"];
/// Stands around names of panes and controls while sentences are told apart.
const NAME: char = '\u{1}';

/// The sentences of a text that make sense on paper: those without names of panes or controls, and without what to do at the window.
pub(super) fn on_paper(text: &str) -> String {
    let mut kept = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_end = |at: usize| rest[at..].starts_with([' ']) && rest[..at].ends_with(['.', '?', '!', ';']);
        let end = rest.char_indices().map(|(at, _)| at).find(|&at| is_end(at)).unwrap_or(rest.len());
        let sentence = rest[..end].trim();
        let words = sentence.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        if !sentence.contains(NAME) && !words.into_iter().any(|word| WINDOW_WORDS.contains(&word.as_str())) {
            kept.push(sentence);
        }
        rest = rest[end..].trim_start();
    }
    let text = kept.join(" ");
    // The end of the last sentence may be gone.
    match text.strip_suffix(';') {
        Some(text) => format!("{text}."),
        None => text,
    }
}

/// The text of paragraphs and lists on one line for paper, without styles; tables, blocks of code and sentences about the window are left out.
pub(super) fn page_text(blocks: &[TextBlock]) -> String {
    let is_block_of_code = |runs: &[TextRun]| runs.iter().all(|run| run.style == RunStyle::Code && run.text.ends_with('\n'));
    let texts = blocks.iter().enumerate().filter_map(|(index, block)| match block {
        TextBlock::Paragraph(runs) => (!is_block_of_code(runs)).then(|| line(runs)),
        TextBlock::Item(runs) => {
            let is_last = !matches!(blocks.get(index + 1), Some(TextBlock::Item(_)));
            Some(line(runs).trim_end_matches(['.', ';']).to_owned() + if is_last { "." } else { ";" })
        }
        TextBlock::Table(_) => None,
    });
    on_paper(&texts.collect::<Vec<_>>().join(" "))
}

/// The characters of neighbouring runs, with signs around names of panes and controls.
fn line(runs: &[TextRun]) -> String {
    let text = |run: &TextRun| if run.style == RunStyle::Strong { format!("{NAME}{}{NAME}", run.text) } else { run.text.clone() };
    runs.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_paragraphs_items_and_tables() {
        let text = "A *new word*, in **Matrix** [1].\nNext.\n\n- `t mod 2`\n- two\n\n| a | b |\n| --- | --- |\n| *1* | 2 |\n";
        let run = |text: &str, style| TextRun { text: text.into(), style };
        let plain = |text| run(text, RunStyle::Plain);
        let paragraph =
            vec![plain("A "), run("new word", RunStyle::Emphasised), plain(", in "), run("Matrix", RunStyle::Strong), plain(" [1]. Next.")];
        let table = vec![vec![vec![plain("a")], vec![plain("b")]], vec![vec![run("1", RunStyle::Emphasised)], vec![plain("2")]]];
        let found = blocks(text).unwrap();
        let items = [TextBlock::Item(vec![run("t mod 2", RunStyle::Code)]), TextBlock::Item(vec![plain("two")])];
        assert_eq!(found, [vec![TextBlock::Paragraph(paragraph)], items.to_vec(), vec![TextBlock::Table(table)]].concat());
        assert_eq!(page_text(&found), "Next. t mod 2; two.");
        assert_eq!(page_text(&blocks("One.\n\n```\nlet x;\n```\n").unwrap()), "One.");
        assert_eq!(
            on_paper("It is 2.5 times as fast. Press Measure; a narrow pane has it. Why? Look; drag it."),
            "It is 2.5 times as fast. Why? Look."
        );
        assert!(blocks("See [there](https://example.org).").unwrap_err().contains("Link"));
    }
}

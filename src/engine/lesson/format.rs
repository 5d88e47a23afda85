//! The format of a lesson: a TOML head between lines of +++, and steps of Markdown with fenced blocks of TOML.

use super::listings::with_listings;
use super::state::Keys;
use super::text::blocks;
use super::{Check, Head, LessonError, LessonStep, Question};
use serde::de::DeserializeOwned;

/// The most words of a step's text, and of the explanation of a question.
pub const MOST_WORDS: usize = 60;
/// The most words of a step's title.
pub const MOST_WORDS_OF_A_TITLE: usize = 6;

/// A text in a file: a block, or a step.
struct Block {
    /// The word after the fence.
    kind: String,
    /// The line where the text begins, from 1.
    line: usize,
    text: String,
}

/// A step as it is in the file.
struct RawStep {
    title: String,
    line: usize,
    text: String,
    blocks: Vec<Block>,
}

/// A problem at a line.
type At = (usize, String);

/// The head and the steps of a text.
///
/// # Errors
/// With the place of the first mistake.
pub(super) fn parse(file: &str, text: &str) -> Result<(Head, Vec<LessonStep>), LessonError> {
    let failed = |step: Option<usize>| move |(line, reason): At| LessonError { file: file.to_owned(), step, line, reason };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let (head, rest) = head(&lines).map_err(failed(None))?;
    let raw = raw_steps(&lines, rest).map_err(|(step, at)| failed(step)(at))?;
    let (mut keys, mut steps) = (Keys::default(), Vec::new());
    for (index, raw) in raw.into_iter().enumerate() {
        steps.push(step(raw, &mut keys).map_err(failed(Some(index + 1)))?);
    }
    if steps.is_empty() {
        return Err(failed(None)((lines.len(), "it has no step: begin one with ## and a title".into())));
    }
    Ok((head, steps))
}

/// The head, and the index of the line after it.
fn head(lines: &[&str]) -> Result<(Head, usize), At> {
    if lines.first() != Some(&"+++") {
        return Err((1, "a lesson begins with a head between two lines of +++".into()));
    }
    let end = lines.iter().skip(1).position(|line| *line == "+++").ok_or((1, "the head has no second line of +++".into()))? + 1;
    Ok((from_toml(&lines[1..end].join("\n"), 2)?, end + 1))
}

/// The steps from a line on; an error has the number of its step.
fn raw_steps(lines: &[&str], from: usize) -> Result<Vec<RawStep>, (Option<usize>, At)> {
    let mut steps: Vec<RawStep> = Vec::new();
    let mut fence: Option<Block> = None;
    for (index, line) in lines.iter().enumerate().skip(from) {
        let number = steps.len();
        let failed = |reason: &str| Err(((number > 0).then_some(number), (index + 1, reason.to_owned())));
        match (&mut fence, steps.last_mut()) {
            (Some(_), Some(step)) if *line == "```" => step.blocks.extend(fence.take()),
            (Some(block), _) => block.text += &format!("{line}\n"),
            (None, _) if line.starts_with("## ") => {
                let title = line[3..].trim().to_owned();
                steps.push(RawStep { title, line: index + 1, text: String::new(), blocks: Vec::new() });
            }
            (None, None) if line.is_empty() => {}
            (None, None) => return failed("text before the first step: begin a step with ## and a title"),
            (None, Some(step)) => match line.strip_prefix("```").map(str::trim) {
                Some(kind @ ("state" | "question" | "check")) if !is_open(&step.text) => {
                    if step.blocks.iter().any(|block| block.kind == kind) {
                        return failed(&format!("the step has two blocks of {kind}: join them"));
                    }
                    fence = Some(Block { kind: kind.to_owned(), line: index + 2, text: String::new() });
                }
                _ => step.text += &format!("{line}\n"),
            },
        }
    }
    match fence {
        Some(block) => Err((Some(steps.len()), (block.line - 1, format!("the block of {} has no end: write ``` below it", block.kind)))),
        None => Ok(steps),
    }
}

/// Whether a block of code of the text has not ended.
fn is_open(text: &str) -> bool {
    text.lines().filter(|line| line.starts_with("```")).count() % 2 == 1
}

fn step(raw: RawStep, keys: &mut Keys) -> Result<LessonStep, At> {
    let text = with_listings(raw.text.trim()).map_err(|reason| (raw.line, reason))?;
    let n_words = words(&text);
    if words(&raw.title) > MOST_WORDS_OF_A_TITLE {
        return Err((raw.line, format!("the title has {} words, and {MOST_WORDS_OF_A_TITLE} are the most", words(&raw.title))));
    }
    if n_words > MOST_WORDS {
        return Err((raw.line, format!("the text has {n_words} words, and {MOST_WORDS} are the most")));
    }
    if text.is_empty() {
        return Err((raw.line, "the step has no text".into()));
    }
    let shown = blocks(&text).map_err(|reason| (raw.line, reason))?;
    let of = |kind: &str| raw.blocks.iter().find(|block| block.kind == kind);
    if let Some(block) = of("state") {
        let own: toml::Table = from_toml(&block.text, block.line)?;
        keys.set(own).map_err(|(key, reason)| (line_of(block, &key), format!("{key}: {reason}")))?;
    }
    let state = keys.state().map_err(|reason| (raw.line, reason))?;
    let question = of("question").map(|block| {
        let question: Question = from_toml(&block.text, block.line)?;
        question.check().map_err(|reason| (block.line, reason))?;
        Ok(question)
    });
    let check = of("check").map(|block| from_toml::<Check>(&block.text, block.line));
    Ok(LessonStep { title: raw.title, text, blocks: shown, state, question: question.transpose()?, check: check.transpose()? })
}

/// The words of a text outside its tables and blocks of code.
pub(super) fn words(text: &str) -> usize {
    let mut in_code = false;
    let mut count = 0;
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !line.trim_start().starts_with('|') {
            count += line.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        }
    }
    count
}

/// The line of a key in a block; its first line where it is not found.
fn line_of(block: &Block, key: &str) -> usize {
    let is_key = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
            || line.trim_start().starts_with(&format!("[{key}"))
    };
    block.line + block.text.lines().position(is_key).unwrap_or(0)
}

fn from_toml<T: DeserializeOwned>(text: &str, first_line: usize) -> Result<T, At> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count());
        (first_line + line, error.message().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::super::Lesson;
    use super::*;

    const HEAD: &str = "+++\ntitle = \"T\"\nplace = \"Course\"\nminutes = 1\nsummary = \"S.\"\n+++\n\n";

    fn error(body: &str) -> String {
        Lesson::parse("courses/x.md", &format!("{HEAD}{body}")).unwrap_err().to_string()
    }

    #[test]
    fn a_step_inherits_the_state_of_the_step_before() {
        let text = format!(
            "{HEAD}## One\n\n```state\ntransform = \"walsh\"\nsignal = \"1 0\"\nstage = 0\n```\nText.\n\n## Two\n```state\nstage = \"\"\nsample = \"Chord\"\n```\nMore.\n"
        );
        let lesson = Lesson::parse("courses/x.md", &text).unwrap();
        let [one, two] = &lesson.steps[..] else { panic!("two steps") };
        assert_eq!((one.state.plan.transform.as_deref(), one.state.stage), (Some("walsh"), Some(0)));
        assert_eq!((two.state.plan.transform.as_deref(), two.state.stage), (Some("walsh"), None));
        // One signal replaces the other.
        assert_eq!((two.state.signal.as_deref(), two.state.sample.as_deref()), (None, Some("Chord")));
    }

    #[test]
    fn errors_name_step_and_line() {
        assert_eq!(
            error("## One\nText.\n```state\ntransform = \"walsh\"\nsize = 3\n```\n").split(": ").next(),
            Some("courses/x.md, step 1, line 12")
        );
        assert!(error("## One\nText.\n```check\nstages = x\n```\n").contains("step 1, line 11"));
        assert!(error("## One\nText.\n```check\nstages = 1\n").contains("no end"));
        assert!(error("Text.\n").contains("before the first step"));
        assert!(error(&format!("## One\n{}", "word ".repeat(61))).contains("61 words"));
        assert!(error("## One two three four five six seven\nText.\n").contains("7 words"));
        assert!(error("## One\n").contains("no text"));
        assert!(error("").contains("no step"));
        assert!(error("## One\nText.\n\n```listing none.cu\n```\n").contains("no listing 'none.cu': take global.cu"));
        let orderless = error("## One\nText.\n```state\ntransform = \"walsh\"\norder = \"upside down\"\n```\n");
        assert!(orderless.contains("line 12: order") && !orderless.contains('\n'), "{orderless}");
    }

    #[test]
    fn tables_and_code_are_no_words() {
        assert_eq!(words("one *two* three\n| a | b |\n```\nx = y\n```\n– four"), 4);
    }
}

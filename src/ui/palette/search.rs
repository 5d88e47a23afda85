//! Finds entries: names that begin with the query first, then words and synonyms that are the query, then parts of them, initials and sentences.

use super::Entry;

/// How well an entry fits, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The name begins with the query.
    Begins,
    /// A word of the name, or a synonym, is the query.
    Is,
    /// A word of the name begins with it.
    WordBegins,
    /// The name holds it.
    Holds,
    /// Its words are one after the other in the synonyms, as "algorithm 2" for a lesson.
    Phrase,
    /// A synonym begins with it.
    Synonym,
    /// The words of the name begin with parts of it, as "reslay" for "Reset layout".
    Initials,
    /// Its words begin words of the name, the synonyms or the sentence, as "figure 2b" for a lesson.
    Words,
    /// The sentence holds it.
    Sentence,
}

/// The entries that fit, the best first; without a query all, the recently chosen first.
pub(super) fn matching(query: &str, entries: Vec<Entry>, recent: &[String]) -> Vec<Entry> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        let age = |entry: &Entry| recent.iter().position(|title| *title == entry.title()).unwrap_or(recent.len());
        let mut entries = entries;
        entries.sort_by_key(age);
        return entries;
    }
    let mut found: Vec<_> = entries.into_iter().filter_map(|entry| Some((fit(&query, &entry)?, entry))).collect();
    found.sort_by_key(|(fit, _)| *fit);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// The words of a text.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The words of a text, each after a space, so that "6.6" is found in "figure-6-6".
fn spaced(text: &str) -> String {
    words_of(text).fold(String::new(), |spaced, word| spaced + " " + word)
}

fn fit(query: &str, entry: &Entry) -> Option<Fit> {
    let title = entry.title().to_lowercase();
    let begins = |text: &str| words_of(text).any(|word| word.starts_with(query));
    if title.starts_with(query) {
        return Some(Fit::Begins);
    }
    if words_of(&title).chain(entry.synonyms().split_whitespace()).any(|word| word == query) {
        return Some(Fit::Is);
    }
    if begins(&title) {
        return Some(Fit::WordBegins);
    }
    if title.contains(query) {
        return Some(Fit::Holds);
    }
    let phrase = spaced(query) + " ";
    if phrase.trim().contains(' ') && (spaced(&entry.synonyms().to_lowercase()) + " ").contains(&phrase) {
        return Some(Fit::Phrase);
    }
    if begins(entry.synonyms()) {
        return Some(Fit::Synonym);
    }
    let letters: Vec<char> = query.chars().filter(|letter| !letter.is_whitespace()).collect();
    let words: Vec<Vec<char>> = title.split(|letter: char| !letter.is_alphanumeric()).map(|word| word.chars().collect()).collect();
    if are_initials(&letters, &words) {
        return Some(Fit::Initials);
    }
    let about = entry.about().to_lowercase();
    let all = [&title, entry.synonyms(), &about].join(" ");
    let all = spaced(&all);
    if query.split_whitespace().map(spaced).all(|words| !words.is_empty() && all.contains(&words)) {
        return Some(Fit::Words);
    }
    about.contains(query).then_some(Fit::Sentence)
}

/// Whether the letters are beginnings of successive words, some of which may be left out.
fn are_initials(letters: &[char], words: &[Vec<char>]) -> bool {
    let Some((first, rest)) = words.split_first() else { return letters.is_empty() };
    let common = letters.iter().zip(first).take_while(|(a, b)| a == b).count();
    (0..=common).rev().any(|taken| are_initials(&letters[taken..], rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Cut;
    use crate::transforms::{TRANSFORMS, transform};
    use crate::ui::command::Command;
    use crate::ui::preset::Preset;

    fn titles(query: &str, recent: &[String]) -> Vec<String> {
        matching(query, Entry::all((&TRANSFORMS[0], Cut::Stages), &[]), recent).iter().map(Entry::title).collect()
    }

    #[test]
    fn a_few_letters_find_the_entry() {
        for (query, title) in [
            ("reslay", Command::ResetLayout.text()),
            ("undo", Command::Undo.text()),
            ("fg", "Flow graph"),
            ("dyadauto", "Dyadic autocorrelation"),
            ("viri", "Viridis"),
            ("stockham-8", "stockham-8"),
            ("chord", "Chord"),
            ("night", Command::SwitchTheme.text()),
            ("stop", Command::Cancel.text()),
            ("refresh", Command::Reload.text()),
            ("tutorial", Command::Lessons.text()),
            ("performance", "Show Timing"),
            ("notch", "Show Filtered"),
            ("hum", "Show Spectrogram"),
            ("show tim", "Show Timing"),
            ("fft", "Fourier (DFT)"),
            ("rfft", "Fourier of real samples (half spectrum)"),
            ("hadamard", "Walsh"),
            ("spectrum", "Show Spectrum"),
            ("log axis", Command::LogAxis.text()),
            ("scale", Command::ScaleUp.text()),
            ("zoom text", Command::ScaleUp.text()),
            ("200", Command::ScaleUp.text()),
            ("sbox", Command::Preset(Preset::Logic).text()),
            ("s-box", Command::Preset(Preset::Logic).text()),
            ("cosines", "Twiddles: Cosines"),
            ("inverse", "Direction: Inverse"),
        ] {
            assert_eq!(titles(query, &[]).first().map(String::as_str), Some(title), "{query}");
        }
        assert!(titles("mask", &[]).iter().all(|title| title != Command::Redo.text()));
        assert!(titles("qqq", &[]).is_empty());
    }

    #[test]
    fn algorithms_of_every_transform_are_found() {
        let walsh = transform("walsh").expect("it is in the table");
        let found = |query: &str| matching(query, Entry::all((walsh, Cut::Tiles), &[]), &[]).iter().map(Entry::title).collect::<Vec<_>>();
        assert_eq!(found("stockham")[0], "stockham · Fourier (DFT)");
        assert_eq!(found("thomas")[0], "thomas · Tridiagonal system");
        assert_eq!(found("constant-geometry")[0], "constant-geometry", "the transform that is set comes first");
        for transform in TRANSFORMS {
            for algorithm in transform.algorithms {
                let named = |title: &String| {
                    title.starts_with(algorithm.name) && (title.ends_with(transform.title) || transform.name == walsh.name)
                };
                assert!(found(algorithm.name).iter().any(named), "{} of {}", algorithm.name, transform.name);
            }
        }
    }

    #[test]
    fn a_figure_is_found_by_the_words_of_its_name() {
        for (query, name) in [
            ("figure 2b", "gajic-2011-figure-2b"),
            ("sorman figure 6.6", "sorman-2016-figure-6-6"),
            ("table 3.1", "sorman-2016-table-3-1"),
            ("algorithm 2", "gajic-2011-algorithm-2"),
            ("equation 2", "gajic-2011-equation-2"),
            ("gajic 2012 example 2", "gajic-2012-example-2"),
        ] {
            let lesson = crate::lesson::lesson(name).expect("it is in the list");
            assert_eq!(titles(query, &[]).first(), Some(&lesson.head.title), "{query}");
        }
    }

    #[test]
    fn recent_entries_come_first_without_a_query() {
        let recent = ["Chord".to_owned(), "Undo".to_owned()];
        assert_eq!(titles("", &recent)[..2], recent);
        assert_eq!(titles("", &[]).len(), titles("", &recent).len());
    }
}

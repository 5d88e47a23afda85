//! The names in the folder that is typed, which complete the path.

use egui::Context;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

/// The most names that are offered at once.
const MOST_NAMES: usize = 200;

/// The names in a folder; those of folders end in a separator.
#[derive(Default)]
pub(super) struct Listing {
    folder: Option<PathBuf>,
    names: Vec<String>,
    /// A folder may be slow to read, so that a thread does it.
    reader: Option<Receiver<Vec<String>>>,
}

impl Listing {
    /// The names in `folder` that begin with `beginning`, whatever its case: folders first.
    pub(super) fn names(&mut self, ctx: &Context, folder: &Path, beginning: &str) -> Vec<String> {
        if self.folder.as_deref() != Some(folder) {
            (self.folder, self.names) = (Some(folder.into()), Vec::new());
            let (answer, reader) = channel();
            let (folder, ctx) = (folder.to_owned(), ctx.clone());
            let read = move || {
                // Nobody waits once the prompt is closed.
                let _ = answer.send(read(&folder));
                ctx.request_repaint();
            };
            self.reader = std::thread::Builder::new().name("task".into()).spawn(read).ok().map(|_| reader);
        }
        if let Some(names) = self.reader.as_ref().and_then(|reader| reader.try_recv().ok()) {
            (self.names, self.reader) = (names, None);
        }
        let beginning = beginning.to_lowercase();
        // Hidden files are offered to those who type their dot.
        let is_offered =
            |name: &&String| name.to_lowercase().starts_with(&beginning) && (!name.starts_with('.') || beginning.starts_with('.'));
        self.names.iter().filter(is_offered).take(MOST_NAMES).cloned().collect()
    }
}

/// The names in a folder, sorted, with folders first; none where it cannot be read.
fn read(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<(bool, String)> = entries
        .filter_map(|entry| {
            let (is_file, name) = (!entry.path().is_dir(), entry.file_name().into_string().ok()?);
            Some((is_file, if is_file { name } else { format!("{name}{MAIN_SEPARATOR}") }))
        })
        .collect();
    names.sort_by_cached_key(|(is_file, name)| (*is_file, name.to_lowercase()));
    names.into_iter().map(|(_, name)| name).collect()
}

/// The place in `text` where the name begins that is being typed: behind the last separator of the last path.
pub(super) fn begin_of_name(text: &str, are_several: bool) -> usize {
    let is_end = |sign: char| std::path::is_separator(sign) || are_several && sign == ';';
    let begin = text.rfind(is_end).map_or(0, |at| at + 1);
    begin + text[begin..].len() - text[begin..].trim_start().len()
}

/// How all names begin, if that is more than what is typed.
pub(super) fn common_beginning(names: &[String]) -> Option<&str> {
    let (first, others) = names.split_first()?;
    let same = |name: &String| {
        first.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b).map(|((at, a), _)| at + a.len_utf8()).last()
    };
    let length = others.iter().map(|name| same(name).unwrap_or(0)).fold(first.len(), usize::min);
    (length > 0).then(|| &first[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_and_complete_each_other() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        for name in ["scan10.png", "Scan2.png", "tone.wav", ".hidden"] {
            std::fs::write(folder.path().join(name), "").expect("the folder is there");
        }
        std::fs::create_dir(folder.path().join("zebra")).expect("the folder is there");
        let zebra = format!("zebra{MAIN_SEPARATOR}");
        let (mut listing, ctx) = (Listing::default(), Context::default());
        let mut names = |beginning: &str| {
            for _ in 0..1000 {
                let names = listing.names(&ctx, folder.path(), beginning);
                if listing.reader.is_none() {
                    return names;
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            panic!("the folder is not read")
        };
        assert_eq!(names(""), [zebra.as_str(), "scan10.png", "Scan2.png", "tone.wav"]);
        assert_eq!(names("SCAN"), ["scan10.png", "Scan2.png"]);
        assert_eq!(names("."), [".hidden"]);
        assert!(read(&folder.path().join("none")).is_empty());
    }

    #[test]
    fn the_name_that_is_typed_stands_behind_the_last_separator() {
        for (text, several, begin) in
            [("/tmp/ab", false, 5), ("ab", true, 0), ("/tmp/a.png; b", true, 12), ("a;b", false, 0), ("/tmp/", true, 5)]
        {
            assert_eq!(begin_of_name(text, several), begin, "{text}");
        }
        for (names, common) in
            [(&["scan1", "scan2"][..], Some("scan")), (&["äb", "äc"], Some("ä")), (&["a", "b"], None), (&["one"], Some("one")), (&[], None)]
        {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(common_beginning(&names), common);
        }
    }
}

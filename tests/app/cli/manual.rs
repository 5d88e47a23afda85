//! Man pages and completions, which come from the table of commands.

use super::*;
use papillon::cli::commands;
use std::path::PathBuf;

#[test]
fn every_command_has_a_page_with_its_options_and_is_completed() {
    let folder = TempDir::new().unwrap();
    let told = done(&folder, "manual -o share");
    let tree = commands();
    assert!(told.contains(&format!("{} man pages", tree.get_subcommands().count() + 1)), "{told}");
    let page = |name: &str| String::from_utf8(read(&folder, &format!("share/man/man1/{name}.1"))).unwrap();
    let shells = ["bash-completion/completions/papillon", "zsh/site-functions/_papillon", "fish/vendor_completions.d/papillon.fish"]
        .map(|place| String::from_utf8(read(&folder, &format!("share/{place}"))).unwrap());
    let whole = page("papillon");
    for command in tree.get_subcommands() {
        let (name, text) = (command.get_name(), page(&format!("papillon-{}", command.get_name())));
        assert!(text.contains(&format!(".TH papillon-{name} 1")), "{text}");
        assert!(whole.contains(&format!("papillon\\-{name}(1)")), "{name} is missing:\n{whole}");
        for long in command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(text.contains(&format!("\\-\\-{}", long.replace('-', "\\-"))), "--{long} of {name}:\n{text}");
        }
        shells.iter().for_each(|shell| assert!(shell.contains(name), "{name}"));
    }
    // Written again, nothing changes and nothing is left over.
    let before = names_below(folder.path());
    done(&folder, "manual -o share");
    assert_eq!(names_below(folder.path()), before);
}

/// The files below a folder.
fn names_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.flat_map(|path| if path.is_dir() { names_below(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

#[test]
fn a_folder_that_cannot_be_made_is_one_line() {
    let folder = TempDir::new().unwrap();
    write(&folder, "file", "no folder");
    assert!(refused(&folder, "manual -o file/share", 1).contains("file/share"));
}

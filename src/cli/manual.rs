//! `papillon manual`: man pages and the completions of shells, from the table of commands.

use super::{Failure, commands, output, say};
use crate::numerals::counted;
use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::fs::create_dir_all;
use std::path::{Path, PathBuf};

/// Writes man pages, and completions of bash, zsh and fish, into a folder such as ~/.local/share.
///
/// They get the places below it where man and the shells look: man/man1, bash-completion/completions, zsh/site-functions and fish/vendor_completions.d.
#[derive(Debug, Args)]
pub(super) struct ManualArguments {
    /// The folder; it is made where it is missing.
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

/// The completions of each shell, and their place below the folder.
const COMPLETIONS: &[(Shell, &str)] = &[
    (Shell::Bash, "bash-completion/completions/papillon"),
    (Shell::Zsh, "zsh/site-functions/_papillon"),
    (Shell::Fish, "fish/vendor_completions.d/papillon.fish"),
];

pub(super) fn run(arguments: &ManualArguments) -> Result<(), Failure> {
    let tree = commands();
    let pages: Vec<Man> = std::iter::once(&tree).chain(tree.get_subcommands()).map(|command| Man::new(command.clone())).collect();
    for page in &pages {
        let path = placed(&arguments.output, &format!("man/man1/{}", page.get_filename()))?;
        output::bytes(&path, |out| page.render(&mut *out))?;
    }
    for (shell, place) in COMPLETIONS {
        let path = placed(&arguments.output, place)?;
        output::bytes(&path, |mut out| {
            generate(*shell, &mut tree.clone(), "papillon", &mut out);
            Ok(())
        })?;
    }
    let (pages, shells) = (counted(pages.len(), "man page"), COMPLETIONS.len());
    say(&format!("{}: {pages}, and the completions of {shells} shells", arguments.output.display()));
    Ok(())
}

/// A file below the folder, whose own folder is made.
fn placed(folder: &Path, place: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(place);
    let made = path.parent().map_or(Ok(()), create_dir_all);
    made.map_err(|error| Failure::Work(format!("cannot make the folder of {}: {error}", path.display())))?;
    Ok(path)
}

//! Two recordings, or two channels of one, that are measured against each other.

use super::super::Failure;
use super::super::table::TableArguments;
use super::{Recording, SelectArguments};
use clap::Args;
use std::path::PathBuf;

/// Two recordings.
#[derive(Debug, Args)]
pub(crate) struct PairArguments {
    /// The input x: a recording, - for standard input, an array of one dimension, or a table of columns.
    x: PathBuf,
    /// The output y; without it both are channels of x.
    y: Option<PathBuf>,
    /// A channel of x and one of y, or two of x alone, by their names or numbers from 1 [default: the first one of each, or 1,2].
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    channels: Option<String>,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    select: SelectArguments,
}

impl PairArguments {
    /// Both recordings.
    ///
    /// # Errors
    /// If a file cannot be read, has no such channel or not the rate of the other, or the selection does not fit.
    pub(crate) fn load(&self) -> Result<[Recording; 2], Failure> {
        let names = match (&self.channels, &self.y) {
            (None, Some(_)) => ["1".to_owned(), "1".to_owned()],
            (None, None) => ["1".to_owned(), "2".to_owned()],
            (Some(text), _) => match text.rsplit_once(',') {
                Some((a, b)) if !a.trim().is_empty() && !b.trim().is_empty() => [a, b].map(|name| name.trim().to_owned()),
                _ => return Err(Failure::Call(format!("--channels {text} names no two channels: write them as 1,2"))),
            },
        };
        let first = self.table.load(&self.x)?;
        let second = match &self.y {
            Some(path) if path.as_os_str() == "-" && self.x.as_os_str() == "-" => {
                return Err(Failure::Call("standard input holds one recording: take two of its channels by --channels 1,2 alone".into()));
            }
            Some(path) => self.table.load(path)?,
            None => first.clone(),
        };
        let [x, y] = [self.select.of(first, &names[0])?, self.select.of(second, &names[1])?];
        if x.rate != y.rate {
            return Err(Failure::Call(format!(
                "{} and {} do not have the same rate: resample one, or say the rate of both by --rate",
                x.signal.name, y.signal.name
            )));
        }
        Ok([x, y])
    }
}

//! The list of recent files, which windows beside each other share through a file.

use crate::signal::{FileError, Updated, read_own, update};
use std::io;
use std::path::{Path, PathBuf};

/// Files in the list.
const N_RECENT: usize = 12;

/// Puts a file in front of a list, and shortens it. The list outlives the folder in which the program was started, so it holds whole paths.
pub(super) fn put_first(path: &Path, recent: &mut Vec<PathBuf>) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    recent.retain(|known| *known != path);
    recent.insert(0, path);
    recent.truncate(N_RECENT);
}

/// The list that the last windows left; empty without one.
pub(super) fn read(list: &Path) -> Vec<PathBuf> {
    parsed(read_own(list)).unwrap_or_default()
}

/// Puts a file in front of the shared list, on a thread of its own, as another window may hold the list.
pub(super) fn share(path: PathBuf, list: PathBuf) {
    let work = move || {
        if let Err(error) = put_first_in(&list, &path) {
            log::warn!("the list of recent files is not kept: {error}");
        }
    };
    // Without the thread only the list of this window knows the file.
    let _ = std::thread::Builder::new().name("recent".into()).spawn(work);
}

fn put_first_in(list: &Path, path: &Path) -> Result<(), FileError> {
    update(list, |found| {
        let is_new = matches!(&found, Err(error) if error.kind() == io::ErrorKind::NotFound);
        let known = parsed(found);
        let was_damaged = known.is_none() && !is_new;
        let mut recent = known.unwrap_or_default();
        put_first(path, &mut recent);
        Updated { bytes: serde_json::to_vec(&recent).unwrap_or_else(|_| b"[]".to_vec()), was_damaged }
    })
}

fn parsed(found: io::Result<Vec<u8>>) -> Option<Vec<PathBuf>> {
    serde_json::from_slice(&found.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_beside_each_other_share_the_list() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let list = folder.path().join("recent.json");
        std::thread::scope(|scope| {
            for k in 0..8 {
                let list = &list;
                scope.spawn(move || put_first_in(list, Path::new(&format!("{k}.png"))).expect("the folder is there"));
            }
        });
        assert_eq!(read(&list).len(), 8);
        put_first_in(&list, Path::new("3.png")).expect("the folder is there");
        let here = std::env::current_dir().expect("the tests run in a folder");
        assert_eq!((read(&list).len(), read(&list).remove(0)), (8, here.join("3.png")), "a later window starts in another folder");
    }
}

//! Small files that the program can make anew, in the cache folder of the user: compiled kernels, and how fast this machine is.
//!
//! A file is written beside the old one and renamed, so that two programs can use it. A damaged file, or one of another version of the program, counts as
//! absent. No failure here is an error: the program only takes longer.

use crate::signal::{read_own, replace};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::SystemTime;

/// The ending of all these files; others in the folder are left alone.
const ENDING: &str = "kept";
/// Most files in the folder: the oldest ones give way.
const MOST_FILES: usize = 8;
/// Most bytes of a file.
const MOST_BYTES: usize = 16 << 20;
/// How a file begins, before the hash of its content.
const MAGIC: [u8; 8] = *b"papillon";

/// The folder of this program, once it has said that it keeps files.
static OF_THE_PROGRAM: OnceLock<CacheFolder> = OnceLock::new();

/// A folder of such files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheFolder(PathBuf);

impl CacheFolder {
    /// The folder that the system has for this user and program; `None` where it has none.
    pub fn usual() -> Option<Self> {
        let set = |name: &str| env::var_os(name).filter(|value: &OsString| Path::new(value).is_absolute()).map(PathBuf::from);
        let parent = match env::consts::OS {
            "windows" => set("LOCALAPPDATA"),
            "macos" => set("HOME").map(|home| home.join("Library/Caches")),
            _ => set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache"))),
        };
        Some(Self(parent?.join("papillon")))
    }

    /// The folder in which this program keeps files; `None` where it keeps none, as in tests.
    pub(crate) fn of_the_program() -> Option<&'static Self> {
        OF_THE_PROGRAM.get()
    }

    /// Keeps the files of this program here from now on.
    pub fn use_in_the_program(self) {
        // A second call changes nothing.
        let _ = OF_THE_PROGRAM.set(self);
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The content of a file, if it is whole and of this version of the program.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let bytes = read_own(&self.file(name)).ok()?;
        let content = bytes.strip_prefix(&MAGIC)?;
        let (hash, content) = content.split_first_chunk::<8>()?;
        (*hash == hash_of(content)).then(|| content.to_vec())
    }

    /// Writes a file. The log says once why that fails.
    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        static SAID: Once = Once::new();
        if let Err(reason) = self.written(name, content) {
            SAID.call_once(|| log::warn!("nothing is kept in {}: {reason}", self.0.display()));
        }
    }

    fn written(&self, name: &str, content: &[u8]) -> Result<(), String> {
        if content.len() > MOST_BYTES {
            // The old file goes, too: it would stay for ever, as no newer one would fit.
            let _ = fs::remove_file(self.file(name));
            return Err(format!("{name} would take more than {} MiB", MOST_BYTES >> 20));
        }
        fs::create_dir_all(&self.0).map_err(|error| error.to_string())?;
        let file = self.file(name);
        // Opening a pipe would wait for its reader.
        if file.exists() && !file.is_file() {
            return Err(format!("{} is no regular file", file.display()));
        }
        let parts: [&[u8]; 3] = [&MAGIC, &hash_of(content), content];
        replace(&file, |out| parts.iter().try_for_each(|part| out.write_all(part))).map_err(|error| error.to_string())?;
        self.drop_oldest();
        Ok(())
    }

    /// Removes the oldest of too many files: those of earlier drivers and versions, which nobody reads.
    fn drop_oldest(&self) {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let ours = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == ENDING));
        let age = |path: PathBuf| (fs::metadata(&path).and_then(|known| known.modified()).unwrap_or(SystemTime::UNIX_EPOCH), path);
        let mut files: Vec<(SystemTime, PathBuf)> = ours.map(age).collect();
        files.sort();
        for (_, old) in files.iter().take(files.len().saturating_sub(MOST_FILES)) {
            // Another program may have removed it.
            let _ = fs::remove_file(old);
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.{ENDING}"))
    }
}

/// A hash of a content and of the version of this program.
fn hash_of(content: &[u8]) -> [u8; 8] {
    hash([env!("CARGO_PKG_VERSION").as_bytes(), content]).to_le_bytes()
}

/// A hash of texts or bytes, the same in every run of one build.
pub(crate) fn hash<const N: usize>(parts: [&[u8]; N]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn folder() -> (TempDir, CacheFolder) {
        let parent = TempDir::new().expect("there is room for a folder");
        let folder = CacheFolder(parent.path().join("made at the first write"));
        (parent, folder)
    }

    #[test]
    fn only_whole_files_of_this_version_are_read() {
        let (_parent, folder) = folder();
        assert_eq!(folder.read("one"), None, "nothing is there yet");
        folder.write("one", b"content");
        assert_eq!(folder.read("one").as_deref(), Some(&b"content"[..]));
        let whole = fs::read(folder.file("one")).expect("it was written");
        for (what, bytes) in [
            ("empty", Vec::new()),
            ("cut", whole[..whole.len() - 1].to_vec()),
            ("longer", [&whole[..], b"!"].concat()),
            ("one bit differs", whole.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 20)).collect()),
            ("another program", b"GIF89a and so on, many bytes".to_vec()),
            ("another version", [&MAGIC[..], &hash([b"0.0.0", b"content"]).to_le_bytes(), b"content"].concat()),
        ] {
            fs::write(folder.file("one"), bytes).expect("the folder is there");
            assert_eq!(folder.read("one"), None, "{what}");
            folder.write("one", b"new");
            assert_eq!(folder.read("one").as_deref(), Some(&b"new"[..]), "{what}");
        }
    }

    #[test]
    fn the_oldest_files_give_way_and_those_of_others_stay() {
        let (_parent, folder) = folder();
        fs::create_dir_all(folder.path()).expect("there is room");
        fs::write(folder.path().join("notes.txt"), "mine").expect("there is room");
        for n in 0..MOST_FILES + 3 {
            folder.write(&format!("file {n}"), b"content");
            // The clock of a file system may count in hundredths of a second.
            let at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n as u64 + 1);
            fs::File::options().write(true).open(folder.file(&format!("file {n}"))).and_then(|file| file.set_modified(at)).expect("ours");
        }
        folder.write("last", b"content");
        let left = |name: &str| folder.read(name).is_some();
        assert!(left("last") && left(&format!("file {}", MOST_FILES + 2)) && !left("file 0") && !left("file 3"));
        assert!(folder.path().join("notes.txt").exists());
        for content in [0, MOST_BYTES + 1] {
            folder.write("huge", &vec![0; content]);
            assert_eq!(left("huge"), content <= MOST_BYTES, "a file has a limit, and makes room beyond it");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let (parent, _) = folder();
        let file = parent.path().join("file");
        fs::write(&file, "no folder").expect("there is room");
        CacheFolder(file).write("one", b"content");
        let pipe = CacheFolder(parent.path().to_owned());
        assert!(std::process::Command::new("mkfifo").arg(pipe.file("one")).status().is_ok_and(|status| status.success()));
        pipe.write("one", b"content");
        assert_eq!(pipe.read("one"), None, "nobody waits at a pipe");
        let full = CacheFolder("/dev/full/papillon".into());
        full.write("one", b"content");
        assert_eq!(full.read("one"), None);
    }
}

//! Writes a file on a thread of its own, so that whoever makes the bytes does not wait until the system has taken them.

use std::fs::File;
use std::io::{self, Write};
use std::mem::replace;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes that are given to the thread at a time. Fewer are written without a thread.
const BLOCK: usize = 1 << 20;
/// Blocks that wait for the thread, at most.
const WAITING: usize = 4;

/// A file that is written from its beginning to its end.
pub(super) struct BackgroundFile {
    block: Vec<u8>,
    target: Target,
}

enum Target {
    /// Nothing was written yet.
    Here(File),
    Thread(SyncSender<Vec<u8>>, JoinHandle<io::Result<File>>),
    /// An error was reported.
    Failed,
}

impl BackgroundFile {
    /// Writes into this file.
    pub(super) fn new(file: File) -> Self {
        Self { block: Vec::new(), target: Target::Here(file) }
    }

    /// Gives the block to the thread, which starts with the first one.
    fn send(&mut self) -> io::Result<()> {
        if let Target::Here(file) = &self.target {
            let (sender, blocks) = sync_channel::<Vec<u8>>(WAITING);
            let mut file = file.try_clone()?;
            let write = move || blocks.iter().try_for_each(|block| file.write_all(&block)).map(|()| file);
            self.target = Target::Thread(sender, thread::Builder::new().name("file".to_owned()).spawn(write)?);
        }
        let block = replace(&mut self.block, Vec::with_capacity(BLOCK));
        match &self.target {
            Target::Thread(sender, _) if sender.send(block).is_ok() => Ok(()),
            _ => self.end().map(|_| ()),
        }
    }

    /// The file, or the error with which the thread ended.
    fn end(&mut self) -> io::Result<File> {
        match replace(&mut self.target, Target::Failed) {
            Target::Here(file) => Ok(file),
            Target::Thread(sender, thread) => {
                drop(sender);
                thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes it ended")))
            }
            Target::Failed => Err(io::Error::other("it could not be written before")),
        }
    }

    /// Writes the rest, and waits until all is written.
    ///
    /// # Errors
    /// When the system did not take everything.
    pub(super) fn finish(mut self) -> io::Result<File> {
        let mut file = self.end()?;
        file.write_all(&self.block)?;
        Ok(file)
    }
}

impl Write for BackgroundFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..n]);
        if self.block.len() == BLOCK {
            self.send()?;
        }
        Ok(n)
    }

    /// Does nothing: [`Self::finish`] waits.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_of_any_size_hold_what_was_written() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        for n in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 7 * BLOCK + 3] {
            let path = folder.path().join("file");
            let bytes: Vec<u8> = (0..n).map(|index| (index / 7 % 253) as u8).collect();
            let mut file = BackgroundFile::new(File::create(&path).unwrap());
            bytes.chunks(300_007).try_for_each(|part| file.write_all(part)).unwrap();
            file.finish().unwrap();
            assert!(fs::read(&path).unwrap() == bytes, "{n} bytes");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error_with_and_without_the_thread() {
        for n in [3, 20 * BLOCK] {
            let mut file = BackgroundFile::new(File::options().write(true).open("/dev/full").unwrap());
            let written = file.write_all(&vec![1; n]);
            let error = written.and_then(|()| file.finish().map(|_| ())).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{n} bytes");
        }
    }
}

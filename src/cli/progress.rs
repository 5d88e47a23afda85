//! Messages about long work: nothing in the first second, then a spinner on a terminal, or one plain line elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Shorter work needs no message.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows a message if the work takes longer than a second; dropping it ends the message.
pub(super) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    pub(super) fn start(label: impl Into<String>) -> Self {
        let (done, finished) = channel();
        let label = label.into();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || wait(&label, &finished)).ok();
        Self { done: Some(done), thread }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done = None;
        if let Some(thread) = self.thread.take() {
            // Nothing fails because a message could not be shown.
            let _ = thread.join();
        }
    }
}

fn wait(label: &str, finished: &Receiver<()>) {
    if finished.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    if !std::io::stderr().is_terminal() {
        super::say_now(&format!("{label} …"));
        return;
    }
    let style = ProgressStyle::with_template("papillon: {spinner} {msg}, {elapsed}").expect("the template is well-formed");
    let bar = ProgressBar::new_spinner().with_style(style).with_message(label.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    // Returns once the sender is dropped.
    let _ = finished.recv();
    bar.finish_and_clear();
}

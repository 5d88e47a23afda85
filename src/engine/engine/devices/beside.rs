//! Opens a GPU beside other work: the hardware GPU beside the CPU, so that a window shows its first results at once, and that of a command beside the reading
//! of its file.

use super::shared::{RETRY_AFTER, Shared};
use super::{AdapterChoice, Device, locked};
use crate::gpu::{GpuError, parse_shaders};
use crate::threads;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// Opens the GPU for a window.
pub struct OpensBeside {
    state: Mutex<State>,
    /// The message about it, until somebody takes it.
    news: Mutex<Option<String>>,
    notify: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct State {
    opened: Option<Device>,
    thread: Option<JoinHandle<()>>,
    /// When the newest opening failed, and whether the machine has no GPU at all, so that no further one is tried.
    failed: Option<(Instant, bool)>,
}

impl OpensBeside {
    /// Opens nothing yet; `notify` is called when there is something to say.
    pub fn new(notify: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), news: Mutex::default(), notify: Box::new(notify) })
    }

    /// The message, once.
    pub fn take_news(&self) -> Option<String> {
        locked(&self.news).take()
    }

    /// The device, once it is open.
    pub(super) fn take(&self) -> Option<Device> {
        locked(&self.state).opened.take()
    }

    /// Whether the machine is known to have no GPU.
    pub(super) fn finds_none(&self) -> bool {
        locked(&self.state).failed.is_some_and(|(_, is_final)| is_final)
    }

    /// Begins to open it, unless that is under way.
    pub(super) fn begin(self: &Arc<Self>, shared: &Arc<Mutex<Shared>>) {
        let mut state = locked(&self.state);
        let has_failed = state.failed.is_some_and(|(since, is_final)| is_final || since.elapsed() < RETRY_AFTER);
        if has_failed || state.opened.is_some() || state.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return;
        }
        let (theirs, shared) = (self.clone(), shared.clone());
        let work = move || {
            let opened = locked(&shared).device(&AdapterChoice::Hardware);
            let mut state = locked(&theirs.state);
            match opened {
                Ok(device) => {
                    *locked(&theirs.news) = Some(format!("{} is open, and runs what it gives sooner from now on", device.info().name));
                    state.opened = Some(device);
                }
                Err(error) => {
                    let is_final = matches!(error, GpuError::NoAdapter | GpuError::NoHardware { .. });
                    state.failed = Some((Instant::now(), is_final));
                    return;
                }
            }
            drop(state);
            (theirs.notify)();
        };
        // Where the system gives no thread, the CPU goes on.
        state.thread = Builder::new().name("device".into()).spawn(work).ok();
    }

    /// Lets an opening be tried that is known to fail.
    #[cfg(test)]
    pub(super) fn forget_failure(&self) {
        locked(&self.state).failed = None;
    }

    /// Waits for the end of the opening: a driver that is unloaded meanwhile brings the program down.
    pub fn finish(&self) {
        let thread = locked(&self.state).thread.take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            log::error!("the opening of a GPU ended in a panic");
        }
    }
}

/// The opening of a device that was asked for. Who needs the device waits for that alone: on an H200 the thread ended 12 ms later. The thread is waited for when
/// this is dropped, as a driver that is unloaded meanwhile brings the program down.
pub(super) struct Opening(Option<JoinHandle<Option<Device>>>);

impl Opening {
    /// Begins it. An error is told to the one who asks for the device next.
    pub(super) fn begin(shared: &Arc<Mutex<Shared>>, selection: AdapterChoice) -> Self {
        let shared = shared.clone();
        // The threads of loops start meanwhile, and shaders are parsed: else the first run would wait for both. This takes 20 ms while a driver is loaded, for
        // which nobody waits.
        let work = || {
            threads::start(None);
            parse_shaders();
        };
        let _ = Builder::new().name("loops".into()).spawn(work);
        // Where the system gives no thread, who needs the device opens it.
        Self(Builder::new().name("device".into()).spawn(move || locked(&shared).device(&selection).ok()).ok())
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        // The device, which stays open until here, is that of whoever uses it.
        drop(self.0.take().map(JoinHandle::join));
    }
}

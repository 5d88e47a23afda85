//! The devices of the tests: one for each thread that runs tests, with the pipelines that earlier tests left there.
//!
//! Mesa's software driver compiles a kernel on the one thread of its device, so that a single device would leave the other cores idle.

use papillon::gpu::{AdapterChoice, AdapterInfo, Device, adapters, compilations};
use std::cell::OnceCell;
use std::sync::{Mutex, PoisonError};

/// A device that waits for the next test.
static IDLE: Mutex<Vec<&'static Device>> = Mutex::new(Vec::new());

thread_local! {
    /// libtest runs every test on a thread of its own.
    static TAKEN: OnceCell<Lease> = const { OnceCell::new() };
}

/// The device of a test; it goes back when its thread ends.
struct Lease(&'static Device);

impl Drop for Lease {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// A device on any adapter, a software one too: the same one throughout a test.
pub(crate) fn device() -> &'static Device {
    TAKEN.with(|taken| taken.get_or_init(|| Lease(idle().unwrap_or_else(|| opened(&AdapterChoice::Any)))).0)
}

/// The device of [`device`], where it has double precision; else one on the first adapter that has it.
pub(crate) fn double_device() -> &'static Device {
    if device().info().f64 {
        return device();
    }
    let has: Vec<AdapterInfo> = adapters().into_iter().filter(|adapter| adapter.f64).collect();
    let adapter = has.first().expect("no adapter has double precision: install Mesa's software driver (mesa-vulkan-drivers)");
    opened(&AdapterChoice::Index(adapter.index))
}

fn idle() -> Option<&'static Device> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn opened(selection: &AdapterChoice) -> &'static Device {
    report_at_exit();
    Box::leak(Box::new(Device::open(selection).unwrap_or_else(|error| panic!("{error}"))))
}

/// Says at the end of the tests how much of their time went into kernels that ran for the first time.
#[cfg(unix)]
#[allow(unsafe_code, reason = "libtest has no other way to do something after the last test")]
fn report_at_exit() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    extern "C" fn report() {
        let made = compilations();
        eprintln!(
            "{} pipelines were made; making and first running them took {:.1} s of all threads",
            made.pipelines,
            made.time.as_secs_f64()
        );
    }
    // SAFETY: the function neither panics nor returns anything.
    ONCE.call_once(|| assert_eq!(unsafe { libc::atexit(report) }, 0, "there is no room for a function at exit"));
}

#[cfg(not(unix))]
fn report_at_exit() {}

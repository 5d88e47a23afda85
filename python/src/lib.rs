//! The part of the Python package `papillon` in Rust: calls of the command line with files in memory, and the command line itself.

use papillon::cli::{self, CallError, Called, Input};
use papillon::heap::Heap;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::ffi::OsString;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[global_allocator]
static HEAP: Heap = Heap;

/// How often a call looks whether Python was interrupted.
const LOOKED_AFTER: Duration = Duration::from_millis(50);

/// Runs a command on a thread of its own, without the lock of the interpreter, and returns what it writes and its notes.
///
/// An interruption of Python ends the command.
#[pyfunction]
fn call(py: Python<'_>, words: Vec<String>, inputs: Vec<(String, PyBackedBytes)>) -> PyResult<(Py<PyBytes>, Vec<String>)> {
    let inputs = inputs.into_iter().map(|(name, content)| Input { name, content: content.to_vec() }).collect();
    let (sender, done) = channel();
    let work = move || {
        // Nobody waits any longer where Python was interrupted.
        let _ = sender.send(cli::call(&words, inputs));
    };
    std::thread::Builder::new().name("papillon".into()).spawn(work)?;
    let done = Mutex::new(done);
    let waited = || done.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOKED_AFTER);
    loop {
        match py.detach(waited) {
            Ok(Ok(Called { output, notes })) => return Ok((PyBytes::new(py, &output).unbind(), notes)),
            Ok(Err(CallError::Wrong(message))) => return Err(PyValueError::new_err(message)),
            Ok(Err(CallError::Failed(message))) => return Err(PyRuntimeError::new_err(message)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the call ended without a result: please report it"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(interruption) = py.check_signals() {
            cli::cancel_call();
            // The next call begins when this one has ended.
            while matches!(py.detach(waited), Err(RecvTimeoutError::Timeout)) {}
            return Err(interruption);
        }
    }
}

/// Runs the command line, and returns its exit code.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| cli::run_with(&words))
}

#[pymodule]
fn _papillon(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(call, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)
}

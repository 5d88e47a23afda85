//! Waits for a device, which may be cancelled, and end where it does not answer.

use super::device::Device;
use super::error::GpuError;
use super::prepared::check;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A device that does not end its work within this time counts as lost. Submissions are short, and drivers end those that hang after some seconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);
/// A thread that waits looks this often whether its work was cancelled.
const GLANCE: Duration = Duration::from_millis(50);

impl Device {
    /// Waits until the device has done all that was submitted.
    pub(super) fn wait(&self) -> Result<(), GpuError> {
        self.wait_for(None, &AtomicBool::new(false))
    }

    /// Waits until the device has done a submission, or all of them.
    ///
    /// # Errors
    /// When the device reports an error or does not answer, or `cancel` becomes true.
    pub(super) fn wait_for(&self, submission: Option<&wgpu::SubmissionIndex>, cancel: &AtomicBool) -> Result<(), GpuError> {
        let begin = Instant::now();
        loop {
            check(cancel)?;
            match self.wgpu().poll(wgpu::PollType::Wait { submission_index: submission.cloned(), timeout: Some(GLANCE) }) {
                Ok(_) => return Ok(()),
                Err(wgpu::PollError::Timeout) if begin.elapsed() < PATIENCE => {}
                Err(wgpu::PollError::Timeout) => return Err(self.reported(&format!("it has not answered for {} s", PATIENCE.as_secs()))),
                Err(error) => return Err(self.reported(&error.to_string())),
            }
        }
    }
}

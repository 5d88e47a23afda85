//! Waits for a device, which may be cancelled, and end where it does not answer.

use super::device::Device;
use super::error::GpuError;
use super::prepared::check;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wgpu::PollType;

/// A device that does not end its work within this time counts as lost. Submissions are short, and drivers end those that hang after some seconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);
/// Almost all work ends within this time, and is noticed at once. wgpu panics where the time of a wait runs out just while another thread notices that the work is
/// done, so it is long, and whoever waits longer looks now and then.
const AT_ONCE: Duration = Duration::from_secs(1);
/// How often a thread that waits longer looks whether the work is done or was cancelled.
const GLANCE: Duration = Duration::from_millis(2);

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
        check(cancel)?;
        match self.wgpu().poll(PollType::Wait { submission_index: submission.cloned(), timeout: Some(AT_ONCE) }) {
            Ok(_) => Ok(()),
            Err(wgpu::PollError::Timeout) => self.look_until_done(cancel),
            Err(error) => Err(self.reported(&error.to_string())),
        }
    }

    /// Looks now and then whether the device has done all that was submitted, until it has.
    fn look_until_done(&self, cancel: &AtomicBool) -> Result<(), GpuError> {
        let (begin, is_done) = (Instant::now(), Arc::new(AtomicBool::new(false)));
        let done = Arc::clone(&is_done);
        self.queue().on_submitted_work_done(move || done.store(true, Ordering::Release));
        while !is_done.load(Ordering::Acquire) {
            check(cancel)?;
            if begin.elapsed() > PATIENCE {
                return Err(self.reported(&format!("it has not answered for {} s", PATIENCE.as_secs())));
            }
            self.wgpu().poll(PollType::Poll).map_err(|error| self.reported(&error.to_string()))?;
            std::thread::sleep(GLANCE);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::AdapterChoice;
    use wgpu::BufferUsages;

    /// Submits work that keeps a software adapter busy for some tens of milliseconds.
    fn busy(device: &Device) -> Result<(), GpuError> {
        let bytes = 1 << 26;
        let [from, to] = [BufferUsages::COPY_SRC, BufferUsages::COPY_DST].map(|usage| device.buffer("busy", bytes, usage));
        let (from, to) = (from?, to?);
        let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        (0..4).for_each(|_| encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes));
        device.queue().submit([encoder.finish()]);
        Ok(())
    }

    #[test]
    fn a_wait_that_takes_long_ends_with_the_work_or_with_its_cancelling() {
        let device = Device::open(&AdapterChoice::Any).expect("there is an adapter");
        let go_on = AtomicBool::new(false);
        // Others submit work and wait for it at the same time.
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        busy(&device).expect("it is submitted");
                        assert_eq!(device.look_until_done(&go_on), Ok(()));
                    }
                });
            }
        });
        busy(&device).expect("it is submitted");
        let cancelled = device.look_until_done(&AtomicBool::new(true));
        assert_eq!((cancelled, device.wait()), (Err(GpuError::Cancelled), Ok(())));
    }
}

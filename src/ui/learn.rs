//! Lessons in the window: what the state of a step means for settings and panes, and the jobs that answer its questions.

mod state;
mod verify;

pub use state::{settings_of, subjects_of};
pub use verify::verify;

//! Errors in the file of a lesson, in one line that names the place.

/// Why a file is not a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonError {
    /// The file.
    pub file: String,
    /// The step, from 1; `None` for the head.
    pub step: Option<usize>,
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub reason: String,
}

impl std::fmt::Display for LessonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, step, line, reason } = self;
        let step = step.map(|step| format!("step {step}, ")).unwrap_or_default();
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "{file}, {step}line {line}: {reason}")
    }
}

impl std::error::Error for LessonError {}

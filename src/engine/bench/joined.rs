//! A record with the lines of another one, such as those that a script has measured with a library.

use super::{CaseFailure, Measurement, Record};

impl Record {
    /// The record with the lines of another one after its own; charts and tables name them by their labels.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        let (n, name) = (self.sweep.lines.len(), other.sweep.name);
        for mut line in other.sweep.lines {
            // A line of the same name is the other record's.
            if let Some(label) =
                line.label.as_mut().filter(|label| self.sweep.lines.iter().any(|own| own.label.as_deref() == Some(label.as_str())))
            {
                *label = format!("{label}, {name}");
            }
            self.sweep.lines.push(line);
        }
        self.measurements.extend(other.measurements.into_iter().map(|measured| Measurement { line: n + measured.line, ..measured }));
        self.failures.extend(other.failures.into_iter().map(|failure| CaseFailure { line: n + failure.line, ..failure }));
        let adapters = &mut self.machine.adapters;
        let is_new = |adapter: &_| !adapters.contains(adapter);
        let more: Vec<_> = other.machine.adapters.into_iter().filter(is_new).collect();
        adapters.extend(more);
        self
    }
}

//! A record with the lines of another one, such as those that a script has measured with a library.

use super::{CaseFailure, Measurement, Record};

impl Record {
    /// The record with the lines of another one after its own; charts and tables name them by their labels.
    ///
    /// A library measures sequences and images in one record: where some of its lines have a transform of this record, the others stay out.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        let (n, name) = (self.sweep.lines.len(), &other.sweep.name);
        let is_ours = |transform: &str| self.sweep.lines.iter().any(|own| own.transform == transform);
        let shares = other.sweep.lines.iter().any(|line| is_ours(&line.transform));
        let fits: Vec<bool> = other.sweep.lines.iter().map(|line| !shares || is_ours(&line.transform)).collect();
        // The place of each line that stays among the lines of both.
        let place = |line: usize| fits.get(line).filter(|fits| **fits).map(|_| n + fits[..line].iter().filter(|fits| **fits).count());
        for (mut line, _) in other.sweep.lines.into_iter().zip(&fits).filter(|(_, fits)| **fits) {
            // A line of the same name is the other record's.
            let is_taken = |label: &str| self.sweep.lines[..n].iter().any(|own| own.label.as_deref() == Some(label));
            if let Some(label) = line.label.as_mut().filter(|label| is_taken(label)) {
                *label = format!("{label}, {name}");
            }
            self.sweep.lines.push(line);
        }
        self.measurements
            .extend(other.measurements.into_iter().filter_map(|measured| Some(Measurement { line: place(measured.line)?, ..measured })));
        self.failures.extend(other.failures.into_iter().filter_map(|failure| Some(CaseFailure { line: place(failure.line)?, ..failure })));
        let adapters = &mut self.machine.adapters;
        let is_new = |adapter: &_| !adapters.contains(adapter);
        let more: Vec<_> = other.machine.adapters.into_iter().filter(is_new).collect();
        adapters.extend(more);
        self
    }
}

//! The notes beside the table of an experiment: the hardware of the paper, and its claims with the measurements here.

use super::claims::{TestedClaim, tested_claims};
use super::comparison::difference_notes;
use super::experiments::experiment;
use super::record::Record;

/// The hardware and the tested claims of the paper whose experiment a record repeats, one line each; empty for other records.
pub fn paper_notes(record: &Record) -> Vec<String> {
    let Some((paper, experiment)) = record.sweep.experiment.as_deref().and_then(experiment) else { return Vec::new() };
    let mut lines = vec![format!("{} of {}, on {}", experiment.place, paper.title, paper.hardware)];
    lines.extend(difference_notes(record));
    lines.extend(tested_claims(experiment, Some(record)).iter().map(TestedClaim::text));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::record;

    #[test]
    fn the_claims_of_the_paper_stand_beside() {
        assert_eq!(paper_notes(&record()), Vec::<String>::new());
        let mut record = record();
        record.sweep.experiment = Some("li-2012-table-1".into());
        let text = paper_notes(&record).join("\n");
        for words in ["Table 1 of R. Li", "Xeon X5650", "1.84 × as fast as radix 2; not tested here: "] {
            assert!(text.contains(words), "{words} is missing in\n{text}");
        }
    }
}

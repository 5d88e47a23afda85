//! What a paper says of what a record repeats: its numbers beside the reader's own, and what they were measured on.

use super::Part;
use super::experiments::{Printed, Unit, experiment};
use super::record::Record;

/// Where the experiment of a record was measured first, the numbers that are printed of it, and what is said of them, a line each; nothing where a record repeats no experiment.
pub fn beside(record: &Record) -> Vec<String> {
    let Some((paper, experiment)) = record.sweep.experiment.as_deref().and_then(experiment) else { return Vec::new() };
    let mut lines = vec![format!("{} of {}, on {}", experiment.place, paper.title, paper.hardware)];
    lines.extend(experiment.printed.iter().map(|printed| format!("the paper prints: {}", numbers(printed))));
    lines.extend(experiment.claims.iter().map(|claim| format!("the paper says: {claim}")));
    lines
}

/// "CPU, as printed, without transfers: 2^16 15, 2^18 53 ms".
fn numbers(printed: &Printed) -> String {
    let unit = match printed.unit {
        Unit::Milliseconds => "ms",
        Unit::GflopPerSec => "Gflop/s",
    };
    let part = if printed.part == Part::Total { ", with transfers" } else { "" };
    let values: Vec<String> = printed.values.iter().map(|[exponent, value]| format!("2^{exponent} {value}")).collect();
    format!("{}{part}: {} {unit}", printed.name, values.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::record;

    #[test]
    fn the_numbers_of_the_paper_stand_beside() {
        assert_eq!(beside(&record()), Vec::<String>::new());
        let mut record = record();
        record.sweep.experiment = Some("li-2012-table-1".into());
        let text = beside(&record).join("\n");
        for words in ["Table 1 of R. Li", "Xeon X5650", "2^24 47.28 Gflop/s"] {
            assert!(text.contains(words), "{words} is missing in\n{text}");
        }
    }
}

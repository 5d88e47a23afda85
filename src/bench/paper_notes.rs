//! The numbers and claims that a paper prints about the experiment that a record repeats.

use super::TimedPart;
use super::experiments::{PrintedNumbers, PrintedUnit, experiment};
use super::record::Record;

/// The hardware, the printed numbers and the claims of the paper whose experiment a record repeats, one line each; empty for other records.
pub fn paper_notes(record: &Record) -> Vec<String> {
    let Some((paper, experiment)) = record.sweep.experiment.as_deref().and_then(experiment) else { return Vec::new() };
    let mut lines = vec![format!("{} of {}, on {}", experiment.place, paper.title, paper.hardware)];
    lines.extend(experiment.printed.iter().map(|printed| format!("the paper prints: {}", numbers(printed))));
    lines.extend(experiment.claims.iter().map(|claim| format!("the paper says: {claim}")));
    lines
}

/// "CPU, as printed, without transfers: 2^16 15, 2^18 53 ms".
fn numbers(printed: &PrintedNumbers) -> String {
    let unit = match printed.unit {
        PrintedUnit::Milliseconds => "ms",
        PrintedUnit::GflopPerSec => "Gflop/s",
    };
    let part = if printed.part == TimedPart::Total { ", with transfers" } else { "" };
    let values: Vec<String> = printed.values.iter().map(|[exponent, value]| format!("2^{exponent} {value}")).collect();
    format!("{}{part}: {} {unit}", printed.name, values.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::record;

    #[test]
    fn the_numbers_of_the_paper_stand_beside() {
        assert_eq!(paper_notes(&record()), Vec::<String>::new());
        let mut record = record();
        record.sweep.experiment = Some("li-2012-table-1".into());
        let text = paper_notes(&record).join("\n");
        for words in ["Table 1 of R. Li", "Xeon X5650", "2^24 47.28 Gflop/s"] {
            assert!(text.contains(words), "{words} is missing in\n{text}");
        }
    }
}

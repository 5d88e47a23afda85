//! Why cells of a paper's table are empty: one note for each reason, which names every row once.

/// The text of a cell without a number.
pub(super) const EMPTY: &str = "–";

/// A row by its number, with the headings of its empty columns.
type EmptyRow = (usize, Vec<String>);

/// The empty cells of a table.
#[derive(Default)]
pub(super) struct EmptyCells {
    /// The names of all rows, in order.
    rows: Vec<String>,
    /// For every reason, in the order in which they came: the rows.
    reasons: Vec<(String, Vec<EmptyRow>)>,
}

impl EmptyCells {
    /// Begins the next row.
    pub(super) fn begin_row(&mut self, name: String) {
        self.rows.push(name);
    }

    /// Notes an empty cell of the row that was begun last.
    pub(super) fn add(&mut self, reason: &str, column: &str) {
        let row = self.rows.len() - 1;
        let known = self.reasons.iter().position(|(known, _)| known == reason);
        let index = known.unwrap_or_else(|| {
            self.reasons.push((reason.to_owned(), Vec::new()));
            self.reasons.len() - 1
        });
        let rows = &mut self.reasons[index].1;
        match rows.last_mut() {
            Some((last, columns)) if *last == row => columns.push(column.to_owned()),
            _ => rows.push((row, vec![column.to_owned()])),
        }
    }

    /// A note for each reason: "– 2^10, 2^15 to 2^22, 2^13 (CPU A): the time was up". Rows without any number stand alone; others name their columns.
    pub(super) fn notes(self, n_columns: usize) -> Vec<String> {
        let Self { rows: names, reasons } = self;
        let note = |(reason, rows): (String, Vec<EmptyRow>)| {
            let mut groups: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
            for (row, columns) in rows {
                let columns = if columns.len() == n_columns { Vec::new() } else { columns };
                match groups.iter_mut().find(|(known, _)| *known == columns) {
                    Some((_, rows)) => rows.push(row),
                    None => groups.push((columns, vec![row])),
                }
            }
            groups.sort_by_key(|(columns, _)| !columns.is_empty());
            let parts = groups.into_iter().map(|(columns, rows)| {
                let named = if rows.len() == names.len() && rows.len() > 1 { "all rows".into() } else { ranges(&rows, &names) };
                if columns.is_empty() { named } else { format!("{named} ({})", columns.join("; ")) }
            });
            format!("{EMPTY} {}: {reason}", parts.collect::<Vec<_>>().join(", "))
        };
        reasons.into_iter().map(note).collect()
    }
}

/// Rows by their names; three neighbours or more as "a to b".
fn ranges(rows: &[usize], names: &[String]) -> String {
    let mut parts: Vec<[usize; 2]> = Vec::new();
    for &row in rows {
        match parts.last_mut() {
            Some([_, last]) if *last + 1 == row => *last = row,
            _ => parts.push([row, row]),
        }
    }
    let words = parts.into_iter().flat_map(|[first, last]| match last - first {
        0 => vec![names[first].clone()],
        1 => vec![names[first].clone(), names[last].clone()],
        _ => vec![format!("{} to {}", names[first], names[last])],
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_rows_and_not_cells() {
        let mut empty = EmptyCells::default();
        for k in 10..=18 {
            empty.begin_row(format!("2^{k}"));
            match k {
                10 | 15.. => ["CPU", "GPU"].iter().for_each(|column| empty.add("too large", column)),
                12 | 13 => empty.add("the time was up", "GPU"),
                _ => {}
            }
        }
        assert_eq!(empty.notes(2), ["– 2^10, 2^15 to 2^18: too large", "– 2^12, 2^13 (GPU): the time was up"]);
        let mut all = EmptyCells::default();
        for k in 0..5 {
            all.begin_row(k.to_string());
            all.add("not measured yet", "CPU");
            all.add("no such line", "cuFFT");
        }
        assert_eq!(all.notes(3), ["– all rows (CPU): not measured yet", "– all rows (cuFFT): no such line"]);
    }
}

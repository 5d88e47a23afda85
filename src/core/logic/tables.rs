//! The linear approximation table and the difference distribution table of an S-box, and their extremes.
//!
//! M. Matsui, Linear Cryptanalysis Method for DES Cipher (EUROCRYPT 1993); E. Biham and A. Shamir, Differential Cryptanalysis of DES-like Cryptosystems (1991).

use super::{BooleanFunction, Extreme, LogicError, SBox};

/// Binary logarithm of the largest number of entries: 10 bits to 10 bits.
const MOST_ENTRIES: u32 = 20;

/// The two tables of an S-box, row after row: row a, column b.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SBoxTables {
    /// Number of rows, 2^n.
    pub rows: usize,
    /// Number of columns, 2^m.
    pub columns: usize,
    /// #{x : a·x = b·S(x)} − 2^(n−1) for input mask a and output mask b.
    pub linear: Vec<i32>,
    /// #{x : S(x) ⊕ S(x ⊕ a) = b} for input difference a and output difference b.
    pub difference: Vec<i32>,
    /// The highest and the lowest degree of a component.
    pub degrees: [u32; 2],
}

impl SBoxTables {
    /// The tables of an S-box, from the spectra of its 2^m components.
    ///
    /// `walsh` has one row of 2^n values for every output mask b from 0 on: the spectrum of (−1)^(b·S) without normalisation; `reed_muller` has the spectra of b·S.
    ///
    /// # Panics
    /// When the spectra are not of this S-box.
    pub fn new(sbox: &SBox, walsh: &[i64], reed_muller: &[BooleanFunction]) -> Self {
        let (rows, columns) = (1 << sbox.n(), 1 << sbox.m());
        assert!(walsh.len() == rows * columns && reed_muller.len() == columns, "spectra of every component");
        let degree = |function: &BooleanFunction| function.ones().map(usize::count_ones).max().unwrap_or(0);
        let degrees = reed_muller[1..].iter().map(degree).fold([0, u32::MAX], |[high, low], degree| [high.max(degree), low.min(degree)]);
        Self {
            rows,
            columns,
            linear: (0..rows * columns).map(|entry| (walsh[entry % columns * rows + entry / columns] / 2) as i32).collect(),
            difference: differences(sbox),
            degrees,
        }
    }

    /// Refuses S-boxes whose tables are too large to be looked at.
    ///
    /// # Errors
    /// When a table would have more than 2^20 entries.
    pub fn check(sbox: &SBox) -> Result<(), LogicError> {
        if sbox.n() + sbox.m() > MOST_ENTRIES {
            return Err(LogicError::whole(format!(
                "the tables of an S-box from {} to {} bits have 2^{} entries: at most 2^{MOST_ENTRIES} are made",
                sbox.n(),
                sbox.m(),
                sbox.n() + sbox.m()
            )));
        }
        Ok(())
    }

    /// The linear approximation of the largest magnitude with an output mask other than 0; the index is that of the table.
    pub fn strongest_approximation(&self) -> Extreme {
        self.extreme(&self.linear, |entry| !entry.is_multiple_of(self.columns))
    }

    /// The largest entry for an input difference other than 0; its value is the differential uniformity.
    pub fn likeliest_difference(&self) -> Extreme {
        self.extreme(&self.difference, |entry| entry >= self.columns)
    }

    /// The smallest nonlinearity of a component.
    pub fn nonlinearity(&self) -> u64 {
        (self.rows / 2) as u64 - self.strongest_approximation().value.unsigned_abs()
    }

    /// The differential uniformity.
    pub fn uniformity(&self) -> u64 {
        self.likeliest_difference().value.unsigned_abs()
    }

    fn extreme(&self, table: &[i32], counts: impl Fn(usize) -> bool) -> Extreme {
        let entries = table.iter().enumerate().filter(|(entry, _)| counts(*entry));
        let best = entries
            .fold((0, 0_i32), |best, (entry, &value)| if value.unsigned_abs() > best.1.unsigned_abs() { (entry, value) } else { best });
        Extreme { index: best.0, value: best.1.into() }
    }
}

/// Counts every pair of inputs by its input and output differences.
fn differences(sbox: &SBox) -> Vec<i32> {
    let columns = 1 << sbox.m();
    let mut table = vec![0; columns << sbox.n()];
    for (a, row) in table.chunks_exact_mut(columns).enumerate() {
        for (x, &value) in sbox.values().iter().enumerate() {
            row[usize::from(value ^ sbox.values()[x ^ a])] += 1;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::by_definition;
    use super::super::parse;
    use super::*;

    fn tables(text: &str) -> SBoxTables {
        let (sbox, _) = parse(text).expect("an S-box").sbox.expect("an S-box");
        let zero = BooleanFunction::constant(sbox.n(), false);
        let components = (0..1 << sbox.m()).map(|mask| sbox.component(mask).unwrap_or_else(|_| zero.clone()));
        let spectra: Vec<_> = components.map(|component| by_definition(&component)).collect();
        let walsh: Vec<i64> = spectra.iter().flat_map(|spectra| spectra.walsh.iter().copied()).collect();
        SBoxTables::new(&sbox, &walsh, &spectra.into_iter().map(|spectra| spectra.reed_muller).collect::<Vec<_>>())
    }

    #[test]
    fn present_has_its_published_tables() {
        let present = tables("present");
        // The difference table of the S-box, as the literature on PRESENT prints it: rows 0, 1 and 15.
        assert_eq!(present.difference[..16], [16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(present.difference[16..32], [0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0, 0, 4, 0, 0]);
        assert_eq!(present.difference[240..], [0, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4]);
        assert_eq!((present.nonlinearity(), present.uniformity(), present.degrees), (4, 4, [3, 2]));
        // By the definition of the table.
        let (sbox, _) = parse("present").expect("an S-box").sbox.expect("an S-box");
        let parity = |value: usize| value.count_ones() % 2;
        for a in 0..16 {
            for b in 0..16 {
                let equal = (0..16).filter(|&x| parity(x & a) == parity(usize::from(sbox.values()[x]) & b)).count();
                assert_eq!(present.linear[16 * a + b], equal as i32 - 8, "masks {a} and {b}");
            }
        }
    }

    #[test]
    fn aes_has_its_published_numbers() {
        let aes = tables("aes");
        assert_eq!((aes.nonlinearity(), aes.uniformity(), aes.degrees), (112, 4, [7, 7]));
        assert!(aes.difference.chunks(256).all(|row| row.iter().sum::<i32>() == 256));
        assert_eq!(aes.linear[0], 128);
    }

    #[test]
    fn affine_boxes_have_no_strength() {
        let identity = tables("sbox(0 1 2 3 4 5 6 7)");
        assert_eq!((identity.nonlinearity(), identity.uniformity(), identity.degrees), (0, 8, [1, 1]));
    }
}

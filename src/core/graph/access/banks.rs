//! The banks of workgroup memory: a pass serves one word of every bank, so that words of one bank take several passes.

use super::AccessRequest;
use std::collections::BTreeSet;

/// Banks of workgroup memory.
pub const BANKS: u64 = 32;
/// Bytes of a word of a bank.
const WORD_BYTES: u64 = 4;

/// Passes over the banks that a request takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct BankUse {
    /// Passes that it takes: the most different words of one bank.
    pub passes: usize,
    /// Passes that as many words spread over all banks would take.
    pub least: usize,
}

impl BankUse {
    /// The sum over two requests.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { passes: self.passes + other.passes, least: self.least + other.least }
    }

    /// `no conflict`, or how many times as many passes as needed: `32-way conflict`.
    pub fn name(self) -> String {
        match self.passes.div_ceil(self.least.max(1)) {
            0 | 1 => "no conflict".into(),
            ways => format!("{ways}-way conflict"),
        }
    }
}

impl AccessRequest {
    /// The words of workgroup memory that it touches, each once. Threads that read the same word share it.
    fn words(&self) -> BTreeSet<u64> {
        self.spans.iter().flatten().flat_map(|span| span.segments(WORD_BYTES)).collect()
    }

    /// The passes that it takes over the banks.
    pub fn banks(&self) -> BankUse {
        let mut held = [0_usize; BANKS as usize];
        let words = self.words();
        words.iter().for_each(|word| held[(word % BANKS) as usize] += 1);
        BankUse { passes: held.into_iter().max().unwrap_or(0), least: words.len().div_ceil(BANKS as usize) }
    }
}

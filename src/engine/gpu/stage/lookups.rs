//! The roots that the threads of a tile of bits look up, each once, and early.

/// The most roots that threads look up before they load their lanes, so that they do not wait for them later. More would take too many registers.
const MOST_EARLY: usize = 16;

/// The roots of a kernel in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// The phase that needs each first, and the text that looks it up.
    found: Vec<(usize, String)>,
    n_phases: usize,
}

impl Lookups {
    /// Begins a phase: it needs the roots that are named next.
    pub(super) fn begin_phase(&mut self) {
        self.n_phases += 1;
    }

    /// The name of a root.
    pub(super) fn name(&mut self, text: String) -> String {
        let known = self.found.iter().position(|(_, other)| *other == text);
        let index = known.unwrap_or_else(|| {
            self.found.push((self.n_phases.saturating_sub(1), text));
            self.found.len() - 1
        });
        format!("w{index}")
    }

    /// Names and values of the roots that stand before all phases, and of those that stand in each.
    pub(super) fn definitions(self) -> (Vec<[String; 2]>, Vec<Vec<[String; 2]>>) {
        let is_early = self.found.len() <= MOST_EARLY;
        let (mut early, mut of_phases) = (Vec::new(), vec![Vec::new(); self.n_phases]);
        for (index, (phase, text)) in self.found.into_iter().enumerate() {
            let place = if is_early { &mut early } else { &mut of_phases[phase] };
            place.push([format!("w{index}"), text]);
        }
        (early, of_phases)
    }
}

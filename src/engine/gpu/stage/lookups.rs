//! The roots that the threads of a tile of bits look up, each once, and early.

/// The most roots that threads look up before they load their lanes, so that they do not wait for them later. More would take too many registers.
const MOST_EARLY: usize = 16;

/// The roots of a kernel in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// The phase that needs each first, and the text that looks it up.
    found: Vec<(usize, String)>,
    /// The names of roots that are squares of others, and their values.
    squares: Vec<(String, String)>,
    /// The same of products of a root and a constant.
    derived: Vec<(usize, String)>,
    n_phases: usize,
}

impl Lookups {
    /// Begins a phase: it needs the roots that are named next.
    pub(super) fn begin_phase(&mut self) {
        self.n_phases += 1;
    }

    /// The name of a root.
    pub(super) fn name(&mut self, text: String) -> String {
        Self::named("w", &mut self.found, self.n_phases, text)
    }

    /// The name of a residue that is the square of another root, where threads have looked that one up: a product is faster than a look-up.
    pub(super) fn square(&mut self, text: String, half: Option<String>) -> String {
        let is_new = self.found.iter().all(|(_, other)| *other != text);
        let index = half.filter(|_| is_new).and_then(|half| self.found.iter().position(|(_, other)| *other == half));
        let name = self.name(text);
        self.squares.extend(index.map(|index| (name.clone(), format!("multiplied(w{index}, w{index})"))));
        name
    }

    /// The name of the product of a root and a constant, which the threads compute in the phase that needs it first.
    pub(super) fn derived(&mut self, text: String) -> String {
        Self::named("v", &mut self.derived, self.n_phases, text)
    }

    fn named(letter: &str, known: &mut Vec<(usize, String)>, n_phases: usize, text: String) -> String {
        let index = known.iter().position(|(_, other)| *other == text).unwrap_or_else(|| {
            known.push((n_phases.saturating_sub(1), text));
            known.len() - 1
        });
        format!("{letter}{index}")
    }

    /// Names and values of the roots that are before all phases, and of those that are in each.
    pub(super) fn definitions(self) -> (Vec<[String; 2]>, Vec<Vec<[String; 2]>>) {
        let is_early = self.found.len() <= MOST_EARLY;
        let (mut early, mut of_phases) = (Vec::new(), vec![Vec::new(); self.n_phases]);
        for (index, (phase, text)) in self.found.into_iter().enumerate() {
            let place = if is_early { &mut early } else { &mut of_phases[phase] };
            let name = format!("w{index}");
            let square = self.squares.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
            place.push([name, square.unwrap_or(text)]);
        }
        for (index, (phase, text)) in self.derived.into_iter().enumerate() {
            of_phases[phase].push([format!("v{index}"), text]);
        }
        (early, of_phases)
    }
}

//! The roots that the threads of a tile of bits look up, each once, and early.

/// The most roots that threads look up before they load their lanes, so that they do not wait for them later. More would take too many registers.
const MOST_EARLY: usize = 16;

/// A root, by the text that looks it up.
#[derive(Debug)]
struct Root {
    text: String,
    /// The texts of pairs of roots whose product it is: a product is faster than a look-up.
    factors: Vec<[String; 2]>,
    /// The phase that needs it first.
    phase: usize,
}

/// The roots of a kernel in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    found: Vec<Root>,
    /// Products of a root and a constant, with the phase that needs each first.
    derived: Vec<(usize, String)>,
    n_phases: usize,
}

impl Lookups {
    /// Begins a phase: it needs the roots that are named next.
    pub(super) fn begin_phase(&mut self) {
        self.n_phases += 1;
    }

    /// The name of a root, which is a product where threads need both roots of a pair of `factors`, too.
    pub(super) fn name(&mut self, text: String, factors: Vec<[String; 2]>) -> String {
        let index = self.index_of(&text).unwrap_or_else(|| {
            self.found.push(Root { text, factors, phase: self.n_phases.saturating_sub(1) });
            self.found.len() - 1
        });
        format!("w{index}")
    }

    /// The name of the product of a root and a constant, which the threads compute in the phase that needs it first.
    pub(super) fn derived(&mut self, text: String) -> String {
        let index = self.derived.iter().position(|(_, known)| *known == text).unwrap_or_else(|| {
            self.derived.push((self.n_phases.saturating_sub(1), text));
            self.derived.len() - 1
        });
        format!("v{index}")
    }

    fn index_of(&self, text: &str) -> Option<usize> {
        self.found.iter().position(|root| root.text == text)
    }

    /// The pair of roots whose product a root is, if threads need both.
    fn factors(&self, index: usize) -> Option<[usize; 2]> {
        self.found[index].factors.iter().find_map(|pair| Some([self.index_of(&pair[0])?, self.index_of(&pair[1])?]))
    }

    /// Adds a root behind its factors, unless it is there.
    fn order(&self, index: usize, ordered: &mut Vec<usize>) {
        if !ordered.contains(&index) {
            self.factors(index).into_iter().flatten().for_each(|factor| self.order(factor, ordered));
            ordered.push(index);
        }
    }

    /// Names and values of the roots that are before all phases, and of those that are in each.
    pub(super) fn definitions(self) -> (Vec<[String; 2]>, Vec<Vec<[String; 2]>>) {
        let is_early = (0..self.found.len()).filter(|index| self.factors(*index).is_none()).count() <= MOST_EARLY;
        let (mut early, mut of_phases, mut ordered) = (Vec::new(), vec![Vec::new(); self.n_phases], Vec::new());
        for (index, root) in self.found.iter().enumerate() {
            let n_before = ordered.len();
            self.order(index, &mut ordered);
            for index in &ordered[n_before..] {
                let factors = self.factors(*index);
                let place = if factors.is_none() && is_early { &mut early } else { &mut of_phases[root.phase] };
                let value = factors.map_or_else(|| self.found[*index].text.clone(), |[a, b]| format!("multiplied(w{a}, w{b})"));
                place.push([format!("w{index}"), value]);
            }
        }
        for (index, (phase, text)) in self.derived.into_iter().enumerate() {
            of_phases[phase].push([format!("v{index}"), text]);
        }
        (early, of_phases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_products_of_others_that_are_needed_at_any_time() {
        let mut lookups = Lookups::default();
        lookups.begin_phase();
        let root = |power: usize| format!("root({power})");
        for power in [4, 2, 8, 1, 3, 7] {
            let half = (power % 2 == 0).then(|| [root(power / 2), root(power / 2)]);
            lookups.name(root(power), half.into_iter().chain([[root(power - 1), root(1)]]).collect());
        }
        let (early, of_phases) = lookups.definitions();
        let lines = |lines: &[[String; 2]]| lines.iter().map(|[name, value]| format!("{name} = {value}")).collect::<Vec<_>>();
        assert_eq!(lines(&early), ["w3 = root(1)", "w5 = root(7)"]);
        let products = ["w1 = multiplied(w3, w3)", "w0 = multiplied(w1, w1)", "w2 = multiplied(w0, w0)", "w4 = multiplied(w1, w3)"];
        assert_eq!(lines(&of_phases[0]), products);
    }
}

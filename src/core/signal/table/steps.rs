//! How the positions of samples follow each other: evenly, with gaps, unevenly; repeated, backwards or without order.

use crate::statistics::median;
/// Steps count as even where no position is farther from its place than this part of a step.
const JITTER: f64 = 0.01;

/// Printed positions are rounded. Where rounding is coarser than a quarter of a step, at least this number of positions is needed.
const MANY: usize = 20;

/// Gaps are seen where at least this share of the steps have the usual size.
const USUAL: f64 = 0.6;

/// Rules that rest on numbers alone, without a word of the file, need this number of rows.
pub(super) const EVIDENCE: usize = 5;

/// The kind of positions that are studied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Numbers without order are not positions.
    Numbers,
    /// Stamps are times in any order; a clock may round them.
    Stamps,
    /// Dates and months are exact.
    Dates,
}

/// The rows of a table in the order of their positions.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Order {
    /// All, as they are.
    Same,
    /// The rows of these numbers.
    Picked(Vec<u32>),
}

/// The steps from sample to sample.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Steps {
    /// All are one step.
    Even { start: f64, step: f64, doubt: f64 },
    /// All are whole numbers of steps: the number of the step at which each row is.
    Gaps { start: f64, step: f64, doubt: f64, places: Vec<u32> },
    /// The positions, each larger than the one before.
    Uneven(Vec<f64>),
}

/// The findings about the positions of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Study {
    pub order: Order,
    pub steps: Steps,
    /// Rows that become samples.
    pub n_rows: usize,
    /// Positions that equal the one before.
    pub repeats: usize,
    /// Rows that stood before one with a smaller position.
    pub disordered: usize,
    /// Rows without a position, which are left out.
    pub without: usize,
    /// Whether the newest row came first.
    pub is_reversed: bool,
    /// Whether repeated rows are left out, of which the first stays.
    pub drops_repeats: bool,
}

/// Known positions, and the rows of the table that have them.
struct Placed {
    values: Vec<f64>,
    /// `None` for all rows, as they are.
    rows: Option<Vec<u32>>,
}

impl Placed {
    /// The positions that are numbers.
    fn of(positions: &[f64]) -> Self {
        let values: Vec<f64> = positions.iter().copied().filter(|value| value.is_finite()).collect();
        let rows = || (0..).zip(positions).filter(|(_, value)| value.is_finite()).map(|(row, _)| row).collect();
        Self { rows: (values.len() < positions.len()).then(rows), values }
    }

    /// Number of steps to the next position that `is` holds for.
    fn n_steps(&self, is: fn(f64, f64) -> bool) -> usize {
        self.values.windows(2).filter(|pair| is(pair[0], pair[1])).count()
    }

    /// Keeps what is at these places, in their order.
    fn pick(&mut self, places: &[usize]) {
        let row = |place: usize| self.rows.as_ref().map_or(place as u32, |rows| rows[place]);
        self.rows = Some(places.iter().map(|&place| row(place)).collect());
        self.values = places.iter().map(|&place| self.values[place]).collect();
    }

    fn reverse(&mut self) {
        let places: Vec<usize> = (0..self.values.len()).rev().collect();
        self.pick(&places);
    }

    /// Brings the positions into ascending order; returns how many stood before a smaller one.
    fn sort(&mut self) -> usize {
        let mut places: Vec<usize> = (0..self.values.len()).collect();
        places.sort_by(|&a, &b| self.values[a].total_cmp(&self.values[b]));
        self.pick(&places);
        places.windows(2).filter(|pair| pair[0] > pair[1]).count()
    }

    /// Keeps the first of equal positions.
    fn drop_repeats(&mut self) {
        let is_new = |place: &usize| *place == 0 || self.values[*place] != self.values[*place - 1];
        let places: Vec<usize> = (0..self.values.len()).filter(is_new).collect();
        self.pick(&places);
    }
}

impl Study {
    /// Studies positions; `None` where they are not an axis: fewer than two, all equal, or without order.
    pub(super) fn of(positions: &[f64], trust: Trust) -> Option<Self> {
        let mut found = Placed::of(positions);
        let without = positions.len() - found.values.len();
        let (rising, falling) = (found.n_steps(|a, b| a < b), found.n_steps(|a, b| a > b));
        if rising + falling == 0 {
            return None;
        }
        let is_reversed = falling > rising;
        if is_reversed {
            found.reverse();
        }
        let disordered = match rising.min(falling) {
            0 => 0,
            _ if trust == Trust::Numbers => return None,
            _ => found.sort(),
        };
        let repeats = found.n_steps(|a, b| a == b);
        // Repeated positions may be evened out. Where they are not, only the first of each is a sample.
        let evened_out = even(&found.values, trust);
        let drops_repeats = evened_out.is_none() && repeats > 0;
        if drops_repeats {
            found.drop_repeats();
        }
        let without_repeats = || drops_repeats.then(|| even(&found.values, trust)).flatten();
        let steps = evened_out.or_else(without_repeats).or_else(|| gaps(&found.values, trust));
        let (n_rows, order) = (found.values.len(), found.rows.map_or(Order::Same, Order::Picked));
        let steps = steps.unwrap_or(Steps::Uneven(found.values));
        Some(Self { order, steps, n_rows, repeats, disordered, without, is_reversed, drops_repeats })
    }

    /// Whether all steps are one, and the rows are those of the file.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.steps, Steps::Even { .. }) && self.repeats + self.disordered + self.without == 0 && !self.is_reversed
    }

    /// The usual step.
    pub(super) fn step(&self) -> f64 {
        match &self.steps {
            Steps::Even { step, .. } | Steps::Gaps { step, .. } => *step,
            Steps::Uneven(positions) => usual(positions.windows(2).map(|pair| pair[1] - pair[0])).unwrap_or(0.0),
        }
    }
}

impl Steps {
    /// The first position.
    pub(super) fn start(&self) -> f64 {
        match self {
            Self::Even { start, .. } | Self::Gaps { start, .. } => *start,
            Self::Uneven(positions) => positions[0],
        }
    }

    /// The positions, where the steps are uneven.
    pub(super) fn uneven(&self) -> Option<&[f64]> {
        if let Self::Uneven(positions) = self { Some(positions) } else { None }
    }

    /// The same steps in another unit, with another origin: positions are multiplied and then moved.
    pub(super) fn scaled(self, scale: f64, offset: f64) -> Self {
        let at = |value: f64| value * scale + offset;
        match self {
            Self::Even { start, step, doubt } => Self::Even { start: at(start), step: step * scale, doubt },
            Self::Gaps { start, step, doubt, places } => Self::Gaps { start: at(start), step: step * scale, doubt, places },
            Self::Uneven(positions) => Self::Uneven(positions.into_iter().map(at).collect()),
        }
    }
}

/// The median, of a few thousand values at most.
fn usual(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    const MOST: usize = 1 << 13;
    let stride = values.len().div_ceil(MOST).max(1);
    median(values.step_by(stride).collect())
}

/// The last decimal that positions are printed with, 10^−9 at least.
fn resolution(positions: &[f64]) -> f64 {
    let stride = positions.len().div_ceil(1000).max(1);
    let some = || positions.iter().step_by(stride);
    let is_whole = |digits: i32| {
        let scale = 10_f64.powi(digits);
        some().all(|value| (value * scale - (value * scale).round()).abs() < 1e-4 + 1e-15 * (value * scale).abs())
    };
    let digits = (0..9).find(|&digits| is_whole(digits)).unwrap_or(9);
    10_f64.powi(-digits)
}

/// The tolerance of positions that are `step` apart: for jitter, and for the rounding of printed numbers.
fn tolerance(positions: &[f64], step: f64, trust: Trust) -> f64 {
    let rounding = resolution(positions);
    let is_clear =
        rounding <= 0.25 * step || positions.len() >= MANY && rounding <= 100.0 * step && rounding < step * positions.len() as f64 / 10.0;
    // Whole numbers that miss their places were not rounded, unless steps are fractions.
    let rounds = trust != Trust::Dates && is_clear && (step / rounding - (step / rounding).round()).abs() > 1e-3;
    (JITTER * step).max(if rounds { 1.001 * rounding } else { 0.0 })
}

/// Even steps, where all positions but repeated ones are near their places.
fn even(positions: &[f64], trust: Trust) -> Option<Steps> {
    let n = positions.len();
    let lag = (n / 2).max(1);
    // The median step over half the table: a repeated position or a late one moves it little.
    let step = usual((0..n.checked_sub(lag)?).map(|k| (positions[k + lag] - positions[k]) / lag as f64))?;
    let start = usual((0..n).map(|k| positions[k] - k as f64 * step))?;
    if step.is_nan() || step <= 0.0 {
        return None;
    }
    let is_repeated = |k: usize| k > 0 && positions[k] == positions[k - 1];
    let distance = |k: usize| (positions[k] - start - k as f64 * step).abs();
    let farthest = (0..n).filter(|&k| !is_repeated(k)).map(distance).fold(0.0, f64::max);
    if farthest > tolerance(positions, step, trust) {
        return None;
    }
    // Without doubt about the step, the first position is the start.
    let span = step * (n - 1) as f64;
    let start = if farthest <= 1e-6 * step { positions[0] } else { start };
    Some(Steps::Even { start, step, doubt: 2.0 * farthest / span + f64::EPSILON * n as f64 })
}

/// Steps that are whole numbers of a usual one, where gaps double the table at most.
fn gaps(positions: &[f64], trust: Trust) -> Option<Steps> {
    let n = positions.len();
    if n < EVIDENCE {
        return None;
    }
    let usual = usual(positions.windows(2).map(|pair| pair[1] - pair[0]))?;
    let mut places = Vec::with_capacity(n);
    let (mut place, mut n_usual) = (0_u64, 0);
    for (k, position) in positions.iter().enumerate() {
        if k > 0 {
            let steps = ((position - positions[k - 1]) / usual).round();
            if !(1.0..=n as f64).contains(&steps) {
                return None;
            }
            place += steps as u64;
            n_usual += usize::from(steps == 1.0);
        }
        places.push(u32::try_from(place).ok().filter(|_| place < 2 * n as u64)?);
    }
    let step = (positions[n - 1] - positions[0]) / place as f64;
    let distance = |(place, position): (&u32, &f64)| (position - positions[0] - f64::from(*place) * step).abs();
    let farthest = places.iter().zip(positions).map(distance).fold(0.0, f64::max);
    let is_usual = n_usual as f64 >= USUAL * (n - 1) as f64;
    let doubt = 2.0 * farthest / (positions[n - 1] - positions[0]) + f64::EPSILON * n as f64;
    (is_usual && farthest <= tolerance(positions, step, trust)).then_some(Steps::Gaps { start: positions[0], step, doubt, places })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(positions: &[f64]) -> Study {
        Study::of(positions, Trust::Stamps).expect("they are an axis")
    }

    fn step(positions: &[f64]) -> Option<f64> {
        match study(positions).steps {
            Steps::Even { step, .. } => Some(step),
            _ => None,
        }
    }

    fn printed(step: f64, digits: usize, n: u32) -> Vec<f64> {
        (0..n).map(|k| format!("{:.digits$}", f64::from(k) * step).parse().expect("it is a number")).collect()
    }

    #[test]
    fn even_steps_may_jitter_and_be_rounded() {
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|step| (step - expected).abs() < 1e-3 * expected);
        assert!(near(step(&printed(1.0 / 44_100.0, 6, 4000)), 1.0 / 44_100.0));
        assert!(near(step(&printed(10.0, 0, 50)), 10.0));
        assert!(near(step(&printed(1.0 / 98.0, 3, 1200)), 1.0 / 98.0));
        let jitter = |part: f64| -> Vec<f64> { (0..100).map(|k| f64::from(k) + part * f64::from(k * 37 % 19 - 9) / 9.0).collect() };
        assert!(near(step(&jitter(0.005)), 1.0));
        assert_eq!(step(&jitter(0.05)), None);
    }

    #[test]
    fn repeats_are_evened_out_or_left_out() {
        let mut stalled = printed(0.01, 3, 100);
        stalled[50] = stalled[49];
        let found = study(&stalled);
        assert!(matches!(found.steps, Steps::Even { step, .. } if (step - 0.01).abs() < 1e-9), "{found:?}");
        assert_eq!((found.repeats, found.drops_repeats, found.order), (1, false, Order::Same));
        let doubled: Vec<f64> = (0..40).flat_map(|k| vec![f64::from(k); 1 + usize::from(k == 5)]).collect();
        let found = study(&doubled);
        assert!(found.drops_repeats && matches!(found.steps, Steps::Even { step: 1.0, .. }), "{found:?}");
        let coarse: Vec<f64> = (0..40).flat_map(|k| [f64::from(k); 2]).collect();
        assert!(matches!(study(&coarse).steps, Steps::Even { step: 0.5, .. }), "two samples in a second of a coarse clock");
    }

    #[test]
    fn gaps_are_whole_steps() {
        let found = study(&[0.0, 1.0, 2.0, 4.0, 5.0, 6.0, 7.0]);
        assert!(matches!(&found.steps, Steps::Gaps { step: 1.0, places, .. } if *places == [0, 1, 2, 4, 5, 6, 7]), "{found:?}");
        assert!(matches!(study(&[0.0, 1.0, 5.0]).steps, Steps::Uneven(_)), "three rows are no evidence");
        assert!(matches!(study(&[0.0, 1.3, 2.0, 3.9, 4.1, 6.0]).steps, Steps::Uneven(_)));
    }

    #[test]
    fn rows_are_brought_into_order() {
        let found = study(&[3.0, 2.0, 1.0, 0.0]);
        assert_eq!((found.is_reversed, found.order), (true, Order::Picked(vec![3, 2, 1, 0])));
        let found = study(&[0.0, 2.0, 1.0, 3.0, f64::NAN, 4.0]);
        assert_eq!((found.disordered, found.without, found.order), (1, 1, Order::Picked(vec![0, 2, 1, 3, 5])));
        let found = study(&[5.0, 4.0, 2.0, 3.0, 1.0, 0.0]);
        assert_eq!((found.is_reversed, found.disordered, found.order), (true, 1, Order::Picked(vec![5, 4, 2, 3, 1, 0])));
        assert_eq!(Study::of(&[0.0, 2.0, 1.0], Trust::Numbers), None);
        assert_eq!(Study::of(&[1.0, 1.0], Trust::Stamps), None);
    }
}

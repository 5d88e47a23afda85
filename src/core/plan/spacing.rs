//! Stages that touch every n-th lane only, such as the last steps of a transform in place.

use super::coef::gcd;
use super::{Extension, Loop, ReadPattern, Stage, WritePattern};

impl Stage {
    /// The largest number that divides the index of every lane that the strides of the stage reach; 1 where permutations or boundaries follow them.
    pub fn spacing(&self) -> usize {
        if self.write.scatters() || self.read.extension != Extension::None {
            return 1;
        }
        let (read, write, matrix) = (&self.read, &self.write, self.matrix());
        let coordinates = |n: i64| n.unsigned_abs() as usize * read.step;
        let counted = |n: usize, strides: [usize; 2]| if n > 1 { strides } else { [0, 0] };
        let strides = [
            [read.base + coordinates(read.first), write.first],
            counted(self.positions, [coordinates(read.advance), write.advance]),
            [counted(matrix.taps, [coordinates(read.hop), 0])[0], counted(matrix.rows, [0, write.hop])[1]],
            counted(self.group.n, [self.group.read, self.group.write]),
            counted(self.outer.n, [self.outer.read, self.outer.write]),
        ];
        let found = strides.into_iter().flatten().filter(|&stride| stride > 0);
        found.fold(0, |common, stride| gcd(common as u64, stride as u64) as usize).max(1)
    }

    /// The same stage on an array of every `n`-th lane; `None` where it touches others.
    pub fn on_every(&self, n: usize) -> Option<Self> {
        if n == 0 || !self.spacing().is_multiple_of(n) {
            return None;
        }
        let apart = |lanes: Loop| Loop { n: lanes.n, read: lanes.read / n, write: lanes.write / n };
        let (read, write) = (self.read, self.write);
        let read = match read.step {
            1 => {
                let [first, advance, hop] = [read.first, read.advance, read.hop].map(|coordinates| coordinates / n as i64);
                ReadPattern { base: read.base / n, first, advance, hop, len: read.len.div_ceil(n), ..read }
            }
            step if step.is_multiple_of(n) => ReadPattern { base: read.base / n, step: step / n, ..read },
            _ => return None,
        };
        let write = WritePattern { first: write.first / n, advance: write.advance / n, hop: write.hop / n, ..write };
        Some(Self { outer: apart(self.outer), group: apart(self.group), read, write, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use crate::transforms::{Parameters, Shape, transform};

    #[test]
    fn late_steps_of_haar_are_early_steps_of_fewer_lanes() {
        let build = transform("haar").and_then(|transform| transform.algorithm("cooley-tukey")).expect("it is in the table").plan_fn();
        let steps =
            |n: usize| build.expect("it has a plan")(Shape { rows: 3, columns: n }, Parameters::default()).expect("a power of two").stages;
        for (late, early) in steps(64)[3..6].iter().zip(&steps(8)) {
            assert!(late.spacing().is_multiple_of(8), "{late:?}");
            let found = late.on_every(8).expect("it touches every eighth lane");
            assert!(found.writes_its_taps() && found.read_lanes().eq(early.read_lanes()), "{found:?} is not {early:?}");
            assert_eq!((late.on_every(3), late.on_every(0)), (None, None));
        }
        assert_eq!(steps(64)[6].spacing(), 1, "a permutation");
    }
}

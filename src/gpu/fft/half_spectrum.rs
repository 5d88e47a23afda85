//! Half the spectrum of real samples at one end of whole rows: two samples in a lane at the other end.
//!
//! A workgroup holds the row, so that values k and −k meet in its memory in one more exchange, and nothing goes through global memory for it.

use super::text::{FftText, TextStage, scaled, variables};

impl FftText<'_> {
    /// The pairs p and POINTS − p that each thread takes: their numbers, and whether a thread may have none.
    fn pairs(&self) -> Vec<(String, bool)> {
        let n_pairs = self.shape.points() / 2 + 1;
        (0..n_pairs.div_ceil(self.threads)).map(|m| (format!("(t_a + {}u)", m * self.threads), (m + 1) * self.threads > n_pairs)).collect()
    }

    /// Lines that only threads with a pair run.
    fn paired(&mut self, (p, guarded): &(String, bool), lines: &[String]) {
        if *guarded {
            self.body.line(format_args!("if {p} <= {}u {{", self.shape.points() / 2));
        }
        for line in lines {
            self.body.line(format_args!("{line}"));
        }
        if *guarded {
            self.body.line(format_args!("}}"));
        }
    }

    /// Results k and −k of the whole row meet in workgroup memory and are stored as half a spectrum.
    pub(super) fn part(&mut self, index: usize, results: &[Vec<String>]) {
        let (stage, points, pairs) = (self.stages[index], self.shape.points(), self.pairs());
        for m in 0..pairs.len() {
            self.body.line(format_args!("var low{m} = Complex();"));
            self.body.line(format_args!("var high{m} = Complex();"));
        }
        for part in ['x', 'y'] {
            if index > 0 || part == 'y' {
                self.body.line(format_args!("workgroupBarrier();"));
            }
            for (m, results) in results.iter().enumerate() {
                let at = m * self.threads;
                self.guarded(stage, m, |body| {
                    for (j, x) in results.iter().enumerate() {
                        body.line(format_args!("part[home_a + padded(t_a + {}u)] = {x}.{part};", at + j * stage.butterflies));
                    }
                });
            }
            self.body.line(format_args!("workgroupBarrier();"));
            for (m, pair) in pairs.iter().enumerate() {
                let low = format!("low{m}.{part} = part[home_a + padded({})];", pair.0);
                let high = format!("high{m}.{part} = part[home_a + padded(({points}u - {}) % {points}u)];", pair.0);
                self.paired(pair, &[low, high]);
            }
        }
        let shape = self.shape;
        self.body.line(format_args!("if line_a.live {{"));
        for (m, pair) in pairs.iter().enumerate() {
            let p = &pair.0;
            let lines = [
                format!("    let both{m} = paired(low{m}, high{m}, half_root({p}));"),
                format!("    output[line_a.sink_row + {p}] = {};", scaled(shape, &format!("both{m}.xy"))),
                format!("    output[line_a.sink_row + {points}u - {p}] = {};", scaled(shape, &format!("both{m}.zw"))),
            ];
            self.paired(pair, &lines);
        }
        self.body.line(format_args!("}}"));
    }

    /// Values k and −k of half a spectrum are loaded together, and the points that they make go through workgroup memory to the threads of the first stage.
    pub(super) fn join(&mut self, first: TextStage) {
        let (points, pairs) = (self.shape.points(), self.pairs());
        for (m, pair) in pairs.iter().enumerate() {
            let p = &pair.0;
            self.body.line(format_args!("var both{m} = vec4<Real>();"));
            self.body.line(format_args!("if line_a.live {{"));
            let [low, high] = [p.clone(), format!("{points}u - {p}")].map(|lane| format!("input[line_a.source_row + {lane}]"));
            self.paired(pair, &[format!("    both{m} = paired({low}, {high}, half_root({p}));")]);
            self.body.line(format_args!("}}"));
        }
        for (part, [low, high]) in [('x', ['x', 'z']), ('y', ['y', 'w'])] {
            if part == 'y' {
                self.body.line(format_args!("workgroupBarrier();"));
            }
            for (m, pair) in pairs.iter().enumerate() {
                let p = &pair.0;
                let lines = [
                    format!("part[home_a + padded({p})] = both{m}.{low};"),
                    // Value 0 is its own opposite.
                    format!("if {p} > 0u {{ part[home_a + padded({points}u - {p})] = both{m}.{high}; }}"),
                ];
                self.paired(pair, &lines);
            }
            self.body.line(format_args!("workgroupBarrier();"));
            for m in 0..first.per_thread {
                let at = m * self.threads;
                self.guarded(first, m, |body| {
                    for (k, x) in variables(first, m).iter().enumerate() {
                        body.line(format_args!("{x}.{part} = part[home_a + padded(t_a + {}u)];", at + k * first.butterflies));
                    }
                });
            }
        }
    }
}

//! Prints the WGSL of the Fourier kernel for one shape: `shaders/fft.wgsl` with its stages written out.

use super::butterflies::{butterfly, loaded_powers, thirds, twiddle_results};
use super::shape::{Along, FftShape, HalfSpectrum, STRIP, Strips};
use crate::gpu::wgsl::{WgslBody, literal};
use crate::plan::Direction;

const KERNEL: &str = include_str!("../../../shaders/fft.wgsl");

/// The whole text.
pub(in crate::gpu) fn source(shape: &FftShape) -> String {
    let sign = match shape.direction {
        Direction::Forward => -1.0,
        Direction::Inverse => 1.0,
    };
    let [sign, scale, rest] = [sign, shape.scale(), shape.scale_remainder()].map(|value| literal(value, shape.precision));
    let constants = format!(
        "const POINTS = {}u;\nconst LINES = {}u;\nconst PER_LINE = {}u;\nconst PITCH = {}u;\nconst WORKGROUP_VALUES = {}u;\nconst SCALE = {scale};\nconst SCALE_REST = {rest};\nconst SIGN = {sign};\nconst LONG = {};\nconst STRIP = {STRIP}u;\nconst FROM_STRIPS = {};\n{}",
        shape.points(),
        shape.lines,
        shape.threads_per_line(),
        shape.pitch(),
        shape.workgroup_values(),
        shape.long,
        shape.strips == Some(Strips::Source),
        shape.placement.text(),
    );
    let text = [&*constants, &KERNEL.replace("    //@ stages\n", &FftText::new(shape).body())].join("\n");
    // In place, the kernel reads and writes the output buffer.
    if shape.in_place { text.replace("input[", "output[") } else { text }
}

/// One stage inside the kernel.
#[derive(Clone, Copy)]
pub(super) struct TextStage {
    pub(super) radix: usize,
    /// Product of the radices before it in this run.
    span: usize,
    /// Butterflies of a line.
    pub(super) butterflies: usize,
    /// Butterflies of a thread.
    pub(super) per_thread: usize,
    /// Which numbers of a thread count: `a` as points are loaded, `z` as results are stored.
    role: char,
}

pub(super) struct FftText<'a> {
    pub(super) shape: &'a FftShape,
    pub(super) stages: Vec<TextStage>,
    pub(super) threads: usize,
    pub(super) body: WgslBody,
}

impl<'a> FftText<'a> {
    fn new(shape: &'a FftShape) -> Self {
        let (points, threads, n) = (shape.points(), shape.threads_per_line(), shape.radices.len());
        let mut span = 1;
        let stages = shape.radices.iter().enumerate().map(|(index, &radix)| {
            let butterflies = points / radix;
            let role = if index + 1 == n && shape.store != shape.load { 'z' } else { 'a' };
            let stage = TextStage { radix, span, butterflies, per_thread: butterflies.div_ceil(threads), role };
            span *= radix;
            stage
        });
        Self { shape, stages: stages.collect(), threads, body: WgslBody::new(shape.precision) }
    }

    fn body(mut self) -> String {
        let (first, last) = (self.stages[0], *self.stages.last().expect("a run has a stage"));
        self.role('a', self.shape.load);
        if last.role == 'z' {
            self.role('z', self.shape.store);
        }
        let n_values = self.stages.iter().map(|stage| stage.per_thread * stage.radix).max().unwrap_or(0);
        for value in 0..n_values {
            self.body.line(format_args!("var x{value} = Complex();"));
        }
        for index in 0..self.stages.len() {
            if self.is_twiddled(index) {
                self.roots(index);
            }
        }
        match self.shape.half {
            Some(HalfSpectrum::Joined) => self.join(first),
            _ => self.load(first),
        }
        for index in 0..self.stages.len() {
            let stage = self.stages[index];
            let butterfly = if self.shape.divides_by_three() { thirds } else { butterfly };
            let results: Vec<Vec<String>> = (0..stage.per_thread).map(|m| butterfly(&mut self.body, &variables(stage, m))).collect();
            let next = self.stages.get(index + 1).copied();
            if self.is_twiddled(index) {
                let powers = self.powers(stage);
                for (m, results) in results.iter().enumerate() {
                    twiddle_results(&mut self.body, results, &powers, stage.per_thread > 1, |power| format!("w{index}_{m}_{power}"));
                }
            }
            match next {
                Some(next) => self.exchange(index, next, &results),
                None if self.shape.gathers => self.gather(index, &results),
                None if self.shape.half == Some(HalfSpectrum::Parted) => self.part(index, &results),
                None => self.store(stage, &results),
            }
        }
        self.body.into_text()
    }

    /// The line and the index in the line that a thread takes.
    fn role(&mut self, role: char, along: Along) {
        let (line, t) = match along {
            Along::Line => ("thread / PER_LINE", "thread % PER_LINE"),
            Along::Across => ("thread % LINES", "thread / LINES"),
        };
        self.body.line(format_args!("let t_{role} = {t};"));
        self.body.line(format_args!("let home_{role} = {line} * PITCH;"));
        self.body.line(format_args!("let line_{role} = line_at(first + {line});"));
    }

    /// Lines within a condition, where the last butterflies of a stage are fewer than the threads.
    pub(super) fn guarded(&mut self, stage: TextStage, m: usize, write: impl FnOnce(&mut WgslBody)) {
        let (at, role) = (m * self.threads, stage.role);
        let guarded = at + self.threads > stage.butterflies;
        if guarded {
            self.body.line(format_args!("if t_{role} + {at}u < {}u {{", stage.butterflies));
        }
        write(&mut self.body);
        if guarded {
            self.body.line(format_args!("}}"));
        }
    }

    fn load(&mut self, stage: TextStage) {
        let apart = if self.shape.load == Along::Line { "" } else { " * launch.source.step" };
        let weighs = self.shape.pre_multiplies;
        self.body.line(format_args!("if line_a.live {{"));
        for m in 0..stage.per_thread {
            let at = m * self.threads;
            self.guarded(stage, m, |body| {
                for (k, x) in variables(stage, m).iter().enumerate() {
                    let lane = format!("line_a.source + (t_a + {}u){apart}", at + k * stage.butterflies);
                    if weighs {
                        body.line(format_args!("    let in_{x} = {lane};"));
                        let multiplied = format!("product(input[line_a.source_row + in_{x}], coefs[launch.source.factors + in_{x}])");
                        body.line(format_args!("    if in_{x} < launch.source.len {{ {x} = {multiplied}; }}"));
                    } else {
                        body.line(format_args!("    {x} = input[line_a.source_row + {lane}];"));
                    }
                }
            });
        }
        self.body.line(format_args!("}}"));
    }

    /// Whether the results of a stage are twiddled: all but those at the end of the rows.
    fn is_twiddled(&self, index: usize) -> bool {
        index + 1 < self.stages.len() || self.shape.goes_on
    }

    /// The powers of a root that the butterflies of a stage load.
    fn powers(&self, stage: TextStage) -> Vec<usize> {
        if self.shape.loads_powers { (1..stage.radix).collect() } else { loaded_powers(stage.radix) }
    }

    /// Loads the roots of unity of a stage, which multiply result j of position p by the power j·p. They are loaded before the points, so that no thread waits for them later.
    fn roots(&mut self, index: usize) {
        let stage @ TextStage { span, role, butterflies, per_thread, .. } = self.stages[index];
        for m in 0..per_thread {
            let inside = format!("(t_{role} + {}u) / {span}u", m * self.threads);
            let name = format!("p{index}_{m}");
            match (self.shape.load, span == butterflies) {
                (Along::Line, _) => self.body.line(format_args!("let {name} = {inside} * {span}u;")),
                (_, true) => self.body.line(format_args!("let {name} = line_{role}.position * {span}u;")),
                _ => self.body.line(format_args!("let {name} = (line_{role}.position + {inside} * launch.n_positions) * {span}u;")),
            }
            for power in self.powers(stage) {
                self.body.line(format_args!("let w{index}_{m}_{power} = root({name} * {power}u);"));
            }
        }
    }

    /// Threads exchange points between two stages, real parts before imaginary parts, and each of them in `rounds` parts of the line.
    fn exchange(&mut self, index: usize, next: TextStage, results: &[Vec<String>]) {
        let stage @ TextStage { radix, span, role, .. } = self.stages[index];
        let (points, rounds) = (self.shape.points(), self.shape.rounds);
        for m in 0..stage.per_thread {
            let i = format!("(t_{role} + {}u)", m * self.threads);
            let to = format!("{i} / {span}u * {}u + {i} % {span}u", span * radix);
            let within = if rounds > 1 { format!("({to}) % {}u", points / rounds) } else { to };
            self.body.line(format_args!("let to{index}_{m} = {within};"));
            self.body.line(format_args!("let pad{index}_{m} = home_{role} + padded(to{index}_{m});"));
        }
        self.body.line(format_args!("let from{index} = home_{} + padded(t_{});", next.role, next.role));
        for part in ['x', 'y'] {
            for round in 0..rounds {
                if index > 0 || part == 'y' || round > 0 || self.shape.half == Some(HalfSpectrum::Joined) {
                    self.body.line(format_args!("workgroupBarrier();"));
                }
                self.write_round(index, results, part, round);
                self.body.line(format_args!("workgroupBarrier();"));
                self.read_round(index, next, part, round);
            }
            self.settle(index, next, part);
        }
    }

    /// Every butterfly whose results belong to this part of the line writes them.
    fn write_round(&mut self, index: usize, results: &[Vec<String>], part: char, round: usize) {
        let stage @ TextStage { radix, span, role, butterflies, .. } = self.stages[index];
        let share = butterflies / self.shape.rounds;
        for (m, results) in results.iter().enumerate() {
            // With several rounds a part is a run of butterflies, either of one thread or of several threads.
            let first = m * self.threads;
            if first + self.threads <= round * share || first >= (round + 1) * share {
                continue;
            }
            let some = self.shape.rounds > 1 && self.threads > share;
            if some {
                self.body.line(format_args!("if (t_{role} + {first}u) / {share}u == {round}u {{"));
            }
            let place = PaddedIndex {
                padded: &format!("pad{index}_{m}"),
                home: &format!("home_{role}"),
                plain: &format!("to{index}_{m}"),
                aligned: span == 1 && radix == 16,
            };
            self.guarded(stage, m, |body| {
                for (j, x) in results.iter().enumerate() {
                    body.line(format_args!("part[{}] = {x}.{part};", place.plus(j * span)));
                }
            });
            if some {
                self.body.line(format_args!("}}"));
            }
        }
    }

    /// Every thread reads what it needs of this part of the line. Until the last part has been written, values that were read wait beside the registers.
    fn read_round(&mut self, index: usize, next: TextStage, part: char, round: usize) {
        let (share, last) = (self.shape.points() / self.shape.rounds, round + 1 == self.shape.rounds);
        let (from, home, t) = (format!("from{index}"), format!("home_{}", next.role), format!("t_{}", next.role));
        let place = PaddedIndex { padded: &from, home: &home, plain: &t, aligned: false };
        for m in 0..next.per_thread {
            let at = m * self.threads;
            let shape = self.shape;
            self.guarded(next, m, |body| {
                for (k, x) in variables(next, m).iter().enumerate() {
                    let point = at + k * next.butterflies;
                    let to = if last { format!("{x}.{part}") } else { format!("let {x}_{part}{index}") };
                    if shape.rounds == 1 || point / share == round {
                        body.line(format_args!("{to} = part[{}];", place.plus(point % share)));
                    }
                }
            });
        }
    }

    /// The values that waited move into the registers.
    fn settle(&mut self, index: usize, next: TextStage, part: char) {
        let (share, rounds) = (self.shape.points() / self.shape.rounds, self.shape.rounds);
        for m in 0..next.per_thread {
            for (k, x) in variables(next, m).iter().enumerate() {
                if (m * self.threads + k * next.butterflies) / share + 1 < rounds {
                    self.body.line(format_args!("{x}.{part} = {x}_{part}{index};"));
                }
            }
        }
    }

    fn store(&mut self, stage: TextStage, results: &[Vec<String>]) {
        let role = stage.role;
        let apart = if self.shape.store == Along::Line { "" } else { " * launch.sink.step" };
        let (shape, weighs) = (self.shape, self.shape.post_multiplies);
        let to_strips = self.shape.strips == Some(Strips::Sink);
        self.body.line(format_args!("if line_{role}.live {{"));
        for (m, results) in results.iter().enumerate() {
            let at = m * self.threads;
            self.guarded(stage, m, |body| {
                for (j, x) in results.iter().enumerate() {
                    let point = at + j * stage.butterflies;
                    let lane = if to_strips {
                        format!("line_{role}.sink + in_strips(t_{role} + {point}u)")
                    } else {
                        format!("line_{role}.sink + (t_{role} + {point}u){apart}")
                    };
                    if weighs {
                        body.line(format_args!("    let out_{x} = {lane};"));
                        let multiplied = format!("product({x}, coefs[launch.sink.factors + out_{x}])");
                        body.line(format_args!(
                            "    if out_{x} < launch.sink.len {{ output[line_{role}.sink_row + out_{x}] = {multiplied}; }}"
                        ));
                    } else {
                        body.line(format_args!("    output[line_{role}.sink_row + {lane}] = {};", scaled(shape, x)));
                    }
                }
            });
        }
        self.body.line(format_args!("}}"));
    }

    /// The results of the workgroup's lines are one run of lanes: gathered in workgroup memory, then stored in long segments.
    fn gather(&mut self, index: usize, results: &[Vec<String>]) {
        let (stage, threads) = (self.stages[index], self.shape.threads());
        let (role, n_values) = (stage.role, stage.per_thread * stage.radix);
        self.body.line(format_args!("let start = first * POINTS;"));
        for part in ['x', 'y'] {
            if index > 0 || part == 'y' {
                self.body.line(format_args!("workgroupBarrier();"));
            }
            for (m, results) in results.iter().enumerate() {
                for (j, x) in results.iter().enumerate() {
                    let point = m * self.threads + j * stage.butterflies;
                    let place = format!("line_{role}.sink_row + line_{role}.sink - start + (t_{role} + {point}u) * launch.sink.step");
                    self.body.line(format_args!("part[padded({place})] = {x}.{part};"));
                }
            }
            self.body.line(format_args!("workgroupBarrier();"));
            for k in 0..n_values {
                self.body.line(format_args!("x{k}.{part} = part[padded(thread + {}u)];", k * threads));
            }
        }
        self.body.line(format_args!("let end = launch.n_lines * POINTS;"));
        for k in 0..n_values {
            let (at, x) = (k * threads, scaled(self.shape, &format!("x{k}")));
            self.body.line(format_args!("if start + thread + {at}u < end {{ output[start + thread + {at}u] = {x}; }}"));
        }
    }
}

/// A result times the scale of the shape.
pub(super) fn scaled(shape: &FftShape, result: &str) -> String {
    match (shape.scale() == 1.0 || shape.divides_by_three(), shape.scale_remainder() == 0.0) {
        (true, _) => result.into(),
        (_, true) => format!("{result} * SCALE"),
        _ => format!("scaled({result})"),
    }
}

/// The registers that hold the taps of a thread's butterfly m.
pub(super) fn variables(stage: TextStage, m: usize) -> Vec<String> {
    (0..stage.radix).map(|k| format!("x{}", m + k * stage.per_thread)).collect()
}

/// An index in workgroup memory: `padded` is `home` plus the padded form of `plain`.
struct PaddedIndex<'a> {
    padded: &'a str,
    home: &'a str,
    plain: &'a str,
    /// Whether `plain` is a multiple of 16.
    aligned: bool,
}

impl PaddedIndex<'_> {
    /// The padded form of the index `offset` further on; a sum of constants where the padding allows it.
    fn plus(&self, offset: usize) -> String {
        let Self { padded, home, plain, aligned } = self;
        if offset.is_multiple_of(16) || *aligned && offset < 16 {
            format!("{padded} + {}u", offset + offset / 16)
        } else {
            format!("{home} + padded({plain} + {offset}u)")
        }
    }
}

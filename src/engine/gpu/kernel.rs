//! A kernel as plain data: a file of `shaders/` and what fills it.

use super::residues::Residues;
use super::template::assemble;
use crate::plan::{IntegerWidth, Precision, Ring};
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

/// A kernel: what one pipeline is made from. Equal kernels have equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The family that it belongs to.
    pub family: &'static str,
    /// Its file in `shaders/`.
    pub file: &'static str,
    /// The function at which it starts.
    pub entry_point: &'static str,
    /// The type of a lane.
    pub ring: Ring,
    /// How it holds real and complex numbers.
    pub precision: Precision,
    /// Whether it reads and writes the same buffer.
    pub in_place: bool,
    /// Whether it reads the input although earlier launches have run, beside the buffer that they and it write.
    pub reads_input: bool,
    /// Radices, strides, factors, sizes: the data that fill the file.
    pub data: serde_json::Value,
}

impl Kernel {
    /// The kernel of a file whose name is that of its entry point, in single precision, from one buffer to another.
    pub(super) fn new(family: &'static str, file: &'static str, ring: Ring, data: impl Serialize) -> Self {
        let data = serde_json::to_value(data).unwrap_or_else(|error| panic!("the data of {file}: {error}"));
        let entry_point = file.trim_end_matches(".wgsl");
        Self { family, file, entry_point, ring, precision: Precision::Single, in_place: false, reads_input: false, data }
    }

    /// Lanes from one row to the next in workgroup memory, where that can be chosen.
    pub fn pitch(&self) -> Option<usize> {
        self.data.get("pitch").filter(|_| self.family == "transpose")?.as_u64().map(|pitch| pitch as usize)
    }

    /// Lanes of a row in workgroup memory, where the pitch can be chosen.
    pub fn side(&self) -> Option<usize> {
        self.data.get("side").filter(|_| self.family == "transpose")?.as_u64().map(|side| side as usize)
    }

    /// The same kernel with another pitch of its workgroup memory, at least a row; `None` where its file has no pitch to choose.
    pub fn with_pitch(&self, pitch: usize) -> Option<Self> {
        let (mut changed, side) = (self.clone(), self.side()?);
        *changed.data.get_mut("pitch")? = pitch.max(side).into();
        Some(changed)
    }

    /// Threads of a workgroup, as the text says them.
    pub fn threads(&self) -> Option<usize> {
        self.text().split_once("@workgroup_size(")?.1.split_once(')')?.0.split(',').map(|n| n.trim().parse::<usize>().ok()).product()
    }

    /// The WGSL text, complete, as every device takes it.
    pub fn text(&self) -> String {
        self.text_with(false)
    }

    /// The text for a device that may have integers of 64 bits (`wide`), which make products of residues short.
    ///
    /// Besides the data of the kernel, its file knows `double` and `wide`; `source`, the buffer that it reads; and `lane`, the file that says what a lane holds.
    pub(super) fn text_with(&self, wide: bool) -> String {
        let lane = match self.ring {
            Ring::Real => "lane_real.wgsl",
            Ring::Complex => "lane_complex.wgsl",
            Ring::Integer(_) => "lane_integer.wgsl",
            Ring::Gf2 => "lane_gf2.wgsl",
            Ring::Prime(_) => "lane_prime.wgsl",
            Ring::Equation => "lane_row.wgsl",
        };
        let integer = if self.ring == Ring::Integer(IntegerWidth::Bits64) { "i64" } else { "i32" };
        let double = self.precision == Precision::Double;
        let source = if self.in_place { "output" } else { "input" };
        let field = self.ring.field().map(Residues::of);
        let field = Value::from(Serde(&field));
        assemble(self.file, context! { double, wide, source, lane, integer, field, ..Value::from(Serde(&self.data)) })
    }
}

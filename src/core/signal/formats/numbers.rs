//! Numbers as scientific files store them: integers and floats of either byte order, with the linear map that a header puts over them.

use super::pixels::to_i64;
use crate::numerals::{counted, integer};
use crate::signal::content::{ReadBytes, values_of};
use crate::signal::reading::Reading;
use crate::signal::{Cause, PageKind, Pages, Samples, memory};
use crate::threads;
use npyz::half::f16;
use num_complex::{Complex32, Complex64};
use std::ops::Range;

/// The type of a stored number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberType {
    Bool,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
    Complex32,
    Complex64,
}

/// Numbers of a file, row after row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a> {
    /// At least the bytes of all rows.
    pub bytes: &'a [u8],
    pub kind: NumberType,
    pub is_big_endian: bool,
}

/// The meaning of stored numbers by the header: value = slope · number + intercept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meaning {
    pub slope: f64,
    pub intercept: f64,
    /// The stored number that stands for no value.
    pub blank: Option<f64>,
}

impl NumberType {
    /// Bytes of a number.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Bool | Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 | Self::Complex32 => 8,
            Self::Complex64 => 16,
        }
    }
}

/// The orientation of images whose rows go upwards.
pub(super) const UPWARDS: u64 = 4;

/// The page of `bytes` that is chosen, where pages of `shape` (rows, columns) of numbers of this type follow each other.
///
/// # Errors
/// When a page does not fit into memory, or the file ends before this one.
pub(super) fn page_of(bytes: &[u8], (rows, columns): (u64, u64), width: usize, pages: Option<Pages>) -> Result<&[u8], Cause> {
    let length = memory::checked_image(columns, rows, width as u64)?;
    let start = Pages::index(pages).checked_mul(length);
    let found = start.and_then(|start| bytes.get(start..)?.get(..length));
    found.ok_or_else(|| {
        let there = bytes.len().saturating_sub(start.unwrap_or(usize::MAX));
        Cause::truncated(&format!("{} of {} of the image are there", integer(there), counted(length, "byte")))
    })
}

impl Numbers<'_> {
    /// The numbers in the type of the file, or in the next wider one.
    ///
    /// # Errors
    /// When the memory is not there, or an unsigned number has no signed one of 64 bits.
    pub(super) fn samples(self) -> Result<Samples, Cause> {
        let Self { bytes, kind, is_big_endian } = self;
        let read = |range: Range<usize>, take: &mut dyn FnMut(&[u8])| {
            take(&bytes[range]);
            Ok(())
        };
        samples(bytes.len() / kind.width(), &read, kind, is_big_endian)
    }
}

/// `n` numbers in the type of the file, or in the next wider one; all threads ask for their bytes.
///
/// # Errors
/// When the memory or the bytes are not there, or a number has no value in the type of its samples.
pub(super) fn samples(n: usize, bytes: &ReadBytes<'_>, kind: NumberType, is_big_endian: bool) -> Result<Samples, Cause> {
    let complex32 = |bytes: [u8; 8]| {
        let [re, im] = bytemuck::cast::<_, [[u8; 4]; 2]>(bytes).map(f32::from_le_bytes);
        if is_big_endian { Complex32::new(im, re) } else { Complex32::new(re, im) }
    };
    let complex64 = |bytes: [u8; 16]| {
        let [re, im] = bytemuck::cast::<_, [[u8; 8]; 2]>(bytes).map(f64::from_le_bytes);
        if is_big_endian { Complex64::new(im, re) } else { Complex64::new(re, im) }
    };
    let all = Stored { n, bytes, is_big_endian };
    Ok(match kind {
        NumberType::Bool => Samples::U8(booleans(all.read(u8::from_le_bytes)?)?),
        NumberType::U8 => Samples::U8(all.read(u8::from_le_bytes)?),
        NumberType::I8 => Samples::I32(all.read(|bytes| i8::from_le_bytes(bytes).into())?),
        NumberType::U16 => Samples::U16(all.read(u16::from_le_bytes)?),
        NumberType::I16 => Samples::I32(all.read(|bytes| i16::from_le_bytes(bytes).into())?),
        NumberType::U32 => Samples::I64(all.read(|bytes| u32::from_le_bytes(bytes).into())?),
        NumberType::I32 => Samples::I32(all.read(i32::from_le_bytes)?),
        NumberType::U64 => Samples::I64(to_i64(&all.read(u64::from_le_bytes)?)?),
        NumberType::I64 => Samples::I64(all.read(i64::from_le_bytes)?),
        NumberType::F16 => Samples::F32(all.read(|bytes| f16::from_le_bytes(bytes).into())?),
        NumberType::F32 => Samples::F32(all.read(f32::from_le_bytes)?),
        NumberType::F64 => Samples::F64(all.read(f64::from_le_bytes)?),
        NumberType::Complex32 => Samples::Complex32(all.read(complex32)?),
        NumberType::Complex64 => Samples::Complex64(all.read(complex64)?),
    })
}

/// Numbers whose bytes are asked for.
struct Stored<'a, 'b> {
    n: usize,
    bytes: &'a ReadBytes<'b>,
    is_big_endian: bool,
}

impl Stored<'_, '_> {
    /// One value from every `N` bytes; `from` gets them with the lowest byte first.
    fn read<const N: usize, T: Send>(&self, from: impl Fn([u8; N]) -> T + Sync) -> Result<Vec<T>, Cause> {
        memory::checked_bytes(&[self.n as u64, size_of::<T>() as u64], || counted(self.n, "value"))?;
        let read = match self.is_big_endian {
            true => values_of(self.n, self.bytes, |mut bytes: [u8; N]| {
                bytes.reverse();
                from(bytes)
            }),
            false => values_of(self.n, self.bytes, from),
        };
        read.map_err(|error| Cause::malformed(error.to_string()))
    }
}

/// Bytes that may only be 0 and 1.
fn booleans(bytes: Vec<u8>) -> Result<Vec<u8>, Cause> {
    match threads::all(&bytes, |byte| *byte <= 1) {
        true => Ok(bytes),
        false => Err(Cause::malformed("its elements are booleans, and some are neither 0 nor 1; save it as bytes")),
    }
}

impl Meaning {
    /// The values of stored numbers: whole ones where numbers and map are whole, otherwise in double precision. A number without a value becomes NaN.
    ///
    /// # Errors
    /// When the memory is not there.
    pub(super) fn values(self, stored: Samples) -> Result<Samples, Cause> {
        let Self { slope, intercept, blank } = self;
        if stored.is_complex() || !self.is_map() && blank.is_none() {
            return Ok(stored);
        }
        memory::checked_bytes(&[stored.len() as u64, 3 * size_of::<f64>() as u64], || counted(stored.len(), "value"))?;
        let integers: Vec<i64> = match &stored {
            Samples::U8(v) => v.iter().map(|&x| x.into()).collect(),
            Samples::U16(v) => v.iter().map(|&x| x.into()).collect(),
            Samples::I32(v) => v.iter().map(|&x| x.into()).collect(),
            Samples::I64(v) => v.clone(),
            _ => Vec::new(),
        };
        let is_blank = |x: f64| blank == Some(x);
        let has_blanks = blank.is_some() && integers.iter().any(|&x| is_blank(x as f64));
        if !self.is_map() && !has_blanks {
            return Ok(stored);
        }
        let is_whole = slope.fract() == 0.0 && intercept.fract() == 0.0 && slope.abs() < 1e9 && intercept.abs() < 1e19;
        if stored.is_integer() && is_whole && !has_blanks {
            let mapped = |&x: &i64| i64::try_from(i128::from(x) * slope as i128 + intercept as i128).ok();
            if let Some(values) = integers.iter().map(mapped).collect::<Option<Vec<i64>>>() {
                return Ok(narrowed(values));
            }
        }
        let map = |x: f64| if is_blank(x) { f64::NAN } else { slope * x + intercept };
        Ok(Samples::F64(stored.to_f64().into_iter().map(map).collect()))
    }

    /// Whether values differ from the stored numbers.
    pub(super) fn is_map(self) -> bool {
        (self.slope, self.intercept) != (1.0, 0.0)
    }
}

/// Integers in the smallest type that holds all of them.
fn narrowed(values: Vec<i64>) -> Samples {
    let least = values.iter().copied().min().unwrap_or(0);
    let most = values.iter().copied().max().unwrap_or(0);
    match (least, most) {
        (0.., ..=0xffff) => Samples::U16(values.into_iter().map(|x| x as u16).collect()),
        (-0x8000_0000.., ..=0x7fff_ffff) => Samples::I32(values.into_iter().map(|x| x as i32).collect()),
        _ => Samples::I64(values),
    }
}

/// The same rows, the last one first.
pub(super) fn upside_down(bytes: &[u8], row_bytes: usize) -> Vec<u8> {
    bytes.chunks_exact(row_bytes).rev().flatten().copied().collect()
}

/// The page that a person chose of a file that claims this many.
///
/// # Errors
/// When there is no such page.
pub(super) fn pages(how: &Reading, n: u64, kind: PageKind) -> Result<Option<Pages>, Cause> {
    Pages::chosen(&how.options, usize::try_from(n).unwrap_or(usize::MAX).max(1), kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_either_order_are_the_same() {
        for (kind, values) in [
            (NumberType::U8, Samples::U8(vec![1, 255])),
            (NumberType::I8, Samples::I32(vec![1, -1])),
            (NumberType::U16, Samples::U16(vec![0x0102, 0xfffe])),
            (NumberType::I16, Samples::I32(vec![0x0102, -2])),
            (NumberType::U32, Samples::I64(vec![0x0102_0304, 0xffff_fffe])),
            (NumberType::I32, Samples::I32(vec![0x0102_0304, -2])),
            (NumberType::U64, Samples::I64(vec![0x0102_0304_0506_0708, 3])),
            (NumberType::I64, Samples::I64(vec![0x0102_0304_0506_0708, -2])),
            (NumberType::F32, Samples::F32(vec![1.5, -0.25])),
            (NumberType::F64, Samples::F64(vec![1.5, -0.1])),
            (NumberType::Complex32, Samples::Complex32(vec![Complex32::new(1.5, -2.0), Complex32::new(3.0, 0.5)])),
            (NumberType::Complex64, Samples::Complex64(vec![Complex64::new(1.5, -2.0), Complex64::new(3.0, 0.5)])),
        ] {
            let number = |index: usize| -> Vec<u8> {
                let z = values.value(index).expect("there are two");
                match kind {
                    NumberType::F32 => (z.re as f32).to_le_bytes().to_vec(),
                    NumberType::F64 => z.re.to_le_bytes().to_vec(),
                    NumberType::Complex32 => [z.re as f32, z.im as f32].map(f32::to_le_bytes).concat(),
                    NumberType::Complex64 => [z.re, z.im].map(f64::to_le_bytes).concat(),
                    _ if let Samples::I64(whole) = &values => whole[index].to_le_bytes()[..kind.width()].to_vec(),
                    _ => (z.re as i64).to_le_bytes()[..kind.width()].to_vec(),
                }
            };
            let little: Vec<u8> = [number(0), number(1)].concat();
            let part = if values.is_complex() { kind.width() / 2 } else { kind.width() };
            let big: Vec<u8> = little.chunks(part).flat_map(|number| number.iter().rev().copied()).collect();
            for (bytes, is_big_endian) in [(&little, false), (&big, true)] {
                assert_eq!(Numbers { bytes, kind, is_big_endian }.samples(), Ok(values.clone()), "{kind:?}, big-endian: {is_big_endian}");
            }
        }
        let large = Numbers { bytes: &[255; 8], kind: NumberType::U64, is_big_endian: false };
        assert!(large.samples().is_err(), "beyond 64 bits with a sign");
    }

    #[test]
    fn maps_keep_whole_numbers_whole() {
        let meaning = |slope, intercept, blank| Meaning { slope, intercept, blank };
        let numbers = || Samples::I32(vec![-32768, 0, 7]);
        for (stored, meaning, values) in [
            (numbers(), meaning(1.0, 0.0, None), numbers()),
            (numbers(), meaning(1.0, 0.0, Some(5.0)), numbers()),
            (numbers(), meaning(1.0, 32768.0, None), Samples::U16(vec![0, 32768, 32775])),
            (Samples::U16(vec![0, 24]), meaning(1.0, -1024.0, None), Samples::I32(vec![-1024, -1000])),
            (Samples::I32(vec![-2, 3]), meaning(1.0, 4294967296.0, None), Samples::I64(vec![4294967294, 4294967299])),
            (Samples::I64(vec![i64::MIN, 1]), meaning(1.0, 9223372036854775808.0, None), Samples::F64(vec![0.0, 9223372036854775809.0])),
            (numbers(), meaning(0.5, 1.0, None), Samples::F64(vec![-16383.0, 1.0, 4.5])),
            (Samples::F32(vec![0.5]), meaning(2.0, 1.0, None), Samples::F64(vec![2.0])),
        ] {
            assert_eq!(meaning.values(stored), Ok(values), "{meaning:?}");
        }
        let Ok(Samples::F64(values)) = meaning(2.0, 0.0, Some(0.0)).values(numbers()) else { panic!("no value is no integer") };
        assert!(values[1].is_nan() && values[0] == -65536.0 && values[2] == 14.0);
    }
}

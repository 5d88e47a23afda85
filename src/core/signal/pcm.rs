//! Samples as a recording stores them: bytes of the file, shared by all channels, which become numbers when something asks for them.
//!
//! A recording takes the memory of its file, and a large one none: its bytes are read where something asks for them. Samples are converted to numbers a
//! block at a time, on all cores. Where the file has lost them since, they are not numbers, and [`Signal::fault`](super::Signal::fault) says why.

use super::Samples;
use super::encoding::{Encoding, SampleType};
use super::reading::Content;
use crate::threads;
use num_complex::{Complex, Complex32, Complex64};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// Samples that are converted at a time where they are only counted or compared.
const BLOCK: usize = 1 << 12;
/// Bytes that are read from a file at a time, about.
const READ: usize = 1 << 16;

/// The samples of one channel in the bytes of a recording.
#[derive(Clone)]
pub struct Pcm {
    content: Content,
    /// The first byte of the first sample, and the bytes from one sample to the next.
    first: usize,
    stride: usize,
    n: usize,
    encoding: Encoding,
}

impl Pcm {
    /// The samples of each of `n_channels` channels that follow each other in the bytes from `first` on; `frames` of them fit into the content.
    ///
    /// # Panics
    /// When they do not.
    pub(super) fn interleaved(
        content: &Content,
        first: usize,
        encoding: Encoding,
        n_channels: usize,
        stride: usize,
        frames: usize,
    ) -> Vec<Self> {
        let each = stride / n_channels.max(1);
        assert!(encoding.bytes() <= each && first + frames * stride <= content.size(), "{frames} frames of {stride} bytes from {first} on");
        let channel = |index: usize| Self { content: content.clone(), first: first + index * each, stride, n: frames, encoding };
        (0..n_channels).map(channel).collect()
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether it has no samples.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// How its samples are stored.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether the samples are complex numbers.
    pub fn is_complex(&self) -> bool {
        self.encoding.is_complex
    }

    /// Whether the samples have exponents, so that they may be very large or very small.
    pub fn is_float(&self) -> bool {
        matches!(self.encoding.sample_type, SampleType::F32 | SampleType::F64)
    }

    /// Whether single precision does not hold every sample.
    pub fn is_double(&self) -> bool {
        self.encoding.sample_type.is_double()
    }

    /// The samples of these indices, in the same bytes.
    ///
    /// # Panics
    /// When there are fewer.
    pub(super) fn part(&self, indices: Range<usize>) -> Self {
        assert!(indices.start <= indices.end && indices.end <= self.n, "samples {indices:?} of {}", self.n);
        Self { first: self.first + indices.start * self.stride, n: indices.len(), ..self.clone() }
    }

    /// Complex samples whose real parts are these and whose imaginary parts are those of `other`, where both lie side by side in the same bytes.
    pub(super) fn joined(&self, other: &Self) -> Option<Self> {
        let is_beside = self.content.is_same(&other.content)
            && (self.encoding, self.stride, self.n) == (other.encoding, other.stride, other.n)
            && other.first == self.first + self.encoding.bytes()
            && !self.is_complex();
        is_beside.then(|| Self { encoding: Encoding { is_complex: true, ..self.encoding }, ..self.clone() })
    }

    /// Whether nothing lies between one sample and the next.
    pub(super) fn is_dense(&self) -> bool {
        self.stride == self.encoding.bytes()
    }

    /// Copies bytes of the samples, from one on; zeros where the file does not have them any more.
    pub(super) fn copy_bytes(&self, first: usize, to: &mut [u8]) {
        if !self.content.read(self.first + first, to) {
            to.fill(0);
        }
    }

    /// The change of the file since it was opened, by which samples are missing or have changed.
    pub(super) fn fault(&self) -> Option<String> {
        self.content.fault()
    }

    /// Whether the samples are in memory, and not in the file alone.
    pub(super) fn is_in_memory(&self) -> bool {
        self.content.is_in_memory()
    }

    /// The sample at an index; `None` past the end.
    pub fn value(&self, index: usize) -> Option<Complex64> {
        if index >= self.n {
            return None;
        }
        let mut parts = [[0.0]; 2];
        self.read_f64(index, 0, &mut parts[0]);
        if self.is_complex() {
            self.read_f64(index, 1, &mut parts[1]);
        }
        Some(Complex64::new(parts[0][0], parts[1][0]))
    }

    /// The real part of a sample in single precision.
    ///
    /// # Panics
    /// When there is no such sample.
    pub fn real(&self, index: usize) -> f32 {
        let mut real = [0.0];
        self.read_f32(index, 0, &mut real);
        real[0]
    }

    /// The real parts in single precision.
    pub fn to_f32(&self) -> Vec<f32> {
        threads::fill_blocks(self.n, &|first, to| self.read_f32(first, 0, to))
    }

    /// The real parts in double precision.
    pub fn to_f64(&self) -> Vec<f64> {
        threads::fill_blocks(self.n, &|first, to| self.read_f64(first, 0, to))
    }

    /// All samples as complex numbers of single precision.
    pub fn to_complex32(&self) -> Vec<Complex32> {
        threads::fill_blocks(self.n, &|first, to| self.read_pairs(Self::read_f32, first, to))
    }

    /// All samples as complex numbers of double precision.
    pub fn to_complex64(&self) -> Vec<Complex64> {
        threads::fill_blocks(self.n, &|first, to| self.read_pairs(Self::read_f64, first, to))
    }

    /// The samples as numbers of the type that holds them all.
    pub fn to_numbers(&self) -> Samples {
        match (self.is_complex(), self.is_double()) {
            (false, false) => Samples::F32(self.to_f32()),
            (false, true) => Samples::F64(self.to_f64()),
            (true, false) => Samples::Complex32(self.to_complex32()),
            (true, true) => Samples::Complex64(self.to_complex64()),
        }
    }

    /// Smallest and largest finite value, `None` if none is finite; of complex samples the magnitudes count.
    pub fn min_max(&self) -> Option<(f64, f64)> {
        let least_and_most = |values: &mut dyn Iterator<Item = f64>| {
            values.filter(|x| x.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (x.min(lo), x.max(hi)))
        };
        let blocks = self.map_blocks(&|values| least_and_most(&mut values.iter().map(|z| if self.is_complex() { z.norm() } else { z.re })));
        let (lo, hi) = blocks.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        (lo <= hi).then_some((lo, hi))
    }

    /// Number of samples that are infinite or not a number.
    pub fn count_not_finite(&self) -> usize {
        let of_block = |values: &[Complex64]| values.iter().filter(|z| !z.is_finite()).count();
        if self.is_float() { self.map_blocks(&of_block).into_iter().sum() } else { 0 }
    }

    /// The results of the work on the numbers of each block of samples, in order.
    fn map_blocks<R: Send>(&self, work: &(dyn Fn(&[Complex64]) -> R + Sync)) -> Vec<R> {
        threads::map(self.n.div_ceil(BLOCK), &|block| {
            let first = block * BLOCK;
            let mut values = [Complex64::ZERO; BLOCK];
            let values = &mut values[..BLOCK.min(self.n - first)];
            self.read_pairs(Self::read_f64, first, values);
            work(values)
        })
    }

    /// Writes the samples from index `first` on as complex numbers.
    fn read_pairs<T: Copy + Default>(&self, read: fn(&Self, usize, usize, &mut [T]), first: usize, to: &mut [Complex<T>]) {
        let mut parts = vec![T::default(); to.len()];
        read(self, first, 0, &mut parts);
        to.iter_mut().zip(&parts).for_each(|(z, &part)| *z = Complex::new(part, T::default()));
        if self.is_complex() {
            read(self, first, 1, &mut parts);
            to.iter_mut().zip(&parts).for_each(|(z, &part)| z.im = part);
        }
    }

    /// Writes the real parts (`part` 0) or the imaginary parts (1) of the samples from index `first` on, in single precision.
    pub(super) fn read_f32(&self, first: usize, part: usize, to: &mut [f32]) {
        self.read(first, part, to, f32::NAN, |bytes, to| self.decode_f32(bytes, to));
    }

    /// As [`Self::read_f32`], in double precision.
    pub(super) fn read_f64(&self, first: usize, part: usize, to: &mut [f64]) {
        self.read(first, part, to, f64::NAN, |bytes, to| self.decode_f64(bytes, to));
    }

    /// Writes one part of the samples from index `first` on, a block at a time; `missing` where the file does not have them any more.
    fn read<T: Copy>(&self, first: usize, part: usize, to: &mut [T], missing: T, decode: impl Fn(&[u8], &mut [T])) {
        let each = (READ / self.stride).max(1);
        for (block, to) in to.chunks_mut(each).enumerate() {
            let first = first + block * each;
            match self.bytes(first..first + to.len()) {
                Some(bytes) => decode(&bytes[part * self.encoding.sample_type.bytes()..], to),
                None => to.fill(missing),
            }
        }
    }

    /// The bytes from the first of some samples, one at least, to the last.
    fn bytes(&self, samples: Range<usize>) -> Option<Cow<'_, [u8]>> {
        let first = self.first + samples.start * self.stride;
        self.content.bytes(first..first + (samples.len() - 1) * self.stride + self.encoding.bytes())
    }

    /// Writes the numbers in the bytes of samples, in single precision.
    fn decode_f32(&self, bytes: &[u8], to: &mut [f32]) {
        match self.encoding.sample_type {
            SampleType::S16 => self.decode(bytes, to, |bytes| f32::from(i16::from_le_bytes(bytes)) / 32_768.0),
            SampleType::S24 => self.decode(bytes, to, |[a, b, c]| i32::from_le_bytes([0, a, b, c]) as f32 / 2_147_483_648.0),
            SampleType::F32 => self.decode(bytes, to, f32::from_le_bytes),
            SampleType::S32 | SampleType::F64 => {
                converted(to, &|from, wide| self.decode_f64(&bytes[from * self.stride..], wide), |value: f64| value as f32)
            }
            SampleType::U8 | SampleType::S8 | SampleType::ALaw | SampleType::MuLaw => {
                let table = table(self.encoding.sample_type);
                self.decode(bytes, to, |[byte]| table[usize::from(byte)]);
            }
        }
    }

    /// As [`Self::decode_f32`], in double precision.
    fn decode_f64(&self, bytes: &[u8], to: &mut [f64]) {
        match self.encoding.sample_type {
            SampleType::S32 => self.decode(bytes, to, |bytes| f64::from(i32::from_le_bytes(bytes)) / 2_147_483_648.0),
            SampleType::F64 => self.decode(bytes, to, f64::from_le_bytes),
            _ => converted(to, &|from, narrow| self.decode_f32(&bytes[from * self.stride..], narrow), f64::from),
        }
    }

    /// Writes the numbers in the bytes of samples; `number` takes the bytes of the lowest bits first.
    fn decode<const N: usize, T>(&self, bytes: &[u8], to: &mut [T], number: impl Fn([u8; N]) -> T) {
        match (self.encoding.is_big_endian, self.stride) {
            // Loops whose steps the compiler knows take vectors: those of one and of two channels.
            (false, stride) if stride == N => decoded(bytes, N, to, &number),
            (false, stride) if stride == 2 * N => decoded(bytes, 2 * N, to, &number),
            (false, stride) => decoded(bytes, stride, to, &number),
            (true, stride) => decoded(bytes, stride, to, &|mut bytes: [u8; N]| {
                bytes.reverse();
                number(bytes)
            }),
        }
    }
}

/// Writes the numbers in the first bytes of every `stride`.
#[inline(always)]
fn decoded<const N: usize, T>(bytes: &[u8], stride: usize, to: &mut [T], number: &impl Fn([u8; N]) -> T) {
    let Some((last, others)) = to.split_last_mut() else { return };
    let of = |bytes: &[u8]| number(*bytes.first_chunk().expect("a sample has its bytes"));
    for (to, bytes) in others.iter_mut().zip(bytes.chunks_exact(stride)) {
        *to = of(bytes);
    }
    // Those of the last one may end before its stride.
    *last = of(&bytes[others.len() * stride..]);
}

/// Writes numbers that `read` gives in another precision, a few at a time.
fn converted<A: Copy + Default, B>(to: &mut [B], read: &dyn Fn(usize, &mut [A]), convert: impl Fn(A) -> B) {
    const FEW: usize = 32;
    for (chunk, to) in to.chunks_mut(FEW).enumerate() {
        let mut numbers = [A::default(); FEW];
        read(chunk * FEW, &mut numbers[..to.len()]);
        to.iter_mut().zip(numbers).for_each(|(to, number)| *to = convert(number));
    }
}

/// The numbers of a type of one byte, which are computed once.
fn table(of: SampleType) -> &'static [f32; 256] {
    static TABLES: [LazyLock<[f32; 256]>; 4] = [
        LazyLock::new(|| SampleType::U8.of_byte()),
        LazyLock::new(|| SampleType::S8.of_byte()),
        LazyLock::new(|| SampleType::ALaw.of_byte()),
        LazyLock::new(|| SampleType::MuLaw.of_byte()),
    ];
    &TABLES[match of {
        SampleType::U8 => 0,
        SampleType::ALaw => 2,
        SampleType::MuLaw => 3,
        _ => 1,
    }]
}

impl PartialEq for Pcm {
    /// Whether the samples and the way in which they are stored are the same.
    fn eq(&self, other: &Self) -> bool {
        let is_same = self.content.is_same(&other.content) && (self.first, self.stride) == (other.first, other.stride);
        let has_same = |block: Range<usize>| {
            let [Some(own), Some(others)] = [self, other].map(|pcm| pcm.bytes(block.clone())) else { return false };
            let width = self.encoding.bytes();
            own.chunks(self.stride).zip(others.chunks(other.stride)).all(|(own, others)| own[..width] == others[..width])
        };
        (self.n, self.encoding) == (other.n, other.encoding)
            && (is_same || (0..self.n).step_by(BLOCK).all(|first| has_same(first..self.n.min(first + BLOCK))))
    }
}

impl std::fmt::Debug for Pcm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} samples, {:?}, every {} bytes", self.n, self.encoding, self.stride)
    }
}

//! The scalar types of the CPU, and an array of lanes that several threads may write.

use num_complex::Complex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Single or double precision.
pub trait Float: rustfft::FftNum {
    /// 64-bit words of one complex lane.
    const WORDS: usize;

    /// The nearest value to a double: tables are made in double precision.
    fn rounded(value: f64) -> Self;

    /// Writes a lane to its words.
    fn store(lane: Complex<Self>, words: &[AtomicU64]);

    /// Reads a lane from its words.
    fn load(words: &[AtomicU64]) -> Complex<Self>;
}

impl Float for f32 {
    const WORDS: usize = 1;

    fn rounded(value: f64) -> Self {
        value as Self
    }

    fn store(lane: Complex<Self>, words: &[AtomicU64]) {
        words[0].store(u64::from(lane.re.to_bits()) << 32 | u64::from(lane.im.to_bits()), Ordering::Relaxed);
    }

    fn load(words: &[AtomicU64]) -> Complex<Self> {
        let word = words[0].load(Ordering::Relaxed);
        Complex::new(Self::from_bits((word >> 32) as u32), Self::from_bits(word as u32))
    }
}

impl Float for f64 {
    const WORDS: usize = 2;

    fn rounded(value: f64) -> Self {
        value
    }

    fn store(lane: Complex<Self>, words: &[AtomicU64]) {
        words[0].store(lane.re.to_bits(), Ordering::Relaxed);
        words[1].store(lane.im.to_bits(), Ordering::Relaxed);
    }

    fn load(words: &[AtomicU64]) -> Complex<Self> {
        let [re, im] = [0, 1].map(|word| Self::from_bits(words[word].load(Ordering::Relaxed)));
        Complex::new(re, im)
    }
}

/// Lanes that threads write side by side.
/// Every lane has one writer, so relaxed atomics, which cost nothing here, are only a way to say so without unsafe code.
pub(super) struct Shared<T> {
    words: Vec<AtomicU64>,
    scalar: std::marker::PhantomData<T>,
}

impl<T: Float> Shared<T> {
    /// The lanes that no thread writes keep their value.
    pub(super) fn new(before: &[Complex<T>]) -> Self {
        let words: Vec<AtomicU64> = (0..before.len() * T::WORDS).map(|_| AtomicU64::new(0)).collect();
        for (lane, words) in before.iter().zip(words.chunks(T::WORDS)) {
            T::store(*lane, words);
        }
        Self { words, scalar: std::marker::PhantomData }
    }

    pub(super) fn store(&self, lane: usize, value: Complex<T>) {
        T::store(value, &self.words[lane * T::WORDS..(lane + 1) * T::WORDS]);
    }

    pub(super) fn into_lanes(self) -> Vec<Complex<T>> {
        self.words.chunks(T::WORDS).map(T::load).collect()
    }
}

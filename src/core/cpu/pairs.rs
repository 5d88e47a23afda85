//! The transform of an even number of real samples: rustfft transforms half as many pairs, and a loop in vectors takes the samples of each pair apart.
//!
//! H. V. Sorensen, D. L. Jones, M. T. Heideman, C. S. Burrus, Real-valued fast Fourier transform algorithms, IEEE Transactions on Acoustics, Speech, and
//! Signal Processing 35 (1987), 849–863, section V. It has the interface of realfft, whose loop takes one value at a time, so that frames take less time here; comparisons name and run realfft itself.

use super::Float;
use super::vector::with_vectors;
use num_complex::{Complex, Complex64};
use realfft::{FftError, RealToComplex};
use rustfft::{Fft, FftDirection};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Values of a block. Where nothing is optimised at link time, the compiler makes vectors of sixteen and works on eight one by one.
const BLOCK: usize = 16;

/// The transform of a number of pairs of samples to half of their spectrum.
pub(super) struct Pairs<T> {
    half: Arc<dyn Fft<T>>,
    /// Half of exp(−2πik/n) from k = 1 on.
    roots: Vec<Complex<T>>,
}

impl<T: Float> Pairs<T> {
    /// The transform of `n` samples.
    pub(super) fn new(n: usize) -> Self {
        let root = |k: usize| Complex64::from_polar(0.5, -TAU * k as f64 / n as f64);
        let roots = (1..=n / 4).map(|k| Complex::new(T::rounded(root(k).re), T::rounded(root(k).im)));
        Self { half: T::fft(n / 2, FftDirection::Forward), roots: roots.collect() }
    }
}

impl<T: Float> RealToComplex<T> for Pairs<T> {
    fn process(&self, input: &mut [T], output: &mut [Complex<T>]) -> Result<(), FftError> {
        self.process_with_scratch(input, output, &mut self.make_scratch_vec())
    }

    fn process_with_scratch(&self, input: &mut [T], output: &mut [Complex<T>], scratch: &mut [Complex<T>]) -> Result<(), FftError> {
        let (n, m) = (self.len(), self.half.len());
        if input.len() != n {
            return Err(FftError::InputBuffer(n, input.len()));
        }
        if output.len() != m + 1 {
            return Err(FftError::OutputBuffer(m + 1, output.len()));
        }
        let (needed, given) = (self.get_scratch_len(), scratch.len());
        let scratch = scratch.get_mut(..needed).ok_or(FftError::ScratchBuffer(needed, given))?;
        self.half.process_outofplace_with_scratch(bytemuck::cast_slice_mut(input), &mut output[..m], scratch);
        let first = output[0];
        output[0] = Complex::new(first.re + first.im, T::ZERO);
        output[m] = Complex::new(first.re - first.im, T::ZERO);
        let [front, middle, back] = opposites(&mut output[1..m]);
        middle.iter_mut().for_each(|middle| *middle = middle.conj());
        join(front, back, &self.roots);
        Ok(())
    }

    fn get_scratch_len(&self) -> usize {
        self.half.get_outofplace_scratch_len()
    }

    fn len(&self) -> usize {
        2 * self.half.len()
    }

    fn make_input_vec(&self) -> Vec<T> {
        vec![T::ZERO; self.len()]
    }

    fn make_output_vec(&self) -> Vec<Complex<T>> {
        vec![Complex::new(T::ZERO, T::ZERO); self.complex_len()]
    }

    fn make_scratch_vec(&self) -> Vec<Complex<T>> {
        vec![Complex::new(T::ZERO, T::ZERO); self.get_scratch_len()]
    }
}

/// Values from index 1 on in their first half, the one in the middle, which has no opposite, and the opposites of the first half.
pub(super) fn opposites<T>(values: &mut [Complex<T>]) -> [&mut [Complex<T>]; 3] {
    let half = values.len() / 2;
    let (front, rest) = values.split_at_mut(half);
    let (middle, back) = rest.split_at_mut(rest.len() - half);
    [front, middle, back]
}

/// Replaces values and their opposites, counted from the other end, by those of the samples; `roots` are half of the root of each value in `front`.
pub(super) fn join<T: Float>(front: &mut [Complex<T>], back: &mut [Complex<T>], roots: &[Complex<T>]) {
    with_vectors(
        #[inline(always)]
        || {
            let (blocks, front) = front.as_chunks_mut::<BLOCK>();
            let (back, opposites) = back.as_rchunks_mut::<BLOCK>();
            let (whole, roots) = roots.as_chunks::<BLOCK>();
            for ((block, opposites), roots) in blocks.iter_mut().zip(opposites.iter_mut().rev()).zip(whole) {
                join_block(block, opposites, roots);
            }
            let roots = whole.get(blocks.len()).map_or(roots, |roots| &roots[..]);
            for ((value, opposite), root) in front.iter_mut().zip(back.iter_mut().rev()).zip(roots) {
                join_block(std::array::from_mut(value), std::array::from_mut(opposite), std::array::from_ref(root));
            }
        },
    );
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn join_block<T: Float, const N: usize>(values: &mut [Complex<T>; N], opposites: &mut [Complex<T>; N], roots: &[Complex<T>; N]) {
    let half = T::rounded(0.5);
    let (mut re, mut im, mut other_re, mut other_im) = ([T::ZERO; N], [T::ZERO; N], [T::ZERO; N], [T::ZERO; N]);
    for k in 0..N {
        let (a, b, root) = (values[k], opposites[N - 1 - k], roots[k]);
        // The sum is twice the transform of the samples at even places, the difference 2i times that of those at odd places.
        let (even_re, even_im) = (half * (a.re + b.re), half * (a.im - b.im));
        let (odd_re, odd_im) = (a.re - b.re, a.im + b.im);
        let (turned_re, turned_im) = (odd_im * root.re + odd_re * root.im, odd_im * root.im - odd_re * root.re);
        (re[k], im[k]) = (even_re + turned_re, even_im + turned_im);
        (other_re[k], other_im[k]) = (even_re - turned_re, turned_im - even_im);
    }
    for k in 0..N {
        values[k] = Complex::new(re[k], im[k]);
        opposites[N - 1 - k] = Complex::new(other_re[k], other_im[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use realfft::RealFftPlanner;

    #[test]
    fn every_even_length_gives_what_realfft_gives() {
        let mut random = crate::random::Random::new(3);
        for n in (2..140).step_by(2).chain([256, 1000, 2048, 4094]) {
            let samples: Vec<f64> = (0..n).map(|_| random.below(1 << 20) as f64 / 1e6 - 0.5).collect();
            let plans = [Arc::new(Pairs::<f64>::new(n)) as Arc<dyn RealToComplex<f64>>, RealFftPlanner::new().plan_fft_forward(n)];
            let [own, known] = plans.map(|plan| {
                let mut values = plan.make_output_vec();
                plan.process(&mut samples.clone(), &mut values).unwrap();
                values
            });
            let error = own.iter().zip(&known).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(own.len() == n / 2 + 1 && error < 1e-13 * n as f64, "{n}: {error}");
        }
    }

    #[test]
    fn slices_of_other_lengths_are_refused() {
        let plan = Pairs::<f32>::new(8);
        let zero = Complex::new(0.0, 0.0);
        assert!(matches!(plan.process(&mut [0.0; 7], &mut [zero; 5]), Err(FftError::InputBuffer(8, 7))));
        assert!(matches!(plan.process(&mut [0.0; 8], &mut [zero; 4]), Err(FftError::OutputBuffer(5, 4))));
    }
}

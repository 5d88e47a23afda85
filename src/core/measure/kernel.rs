//! Kernels that blur images, and the filter of Wiener that undoes it.

use crate::threads;
use num_complex::Complex64;

/// A kernel that blurs an image; its sum is 1.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum BlurKernel {
    /// A Gaussian.
    Gauss {
        /// Its standard deviation in pixels.
        sigma: f64,
    },
    /// A disc, as a lens out of focus blurs.
    Disc {
        /// Its radius in pixels.
        radius: f64,
    },
    /// A straight line, as a motion blurs.
    Motion {
        /// Its length in pixels.
        length: f64,
        /// Its direction in degrees, anticlockwise from x.
        angle: f64,
    },
}

/// Points along each side of a pixel at which a kernel is taken.
const POINTS: i32 = 8;

impl BlurKernel {
    /// The kernel in an image of this number of rows and columns, its middle at index (0, 0), with sum 1.
    pub fn samples(self, [rows, columns]: [usize; 2]) -> Vec<f32> {
        let reach = match self {
            Self::Gauss { sigma } => 5.0 * sigma,
            Self::Disc { radius } => radius,
            Self::Motion { length, .. } => 0.5 * length,
        };
        let reach = (reach.max(0.0).ceil() as isize + 1).min(rows.max(columns) as isize);
        let mut samples = vec![0.0; rows * columns];
        for y in -reach..=reach {
            for x in -reach..=reach {
                let (row, column) = (y.rem_euclid(rows as isize) as usize, x.rem_euclid(columns as isize) as usize);
                samples[row * columns + column] += self.in_pixel(x as f64, y as f64);
            }
        }
        let sum: f64 = samples.iter().sum();
        samples.into_iter().map(|sample| (sample / sum) as f32).collect()
    }

    /// Its width and height in pixels; of a Gaussian two standard deviations to each side.
    pub fn extent(self) -> [f64; 2] {
        match self {
            Self::Gauss { sigma } => [4.0 * sigma; 2],
            Self::Disc { radius } => [2.0 * radius; 2],
            Self::Motion { length, angle } => {
                let (sin, cos) = angle.to_radians().sin_cos();
                [length * cos.abs(), length * sin.abs()]
            }
        }
    }

    /// The mean over a pixel, up to a factor.
    fn in_pixel(self, x: f64, y: f64) -> f64 {
        let offset = |k: i32| (f64::from(k) + 0.5) / f64::from(POINTS) - 0.5;
        let points = (0..POINTS).flat_map(|i| (0..POINTS).map(move |j| [offset(i), offset(j)]));
        match self {
            // A Gaussian is smooth enough to be taken in the middle; a narrow one is a single pixel.
            Self::Gauss { sigma } => (-(x * x + y * y) / (2.0 * (sigma * sigma).max(1e-3))).exp(),
            Self::Disc { radius } => points.filter(|[dx, dy]| (x + dx).hypot(y + dy) <= radius.max(0.5)).count() as f64,
            Self::Motion { length, angle } => {
                let (sin, cos) = angle.to_radians().sin_cos();
                // One pixel wide; y counts down.
                let is_on = |[dx, dy]: &[f64; 2]| {
                    let (x, y) = (x + dx, y + dy);
                    (x * cos - y * sin).abs() <= 0.5 * length.max(1.0) && (x * sin + y * cos).abs() <= 0.5
                };
                points.filter(is_on).count() as f64
            }
        }
    }
}

/// Y·H*/(|H|² + noise) of every value: the spectrum of least mean square error before a blur with spectrum H, where the power of the noise is this share of that of the image.
pub fn wiener(blurred: &[Complex64], blur: &[Complex64], noise: f64) -> Vec<Complex64> {
    let value = |index: usize| {
        let (y, h) = (blurred[index], blur[index]);
        let power = h.norm_sqr() + noise;
        if power > 0.0 { y * h.conj() / power } else { Complex64::default() }
    };
    threads::tabulate(blurred.len(), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_sum_one_and_their_form() {
        let kernels = [
            BlurKernel::Gauss { sigma: 1.5 },
            BlurKernel::Gauss { sigma: 0.0 },
            BlurKernel::Disc { radius: 3.0 },
            BlurKernel::Disc { radius: 0.0 },
            BlurKernel::Motion { length: 7.0, angle: 0.0 },
            BlurKernel::Disc { radius: 90.0 },
        ];
        for kernel in kernels {
            let samples = kernel.samples([16, 20]);
            let sum: f64 = samples.iter().map(|&sample| f64::from(sample)).sum();
            assert!((sum - 1.0).abs() < 1e-5 && samples.iter().all(|sample| *sample >= 0.0), "{kernel:?}: {sum}");
        }
        let motion = BlurKernel::Motion { length: 7.0, angle: 90.0 }.samples([16, 20]);
        let column = |x: usize| (0..16).map(|y| motion[y * 20 + x]).sum::<f32>();
        assert!(column(0) > 0.99 && motion[13 * 20] > 0.1 && motion[12 * 20] == 0.0, "upright, 7 pixels long");
        let tilted = BlurKernel::Motion { length: 9.0, angle: 45.0 }.samples([16, 20]);
        assert!(tilted[15 * 20 + 1] > 0.05 && tilted[20 + 1] < 0.03, "45° goes to the right and up");
    }

    #[test]
    fn without_noise_the_filter_divides() {
        let [y, h] = [Complex64::new(3.0, 1.0), Complex64::new(0.5, -0.5)];
        assert!((wiener(&[y * h], &[h], 0.0)[0] - y).norm() < 1e-12);
        assert_eq!(wiener(&[y], &[Complex64::default()], 0.0)[0], Complex64::default());
        assert!(wiener(&[y * h], &[h], 1.0)[0].norm() < y.norm());
    }
}

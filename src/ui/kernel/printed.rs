//! The kernels that the papers print, as pseudo-code in our words.

/// A kernel of a paper.
pub(super) struct PrintedKernel {
    /// The paper and the place in it.
    pub source: &'static str,
    /// The lines.
    pub lines: &'static [&'static str],
    /// Where the printed text errs, and what it leaves out.
    pub note: &'static str,
}

static KRONECKER_IN_PLACE: PrintedKernel = PrintedKernel {
    source: "D. Gajić, R. Stanković 2011, Algorithm 1",
    lines: &[
        "for step = N/2, N/4, …, 1",
        "    N/2 threads, t = 0, 1, …",
        "        op1 = t mod step + 2·step·(t div step)",
        "        op2 = op1 + step",
        "        (buff[op1], buff[op2]) = butterfly(buff[op1], buff[op2])",
    ],
    note: "In place: every thread writes where it has read.",
};
static KRONECKER_CONSTANT: PrintedKernel = PrintedKernel {
    source: "D. Gajić, R. Stanković 2011, Algorithm 2",
    lines: &[
        "for step = N/2, N/4, …, 1",
        "    N/2 threads, t = 0, 1, …",
        "        (u, v) = (in[2·t], in[2·t + 1])",
        "        dst1 = t mod step + 2·step·(t div step)",
        "        dst2 = dst1 + step",
        "        (out[dst1], out[dst2]) = butterfly(u, v)",
        "    exchange in and out",
    ],
    note: "The shrinking step ends in dyadic order; for natural order every step writes t and t + N/2. The printed step 4 takes the first buffer for odd log2 N; the result always stands in the buffer that was written last.",
};
static HAAR_IN_PLACE: PrintedKernel = PrintedKernel {
    source: "D. Gajić, R. Stanković 2011, Algorithm 3",
    lines: &[
        "active = N/2",
        "for step = N/2, N/4, …, 1",
        "    active threads, t = 0, 1, …",
        "        op1 = t mod step + 2·step·(t div step)",
        "        op2 = op1 + step",
        "        (buff[op1], buff[op2]) = (buff[op1] + buff[op2], buff[op1] − buff[op2])",
        "    active = active/2",
    ],
    note: "As printed it gives the Haar transform of the input in bit-reversed order: haar-printed.",
};
static HAAR_CONSTANT: PrintedKernel = PrintedKernel {
    source: "D. Gajić, R. Stanković 2011, Algorithm 4",
    lines: &[
        "active = N/2",
        "for step = N/2, N/4, …, 1",
        "    active threads, t = 0, 1, …",
        "        (u, v) = (in[2·t], in[2·t + 1])",
        "        dst1 = t mod step + 2·step·(t div step)",
        "        dst2 = dst1 + step",
        "        out and whole at (dst1, dst2) = (u + v, u − v)",
        "    exchange in and out; active = active/2",
    ],
    note: "A third buffer, whole, collects the finished coefficients of every step.",
};
static DYADIC: PrintedKernel = PrintedKernel {
    source: "D. Gajić, R. Stanković 2012, Algorithm 1",
    lines: &[
        "Walsh transform of f in buffer 1, and of g in buffer 2, in place",
        "N threads: buffer1[t] = buffer1[t]·buffer2[t]",
        "Walsh transform of buffer 1, in place",
        "N threads: buffer1[t] = buffer1[t]/N",
    ],
    note: "Four kernels: the step of the Walsh transform, the product, and the scaling.",
};
static STOCKHAM: PrintedKernel = PrintedKernel {
    source: "R. Li 2012, the radix-2 kernel of Section 4.1",
    lines: &[
        "for p = 1, 2, 4, …, N/2",
        "    N/2 threads, t = 0, 1, …",
        "        k = t mod p",
        "        (a, b) = (src[t], src[t + N/2])",
        "        b = b·e^(−πik/p)",
        "        to = 2·t − k",
        "        (dst[to], dst[to + p]) = (a + b, a − b)",
        "    exchange src and dst",
    ],
    note: "The printed angle −2πk/p does not give the Fourier transform; −πk/p does.",
};
static GLOBAL_KERNEL: PrintedKernel = PrintedKernel {
    source: "T. Sörman 2016, Algorithm 1: the global kernel",
    lines: &[
        "for stage = 0, 1, …; dist = N/2, N/4, …",
        "    N/2 threads, t = 0, 1, …",
        "        low = t + (t & mask of the bits from dist on)",
        "        high = low + dist",
        "        angle = −2π/N·(2^stage·t mod (N/2))",
        "        difference = data[low] − data[high]",
        "        data[low] = data[low] + data[high]",
        "        data[high] = difference·e^(i·angle)",
    ],
    note: "Table 3.1 prints the shift of the mask as 32 − stage; it must be log2 N − 1 − stage.",
};
static LOCAL_KERNEL: PrintedKernel = PrintedKernel {
    source: "T. Sörman 2016, Algorithm 2: the local kernel",
    lines: &[
        "a block: T threads, 2·T values in shared memory",
        "    low = t; high = t + T",
        "    for stage = 0, 1, …",
        "        angle = angle of the block·(low & (all ones << stage))",
        "        difference = shared[low] − shared[high]",
        "        sum = shared[low] + shared[high]",
        "        barrier",
        "        shared[2·t] = sum",
        "        shared[2·t + 1] = difference·e^(i·angle)",
        "        barrier",
        "    out[reversed bits of low and high] = c·shared[low and high]",
    ],
    note: "Constant geometry inside a block: every stage reads t and t + T and writes 2t and 2t + 1.",
};
static OPENMP_STAGE: PrintedKernel = PrintedKernel {
    source: "T. Sörman 2016, Figure 4.5: a stage on the CPU",
    lines: &[
        "the threads share l = 0, 1, …, N/2 − 1",
        "    (a, b) = (in[l], in[l + N/2])",
        "    out[2·l] = a + b",
        "    out[2·l + 1] = (a − b)·w[l & mask]",
    ],
    note: "Constant geometry in every stage, and twiddles from a table.",
};

/// The kernels that a paper prints for an algorithm of a transform.
pub(super) fn of(transform: &str, algorithm: &str) -> Vec<&'static PrintedKernel> {
    match (transform, algorithm) {
        ("walsh" | "reed-muller" | "arithmetic" | "kronecker", "cooley-tukey") => vec![&KRONECKER_IN_PLACE],
        ("walsh" | "reed-muller" | "arithmetic" | "kronecker", "constant-geometry") => vec![&KRONECKER_CONSTANT],
        ("haar-printed", "cooley-tukey") => vec![&HAAR_IN_PLACE],
        ("haar", "constant-geometry" | "three-buffers") => vec![&HAAR_CONSTANT],
        ("dyadic-convolution" | "dyadic-autocorrelation", "convolution-theorem" | "separate-transforms") => vec![&DYADIC],
        ("dft" | "dft-printed", "stockham-dit-2") => vec![&STOCKHAM],
        ("dft", "cooley-tukey" | "cooley-tukey-dif") => vec![&GLOBAL_KERNEL],
        ("dft", "constant-geometry") => vec![&LOCAL_KERNEL, &OPENMP_STAGE],
        ("dft", "constant-geometry-sorted") => vec![&OPENMP_STAGE],
        ("dft", "global-local") => vec![&GLOBAL_KERNEL, &LOCAL_KERNEL],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::TRANSFORMS;

    #[test]
    fn every_printed_kernel_belongs_to_an_algorithm_of_the_table() {
        let known = TRANSFORMS.iter().flat_map(|row| row.algorithms.iter().flat_map(|algorithm| of(row.name, algorithm.name)));
        let mut sources: Vec<&str> = known.map(|kernel| kernel.source).collect();
        sources.sort_unstable();
        sources.dedup();
        assert_eq!(sources.len(), 9, "{sources:?}");
    }

    /// One step of Li's kernel with the right angle, N/2 threads on complex pairs.
    #[test]
    fn the_angle_of_the_note_gives_the_fourier_transform() {
        use num_complex::Complex64;
        let n = 8;
        let mut src: Vec<Complex64> = (0..n).map(|i| Complex64::new((i as f64).sin(), i as f64 * 0.25)).collect();
        let expected: Vec<Complex64> = (0..n)
            .map(|k| (0..n).map(|i| src[i] * Complex64::from_polar(1.0, -std::f64::consts::TAU * (i * k) as f64 / n as f64)).sum())
            .collect();
        let mut p = 1;
        while p < n {
            let mut dst = src.clone();
            for t in 0..n / 2 {
                let k = t % p;
                let (a, b) = (src[t], src[t + n / 2] * Complex64::from_polar(1.0, -std::f64::consts::PI * k as f64 / p as f64));
                (dst[2 * t - k], dst[2 * t - k + p]) = (a + b, a - b);
            }
            (src, p) = (dst, 2 * p);
        }
        assert!(src.iter().zip(&expected).all(|(a, b)| (a - b).norm() < 1e-12));
    }
}

//! Why a job has no result, and what helps.

use super::SolveError;
use super::worker::StudyFailure;
use crate::gpu::GpuError;
use crate::numerals::{counted, number};
use crate::periodogram::PeriodogramError;
use crate::plan::Precision;
use crate::prepare::PrepareError;
use crate::remedy::{Remedies, Remedy};
use crate::signal::{NoSuchChannel, SignalKind, SystemError};
use crate::spectra::SpectraError;
use crate::transforms::{Shape, Unsupported};

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// No plan for this shape, or a name that is not in the table.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Something newer was asked for, or the user cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The part of a recording has no spectrum.
    #[error(transparent)]
    Spectra(SpectraError),
    /// The device is not there or refused.
    #[error(transparent)]
    Gpu(GpuError),
    /// The signal has no such channel.
    #[error(transparent)]
    Channel(#[from] NoSuchChannel),
    /// An algorithm that no GPU runs.
    #[error("{algorithm} runs on the CPU only")]
    CpuOnly {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// A library does not take an order of the loops.
    #[error("{algorithm} orders its loops itself")]
    OwnLoops {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// Loops in one order run stage by stage, whatever the launches.
    #[error("local and strided loops run one stage after the other, and {algorithm} has the schedule {schedule} here")]
    LoopsByStage {
        /// The algorithm.
        algorithm: &'static str,
        /// The kind of schedule.
        schedule: &'static str,
    },
    /// Samples with fractions, or beyond 64 bits, where only integers can be taken.
    #[error("{transform} computes modulo {modulus} and takes integers of 64 bits, and the samples have fractions or are longer")]
    Fractions {
        /// The transform.
        transform: &'static str,
        /// The modulus.
        modulus: u32,
    },
    /// The two signals have different sizes.
    #[error("{second} has {has} values and {first} has {needed}: take a second signal of the same size, or of one row of {columns} values")]
    Lines {
        /// Name of the second signal.
        second: String,
        /// Its size.
        has: String,
        /// Name of the first signal.
        first: String,
        /// Its size.
        needed: String,
        /// Length of its rows.
        columns: usize,
    },
    /// Two images of different sizes.
    #[error("{second} has {has} and {first} has {needed}: take two images of the same size")]
    Sizes {
        /// Name of the second image.
        second: String,
        /// Its size.
        has: String,
        /// Name of the first image.
        first: String,
        /// Its size.
        needed: String,
    },
    /// A complex image where two images are compared.
    #[error("{signal} is complex, and two real images are compared")]
    ComplexImage {
        /// Name of the image.
        signal: String,
    },
    /// A convolution needs a second signal.
    #[error("{transform} takes two signals, and one is given")]
    NoSecond {
        /// The transform.
        transform: &'static str,
    },
    /// Integers that may grow beyond 64 bits.
    #[error("the integers of {transform} may grow to {bits} bits, and 63 are kept exactly")]
    Overflow {
        /// The transform.
        transform: &'static str,
        /// Bits that the largest result may need.
        bits: u32,
    },
    /// A convolution whose length leaves too few primes with roots of unity.
    #[error("there are too few primes below 2^31 for exact results of {bits} bits by transforms of {length} values")]
    TooFewPrimes {
        /// The length of the transforms.
        length: usize,
        /// Bits of the largest result.
        bits: u64,
    },
    /// Complex samples for a transform of real ones.
    #[error("{transform} takes real samples, and {signal} is complex")]
    Complex {
        /// The transform.
        transform: &'static str,
        /// Name of the signal.
        signal: String,
        /// The transform of complex samples along the same axes.
        instead: &'static str,
    },
    /// A transform that has no wavelets.
    #[error("{transform} is no wavelet transform")]
    NoWavelet {
        /// The transform.
        transform: &'static str,
    },
    /// A transform that cannot be undone.
    #[error("{transform} has no inverse, so that its coefficients make no samples")]
    NoInverse {
        /// The transform.
        transform: &'static str,
    },
    /// More coefficients than are taken apart by hand.
    #[error("{n} coefficients are too many to be changed by hand; {most} are the most")]
    TooMany {
        /// Number of coefficients.
        n: usize,
        /// The greatest number.
        most: usize,
    },
    /// Complex samples where magnitudes are thresholded.
    #[error("the coefficients of {transform} are thresholded as real numbers, and {signal} is complex")]
    RealOnly {
        /// The transform.
        transform: &'static str,
        /// Name of the signal.
        signal: String,
    },
    /// Samples that are infinite or no numbers.
    #[error("{signal} has {}", counted(*n, "infinite or NaN sample"))]
    NotFinite {
        /// Name of the signal.
        signal: String,
        /// Number of such samples.
        n: usize,
        /// Whether the job can put the mean in their place.
        can_prepare: bool,
    },
    /// Samples so large that their coefficients are not finite.
    #[error("the coefficients of {signal} are too large for {} precision", precision.name())]
    TooLarge {
        /// Name of the signal.
        signal: String,
        /// The precision.
        precision: Precision,
    },
    /// Samples so small that their coefficients are all zero.
    #[error("the samples of {signal} are too small for single precision, which has them as zero")]
    TooSmall {
        /// Name of the signal.
        signal: String,
    },
    /// A coefficient that the precision has as infinite or zero.
    #[error("{} is a coefficient of {transform} beyond single precision", number(*coef, 6))]
    Coefficient {
        /// The transform.
        transform: &'static str,
        /// The coefficient.
        coef: f64,
    },
    /// The transform takes equations, and no samples.
    #[error("{transform} takes the equations of a system and no samples")]
    NoSamples {
        /// The transform.
        transform: &'static str,
    },
    /// A job without a system where one is to be solved.
    #[error("{transform} solves no equations")]
    NoSystem {
        /// The transform.
        transform: &'static str,
    },
    /// The samples cannot be prepared as asked.
    #[error(transparent)]
    Prepare(PrepareError),
    /// Numbers that are not a system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A system that has no solution to be trusted.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Samples without a periodogram.
    #[error(transparent)]
    Periodogram(PeriodogramError),
    /// A panic on the way, which is a mistake of the program.
    #[error("the program failed at this job ({fault}): please report it")]
    Fault {
        /// The message of the panic.
        fault: String,
    },
    /// Work that does not fit into memory, known before it begins.
    #[error("{what} of {size} takes {needed_mib} MiB of memory, and {free_mib} MiB may be used")]
    Memory {
        /// The work.
        what: &'static str,
        /// The size of the image or signal.
        size: String,
        /// MiB that it takes.
        needed_mib: u128,
        /// MiB that there are.
        free_mib: u128,
    },
    /// A kernel that reaches around the image.
    #[error("the kernel is {kernel} px wide, and {image} has {size}: an image is at least as large as what blurred it")]
    LargeKernel {
        /// The width of the kernel.
        kernel: String,
        /// The name of the image.
        image: String,
        /// Its size.
        size: String,
    },
    /// A mask that cannot filter.
    #[error(transparent)]
    Mask(crate::filter::MaskError),
    /// A mask as an image that cannot be read.
    #[error("the mask cannot be read: {reason}")]
    MaskFile {
        /// Why, with the name of the file.
        reason: String,
    },
    /// There is nothing to transform.
    #[error("{transform} needs at least one sample")]
    Empty {
        /// The transform.
        transform: &'static str,
    },
}

impl EngineError {
    /// Whether the device failed, so that it is to be opened anew.
    pub(super) fn is_lost_device(&self) -> bool {
        matches!(self, Self::Gpu(GpuError::Device { .. } | GpuError::OutOfMemory { .. }))
    }
}

impl Remedies for EngineError {
    fn remedies(&self) -> Vec<Remedy> {
        /// Transforms with wavelets; d2 is the Haar wavelet.
        const WAVELETS: [&str; 7] = ["cdf97", "cdf97-2", "d2", "d2-2", "d4", "d4-2", "d4-packet"];
        match self {
            Self::Unsupported(error) => error.remedies(),
            Self::Gpu(error) => error.remedies(),
            Self::Prepare(error) => error.remedies(),
            Self::System(error) => error.remedies(),
            Self::Solve(error) => error.remedies(),
            Self::Periodogram(error) => error.remedies(),
            Self::Spectra(error) => error.remedies(),
            Self::CpuOnly { .. } => vec![Remedy::AnotherAlgorithm, Remedy::AllCores],
            Self::OwnLoops { .. } => vec![Remedy::AnotherAlgorithm, Remedy::OneThread],
            Self::LoopsByStage { .. } => vec![Remedy::OneThread],
            Self::Fractions { .. } => vec![Remedy::Advice("round them"), Remedy::Advice("take one channel of a colour image")],
            Self::NoSecond { .. } => vec![Remedy::SecondSignal],
            Self::TooFewPrimes { .. } => vec![Remedy::SmallerSize],
            Self::Overflow { .. } => {
                vec![Remedy::Advice("take smaller samples"), Remedy::Advice("store them as floating-point numbers")]
            }
            Self::Complex { instead, .. } => vec![Remedy::Transforms(vec![instead])],
            Self::NoInverse { .. } | Self::NoWavelet { .. } => vec![Remedy::Transforms(WAVELETS.to_vec())],
            Self::RealOnly { .. } | Self::ComplexImage { .. } => vec![Remedy::Advice("take its real part")],
            Self::NotFinite { can_prepare: true, .. } => vec![Remedy::RemoveMean],
            Self::NotFinite { .. } => vec![Remedy::Advice("replace them")],
            Self::TooLarge { precision: Precision::Double, .. } => vec![Remedy::Advice("scale the samples")],
            Self::TooLarge { .. } | Self::TooSmall { .. } => {
                vec![Remedy::Advice("scale the samples"), Remedy::DoublePrecision, Remedy::OneThread]
            }
            Self::Coefficient { .. } => vec![Remedy::DoublePrecision, Remedy::OneThread],
            Self::NoSamples { .. } | Self::NoSystem { .. } => vec![Remedy::System],
            Self::TooMany { .. } | Self::Memory { .. } => vec![Remedy::SmallerSize],
            Self::LargeKernel { .. } => vec![Remedy::Advice("take a smaller kernel")],
            Self::Cancelled
            | Self::Fault { .. }
            | Self::Channel(_)
            | Self::Lines { .. }
            | Self::Sizes { .. }
            | Self::Empty { .. }
            | Self::Mask(_)
            | Self::MaskFile { .. } => Vec::new(),
        }
    }
}

impl From<GpuError> for EngineError {
    fn from(error: GpuError) -> Self {
        if error == GpuError::Cancelled { Self::Cancelled } else { Self::Gpu(error) }
    }
}

impl From<PrepareError> for EngineError {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::Cancelled => Self::Cancelled,
            PrepareError::Channel(error) => Self::Channel(error),
            error => Self::Prepare(error),
        }
    }
}

impl From<crate::cpu::Cancelled> for EngineError {
    fn from(_: crate::cpu::Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Refuses work on samples of a shape that does not fit into memory, before anything is allocated.
///
/// # Errors
/// With both numbers, when it does not.
pub fn check_memory(what: &'static str, (shape, kind): (Shape, SignalKind), bytes_per_value: u128) -> Result<(), EngineError> {
    let needed = (shape.rows as u128 * shape.columns as u128).saturating_mul(bytes_per_value);
    check_bytes(what, (shape, kind), [needed, crate::signal::memory_limit().into()])
}

/// Refuses work that needs more bytes than there are free.
pub(super) fn check_bytes(what: &'static str, (shape, kind): (Shape, SignalKind), [needed, free]: [u128; 2]) -> Result<(), EngineError> {
    if needed <= free {
        return Ok(());
    }
    Err(EngineError::Memory { what, size: kind.size(shape.rows, shape.columns), needed_mib: needed >> 20, free_mib: free >> 20 })
}

impl StudyFailure for EngineError {
    fn fault(fault: String) -> Self {
        Self::Fault { fault }
    }

    fn is_cancelled(&self) -> bool {
        *self == Self::Cancelled
    }

    fn may_pass(&self) -> bool {
        self.is_lost_device()
    }
}

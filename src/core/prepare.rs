//! Preparation: what happens to samples before any transform, as one chain of plain data, nothing by default.
//!
//! The links are applied in this order: region, removal of the mean or a plane, periodic plus smooth, window, padding.
//! The axes of the transform say whether an image is prepared as a whole, or every row or column by itself.

mod detrend;
mod error;
mod padding;
mod region;
mod restore;
mod steps;
mod window;

pub use detrend::Detrend;
pub(crate) use detrend::remove as remove_trend;
pub use error::PrepareError;
pub use padding::{Extent, Fill, Padding, fast_size};
pub use region::{Outline, Region, Snap};
pub use restore::{LEAST_WEIGHT, Restoration};
pub use window::{Window, WindowFactors, WindowFigures, Windowing};

use crate::numerals::number;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Shape};
use num_complex::{Complex, Complex32, Complex64};
use std::sync::atomic::AtomicBool;

/// The preparation of samples before a transform.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Preparation {
    /// The part that is taken; `None` takes everything.
    pub region: Option<Region>,
    /// The part that is removed.
    pub detrend: Detrend,
    /// Whether the smooth part is removed that makes the image jump from edge to edge.
    pub periodic: bool,
    /// The window.
    pub window: Windowing,
    /// The values that are added.
    pub padding: Padding,
}

/// Samples that were prepared.
#[derive(Debug, Clone)]
pub struct PreparedSamples {
    /// The samples.
    pub signal: Signal,
    /// The channel of them that is transformed.
    pub channel: ChannelChoice,
    /// The known facts of the preparation.
    pub facts: PreparedFacts,
}

/// The facts of a preparation that was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PreparedFacts {
    /// The preparation that was asked for.
    pub preparation: Preparation,
    /// The meaning of the axes.
    pub kind: SignalKind,
    /// The shape of the prepared samples.
    pub shape: Shape,
    /// Gain and bandwidth of the window, if there is one.
    pub window: Option<WindowFigures>,
    /// Samples that are not finite numbers and were kept out of mean and plane.
    pub n_skipped: usize,
}

/// A sample in floating point.
pub(crate) trait Sample: Copy + Send + Sync + Default {
    /// The type of its parts.
    type Real: crate::cpu::Float + Default;

    fn complex(self) -> Complex64;
    fn of(value: Complex64) -> Self;
    fn rounded(value: Complex64) -> Complex<Self::Real>;
    fn complex_of(value: Complex<Self::Real>) -> Complex64;
}

macro_rules! sample {
    ($($type:ty, $real:ty, |$value:ident| $complex:expr, $of:expr;)*) => { $(
        impl Sample for $type {
            type Real = $real;

            fn complex(self) -> Complex64 {
                let $value = self;
                $complex
            }

            fn of($value: Complex64) -> Self {
                $of
            }

            fn rounded(value: Complex64) -> Complex<$real> {
                Complex::new(value.re as $real, value.im as $real)
            }

            fn complex_of(value: Complex<$real>) -> Complex64 {
                Complex64::new(value.re.into(), value.im.into())
            }
        }
    )* };
}

sample! {
    f32, f32, |value| Complex64::new(value.into(), 0.0), value.re as f32;
    f64, f64, |value| Complex64::new(value, 0.0), value.re;
    Complex32, f32, |value| Complex64::new(value.re.into(), value.im.into()), Self::rounded(value);
    Complex64, f64, |value| value, value;
}

impl Preparation {
    /// Whether nothing happens.
    pub fn is_none(&self) -> bool {
        let window = Windowing { shape: self.window.shape, ..Windowing::default() };
        let fill = if self.padding.extent == Extent::None { Fill::Zeros } else { self.padding.fill };
        Self { window, padding: Padding { fill, ..self.padding }, ..*self } == Self::default()
    }

    /// Whether samples become others, and not only more or fewer.
    fn changes_values(&self) -> bool {
        let fills_mean = self.padding.extent != Extent::None && self.padding.fill == Fill::Mean;
        let is_round = self.region.is_some_and(|region| region.outline == Outline::Ellipse);
        self.detrend != Detrend::None || self.periodic || self.window.shape != Window::None || fills_mean || is_round
    }

    /// The shape of samples after their preparation for a transform along `axes`; a region that does not fit is left out.
    pub fn shape(&self, shape: Shape, axes: Axes) -> Shape {
        let region = self.region.filter(|region| region.check(shape, SignalKind::Image).is_ok());
        self.padding.shape(region.map_or(shape, Region::shape), axes)
    }

    /// The preparation for a second signal beside one of `rows` rows: a single row is not part of a region of rows.
    #[must_use]
    pub fn of_second(&self, second: &Signal, rows: usize) -> Self {
        let is_one = second.rows == 1 && rows > 1;
        let region = self.region.map(|region| if is_one { Region { y: 0, height: 1, ..region } } else { region });
        let extent = match self.padding.extent {
            Extent::To([_, columns]) if is_one => Extent::To([1, columns]),
            extent => extent,
        };
        Self { region, padding: Padding { extent, ..self.padding }, ..*self }
    }
}

/// Prepares a channel of a signal for a transform along `axes`. If only the size changes, all channels keep their type.
///
/// # Errors
/// When the region lies outside, the padded size is too large for the memory, the channel does not exist, or `cancel` is set.
pub fn prepare(
    signal: &Signal,
    channel: ChannelChoice,
    axes: Axes,
    preparation: &Preparation,
    cancel: &AtomicBool,
) -> Result<PreparedSamples, PrepareError> {
    /// Samples and result as complex numbers in single precision.
    const BYTES_PER_SAMPLE: u128 = 16;
    let given = Shape { rows: signal.rows, columns: signal.columns };
    if let Some(region) = preparation.region {
        region.check(given, signal.kind)?;
    }
    let shape = preparation.shape(given, axes);
    let (needed, free) =
        ((shape.rows as u128 * shape.columns as u128).saturating_mul(BYTES_PER_SAMPLE), u128::from(crate::signal::memory_limit()));
    if needed > free && shape != given {
        let size = signal.kind.size(shape.rows, shape.columns);
        return Err(PrepareError::TooLarge { size, needed_mib: needed >> 20, free_mib: free >> 20 });
    }
    signal.check_channel(channel)?;
    let region = preparation.region.unwrap_or(Region::whole(given));
    let of_axis = |first: usize, n: usize| crate::signal::picks(n, |index| Some(first + index));
    let (rows, columns) = (of_axis(region.y, region.height), of_axis(region.x, region.width));
    let padding = |n: usize, to: usize| preparation.padding.sources(n, to);
    let [down, across] = [padding(region.height, shape.rows), padding(region.width, shape.columns)];
    let mut facts = PreparedFacts { preparation: *preparation, kind: signal.kind, shape, window: None, n_skipped: 0 };
    if !preparation.changes_values() {
        let source = |of: &[Option<usize>], from: &[Option<usize>]| of.iter().map(|index| index.and_then(|index| from[index])).collect();
        let (rows, columns): (Vec<_>, Vec<_>) = (source(&down, &rows), source(&across, &columns));
        let prepared = if region == Region::whole(given) && shape == given { signal.clone() } else { signal.picked(&rows, &columns) };
        return Ok(PreparedSamples { signal: prepared, channel, facts });
    }
    let cut = if region.shape() == given { signal.clone() } else { signal.picked(&rows, &columns) };
    macro_rules! prepared {
        ($kind:ident, $plane:ident) => {{
            let values = steps::run(cut.$plane(channel)?, region, axes, &mut facts, cancel)?;
            let mean = if preparation.padding.fill == Fill::Mean { steps::mean(&values, region.shape()) } else { Complex64::ZERO };
            Samples::$kind(crate::signal::picked(&values, region.width, &down, &across, Sample::of(mean)))
        }};
    }
    let samples = match (signal.is_complex_in(channel), signal.is_double()) {
        (true, true) => prepared!(Complex64, samples_complex64),
        (true, false) => prepared!(Complex32, samples_complex32),
        (false, true) => prepared!(F64, samples_f64),
        (false, false) => prepared!(F32, samples_f32),
    };
    let channels = vec![Channel::new(channel.to_string(), samples)];
    let prepared = Signal { rows: shape.rows, columns: shape.columns, channels, stored_bits: None, ..cut };
    Ok(PreparedSamples { signal: prepared, channel: ChannelChoice::Channel(0), facts })
}

impl PreparedFacts {
    /// The links of the chain by their names, for the status bar.
    pub fn names(&self) -> Vec<&'static str> {
        let Preparation { region, detrend, periodic, window, padding } = &self.preparation;
        let links = [
            (region.is_some(), "region"),
            (*detrend == Detrend::Mean, "without mean"),
            (*detrend == Detrend::Plane, if self.kind.is_image() { "without plane" } else { "without line" }),
            (*periodic, "periodic part"),
            (window.shape != Window::None, window.shape.title()),
            (padding.extent != Extent::None, "padded"),
        ];
        links.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name).collect()
    }

    /// The links of the chain in words, in their order.
    pub fn steps(&self) -> Vec<String> {
        let Preparation { region, detrend, periodic, window, padding } = &self.preparation;
        let mut steps = Vec::new();
        steps.extend(region.map(|region| {
            let outline = if region.outline == Outline::Ellipse { ", ellipse" } else { "" };
            format!("region {} at ({}, {}){outline}", self.kind.size(region.height, region.width), region.x, region.y)
        }));
        match detrend {
            Detrend::None => {}
            Detrend::Mean => steps.push("mean removed".to_owned()),
            Detrend::Plane => steps.push(if self.kind.is_image() { "plane removed" } else { "line removed" }.to_owned()),
        }
        steps.extend(periodic.then(|| "smooth part removed".to_owned()));
        if window.shape != Window::None {
            let figures = self.window.map_or(String::new(), |WindowFigures { coherent_gain, noise_bandwidth }| {
                format!(", gain {}, noise bandwidth {} bins", number(coherent_gain, 3), number(noise_bandwidth, 3))
            });
            steps.push(format!("{window} window{}{figures}", if window.radial { ", radial" } else { "" }));
        }
        if padding.extent != Extent::None {
            let size = self.kind.size(self.shape.rows, self.shape.columns);
            let fill = match padding.fill {
                Fill::Zeros => "zeros",
                Fill::Mean => "the mean",
                Fill::Mirror => "mirrored samples",
            };
            steps.push(format!("padded to {size} with {fill}"));
        }
        if self.n_skipped > 0 {
            let samples = crate::numerals::counted(self.n_skipped, "infinite or NaN sample");
            steps.push(match detrend {
                Detrend::None => format!("{samples} kept out of the mean"),
                Detrend::Mean => format!("the mean in place of {samples}"),
                Detrend::Plane => format!("the {} in place of {samples}", if self.kind.is_image() { "plane" } else { "line" }),
            });
        }
        steps
    }
}

#[cfg(test)]
mod tests;

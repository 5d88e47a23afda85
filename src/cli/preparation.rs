//! The options that prepare samples before a transform: region, mean or plane, smooth part, window and padding.

use super::arguments::{Size, one_of};
use super::{Failure, say};
use crate::engine::Outcome;
use crate::prepare::{Detrend, Extent, Fill, Padding, Preparation, Region, Window, Windowing, fast_size};
use crate::transforms::{Axes, Numbers, Transform};
use clap::Args;
use std::str::FromStr;

/// The preparation of samples before a transform: none by default, otherwise in the order of these options.
#[derive(Debug, Clone, Args)]
pub(super) struct PreparationArguments {
    /// Takes a part of an image: X,Y,WIDTH,HEIGHT in pixels, X,Y,WIDTH,HEIGHT:ellipse for the ellipse in it (outside is the mean of the inside).
    #[arg(long, value_name = "X,Y,W,H[:ellipse]", allow_hyphen_values = true)]
    pub(super) region: Option<Region>,
    /// Removes the mean, or the plane that fits best (of a signal the straight line): none, mean or plane (line).
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = one_of::<Detrend>(), ignore_case = true)]
    pub(super) detrend: Detrend,
    /// Removes the smooth part of an image that makes it jump from edge to edge (periodic plus smooth, Moisan), against the cross in its spectrum.
    #[arg(long)]
    pub(super) periodic: bool,
    /// Multiplies by a window: none, hann, hamming, blackman, blackman-harris, flat-top, tukey[:α], gauss[:σ] or kaiser[:β] [default: none; hann for the spectrum of a recording].
    #[arg(long, value_name = "WINDOW", value_parser = window, allow_hyphen_values = true)]
    pub(super) window: Option<Windowing>,
    /// The window depends on the distance from the middle of the image, and is not a product of windows along its axes.
    #[arg(long, requires = "window")]
    pub(super) radial_window: bool,
    /// Pads at the end of rows and columns: fast (to products of 2, 3, 5 and 7), power (of two), 2x, 3x, …, N, or ROWSxCOLUMNS.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(super) pad: Option<Pad>,
    /// Pads with zeros, the mean, or mirrored samples: zeros, mean or mirror [default: zeros].
    #[arg(long, value_name = "WHAT", requires = "pad", value_parser = one_of::<Fill>(), ignore_case = true)]
    pub(super) pad_with: Option<Fill>,
}

/// A padded size as it is typed; what a number means depends on the axes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pad {
    To(Extent),
    Size(Size),
}

impl Pad {
    /// The points that a number of samples get.
    ///
    /// # Errors
    /// If the size has rows.
    pub(super) fn points(self, n: usize) -> Result<usize, Failure> {
        Ok(match self {
            Self::To(Extent::Fast) => fast_size(n),
            Self::To(Extent::Power) => n.next_power_of_two(),
            Self::To(Extent::Factor(factor)) => n.saturating_mul(factor),
            Self::To(_) => n,
            Self::Size(Size { rows: None, columns }) => columns,
            Self::Size(_) => {
                return Err(Failure::Call("--pad of a recording has no rows: take fast, power, 2x or a number of points".into()));
            }
        })
    }
}

impl FromStr for Pad {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let factor = text.strip_suffix(['x', '×']).and_then(|factor| factor.parse().ok()).filter(|factor| *factor > 0);
        match (text.to_ascii_lowercase().as_str(), factor) {
            ("fast", _) => Ok(Self::To(Extent::Fast)),
            ("power", _) => Ok(Self::To(Extent::Power)),
            (_, Some(factor)) => Ok(Self::To(Extent::Factor(factor))),
            _ => text.parse().map(Self::Size).map_err(|_| format!("“{text}” is not a size: write fast, power, 2x, 1024 or 512x1024")),
        }
    }
}

/// A window with its parameter, such as `kaiser:8.6`.
pub(super) fn window(text: &str) -> Result<Windowing, String> {
    let (name, parameter) = text.split_once(':').map_or((text, None), |(name, parameter)| (name, Some(parameter)));
    let shape = Window::from_str(name).map_err(|instead| format!("“{name}” is not a window: {instead}"))?;
    let parameter = match (parameter, shape.parameter()) {
        (None, _) => None,
        (Some(_), None) => return Err(format!("{shape} has no parameter: write {shape}")),
        (Some(text), Some((name, usual, [low, high]))) => match text.parse::<f64>() {
            Ok(value) if (low..=high).contains(&value) => Some(value),
            _ => return Err(format!("{name} of {shape} lies between {low} and {high}: write {shape}:{usual}")),
        },
    };
    Ok(Windowing { shape, parameter, radial: false })
}

impl PreparationArguments {
    /// The options that recordings do not have, where they were given.
    pub(super) fn of_images(&self) -> [(&'static str, bool); 4] {
        [
            ("region", self.region.is_some()),
            ("periodic", self.periodic),
            ("radial-window", self.radial_window),
            ("pad-with", self.pad_with.is_some()),
        ]
    }

    /// As [`Self::of`], before a transform: one that takes integers alone has nothing that turns them into fractions.
    pub(super) fn before(&self, transform: &Transform, axes: Axes, rows: usize) -> Result<Preparation, Failure> {
        let has_window = self.window.is_some_and(|window| window.shape != Window::None);
        let given = [("detrend", self.detrend != Detrend::None), ("periodic", self.periodic), ("window", has_window)];
        let takes_integers = transform.takes == Numbers::Residues;
        match given.iter().find(|(_, is_given)| takes_integers && *is_given) {
            Some((name, _)) => {
                Err(Failure::Call(format!("{} takes integers, and --{name} leaves fractions: leave it out", transform.name)))
            }
            None => self.of(axes, rows),
        }
    }

    /// The preparation for a transform along `axes` of a signal of `rows` rows.
    pub(super) fn of(&self, axes: Axes, rows: usize) -> Result<Preparation, Failure> {
        if self.radial_window && axes != Axes::Both {
            return Err(Failure::Call("--radial-window needs a transform along both axes of an image: leave it out".into()));
        }
        let extent = match self.pad {
            None => Extent::None,
            Some(Pad::To(extent)) => extent,
            Some(Pad::Size(Size { rows: None, columns })) if axes == Axes::Rows => {
                Extent::To([self.region.map_or(rows, |r| r.height), columns])
            }
            Some(Pad::Size(size)) => {
                let shape = size.shape(axes);
                Extent::To([shape.rows, shape.columns])
            }
        };
        Ok(Preparation {
            region: self.region,
            detrend: self.detrend,
            periodic: self.periodic,
            window: Windowing { radial: self.radial_window, ..self.window.unwrap_or_default() },
            padding: Padding { extent, fill: self.pad_with.unwrap_or_default() },
        })
    }
}

/// The links of the preparation of a result in one line, if there are any; it is printed too.
pub(super) fn say_preparation(outcome: &Outcome) -> Option<String> {
    let steps = outcome.preparation.map(|facts| facts.steps().join("; ")).filter(|steps| !steps.is_empty())?;
    say(&format!("prepared: {steps}"));
    Some(steps)
}

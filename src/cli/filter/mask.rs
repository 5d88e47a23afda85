//! The options that say what is filtered, and the mask that they make.

use super::super::Failure;
use super::super::arguments::BandEnds;
use crate::engine::filter::sample_spacing;
use crate::filter::{Effect, Mask, MaskForm, MaskShape, STRIPE_TOLERANCE, SampleSpacing, ShapeEdge, WrittenFrequency};
use crate::signal::{Sampling, Signal, SignalKind};
use clap::Args;
use std::str::FromStr;

/// The shapes of a filter and their edge.
#[derive(Debug, Args)]
pub(super) struct MaskArguments {
    /// Keeps frequencies up to F.
    #[arg(long, value_name = "F")]
    low_pass: Option<WrittenFrequency>,
    /// Keeps frequencies above F; the mean stays only with --keep-mean.
    #[arg(long, value_name = "F")]
    high_pass: Option<WrittenFrequency>,
    /// Keeps frequencies between A and B, or between two periods: 0.1..0.2, 8..64px.
    #[arg(long, value_name = "A..B")]
    band_pass: Option<BandEnds>,
    /// Cuts frequencies between A and B.
    #[arg(long, value_name = "A..B")]
    band_stop: Option<BandEnds>,
    /// Cuts a disc of radius R at (U, V), and its mate at (−U, −V); U:R for a signal. May be repeated.
    #[arg(long, value_name = "U,V:R", allow_hyphen_values = true)]
    notch: Vec<Notch>,
    /// Cuts the directions within WIDTH degrees in all around ANGLE, anticlockwise from x.
    #[arg(long, value_name = "ANGLE:WIDTH", allow_hyphen_values = true)]
    wedge: Option<Wedge>,
    /// Cuts stripes in an image: horizontal, vertical, or at an angle in degrees, anticlockwise from x.
    #[arg(long, value_name = "ANGLE", value_parser = stripes, allow_hyphen_values = true)]
    stripes: Option<f64>,
    /// How far stripes may deviate from their direction: 5% or 0.05.
    #[arg(long, value_name = "SHARE", value_parser = super::super::threshold::share, requires = "stripes")]
    tolerance: Option<f64>,
    /// Ends filters at once: f ≤ F passes. This is the default.
    #[arg(long, group = "edges")]
    ideal: bool,
    /// Ends filters as 1/(1 + (f/F)^(2·ORDER)).
    #[arg(long, value_name = "ORDER", group = "edges")]
    butterworth: Option<f64>,
    /// Ends filters as exp(−½(f/F)²).
    #[arg(long, group = "edges")]
    gaussian: bool,
    /// Ends filters as half a cosine, PIXELS pixels of the spectrum image wide.
    #[arg(long, value_name = "PIXELS", group = "edges")]
    soft: Option<f64>,
    /// Keeps the mean, whatever is cut.
    #[arg(long)]
    keep_mean: bool,
}

/// A spot and its radius.
#[derive(Debug, Clone, Copy)]
struct Notch {
    u: WrittenFrequency,
    v: Option<WrittenFrequency>,
    radius: WrittenFrequency,
}

/// A direction and the angle of a wedge around it, in degrees.
#[derive(Debug, Clone, Copy)]
struct Wedge {
    angle: f64,
    width: f64,
}

impl FromStr for Notch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("'{text}' is no notch: take U,V:R in cycles, as 0.21,-0.13:0.01, or U:R for a signal, as 50Hz:1Hz");
        let (place, radius) = text.rsplit_once(':').ok_or_else(refused)?;
        let (u, v) = place.split_once(',').map_or((place, None), |(u, v)| (u, Some(v)));
        let read = |text: &str| text.parse().map_err(|_| refused());
        Ok(Self { u: read(u)?, v: v.map(read).transpose()?, radius: read(radius)? })
    }
}

impl FromStr for Wedge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(':').and_then(|(angle, width)| Some((angle.parse().ok()?, width.parse().ok()?)));
        let is_wedge = |(angle, width): &(f64, f64)| angle.is_finite() && *width > 0.0 && *width < 180.0;
        let (angle, width) = numbers
            .filter(is_wedge)
            .ok_or_else(|| format!("'{text}' is no wedge: take ANGLE:WIDTH in degrees, as 30:10; the width lies between 0 and 180"))?;
        Ok(Self { angle, width })
    }
}

/// Parses the direction of stripes.
fn stripes(text: &str) -> Result<f64, String> {
    match text.to_lowercase().as_str() {
        "horizontal" => Ok(0.0),
        "vertical" => Ok(90.0),
        angle => {
            let angle = angle.trim_end_matches('°').parse().ok().filter(|angle: &f64| angle.is_finite());
            angle.ok_or_else(|| format!("'{text}' is no direction: take horizontal, vertical, or an angle in degrees"))
        }
    }
}

/// The distance of two samples of a signal.
pub(super) fn spacing(signal: &Signal, pixel_metres: Option<f64>, rate: Option<Sampling>) -> SampleSpacing {
    let of_file = sample_spacing(signal.pixel_size, rate.or(signal.sampling()));
    SampleSpacing { pixel_metres: pixel_metres.or(of_file.pixel_metres), ..of_file }
}

impl MaskArguments {
    /// The edge of all shapes.
    pub(super) fn edge(&self) -> ShapeEdge {
        match (self.butterworth, self.soft) {
            (Some(order), _) => ShapeEdge::Butterworth { order },
            (None, Some(pixels)) => ShapeEdge::Soft { pixels },
            (None, None) if self.gaussian => ShapeEdge::Gaussian,
            (None, None) => ShapeEdge::Ideal,
        }
    }

    /// The mask for a signal of this kind.
    pub(super) fn mask(&self, kind: SignalKind, spacing: SampleSpacing) -> Result<Mask, Failure> {
        let cycles = |written: WrittenFrequency| written.cycles(spacing).map_err(|error| Failure::Call(told(&error.to_string(), kind)));
        let mut shapes = Vec::new();
        for (written, effect) in [(self.low_pass, Effect::Pass), (self.high_pass, Effect::Cut)] {
            if let Some(written) = written {
                shapes.push(MaskShape::new(MaskForm::Ring { from: 0.0, to: cycles(written)? }, effect));
            }
        }
        for (band, effect) in [(self.band_pass, Effect::Pass), (self.band_stop, Effect::Cut)] {
            if let Some(BandEnds([a, b])) = band {
                let (a, b) = (cycles(a)?, cycles(b)?);
                shapes.push(MaskShape::new(MaskForm::Ring { from: a.min(b), to: a.max(b) }, effect));
            }
        }
        for notch in &self.notch {
            let v = notch.v.map_or(Ok(0.0), cycles)?;
            if kind != SignalKind::Image && v != 0.0 {
                return Err(Failure::Call("a signal has one frequency: take --notch U:R, without V".into()));
            }
            shapes.push(MaskShape::notch([cycles(notch.u)?, v], cycles(notch.radius)?));
        }
        if kind != SignalKind::Image && (self.wedge.is_some() || self.stripes.is_some()) {
            return Err(Failure::Call("--wedge and --stripes have a direction, and a signal has none: take --notch or --band-stop".into()));
        }
        if let Some(Wedge { angle, width }) = self.wedge {
            shapes.push(MaskShape::new(MaskForm::Wedge { angle, width }, Effect::Cut));
        }
        if let Some(angle) = self.stripes {
            shapes.push(MaskShape::stripes(angle, self.tolerance.unwrap_or(STRIPE_TOLERANCE)));
        }
        let edge = self.edge();
        Ok(Mask { shapes: shapes.into_iter().map(|shape| shape.with_edge(edge)).collect(), keep_mean: self.keep_mean })
    }
}

/// An error about a unit with the option that helps.
fn told(error: &str, kind: SignalKind) -> String {
    if kind == SignalKind::Image { error.replace("say it", "give it by --pixel-size 0.2nm") } else { error.to_owned() }
}

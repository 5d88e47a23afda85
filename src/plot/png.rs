//! A figure as PNG, on white.

use super::layout::{Anchor, Figure, Mark, Sign};
use super::raster::Raster;
use crate::signal::{FileError, encode_picture_png};
use std::io::Write;

/// Pixels of a point: plots are looked at on screens that have as many.
const PIXELS: f32 = 2.0;
/// The longest side in pixels.
const LONGEST: f32 = 16_384.0;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// Nobody looks at so many pixels.
    #[error("a plot of {width} × {height} points is too large: its sides are at most {} points", LONGEST / PIXELS)]
    Size {
        /// Points across.
        width: f32,
        /// Points down.
        height: f32,
    },
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Writes the file.
///
/// # Errors
/// When the figure is too large, or nothing can be written.
pub fn png(figure: &Figure, out: &mut dyn Write) -> Result<(), PlotError> {
    let [width, height] = figure.size;
    if !(width * PIXELS <= LONGEST && height * PIXELS <= LONGEST) {
        return Err(PlotError::Size { width, height });
    }
    let mut raster = Raster::new([(width * PIXELS) as usize, (height * PIXELS) as usize], PIXELS);
    for mark in &figure.marks {
        paint(&mut raster, mark);
    }
    let [columns, rows] = raster.size;
    let done = encode_picture_png(out, rows, columns, &raster.rgb, "");
    done.map_err(|source| FileError::Io { verb: "write", path: "the picture".into(), source }.into())
}

fn paint(raster: &mut Raster, mark: &Mark) {
    match mark {
        Mark::Fill { corners: [[left, top], [right, bottom]], ink } => {
            raster.polygon(&[[*left, *top], [*right, *top], [*right, *bottom], [*left, *bottom]], ink.on_paper());
        }
        Mark::Path { points, ink, width, dash } => raster.path(points, *width, *dash, ink.on_paper()),
        Mark::Point { at, sign, radius, ink } => match (sign, sign.outline(*at, *radius)) {
            (Sign::Cross, Some(lines)) => lines.chunks(2).for_each(|ends| raster.path(ends, 2.0, None, ink.on_paper())),
            (_, Some(corners)) => raster.polygon(&corners, ink.on_paper()),
            (sign, None) => raster.circle(*at, *radius, *sign == Sign::Ring, ink.on_paper()),
        },
        Mark::Text { at, anchor, size, text, ink, upwards } => {
            let part = match anchor {
                Anchor::Left => 0.0,
                Anchor::Centre => 0.5,
                Anchor::Right => 1.0,
            };
            raster.text(*at, part, *size, text, *upwards, ink.on_paper());
        }
    }
}

//! The samples as a figure for a file: the visible part, its axes, and what the samples are.

use crate::display::Colormap;
use crate::engine::RenderedImage;
use crate::numerals::number;
use crate::plot::{ColourBar, Raster, Tick, View, ViewAxis, ViewItem, round_values};
use crate::signal::PixelSize;
use crate::ui::settings::description;
use crate::ui::shown::ShownJob;

/// Width and height of a plot inside its axes, in points.
pub(super) const PLOT: [f32; 2] = [640.0, 240.0];
/// The longer side of an image inside its axes, in points.
const SIDE: f64 = 480.0;

/// The name of the signal, and its description.
pub(super) fn title_and_notes(shown: &ShownJob<'_>) -> (String, Vec<String>) {
    shown.signal.map_or((String::new(), Vec::new()), |signal| (signal.name.clone(), vec![description(shown.transform, signal)]))
}

/// The visible part of an image, with its width and height in points.
pub(super) fn image(shown: &ShownJob<'_>, image: &RenderedImage) -> (View, [f32; 2]) {
    let part = image.frame.rect;
    let scale = SIDE / part.width.max(part.height);
    let (title, notes) = title_and_notes(shown);
    let [low, high] = image.range.map(f64::from);
    let axis = |name: &str, ends: [f64; 2]| ViewAxis { name: name.to_owned(), ends, ticks: round_ticks(ends, 8.0) };
    let of_size =
        |side: f64, unit: &str, name: &str, first: f64, n: f64| axis(&format!("{name} ({unit})"), [first * side, (first + n) * side]);
    let [x, mut y] = match shown.pixel_size {
        Some(PixelSize { width, height, unit }) => {
            [of_size(width, unit.symbol(), "x", part.left, part.width), of_size(height, unit.symbol(), "y", part.top, part.height)]
        }
        None => [of_size(1.0, "px", "column", part.left, part.width), of_size(1.0, "px", "row", part.top, part.height)],
    };
    y.ends.reverse();
    let colours = Colormap::Gray.lut().map(|[red, green, blue, _]| [red, green, blue]).to_vec();
    let view = View {
        title,
        notes,
        x,
        y,
        above: None,
        content: vec![ViewItem::Image(Raster::of(image.frame.width, image.frame.height, &image.rgba))],
        bar: Some(ColourBar { name: "value".to_owned(), colours, axis: axis("", [low, high]) }),
    };
    (view, [part.width, part.height].map(|side| (side * scale) as f32))
}

fn round_ticks([low, high]: [f64; 2], wanted: f64) -> Vec<Tick> {
    round_values(low, high, wanted).into_iter().map(|value| Tick { value, text: Some(number(value, 5)) }).collect()
}

//! The displayed image as a figure for a file: the visible part, its axes, the colour bar and the rings.

use super::axis::FrequencyAxis;
use super::paint::{MOST_BEYOND, ring, ring_radii};
use crate::display::Look;
use crate::engine::RenderedImage;
use crate::numerals::number;
use crate::plot::{ColourBar, Raster, Tick, View, ViewAxis, ViewItem, round_values};
use crate::ui::canvas::Placement;
use crate::ui::settings::value_label;
use crate::ui::shown::ShownJob;

/// The longer side of an exported image inside its axes, in points.
const SIDE: f64 = 480.0;
/// Distance of ticks in points, at least.
const TICKS_APART: f64 = 52.0;

/// The visible part of the image as it is shown, with rings and markers over it; `letter` names the values.
pub(super) fn view(
    shown: &ShownJob<'_>,
    (image, look, letter): (&RenderedImage, &Look, &str),
    placement: &Placement,
    [across, down]: [FrequencyAxis; 2],
    (has_rings, markers): (bool, Vec<ViewItem>),
) -> (View, [f32; 2]) {
    let part = image.frame.rect;
    let [width, height] = [part.width * placement.scale[0], part.height * placement.scale[1]];
    let scale = SIDE / width.max(height);
    let area = [width, height].map(|side| (side * scale) as f32);
    let (title, mut notes) = shown.title_and_notes();
    let [low, high] = image.range.map(f64::from);
    let name = value_label(look.scale, look.quantity, shown.transform, letter);
    notes.push(format!(
        "{}, {}, colours {}{} from {} to {}",
        look.quantity.title(),
        look.scale.title().to_lowercase(),
        look.colormap.title(),
        toned(look),
        number(low, 4),
        number(high, 4)
    ));
    let raster = Raster::of(image.frame.width, image.frame.height, &image.rgba);
    let mut content = vec![ViewItem::Image(raster)];
    if has_rings {
        for radius in ring_radii(placement.scale[0] * across.n as f64) {
            let points = ring(radius, [across.n, down.n]);
            let label = points[points.len() / 8];
            content.push(ViewItem::Ring(points, label, number(radius, 3)));
        }
    }
    notes.extend(markers.iter().filter_map(|item| match item {
        ViewItem::Marker(_, text) if !text.is_empty() => Some(format!("marker {text}")),
        _ => None,
    }));
    content.extend(markers);
    let x = axis(across, "x", [part.left, part.left + part.width], f64::from(area[0]));
    let mut y = axis(down, "y", [part.top, part.top + part.height], f64::from(area[1]));
    y.ends.reverse();
    let colours = look.bar().map(|[red, green, blue, _]| [red, green, blue]).to_vec();
    let ticks = round_values(low, high, 8.0).into_iter().map(|value| Tick { value, text: Some(number(value, 4)) }).collect();
    let bar = Some(ColourBar { name, colours, axis: ViewAxis { name: String::new(), ends: [low, high], ticks } });
    (View { title, notes, x, y, above: None, content, bar }, area)
}

/// Gamma and inversion in words, where there are any.
fn toned(look: &Look) -> String {
    let gamma = if look.gamma == 1.0 { String::new() } else { format!(", gamma {}", number(look.gamma.into(), 3)) };
    format!("{gamma}{}", if look.inverted { ", inverted" } else { "" })
}

/// An axis between two edges of displayed pixels, `length` points long. A tick stands in the middle of its pixel.
fn axis(axis: FrequencyAxis, direction: &str, ends: [f64; 2], length: f64) -> ViewAxis {
    // The highest frequency is the lowest one again, one pixel behind the last; small pixels have its tick at the edge.
    let beyond = if length / (ends[1] - ends[0]) <= MOST_BEYOND { 1.0 } else { 0.0 };
    let ticks = axis.ticks(ends[0] - 0.5, ends[1] - 0.5 + beyond, length / TICKS_APART);
    let places = ticks.into_iter().map(|value| (value, (axis.position(value) + 0.5).min(ends[1])));
    let ticks = places.map(|(value, place)| Tick { value: place, text: Some(number(value, 5)) }).collect();
    ViewAxis { name: axis.name(direction), ends, ticks }
}

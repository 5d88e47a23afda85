//! The size of a pixel as a TIFF says it: by its resolution, and in the descriptions of `ImageJ` and of OME.

use crate::signal::formats::directory::{Directory, Tag};
use crate::signal::formats::metadata::{of_resolution, resolution};
use crate::signal::{PixelSize, PixelUnit};

pub(super) const DESCRIPTION: Tag = Tag(270, "ImageDescription");

/// The size of a pixel of a page.
pub(super) fn of(directory: &Directory<'_>) -> Option<PixelSize> {
    let description = directory.text(DESCRIPTION).unwrap_or_default();
    if description.contains("<OME") {
        return of_ome(&description).or_else(|| of_resolution(directory));
    }
    of_image_j(directory, &description).or_else(|| of_resolution(directory))
}

/// `ImageJ` writes the unit of the resolution into a line of the description.
fn of_image_j(directory: &Directory<'_>, description: &str) -> Option<PixelSize> {
    let unit = line(description, "unit")?;
    let [across, down] = resolution(directory)?;
    PixelSize::of(1.0 / across, 1.0 / down, PixelUnit::named(&unit.replace("\\u00B5", "µ").replace("\\u00C5", "Å"))?)
}

/// The value of a name in a description of `ImageJ`.
pub(super) fn line<'a>(description: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = description.strip_prefix("ImageJ=")?.lines();
    lines.find_map(|line| Some(line.strip_prefix(name)?.strip_prefix('=')?.trim()))
}

/// OME writes the size and its unit, which is µm where nothing else is said, as attributes.
fn of_ome(description: &str) -> Option<PixelSize> {
    let attribute = |name: &str| {
        let value = description.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0;
        Some(value.replace("&#181;", "µ").replace("&#xB5;", "µ").replace("&#xb5;", "µ").replace("&#197;", "Å").replace("&#xC5;", "Å"))
    };
    let side = |axis: char| {
        let size: f64 = attribute(&format!("PhysicalSize{axis}"))?.trim().parse().ok()?;
        let unit =
            attribute(&format!("PhysicalSize{axis}Unit")).map_or(Some(PixelUnit::Micrometre), |unit| PixelUnit::named(unit.trim()))?;
        Some((size, unit))
    };
    let ((width, unit), (height, unit_of_height)) = (side('X')?, side('Y')?);
    (unit == unit_of_height).then(|| PixelSize::of(width, height, unit))?
}

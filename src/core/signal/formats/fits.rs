//! FITS, the format of astronomy (standard 4.0): the first image of a file, in the first unit that has one.
//!
//! A header is made of cards of 80 characters in blocks of 2880 bytes; numbers are big-endian, and rows go upwards.

use super::metadata::Metadata;
use super::numbers::{Meaning, NumberType, Numbers, UPWARDS, page_of, pages};
use super::{Decoded, FileFormat};
use crate::numerals::counted;
use crate::signal::error::one_line;
use crate::signal::reading::Reading;
use crate::signal::{Axis, AxisUnit, Cause, Channel, PageKind, PixelSize, PixelUnit, Sampling, Signal, SignalKind};

/// Flexible Image Transport System.
pub(super) static FITS: FileFormat = FileFormat {
    name: "FITS",
    endings: &["fits", "fit", "fts"],
    marks: &[b"SIMPLE  ="],
    is_content: |_| true,
    decode: |content, how| decode(content, how),
    output: None,
};

const BLOCK: usize = 2880;
const CARD: usize = 80;

/// The cards of a unit that have values.
struct Header(Vec<(String, String)>);

impl Header {
    /// The header that begins at an offset, and where its data begin.
    fn read(bytes: &[u8], start: usize) -> Result<(Self, usize), Cause> {
        let mut cards = Vec::new();
        let (all, _) = bytes[start..].as_chunks::<CARD>();
        for (index, card) in all.iter().enumerate() {
            let text = String::from_utf8_lossy(card);
            match text.split_once('=') {
                Some((name, value)) if name.len() <= 8 => cards.push((name.trim().to_owned(), plain(value))),
                _ if text.trim_end() == "END" => {
                    let end = start + ((index + 1) * CARD).next_multiple_of(BLOCK);
                    return Ok((Self(cards), end));
                }
                _ => {}
            }
        }
        Err(Cause::truncated("its header has no end"))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(card, _)| card == name).map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.replace(['D', 'd'], "E").parse().ok()
    }

    /// A count that the header must have.
    fn count(&self, name: &str) -> Result<u64, Cause> {
        let text = self.text(name).ok_or_else(|| Cause::malformed(format!("its header has no {name}")))?;
        text.parse().map_err(|_| Cause::malformed(format!("its header gives “{}” as {name}", one_line(text))))
    }

    /// The sizes of all axes, the fastest first.
    fn sizes(&self) -> Result<Vec<u64>, Cause> {
        const MOST: u64 = 999;
        let n = self.count("NAXIS")?;
        if n > MOST {
            return Err(Cause::malformed(format!("its header gives {n} axes; {MOST} are possible")));
        }
        (1..=n).map(|axis| self.count(&format!("NAXIS{axis}"))).collect()
    }

    fn number_type(&self) -> Result<NumberType, Cause> {
        Ok(match self.text("BITPIX") {
            Some("8") => NumberType::U8,
            Some("16") => NumberType::I16,
            Some("32") => NumberType::I32,
            Some("64") => NumberType::I64,
            Some("-32") => NumberType::F32,
            Some("-64") => NumberType::F64,
            other => {
                let other = one_line(other.unwrap_or_default());
                return Err(Cause::malformed(format!("its header gives “{other}” as BITPIX; 8, 16, 32, 64, −32 and −64 are possible")));
            }
        })
    }

    /// Whether it is that of an image, and not of a table.
    fn is_image(&self) -> bool {
        self.text("XTENSION").is_none_or(|kind| matches!(kind, "IMAGE" | "IUEIMAGE"))
    }
}

/// The value of a card: without its comment, and without the quotation marks of a text.
fn plain(value: &str) -> String {
    let value = value.trim_start();
    let Some(text) = value.strip_prefix('\'') else {
        return value.split('/').next().unwrap_or_default().trim().to_owned();
    };
    // A doubled mark stands for one.
    let text = text.replace("''", "\u{0}");
    text.split('\'').next().unwrap_or_default().replace('\u{0}', "'").trim_end().to_owned()
}

/// Decodes the first image.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
    let (mut start, mut n_others, mut coding) = (0, 0, None);
    while start < bytes.len() {
        let (header, data) = match Header::read(bytes, start) {
            // Some programs write anything behind the last unit.
            Err(_) if start > 0 => break,
            read => read?,
        };
        let sizes = header.sizes()?;
        let kind = header.number_type()?;
        if header.is_image() && !sizes.is_empty() && sizes.iter().all(|size| *size > 0) {
            return image(&header, &sizes, kind, bytes.get(data..).unwrap_or_default(), how);
        }
        coding = coding.or_else(|| header.text("ZCMPTYPE").map(str::to_owned));
        n_others += usize::from(!sizes.is_empty());
        let extra = |name: &str, least: u64| header.text(name).and_then(|text| text.parse().ok()).unwrap_or(least);
        let n =
            if sizes.is_empty() { 0 } else { sizes.iter().skip(usize::from(sizes[0] == 0)).fold(1_u64, |n, size| n.saturating_mul(*size)) };
        let length = n.saturating_add(extra("PCOUNT", 0)).saturating_mul(extra("GCOUNT", 1)).saturating_mul(kind.width() as u64);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        start = data.saturating_add(length).checked_next_multiple_of(BLOCK).unwrap_or(usize::MAX);
    }
    Err(match (coding, n_others) {
        (Some(coding), _) => Cause::unsupported(format!("its image is compressed ({}); unpack it by funpack", one_line(&coding))),
        (None, 0) => Cause::unsupported("it holds no image, only headers"),
        (None, n) => Cause::unsupported(format!("it holds no image, but {}; export the columns as CSV", counted(n, "table"))),
    })
}

/// The first page of an image, shown upright; one axis is a signal.
fn image(header: &Header, sizes: &[u64], kind: NumberType, bytes: &[u8], how: &Reading) -> Decoded {
    let columns = sizes[0];
    let rows = sizes.get(1).copied().unwrap_or(1);
    let n_pages = sizes.iter().skip(2).fold(1_u64, |n, size| n.saturating_mul(*size));
    let pages = pages(how, n_pages, PageKind::Slice)?;
    let page = page_of(bytes, (rows, columns), kind.width(), pages)?;
    let meaning = Meaning {
        slope: header.number("BSCALE").unwrap_or(1.0),
        intercept: header.number("BZERO").unwrap_or(0.0),
        blank: header.number("BLANK"),
    };
    let samples = meaning.values(Numbers { bytes: page, kind, is_big_endian: true }.samples()?)?;
    let is_image = rows > 1;
    let unit = header.text("BUNIT").map(one_line);
    let name = if is_image { "gray" } else { "value" };
    let channel = Channel { unit, ..Channel::new(name, samples) };
    let signal_kind = if is_image { SignalKind::Image } else { SignalKind::Rows };
    let mut signal = Signal::from_channels("", signal_kind, (rows as usize, columns as usize), vec![channel]);
    signal.pages = pages;
    if is_image {
        let upright = Metadata { orientation: Some(UPWARDS), pixel_size: pixel_size(header) };
        return Ok(upright.applied(signal, how));
    }
    signal.axis = axis(header);
    Ok(signal)
}

/// How far two pixels along an axis are apart: by the matrix of the coordinates, or by their steps and the matrix that turns them.
fn step(header: &Header, axis: u32) -> Option<f64> {
    let number = |name: &str, row: u32| header.number(&format!("{name}{row}_{axis}"));
    let part = |row: u32| {
        let by_steps = || {
            let turned = number("PC", row).unwrap_or(if row == axis { 1.0 } else { 0.0 });
            header.number(&format!("CDELT{row}")).map(|step| step * turned)
        };
        number("CD", row).or_else(by_steps)
    };
    let step = [1, 2].into_iter().filter_map(part).map(f64::abs).reduce(f64::hypot)?;
    (step != 0.0 && step.is_finite()).then_some(step)
}

/// The size of a pixel, where the coordinates are lengths or angles.
fn pixel_size(header: &Header) -> Option<PixelSize> {
    const SKY: [&str; 6] = ["RA", "DEC", "GLON", "GLAT", "ELON", "ELAT"];
    let unit = |axis: u32| {
        let is_of_sky = |kind: &str| SKY.iter().any(|sky| kind.starts_with(sky));
        let is_sky = header.text(&format!("CTYPE{axis}")).is_some_and(is_of_sky);
        let unit = header.text(&format!("CUNIT{axis}")).or(is_sky.then_some("deg"))?;
        PixelUnit::named(&unit.to_lowercase()).or_else(|| PixelUnit::named(unit))
    };
    let across = unit(1)?;
    PixelSize::of(step(header, 1)?, step(header, 2)?, across).filter(|_| unit(2).is_none_or(|down| down == across))
}

/// The axis of a signal of one row.
fn axis(header: &Header) -> Option<Axis> {
    let step = header.number("CDELT1").or_else(|| header.number("CD1_1")).filter(|step| step.is_finite() && *step > 0.0)?;
    let (unit, times) = match header.text("CUNIT1") {
        Some(unit) => AxisUnit::named(unit)?,
        None => (AxisUnit::Index, 1.0),
    };
    let first = header.number("CRVAL1").unwrap_or(0.0) + (1.0 - header.number("CRPIX1").unwrap_or(1.0)) * step;
    let name = one_line(header.text("CTYPE1").unwrap_or_default());
    let sampling = Sampling { per_unit: 1.0 / (step * times), unit };
    Some(Axis { start: first * times, ..Axis::new(name, sampling) })
}

//! The size of a pixel: a length or an angle with its unit.

use crate::numerals::number;
use std::fmt;
use std::str::FromStr;
use strum::IntoEnumIterator as _;

/// The unit of the size of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, strum::EnumIter)]
pub enum PixelUnit {
    /// 10⁻¹² m.
    Picometre,
    /// 10⁻¹⁰ m.
    Angstrom,
    /// 10⁻⁹ m.
    Nanometre,
    /// 10⁻⁶ m.
    Micrometre,
    /// 10⁻³ m.
    Millimetre,
    /// 10⁻² m.
    Centimetre,
    /// A metre.
    Metre,
    /// 1000 m.
    Kilometre,
    /// 25.4 mm.
    Inch,
    /// A second of arc.
    Arcsecond,
    /// A degree.
    Degree,
}

/// The size of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PixelSize {
    /// From one column to the next.
    pub width: f64,
    /// From one row to the next.
    pub height: f64,
    /// The unit of both.
    pub unit: PixelUnit,
}

impl PixelUnit {
    /// The symbol, and other ways to write it.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Picometre => &["pm"],
            Self::Angstrom => &["Å", "A", "\u{212b}", "angstrom", "angstroms", "ang"],
            Self::Nanometre => &["nm", "nanometer", "nanometre"],
            Self::Micrometre => &["µm", "μm", "um", "micron", "microns", "micrometer", "micrometre"],
            Self::Millimetre => &["mm"],
            Self::Centimetre => &["cm"],
            Self::Metre => &["m", "meter", "metre"],
            Self::Kilometre => &["km"],
            Self::Inch => &["in", "inch"],
            Self::Arcsecond => &["arcsec", "″", "as"],
            Self::Degree => &["°", "deg"],
        }
    }

    /// The symbol.
    pub fn symbol(self) -> &'static str {
        self.names()[0]
    }

    /// The unit of this name.
    pub fn named(name: &str) -> Option<Self> {
        let is_name = |known: &&str| *known == name || name.len() > 2 && known.eq_ignore_ascii_case(name);
        Self::iter().find(|unit| unit.names().iter().any(is_name))
    }

    /// "cycles per nm".
    pub fn frequency(self) -> &'static str {
        match self {
            Self::Picometre => "cycles per pm",
            Self::Angstrom => "cycles per Å",
            Self::Nanometre => "cycles per nm",
            Self::Micrometre => "cycles per µm",
            Self::Millimetre => "cycles per mm",
            Self::Centimetre => "cycles per cm",
            Self::Metre => "cycles per m",
            Self::Kilometre => "cycles per km",
            Self::Inch => "cycles per in",
            Self::Arcsecond => "cycles per arcsec",
            Self::Degree => "cycles per °",
        }
    }
}

impl PixelSize {
    /// Square pixels; `None` where the size is not a positive number.
    pub fn square(side: f64, unit: PixelUnit) -> Option<Self> {
        Self::of(side, side, unit)
    }

    /// Pixels of this width and height; `None` where one is not a positive number.
    pub fn of(width: f64, height: f64, unit: PixelUnit) -> Option<Self> {
        let is_size = |side: f64| side.is_finite() && side > 1e-30 && side < 1e30;
        (is_size(width) && is_size(height)).then_some(Self { width, height, unit })
    }

    /// The size that a file gives by its dots per inch, in mm; 1 stands for an unknown one, and the usual resolutions of screens say nothing of the image.
    pub(super) fn of_dots(per_inch: [f64; 2]) -> Option<Self> {
        let is_of_screen = per_inch.iter().all(|dots| [1.0, 72.0, 96.0].iter().any(|usual| (dots - usual).abs() < 0.5));
        let [width, height] = per_inch.map(|dots| 25.4 / dots);
        Self::of(width, height, PixelUnit::Millimetre).filter(|_| !is_of_screen)
    }
}

impl fmt::Display for PixelSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = [self.width, self.height].map(|side| number(side, 6));
        match width == height {
            true => write!(f, "{width} {}", self.unit.symbol()),
            false => write!(f, "{width} × {height} {}", self.unit.symbol()),
        }
    }
}

impl FromStr for PixelSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let end = plain.find(|c: char| !(c.is_ascii_digit() || ".+-xX×".contains(c))).unwrap_or(plain.len());
        // The exponent of 1e-3 belongs to the number.
        let end = match plain[end..].strip_prefix(['e', 'E']) {
            Some(rest) => {
                let digits = rest.find(|c: char| !(c.is_ascii_digit() || "+-".contains(c))).unwrap_or(rest.len());
                end + 1 + digits
            }
            None => end,
        };
        let (numbers, unit) = plain.split_at(end);
        let example = "write such as 0.2nm, 1.5um or 0.2x0.3nm";
        let unit = PixelUnit::named(unit).ok_or_else(|| {
            let symbols: Vec<&str> = PixelUnit::iter().map(PixelUnit::symbol).collect();
            match unit {
                "" => format!("“{text}” has no unit: {example}"),
                unit => format!("“{unit}” is no unit of a pixel size: take one of {}", symbols.join(", ")),
            }
        })?;
        let sides: Result<Vec<f64>, _> = numbers.split(['x', 'X', '×']).map(str::parse).collect();
        let size = match sides.as_deref() {
            Ok(&[side]) => Self::square(side, unit),
            Ok(&[width, height]) => Self::of(width, height, unit),
            _ => None,
        };
        size.ok_or_else(|| format!("“{text}” is no pixel size: {example}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_typed_with_its_unit() {
        let size = |text: &str| text.parse::<PixelSize>();
        assert_eq!(size("0.2nm"), Ok(PixelSize { width: 0.2, height: 0.2, unit: PixelUnit::Nanometre }));
        assert_eq!(size("1.5 um").map(|size| size.to_string()), Ok("1.5 µm".into()));
        assert_eq!(size("0.2x0.3 Å").map(|size| size.to_string()), Ok("0.2 × 0.3 Å".into()));
        assert_eq!(size("1e-3mm").map(|size| size.width), Ok(0.001));
        for (wrong, words) in [
            ("0.2", "has no unit"),
            ("0.2 parsec", "“parsec” is no unit"),
            ("nm", "is no pixel size"),
            ("-1nm", "is no pixel size"),
            ("0mm", "is no pixel size"),
            ("1x2x3nm", "is no pixel size"),
            ("", "has no unit"),
        ] {
            let told = size(wrong).expect_err(wrong);
            assert!(told.contains(words), "{wrong}: {told}");
        }
    }

    #[test]
    fn files_bring_their_size() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 1_000_000, yppu: 2_000_000, unit: png::Unit::Meter }));
        encoder.write_header().and_then(|mut writer| writer.write_image_data(&[1, 2])).expect("it is written");
        let size = crate::signal::load_bytes("a.png", &bytes).expect("it is read").pixel_size;
        assert_eq!(size.map(|size| size.to_string()).as_deref(), Some("0.001 × 0.0005 mm"));

        use tiff::encoder::{Rational, TiffEncoder, colortype::Gray8};
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).expect("it is begun");
        let mut image = encoder.new_image::<Gray8>(2, 1).expect("it has pixels");
        image.resolution(tiff::tags::ResolutionUnit::None, Rational { n: 5, d: 1 });
        image.encoder().write_tag(tiff::tags::Tag::ImageDescription, "ImageJ=1.54f\nunit=nm\n").expect("it has a description");
        image.write_data(&[1, 2]).expect("it is written");
        let size = crate::signal::load_bytes("a.tif", bytes.get_ref()).expect("it is read").pixel_size;
        assert_eq!(size.map(|size| size.to_string()).as_deref(), Some("0.2 nm"));
    }

    #[test]
    fn screens_say_nothing_of_an_image() {
        assert_eq!(PixelSize::of_dots([72.0, 72.0]), None);
        assert_eq!(PixelSize::of_dots([300.0, 300.0]).map(|size| size.to_string()), Some("0.0846667 mm".into()));
    }
}

//! A page of a TIFF: the facts of its directory, and the strips or tiles that hold its samples.

use crate::numerals::counted;
use crate::signal::Cause;
use crate::signal::formats::directory::{Directory, Tag};

pub(super) const SUBFILE: Tag = Tag(254, "NewSubfileType");
const WIDTH: Tag = Tag(256, "ImageWidth");
const LENGTH: Tag = Tag(257, "ImageLength");
const BITS: Tag = Tag(258, "BitsPerSample");
const COMPRESSION: Tag = Tag(259, "Compression");
const PHOTOMETRIC: Tag = Tag(262, "PhotometricInterpretation");
const FILL_ORDER: Tag = Tag(266, "FillOrder");
const STRIP_OFFSETS: Tag = Tag(273, "StripOffsets");
const SAMPLES: Tag = Tag(277, "SamplesPerPixel");
const ROWS_PER_STRIP: Tag = Tag(278, "RowsPerStrip");
const STRIP_COUNTS: Tag = Tag(279, "StripByteCounts");
const PLANAR: Tag = Tag(284, "PlanarConfiguration");
const FAX_OPTIONS: Tag = Tag(292, "T4Options");
const PREDICTOR: Tag = Tag(317, "Predictor");
const COLOUR_MAP: Tag = Tag(320, "ColorMap");
const TILE_WIDTH: Tag = Tag(322, "TileWidth");
const TILE_LENGTH: Tag = Tag(323, "TileLength");
const TILE_OFFSETS: Tag = Tag(324, "TileOffsets");
const TILE_COUNTS: Tag = Tag(325, "TileByteCounts");
const EXTRA: Tag = Tag(338, "ExtraSamples");
const FORMAT: Tag = Tag(339, "SampleFormat");
const JPEG_TABLES: Tag = Tag(347, "JPEGTables");
const SUBSAMPLING: Tag = Tag(530, "YCbCrSubSampling");

/// The compression whose decoder knows colours.
pub(super) const JPEG: u64 = 7;

/// The type of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Unsigned,
    Signed,
    Float,
    /// Two signed integers.
    ComplexIntegers,
    /// Two floats.
    Complex,
}

/// The meaning of the samples of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colours {
    Gray {
        is_white_zero: bool,
    },
    Rgb,
    Palette,
    Ink,
    /// Luminance and two differences of colour; the decoder of JPEG makes red, green and blue of them.
    YCbCr,
    /// One of the colours of a sensor in each pixel.
    Mosaic,
}

/// A page as its directory describes it.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub columns: usize,
    pub rows: usize,
    pub bits: usize,
    pub kind: Kind,
    /// Samples of a pixel, also those that are not a colour.
    pub samples: usize,
    /// The meaning of the samples that are not colours: 1 and 2 for transparency.
    pub extra: Vec<u64>,
    pub colours: Colours,
    /// Whether the directory says what the samples mean.
    pub says_colours: bool,
    /// Reds, greens and blues of a palette.
    pub palette: Vec<u64>,
    pub compression: u64,
    pub predictor: u64,
    pub fax_options: u64,
    pub jpeg_tables: &'a [u8],
    /// Whether the first pixel is in the lowest bit of a byte.
    pub is_reversed: bool,
    /// Whether every sample of a pixel has strips or tiles of its own.
    pub is_planar: bool,
    /// Columns and rows of a strip or tile.
    pub chunk: (usize, usize),
    pub is_tiled: bool,
    /// Where the strips or tiles are, and how many bytes they take; without numbers where the directory does not say it.
    pub offsets: Vec<u64>,
    pub counts: Vec<u64>,
}

impl<'a> Page<'a> {
    /// The page of a directory.
    ///
    /// # Errors
    /// When a tag is missing or wrong, or names what is not read.
    pub(super) fn of(directory: &Directory<'a>) -> Result<Self, Cause> {
        let required = |tag: Tag| directory.integer(tag)?.ok_or_else(|| missing(tag));
        let or = |tag: Tag, default: u64| Ok::<u64, Cause>(directory.integer(tag)?.unwrap_or(default));
        let size = |tag: Tag, value: u64| {
            usize::try_from(value).ok().filter(|size| *size > 0 && value <= 1 << 32).ok_or_else(|| wrong(tag, value))
        };
        let [columns, rows] = [WIDTH, LENGTH].map(|tag| size(tag, required(tag)?));
        let (columns, rows) = (columns?, rows?);
        let samples = size(SAMPLES, or(SAMPLES, 1)?)?;
        let is_tiled = directory.has(TILE_WIDTH);
        let chunk = match is_tiled {
            true => (size(TILE_WIDTH, required(TILE_WIDTH)?)?, size(TILE_LENGTH, required(TILE_LENGTH)?)?),
            false => (columns, size(ROWS_PER_STRIP, or(ROWS_PER_STRIP, rows as u64)?.min(rows as u64))?),
        };
        let [offsets, counts] = match is_tiled && directory.has(TILE_OFFSETS) {
            true => [TILE_OFFSETS, TILE_COUNTS],
            false => [STRIP_OFFSETS, STRIP_COUNTS],
        };
        let compression = or(COMPRESSION, 1)?;
        let extra = directory.integers(EXTRA)?;
        let page = Self {
            columns,
            rows,
            bits: uniform(directory.integers(BITS)?, "bits")?.unwrap_or(1) as usize,
            kind: kind(uniform(directory.integers(FORMAT)?, "types")?.unwrap_or(1))?,
            samples,
            colours: colours(directory, samples.saturating_sub(extra.len()), compression)?,
            extra,
            says_colours: directory.has(PHOTOMETRIC),
            palette: directory.integers(COLOUR_MAP)?,
            compression,
            predictor: or(PREDICTOR, 1)?,
            fax_options: or(FAX_OPTIONS, 0)?,
            jpeg_tables: directory.bytes(JPEG_TABLES)?,
            is_reversed: or(FILL_ORDER, 1)? == 2,
            is_planar: or(PLANAR, 1)? == 2 && samples > 1,
            chunk,
            is_tiled,
            offsets: directory.integers(offsets)?,
            counts: directory.integers(counts)?,
        };
        if page.offsets.len() < page.chunks() {
            let what = if page.is_tiled { "tile" } else { "strip" };
            let lists = format!("its directory lists {} of {} {what}s", page.offsets.len(), page.chunks());
            return Err(if page.offsets.is_empty() { missing(offsets) } else { Cause::malformed(lists) });
        }
        page.check_bits().map(|()| page)
    }

    fn check_bits(&self) -> Result<(), Cause> {
        let is_read = match self.kind {
            Kind::Unsigned | Kind::Signed => (1..=64).contains(&self.bits),
            Kind::Float => matches!(self.bits, 16 | 24 | 32 | 64),
            Kind::ComplexIntegers => matches!(self.bits, 16 | 32 | 64),
            Kind::Complex => matches!(self.bits, 64 | 128),
        };
        if is_read { Ok(()) } else { Err(wrong(BITS, self.bits as u64)) }
    }

    /// Strips or tiles from one side to the other.
    pub(super) fn across(&self) -> usize {
        self.columns.div_ceil(self.chunk.0)
    }

    /// The number of strips or tiles of a plane.
    pub(super) fn chunks_of_plane(&self) -> usize {
        self.across().saturating_mul(self.rows.div_ceil(self.chunk.1))
    }

    /// The number of planes that are stored apart.
    pub(super) fn planes(&self) -> usize {
        if self.is_planar { self.samples } else { 1 }
    }

    /// The number of all strips or tiles.
    pub(super) fn chunks(&self) -> usize {
        self.chunks_of_plane().saturating_mul(self.planes())
    }

    /// Samples of a pixel in a strip or tile.
    pub(super) fn samples_of_chunk(&self) -> usize {
        if self.is_planar { 1 } else { self.samples }
    }

    /// Bytes of a row of a strip or tile.
    pub(super) fn row_bytes(&self) -> usize {
        self.chunk.0.saturating_mul(self.samples_of_chunk()).saturating_mul(self.bits).div_ceil(8)
    }

    /// Rows of the strip or tile of an index; the last strip may have fewer.
    pub(super) fn rows_of(&self, index: usize) -> usize {
        let first = index % self.chunks_of_plane() / self.across() * self.chunk.1;
        if self.is_tiled { self.chunk.1 } else { self.chunk.1.min(self.rows - first) }
    }
}

/// The value of a tag that all samples share.
fn uniform(values: Vec<u64>, what: &str) -> Result<Option<u64>, Cause> {
    let first = values.first().copied();
    if values.iter().any(|value| Some(*value) != first) {
        let values: Vec<String> = values.iter().take(8).map(u64::to_string).collect();
        return Err(Cause::unsupported(format!(
            "its samples have different {what} ({}); save it with the same for all",
            values.join(", ")
        )));
    }
    Ok(first)
}

fn kind(format: u64) -> Result<Kind, Cause> {
    Ok(match format {
        // Undefined samples are bits, which are integers as well.
        1 | 4 => Kind::Unsigned,
        2 => Kind::Signed,
        3 => Kind::Float,
        5 => Kind::ComplexIntegers,
        6 => Kind::Complex,
        _ => return Err(wrong(FORMAT, format)),
    })
}

fn colours(directory: &Directory<'_>, n: usize, compression: u64) -> Result<Colours, Cause> {
    let (colours, least, name) = match directory.integer(PHOTOMETRIC)? {
        None if n == 3 => (Colours::Rgb, 3, ""),
        None => (Colours::Gray { is_white_zero: false }, 1, ""),
        Some(0) => (Colours::Gray { is_white_zero: true }, 1, ""),
        // A mask of transparency and a depth map are numbers as well, and so is a sensor without colours.
        Some(1 | 4 | 51177) => (Colours::Gray { is_white_zero: false }, 1, ""),
        Some(34892) if n < 3 => (Colours::Gray { is_white_zero: false }, 1, ""),
        Some(2 | 34892) => (Colours::Rgb, 3, "red, green and blue"),
        Some(3) => (Colours::Palette, 1, ""),
        Some(5) => (Colours::Ink, 4, "four inks (CMYK)"),
        Some(6) => (Colours::YCbCr, 3, "luminance and two colours"),
        Some(32803) => (Colours::Mosaic, 1, ""),
        Some(value) => {
            let name = match value {
                8..=10 => " (CIE L*a*b*)",
                32844 => " (CIE L)",
                32845 => " (CIE Luv)",
                _ => "",
            };
            let what =
                format!("its tag 262 (PhotometricInterpretation) is {value}{name}, colours that are not read; save it as gray or RGB");
            return Err(Cause::unsupported(what));
        }
    };
    if n < least {
        return Err(Cause::unsupported(format!("its pixels have {}, and {name} need {least}", counted(n, "sample"))));
    }
    if colours == Colours::YCbCr && compression != JPEG && directory.integers(SUBSAMPLING)? != [1, 1] {
        let what = "its tag 530 (YCbCrSubSampling) stores colours for fewer pixels than luminance; save it as RGB";
        return Err(Cause::unsupported(what));
    }
    Ok(colours)
}

fn missing(tag: Tag) -> Cause {
    Cause::malformed(format!("its directory has no tag {} ({})", tag.0, tag.1))
}

/// A value of a tag that is not read.
pub(super) fn wrong(tag: Tag, value: u64) -> Cause {
    Cause::unsupported(format!("its tag {} ({}) is {value}, which is not read", tag.0, tag.1))
}

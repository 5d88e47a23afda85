//! NIfTI-1 and NIfTI-2, the format of brain images: a slice of a volume.
//!
//! The header is a record of fixed offsets in either byte order. The first axis of a slice goes along the columns, the second along the rows.

use super::metadata::Metadata;
use super::numbers::{Meaning, NumberType, Numbers, UPWARDS, page_of, pages};
use super::pixels::{PixelLayout, image};
use super::{Decoded, FileFormat};
use crate::signal::reading::Reading;
use crate::signal::{Cause, Channel, PageKind, PixelSize, PixelUnit, Samples, Signal, SignalKind};

/// Volumes of one file; the pair of a header and its data in two files is not read.
pub(super) static NIFTI: FileFormat = FileFormat {
    name: "NIfTI",
    endings: &["nii"],
    marks: &[],
    is_content: |bytes| Header::of(bytes).is_some(),
    decode: |content, how| decode(content, how),
    output: None,
};

/// Where the fields of a header are, and how wide they are.
struct Places {
    /// Eight sizes: the number of axes first.
    sizes: (usize, usize),
    kind: usize,
    /// Eight steps.
    steps: (usize, usize),
    data: (usize, usize),
    slope: usize,
    unit: usize,
    /// The code of the quaternion, that of the matrix, the quaternion and the second row of the matrix.
    space: [usize; 4],
    is_first: bool,
}

const FIRST: Places =
    Places { sizes: (40, 2), kind: 70, steps: (76, 4), data: (108, 4), slope: 112, unit: 123, space: [252, 254, 256, 296], is_first: true };

const SECOND: Places = Places {
    sizes: (16, 8),
    kind: 12,
    steps: (104, 8),
    data: (168, 8),
    slope: 176,
    unit: 500,
    space: [344, 348, 352, 432],
    is_first: false,
};

/// A header in its byte order.
struct Header<'a> {
    bytes: &'a [u8],
    places: &'static Places,
    is_big_endian: bool,
}

impl<'a> Header<'a> {
    /// The header of a file; `None` where the file is of another format.
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let length: [u8; 4] = *bytes.first_chunk()?;
        let is_big_endian = length[0] == 0;
        let length = if is_big_endian { u32::from_be_bytes(length) } else { u32::from_le_bytes(length) };
        let places = match length {
            348 if matches!(bytes.get(344..348)?, b"n+1\0" | b"ni1\0") => &FIRST,
            540 if matches!(bytes.get(4..8)?, b"n+2\0" | b"ni2\0") && bytes.len() >= 540 => &SECOND,
            _ => return None,
        };
        Some(Self { bytes, places, is_big_endian })
    }

    /// Whether the data are in another file.
    fn is_half(&self) -> bool {
        let mark = if self.places.is_first { 344 } else { 4 };
        self.bytes[mark + 1] == b'i'
    }

    /// The bytes of a field, the lowest first.
    fn field<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut field = [0; N];
        field.copy_from_slice(&self.bytes[at..at + N]);
        if self.is_big_endian {
            field.reverse();
        }
        field
    }

    fn whole(&self, at: usize, width: usize) -> i64 {
        match width {
            2 => i16::from_le_bytes(self.field(at)).into(),
            4 => i32::from_le_bytes(self.field(at)).into(),
            _ => i64::from_le_bytes(self.field(at)),
        }
    }

    /// A real number: of 4 bytes in the first version, of 8 in the second.
    fn real(&self, at: usize) -> f64 {
        if self.places.is_first { f32::from_le_bytes(self.field(at)).into() } else { f64::from_le_bytes(self.field(at)) }
    }

    /// The sizes of all axes, the fastest first.
    fn sizes(&self) -> Result<Vec<u64>, Cause> {
        let (at, width) = self.places.sizes;
        let n = self.whole(at, width);
        if !(1..=7).contains(&n) {
            return Err(Cause::malformed(format!("its header gives {n} axes; 1 to 7 are possible")));
        }
        let size = |axis: usize| {
            let size = self.whole(at + axis * width, width);
            u64::try_from(size).map_err(|_| Cause::malformed(format!("its header gives axis {axis} the size {size}")))
        };
        (1..=n as usize).map(size).collect()
    }

    /// The code of the type of a voxel.
    fn kind(&self) -> i64 {
        self.whole(self.places.kind, 2)
    }

    /// The offset of the first voxel; the first version stores it as a real number.
    fn start(&self) -> usize {
        let (at, width) = self.places.data;
        if self.places.is_first { self.real(at) as usize } else { usize::try_from(self.whole(at, width)).unwrap_or(usize::MAX) }
    }

    /// Whether the rows go upwards on the sheet, towards the face, as they do unless the header says otherwise.
    fn goes_upwards(&self) -> bool {
        let [quaternion_code, matrix_code, quaternion, matrix] = self.places.space;
        let (code_width, width) = if self.places.is_first { (2, 4) } else { (4, 8) };
        if self.whole(matrix_code, code_width) > 0 {
            return self.real(matrix + width) >= 0.0;
        }
        let [b, _, d] = [0, 1, 2].map(|part| self.real(quaternion + part * width));
        // The entry of the rotation that takes the second axis to itself is a² + c² − b² − d², where a² + b² + c² + d² = 1.
        self.whole(quaternion_code, code_width) <= 0 || b * b + d * d <= 0.5
    }

    fn pixel_size(&self) -> Option<PixelSize> {
        let (at, width) = self.places.steps;
        let unit = match self.bytes[self.places.unit + if self.is_big_endian && !self.places.is_first { 3 } else { 0 }] & 7 {
            1 => PixelUnit::Metre,
            2 => PixelUnit::Millimetre,
            3 => PixelUnit::Micrometre,
            _ => return None,
        };
        PixelSize::of(self.real(at + width).abs(), self.real(at + 2 * width).abs(), unit)
    }
}

/// Decodes the first slice.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
    let header = Header::of(bytes).ok_or_else(|| Cause::truncated("its header is not complete"))?;
    if header.is_half() {
        return Err(Cause::unsupported(
            "it is the header of a pair, and the voxels are in the .img file beside it; save both as one .nii file",
        ));
    }
    let sizes = header.sizes()?;
    let (columns, rows) = (sizes[0], sizes.get(1).copied().unwrap_or(1));
    let n_slices = sizes.iter().skip(2).fold(1_u64, |n, size| n.saturating_mul(*size));
    let voxels = bytes.get(header.start()..).unwrap_or_default();
    let pages = pages(how, n_slices, PageKind::Slice)?;
    let shape = (rows as usize, columns as usize);
    let slice = |width: usize| page_of(voxels, (rows, columns), width, pages);
    let mut signal = match header.kind() {
        128 => image(slice(3)?.to_vec(), shape, PixelLayout::Rgb, Samples::U8),
        2304 => image(slice(4)?.to_vec(), shape, PixelLayout::Rgba, Samples::U8),
        code => {
            let kind = number_type(code)?;
            let slope_at = header.places.slope;
            let slope = header.real(slope_at);
            let intercept = header.real(slope_at + if header.places.is_first { 4 } else { 8 });
            // A slope of zero means that the values are not mapped.
            let is_map = slope != 0.0 && slope.is_finite() && intercept.is_finite();
            let (slope, intercept) = if is_map { (slope, intercept) } else { (1.0, 0.0) };
            let stored = Numbers { bytes: slice(kind.width())?, kind, is_big_endian: header.is_big_endian }.samples()?;
            let samples = Meaning { slope, intercept, blank: None }.values(stored)?;
            Signal::from_channels("", SignalKind::Image, shape, vec![Channel::new("gray", samples)])
        }
    };
    signal.pages = pages;
    let orientation = header.goes_upwards().then_some(UPWARDS);
    Ok(Metadata { orientation, pixel_size: header.pixel_size() }.applied(signal, how))
}

/// The type of voxels with this code.
fn number_type(code: i64) -> Result<NumberType, Cause> {
    Ok(match code {
        2 => NumberType::U8,
        4 => NumberType::I16,
        8 => NumberType::I32,
        16 => NumberType::F32,
        32 => NumberType::Complex32,
        64 => NumberType::F64,
        256 => NumberType::I8,
        512 => NumberType::U16,
        768 => NumberType::U32,
        1024 => NumberType::I64,
        1280 => NumberType::U64,
        1792 => NumberType::Complex64,
        1 => return Err(Cause::unsupported("its voxels are single bits; save them as 8-bit integers")),
        1536 | 2048 => return Err(Cause::unsupported("its voxels are floats of 128 bits; save them as floats of 64 bits")),
        other => return Err(Cause::malformed(format!("its header gives its voxels the unknown type {other}"))),
    })
}

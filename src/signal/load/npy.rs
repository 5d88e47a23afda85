//! One array of numpy (NPY 1.0, 2.0, 3.0): every real, complex and boolean type, either byte order, rows or columns first.
//!
//! One dimension is a line; two are a picture, whose rows a one-dimensional transform takes as a batch; three are a colour picture where the last has 3 or 4 (the fourth, transparency, is left out).
//! Types that [`Samples`] has are kept; narrower ones are widened, and booleans become 0 and 1.

use super::super::{Cause, Channel, Kind, Samples, Signal, memory};
use super::Decoded;
use num_complex::{Complex32, Complex64};

/// What stands before the data.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    /// Byte order, kind and width, such as `<f8`.
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

/// Decodes one array. Bytes behind it are ignored, and said.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let (header, data) = split(bytes)?;
    let header = Header::parse(header)?;
    let item = Item::parse(&header.descr)?;
    let (kind, rows, columns, depth) = interpret(&header.shape)?;
    let shape = &header.shape;
    let claim = || format!("an array of {} elements of {} bytes", join(shape), item.width);
    let mut factors = shape.clone();
    factors.push(item.width as u64);
    let length = memory::checked_bytes(&factors, claim)?;
    let Some(array) = data.get(..length) else {
        return Err(Cause::truncated(&format!("{} of {length} bytes of {} are there", data.len(), claim())));
    };
    let mut signal = if depth == 1 {
        let samples = item.samples(&reorder(array, &header, item.width))?;
        let name = if kind == Kind::Picture { "gray" } else { "value" };
        Signal::from_channels("", kind, (rows, columns), vec![Channel::new(name, samples)])
    } else {
        let ordered = reorder(array, &header, item.width);
        let plane = |index: usize| -> Vec<u8> {
            ordered.chunks_exact(item.width * depth).flat_map(|p| &p[index * item.width..][..item.width]).copied().collect()
        };
        let channels = ["red", "green", "blue"].iter().enumerate();
        let channels = channels.map(|(index, name)| Ok(Channel::new(*name, item.samples(&plane(index))?)));
        Signal::from_channels("", kind, (rows, columns), channels.collect::<Result<_, Cause>>()?)
    };
    if depth == 4 {
        signal.notes.push("The fourth plane is taken as transparency and left out.".to_owned());
    }
    if data.len() > length {
        signal.notes.push(format!("{} bytes behind the array are ignored.", data.len() - length));
    }
    Ok(signal)
}

/// The text of the header, and all bytes behind it.
fn split(bytes: &[u8]) -> Result<(&str, &[u8]), Cause> {
    let truncated = || Cause::truncated("its header is not complete");
    let [major, _minor] = *bytes.get(6..8).ok_or_else(truncated)? else {
        return Err(truncated());
    };
    let (length, start) = match major {
        1 => (bytes.get(8..10).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]]))), 10),
        2 | 3 => (bytes.get(8..12).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 12),
        other => {
            return Err(Cause::unsupported(format!("its version {other} is unknown; 1 to 3 are read")));
        }
    };
    let end = start + length.ok_or_else(truncated)? as usize;
    let header = bytes.get(start..end).ok_or_else(truncated)?;
    let header = std::str::from_utf8(header).map_err(|_| Cause::malformed("its header is not text"))?;
    Ok((header, &bytes[end..]))
}

impl Header {
    /// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }`; keys in any order.
    fn parse(text: &str) -> Result<Self, Cause> {
        let broken = |what: &str| Cause::malformed(format!("its header {what}: {}", text.trim()));
        let value = |key: &str| {
            let after = ["'", "\""].iter().find_map(|q| text.split_once(&format!("{q}{key}{q}")))?.1;
            Some(after.trim_start().strip_prefix(':')?.trim_start())
        };
        let descr = value("descr").ok_or_else(|| broken("has no type (descr)"))?;
        let quote = descr.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let Some(quote) = quote else {
            return Err(Cause::unsupported("it holds records of several fields; save one field as a plain array"));
        };
        let descr = descr[1..].split(quote).next().unwrap_or_default().to_owned();
        let fortran = value("fortran_order").ok_or_else(|| broken("has no fortran_order"))?;
        let fortran_order = match (fortran.starts_with("True"), fortran.starts_with("False")) {
            (true, _) => true,
            (_, true) => false,
            _ => return Err(broken("has a fortran_order that is neither True nor False")),
        };
        let shape = value("shape").and_then(|v| v.strip_prefix('(')?.split_once(')')).ok_or_else(|| broken("has no shape"))?.0;
        let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape = sizes.map(|size| size.trim_end_matches('L').parse().map_err(|_| broken("has a shape that is not made of counts")));
        Ok(Self { descr, fortran_order, shape: shape.collect::<Result<_, _>>()? })
    }
}

/// Kind, rows, columns and planes of an array of that shape.
fn interpret(shape: &[u64]) -> Result<(Kind, usize, usize, usize), Cause> {
    if shape.contains(&0) {
        return Err(Cause::malformed(format!("its array ({}) has no elements", join(shape))));
    }
    let too_large =
        |_| Cause::TooLarge { claim: format!("an array of {} elements", join(shape)), needed: u128::MAX, limit: memory::limit().into() };
    let size = |n: u64| usize::try_from(n).map_err(too_large);
    match *shape {
        [] => Ok((Kind::Lines, 1, 1, 1)),
        [n] => Ok((Kind::Lines, 1, size(n)?, 1)),
        [rows, columns] => Ok((Kind::Picture, size(rows)?, size(columns)?, 1)),
        [rows, columns, 1] => Ok((Kind::Picture, size(rows)?, size(columns)?, 1)),
        [rows, columns, planes @ (3 | 4)] => Ok((Kind::Picture, size(rows)?, size(columns)?, planes as usize)),
        _ => Err(Cause::unsupported(format!(
            "its array has the shape ({}); one or two dimensions are read, and three where the last has 3 or 4 colours",
            join(shape)
        ))),
    }
}

fn join(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("×")
}

/// The array with its last index running fastest.
fn reorder<'a>(array: &'a [u8], header: &Header, width: usize) -> std::borrow::Cow<'a, [u8]> {
    let sizes: Vec<usize> = header.shape.iter().map(|&size| size as usize).collect();
    if !header.fortran_order || sizes.len() < 2 {
        return array.into();
    }
    let (rows, columns, depth) = (sizes[0], sizes[1], sizes.get(2).copied().unwrap_or(1));
    let mut ordered = Vec::with_capacity(array.len());
    for row in 0..rows {
        for column in 0..columns {
            for plane in 0..depth {
                let from = ((plane * columns + column) * rows + row) * width;
                ordered.extend_from_slice(&array[from..from + width]);
            }
        }
    }
    ordered.into()
}

/// The type of one element.
struct Item {
    kind: u8,
    /// Bytes of one element.
    width: usize,
    big_endian: bool,
}

impl Item {
    fn parse(descr: &str) -> Result<Self, Cause> {
        let unsupported =
            || Cause::unsupported(format!("its elements are of type “{descr}”; convert them to integers, floats or complex numbers"));
        let (order, rest) = match descr.as_bytes() {
            [order @ (b'<' | b'>' | b'|' | b'='), rest @ ..] => (*order, rest),
            rest => (b'=', rest),
        };
        let [kind, width @ ..] = rest else {
            return Err(unsupported());
        };
        let width = std::str::from_utf8(width).ok().and_then(|w| w.parse().ok()).ok_or_else(unsupported)?;
        let is_known = match kind {
            b'b' => width == 1,
            b'i' | b'u' => matches!(width, 1 | 2 | 4 | 8),
            b'f' => matches!(width, 2 | 4 | 8),
            b'c' => matches!(width, 8 | 16),
            _ => false,
        };
        if !is_known {
            return Err(unsupported());
        }
        let big_endian = order == b'>' || order == b'=' && cfg!(target_endian = "big");
        Ok(Self { kind: *kind, width, big_endian })
    }

    /// The elements as samples of the same or the next wider type.
    fn samples(&self, array: &[u8]) -> Result<Samples, Cause> {
        Ok(match (self.kind, self.width) {
            (b'b', _) => Samples::U8(array.iter().map(|&byte| u8::from(byte != 0)).collect()),
            (b'u', 1) => Samples::U8(array.to_vec()),
            (b'u', 2) => Samples::U16(self.read(array, u16::from_le_bytes)),
            (b'u', 4) => Samples::I64(self.read(array, |b| u32::from_le_bytes(b).into())),
            (b'u', _) => Samples::I64(to_i64(&self.read(array, u64::from_le_bytes))?),
            (b'i', 1) => Samples::I32(self.read(array, |b| i8::from_le_bytes(b).into())),
            (b'i', 2) => Samples::I32(self.read(array, |b| i16::from_le_bytes(b).into())),
            (b'i', 4) => Samples::I32(self.read(array, i32::from_le_bytes)),
            (b'i', _) => Samples::I64(self.read(array, i64::from_le_bytes)),
            (b'f', 2) => Samples::F32(self.read(array, |b| f32_from_half(u16::from_le_bytes(b)))),
            (b'f', 4) => Samples::F32(self.read(array, f32::from_le_bytes)),
            (b'f', _) => Samples::F64(self.read(array, f64::from_le_bytes)),
            (_, 8) => {
                let parts: Vec<f32> = self.read(array, f32::from_le_bytes);
                Samples::Complex32(parts.chunks_exact(2).map(|z| Complex32::new(z[0], z[1])).collect())
            }
            _ => {
                let parts: Vec<f64> = self.read(array, f64::from_le_bytes);
                Samples::Complex64(parts.chunks_exact(2).map(|z| Complex64::new(z[0], z[1])).collect())
            }
        })
    }

    /// Numbers of N bytes each, with their bytes turned where the file is big-endian.
    fn read<const N: usize, T>(&self, array: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
        let (elements, _) = array.as_chunks::<N>();
        if self.big_endian {
            let turned = |mut element: [u8; N]| {
                element.reverse();
                number(element)
            };
            elements.iter().copied().map(turned).collect()
        } else {
            elements.iter().copied().map(number).collect()
        }
    }
}

/// Unsigned 64-bit numbers as signed ones, refused where they do not fit.
pub(super) fn to_i64(values: &[u64]) -> Result<Vec<i64>, Cause> {
    let convert =
        |&value: &u64| i64::try_from(value).map_err(|_| Cause::unsupported(format!("its value {value} passes 2^63; convert it to floats")));
    values.iter().map(convert).collect()
}

/// IEEE half precision, exactly.
pub(super) fn f32_from_half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff);
    let magnitude = match exponent {
        0 => fraction * 2_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f32.powi(exponent - 15),
    };
    sign * magnitude
}

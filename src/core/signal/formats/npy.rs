//! One array of numpy (NPY 1.0, 2.0, 3.0) by `npyz`: every real, complex and boolean type, either byte order, rows or columns first.
//!
//! An array of one dimension is a signal. Two dimensions are an image; a one-dimensional transform takes its rows as a batch.
//! Three are a colour image where the last has 3 or 4 planes; the fourth, transparency, is left out. Otherwise axes before the last two count slices.
//! Types that [`Samples`] has are kept, narrower ones are widened, and booleans become 0 and 1.
//! The shape is read here first, because the library multiplies it unchecked and follows nested brackets until the stack overflows.

mod records;

use super::numbers::{NumberType, samples};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::numerals::{counted, integer};
use crate::remedy::Remedy;
use crate::signal::error::one_line;
use crate::signal::reading::{Content, Reading};
use crate::signal::table::{Cells, Column, Columns, Name, assemble, is_narrow};
use crate::signal::{Cause, Channel, Misfit, Note, PageKind, Pages, Samples, Signal, SignalKind, memory};
use npyz::{AutoSerialize, DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriterBuilder};
use std::io::{self, Write};
use std::mem::discriminant;
use std::ops::Range;

/// One array of numpy; keeps every type.
pub(super) static NPY: FileFormat = FileFormat {
    name: "NPY",
    endings: &["npy"],
    marks: &[b"\x93NUMPY"],
    is_content: |_| true,
    decode: |content, how| decode(content, how),
    output: Some(OutputFormat {
        name: "NPY",
        endings: &["npy"],
        holds: Holds { reals: true, complex: true, rows: true, channels: true, sample_rate: false, is_image: false },
        fits,
        encode,
    }),
};

/// Decodes one array. Bytes behind it are ignored; a note says so. Of a large file only the beginning needs to be in memory.
pub(super) fn decode(content: &Content, how: &Reading) -> Decoded {
    let shape = claimed_shape(header_text(content)?)?;
    let layout = Arrangement::of(&shape)?;
    memory::checked_bytes(&shape, || format!("an array of {}", elements(&shape)))?;
    let mut data: &[u8] = content;
    let header = NpyHeader::from_reader(&mut data);
    let header =
        header.map_err(|_| Cause::malformed("its header (type, order and shape) is damaged; save the array again by numpy.save"))?;
    let width = header.dtype().num_bytes().unwrap_or(0);
    let claim = || format!("an array of {} of {}", elements(&shape), counted(width, "byte"));
    let factors: Vec<u64> = shape.iter().copied().chain([width as u64]).collect();
    let length = memory::checked_bytes(&factors, claim)?;
    let start = content.len() - data.len();
    let there = content.size() - start;
    if there < length {
        return Err(Cause::truncated(&format!("{} of {} of {} are there", integer(there), counted(length, "byte"), claim())));
    }
    let is_narrow = how.options.prefers_tables && layout.kind.is_image() && layout.depth * layout.slices == 1;
    let mut signal = match table(&header, layout.rows * layout.columns, || whole(content).map(|bytes| &bytes[start..][..length]))? {
        Some(table) => assemble(table, &how.options)?,
        None if is_narrow && let Some(signal) = narrow(content, layout.rows, layout.columns, how)? => signal,
        None => plain(&header, content, start, layout, how)?,
    };
    if matches!(shape[..], [n, 1] if n > 1) && signal.table.is_none() {
        signal.notes.push("The array is one column, and is read as one signal.".into());
    }
    if there > length {
        signal.notes.push(format!("The file has {} more than its array, left unread.", counted(there - length, "byte")).into());
    }
    Ok(signal)
}

/// All bytes of a file, where they are in memory: those of a large file are read after this fails.
fn whole(content: &Content) -> Result<&[u8], Cause> {
    content.is_in_memory().then_some(&content[..]).ok_or_else(|| Cause::malformed("only its beginning was read"))
}

/// The columns of an array of records; `None` for other arrays.
fn table<'a>(header: &NpyHeader, n: usize, data: impl FnOnce() -> Result<&'a [u8], Cause>) -> Result<Option<Columns>, Cause> {
    let DType::Record(fields) = header.dtype() else { return Ok(None) };
    let found = records::columns(&fields, n, data()?)?;
    if header.shape().iter().filter(|size| **size > 1).count() > 1 {
        return Err(Cause::unsupported("it holds records in several dimensions; save one row of them, or one field as a plain array"));
    }
    Ok(Some(found))
}

/// The signal of an array of a few long columns or rows of real numbers: each is a channel, and the first may be the axis.
fn narrow(content: &Content, rows: usize, columns: usize, how: &Reading) -> Result<Option<Signal>, Cause> {
    let (n, length) = (rows.min(columns), rows.max(columns));
    let found = if is_narrow(length, n) { self::columns("", whole(content)?, Some(length))? } else { None };
    let Some(found) = found.filter(|found| found.iter().all(|column| matches!(column.cells, Cells::Numbers(_)))) else { return Ok(None) };
    let columns = found.into_iter().enumerate().map(|(index, column)| Column { name: Name::numbered(index), ..column }).collect();
    let mut signal = assemble(Columns { columns, ..Columns::default() }, &how.options)?;
    let channels = counted(signal.channels.len(), "channel");
    let text = format!("The array is a table of {channels} of {} each, as it is long and narrow", counted(length, "sample"));
    signal.notes.insert(0, Note::new(text, [Remedy::Image]));
    Ok(Some(signal))
}

/// An array whose elements are numbers or times, with all of their bytes.
struct PlainArray<'a> {
    shape: Vec<u64>,
    is_row_major: bool,
    kind: TypeStr,
    /// Bytes of an element.
    width: usize,
    data: &'a [u8],
}

impl<'a> PlainArray<'a> {
    /// The array of an archive; `None` for records, for objects, and where bytes are missing.
    ///
    /// # Errors
    /// When the header is damaged.
    fn of(bytes: &'a [u8]) -> Result<Option<Self>, Cause> {
        let shape = claimed_shape(header_text(bytes)?)?;
        let Some(n) = shape.iter().try_fold(1_u64, |n, size| n.checked_mul(*size)) else { return Ok(None) };
        let mut data = bytes;
        let Ok(header) = NpyHeader::from_reader(&mut data) else { return Ok(None) };
        let DType::Plain(kind) = header.dtype() else { return Ok(None) };
        let width = kind.num_bytes().unwrap_or(0).max(1);
        let is_whole = n.checked_mul(width as u64).is_some_and(|length| length <= data.len() as u64);
        let is_plain = is_whole && !kind.uses_pickled_array();
        Ok(is_plain.then(|| Self { shape, is_row_major: header.order() == Order::C, kind, width, data }))
    }
}

/// The columns of an array for an archive whose arrays are the columns of a table: the array itself where it has one dimension;
/// where it has two, its columns or rows of `n` values, if `n` is given. `None` for other arrays.
///
/// # Errors
/// When the array is damaged, or does not fit into memory.
pub(super) fn columns(name: &str, bytes: &[u8], n: Option<usize>) -> Result<Option<Vec<Column>>, Cause> {
    let Some(PlainArray { shape, is_row_major, kind, width, data }) = PlainArray::of(bytes)? else { return Ok(None) };
    // The number of columns, and how far apart the values of one and the columns are.
    let (rows, columns, next_row, next_column) = match shape[..] {
        [rows] if n.is_none_or(|n| n as u64 == rows) => (rows, 1, 1, 0),
        [rows, columns] if n == Some(rows as usize) && is_row_major => (rows, columns, columns, 1),
        [rows, columns] if n == Some(rows as usize) => (rows, columns, 1, rows),
        [columns, rows] if n == Some(rows as usize) && is_row_major => (rows, columns, 1, rows),
        [columns, rows] if n == Some(rows as usize) => (rows, columns, columns, 1),
        _ => return Ok(None),
    };
    if columns > records::MOST_PARTS {
        return Ok(None);
    }
    let column = |column: u64| {
        let items = (0..rows as usize).map(|row| &data[(row * next_row as usize + (column * next_column) as usize) * width..]);
        let name = if columns == 1 { one_line(name) } else { format!("{}[{column}]", one_line(name)) };
        Ok(Column { name: Name::of(&name), cells: records::cells(&kind, items)? })
    };
    (0..columns).map(column).collect::<Result<Vec<_>, _>>().map(Some)
}

/// The value of an array of a single number; `None` for other arrays.
///
/// # Errors
/// When the array is damaged.
pub(super) fn scalar(bytes: &[u8]) -> Result<Option<f64>, Cause> {
    let Some(array) = PlainArray::of(bytes)?.filter(|array| array.shape.iter().all(|size| *size == 1)) else { return Ok(None) };
    let cells = records::cells(&array.kind, [array.data].into_iter())?;
    Ok(if let Cells::Numbers(values) = cells { Some(values.at(0)) } else { None })
}

/// The samples of an array of numbers, which begins at byte `start`.
fn plain(header: &NpyHeader, content: &Content, start: usize, layout: Arrangement, how: &Reading) -> Decoded {
    let pages = Pages::chosen(&how.options, layout.slices, PageKind::Slice)?;
    let planes = planes(header, (content, start), &layout, (Pages::index(pages), how))?;
    let names: &[&str] = match (layout.depth, layout.kind) {
        (1, SignalKind::Image) => &["gray"],
        (1, SignalKind::Rows) => &["value"],
        _ => &["red", "green", "blue"],
    };
    let channels = names.iter().zip(planes).map(|(name, samples)| Channel::new(*name, samples));
    let mut signal = Signal::from_channels("", layout.kind, (layout.rows, layout.columns), channels.collect());
    signal.pages = pages;
    if layout.depth == 4 {
        signal.notes.push("The fourth plane is taken as transparency and left out.".into());
    }
    Ok(signal)
}

/// The text of the header.
fn header_text(bytes: &[u8]) -> Result<&str, Cause> {
    let truncated = || Cause::truncated("its header is not complete");
    let length = |at: usize, width: usize| {
        let digits = bytes.get(at..at + width)?;
        Some(digits.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte)))
    };
    let (length, start) = match bytes.get(6).ok_or_else(truncated)? {
        1 => (length(8, 2), 10),
        2 | 3 => (length(8, 4), 12),
        other => return Err(Cause::unsupported(format!("its version {other} is unknown; 1 to 3 are read"))),
    };
    let header = bytes.get(start..start + length.ok_or_else(truncated)?).ok_or_else(truncated)?;
    std::str::from_utf8(header).map_err(|_| Cause::malformed("its header is not text"))
}

/// The shape in the header, such as `(2, 3)`.
fn claimed_shape(header: &str) -> Result<Vec<u64>, Cause> {
    // The dictionary and the shape have one bracket each, a list of fields one more, a field two: its own and that of its shape.
    let mut depth = 0_usize;
    let deepest = header.bytes().map(|byte| match byte {
        b'{' | b'[' | b'(' => {
            depth += 1;
            depth
        }
        b'}' | b']' | b')' => {
            depth = depth.saturating_sub(1);
            depth
        }
        _ => depth,
    });
    if deepest.max().unwrap_or(0) > 4 {
        return Err(Cause::unsupported("it holds records of records; save one field as a plain array"));
    }
    let header = header.split_once("'shape'").or_else(|| header.split_once("\"shape\"")).map_or(header, |(_, rest)| rest);
    let broken = |what: &str| Cause::malformed(format!("its header {what}: {}", header.trim()));
    let shape = header.split_once('(').and_then(|(_, rest)| rest.split_once(')')).ok_or_else(|| broken("has no shape"))?.0;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    sizes.map(|size| size.parse().map_err(|_| broken("has a shape that is not made of counts"))).collect()
}

/// The meaning of the axes of an array.
struct Arrangement {
    kind: SignalKind,
    rows: usize,
    columns: usize,
    /// The number of planes of a pixel.
    depth: usize,
    /// The number of images of the axes before those of the rows.
    slices: usize,
    /// The sizes of these axes.
    leading: Vec<usize>,
}

impl Arrangement {
    /// The arrangement of an array of that shape.
    fn of(shape: &[u64]) -> Result<Self, Cause> {
        if shape.contains(&0) {
            return Err(Cause::malformed(format!("its array ({}) has no elements", joined(shape))));
        }
        let too_large =
            |_| Cause::TooLarge { claim: format!("an array of {}", elements(shape)), needed: u128::MAX, limit: memory::limit().into() };
        let sizes: Vec<usize> = shape.iter().map(|n| usize::try_from(*n).map_err(too_large)).collect::<Result<_, _>>()?;
        let (kind, leading, [rows, columns, depth]) = match sizes[..] {
            [] => (SignalKind::Rows, &[][..], [1, 1, 1]),
            // A column of numbers is one signal, and not n signals of one sample each.
            [n, 1] if n > 1 => (SignalKind::Rows, &[][..], [1, n, 1]),
            [ref leading @ .., rows, columns, planes @ (1 | 3 | 4)] => (SignalKind::Image, leading, [rows, columns, planes]),
            [ref leading @ .., rows, columns] => (SignalKind::Image, leading, [rows, columns, 1]),
            [n] => (SignalKind::Rows, &[][..], [1, n, 1]),
        };
        let slices = leading.iter().fold(1_usize, |product, size| product.saturating_mul(*size));
        Ok(Self { kind, rows, columns, depth, slices, leading: leading.to_vec() })
    }
}

fn joined(shape: &[u64]) -> String {
    /// A shape of an array that is read has no more.
    const SHOWN: usize = 8;
    let shown = shape.iter().take(SHOWN).map(u64::to_string).collect::<Vec<_>>().join("×");
    if shape.len() > SHOWN { format!("{shown}×…, {} dimensions", shape.len()) } else { shown }
}

/// "1 element", "3×4 elements".
fn elements(shape: &[u64]) -> String {
    let text = joined(shape);
    format!("{text} element{}", if text == "1" { "" } else { "s" })
}

/// The type of the elements.
fn number_type(dtype: &DType) -> Option<NumberType> {
    let DType::Plain(item) = dtype else { return None };
    Some(match (item.type_char(), item.size_field()) {
        (TypeChar::Bool, _) => NumberType::Bool,
        (TypeChar::Uint, 1) => NumberType::U8,
        (TypeChar::Uint, 2) => NumberType::U16,
        (TypeChar::Uint, 4) => NumberType::U32,
        (TypeChar::Uint, 8) => NumberType::U64,
        (TypeChar::Int, 1) => NumberType::I8,
        (TypeChar::Int, 2) => NumberType::I16,
        (TypeChar::Int, 4) => NumberType::I32,
        (TypeChar::Int, 8) => NumberType::I64,
        (TypeChar::Float, 2) => NumberType::F16,
        (TypeChar::Float, 4) => NumberType::F32,
        (TypeChar::Float, 8) => NumberType::F64,
        (TypeChar::Complex, 8) => NumberType::Complex32,
        (TypeChar::Complex, 16) => NumberType::Complex64,
        _ => return None,
    })
}

/// The samples of every plane of a slice, row after row, of the type in the file or the next wider one.
fn planes(
    header: &NpyHeader,
    (content, start): (&Content, usize),
    layout: &Arrangement,
    (slice, how): (usize, &Reading),
) -> Result<Vec<Samples>, Cause> {
    let dtype = header.dtype();
    let kind = number_type(&dtype).ok_or_else(|| {
        let descr = dtype.descr().replace('\'', "");
        Cause::unsupported(format!("its elements are of type “{descr}”; convert them to integers, floats or complex numbers"))
    })?;
    let is_big_endian = matches!(&dtype, DType::Plain(item) if item.endianness() == Endianness::Big);
    let &Arrangement { rows, columns, depth, ref leading, .. } = layout;
    let is_row_major = header.order() == Order::C;
    // Slices follow each other where the last axis runs fastest; otherwise they are interleaved.
    let (skipped, n) = if is_row_major { (slice, rows * columns * depth) } else { (0, rows * columns * depth * layout.slices) };
    let from = start + skipped * n * kind.width();
    let read = |range: Range<usize>, take: &mut dyn FnMut(&[u8])| {
        content.part(from + range.start..from + range.end, &how.watch, take)?;
        // The bytes are parsed as they come.
        how.watch.advance(range.len());
        Ok(())
    };
    let elements = samples(n, &read, kind, is_big_endian)?;
    if depth == 1 && (is_row_major || rows * layout.slices == 1) {
        return Ok(vec![elements]);
    }
    let strides: Vec<usize> = header.strides().iter().map(|&stride| stride as usize).collect();
    let stride = |axis: usize| strides.get(axis).copied().unwrap_or(0);
    let (mut first, mut rest) = (0, slice);
    for (axis, size) in leading.iter().enumerate().rev().filter(|_| !is_row_major) {
        (first, rest) = (first + rest % size * stride(axis), rest / size);
    }
    let [of_rows, of_columns, of_planes] = [0, 1, 2].map(|axis| stride(leading.len() + axis));
    let at = |plane: usize| move |pixel: usize| first + plane * of_planes + pixel / columns * of_rows + pixel % columns * of_columns;
    Ok((0..depth).map(|plane| elements.gathered(rows * columns, at(plane))).collect())
}

fn fits(signal: &Signal) -> Result<(), Misfit> {
    let first = discriminant(&signal.channels[0].samples);
    if signal.channels.iter().any(|channel| discriminant(&channel.samples) != first) {
        return Err(Misfit::MixedTypes);
    }
    if signal.channels.len() > 1 && signal.kind == SignalKind::Rows && signal.rows > 1 {
        return Err(Misfit::RowsOfChannels(signal.channels.len()));
    }
    Ok(())
}

/// Writes a colour image in the shape (rows, columns, 3), and channels of one row in (channels, columns).
fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    match &signal.channels[0].samples {
        Samples::U8(_) => array(out, signal, |s| if let Samples::U8(v) = s { v } else { &[] }),
        Samples::U16(_) => array(out, signal, |s| if let Samples::U16(v) = s { v } else { &[] }),
        Samples::I32(_) => array(out, signal, |s| if let Samples::I32(v) = s { v } else { &[] }),
        Samples::I64(_) => array(out, signal, |s| if let Samples::I64(v) = s { v } else { &[] }),
        Samples::F32(_) => array(out, signal, |s| if let Samples::F32(v) = s { v } else { &[] }),
        Samples::F64(_) => array(out, signal, |s| if let Samples::F64(v) = s { v } else { &[] }),
        Samples::Complex32(_) => array(out, signal, |s| if let Samples::Complex32(v) = s { v } else { &[] }),
        Samples::Complex64(_) => array(out, signal, |s| if let Samples::Complex64(v) = s { v } else { &[] }),
        Samples::Pcm(_) => encode(out, &signal.clone().in_arrays()),
    }
}

/// Writes a row of numbers.
pub(super) fn row(out: &mut dyn Write, values: &[f64]) -> io::Result<()> {
    let mut array = npyz::WriteOptions::new().default_dtype().shape(&[values.len() as u64]).writer(out).begin_nd()?;
    array.extend(values.iter().copied())?;
    array.finish()
}

/// Writes the channels one after the other, or interleaved pixel by pixel.
fn array<T: AutoSerialize + Copy>(out: &mut dyn Write, signal: &Signal, plane: impl Fn(&Samples) -> &[T]) -> io::Result<()> {
    let planes: Vec<&[T]> = signal.channels.iter().map(|channel| plane(&channel.samples)).collect();
    let [rows, columns, n] = [signal.rows, signal.columns, planes.len()].map(|size| size as u64);
    let shape: &[u64] = match (signal.kind, rows, n) {
        (SignalKind::Rows, 1, 1) => &[columns],
        (SignalKind::Rows, 1, _) => &[n, columns],
        (_, _, 1) => &[rows, columns],
        _ => &[rows, columns, n],
    };
    let mut array = npyz::WriteOptions::new().default_dtype().shape(shape).writer(out).begin_nd()?;
    if shape.len() == 3 {
        array.extend((0..signal.len()).flat_map(|index| planes.iter().map(move |plane| plane[index])))?;
    } else {
        array.extend(planes.iter().flat_map(|plane| plane.iter().copied()))?;
    }
    array.finish()
}

//! NPY 1.0 with the type of the samples; a colour picture has the shape (rows, columns, 3), channels of lines (channels, columns).

use super::super::{Kind, Samples, Signal};
use bytemuck::NoUninit;
use std::io::{self, Write};

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    let first = &signal.channels[0].samples;
    if signal.channels.iter().any(|channel| descr(&channel.samples) != descr(first)) {
        return Err("its channels are of different types; choose one channel".to_owned());
    }
    if signal.channels.len() > 1 && signal.kind == Kind::Lines && signal.rows > 1 {
        return Err("it is a batch of several channels; choose one channel".to_owned());
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let (rows, columns, n) = (signal.rows, signal.columns, signal.channels.len());
    let shape = match (signal.kind, rows, n) {
        (Kind::Lines, 1, 1) => format!("({columns},)"),
        (Kind::Lines, 1, _) => format!("({n}, {columns})"),
        (_, _, 1) => format!("({rows}, {columns})"),
        _ => format!("({rows}, {columns}, {n})"),
    };
    let descr = descr(&signal.channels[0].samples);
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // The data start at a multiple of 64 bytes: 10 bytes come before the header, a line feed ends it.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(padded as u16).to_le_bytes())?;
    out.write_all(format!("{header:<width$}\n", width = padded - 1).as_bytes())?;
    let is_interleaved = signal.kind == Kind::Picture && n > 1;
    match &signal.channels[0].samples {
        Samples::U8(_) => planes(out, signal, is_interleaved, |s| if let Samples::U8(v) = s { v } else { &[] }),
        Samples::U16(_) => planes(out, signal, is_interleaved, |s| if let Samples::U16(v) = s { v } else { &[] }),
        Samples::I32(_) => planes(out, signal, is_interleaved, |s| if let Samples::I32(v) = s { v } else { &[] }),
        Samples::I64(_) => planes(out, signal, is_interleaved, |s| if let Samples::I64(v) = s { v } else { &[] }),
        Samples::F32(_) => planes(out, signal, is_interleaved, |s| if let Samples::F32(v) = s { v } else { &[] }),
        Samples::F64(_) => planes(out, signal, is_interleaved, |s| if let Samples::F64(v) = s { v } else { &[] }),
        Samples::Complex32(_) => planes(out, signal, is_interleaved, |s| if let Samples::Complex32(v) = s { v } else { &[] }),
        Samples::Complex64(_) => planes(out, signal, is_interleaved, |s| if let Samples::Complex64(v) = s { v } else { &[] }),
    }
}

/// The numpy type in the byte order of this machine.
fn descr(samples: &Samples) -> String {
    let order = if cfg!(target_endian = "big") { '>' } else { '<' };
    match samples {
        Samples::U8(_) => "|u1".to_owned(),
        Samples::U16(_) => format!("{order}u2"),
        Samples::I32(_) => format!("{order}i4"),
        Samples::I64(_) => format!("{order}i8"),
        Samples::F32(_) => format!("{order}f4"),
        Samples::F64(_) => format!("{order}f8"),
        Samples::Complex32(_) => format!("{order}c8"),
        Samples::Complex64(_) => format!("{order}c16"),
    }
}

/// The channels one after the other, or pixel by pixel.
fn planes<T: NoUninit>(out: &mut dyn Write, signal: &Signal, is_interleaved: bool, plane: impl Fn(&Samples) -> &[T]) -> io::Result<()> {
    let planes: Vec<&[T]> = signal.channels.iter().map(|channel| plane(&channel.samples)).collect();
    if !is_interleaved {
        return planes.iter().try_for_each(|plane| out.write_all(bytemuck::cast_slice(plane)));
    }
    for row in 0..signal.rows {
        let indices = row * signal.columns..(row + 1) * signal.columns;
        let pixels: Vec<T> = indices.flat_map(|index| planes.iter().map(move |plane| plane[index])).collect();
        out.write_all(bytemuck::cast_slice(&pixels))?;
    }
    Ok(())
}

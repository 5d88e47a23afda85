//! NPY with the type of the samples, by `npyz`; a colour picture has the shape (rows, columns, 3), channels of lines (channels, columns).

use super::super::{Kind, Samples, Signal};
use npyz::{AutoSerialize, WriterBuilder};
use std::io::{self, Write};
use std::mem::discriminant;

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    let first = discriminant(&signal.channels[0].samples);
    if signal.channels.iter().any(|channel| discriminant(&channel.samples) != first) {
        return Err("its channels are of different types; choose one channel".to_owned());
    }
    if signal.channels.len() > 1 && signal.kind == Kind::Lines && signal.rows > 1 {
        return Err("it is a batch of several channels; choose one channel".to_owned());
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    match &signal.channels[0].samples {
        Samples::U8(_) => array(out, signal, |s| if let Samples::U8(v) = s { v } else { &[] }),
        Samples::U16(_) => array(out, signal, |s| if let Samples::U16(v) = s { v } else { &[] }),
        Samples::I32(_) => array(out, signal, |s| if let Samples::I32(v) = s { v } else { &[] }),
        Samples::I64(_) => array(out, signal, |s| if let Samples::I64(v) = s { v } else { &[] }),
        Samples::F32(_) => array(out, signal, |s| if let Samples::F32(v) = s { v } else { &[] }),
        Samples::F64(_) => array(out, signal, |s| if let Samples::F64(v) = s { v } else { &[] }),
        Samples::Complex32(_) => array(out, signal, |s| if let Samples::Complex32(v) = s { v } else { &[] }),
        Samples::Complex64(_) => array(out, signal, |s| if let Samples::Complex64(v) = s { v } else { &[] }),
    }
}

/// The channels one after the other, or pixel by pixel.
fn array<T: AutoSerialize + Copy>(out: &mut dyn Write, signal: &Signal, plane: impl Fn(&Samples) -> &[T]) -> io::Result<()> {
    let planes: Vec<&[T]> = signal.channels.iter().map(|channel| plane(&channel.samples)).collect();
    let [rows, columns, n] = [signal.rows, signal.columns, planes.len()].map(|size| size as u64);
    let shape: &[u64] = match (signal.kind, rows, n) {
        (Kind::Lines, 1, 1) => &[columns],
        (Kind::Lines, 1, _) => &[n, columns],
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

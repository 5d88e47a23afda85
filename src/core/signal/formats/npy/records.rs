//! Record arrays of numpy, whose fields are the columns of a table, and the cells of such columns.

use crate::numerals::counted;
use crate::signal::table::{Cells, Column, Columns, DAY_IN_NANOSECONDS as DAY, Name, StampKind, Stamps, Values, midnight};
use crate::signal::{Cause, memory};
use npyz::{DType, Endianness, Field, TimeUnits, TypeChar, TypeStr};

/// Numbers of a field, or columns of an array, that become columns of a table.
pub(super) const MOST_PARTS: u64 = 64;

/// The columns of `n` records, which are one behind the other in `data`.
pub(super) fn columns(fields: &[Field], n: usize, data: &[u8]) -> Result<Columns, Cause> {
    let size = |field: &Field| field.dtype.num_bytes().unwrap_or(0);
    let width: usize = fields.iter().map(size).sum();
    memory::checked_bytes(&[n as u64, fields.len() as u64, 8], || {
        format!("{} of {}", counted(n, "record"), counted(fields.len(), "field"))
    })?;
    let mut at = 0;
    let mut columns = Vec::new();
    for field in fields {
        let records = || data.chunks_exact(width.max(1)).take(n);
        let name = crate::signal::one_line(&field.name);
        match &field.dtype {
            DType::Plain(kind) => {
                columns.push(Column { name: Name::of(&name), cells: cells(kind, records().map(|record| &record[at..]))? })
            }
            // A field of several numbers is a column for each.
            DType::Array(parts, of) if *parts <= MOST_PARTS && matches!(**of, DType::Plain(_)) => {
                let DType::Plain(kind) = &**of else { continue };
                let part_width = kind.num_bytes().unwrap_or(0);
                for part in 0..*parts as usize {
                    let items = records().map(|record| &record[at + part * part_width..]);
                    columns.push(Column { name: Name::of(&format!("{name}[{part}]")), cells: cells(kind, items)? });
                }
            }
            _ => columns.push(Column { name: Name::of(&name), cells: Cells::Text }),
        }
        at += size(field);
    }
    Ok(Columns { columns, is_named: true, ..Columns::default() })
}

/// The cells of a column of items, each of which begins with its bytes.
pub(super) fn cells<'a>(kind: &TypeStr, items: impl ExactSizeIterator<Item = &'a [u8]>) -> Result<Cells, Cause> {
    let big = kind.endianness() == Endianness::Big;
    let width = kind.num_bytes().unwrap_or(0);
    let n = items.len();
    let bits = move |item: &[u8]| {
        let bytes = item.iter().take(width);
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        if big { bytes.fold(0, join) } else { bytes.rev().fold(0, join) }
    };
    let real = |values: &mut dyn Iterator<Item = f64>| Ok::<_, Cause>(Cells::Numbers(Values::Real(memory::collected(n, values)?)));
    Ok(match (kind.type_char(), width) {
        (TypeChar::Bool | TypeChar::Uint, 1..8) => {
            Cells::Numbers(Values::Integer(memory::collected(n, items.map(|item| bits(item) as i64))?))
        }
        (TypeChar::Uint, 8) => real(&mut items.map(|item| bits(item) as f64))?,
        (TypeChar::Int, 1..=8) => {
            let shift = 64 - 8 * width;
            Cells::Numbers(Values::Integer(memory::collected(n, items.map(|item| (bits(item) << shift) as i64 >> shift))?))
        }
        (TypeChar::Float, 2) => real(&mut items.map(|item| npyz::half::f16::from_bits(bits(item) as u16).into()))?,
        (TypeChar::Float, 4) => real(&mut items.map(|item| f32::from_bits(bits(item) as u32).into()))?,
        (TypeChar::Float, 8) => real(&mut items.map(|item| f64::from_bits(bits(item))))?,
        (TypeChar::DateTime | TypeChar::TimeDelta, 8) => {
            let times = memory::collected(n, items.map(|item| bits(item) as i64))?;
            stamps(kind, &times).map_or(Cells::Text, Cells::Stamps)
        }
        _ => Cells::Text,
    })
}

/// Dates and durations of numpy; the least of all numbers stands for a missing one.
fn stamps(kind: &TypeStr, times: &[i64]) -> Option<Stamps> {
    let units = kind.time_units()?;
    let is_date = kind.type_char() == TypeChar::DateTime;
    let nanoseconds = |time: i64| -> Option<i128> {
        let time = i128::from(time);
        Some(match units {
            TimeUnits::Year if is_date => first_of_month(12 * time)?,
            TimeUnits::Month if is_date => first_of_month(time)?,
            TimeUnits::Year => time * DAY * 36_525 / 100,
            TimeUnits::Month => time * DAY * 36_525 / 1200,
            TimeUnits::Week => time * 7 * DAY,
            TimeUnits::Day => time * DAY,
            TimeUnits::Hour => time * 3_600_000_000_000,
            TimeUnits::Minute => time * 60_000_000_000,
            TimeUnits::Second => time * 1_000_000_000,
            TimeUnits::Millisecond => time * 1_000_000,
            TimeUnits::Microsecond => time * 1000,
            TimeUnits::Nanosecond => time,
            TimeUnits::Picosecond => time / 1000,
            _ => return None,
        })
    };
    let known = |time: &i64| (*time != i64::MIN).then(|| nanoseconds(*time)).flatten();
    let origin = if is_date { times.iter().find_map(known)? } else { 0 };
    let seconds = times.iter().map(|time| known(time).map_or(f64::NAN, |time| (time - origin) as f64 / 1e9)).collect();
    Some(Stamps {
        seconds,
        kind: if is_date { StampKind::Calendar(origin) } else { StampKind::Clock },
        has_months_only: matches!(units, TimeUnits::Year | TimeUnits::Month),
        is_date_only: matches!(units, TimeUnits::Year | TimeUnits::Month | TimeUnits::Week | TimeUnits::Day),
        order: None,
    })
}

/// Nanoseconds from 1970 to the beginning of a month that is counted from January 1970.
fn first_of_month(months: i128) -> Option<i128> {
    let (year, month) = (1970 + months.div_euclid(12), months.rem_euclid(12) + 1);
    let date = jiff::civil::Date::new(i16::try_from(year).ok()?, month as i8, 1).ok()?;
    midnight(date)
}

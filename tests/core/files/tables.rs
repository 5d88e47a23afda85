//! Tables as people have them: dialects, time axes and missing values, each a small text with what is right.

mod dialects;
mod kinds;
mod times;

use super::*;
use papillon::remedy::{Remedies as _, with_remedies};
use papillon::signal::{
    AxisUnit, ChannelChoice, ColumnKind, DecimalMark, Layout, Missing, ReadOptions, Reading, TimeChoice, Uneven, load_as, load_bytes,
    load_bytes_as,
};

/// The right reading of a text: the names of its channels, the first values of the first one, and the checked part of the axis.
struct Right {
    names: &'static [&'static str],
    values: &'static [f64],
    axis: Option<(AxisUnit, f64)>,
}

const fn right(names: &'static [&'static str], values: &'static [f64], axis: Option<(AxisUnit, f64)>) -> Right {
    Right { names, values, axis }
}

/// The first and the end of every run of samples that were filled.
fn places(channel: &papillon::signal::Channel) -> Vec<(usize, usize)> {
    channel.missing.iter().map(|range| (range.start, range.end)).collect()
}

fn read(text: &[u8], what: &str) -> Signal {
    load_bytes("table.csv", text).unwrap_or_else(|error| panic!("{what}: {error}"))
}

fn check(text: &[u8], expected: &Right) {
    let what = String::from_utf8_lossy(text).into_owned();
    let signal = read(text, &what);
    let labels: Vec<String> = signal.channels.iter().map(papillon::signal::Channel::label).collect();
    assert_eq!(labels, expected.names, "{what}: {:?}", signal.notes);
    let values = signal.samples_f64(ChannelChoice::Channel(0)).unwrap();
    let first = &values[..expected.values.len().min(values.len())];
    assert!(
        first.iter().zip(expected.values).all(|(a, b)| (a - b).abs() < 1e-9) && first.len() == expected.values.len(),
        "{what}: {values:?}"
    );
    let found = signal.sampling().map(|sampling| (sampling.unit, sampling.per_unit));
    match (found, expected.axis) {
        (None, None) => {}
        (Some((unit, per_unit)), Some((right_unit, right_per_unit))) => {
            assert!(
                unit == right_unit && (per_unit - right_per_unit).abs() < 1e-6 * right_per_unit,
                "{what}: {found:?}, {:?}",
                signal.notes
            );
        }
        _ => panic!("{what}: the axis is {found:?}, {:?}", signal.notes),
    }
}

/// Rows of a time axis in some writing, with a value each.
fn rows(header: &str, separator: char, times: &[&str]) -> String {
    let row = |(index, time): (usize, &&str)| format!("{time}{separator}{}\n", index * index % 7);
    format!("{header}\n{}", times.iter().enumerate().map(row).collect::<String>())
}

const SQUARES: &[f64] = &[0.0, 1.0, 4.0, 2.0];
const X: &[&str] = &["x"];

#[test]
fn encodings_are_read() {
    let text = "Zeit (s);Höhe (µm)\n0,0;1,5\n0,5;2,5\n1,0;3,5\n";
    let expected = right(&["Höhe (µm)"], &[1.5, 2.5, 3.5], Some((AxisUnit::Second, 2.0)));
    let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
    for bytes in [
        text.as_bytes(),
        &[b"\xef\xbb\xbf", text.as_bytes()].concat(),
        &[b"\xff\xfe", &le[..]].concat(),
        &[b"\xfe\xff", &be[..]].concat(),
        &latin1,
    ] {
        check(bytes, &expected);
    }
}

#[test]
fn time_axes_are_found() {
    for (header, times, unit, per_unit) in times::TIMES {
        let values = &SQUARES[..times.len().min(4)];
        let expected = Right { names: X, values, axis: Some((unit, per_unit)) };
        check(rows(header, ',', times).as_bytes(), &expected);
        let signal = read(rows(header, ',', times).as_bytes(), header);
        let word = if matches!(unit, AxisUnit::Index | AxisUnit::Length(_)) { "positions of the samples" } else { "times of the samples" };
        assert!(signal.notes[0].text.contains(word), "{header}: {:?}", signal.notes);
        if !header.contains(['[', '/']) {
            check(
                rows(&header.replace(',', ";"), ';', times)
                    .replace('.', if times[0].contains(['-', ':', '/']) { "." } else { "," })
                    .replace("30,01,2021", "30.01.2021")
                    .as_bytes(),
                &expected,
            );
        }
    }
}

#[test]
fn the_rules_end_where_the_numbers_are_no_times() {
    let shape = |text: &str| {
        let signal = read(text.as_bytes(), text);
        (signal.rows, signal.columns, signal.channels.len(), signal.is_complex(), signal.axis.is_some())
    };
    assert_eq!(shape("0 1 2\n1 5 6\n2 7 1\n3 1 1\n4 2 3\n"), (5, 3, 1, false, false), "more than two columns without names");
    assert_eq!(shape("0 1\n1 5\n2 7\n3 1\n4 2\n"), (1, 5, 1, false, true), "y over x");
    assert_eq!(shape("0 1\n1 5\n3 7\n4 1\n9 2\n"), (1, 5, 1, true, false), "x is not even");
    assert_eq!(shape("a,b,c,d\n0,1,2,3\n1,1,2,3\n2,1,2,3\n3,1,2,3\n4,1,2,3\n"), (5, 4, 1, false, false), "a system");
    assert_eq!(shape("x[0],x[1],x[2]\n0,1,2\n1,5,6\n"), (2, 3, 1, false, false), "rows that the program wrote");
    assert_eq!(shape("real,imaginary\n0,1\n1,5\n2,7\n3,1\n4,2\n"), (1, 5, 1, true, false), "a complex signal");
    assert_eq!(shape("left,right\n5,1\n3,5\n8,7\n"), (1, 3, 2, false, false), "two channels");
    assert_eq!(shape("time,real,imaginary\n0,1,2\n1,5,6\n"), (1, 2, 1, true, true));
    let matrix = Reading { options: ReadOptions { layout: Layout::Matrix, ..Default::default() }, ..Default::default() };
    let rows = load_bytes_as("s.csv", b"time,b,c\n0,1,2\n1,5,6\n2,7,8\n", &matrix).unwrap();
    assert_eq!((rows.rows, rows.columns), (3, 3), "systems and functions are rows of numbers");
    assert!(load_bytes_as("s.csv", b"1,,2\n0,1,2\n", &matrix).is_err(), "no coefficient is made up");
}

#[test]
fn missing_values_are_counted_and_filled() {
    for cell in ["", "NA", "N/A", "nan", "NaN", "null", "NULL", "None", "-", "−", "#N/A", ".", "?", "***"] {
        for (text, n) in [(format!("t,x\n0,1\n1,{cell}\n2,3\n3,4\n"), 4), (format!("x,y\n1,7\n{cell},8\n3,9\n4,1\n"), 4)] {
            let signal = read(text.as_bytes(), &text);
            let index = signal.choice("x").unwrap();
            assert_eq!(signal.samples_f64(index).unwrap()[..2], [1.0, 2.0], "{text}");
            assert_eq!(signal.columns, n, "{text}");
            assert_eq!(places(signal.channel(index).unwrap()), [(1, 2)], "{text}");
            assert!(
                signal.notes.iter().any(|note| note.text.contains("1 missing value of “x” is interpolated")),
                "{text}: {:?}",
                signal.notes
            );
            let refuse = Reading { options: ReadOptions { missing: Missing::Refuse, ..Default::default() }, ..Default::default() };
            let error = load_bytes_as("t.csv", text.as_bytes(), &refuse).unwrap_err();
            assert!(
                with_remedies(&error, |remedy| format!("{remedy:?}"))
                    .contains("the column “x” has 1 missing value, the first in row 2: FillMissing"),
                "{error}"
            );
        }
    }
    // An empty line in a column is a missing value, and one between rows of several is none.
    assert_eq!(read(b"x\n1\n\n3\n4\n5\n\n", "").samples_f64(ChannelChoice::Luma).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(read(b"x,y\n1,1\n\n3,1\n", "").columns, 2);
    let spaced: String = (0..12).map(|k| format!("{}\n\n", k * k)).collect();
    assert_eq!(read(spaced.as_bytes(), "every second line is empty").columns, 12);
}

#[test]
fn codes_for_missing_values_are_said_by_the_file_or_the_person() {
    let text = "t,x\n0,1\n1,-9999\n2,3\n3,4\n";
    assert_eq!(read(text.as_bytes(), text).samples_f64(ChannelChoice::Luma).unwrap()[1], -9999.0);
    let coded = Reading { options: ReadOptions { missing_codes: vec![-9999.0], ..Default::default() }, ..Default::default() };
    assert_eq!(load_bytes_as("t.csv", text.as_bytes(), &coded).unwrap().samples_f64(ChannelChoice::Luma).unwrap()[1], 2.0);
    for line in ["# Missing values are -9999.", "# (-9999 missing data;  -1 no data)", "NODATA_value -9999", "fill value: -9999"] {
        let signal = read(format!("{line}\n{text}").as_bytes(), line);
        assert_eq!(signal.samples_f64(ChannelChoice::Luma).unwrap()[1], 2.0, "{line}");
        assert!(signal.notes.iter().any(|note| note.text.contains("-9999") || note.text.contains("−9999")), "{:?}", signal.notes);
    }
}

#[test]
fn commas_in_numbers_are_said_and_read_otherwise_on_request() {
    let of = |text: &str, decimal: Option<DecimalMark>| {
        let how = Reading { options: ReadOptions { decimal, ..Default::default() }, ..Default::default() };
        load_bytes_as("t.csv", text.as_bytes(), &how).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let said = |signal: &Signal| {
        let note = signal.notes.iter().find(|note| note.text.to_lowercase().contains("commas"));
        note.map(|note| (note.text.clone(), note.others.clone()))
    };
    let first = |signal: &Signal| signal.samples_f64(ChannelChoice::Luma).unwrap()[0];
    for (text, value, words, other) in [
        ("a;b\n1,234;1,5\n2,5;7,5\n", 1.234, "Semicolons separate the columns, and commas are decimal signs.", None),
        (
            "a;b\n1,234;2\n2,345;7\n",
            1.234,
            "Semicolons separate the columns, and commas are decimal signs.",
            Some((Remedy::DecimalPoints, DecimalMark::Point, 1234.0)),
        ),
        (
            "a\tb\n1,234\t2\n2,345\t7\n",
            1234.0,
            "Tabs separate the columns, and commas separate thousands.",
            Some((Remedy::DecimalCommas, DecimalMark::Comma, 1.234)),
        ),
        ("a\n1,234\n2,345\n", 1.234, "Commas are decimal signs.", Some((Remedy::DecimalPoints, DecimalMark::Point, 1234.0))),
        ("a\tb\n1,234\t2,5\n2,5\t7,5\n", 1.234, "Tabs separate the columns, and commas are decimal signs.", None),
        (
            "a;b\n1.234;2,500\n2.345;7,500\n",
            1234.0,
            "Semicolons separate the columns, commas are decimal signs, and points separate thousands.",
            Some((Remedy::DecimalPoints, DecimalMark::Point, 1.234)),
        ),
    ] {
        let signal = of(text, None);
        let (found, others) = said(&signal).unwrap_or_else(|| panic!("{text} says nothing of its commas"));
        assert_eq!((first(&signal), found.as_str()), (value, words), "{text}");
        assert_eq!(others, other.iter().map(|(remedy, ..)| remedy.clone()).collect::<Vec<_>>(), "{text}");
        if let Some((_, mark, value)) = other {
            let signal = of(text, Some(mark));
            assert_eq!(first(&signal), value, "{text} by {mark}");
            assert!(said(&signal).is_some_and(|(_, others)| others.len() == 1), "the way back is offered: {:?}", signal.notes);
        }
    }
    // A choice reads points without commas beside them otherwise, and says so.
    let chosen = of("a;b\n1.234;2\n2.345;7\n", Some(DecimalMark::Comma));
    assert_eq!(first(&chosen), 1234.0);
    let words = "Semicolons separate the columns, and points separate thousands.";
    assert!(chosen.notes.iter().any(|note| note.text == words && note.others == [Remedy::DecimalPoints]), "{:?}", chosen.notes);
    // Commas that separate columns, or numbers that both readings agree on, need no words.
    let long = format!("a,b\n0.{},2\n2.5,nan\n", "3".repeat(80));
    for text in ["a,b\n1,2\n3,4\n", "a;b\n1.234,5;2\n2.345,5;7\n", &long] {
        let signal = of(text, None);
        let is_silent = signal.notes.iter().all(|note| !note.text.contains("thousands") && !note.text.contains("decimal signs"));
        assert!(is_silent, "{text}: {:?}", signal.notes);
    }
}

#[test]
fn stamps_are_taken_as_they_come() {
    let with = |uneven| Reading { options: ReadOptions { uneven, ..Default::default() }, ..Default::default() };
    let notes = |text: &str| read(text.as_bytes(), text).notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>().join(" ");
    let newest = "date,x\n2021-01-04,4\n2021-01-03,3\n2021-01-02,2\n2021-01-01,1\n";
    assert_eq!(read(newest.as_bytes(), newest).samples_f64(ChannelChoice::Luma).unwrap(), [1.0, 2.0, 3.0, 4.0]);
    assert!(notes(newest).contains("newest row comes first"));
    // Weekdays: the weekends are missing rows.
    let weekdays = "date,x\n2021-01-04,1\n2021-01-05,2\n2021-01-06,3\n2021-01-07,4\n2021-01-08,5\n2021-01-11,8\n2021-01-12,9\n";
    let signal = read(weekdays.as_bytes(), weekdays);
    assert_eq!(signal.samples_f64(ChannelChoice::Luma).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(places(&signal.channels[0]), [(5, 7)]);
    assert!(notes(weekdays).contains("2 rows are missing between the times"));
    let repeated = "time,x\n0,0\n1,1\n1,9\n2,2\n3,3\n4,4\n5,5\n";
    assert_eq!(read(repeated.as_bytes(), repeated).samples_f64(ChannelChoice::Luma).unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(notes(repeated).contains("1 time repeats the one before"));
    let disordered = "date,x\n2021-01-01,1\n2021-01-03,3\n2021-01-02,2\n2021-01-04,4\n";
    assert!(notes(disordered).contains("1 row out of order is sorted"), "{}", notes(disordered));
    let uneven = "t,x\n0,0\n1,1\n1.7,1.7\n4,4\n5.5,5.5\n8,8\n";
    let stored = read(uneven.as_bytes(), uneven);
    assert_eq!((stored.sampling(), stored.axis.unwrap().positions.unwrap().len()), (None, 6));
    for way in [Uneven::Linear, Uneven::Cubic] {
        let signal = load_bytes_as("t.csv", uneven.as_bytes(), &with(Some(way))).unwrap();
        let values = signal.samples_f64(ChannelChoice::Luma).unwrap();
        assert!(values.iter().enumerate().all(|(k, value)| (value - 1.6 * k as f64).abs() < 1e-12), "{way}: {values:?}");
        assert_eq!(signal.channels[0].as_stored.as_deref(), Some(&[0.0, 1.0, 1.7, 4.0, 5.5, 8.0][..]));
    }
    let even = load_bytes_as("t.csv", uneven.as_bytes(), &with(Some(Uneven::Even))).unwrap();
    assert_eq!((even.samples_f64(ChannelChoice::Luma).unwrap()[2], even.sampling().unwrap().per_unit), (1.7, 0.625));
    let error = load_bytes_as("t.csv", uneven.as_bytes(), &with(Some(Uneven::Refuse))).unwrap_err();
    assert!(error.to_string().contains("uneven steps, from 0.7 to 2.5 s") && !error.remedies().is_empty(), "{error}");
}

#[test]
fn a_person_chooses_the_axis() {
    let text = b"day,time,x\n2021-01-01,0,1\n2021-01-02,5,2\n2021-01-03,9,3\n2021-01-04,17,4\n";
    let with = |time| load_bytes_as("t.csv", text, &Reading { options: ReadOptions { time, ..Default::default() }, ..Default::default() });
    let names = |signal: &Signal| signal.channels.iter().map(|channel| channel.name.clone()).collect::<Vec<_>>();
    let automatic = with(TimeChoice::Auto).unwrap();
    assert_eq!((names(&automatic), automatic.axis.as_ref().unwrap().name.as_str()), (vec!["x".to_owned()], "day"));
    for column in ["time", "2"] {
        let chosen = with(TimeChoice::Column(column.into())).unwrap();
        assert_eq!((names(&chosen), chosen.axis.unwrap().name.as_str()), (vec!["x".to_owned()], "time"));
    }
    assert_eq!(with(TimeChoice::None).unwrap().axis, None);
    assert_eq!(with(TimeChoice::Index).unwrap().axis, None);
    let error = with(TimeChoice::Column("hour".into())).unwrap_err().to_string();
    assert!(error.contains("no column “hour”; its columns are “day”, “time”, “x”"), "{error}");
    let facts = automatic.table.unwrap();
    assert_eq!(
        facts.columns.iter().map(|column| column.kind).collect::<Vec<_>>(),
        [ColumnKind::Time, ColumnKind::Time, ColumnKind::Number]
    );
    assert_eq!((facts.header().as_str(), facts.first_rows[1][0].as_str()), ("day\ttime\tx", "2021-01-02"));
}

#[test]
fn channels_are_chosen_by_name_number_and_word() {
    let signal = read(b"time,2,x (V),luma\n0,1,2,3\n1,4,5,6\n", "");
    for (text, index) in [("2", 0), ("x (V)", 1), ("x", 1), ("luma", 2), ("1", 0), ("3", 2)] {
        assert_eq!(signal.choice(text).unwrap(), ChannelChoice::Channel(index), "{text}");
    }
    let error = signal.choice("time").unwrap_err().to_string();
    assert!(error.contains("has no channel “time”: it has 2, x (V), luma"), "{error}");
}

#[test]
fn wrong_cells_are_refused_with_their_place() {
    let wrong: String = (0..500).map(|k| format!("{k},{}\n", if k == 7 { "oops".to_owned() } else { (k % 7).to_string() })).collect();
    let wrong = format!("t,x\n{wrong}");
    for (text, cause) in [
        ("t,x\n0,1\n1,oops\n2,3\n", "line 3, column 2: “oops” is not a number"),
        ("date,x\n2021-01-01,1\n2021-01-02,2\nsoon,3\n", "line 4, column 1: “soon” is not a date or time"),
        ("t,note,x\n0,\"two\nlines\",1\n1,a,oops\n2,b,3\n", "line 4, column 3: “oops” is not a number"),
        ("t,x\n0,1\n1,2,3\n", "line 3 has 3 values where the lines before have 2"),
        (&wrong, "line 9, column 2: “oops” is not a number"),
        ("name,city\nAnna,Rome\nBert,Oslo\n", "no numbers"),
    ] {
        let error = load_bytes("t.csv", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(cause) && !error.contains('\n'), "{text}: {error}");
    }
}

/// The right readings of the files of people.
#[test]
fn files_of_people_are_read() {
    use AxisUnit::{Day, Hour, Index, Month, Second, Year};
    type Case = (&'static str, &'static [&'static str], usize, Option<(AxisUnit, f64)>);
    let cases: [Case; 20] = [
        ("c01-sep-comma.csv", &["value", "other"], 16, None),
        ("c01-sep-semicolon.csv", &["value"], 16, Some((Second, 100.0))),
        ("c07-names-re-im.csv", &["resistance", "impedance"], 16, None),
        ("c11-cr-one.csv", &["value"], 16, None),
        ("c11-cr-time.csv", &["value"], 16, Some((Second, 100.0))),
        ("c11-cr-two.csv", &["left", "right"], 16, None),
        ("c12-three-names.csv", &["ax", "ay", "az"], 16, None),
        ("clock.csv", &["power"], 960, Some((Hour, 4.0))),
        ("daily-dates.csv", &["visitors", "temperature"], 730, Some((Day, 1.0))),
        ("days.csv", &["mass"], 400, Some((Day, 4.0))),
        ("gaps.csv", &["level"], 300, Some((Hour, 1.0))),
        ("monthly.csv", &["Sales"], 96, Some((Month, 1.0))),
        ("pandas-index.csv", &["a", "b"], 128, None),
        ("repeated-stamps.csv", &["pulse"], 1200, Some((Second, 98.039))),
        ("title-lines.csv", &["level"], 300, Some((Hour, 1.0))),
        ("wide-no-time.csv", &["ax", "ay", "az"], 256, None),
        ("yearly.csv", &["COUNT"], 190, Some((Year, 1.0))),
        ("xy-no-header.txt", &["value"], 200, Some((Index, 2.0))),
        ("n01-column.npy", &["value"], 24, None),
        ("records.npy", &["a", "b"], 20, Some((Day, 1.0))),
    ];
    for (name, channels, n, axis) in cases {
        let signal = load(name);
        assert_eq!((names(&signal), signal.rows, signal.columns), (channels.to_vec(), 1, n), "{name}");
        assert_eq!(signal.sampling().map(|sampling| (sampling.unit, sampling.per_unit)), axis, "{name}: {:?}", signal.notes);
    }
    let columns = load("columns.npz");
    assert_eq!((names(&columns), columns.sampling().map(|sampling| sampling.per_unit)), (vec!["x"], Some(2.0)));
    for (name, words) in [
        ("monthly.csv", "“Region” is text, and is left out"),
        ("repeated-stamps.csv", "24 times repeat"),
        ("gaps.csv", "3 missing values of “level” are interpolated"),
        ("title-lines.csv", "Station 4, harbour / Units: m"),
        ("pandas-index.csv", "counts the rows"),
        ("uneven.csv", "uneven steps"),
        ("n01-column.npy", "read as one signal"),
    ] {
        let notes = load(name).notes;
        assert!(notes.iter().any(|note| note.text.contains(words)), "{name}: {notes:?}");
    }
    let how = Reading { options: ReadOptions { uneven: Some(Uneven::Linear), ..Default::default() }, ..Default::default() };
    let uneven = load_as(data("uneven.csv"), &how).unwrap();
    assert!(uneven.sampling().is_some_and(|sampling| (sampling.per_unit - 10.0).abs() < 0.1));
}

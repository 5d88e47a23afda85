//! The kinds of columns of a table: times in one or several of them, counters, repetitions, numbers that begin late.

use super::*;

#[test]
fn times_in_several_columns_are_one_axis() {
    for (text, unit, per_unit) in [
        ("Date,Time,x\n2021-01-01,00:00,1\n2021-01-01,12:00,2\n2021-01-02,00:00,3\n", AxisUnit::Hour, 1.0 / 12.0),
        ("#YY MM DD hh mm x\n2021 01 31 23 50 1\n2021 02 01 00 00 2\n2021 02 01 00 10 3\n", AxisUnit::Hour, 6.0),
        ("year,month,x\n1958,11,1\n1958,12,2\n1959,1,3\n1959,2,4\n", AxisUnit::Month, 1.0),
        ("date,clock,x\n01.02.2021,10:00:00,1\n01.02.2021,10:00:01,2\n01.02.2021,10:00:02,3\n", AxisUnit::Second, 1.0),
        ("Time,Date,x\n10:00,2021-01-01,1\n22:00,2021-01-01,2\n10:00,2021-01-02,3\n", AxisUnit::Hour, 1.0 / 12.0),
        ("Date,site,Time,x\n2021-01-01,A,00:00,1\n2021-01-01,A,12:00,2\n2021-01-02,A,00:00,3\n", AxisUnit::Hour, 1.0 / 12.0),
        ("Date;Time;x\n10/03/2004;18.00.00;1\n10/03/2004;19.00.00;2\n10/03/2004;20.00.00;3\n", AxisUnit::Hour, 1.0),
        ("date,hour,x\n2021-01-01,23,1\n2021-01-01,24,2\n2021-01-02,1,3\n2021-01-02,2,4\n", AxisUnit::Hour, 1.0),
        ("date,time,x\n20210101,2300,1\n20210101,2330,2\n20210102,0,3\n20210102,30,4\n20210102,100,5\n", AxisUnit::Hour, 2.0),
        ("day,clock,x\n2021-01-01,235959,1\n2021-01-02,0,2\n2021-01-02,1,3\n2021-01-02,2,4\n", AxisUnit::Second, 1.0),
        ("year,doy,x\n2020,365,1\n2020,366,2\n2021,1,3\n", AxisUnit::Day, 1.0),
        ("year,week,x\n2020,52,1\n2020,53,2\n2021,1,3\n", AxisUnit::Week, 1.0),
        ("MESS_DATUM;x\n2021010100;1\n2021010101;2\n2021010102;3\n2021010103;4\n2021010104;5\n", AxisUnit::Hour, 1.0),
    ] {
        check(text.as_bytes(), &right(X, &[1.0, 2.0, 3.0], Some((unit, per_unit))));
    }
}

#[test]
fn columns_that_say_nothing_new_are_no_channels() {
    let dates = ["2021-12-30", "2021-12-31", "2022-01-01", "2022-01-02", "2022-01-03"];
    for (header, rows) in [
        ("date,year,month,day,x", ["2021,12,30", "2021,12,31", "2022,1,1", "2022,1,2", "2022,1,3"]),
        ("date,unix,x", ["1640822400", "1640908800", "1640995200", "1641081600", "1641168000"]),
        ("date,decimal date,x", ["2021.994", "2021.997", "2022.0", "2022.003", "2022.006"]),
        ("date,Sample Index,x", ["254", "255", "256", "257", "258"]),
        ("date,Unnamed: 0,x", ["20", "21", "25", "26", "30"]),
    ] {
        let row = |(index, (date, cells)): (usize, (&&str, &str))| format!("{date},{cells},{}\n", index * index % 7);
        let text = format!("{header}\n{}", dates.iter().zip(rows).enumerate().map(row).collect::<String>());
        check(text.as_bytes(), &right(X, SQUARES, Some((AxisUnit::Day, 1.0))));
    }
    // A day that is none of the date is a value.
    let text = "date,day,x\n2021-01-01,5,0\n2021-01-02,9,1\n2021-01-03,2,4\n";
    check(text.as_bytes(), &right(&["day", "x"], &[5.0, 9.0, 2.0], Some((AxisUnit::Day, 1.0))));
}

#[test]
fn an_index_of_pandas_is_no_channel() {
    for index in [["0", "1", "2", "3", "4"], ["20", "21", "22", "23", "24"], ["3", "4", "8", "9", "17"], ["9", "8", "7", "6", "5"]] {
        check(rows(",x", ',', &index).as_bytes(), &right(X, SQUARES, None));
    }
    check(rows(",x", ',', &["1974", "1975", "1976", "1977", "1978"]).as_bytes(), &right(X, SQUARES, Some((AxisUnit::Year, 1.0))));
    check(rows(",x", ',', &["0.0", "0.1", "0.2", "0.3", "0.4"]).as_bytes(), &right(X, SQUARES, Some((AxisUnit::Index, 10.0))));
    check(
        rows(",x", ',', &["192607", "192608", "192609", "192610", "192611"]).as_bytes(),
        &right(X, SQUARES, Some((AxisUnit::Month, 1.0))),
    );
}

#[test]
fn times_that_repeat_in_most_rows_are_no_axis() {
    let text: String = (0..30).map(|k| format!("{},{}\n", 1990 + k / 10, k * k % 7)).collect();
    let text = format!("year,x\n{text}");
    let signal = read(text.as_bytes(), &text);
    assert_eq!((signal.columns, signal.axis.is_some()), (30, false));
    assert!(signal.notes[0].text.contains("“year” repeat in most rows"), "{:?}", signal.notes);
    let chosen = Reading { options: ReadOptions { time: TimeChoice::Column("year".into()), ..Default::default() }, ..Default::default() };
    assert_eq!(load_bytes_as("t.csv", text.as_bytes(), &chosen).unwrap().columns, 3, "a person may choose it");
}

#[test]
fn a_table_without_names_is_rows_unless_a_person_speaks_of_a_time() {
    let text: String = (0..30).map(|k| format!("{};{};{:.3};{}\n", 1749, k + 1, 1749.0 + f64::from(k) / 12.0, k * k % 7)).collect();
    let automatic = read(text.as_bytes(), &text);
    assert_eq!((automatic.rows, automatic.columns, automatic.table.is_some()), (30, 4, true));
    assert!(automatic.notes[0].text.contains("each of the 30 rows is a signal of 4 values"), "{:?}", automatic.notes);
    let with = |time| Reading { options: ReadOptions { time, ..Default::default() }, ..Default::default() };
    let table = load_bytes_as("t.csv", text.as_bytes(), &with(TimeChoice::Column("2".into()))).unwrap();
    assert_eq!((table.rows, table.columns, table.channels.len()), (1, 30, 3));
    assert_eq!(load_bytes_as("t.csv", text.as_bytes(), &with(TimeChoice::None)).unwrap().channels.len(), 4);
}

#[test]
fn columns_may_begin_late_or_never() {
    let text: String = (0..900).map(|k| format!("{k},{},,{}\n", k % 7, if k < 700 { String::new() } else { k.to_string() })).collect();
    let text = format!("t,x,never,late\n{text}");
    let signal = read(text.as_bytes(), "a column that begins late");
    assert_eq!(signal.channels.iter().map(|channel| channel.name.as_str()).collect::<Vec<_>>(), ["x", "late"]);
    assert_eq!(places(&signal.channels[1]), [(0, 700)]);
    assert!(signal.notes.iter().any(|note| note.text.contains("“never” has no numbers")), "{:?}", signal.notes);
}

#[test]
fn days_of_work_at_the_ends_of_months_are_months() {
    let days = ["2021-01-29", "2021-02-26", "2021-03-31", "2021-04-30", "2021-05-31"];
    check(rows("date,x", ',', &days).as_bytes(), &right(X, SQUARES, Some((AxisUnit::Month, 1.0))));
}

#[test]
fn facts_of_an_oscilloscope_beside_the_rows_are_left_out() {
    let facts = ["Record Length,100,", "Source,CH1,", "Units,V,", "Scale,0.5,"];
    let row = |k: usize| format!("{},{:.6},{}\n", facts.get(k).unwrap_or(&",,"), (k as f64 - 50.0) * 4e-6, k * k % 7);
    let text: String = (0..100).map(row).collect();
    check(text.as_bytes(), &right(&["column 5"], SQUARES, Some((AxisUnit::Index, 250_000.0))));
}

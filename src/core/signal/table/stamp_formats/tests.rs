//! Dates, clock times and durations, each with the instant that it says.

use super::*;

/// A column of one cell, as ISO 8601 in UTC.
fn read(cells: &[&str]) -> Vec<String> {
    let format = StampFormat::of(cells).unwrap_or_else(|| panic!("{cells:?} are no times"));
    let time = |cell: &&str| {
        let nanoseconds = format.nanoseconds(cell).unwrap_or_else(|| panic!("{cell} is no time in {format:?}"));
        if format.is_clock() {
            return format!("{} s", nanoseconds as f64 / 1e9);
        }
        let instant = jiff::Timestamp::from_nanosecond(nanoseconds).expect("it is one");
        instant.to_string()
    };
    cells.iter().map(time).collect()
}

#[test]
fn dates_are_read_in_every_common_order() {
    for (cell, expected) in [
        ("2021-03-05", "2021-03-05T00:00:00Z"),
        ("2021-03-05T06:07:08Z", "2021-03-05T06:07:08Z"),
        ("2021-03-05 06:07:08", "2021-03-05T06:07:08Z"),
        ("2021-03-05 06:07:08.250+02:00", "2021-03-05T04:07:08.25Z"),
        ("2021-03-05T06:07", "2021-03-05T06:07:00Z"),
        ("20210305T060708Z", "2021-03-05T06:07:08Z"),
        ("2021-03-05 24:00", "2021-03-06T00:00:00Z"),
        ("2021-03-05 00:24:00", "2021-03-05T00:24:00Z"),
        ("2021-03-05T10:24:00Z", "2021-03-05T10:24:00Z"),
        ("2021/3/5", "2021-03-05T00:00:00Z"),
        ("2021/03/05 6:07", "2021-03-05T06:07:00Z"),
        ("13/03/2021", "2021-03-13T00:00:00Z"),
        ("3/13/2021", "2021-03-13T00:00:00Z"),
        ("3/13/2021 1:07 PM", "2021-03-13T13:07:00Z"),
        ("13.03.2021 06:07:08", "2021-03-13T06:07:08Z"),
        ("13.3.21", "2021-03-13T00:00:00Z"),
        ("13-Mar-2021", "2021-03-13T00:00:00Z"),
        ("13-Mar-21 06:07", "2021-03-13T06:07:00Z"),
        ("Mar 13, 2021", "2021-03-13T00:00:00Z"),
        ("March 13, 2021", "2021-03-13T00:00:00Z"),
        ("13 March 2021", "2021-03-13T00:00:00Z"),
        ("13. März 2021", "2021-03-13T00:00:00Z"),
        ("2021-Mar-13 06:07:08.5", "2021-03-13T06:07:08.5Z"),
        ("2021-064T01:02:03", "2021-03-05T01:02:03Z"),
        ("Sat Mar 13 06:07:08 2021", "2021-03-13T06:07:08Z"),
        ("2021-03-05 06:07:08 UTC", "2021-03-05T06:07:08Z"),
        ("Mar 2021", "2021-03-01T00:00:00Z"),
        ("2021-03", "2021-03-01T00:00:00Z"),
        ("03/2021", "2021-03-01T00:00:00Z"),
        ("2021M03", "2021-03-01T00:00:00Z"),
        ("Mar-21", "2021-03-01T00:00:00Z"),
        ("Mrz 21", "2021-03-01T00:00:00Z"),
        ("févr. 2021", "2021-02-01T00:00:00Z"),
        ("août 2021", "2021-08-01T00:00:00Z"),
        ("3 mars 2021", "2021-03-03T00:00:00Z"),
        ("Diciembre 2021", "2021-12-01T00:00:00Z"),
        ("Mar-13-21", "2021-03-13T00:00:00Z"),
        ("2021年03月05日", "2021-03-05T00:00:00Z"),
        ("2020-W53", "2020-12-28T00:00:00Z"),
        ("2021-03-05/2021-03-11", "2021-03-05T00:00:00Z"),
        ("05.03.2021 00:15 - 05.03.2021 00:30", "2021-03-05T00:15:00Z"),
        ("1974Q2", "1974-04-01T00:00:00Z"),
        ("Q2 1974", "1974-04-01T00:00:00Z"),
        ("1974-Q2", "1974-04-01T00:00:00Z"),
        ("06:07", "22020 s"),
        ("36:00:00.5", "129600.5 s"),
        ("18.59.01", "68341 s"),
        ("06:07:08:250", "22028.25 s"),
        ("'0:01.500'", "1.5 s"),
        ("1:07:00 PM", "47220 s"),
        ("PT1H", "3600 s"),
        ("0 days 01:00:00", "3600 s"),
        ("5m 3s", "303 s"),
    ] {
        assert_eq!(read(&[cell]), [expected], "{cell}");
    }
}

#[test]
fn the_order_of_day_and_month_follows_from_the_whole_column() {
    let months: Vec<String> = (1..=12).map(|month| format!("01/{month:02}/2020")).chain(["01/01/2021".to_owned()]).collect();
    let cells: Vec<&str> = months.iter().map(String::as_str).collect();
    assert_eq!(StampFormat::of(&cells), Some(StampFormat::Fields("%d/%m/%Y".into())));
    let days: Vec<String> = (1..=12).map(|day| format!("01/{day:02}/2020")).collect();
    let cells: Vec<&str> = days.iter().map(String::as_str).collect();
    let format = StampFormat::of(&cells).expect("they are dates");
    assert_eq!(format.order().as_deref(), Some("month/day/year"));
}

#[test]
fn a_cell_without_a_clock_is_midnight() {
    let found = read(&["04.03.2021", "04.03.2021 12:00:00", "05.03.2021"]);
    assert_eq!(found, ["2021-03-04T00:00:00Z", "2021-03-04T12:00:00Z", "2021-03-05T00:00:00Z"]);
}

#[test]
fn other_texts_are_no_times() {
    for cells in [&["walk", "run"][..], &["sensor 12", "sensor 13"], &["north", "2021-01-01", "south"], &["1,2,3", "4,5,6"], &["a1", "b2"]]
    {
        assert_eq!(StampFormat::of(cells), None, "{cells:?}");
    }
}

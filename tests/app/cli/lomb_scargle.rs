//! `spectrum --lomb-scargle`: the periodogram of samples at any positions, with periods and in the unit of the positions.

use super::*;

/// A wave of `frequency` about a mean of 5, at 300 uneven times of a first column, with a little noise.
fn uneven(frequency: f64) -> String {
    let time = |k: usize| k as f64 * 0.2 + 0.09 * ((k * k) as f64 * 0.7).sin();
    let value = |k: usize| 5.0 + 2.0 * (TAU * frequency * time(k) + 0.4).cos() + 0.3 * ((k * 7919 % 101) as f64 / 50.0 - 1.0);
    (0..300).fold("t,level\n".to_owned(), |text, k| format!("{text}{:.4},{:.4}\n", time(k), value(k)))
}

/// The rows of a table below its comments, and the numbers in them; an empty cell is not a number.
fn table(folder: &TempDir, name: &str) -> (String, Vec<Vec<f64>>) {
    let text = String::from_utf8(read(folder, name)).unwrap();
    let mut rows = text.lines().filter(|line| !line.starts_with('#'));
    let head = rows.next().unwrap().to_owned();
    (head, rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect())
}

#[test]
fn the_period_of_uneven_samples_is_found() {
    let folder = TempDir::new().unwrap();
    write(&folder, "uneven.csv", uneven(0.8));
    let told = done(&folder, "spectrum --lomb-scargle uneven.csv -o out.csv");
    assert!(told.contains("Hz, period 1.2") && told.contains("above the 1 % false-alarm level"), "{told}");
    let (head, rows) = table(&folder, "out.csv");
    assert_eq!(head, "frequency,period,power");
    let strongest = rows.iter().max_by(|a, b| a[2].total_cmp(&b[2])).unwrap();
    assert!((strongest[0] - 0.8).abs() < 0.005 && (strongest[1] - 1.25).abs() < 0.01 && strongest[2] > 0.9, "{strongest:?}");
    assert!(rows.iter().all(|row| (row[0] * row[1] - 1.0).abs() < 1e-12 && (0.0..=1.0).contains(&row[2])));
    assert!(rows[0][0] > 0.0, "frequency 0 has no place in it");
    let text = String::from_utf8(read(&folder, "out.csv")).unwrap();
    for words in ["# frequency: Hz; period: s", "Zechmeister & Kürster 2009", "from 0 to 1", "Baluev 2008", "# samples: 300; span: 59"] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
}

#[test]
fn json_lists_the_peaks_with_their_periods_and_amplitudes() {
    let folder = TempDir::new().unwrap();
    write(&folder, "uneven.csv", uneven(0.8));
    done(&folder, "spectrum uneven.csv --lomb-scargle --per-peak 8 -o out.json");
    let found: serde_json::Value = serde_json::from_slice(&read(&folder, "out.json")).unwrap();
    let peak = &found["peaks"][0];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!((number(&peak["frequency"]) - 0.8).abs() < 1e-3 && (number(&peak["period"]) - 1.25).abs() < 2e-3, "{peak}");
    assert!((number(&peak["amplitude"]) - 2.0).abs() < 0.05, "{peak}");
    assert_eq!((found["frequency_unit"].as_str(), found["period_unit"].as_str()), (Some("Hz"), Some("s")));
    assert!(number(&found["false_alarm_level"]["power"]) < number(&peak["power"]));
    assert_eq!(found["normalisation"], "standard");
}

#[test]
fn slow_samples_have_periods_in_their_own_unit() {
    let folder = TempDir::new().unwrap();
    // A week in samples of a day; the mean is large.
    let week = (0..140).fold("visitors\n".to_owned(), |text, k| format!("{text}{:.3}\n", 900.0 + 40.0 * (TAU * k as f64 / 7.0).sin()));
    write(&folder, "week.csv", week);
    for (rate, words) in [
        ("--rate 1day", "0.142857 1/day, period 7 days"),
        ("--rate 1/day", "period 7 days"),
        ("--rate 12/year", "1.71429 1/year, period 0.583333 years"),
        ("--rate 1h", "0.142857 1/h, period 7 h"),
        ("--rate 10/mm", "1.42857 cycles per mm, period 0.7 mm"),
        ("", "0.142857 cycles per sample, period 7 samples"),
    ] {
        let told = done(&folder, &format!("spectrum --lomb-scargle week.csv {rate} -o out.csv"));
        assert!(told.contains(words), "{rate}: {told}");
    }
    let told = done(&folder, "spectrum --lomb-scargle week.csv --rate 1day --highest 0.25/day -o out.csv");
    assert!(told.contains("period 7 days"), "{told}");
    let (_, rows) = table(&folder, "out.csv");
    assert!((rows.last().unwrap()[0] - 0.25).abs() < 0.002, "{:?}", rows.last());
    done(&folder, "spectrum --lomb-scargle week.csv --rate 1day --highest 4days -o again.csv");
    assert_eq!(rows, table(&folder, "again.csv").1, "a period says the same frequency");
}

#[test]
fn what_has_no_periodogram_is_refused_in_a_line() {
    let folder = TempDir::new().unwrap();
    write(&folder, "uneven.csv", uneven(0.8));
    write(&folder, "flat.csv", "x\n1\n1\n1\n1\n1\n");
    write(&folder, "short.csv", "x\n1\n2\n1\n");
    write(&folder, "rows.csv", "1,2,3\n4,5,6\n");
    write(&folder, "complex.csv", "real,imaginary\n1,2\n3,4\n5,6\n7,9\n");
    for (call, code, words) in [
        ("uneven.csv -o out.png", 2, "write .csv or .json"),
        ("uneven.csv --scale db -o out.csv", 2, "--scale"),
        ("uneven.csv --window hann -o out.csv", 2, "--window"),
        ("uneven.csv -d cpu -o out.csv", 2, "--device"),
        ("uneven.csv --per-peak 0 -o out.csv", 2, "take 1 to 1000"),
        ("uneven.csv --highest 0 -o out.csv", 1, "take a higher one"),
        ("uneven.csv --highest 1e30 -o out.csv", 1, "take a lower highest frequency"),
        ("uneven.csv --highest 2nm -o out.csv", 2, "size of a pixel"),
        ("uneven.csv --channel 2 -o out.csv", 2, "no channel"),
        ("flat.csv -o out.csv", 1, "the same value"),
        ("short.csv -o out.csv", 1, "at least 4 samples"),
        ("rows.csv -o out.csv", 2, "no single signal"),
        ("complex.csv -o out.csv", 2, "takes real ones"),
    ] {
        let told = refused(&folder, &format!("spectrum --lomb-scargle {call}"), code);
        assert!(told.contains(words), "{call}: {told}");
    }
    let told = refused(&folder, "spectrum uneven.csv --highest 2 -o out.png", 2);
    assert!(told.contains("--lomb-scargle"), "{told}");
}

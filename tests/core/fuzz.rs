//! Mutations of a corpus for everything that reads bytes of others: files, sessions, records and texts of functions.
//!
//! A panic, a message of several lines or a run that takes long is a fault. `PAPILLON_FUZZ_SECS=3600 cargo test --test core fuzz` mutates for an hour.

use papillon::bench::Record;
use papillon::random::Random;
use papillon::signal::load_bytes;
use std::path::Path;
use std::time::{Duration, Instant};

/// Reads mutated bytes; the message of an error.
type Target = fn(&[u8]) -> Option<String>;

/// No input of a few kilobytes takes longer.
const LONGEST: Duration = Duration::from_secs(20);

fn signal(bytes: &[u8]) -> Option<String> {
    load_bytes("mutated", bytes).err().map(|error| error.to_string())
}

fn record(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    Record::from_json(&text).and_then(|_| Record::from_csv(&text)).err()
}

fn function(bytes: &[u8]) -> Option<String> {
    papillon::logic::check(&String::from_utf8_lossy(bytes)).err().map(|error| error.to_string())
}

fn session(bytes: &[u8]) -> Option<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    papillon::ui::load_session(file.path()).err().map(|error| error.to_string())
}

/// The fixtures, a session, a record and the texts of functions, each with what reads it.
fn corpus() -> Vec<(String, Vec<u8>, Target)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut corpus: Vec<(String, Vec<u8>, Target)> = files
        .filter(|path| path.extension().is_some_and(|ending| ending != "py"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap(), signal as Target))
        .collect();
    corpus.sort_by(|a, b| a.0.cmp(&b.0));
    let texts: [(&str, &str, Target); 28] = [
        ("table", "re,im\n1,2\n\"3\",-4e5\n", signal),
        ("german", "1,5;2,5\n3;4\n", signal),
        ("dates", "date,x\n2021-01-01,5\n2021-01-02,NA\n2021-01-04,7\n", signal),
        ("months", "Month;Sales;Region\nJan 2010;1.200,5;north\nFeb 2010;;south\nMar 2010;900,0;east\n", signal),
        ("american", "\"when\",\"x\"\n\"1/30/2021 1:05 PM\",\"1,234.5\"\n\"1/30/2021 1:10 PM\",\"2\"\n", signal),
        ("quarters", "quarter,x\n1974Q1,1\n1974Q2,2\n1974Q3,4\n", signal),
        ("clock", "clock,x\n23:59:58,1\n23:59:59,2\n00:00:00.5,4\n", signal),
        ("parts", "#YY MM DD hh mm x\n2021 01 31 23 50 1\n2021 02 01 00 00 999\n2021 02 01 00 10 3\n", signal),
        ("epoch", "timestamp,x\n1700000000000,1\n1700000000010,2\n1700000000020,3\n", signal),
        ("durations", "elapsed,x\n0 days 00:00:00,1\n0 days 00:15:00,2\nPT1H,3\n", signal),
        ("titles", "sep=,\nStation 4\nMissing values are -9999\n\ntime (h),level\nh,m\n0,3\n1,-9999\n2,2\n", signal),
        ("index", ",a,b\n0,1,2\n1,3,4\n2,5,6\n", signal),
        ("r", "\"a\" \"b\"\n\"1\" 1 2\n\"2\" 3 4\n", signal),
        ("uneven", "t\tx\n0\t1\n0.5\t2\n0.5\t3\n1.7\t4\n9\t5\n", signal),
        ("bars", "\u{feff}x|y\r1|2\r\r3|\u{2212}4\r", signal),
        ("marks", "t,load,on,price\n0,12.5%,True,$1.50\n1,7 %,no,-$2\n", signal),
        ("groups", "Price,Close,Close\nTicker,A,B\nDate,,\n2024-01-01,1,2\n2024-01-02,3,4\n", signal),
        ("types", "site\tdatetime\tflow\n5s\t20d\t14n\n7\t202101010730\t1\n7\t202101010745\t2\n7\t202101010800\t3\n", signal),
        ("notes", "t,note,x\r\n0,\"two\r\nlines\",1\r\n1,,3\r\n", signal),
        ("hours", "date,hour,year,x\n2021-01-01,23,2021,1\n2021-01-02,0,2021,2\n2021-01-02,1,2021,3\n", signal),
        ("weeks", "year,week,x\n2020,53,1\n2021,1,2\n", signal),
        ("matrix", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 2 2\n3 3 2\n2 1 -1\n", signal),
        ("pla", ".i 3\n.o 2\n1-0 10\n011 01\n.e\n", signal),
        ("formula", "x1 & !x3 ^ (x2 | x4) n=5 flip=3,7", function),
        ("minterms", "m(1,3,5..7) n=4", function),
        ("table of truth", "0x96 f0=right signs", function),
        ("box", "sbox(c 5 6 b 9 0 a d 3 e f 8 4 7 1 2) mask=3", function),
        ("known", "majority(5)", function),
    ];
    corpus.extend(texts.map(|(name, text, target)| (name.to_owned(), text.as_bytes().to_vec(), target)));
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("session.json");
    papillon::ui::save_session(&papillon::ui::Memory::default(), &path).unwrap();
    corpus.push(("session".to_owned(), std::fs::read(path).unwrap(), session));
    let lines =
        vec![papillon::bench::SweepLine::new("walsh", papillon::engine::DeviceChoice::Cpu, vec![papillon::transforms::Shape::line(8)])];
    let settings = papillon::bench::SweepSettings { repeat: 1, ..Default::default() };
    let sweep = papillon::bench::Sweep { name: "mutated".into(), experiment: None, differences: Vec::new(), lines, settings };
    let taken = papillon::bench::run(&sweep, &mut Default::default(), &mut |_, _| {}, &std::sync::atomic::AtomicBool::new(false));
    corpus.push(("record.json".to_owned(), taken.to_json().into_bytes(), record));
    corpus.push(("record.csv".to_owned(), taken.to_csv().into_bytes(), record));
    corpus
}

/// Flips, sets, cuts, repeats and joins a few pieces; numbers become extreme ones.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    const TEXTS: [&[u8]; 8] = [b"NaN", b"1e999", b"-1", b"null", b"99999999999999999999", b"\"", b"\xff\xff\xff\xff", b"\0\0\0\0"];
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1));
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at.min(end)..end)),
            4 => {
                let piece = bytes[at.min(end)..end].to_vec();
                bytes.splice(end..end, piece);
            }
            5 if !other.is_empty() => {
                let from = random.below(other.len());
                let piece = &other[from..(from + 1 + random.below(64)).min(other.len())];
                bytes.splice(at.min(end)..end, piece.iter().copied());
            }
            _ => drop(bytes.splice(at.min(end)..end, TEXTS[random.below(TEXTS.len())].iter().copied())),
        }
    }
}

/// The outcome of one reading, and how long it took.
fn timed(target: Target, bytes: &[u8]) -> (Result<Option<String>, String>, Duration) {
    let begin = Instant::now();
    let outcome = papillon::fault::caught(|| target(bytes));
    (outcome, begin.elapsed())
}

#[test]
fn mutations_never_panic() {
    let secs = std::env::var("PAPILLON_FUZZ_SECS").ok().and_then(|text| text.parse().ok());
    let seed = std::env::var("PAPILLON_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let deadline = Instant::now() + Duration::from_secs(secs.unwrap_or(5));
    let (corpus, mut random, mut n) = (corpus(), Random::new(seed), 0_u64);
    while Instant::now() < deadline {
        let (name, bytes, target) = &corpus[random.below(corpus.len())];
        let (_, other, _) = &corpus[random.below(corpus.len())];
        let mut mutated = bytes.clone();
        mutate(&mut random, &mut mutated, other);
        let (outcome, taken) = timed(*target, &mutated);
        let case = format!("{name}, mutation {n} of seed {seed}");
        // A machine that stood still is not the fault of the reader: only a second long run is.
        assert!(taken < LONGEST || timed(*target, &mutated).1 < LONGEST, "{case} takes {taken:?}");
        match outcome {
            Err(fault) => panic!("{case}: {fault}"),
            Ok(Some(message)) => assert!(!message.contains('\n') && !message.is_empty(), "{case}: {message}"),
            Ok(None) => {}
        }
        n += 1;
    }
    eprintln!("{n} mutations without a fault");
    assert!(n > 0, "no mutation was tried");
}

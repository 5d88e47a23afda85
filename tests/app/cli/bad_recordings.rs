//! Recordings that are not as they should be: every command on recordings measures what is there, or says in one line why it does not.

use super::signals::{noise, wav};
use super::*;
use std::io::Write as _;
use std::process::Stdio;

/// The commands with the words that follow the recording.
const COMMANDS: [(&str, &str); 6] = [
    ("spectrum", "--length 64 -o o.csv"),
    ("spectrogram", "--length 64 -o o.npy"),
    ("peaks", "-o o.csv"),
    ("tone", "--json"),
    ("transfer", "n.wav --length 64 -o o.csv"),
    ("correlate", "n.wav --json"),
];

/// The fault of a file, its name, and for each command the exit code and words of its message.
const TABLE: &[(&str, [(i32, &str); 6])] = &[
    (
        "nan.wav",
        [
            (0, "2 frames with samples that are infinite or not a number do not count"),
            (0, "1 infinite or NaN sample: the frames that hold it have no values"),
            (1, "1 sample is not finite"),
            (1, "take a selection without them"),
            (0, "do not count"),
            (1, "take a selection without them"),
        ],
    ),
    (
        "infinite.wav",
        [
            (0, "2 frames"),
            (0, "1 infinite or NaN sample"),
            (1, "1 sample is not finite"),
            (1, "a measure of a tone takes finite numbers"),
            (0, "do not count"),
            (1, "a correlation takes finite numbers"),
        ],
    ),
    ("zero.wav", [(0, ""), (0, ""), (0, "0 peaks"), (1, "silent"), (0, "nothing whose phase"), (1, "silent")]),
    ("one.wav", [(2, "longer selection"); 6]),
    ("rate.wav", [(1, "sample rate is zero"); 6]),
    (
        "many.wav",
        [
            (0, "channel 1 of 64 is taken"),
            (0, "channel 1 of 64 is taken"),
            (0, "channel 1 of 64 is taken"),
            (0, "channel 1 of 64 is taken"),
            (0, ""),
            (0, ""),
        ],
    ),
    ("cut.wav", [(0, "the file has 2001, as it is cut"); 6]),
    ("-", [(0, "ends with 1 byte"); 6]),
];

/// Runs a command with a stream on standard input that ends inside a sample.
fn with_stream(folder: &TempDir, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
    command.current_dir(folder.path()).args(line.split_whitespace()).env("XDG_RUNTIME_DIR", folder.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stream: Vec<u8> = noise(1000).iter().flat_map(|value| ((value * 1e4) as i16).to_le_bytes()).chain([7]).collect();
    child.stdin.take().unwrap().write_all(&stream).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn every_command_measures_what_is_there_or_says_why_not() {
    let folder = TempDir::new().unwrap();
    let values = noise(1000);
    let with = |value: f64| {
        let mut values = values.clone();
        values[500] = value;
        wav(8000, &[values], false)
    };
    let whole = wav(8000, std::slice::from_ref(&values), false);
    write(&folder, "n.wav", &whole);
    write(&folder, "nan.wav", with(f64::NAN));
    write(&folder, "infinite.wav", with(f64::INFINITY));
    write(&folder, "zero.wav", wav(8000, &[vec![0.0; 1000]], false));
    write(&folder, "one.wav", wav(8000, &[vec![0.5]], false));
    write(&folder, "rate.wav", wav(0, &[vec![0.5; 100]], false));
    write(&folder, "many.wav", wav(8000, &values.chunks(500).flat_map(|part| vec![part.to_vec(); 32]).collect::<Vec<_>>(), false));
    write(&folder, "cut.wav", &whole[..44 + 2001]);
    for (file, expected) in TABLE {
        for ((command, rest), (code, words)) in COMMANDS.iter().zip(expected) {
            let raw = if *file == "-" { "--raw s16,1,8000" } else { "" };
            let line = format!("{command} {file} {rest} {raw}");
            let output = if *file == "-" { with_stream(&folder, &line) } else { papillon(&folder, &line) };
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(*code), "papillon {line}: {told}");
            assert!(told.contains(words), "papillon {line}: {told}");
            let wrote = ["o.csv", "o.npy"].iter().any(|name| std::fs::remove_file(folder.path().join(name)).is_ok());
            let writes_file = rest.contains("-o ");
            assert_eq!((wrote, output.stdout.is_empty()), (*code == 0 && writes_file, *code != 0 || writes_file), "papillon {line}");
            assert!(*code == 0 || told.lines().count() == 1, "papillon {line}: {told}");
        }
    }
}

#[test]
fn wrong_lengths_and_selections_are_one_line_for_every_command() {
    let folder = TempDir::new().unwrap();
    write(&folder, "n.wav", wav(8000, &[noise(1000)], false));
    for (options, words, commands) in [
        ("--from 20 --to 10", "samples 20 to 10", 6),
        ("--to 1001", "samples 0 to 1001", 6),
        ("--from 1h", "do not lie in the recording", 6),
        ("--from 5mm", "no place in this recording", 6),
        ("--from soon", "place", 6),
        ("--rate 0", "rate", 6),
        ("--raw s17,1,8000", "s17", 6),
    ] {
        for (command, rest) in COMMANDS.iter().take(commands) {
            let told = refused(&folder, &format!("{command} n.wav {rest} {options}"), 2);
            assert!(told.contains(words), "{command} {options}: {told}");
        }
    }
    for (length, words) in [
        ("--length 1", "length of 2 or more"),
        ("--length 1001", "shorter length"),
        ("--length 64 --overlap 64", "overlap below the length"),
        ("--length 64 --overlap -1", "overlap"),
        ("--length 64 --pad 32", "pad to at least the length"),
    ] {
        for (command, rest) in [COMMANDS[0], COMMANDS[1], COMMANDS[4]] {
            let rest = rest.replace("--length 64", length);
            let told = refused(&folder, &format!("{command} n.wav {rest}"), 2);
            assert!(told.contains(words), "{command} {length}: {told}");
        }
    }
}

//! Boolean functions on the command line: every form, what is known of them, and bad input.

use super::*;
use serde_json::Value;

/// Runs the program with words that may hold blanks.
fn papillon_words(folder: &TempDir, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
    command.current_dir(folder).args(words).env("XDG_RUNTIME_DIR", folder.path()).output().unwrap()
}

/// The properties of a function, read from JSON.
fn known(folder: &TempDir, input: &str) -> Value {
    let output = papillon_words(folder, &["logic", input, "--json"]);
    assert!(output.status.success(), "{input}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn functions_are_told_with_their_numbers() {
    let folder = TempDir::new().unwrap();
    let bent = known(&folder, "f:x1 & x2 ^ x3 & x4")["function"].clone();
    assert_eq!((&bent["bent"], &bent["nonlinearity"], &bent["weight"]), (&true.into(), &6.into(), &6.into()));
    assert_eq!(bent["polynomial"], "x1x2 ⊕ x3x4");
    assert_eq!(bent["truth_table"], "0x111e");
    assert!(bent["walsh"].as_array().unwrap().iter().all(|value| value.as_i64().unwrap().abs() == 4));
    let flipped = known(&folder, "f:x1 & x2 ^ x3 & x4 flip=5")["function"].clone();
    assert_eq!((&flipped["bent"], &flipped["nonlinearity"], &flipped["degree"]), (&false.into(), &5.into(), &4.into()));
    let majority = known(&folder, "f:majority(3)")["function"].clone();
    assert_eq!(majority["walsh"], serde_json::json!([0, 4, 4, 0, 4, 0, 0, -4]));
    assert_eq!(majority["arithmetic"], serde_json::json!([0, 0, 0, 1, 0, 1, 1, -2]));
    assert_eq!(majority["autocorrelation"], serde_json::json!([8, 0, 0, 0, 0, 0, 0, -8]));
    let output = papillon_words(&folder, &["logic", "f:majority(3)"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("x1x2 ⊕ x1x3 ⊕ x2x3") && text.contains("x1x2 + x1x3 + x2x3 − 2·x1x2x3"), "{text}");
}

#[test]
fn boxes_and_files_are_told_too() {
    let folder = TempDir::new().unwrap();
    let aes = known(&folder, "f:aes mask=0x1d");
    assert_eq!((&aes["sbox"]["nonlinearity"], &aes["sbox"]["differential_uniformity"]), (&112.into(), &4.into()));
    assert_eq!(aes["function"]["nonlinearity"], 112);
    write(&folder, "present.csv", "12\n5\n6\n11\n9\n0\n10\n13\n3\n14\n15\n8\n4\n7\n1\n2\n");
    let present = known(&folder, "present.csv");
    assert!(present["function"].is_null());
    assert_eq!(present["sbox"]["difference_distribution"][1], serde_json::json!([0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0, 0, 4, 0, 0]));
    let output = papillon_words(&folder, &["logic", "present.csv", "--mask", "0x1", "--json"]);
    let component: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(component["function"]["polynomial"], known(&folder, "f:present")["function"]["polynomial"]);
    write(&folder, "adder.pla", include_str!("../../data/full-adder.pla"));
    assert_eq!(known(&folder, "adder.pla")["function"]["polynomial"], "x1 ⊕ x2 ⊕ x3");
    let output = papillon_words(&folder, &["logic", "adder.pla", "--channel", "2", "--json"]);
    let carry: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(carry["function"]["polynomial"], "x1x2 ⊕ x1x3 ⊕ x2x3");
}

#[test]
fn functions_stand_where_files_stand() {
    let folder = TempDir::new().unwrap();
    let output = papillon_words(&folder, &["transform", "f:x1 & !x2", "-t", "dft", "-d", "cpu", "-o", "out.csv"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(read(&folder, "out.csv")).unwrap();
    assert!(text.lines().nth(1).unwrap().starts_with('1'), "the sum of 0, 0, 1, 0: {text}");
    let words = ["graph", "-t", "dft", "-n", "4", "--values", "f:x1 & !x2", "-d", "cpu", "-o", "graph.json"];
    assert!(papillon_words(&folder, &words).status.success());
    write(&folder, "adder.pla", include_str!("../../data/full-adder.pla"));
    done(&folder, "transform adder.pla -t dft --channel 2 -d cpu -o carry.npy");
}

#[test]
fn bad_functions_exit_with_2_in_one_line() {
    let folder = TempDir::new().unwrap();
    write(&folder, "three.csv", "1\n0\n1\n");
    for (input, word) in [
        ("f:101010101010", "the table has 12 values"),
        ("f:x1 & & x2", "column 6"),
        ("f:x1 & x40", "2^40"),
        ("f:parity(40)", "at most 26"),
        ("f:x1 n=40", "at most 26"),
        ("f:parity(22)", "at most 20"),
        ("f:", "write a function"),
        ("three.csv", "no Boolean function"),
    ] {
        let output = papillon_words(&folder, &["logic", input]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{input}: {told}");
        let line = told.lines().last().unwrap();
        assert!(line.starts_with("papillon: ") && line.contains(word), "{input}: {told}");
    }
}

//! Commands that another program calls, with files in memory.

use papillon::cli::{CallError, Called, Input, call, cancel_call};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time, as a cancellation ends whatever call runs.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls a command with files in memory.
fn called(line: &str, inputs: &[(&str, &[u8])]) -> Result<Called, CallError> {
    let words: Vec<String> = line.split(' ').map(Into::into).collect();
    call(&words, inputs.iter().map(|&(name, content)| Input { name: name.into(), content: content.into() }).collect())
}

#[test]
fn a_call_returns_what_the_command_writes_and_its_notes() {
    let _alone = alone();
    let line = "transform x -t walsh -d cpu -o y.csv";
    let Called { output, notes } = called(line, &[("x", b"1\n2\n3\n4\n")]).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), "value\n10\n-2\n-4\n0\n");
    assert!(notes[0].starts_with("walsh by "), "{notes:?}");
    // Notes and files of a call do not reach the next one.
    let Called { output, notes } = called("graph -t walsh -n 4 -o g.json", &[]).unwrap();
    assert!(output.starts_with(b"{\"transform\":\"walsh\"") && notes.iter().all(|note| !note.contains("on CPU")), "{notes:?}");
    assert!(matches!(called(line, &[]), Err(CallError::Failed(message)) if message.contains("cannot read x")));
    assert!(!std::path::Path::new("y.csv").exists() && !std::path::Path::new("g.json").exists());
}

#[test]
fn a_wrong_call_and_failed_work_are_told_apart() {
    let _alone = alone();
    let wrong = |line: &str| match called(line, &[("x", b"1\n2\n3\n")]) {
        Err(CallError::Wrong(message)) => message,
        other => panic!("{line}: {other:?}"),
    };
    assert!(wrong("transform x -t dft3 -o y.npy").contains("take one of dft, dft2"));
    assert!(wrong("transform x -t dft --loud -o y.npy").contains("--loud"));
    assert!(wrong("graph -t walsh -n 4 -d cpu -o g.json").contains("leave --device out"));
    assert!(!wrong("").is_empty());
    let help = called("transform --help", &[]).unwrap().output;
    assert!(String::from_utf8(help).unwrap().contains("--algorithm"));
}

#[test]
fn a_call_is_cancelled_from_another_thread() {
    let _alone = alone();
    let line = "bench -t dft --sizes 2^4..2^12 --budget 600 -d cpu -o -";
    let begin = std::time::Instant::now();
    let worker = std::thread::spawn(move || called(line, &[]).is_ok());
    while !worker.is_finished() {
        std::thread::sleep(std::time::Duration::from_millis(100));
        cancel_call();
    }
    let _ = worker.join();
    assert!(begin.elapsed().as_secs() < 60);
    // The next call is not cancelled.
    assert!(called("transform x -t dft -d cpu-parallel -o y.npy", &[("x", b"1\n2\n3\n")]).is_ok());
}

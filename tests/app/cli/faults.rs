//! Faults from outside: a kill while a file is written, a folder without permission, memory that is not given.

use super::*;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Random samples of single precision as NPY.
fn write_samples(folder: &TempDir, name: &str, n: usize) {
    let header = format!("{:<117}\n", format!("{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {n}), }}"));
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    pixels(n).iter().for_each(|&value| bytes.extend(f32::from(value).to_le_bytes()));
    write(folder, name, bytes);
}

#[test]
fn a_command_that_is_killed_while_it_writes_leaves_the_old_file_or_the_new_one() {
    let folder = TempDir::new().unwrap();
    write_samples(&folder, "x.npy", 1 << 16);
    let line = "transform x.npy -t dft -d cpu -o y.csv";
    let begin = Instant::now();
    done(&folder, line);
    let (whole, time) = (read(&folder, "y.csv"), begin.elapsed());
    assert!(whole.len() > 1 << 20, "writing takes a while");
    let mut n_killed = 0;
    for kill in 1..=16 {
        write(&folder, "y.csv", "old\n");
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_papillon")).current_dir(&folder).args(line.split(' ')).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(time * kill / 16);
        child.kill().unwrap();
        let was_killed = child.wait().unwrap().code().is_none();
        n_killed += u32::from(was_killed);
        let found = read(&folder, "y.csv");
        assert!(found == whole || was_killed && found == b"old\n", "{} bytes after a kill at {kill}/16", found.len());
    }
    assert!(n_killed > 3, "{n_killed} of 16 were killed at work");
    // A new file is whole or not there, too.
    for kill in 10..=15 {
        let _ = std::fs::remove_file(folder.path().join("z.csv"));
        let mut child = started_quietly(&folder, &line.replace("y.csv", "z.csv"));
        std::thread::sleep(time * kill / 16);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(std::fs::read(folder.path().join("z.csv")).is_ok_and(|found| found == whole) || !names(&folder).contains(&"z.csv".into()));
    }
}

fn started_quietly(folder: &TempDir, line: &str) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_papillon")).current_dir(folder).args(line.split(' ')).stderr(Stdio::null()).spawn().unwrap()
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_said_before_the_work() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let folder = TempDir::new().unwrap();
    write(&folder, "x.csv", "1\n2\n3\n4\n");
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions do not bind root, so that root becomes somebody else.
    let is_root = std::fs::write(closed.join("probe"), "").is_ok();
    for (line, word) in [
        ("transform x.csv -t walsh -d cpu -o closed/y.npy", "closed"),
        ("graph -t walsh -n 8 -o closed/y.svg", "closed"),
        ("bench -t walsh --sizes 8 -d cpu --repeat 1 -o closed/y.json", "closed"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
        command.current_dir(&folder).args(line.split(' ')).env("XDG_DATA_HOME", folder.path().join("none"));
        if is_root {
            command.uid(65534).gid(65534);
        }
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}: {told}");
        let last = told.lines().last().unwrap_or_default();
        assert!(last.contains(word) && last.contains("permission"), "{line}: {told}");
        let written = std::fs::read_dir(&closed).unwrap().filter(|entry| entry.as_ref().unwrap().file_name() != "probe").count();
        assert_eq!(written, 0, "{line}");
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_given_is_an_error_and_no_abort() {
    let folder = TempDir::new().unwrap();
    write_samples(&folder, "x.npy", 1 << 21);
    let mut n_refused = 0;
    let transform = |device: &str| format!("transform x.npy -t dft -d {device} -o y.npy");
    // Kilobytes of address space, of which the start of the program and a driver take more than half.
    let limited = [700_000, 850_000].map(|limit| (limit, transform("cpu-parallel")));
    let on_gpu = [760_000, 1_000_000, 1_300_000].map(|limit| (limit, transform("gpu --precision double")));
    let others = [
        (700_000, transform("cpu")),
        (1_000_000, "convolve x.npy x.npy --cyclic -d gpu -o y.npy".to_owned()),
        (1_100_000, "bench -t dft --sizes 1024 --repeat 1 -d gpu -o y.npy".to_owned()),
        (800_000, "snapshot -o y.png".to_owned()),
        (1_100_000, "snapshot -o y.png".to_owned()),
    ];
    for (limit, line) in limited.into_iter().chain(on_gpu).chain(others) {
        let call = format!("ulimit -v {limit}; exec {} {line}", env!("CARGO_BIN_EXE_papillon"));
        let output = Command::new("sh").current_dir(&folder).args(["-c", &call]).env("XDG_RUNTIME_DIR", folder.path()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let last = told.lines().last().unwrap_or_default();
        assert!(matches!(output.status.code(), Some(0..=2)) && last.starts_with("papillon: "), "{limit} kB, {line}: {told}");
        let is_refused = !output.status.success();
        assert!(!is_refused || told.lines().filter(|line| !line.ends_with('…')).count() == 1, "{limit} kB, {line}: {told}");
        n_refused += u32::from(is_refused);
        let written = line.rsplit(' ').next().unwrap();
        assert_eq!(names(&folder).contains(&written.into()), !is_refused, "{limit} kB, {line}");
        let _ = std::fs::remove_file(folder.path().join(written));
    }
    assert!(n_refused > 0, "some limit is too small");
}

#[cfg(target_os = "linux")]
#[test]
fn the_window_refuses_a_transform_that_does_not_fit_and_goes_on() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "large.png", 6144, 6144, &pixels(6144 * 6144));
    let call = format!("ulimit -v 2500000; exec {} snapshot large.png -o window.png", env!("CARGO_BIN_EXE_papillon"));
    let output = Command::new("sh").current_dir(&folder).args(["-c", &call]).env("XDG_RUNTIME_DIR", folder.path()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("a transform of 6144 × 6144 px takes 576 MiB of memory, and "), "{told}");
    assert!(output.status.success() && names(&folder).contains(&"window.png".into()), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_file_is_read_where_a_few_megabytes_are_left() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "x.png", 256, 256, &pixels(1 << 16));
    let line = "transform x.png -t walsh -d cpu --size 256x256 -o y.npy";
    done(&folder, line);
    let mut child = started_quietly(&folder, line);
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(status_bytes(child.id(), "VmPeak:") >> 10);
    }
    let _ = std::fs::remove_file(folder.path().join("y.npy"));
    // The peak may have been missed by a little.
    let call = format!("ulimit -v {}; exec {} {line}", peak + 30_000, env!("CARGO_BIN_EXE_papillon"));
    let output = Command::new("sh").current_dir(&folder).args(["-c", &call]).output().unwrap();
    assert!(output.status.success(), "{peak} kB: {}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn a_package_that_unpacks_to_more_than_fits_is_refused() {
    let folder = TempDir::new().unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    (0..2048).for_each(|_| encoder.write_all(&[b'7'; 1 << 20]).unwrap());
    write(&folder, "bomb.csv.gz", encoder.finish().unwrap());
    let call = format!("ulimit -v 2000000; exec {} transform bomb.csv.gz -t dft -d cpu -o y.npy", env!("CARGO_BIN_EXE_papillon"));
    let output = Command::new("sh").current_dir(&folder).args(["-c", &call]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && told.contains("bomb.csv.gz as gzip: it claims more than"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

/// A number of bytes that the system reports about a process; 0 where it is gone.
#[cfg(target_os = "linux")]
fn status_bytes(process: u32, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).and_then(|line| line.trim().strip_suffix(" kB"));
    line.and_then(|kibibytes| kibibytes.trim().parse::<usize>().ok()).unwrap_or(0) << 10
}

#[cfg(target_os = "linux")]
#[test]
fn decoding_takes_at_most_three_times_the_memory_of_the_values() {
    let folder = TempDir::new().unwrap();
    write(&folder, "four.csv", "1\n2\n3\n4\n");
    let peak = |file: &str| {
        let mut child = started_quietly(&folder, &format!("transform {file} -t walsh -d cpu --size 4 -o y.npy"));
        let mut peak = 0;
        // The peak is asked for until the process is gone.
        while child.try_wait().unwrap().is_none() {
            peak = peak.max(status_bytes(child.id(), "VmHWM:"));
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(child.wait().unwrap().success(), file != "names.csv", "{file}");
        peak
    };
    // One line of eight-byte integers, and a table of two columns with fractions.
    write(&folder, "line.csv", "7,".repeat(4_000_000) + "7\n");
    write(&folder, "table.csv", "1.5,-2\n".repeat(2_000_000));
    let idle = peak("four.csv");
    for (file, n_values) in [("line.csv", 4_000_001), ("table.csv", 4_000_000)] {
        let taken = peak(file).saturating_sub(idle);
        assert!(taken > 8 * n_values / 2, "{file}: {taken} bytes were seen");
        assert!(taken < 3 * 8 * n_values, "{file}: {taken} bytes for {n_values} values");
    }
    // A line of four million names is refused without a copy of any.
    write(&folder, "names.csv", "a,".repeat(4_000_000));
    let taken = peak("names.csv").saturating_sub(idle);
    assert!(taken < 3 * 8_000_000, "{taken} bytes");
}

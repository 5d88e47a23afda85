//! Every option of every command: a value changes what the command writes or says, or the command refuses it by name.

use super::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The jobs of every command. Each option is tried on all jobs of its command, in place of its value there.
const JOBS: &[(&str, &[&str])] = &[
    ("devices", &["", "--json"]),
    ("list", &[""]),
    (
        "transform",
        &[
            "eight.csv --batch --transform dft --algorithm global-local --device cpu-parallel --output o.npy",
            "line.csv --transform walsh --device cpu-parallel --output o.npy",
            "line.csv --transform dft --algorithm rustfft --device cpu-parallel --output -",
            "gray.png --transform cdf97-2 --algorithm split-merge --device cpu-parallel --output o.npy",
            "long.csv --transform d4-packet --algorithm filter-bank --device cpu-parallel --output o.npy",
            "table.csv --time none --channel 2 --transform kronecker --device cpu-parallel --output o.npy",
            "turned.tif --transform dct2 --device cpu-parallel --output o.npy",
            "long.csv --transform cdf97 --algorithm direct --device gpu --output o.npy",
        ],
    ),
    ("convolve", &["line.csv line.csv --device cpu-parallel --output o.npy", "line.csv line.csv --device gpu --output -"]),
    ("autocorrelate", &["line.csv --device cpu-parallel --output o.npy", "line.csv --device gpu --output -"]),
    (
        "solve",
        &[
            "system.csv --algorithm cyclic-reduction --device cpu-parallel --output o.npy",
            "system.csv --algorithm cyclic-reduction --device gpu --output -",
            "system.csv --algorithm thomas --device cpu --output o.npy",
        ],
    ),
    (
        "spectrum",
        &[
            "rgb.png --device cpu-parallel --output o.png",
            "--lomb-scargle table.csv --output o.csv",
            "gray.png --device gpu --output o.png",
        ],
    ),
    ("peaks", &["rgb.png --device cpu-parallel --output o.json", "gray.png --device cpu-parallel --output -"]),
    ("profile", &["rgb.png --radial --device cpu-parallel --output o.csv", "gray.png --line 0,0,9,9 --device cpu-parallel --output -"]),
    ("register", &["rgb.png rgb.png --device cpu-parallel"]),
    (
        "graph",
        &[
            "--transform dft --algorithm global-local --size 16 --output o.svg",
            "--transform cdf97 --algorithm split-merge --size 64 --output o.svg",
            "--transform walsh --size 4 --output -",
            "--transform walsh --values line.csv --device cpu-parallel --output o.json",
            "--transform cdf97-2 --algorithm direct --size 8 --output o.svg",
        ],
    ),
    (
        "matrix",
        &[
            "--transform walsh --size 8 --output o.csv",
            "--transform cdf97 --size 8 --output -",
            "--transform dft --algorithm global-local --size 16",
        ],
    ),
    (
        "kernel",
        &[
            "--transform dft --algorithm global-local --size 64",
            "--transform dft --algorithm cooley-tukey --size 64 --schedule stages --launch 2",
            "--transform cdf97 --algorithm split-merge --size 2048",
            "--transform cdf97-2 --algorithm direct --size 64",
            "--transform cdf97 --algorithm direct --size 4096 --launch 1",
        ],
    ),
    ("lesson", &["the-butterfly", "the-butterfly --output o.svg", ""]),
    ("handout", &["the-butterfly --output o.svg", "the-butterfly --output -"]),
    (
        "memory",
        &[
            "--transform dft --algorithm global-local --size 64",
            "--transform cdf97 --algorithm split-merge --size 2048",
            "--transform walsh --size 64 --stage 2 --output o.csv",
            "--transform dft --algorithm cooley-tukey --size 64 --schedule stages --launch 2",
            "--transform cdf97-2 --algorithm direct --size 64",
        ],
    ),
    ("logic", &["f:0x96e8", "f:sbox(c,5,6,b,9,0,a,d,3,e,f,8,4,7,1,2)"]),
    ("filter", &["gray.png --low-pass 0.2 --device cpu-parallel --output o.npy", "s.wav --high-pass 0.1 --device cpu-parallel --output -"]),
    (
        "threshold",
        &[
            "gray.png --keep 10% --device cpu-parallel --output o.npy",
            "eight.csv --batch --keep 20% --transform walsh --device cpu-parallel --output -",
            "long.csv --keep 20% --transform d4-packet --device cpu-parallel --output o.npy",
        ],
    ),
    ("snapshot", &["--size 640x400 --output o.png", "--lesson the-butterfly --size 640x400 --output o.png"]),
    (
        "bench",
        &[
            "--transform walsh --sizes 8 --device cpu-parallel --repeat 1 --output o.json",
            "--transform dft --algorithm global-local --sizes 64 --device gpu --repeat 1 --output o.json",
            "--transform cdf97 --algorithm split-merge --sizes 64 --device gpu --repeat 1 --output o.json",
            "--transform dft --algorithm rustfft --sizes 8 --device cpu-parallel --repeat 1 --output o.json",
            "--transform reed-muller --sizes 8 --device cpu-parallel --repeat 1 --output o.json",
            "--record old.json --plot o.svg",
            "--record old.json",
            "--experiments",
            "--moves --sizes 16 --device cpu-parallel --repeat 1",
            "--experiment gajic-2011-fig-4a --sizes 16 --repeat 1 --output o.json",
            "--experiment sorman-2016-table-6-2-1d --sizes 16 --repeat 1 --output o.json",
            "--experiment arguello-2012-table-1 --sizes 1024 --repeat 1 --output o.json",
        ],
    ),
    ("tune", &["--transform walsh --sizes 8 --device cpu-parallel"]),
];

/// Values of options: of all commands that have the option, or of one command, which comes first.
const VALUES: &[(&str, &str, &[&str])] = &[
    ("bench", "transform", &["haar"]),
    ("bench", "algorithm", &["constant-geometry"]),
    ("bench", "device", &["cpu"]),
    ("bench", "output", &["p.csv"]),
    ("bench", "record", &["old.json"]),
    ("", "transform", &["haar"]),
    ("", "algorithm", &["constant-geometry", "overlapped", "pivoted"]),
    ("", "device", &["cpu"]),
    ("", "cpu-threads", &["1"]),
    ("", "precision", &["single", "double"]),
    ("", "schedule", &["stages", "tiles:4", "split-merge", "overlapped"]),
    ("", "levels-per-stage", &["1", "3"]),
    ("", "width", &["4"]),
    ("", "block", &["16"]),
    ("", "scheme", &["square", "rows"]),
    ("", "threads", &["1", "1/2"]),
    ("", "merge", &["global"]),
    ("", "twiddles", &["computed", "quarter-table"]),
    ("", "index", &["division"]),
    ("", "inverse", &[""]),
    ("", "axis", &["columns"]),
    ("", "order", &["dyadic", "sequency"]),
    ("", "normalized", &[""]),
    ("", "matrix", &["1,2,3,5"]),
    ("", "levels", &["1", "2"]),
    ("", "boundary", &["periodic"]),
    ("", "packet-order", &["frequency"]),
    ("", "tile", &["2", "4"]),
    ("", "best-basis", &["entropy"]),
    ("", "basis", &["LL,LH,H"]),
    ("", "channel", &["red", "2"]),
    ("", "raw", &["u8,1,8000"]),
    ("", "time", &["none", "index"]),
    ("", "batch", &[""]),
    ("", "uneven", &["linear", "refuse"]),
    ("", "missing", &["refuse"]),
    ("", "missing-code", &["2"]),
    ("", "page", &["2"]),
    ("", "as-stored", &[""]),
    ("snapshot", "size", &["700x500"]),
    ("", "size", &["4", "32"]),
    ("", "region", &["0,0,4,4"]),
    ("", "detrend", &["mean"]),
    ("", "periodic", &[""]),
    ("", "window", &["hann"]),
    ("", "radial-window", &[""]),
    ("", "pad", &["2x"]),
    ("", "pad-with", &["mean"]),
    ("peaks", "output", &["p.csv"]),
    ("profile", "output", &["p.csv"]),
    ("spectrum", "output", &["p.png", "p.csv"]),
    ("snapshot", "output", &["p.png"]),
    ("", "output", &["p.csv", "p.json"]),
    ("", "format", &["csv", "json", "svg", "pdf"]),
    ("", "rate", &["100", "5ms"]),
    ("", "dyadic", &[""]),
    ("", "cyclic", &[""]),
    ("", "repeat", &["3"]),
    ("", "right", &["line.csv"]),
    ("", "scale", &["db"]),
    ("", "no-shift", &[""]),
    ("", "colormap", &["viridis"]),
    ("spectrum", "pixel-size", &["0.2nm"]),
    ("", "pixel-size", &["0.2nm"]),
    ("", "lomb-scargle", &[""]),
    ("", "highest", &["0.1"]),
    ("", "per-peak", &["9"]),
    ("", "count", &["1"]),
    ("", "refine", &["none"]),
    ("", "radial", &[""]),
    ("", "angular", &[""]),
    ("", "line", &["0,0,5,9:3"]),
    ("", "spectrum", &[""]),
    ("", "json", &[""]),
    ("", "setup", &[""]),
    ("graph", "values", &["line.csv"]),
    ("matrix", "values", &["system.csv"]),
    ("bench", "with", &["old.json"]),
    ("", "with", &["line.csv"]),
    ("", "style", &["plain"]),
    ("", "fold", &[""]),
    ("", "layout", &["in-place", "sections"]),
    ("", "stage", &["1", "3"]),
    ("", "product", &[""]),
    ("", "definition", &[""]),
    ("", "launch", &["1"]),
    ("", "compiled", &[""]),
    ("", "language", &["glsl"]),
    ("", "step", &["2"]),
    ("", "open", &[""]),
    ("", "check", &[""]),
    ("", "answers", &[""]),
    ("", "by", &["cpu-local"]),
    ("", "subgroup", &["2"]),
    ("", "pitch", &["32"]),
    ("", "measure", &[""]),
    ("logic", "mask", &["2"]),
    ("", "mask", &["mask.npy"]),
    ("", "low-pass", &["0.1"]),
    ("", "high-pass", &["0.2"]),
    ("", "band-pass", &["0.1,0.2"]),
    ("", "band-stop", &["0.1,0.2"]),
    ("", "notch", &["0.1,0.1,0.02", "0.1,0.02"]),
    ("", "wedge", &["0,20"]),
    ("", "stripes", &["30"]),
    ("", "tolerance", &["4"]),
    ("", "ideal", &[""]),
    ("", "butterworth", &["2"]),
    ("", "gaussian", &[""]),
    ("", "soft", &["", "0.05"]),
    ("", "keep-mean", &[""]),
    ("", "periodic-noise", &[""]),
    ("", "write-mask", &["m.json"]),
    ("", "keep", &["50%"]),
    ("", "value", &["3"]),
    ("", "hard", &[""]),
    ("", "preset", &["signal"]),
    ("", "session", &["none.json"]),
    ("", "lesson", &["sampling"]),
    ("", "theme", &["light"]),
    ("", "sizes", &["16"]),
    ("", "rows", &["2"]),
    ("", "budget", &["5"]),
    ("", "caches", &["warm"]),
    ("", "clock", &["host"]),
    ("", "seed", &["7"]),
    ("", "compare", &["old.json"]),
    ("", "experiment", &["gajic-2011-section-5-1"]),
    ("", "experiments", &[""]),
    ("", "moves", &[""]),
    ("", "plot", &["p.svg"]),
    ("", "table", &["t.csv"]),
    ("", "quantity", &["flops"]),
    ("", "part", &["total"]),
    ("", "against", &["2"]),
    ("", "forget", &[""]),
];

/// The options that are tried on GPUs, too, whose kernels take long to compile.
const OF_GPUS: &[&str] = &[
    "schedule",
    "levels-per-stage",
    "width",
    "block",
    "scheme",
    "threads",
    "merge",
    "twiddles",
    "index",
    "precision",
    "tile",
    "repeat",
    "rows",
];

/// Options of a command (or of all) that may leave a result as it is, and why that is right.
const WITHOUT_EFFECT: &[(&str, &str, &str)] = &[
    ("", "cpu-threads", "a result is the same on any number of threads; where the CPU is the device, its name says how many ran"),
    ("", "uneven", "it decides about uneven times, which a table may not have"),
    ("", "missing", "it decides about missing values, which a table may not have"),
    ("", "missing-code", "it names a code that a table may not have"),
    ("", "time", "a table without times counts its samples already"),
    ("", "batch", "a table of one row is one signal already"),
    ("", "hard", "it is the default"),
    ("", "dyadic", "it is the default"),
    ("", "page", "the files here have one page; images.rs reads others"),
];

/// What a call did: its exit code, what it wrote and said, and its files, without times.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Done {
    code: Option<i32>,
    out: String,
    told: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// The words of a call with another value of an option, or with the option.
fn with(job: &str, option: &clap::Arg, value: &str) -> String {
    let name = format!("--{}", option.get_long().unwrap());
    let takes_value = option.get_action().takes_values();
    let mut words: Vec<&str> = job.split_whitespace().collect();
    if let Some(at) = words.iter().position(|word| *word == name) {
        words.drain(at..at + 1 + usize::from(takes_value));
    }
    words.push(&name);
    words.extend(takes_value.then_some(value));
    words.join(" ")
}

/// Runs a call in a folder of its own with the files of the test.
fn outcome(files: &[(&str, Vec<u8>)], call: &str) -> Done {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, content)| write(&folder, name, content));
    let output = papillon(&folder, call);
    let mut written = BTreeMap::new();
    for name in names(&folder).into_iter().filter(|name| files.iter().all(|(known, _)| known != name)) {
        if let Ok(content) = std::fs::read(folder.path().join(&name)) {
            let content = if name.ends_with(".json") && call.starts_with("bench") { conditions(&content) } else { content };
            written.insert(name, content);
        }
    }
    let is_timed = call.starts_with("bench") && !call.contains("--record") && !call.contains("--experiments");
    let text = |bytes: &[u8]| if is_timed && output.status.success() { String::new() } else { untimed(&String::from_utf8_lossy(bytes)) };
    Done { code: output.status.code(), out: text(&output.stdout), told: text(&output.stderr), files: written }
}

/// A record without its times.
fn conditions(record: &[u8]) -> Vec<u8> {
    let Ok(mut record) = serde_json::from_slice::<serde_json::Value>(record) else { return record.to_vec() };
    let kept = ["line", "shape", "algorithm", "device", "precision", "n_launches", "operations", "rotated_bytes"];
    for measured in record["measurements"].as_array_mut().into_iter().flatten() {
        measured.as_object_mut().unwrap().retain(|key, _| kept.contains(&key.as_str()));
    }
    for key in ["taken_at", "yardstick_micros"] {
        record.as_object_mut().unwrap().remove(key);
    }
    record.to_string().into_bytes()
}

/// A text without its times.
fn untimed(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(Into::into).collect();
    for at in 1..words.len() {
        let is_unit =
            ["µs", "ms", "s", "min", "ns"].iter().any(|unit| words[at].trim_end_matches([',', ';', ':', '.', '\n', ')']) == *unit);
        if is_unit || words[at].starts_with("µs") || words[at].starts_with("ms") {
            words[at - 1] = words[at - 1].chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect();
        }
    }
    words.join(" ")
}

/// The files of the jobs.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "gray.png", 16, 16, &pixels(256));
    write_png(&folder, "rgb.png", 16, 16, &pixels(768));
    write(&folder, "line.csv", "1\n2\n3\n4\n5\n7\n8\n9\n");
    let long: String = pixels(64).iter().map(|value| format!("{}\n", f64::from(*value) + 0.5)).collect();
    write(&folder, "long.csv", long);
    let eight: String = pixels(64).chunks(8).map(|row| row.iter().map(u8::to_string).collect::<Vec<_>>().join(",") + "\n").collect();
    write(&folder, "eight.csv", &eight);
    write(&folder, "gap.csv", eight.replacen(',', ",,", 1).replacen(&format!(",{}\n", pixels(8)[7]), "\n", 1));
    write(&folder, "table.csv", "t,a,b\n0,1,2\n1,2,3\n2,4,-9\n4,8,9\n5,3,4\n6,,1\n7,2,2\n8,1,0\n");
    write(&folder, "system.csv", "a,b,c,d\n0,4,1,5\n".to_owned() + &"1,4,1,6\n".repeat(62) + "1,4,0,5\n");
    write(
        &folder,
        "stack.npy",
        npy("<f4", "2, 8, 8", &pixels(128).iter().flat_map(|value| f32::from(*value).to_le_bytes()).collect::<Vec<_>>()),
    );
    write(&folder, "mask.npy", npy("|u1", "16, 16", &[255; 256]));
    write(&folder, "turned.tif", turned_tiff());
    let sound: Vec<u8> = pixels(64).iter().flat_map(|value| (i16::from(*value) * 100).to_le_bytes()).collect();
    let head = [&b"RIFF\xa4\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x80\0\0\0"[..], &sound].concat();
    write(&folder, "s.wav", head);
    done(&folder, "bench --transform walsh,haar --sizes 8..16 --device cpu-parallel --repeat 2 --output old.json");
    let names = [
        "gray.png",
        "rgb.png",
        "line.csv",
        "long.csv",
        "eight.csv",
        "gap.csv",
        "table.csv",
        "system.csv",
        "stack.npy",
        "mask.npy",
        "turned.tif",
        "s.wav",
        "old.json",
    ];
    names.map(|name| (name, read(&folder, name))).into()
}

/// An NPY of a type and a shape.
fn npy(kind: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\0".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes(), bytes].concat()
}

/// A gray TIFF of 2 × 4 pixels that asks to be turned by a quarter.
fn turned_tiff() -> Vec<u8> {
    let entries: [(u16, u16, u32); 9] =
        [(256, 3, 4), (257, 3, 2), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (274, 3, 6), (278, 3, 2), (279, 4, 8)];
    let mut bytes = b"II*\0\x10\0\0\0\x01\x05\x20\x40\x11\x80\xc0\xff".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, value) in entries {
        bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend([1_u32.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend([0; 4]);
    bytes
}

/// Whether a call was refused by the name or the value of the option, or for the lack of another one.
fn is_refused(done: &Done, name: &str, value: &str) -> bool {
    let names = |line: &str| line.contains(&format!("--{name}")) || value.len() > 1 && line.contains(value);
    let is_named =
        |line: &str| names(line) || line.contains("required arguments were not provided") || line.contains(&format!("“{value}”"));
    done.code != Some(0) && done.told.lines().last().is_some_and(is_named)
}

#[test]
fn no_option_is_ignored() {
    let files = files();
    let tree = papillon::cli::commands();
    let mut tries: Vec<(&str, &str, clap::Arg, &str)> = Vec::new();
    let mut bases: Vec<String> = Vec::new();
    for command in tree.get_subcommands() {
        let name = command.get_name();
        if std::env::var("ONLY").is_ok_and(|only| !only.split(',').any(|of| of == name)) {
            continue;
        }
        let (_, jobs) = JOBS.iter().find(|(of, _)| *of == name).unwrap_or_else(|| panic!("{name} has no job here"));
        bases.extend(jobs.iter().map(|job| format!("{name} {job}")));
        let is_own = |option: &&clap::Arg| option.get_long().is_some_and(|long| !["help", "version"].contains(&long));
        for option in command.get_arguments().filter(is_own) {
            let long = option.get_long().unwrap();
            let values = VALUES.iter().find(|(of, option, _)| *of == name && *option == long);
            let values = values.or(VALUES.iter().find(|(of, option, _)| of.is_empty() && *option == long));
            let (.., values) = values.unwrap_or_else(|| panic!("--{long} of {name} has no value here"));
            let is_of_gpu = |job: &&&str| !job.contains("--device gpu") || OF_GPUS.contains(&long);
            let all = jobs.iter().filter(is_of_gpu).flat_map(|job| values.iter().map(|value| (name, *job, option.clone(), *value)));
            // A job that has the value already says nothing of it.
            tries.extend(all.filter(|(_, job, option, value)| !format!("{job} ").contains(format!("--{long} {value}").trim_end())));
        }
    }
    let bases: BTreeMap<String, Done> = in_parallel(bases, |call| (call.clone(), outcome(&files, call))).into_iter().collect();
    let failed: Vec<_> =
        bases.iter().filter(|(_, done)| done.code != Some(0)).map(|(call, done)| format!("{call}: {}", done.told)).collect();
    assert!(failed.is_empty(), "jobs that fail:\n{}", failed.join("\n"));
    let tried = in_parallel(tries, |(command, job, option, value)| {
        let (base, long) = (format!("{command} {job}"), option.get_long().unwrap().to_owned());
        let call = format!("{command} {}", with(job, option, value));
        let done = outcome(&files, &call);
        (*command, long.clone(), call, done != bases[&base], is_refused(&done, &long, value), done)
    });
    let is_excused =
        |command: &str, option: &str| WITHOUT_EFFECT.iter().any(|(of, known, _)| (of.is_empty() || *of == command) && *known == option);
    let mut wrong = Vec::new();
    for (command, option, call, is_changed, is_refused, done) in &tried {
        let is_right = if done.code == Some(0) { *is_changed } else { *is_refused };
        if !is_right && !is_excused(command, option) {
            wrong.push(format!("papillon {call}: {}", if done.code == Some(0) { "changes nothing" } else { done.told.trim() }));
        }
    }
    let mut alive: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for (command, option, _, is_changed, _, done) in &tried {
        *alive.entry((command, option)).or_default() |= *is_changed && done.code == Some(0);
    }
    wrong.extend(
        alive
            .iter()
            .filter(|((command, option), alive)| !**alive && !is_excused(command, option))
            .map(|((command, option), _)| format!("--{option} of {command} is refused by all jobs")),
    );
    assert!(wrong.is_empty(), "{} of {} tries:\n{}", wrong.len(), tried.len(), wrong.join("\n"));
}

/// The results of all items, in order, on as many threads as the machine has.
fn in_parallel<T: Sync, R: Send>(items: Vec<T>, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((index, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|index| Some((index, items.get(index)?)))
                {
                    let result = work(item);
                    results.lock().unwrap().push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

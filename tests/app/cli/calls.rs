//! Wrong calls, bad files, help, and the lists for people and programs.

use super::*;

/// Calls that are wrong, and a word of what is said.
const WRONG_CALLS: &[(&str, &str)] = &[
    ("transform line.csv -t dft3 -o x.npy", "take one of dft, dft2"),
    ("transform line.csv -t dft -a stockhom -o x.npy", "stockham"),
    ("transform line.csv -t dft -a stockham-8 -d cpu -o x.npy", "powers of two"),
    ("transform line.csv -t dft -o x.xyz", ".npy"),
    ("transform line.csv -t dft -o x", ".npy"),
    ("transform line.csv -t dft", "--output"),
    ("transform line.csv -t dft --size 0 -o x.npy", "not a size"),
    ("transform line.csv -t dft --size 2^70 -o x.npy", "not a size"),
    ("transform line.csv -t dft --size 2^60 -o x.npy", "memory"),
    ("transform line.csv -t dft2 --size 2^32 -o x.npy", "memory"),
    ("transform line.csv -t dft -d no-such-device -o x.npy", "no-such-device"),
    ("transform line.csv -t dft -a rustfft -d cpu-strided -o x.npy", "-d cpu"),
    ("transform line.csv -t dft --channel blue -o x.npy", "blue"),
    ("transform line.csv -t dft --order sequency -o x.npy", "--order"),
    ("transform line.csv -t reed-muller --order sequency -o x.npy", "natural or dyadic"),
    ("kernel -t dft -n 64 --schedule tiles:8 --twiddles computed", "--schedule stages"),
    ("kernel -t cdf97 -a direct -n 64 --threads 1 --index division", "leave --threads"),
    ("kernel -t dft -n 64 --twiddles sines", "quarter-table"),
    ("spectrum image.png -o x.jpg", ".png"),
    ("spectrum image.png --scale loud -o x.png", "loud"),
    ("spectrum image.png --colormap jet -o x.png", "jet"),
    ("spectrum image.png --window round -o x.png", "round"),
    ("spectrum line.csv --scale db -o x.png", "leave --scale out"),
    ("graph -t dft -a stockham -n 74 -o x.svg", "bluestein"),
    ("graph -t dft -a rustfft -n 8 -o x.svg", "no flow graph"),
    ("graph -t dft -n 8 -o x.bmp", ".svg"),
    ("graph -t dft -n 2^12 -o x.svg", ".json"),
    ("graph -t dft -n 8 --schedule circles -o x.svg", "circles"),
    ("graph -t cyclic-convolution -n 3 --values line.csv -o x.svg", "--with"),
    ("graph -t dft -n 4 --values line.csv -o x.json", "1 × 3"),
    ("bench --sizes 2^5..2^3 --repeat 1", "smaller"),
    ("bench --repeat 0", "from 1 on"),
    ("bench --rows -2", "from 0 on"),
    ("transform line.csv -t cdf97 -a split-merge --levels-per-stage 0 -o x.npy", "from 1 on"),
    ("transform line.csv -t cdf97 --levels x -o x.npy", "from 0 on"),
    ("transform line.csv -t cdf97 --levels -1 -o x.npy", "from 0 on"),
    ("transform line.csv -t dft --size -3 -o x.npy", "not a size"),
    ("transform line.csv -t dft --rate 8000 -o x.npy", ".wav"),
    ("transform line.csv -t cdf97 --rate 0 -o x.wav", "is no sampling rate: type 8000"),
    ("transform line.csv -t cdf97 --rate 0.5 -o x.wav", "Hz from 1"),
    ("transform line.csv -t cdf97 --rate 12/year -o x.wav", "a WAV cannot say 12 per year"),
    ("solve line.csv --scheme square -o x.npy", "--scheme"),
    ("graph -t tridiagonal -n 3 --values line.csv -o x.json", "takes 3 × 4"),
    ("tune -t tridiagonal", "papillon bench"),
    ("bench -t walsh --levels 2 --sizes 8", "--levels"),
    ("bench -t cdf97 --levels 30 --sizes 8,16 --repeat 1", "--levels 3"),
    ("bench -t dft,walsh --sizes 1000 --repeat 1", "no power of two"),
    ("bench -t dyadic-convolution --inverse --sizes 8", "no --inverse"),
    ("bench -t dft2 --rows 3 --repeat 1", "--rows"),
    ("bench --sizes 8 --repeat 1 -o x.txt", ".csv"),
    ("snapshot -o x.jpg", ".png"),
    ("snapshot --preset attic -o x.png", "attic"),
    ("snapshot --size big -o x.png", "1600x1000"),
    ("sepctrum image.png", "neither"),
    ("--fast", "--fast"),
];

#[test]
fn wrong_calls_exit_with_2_and_say_what_to_do() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "1\n2\n3\n");
    write_png(&folder, "image.png", 2, 3, &pixels(6));
    for &(line, word) in WRONG_CALLS {
        let told = refused(&folder, line, 2);
        assert!(told.contains(word), "papillon {line}: no '{word}' in: {told}");
        // A negative number is a value, and no way round options.
        assert!(line.starts_with("--") || !told.contains("as a value"), "papillon {line}: {told}");
    }
}

#[test]
fn a_wrong_word_names_the_help_of_its_command() {
    let folder = TempDir::new().unwrap();
    for (line, help) in [
        ("transform x.csv -t dft --precision half -o x.npy", "see 'papillon transform --help'"),
        ("bench --sizes none", "see 'papillon bench --help'"),
        ("tune --loud", "see 'papillon tune --help'"),
        ("graph -t dft", "see 'papillon graph --help'"),
        ("--fast", "see 'papillon --help'"),
    ] {
        let told = refused(&folder, line, 2);
        assert!(told.ends_with(help), "papillon {line}: {told}");
    }
}

#[test]
fn bad_files_exit_with_1_and_leave_nothing() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "whole.png", 40, 40, &pixels(1600));
    let whole = read(&folder, "whole.png");
    write(&folder, "truncated.png", &whole[..whole.len() / 2]);
    let mut broken = whole.clone();
    broken[60] ^= 0xff;
    write(&folder, "broken.png", broken);
    write(&folder, "empty.csv", "");
    write(&folder, "ragged.csv", "1,2,3\n4,5\n");
    write(&folder, "words.csv", "one\ntwo\nthree\n");
    for name in ["missing.png", "truncated.png", "broken.png", "empty.csv", "ragged.csv", "words.csv", "."] {
        for call in [format!("transform {name} -t dft -o x.npy"), format!("spectrum {name} -o x.png")] {
            let told = refused(&folder, &call, 1);
            assert!(told.contains(name), "papillon {call}: {told}");
        }
    }
    let told = refused(&folder, "transform broken.png -t dft2 -o x.npy", 1);
    assert!(told.starts_with("papillon: cannot read broken.png as PNG: "), "{told}");
    refused(&folder, "transform whole.png -t dft2 -o no/such/folder/x.npy", 1);
    refused(&folder, "missing.png", 1);
}

#[test]
fn an_old_result_outlives_a_failed_call() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "1\n2\n");
    write(&folder, "result.wav", "old");
    refused(&folder, "transform line.csv -t dft --size 3 -d cpu -o result.wav", 2);
    assert_eq!(read(&folder, "result.wav"), b"old");
    // A disk that is full.
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full.csv")).unwrap();
    assert!(refused(&folder, "transform line.csv -t walsh -d cpu -o full.csv", 1).contains("full.csv"));
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = TempDir::new().unwrap();
    for line in ["--help", "--version", "transform --help", "spectrum --help", "graph --help", "bench --help", "snapshot --help"] {
        let output = papillon(&folder, line);
        assert!(output.status.success() && output.stderr.is_empty() && output.stdout.len() > 10, "papillon {line}");
    }
    let help = String::from_utf8(papillon(&folder, "transform --help").stdout).unwrap();
    assert!(help.contains("natural order"), "{help}");
}

#[test]
fn the_list_is_the_table() {
    let folder = TempDir::new().unwrap();
    let text = String::from_utf8(papillon(&folder, "list").stdout).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&papillon(&folder, "list --json").stdout).unwrap();
    for (transform, row) in papillon::transforms::TRANSFORMS.iter().zip(json.as_array().unwrap()) {
        assert_eq!(row["name"], transform.name);
        assert!(text.contains(transform.formula));
        let algorithms = row["algorithms"].as_array().unwrap();
        assert_eq!(algorithms.len(), transform.algorithms.len());
        for (algorithm, row) in transform.algorithms.iter().zip(algorithms) {
            assert_eq!((row["name"].as_str(), row["flow_graph"].as_bool()), (Some(algorithm.name), Some(algorithm.plan_fn().is_some())));
            assert!(text.contains(algorithm.about));
        }
    }
}

#[test]
fn one_device_is_the_default() {
    let folder = TempDir::new().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&papillon(&folder, "devices --json").stdout).unwrap();
    let adapters = json.as_array().unwrap();
    let default: Vec<bool> = adapters.iter().map(|adapter| adapter["default"].as_bool().unwrap()).collect();
    assert_eq!(default.iter().filter(|&&is_default| is_default).count(), 1, "no adapter: install a Vulkan driver (make setup)");
    let text = String::from_utf8(papillon(&folder, "devices").stdout).unwrap();
    assert!(text.contains(adapters[0]["name"].as_str().unwrap()) && text.contains("(default)"), "{text}");
    write(&folder, "line.csv", "1\n2\n3\n4\n");
    let told = done(&folder, "transform line.csv -t dft -d 0 -o x.npy");
    assert!(told.contains(adapters[0]["name"].as_str().unwrap()), "{told}");
}

#[test]
fn a_broken_file_draws_no_window() {
    let folder = TempDir::new().unwrap();
    write(&folder, "broken.png", b"\x89PNG\r\n\x1a\nnothing");
    let told = refused(&folder, "snapshot broken.png -o window.png", 1);
    assert!(told.contains("broken.png"), "{told}");
    assert_eq!(names(&folder), ["broken.png"]);
}

#[test]
fn a_choice_that_does_not_exist_lists_those_that_do() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 2, 2, &pixels(4));
    for (option, known) in [("--scale", "power"), ("--window", "hann"), ("--colormap", "cividis")] {
        let told = refused(&folder, &format!("spectrum image.png {option} foo -o out.png"), 2);
        assert!(told.contains("foo") && told.contains(known), "{told}");
    }
}

#[test]
fn a_place_that_does_not_exist_is_refused_before_the_work() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 2, 2, &pixels(4));
    for call in ["transform image.png -t dft2 -o none/out.npy", "spectrum image.png -o none/out.png", "graph -t dft -n 8 -o none/out.svg"] {
        let told = refused(&folder, call, 1);
        assert!(told.contains("there is no folder none"), "{told}");
    }
}

#[test]
fn results_without_a_finite_value_are_no_pictures() {
    let folder = TempDir::new().unwrap();
    write(&folder, "huge.csv", "1e308,1e308,1e308\n".repeat(3));
    write(&folder, "nothing.csv", "inf,-inf,inf\n".repeat(3));
    assert!(refused(&folder, "spectrum nothing.csv -o out.png", 1).contains("no finite value"));
    assert!(done(&folder, "spectrum huge.csv -o out.png").contains("to 308.954"));
    let told = done(&folder, "transform huge.csv -t dft2 -o out.npy");
    assert!(told.contains("values are infinite"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 2, 2, &pixels(4));
    write(&folder, "target.npy", "");
    std::os::unix::fs::symlink(folder.path().join("target.npy"), folder.path().join("link.npy")).unwrap();
    done(&folder, "transform image.png -t dft2 -o link.npy");
    assert!(folder.path().join("link.npy").is_symlink());
    assert_eq!(read_npy(&folder, "target.npy").len(), 4);
}

#[test]
fn every_command_of_the_documentation_is_understood() {
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()).chain([root.join("README.md")]);
    let text: Vec<String> = pages.map(|page| std::fs::read_to_string(page).unwrap()).collect();
    let quoted = text.iter().flat_map(|page| page.split('`').skip(1).step_by(2)).filter_map(|code| code.strip_prefix("papillon "));
    let mut n_commands = 0;
    for command in quoted {
        // Quotation marks make one word. A call that opens a file starts the window, which has its own tests.
        let parts = command.split('\'').enumerate();
        let line: String = parts.map(|(i, part)| if i % 2 == 1 { part.replace(' ', "") } else { part.into() }).collect();
        let verb = line.split(' ').next().unwrap();
        if verb.contains(['.', ':']) || verb == "COMMAND" {
            continue;
        }
        // Options before --help are read, and refused where they are not known.
        done(&folder, &format!("{line} --help"));
        n_commands += 1;
    }
    assert!(n_commands > 30, "{n_commands} commands are found");
}

/// Starts the program with the words of `line`, and gives its standard output as a pipe.
fn started(folder: &TempDir, line: &str) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
    let command = command.current_dir(folder).args(line.split_whitespace()).stdout(Stdio::piped());
    command.stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until a program catches the signals that end it, which takes a while on a busy machine, and begins to wait for its input.
fn wait_for_handlers(id: u32) {
    let catches = |mask: u64| [1, 6, 15].iter().all(|signal| mask >> (signal - 1) & 1 == 1);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let caught = || -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        u64::from_str_radix(status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim(), 16).ok()
    };
    while !caught().is_some_and(catches) {
        assert!(std::time::Instant::now() < deadline, "the program catches no signals");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
}

#[test]
fn signals_and_closed_pipes_give_the_codes_of_shells() {
    let folder = TempDir::new().unwrap();
    write(&folder, "x.csv", "1\n2\n3\n4\n");
    // A reader that closes its pipe before anything is written.
    let mut child = started(&folder, "list --json");
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(141));
    // A program aborts where an allocation fails.
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-ABRT", 1)] {
        // It waits for a writer of the pipe.
        assert!(Command::new("mkfifo").arg(folder.path().join(&signal[1..])).status().unwrap().success());
        let mut child = started(&folder, &format!("transform -t walsh {} -o y.npy", &signal[1..]));
        wait_for_handlers(child.id());
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
    }
    let shell = |line: &str| {
        let program = env!("CARGO_BIN_EXE_papillon");
        let output = Command::new("sh").current_dir(&folder).args(["-c", &line.replace("papillon", program)]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, told) = shell("papillon transform -t walsh x.csv -d cpu -o - >&-");
    assert!(code == Some(1) && told.contains("it is closed"), "{told}");
    assert_eq!(shell("papillon list >/dev/null").0, Some(0));
    // Some programs open the null device for reading and writing.
    assert_eq!(shell("papillon list 1<>/dev/null"), (Some(0), String::new()));
    let (code, told) = shell("RAYON_NUM_THREADS=100000 papillon transform -t walsh x.csv -d cpu-parallel -o y.npy");
    assert!(code == Some(0) && told.contains("more threads than this machine has cores"), "{told}");
    for runtime_dir in ["unset XDG_RUNTIME_DIR", "export XDG_RUNTIME_DIR="] {
        assert_eq!(shell(&format!("{runtime_dir}; papillon devices >list.txt")), (Some(0), String::new()), "no driver speaks");
    }
    write(&folder, "long.csv", "7,".repeat(16_000_000) + "7\n");
    let (code, told) = shell("ulimit -v 600000; papillon transform -t walsh long.csv -d cpu --size 4 -o y.npy");
    assert!(code == Some(1) && (told.contains("are free") || told.contains("fit into memory")), "{told}");
}

#[test]
fn what_cannot_be_is_said_before_the_work() {
    let folder = TempDir::new().unwrap();
    write(&folder, "x.csv", "1\n2\n3\n4\n");
    write(&folder, "z.csv", "re,im\n1,2\n3,4\n");
    write(&folder, "s.csv", "a,b,c,d\n0,4,1,1\n1,4,1,1\n1,4,1,1\n1,4,0,1\n");
    write_png(&folder, "i.png", 8, 8, &[7; 64]);
    for (line, word) in [
        ("transform -t rdft z.csv -d cpu -o y.npy", "takes real samples"),
        ("transform -t cdf97-2 i.png -d cpu -o y.png", "signs and fractions"),
        ("solve s.csv -a cyclic-reduction --levels-per-stage 99 -d cpu -o y.csv", "more than the 2 steps of 4 equations"),
        ("graph -t dft -a cooley-tukey -n 2^18 -o g.svg", "MiB"),
    ] {
        let told = refused(&folder, line, 2);
        assert!(told.contains(word), "{line}: {told}");
    }
    let empty = Command::new(env!("CARGO_BIN_EXE_papillon"))
        .current_dir(&folder)
        .args(["transform", "-t", "walsh", "x.csv", "-d", "", "-o", "y.npy"])
        .output()
        .unwrap();
    assert_eq!(empty.status.code(), Some(2));
    let told = refused(&folder, &format!("transform -t {} x.csv -o y.npy", "q".repeat(4000)), 2);
    assert!(told.chars().count() < 2000 && told.contains('…'), "{told}");
}

#[test]
fn a_link_to_nothing_stays_a_link_and_parts_of_killed_programs_go() {
    let folder = TempDir::new().unwrap();
    write(&folder, "x.csv", "1\n2\n");
    std::os::unix::fs::symlink("target.npy", folder.path().join("link.npy")).unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(600);
    for part in [".target.npy.999999-0.part", ".target.npy.12x.part", ".other.npy.999999-0.part"] {
        write(&folder, part, "");
        std::fs::File::open(folder.path().join(part)).unwrap().set_modified(old).unwrap();
    }
    done(&folder, "transform -t walsh x.csv -d cpu -o link.npy");
    assert_eq!(names(&folder), [".other.npy.999999-0.part", ".target.npy.12x.part", "link.npy", "target.npy", "x.csv"]);
    assert!(folder.path().join("link.npy").is_symlink());
}

#[test]
fn a_session_without_its_signal_fails() {
    let folder = TempDir::new().unwrap();
    let mut memory = papillon::ui::Memory::default();
    memory.settings.origin = papillon::ui::Origin::File(folder.path().join("gone.png"));
    papillon::ui::save_session(&memory, &folder.path().join("s.json")).unwrap();
    assert!(refused(&folder, "snapshot --session s.json -o w.png", 1).contains("gone.png"));
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.json")).status().unwrap().success());
    assert!(refused(&folder, "snapshot --session pipe.json -o w.png", 1).contains("no regular file"));
    assert!(refused(&folder, "bench --record pipe.json", 1).contains("no regular file"));
}

//! `doctor`: one page on what works here, with adapters and without, and where folders cannot be written.

use super::{papillon, write};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The program with these variables, in a folder that stands for that of the user.
fn doctor(folder: &TempDir, line: &str, variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
    command.current_dir(folder).args(line.split_whitespace());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    let own = folder.path();
    command.env("XDG_RUNTIME_DIR", own).env("XDG_DATA_HOME", own.join("data")).env("XDG_CACHE_HOME", own.join("cache"));
    command.envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn the_page_says_what_works_and_is_one_for_people_and_programs() {
    let folder = TempDir::new().unwrap();
    let output = doctor(&folder, "doctor", &[]);
    let (page, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{page}{told}");
    for words in
        ["papillon ", "System ", "Processor ", "Memory ", "Display    none", "Folder ", "GPU 0 ", ", the default", "Start ", "To do "]
    {
        assert!(page.contains(words), "{words} is missing:\n{page}");
    }
    for words in ["create_compute_pipeline", "opened in", "up ", "down ", "GB/s", "dft, ", " right, errors up to", "writable"] {
        assert!(page.contains(words), "{words} is missing:\n{page}");
    }
    assert!(page.is_ascii() || page.chars().all(|c| c == '\n' || !c.is_control()), "it can be pasted");
    let json: serde_json::Value = serde_json::from_slice(&doctor(&folder, "doctor --json", &[]).stdout).unwrap();
    let adapters: serde_json::Value = serde_json::from_slice(&papillon(&folder, "devices --json").stdout).unwrap();
    assert_eq!(json["adapters"].as_array().unwrap().len(), adapters.as_array().unwrap().len());
    let first = &json["adapters"][0];
    assert_eq!((&first["name"], &first["default"]), (&adapters[0]["name"], &true.into()));
    let tried = first["tried"]["transforms"].as_array().unwrap();
    assert!(tried[0]["transform"] == "dft" && tried.iter().all(|tried| tried["is_right"] == true), "{first}");
    let calls = json["setup"].as_array().unwrap();
    assert!(calls.iter().any(|call| call["call"] == "create_compute_pipeline") && calls[0]["micros"].as_f64().unwrap() > 0.0, "{calls:?}");
    assert_eq!(json["broken"].as_array().unwrap().len(), 0);
}

#[test]
fn a_machine_without_adapters_gets_advice_and_no_failure() {
    let folder = TempDir::new().unwrap();
    // The loader of Vulkan reads this list of drivers in place of its own; OpenGL's finds none without a library folder of drivers.
    let none = folder.path().join("none.json");
    let output =
        doctor(&folder, "doctor --json", &[("VK_DRIVER_FILES", &none), ("VK_ICD_FILENAMES", &none), ("LIBGL_DRIVERS_PATH", &none)]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success() && json["broken"].as_array().unwrap().is_empty(), "{json}");
    let advice = json["advice"].to_string();
    if json["adapters"].as_array().unwrap().is_empty() {
        assert!(advice.contains("mesa-vulkan-drivers") && advice.contains("install the driver of your GPU"), "{advice}");
    }
    assert!(advice.contains("no display"), "{advice}");
}

#[test]
fn folders_that_cannot_be_written_are_named() {
    let folder = TempDir::new().unwrap();
    write(&folder, "file", "no folder");
    let file = folder.path().join("file");
    let output = doctor(&folder, "doctor", &[("XDG_CACHE_HOME", &file)]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{page}");
    assert!(page.contains("nothing can be kept in") && page.contains("compiled kernels and speeds are lost"), "{page}");
}

#[test]
fn compiled_kernels_are_kept_from_run_to_run() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "1\n2\n3\n4\n5\n6\n7\n8\n");
    let run = || {
        let output = doctor(&folder, "transform line.csv -t dft -d gpu -o out.npy", &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(folder.path().join("out.npy")).unwrap()
    };
    let files = || -> Vec<_> {
        let entries = std::fs::read_dir(folder.path().join("cache/papillon"))
            .map(|entries| entries.flatten().collect())
            .unwrap_or_else(|_| Vec::new());
        let paths = entries.into_iter().map(|entry| entry.path());
        paths.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pipelines-"))).collect()
    };
    let first = run();
    // An adapter without the feature keeps nothing.
    if let [file] = &files()[..] {
        let whole = std::fs::read(file).unwrap();
        let written = std::fs::metadata(file).unwrap().modified().unwrap();
        assert_eq!(run(), first);
        assert_eq!(std::fs::metadata(file).unwrap().modified().unwrap(), written, "no kernel is new");
        for damaged in [&whole[..whole.len() / 2], b"nothing of ours", b""] {
            std::fs::write(file, damaged).unwrap();
            assert_eq!(run(), first, "a damaged file is dropped");
            assert!(std::fs::read(file).unwrap().len() > damaged.len(), "and written anew");
        }
        std::thread::scope(|scope| {
            for name in ["one.npy", "two.npy", "three.npy"] {
                let folder = &folder;
                scope.spawn(move || assert!(doctor(folder, &format!("transform line.csv -t dft -d gpu -o {name}"), &[]).status.success()));
            }
        });
        assert_eq!(files().len(), 1, "several programs share the file");
    }
}

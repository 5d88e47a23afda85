//! Lists the lessons of assets/lessons/, so that a new file there is a lesson of the program without a line of code.

use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("assets/lessons");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        paths
    };
    let name = |path: &Path| path.file_name().expect("it has a name").to_string_lossy().into_owned();
    let mut list = String::from("[\n");
    for paper in entries(&folder).iter().filter(|path| path.is_dir()) {
        for file in entries(paper).iter().filter(|file| file.extension().is_some_and(|ending| ending == "md")) {
            list += &format!("    ({:?}, include_str!({:?})),\n", format!("{}/{}", name(paper), name(file)), file.display().to_string());
        }
    }
    let out = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("lessons.rs");
    std::fs::write(out, list + "]\n").expect("the folder of the build takes a file");
}

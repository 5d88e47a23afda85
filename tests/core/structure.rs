//! The house rules that no compiler keeps: which module may know what, how long things may be, and that the documentation tells what the table says.

use papillon::transforms::TRANSFORMS;
use std::path::{Path, PathBuf};

/// Modules, and the words that must not be in their code.
const ABSENCES: [(&[&str], &[&str]); 7] = [
    // Modules that describe know no device, no window, no thread and no file.
    (
        &["plan", "transforms", "schedule", "graph", "logic", "wavelet"],
        &["wgpu", "egui", "std::thread", "rayon", "std::fs", "std::io", "crate::engine", "crate::cpu", "crate::gpu"],
    ),
    (
        &["cpu", "signal", "display", "figure", "plot", "filter", "prepare", "measure", "periodogram", "spectra"],
        &["wgpu", "egui", "crate::engine", "crate::gpu", "crate::ui", "crate::cli"],
    ),
    (&["gpu"], &["egui", "crate::engine", "crate::ui", "crate::cli", "crate::cpu"]),
    (&["engine"], &["egui", "wgpu", "crate::ui", "crate::cli", "crate::bench"]),
    (&["lesson"], &["egui", "wgpu", "crate::ui", "crate::cli", "cpu::run"]),
    (&["cli", "bench", "main"], &["egui", "wgpu", "cpu::run", "library::"]),
    // The window never computes a transform, and shows every table by `TextTable` and all facts by `fact_row`.
    (&["ui"], &["cpu::run", "library::", "crate::cli", "crate::gpu::Prepared", "Grid::new"]),
];

/// The files of the window that may know all of `Scene` and `Settings`: the frame, and what keeps and exchanges settings as a whole.
/// Elsewhere only `Pane::ui` sees them, and takes the fields of its pane from them.
const FRAME: [&str; 11] = [
    "ui.rs",
    "ui/app.rs",
    "ui/dock.rs",
    "ui/learn/state.rs",
    "ui/pane.rs",
    "ui/scene.rs",
    "ui/second_signal.rs",
    "ui/session",
    "ui/settings",
    "ui/sources",
    "ui/workspace",
];

/// How `Pane::ui` begins.
const BORDER: &str = "fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {";

/// Within the window only the files that configure it know wgpu.
const WINDOW_FILES_WITH_WGPU: [&str; 2] = ["ui/window.rs", "ui/snapshot.rs"];

const MOST_LINES_OF_A_FILE: usize = 400;
const MOST_LINES_OF_A_SHADER: usize = 150;
const MOST_LINES_OF_MAIN: usize = 60;
const MOST_LINES_OF_THE_README: usize = 150;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files of that ending below a folder, by their path from there, and their text.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let folder = root().join(folder);
    let mut found = Vec::new();
    walk(&folder, &mut found);
    found.retain(|path| path.extension().is_some_and(|found| found == ending));
    found.sort();
    assert!(!found.is_empty(), "no .{ending} in {}", folder.display());
    let name = |path: &Path| path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The module that a file of `src` belongs to: crates of the workspace hold their modules in a folder of `src`.
fn module(name: &str) -> &str {
    let inside = ["core/", "engine/"].iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    inside.split(['/', '.']).next().unwrap_or_default()
}

/// The lines of code: without comments, and without the tests at the end of a file.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    lines.map(|(index, line)| (index + 1, line.split("//").next().unwrap_or(""))).filter(|(_, line)| !line.trim().is_empty())
}

/// Whether `word` is in `line` on its own, and not as a part of a longer word.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        let ends_open = word.ends_with(':') || !line[start + word.len()..].starts_with(is_part);
        ends_open && !line[..start].ends_with(is_part)
    })
}

#[test]
fn dependencies_point_one_way() {
    let mut wrong = Vec::new();
    for (name, text) in files("src", "rs") {
        let module = module(&name);
        for (modules, absent) in ABSENCES {
            if !modules.contains(&module) {
                continue;
            }
            for (number, line) in code(&text) {
                wrong.extend(absent.iter().filter(|word| has_word(line, word)).map(|word| format!("src/{name}:{number} knows {word}")));
            }
        }
        if module == "ui" && !WINDOW_FILES_WITH_WGPU.contains(&name.as_str()) {
            wrong.extend(
                code(&text).filter(|(_, line)| has_word(line, "wgpu")).map(|(number, _)| format!("src/{name}:{number} knows wgpu")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines of a file of the window that know more than the fields of a pane.
fn beyond_fields(name: &str, text: &str) -> Vec<String> {
    let is_pane = text.contains("impl Pane for");
    let (mut is_inside, mut is_drawing) = (false, false);
    let mut wrong = Vec::new();
    for (number, line) in code(text).filter(|(_, line)| !line.starts_with("use ")) {
        let knows = |words: &[&str]| words.iter().any(|word| has_word(line, word));
        if is_pane && line.trim() == BORDER {
            is_inside = true;
            continue;
        }
        // The fields are named before the pane draws anything.
        is_drawing |= is_inside && has_word(line, "ui");
        let is_naming = is_inside && !is_drawing;
        if !is_naming && knows(&["Scene", "Settings"]) || is_inside && is_drawing && knows(&["scene", "settings"]) {
            wrong.push(format!("src/{name}:{number} takes more than the fields of a pane: {}", line.trim()));
        }
    }
    wrong
}

#[test]
fn a_pane_gets_the_fields_that_it_reads() {
    let is_frame = |name: &str| FRAME.iter().any(|frame| name.starts_with(frame));
    let files = files("src", "rs").into_iter().filter(|(name, _)| module(name) == "ui" && !is_frame(name));
    let wrong: Vec<_> = files.flat_map(|(name, text)| beyond_fields(&name, &text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pane_that_takes_the_whole_scene_is_found() {
    let pane = |body: &str| format!("use super::scene::Scene;\nimpl Pane for P {{\n    {BORDER}\n{body}\n    }}\n}}\n");
    let n_wrong = |text: &str| beyond_fields("ui/p.rs", text).len();
    assert_eq!(n_wrong(&pane("let Settings { look, .. } = &mut *scene.settings;\nself.plot_ui(ui, look, out);")), 0);
    assert_eq!(n_wrong(&pane("self.plot_ui(ui, scene);")), 1, "a part of the pane gets all");
    assert_eq!(n_wrong(&pane("let settings = scene.settings;\nui.label(\"row\");\nself.row(settings);")), 1, "settings as a whole");
    assert_eq!(n_wrong("fn row_ui(ui: &mut Ui, settings: &mut Settings) {}"), 1);
}

/// Errors below the window and the command line list remedies as data: only the command line knows options.
#[test]
fn only_the_command_line_speaks_of_options() {
    let is_option = |word: &str| {
        let word = word.trim_start_matches(['(', '\'', '`']);
        let is_long = word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        is_long || ["-a", "-d", "-t", "-o"].contains(&word)
    };
    let speaks = |line: &str| line.split('"').skip(1).step_by(2).flat_map(str::split_whitespace).any(is_option);
    let below = |name: &str| !["cli", "ui", "main"].contains(&module(name));
    let texts = files("src", "rs");
    let lines = texts.iter().filter(|(name, _)| below(name)).flat_map(|(name, text)| code(text).map(move |line| (name, line)));
    let wrong: Vec<_> = lines.filter(|(_, (_, line))| speaks(line)).map(|(name, (number, _))| format!("src/{name}:{number}")).collect();
    assert!(wrong.is_empty(), "options in {}", wrong.join(", "));
}

#[test]
fn a_word_is_found_on_its_own_only() {
    assert!(has_word("use wgpu::Device;", "wgpu") && has_word("library::transform(", "library::"));
    assert!(!has_word("eframe::egui_wgpu::RenderState", "wgpu") && !has_word("threads: usize", "thread"));
    assert_eq!(code("// wgpu\nlet a = 1; // wgpu\n#[cfg(test)]\nuse wgpu;").collect::<Vec<_>>(), [(2, "let a = 1; ")]);
}

#[test]
fn files_fit_in_the_head() {
    let mut long = Vec::new();
    for (folder, ending, most) in
        [("src", "rs", MOST_LINES_OF_A_FILE), ("tests", "rs", MOST_LINES_OF_A_FILE), ("shaders", "wgsl", MOST_LINES_OF_A_SHADER)]
    {
        for (name, text) in files(folder, ending) {
            let most = if name == "main.rs" { MOST_LINES_OF_MAIN } else { most };
            let n = text.lines().count();
            if n > most {
                long.push(format!("{folder}/{name} has {n} lines, and {most} are the limit"));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    let silent: Vec<String> = files("src", "rs").into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(name, _)| name).collect();
    assert!(silent.is_empty(), "no //! at the top of {}", silent.join(", "));
}

/// The files that know the ring of residues. A ring is one variant with its arithmetic, one type of lanes and one lane file of kernels;
/// each further file is a reason to look for what it could ask the ring instead.
const MOST_FILES_WITH_RESIDUES: usize = 43;
/// Those that match on the variant itself.
const FILES_OF_THE_VARIANT: usize = 11;

#[test]
fn few_files_know_the_ring_of_residues() {
    let all = files("src", "rs");
    let with = |words: &[&str]| all.iter().filter(|(_, text)| words.iter().any(|word| text.contains(word))).count();
    let (ring, variant) = (with(&["PrimeField", "Ring::Prime", "Self::Prime", "ring.field()"]), with(&["Ring::Prime", "Self::Prime"]));
    assert!(ring <= MOST_FILES_WITH_RESIDUES && variant <= FILES_OF_THE_VARIANT, "{ring} files know residues, and {variant} match on them");
}

#[test]
fn the_documentation_has_the_table_of_transforms() {
    let page = std::fs::read_to_string(root().join("docs/transforms.md")).unwrap();
    let mut table = String::from("| transform | what it is | algorithms |\n| --- | --- | --- |\n");
    for transform in TRANSFORMS {
        let algorithms: Vec<String> = transform.algorithms.iter().map(|algorithm| format!("`{}`", algorithm.name)).collect();
        table += &format!("| `{}` | {}: {} | {} |\n", transform.name, transform.about, transform.formula, algorithms.join(", "));
    }
    assert!(page.contains(&table), "docs/transforms.md lacks this table:\n{table}");
}

#[test]
fn the_readme_is_a_front_door() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let n = readme.lines().count();
    assert!(n <= MOST_LINES_OF_THE_README, "README.md has {n} lines, and {MOST_LINES_OF_THE_README} are the limit");
}

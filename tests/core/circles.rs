//! Circles of imports: files that use each other are read, moved and compiled together only, so a circle stays small and within one module.
//!
//! An import is a `use` line or a path within the code, outside tests. It leads to the file that defines the name: re-exports are followed,
//! so that a module may hand on names of its children.

use crate::structure::files;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The most files of a circle.
const MOST_FILES: usize = 24;
/// The crates of the workspace in folders of `src`, as other crates name them.
const CRATES: [(&str, &str); 2] = [("papillon_core", "core"), ("papillon_engine", "engine")];
/// Re-exports are followed this far.
const MOST_STEPS: usize = 8;
/// A message lists this many imports of a circle.
const MOST_LISTED: usize = 3;

/// A module, or an item in it, from `src` on.
type Place = Vec<String>;

/// A source file: what it names elsewhere, and what it hands on under a name.
#[derive(Default)]
struct Source {
    used: Vec<Place>,
    exports: BTreeMap<String, Place>,
}

/// The sources by their modules, and the names that each of them uses of another.
struct Imports {
    sources: BTreeMap<Place, Source>,
    of: BTreeMap<Place, BTreeMap<Place, BTreeSet<String>>>,
}

/// The code of a file without comments and without the module of tests at its end.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut is_test = false;
    for line in text.lines() {
        if is_test && line.starts_with(|c: char| c.is_alphabetic()) {
            if line.ends_with('{') {
                break;
            }
            is_test = false;
        }
        is_test |= line == "#[cfg(test)]";
        code.push_str(line.split("//").next().unwrap_or(line));
        code.push('\n');
    }
    code
}

/// The paths of a tree of a `use` line, each with the name that it has afterwards.
fn leaves(tree: &str, before: &[&str], found: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) {
        let before: Vec<&str> = before.iter().copied().chain(head.split("::").map(str::trim).filter(|part| !part.is_empty())).collect();
        let mut depth = 0;
        let parts = group.split(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        return parts.filter(|part| !part.trim().is_empty()).for_each(|part| leaves(part, &before, found));
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias.trim())));
    let path: Vec<&str> = before.iter().copied().chain(path.split("::").map(str::trim)).filter(|part| *part != "self").collect();
    let name = alias.or(path.last().copied()).unwrap_or_default().to_owned();
    found.push((path.into_iter().map(str::to_owned).collect(), name));
}

/// The `use` lines of code, each with whether it hands its names on; and the code without them.
fn use_lines(code: &str) -> (Vec<(bool, &str)>, String) {
    let (mut found, mut others) = (Vec::new(), String::new());
    let mut rest = code;
    while !rest.is_empty() {
        let line = &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)];
        let trimmed = line.trim_start();
        let item =
            trimmed.strip_prefix("pub").map_or(trimmed, |item| match item.strip_prefix('(').and_then(|item| item.split_once(") ")) {
                Some((_, item)) => item,
                None => item.trim_start(),
            });
        if item.starts_with("use ") {
            let tree = &rest[line.len() - item.len() + "use ".len()..];
            let (tree, after) = tree.split_once(';').unwrap_or((tree, ""));
            found.push((trimmed.starts_with("pub"), tree));
            rest = after;
        } else {
            others.push_str(line);
            rest = &rest[line.len()..];
        }
    }
    (found, others)
}

/// The paths of several segments in code.
fn paths(code: &str) -> impl Iterator<Item = Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(move |c| !is_part(c)).filter(|word| word.contains("::") && !word.starts_with(':'));
    words.map(|word| word.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect())
}

impl Imports {
    /// The imports of files by their paths below `src`.
    fn of(files: &[(String, String)]) -> Self {
        let module = |name: &str| {
            let mut place: Place = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            place.pop_if(|last| ["lib", "main", "mod"].contains(&last.as_str()));
            place
        };
        let files: Vec<_> =
            files.iter().filter(|(name, _)| !name.contains("tests")).map(|(name, text)| (module(name), code(text))).collect();
        let mut imports =
            Self { sources: files.iter().map(|(place, _)| (place.clone(), Source::default())).collect(), of: BTreeMap::new() };
        for (place, code) in &files {
            let (lines, others) = use_lines(code);
            let mut source = Source::default();
            for (is_handed_on, tree) in lines {
                let mut found = Vec::new();
                leaves(tree, &[], &mut found);
                for (path, name) in found {
                    let Some(target) = imports.absolute(path, place) else { continue };
                    if is_handed_on {
                        source.exports.insert(name, target.clone());
                    }
                    source.used.push(target);
                }
            }
            source.used.extend(paths(&others).filter_map(|path| imports.absolute(path, place)));
            // Both a library and a program may be at the root.
            let known = imports.sources.entry(place.clone()).or_default();
            known.used.extend(source.used);
            known.exports.extend(source.exports);
        }
        for (place, source) in &imports.sources {
            let targets = source.used.iter().map(|used| (imports.home(used, MOST_STEPS), used)).filter(|(home, _)| home != place);
            let mut of = BTreeMap::<Place, BTreeSet<String>>::new();
            for (home, used) in targets {
                of.entry(home).or_default().insert(used.last().cloned().unwrap_or_default());
            }
            imports.of.insert(place.clone(), of);
        }
        imports
    }

    /// A path in a file from `src` on; `None` where it begins with another crate or with a name of the file.
    fn absolute(&self, path: Vec<String>, place: &Place) -> Option<Place> {
        let first = path.first()?.as_str();
        if let Some((_, folder)) = CRATES.iter().find(|(name, _)| *name == first) {
            return Some(std::iter::once((*folder).to_owned()).chain(path.into_iter().skip(1)).collect());
        }
        let n_up = path.iter().take_while(|part| *part == "super").count();
        if first == "crate" {
            // A crate hands on the modules of those below it.
            let own = CRATES.iter().map(|(_, folder)| *folder).find(|folder| place.first().is_some_and(|first| first == folder));
            let at = |folder: Option<&str>| folder.map(str::to_owned).into_iter().chain(path.iter().skip(1).cloned()).collect::<Place>();
            let is_there =
                |folder: Option<&str>| self.sources.contains_key(&at(folder)[..at(folder).len().min(1 + usize::from(folder.is_some()))]);
            let places = [own, Some("engine"), Some("core")].into_iter().find(|folder| is_there(*folder));
            return Some(at(places.unwrap_or(own)));
        }
        let is_child = || self.sources.contains_key(&[&place[..], &[first.to_owned()]].concat());
        (n_up > 0 || is_child()).then(|| [&place[..place.len().saturating_sub(n_up)], &path[n_up..]].concat())
    }

    /// The file that defines what is at a path.
    fn home(&self, path: &Place, n_steps: usize) -> Place {
        let n = (0..=path.len()).rev().find(|n| self.sources.contains_key(&path[..*n])).unwrap_or(0);
        let export = path.get(n).and_then(|name| self.sources.get(&path[..n])?.exports.get(name));
        match export.filter(|export| *export != path && n_steps > 0) {
            Some(export) => self.home(&[export, &path[n + 1..]].concat(), n_steps - 1),
            None => path[..n].to_vec(),
        }
    }

    /// The files, and which of them each uses, by their numbers.
    fn graph(&self) -> (Vec<&Place>, Graph) {
        let places: Vec<&Place> = self.of.keys().collect();
        let of = |place: &&Place| self.of[*place].keys().filter_map(|to| places.binary_search(&to).ok()).collect();
        let graph = places.iter().map(of).enumerate().collect();
        (places, graph)
    }

    /// The faults of the circles: too many files, or files beyond a module and its own children.
    fn problems(&self) -> Vec<String> {
        let (places, graph) = self.graph();
        let told = |circle: &BTreeSet<usize>| Some(self.told(circle, &places, &graph, &fault(circle, &places)?));
        circles(&graph).iter().filter_map(told).collect()
    }

    /// A circle in words: its files, and the imports without which the least of it is left.
    fn told(&self, circle: &BTreeSet<usize>, places: &[&Place], graph: &Graph, fault: &str) -> String {
        let name = |k: usize| format!("src/{}", places[k].join("/"));
        let inside: Graph = circle.iter().map(|k| (*k, &graph[k] & circle)).collect();
        let mut ties = Vec::new();
        for (from, to) in inside.iter().flat_map(|(from, to)| to.iter().map(|to| (*from, *to))) {
            let mut rest = inside.clone();
            rest.entry(from).or_default().remove(&to);
            ties.push((circles(&rest).iter().map(BTreeSet::len).max().unwrap_or(1), from, to));
        }
        ties.sort_unstable();
        let files = circle.iter().map(|k| name(*k)).collect::<Vec<_>>().join(", ");
        let mut told = format!("{} files use each other, and {fault}: {files}", circle.len());
        for (n_left, from, to) in ties.into_iter().take(MOST_LISTED) {
            let names = self.of[places[from]][places[to]].iter().cloned().collect::<Vec<_>>().join(", ");
            let _ = write!(told, "\n  {} uses {names} of {}; without that, at most {n_left} use each other", name(from), name(to));
        }
        told + "\nMove what both sides need into a file that uses neither of them, or hand it in as an argument."
    }
}

/// Which files each file uses, by their numbers.
type Graph = BTreeMap<usize, BTreeSet<usize>>;

/// The circles: every set of files of which each reaches all others.
fn circles(graph: &Graph) -> BTreeSet<BTreeSet<usize>> {
    let reached_from = |from: usize| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(place) = open.pop() {
            open.extend(graph[&place].iter().filter(|next| reached.insert(**next)));
        }
        reached
    };
    let reached: Graph = graph.keys().map(|place| (*place, reached_from(*place))).collect();
    let circle = |from: &usize| reached[from].iter().copied().filter(|to| reached[to].contains(from)).collect::<BTreeSet<_>>();
    reached.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// The fault of a circle: too many files, or files beyond a module and its own children.
fn fault(circle: &BTreeSet<usize>, places: &[&Place]) -> Option<String> {
    let first = places[*circle.first()?];
    let n_common = (0..first.len()).take_while(|k| circle.iter().all(|place| places[*place].get(*k) == first.get(*k))).count();
    match circle.iter().all(|place| places[*place].len() <= n_common + 1) {
        false => Some("not all belong to one module and its own children".into()),
        true if circle.len() > MOST_FILES => Some(format!("{MOST_FILES} are the limit")),
        true => None,
    }
}

#[test]
fn circles_of_imports_are_small_and_within_a_module() {
    let problems = Imports::of(&files("src", "rs")).problems();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_planted_circle_is_found() {
    let problems = |files: &[(&str, &str)]| {
        let files: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Imports::of(&files).problems()
    };
    let knot = [
        ("main.rs", "use papillon::cli;"),
        ("ui.rs", "mod a;\nmod b;\npub use a::parts::Part;"),
        ("ui/a.rs", "mod parts;\npub use parts::{self, Part};"),
        ("ui/a/parts.rs", "use crate::{\n    plan::Plan,\n    ui::{b::{self, Whole as All}},\n};"),
        ("ui/b.rs", "fn whole() -> super::a::Part {}"),
        ("core/lib.rs", "pub mod plan;"),
        ("core/plan.rs", ""),
    ];
    let [found] = &problems(&knot)[..] else { panic!("{:?}", problems(&knot)) };
    assert!(
        found.contains("src/ui/b uses Part of src/ui/a/parts") && found.contains("src/ui/a/parts uses Whole, b of src/ui/b"),
        "{found}"
    );
    // Neither a comment nor a test imports, and children of one module may use each other.
    let among_children = (
        "ui/a/parts.rs",
        "// use crate::ui::b::Whole;\nuse super::others::Other;\n#[cfg(test)]\nmod tests {\n    use crate::ui::b::Whole;\n}",
    );
    let children = [knot[1], knot[2], among_children, ("ui/a/others.rs", "use crate::ui::Part;"), knot[4]];
    assert_eq!(problems(&children), [""; 0]);
    let ring = |n: usize| (0..n).map(|k| (format!("ui/f{k}.rs"), format!("use super::f{};", (k + 1) % n))).collect::<Vec<_>>();
    assert_eq!([MOST_FILES, MOST_FILES + 1].map(|n| Imports::of(&ring(n)).problems().len()), [0, 1]);
    // The same name in two crates is two files.
    let crates = [("core/plan.rs", "use crate::value;"), ("core/value.rs", "use crate::plan;"), ("engine/plan.rs", "use crate::value;")];
    let crates = Imports::of(&crates.map(|(name, text)| (name.to_owned(), text.to_owned())));
    assert_eq!(circles(&crates.graph().1).iter().map(BTreeSet::len).collect::<Vec<_>>(), [2]);
}

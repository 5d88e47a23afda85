//! The papers and the courses, with every lesson that must exist; those of the papers come from [`papers`](super::papers()).

use super::papers::papers;
use std::sync::LazyLock;

/// The lessons of a paper, or the courses.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    /// The folder below `assets/lessons/`.
    pub folder: &'static str,
    /// The heading in the list.
    pub title: &'static str,
    /// The source, in a line.
    pub about: &'static str,
    /// The lessons that must exist, in the order of the list.
    pub names: Vec<&'static str>,
}

/// The folder of lessons that belong to no paper.
const COURSES: &str = "courses";

/// The lessons of the courses.
const COURSE_NAMES: [&str; 33] = [
    "the-butterfly",
    "bit-reversal",
    "constant-geometry",
    "stockham",
    "twiddles-and-radices",
    "one-graph-three-transforms",
    "three-orders",
    "haar-pyramid",
    "lifting",
    "split-and-merge",
    "cyclic-reduction",
    "launches-and-tiles",
    "coalescing",
    "two-dimensions",
    "your-own-data",
    "what-a-window-does",
    "levels",
    "averages",
    "zero-padding",
    "reading-a-spectrogram",
    "time-and-frequency",
    "why-the-chirp-bends",
    "two-microphones",
    "measuring-a-room",
    "reading-a-spectrum",
    "cleaning-an-image",
    "bent-functions",
    "honest-benchmarks",
    "from-the-dft-to-the-ntt",
    "ml-kem-in-seven-layers",
    "constant-geometry-in-hardware",
    "why-a-gpu-dislikes-bit-reversal",
    "exact-products-of-long-integers",
];

/// All groups, in the order of the list.
pub static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let about = "From the first butterfly to the time of a kernel";
    let courses = Group { folder: COURSES, title: "Courses", about, names: COURSE_NAMES.into() };
    let papers = papers().iter().map(|paper| {
        let mut names: Vec<&str> = Vec::new();
        for entry in &paper.entries {
            if !names.contains(&entry.lesson.as_str()) {
                names.push(&entry.lesson);
            }
        }
        Group { folder: &paper.folder, title: &paper.title, about: &paper.about, names }
    });
    std::iter::once(courses).chain(papers).collect()
});

impl Group {
    /// The group of a folder; the courses for other folders.
    pub(super) fn of_folder(folder: &str) -> &'static Self {
        GROUPS.iter().find(|group| group.folder == folder).unwrap_or(&GROUPS[0])
    }

    /// The name of a lesson on the command line.
    pub fn full_name(&self, name: &str) -> String {
        if self.folder == COURSES { name.to_owned() } else { format!("{}-{name}", self.folder) }
    }
}

/// The lessons that must exist and that the program has not.
pub fn missing() -> Vec<String> {
    let required = GROUPS.iter().flat_map(|group| group.names.iter().map(|name| group.full_name(name)));
    required.filter(|name| super::lesson(name).is_none()).collect()
}

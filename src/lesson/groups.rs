//! The papers and the courses, with every lesson that must exist.

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
    pub names: &'static [&'static str],
}

/// The folder of lessons that belong to no paper.
const COURSES: &str = "courses";

/// All groups, in the order of the list.
pub static GROUPS: [Group; 6] = [
    Group {
        folder: COURSES,
        title: "Courses",
        about: "From the first butterfly to the time of a kernel",
        names: &[
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
            "reading-a-spectrum",
            "cleaning-an-image",
            "bent-functions",
            "honest-benchmarks",
        ],
    },
    Group {
        folder: "gajic-2011",
        title: "Gajić and Stanković 2011",
        about: "GPU accelerated computation of fast spectral transforms",
        names: &[
            "table-1",
            "equations-3-4",
            "equations-5-6",
            "equation-2",
            "algorithm-1",
            "algorithm-2",
            "algorithm-3",
            "algorithm-4",
            "figure-1",
            "figure-2a",
            "figure-2b",
            "figure-2c",
            "figure-2d",
            "figure-2e",
            "figure-2f",
            "figure-3",
            "figure-4a",
            "figure-4b",
            "figure-4c",
            "figure-4d",
            "cpu-a-and-b",
            "packed-bits",
        ],
    },
    Group {
        folder: "gajic-2012",
        title: "Gajić and Stanković 2012",
        about: "GPU computation of the dyadic convolution",
        names: &["algorithm-1", "example-1", "example-2", "example-3", "figure-1", "figure-2", "table-1", "table-2", "figure-3"],
    },
    Group {
        folder: "li-2012",
        title: "Li 2012",
        about: "OpenCL fast Fourier transform",
        names: &["algorithm-1", "table-1", "table-2", "crossing"],
    },
    Group {
        folder: "sorman-2016",
        title: "Sörman 2016",
        about: "Comparison of technologies for general-purpose computing on graphics processing units",
        names: &[
            "figure-3-2",
            "figure-3-3",
            "figure-3-4",
            "table-3-1",
            "algorithm-1",
            "algorithm-2",
            "chapter-4",
            "figure-5-1",
            "table-5-1",
            "figure-5-2",
            "figure-5-3",
            "figure-5-4",
            "figure-5-5",
            "figure-5-6",
            "figure-5-7",
            "figure-5-8",
            "figure-5-9",
            "figure-5-10",
            "table-5-4",
            "table-5-5",
            "figure-5-11",
            "figure-6-1",
            "figure-6-2",
            "figure-6-3",
            "figure-6-4",
            "figure-6-5",
            "figure-6-6",
            "figure-6-7",
            "figure-6-8",
            "figure-6-9",
            "figure-6-10",
            "table-6-2",
            "future-work",
        ],
    },
    Group {
        folder: "arguello-2012",
        title: "Argüello and others 2012",
        about: "The split-and-merge method in general purpose computation on GPUs",
        names: &[
            "figure-1",
            "figure-2",
            "figure-3",
            "figure-4",
            "figure-5",
            "figure-6",
            "figure-7",
            "figure-8",
            "figure-9",
            "figure-10",
            "figure-11",
            "equations-7-10",
            "equations-11-12",
            "table-1",
            "table-2",
            "table-3",
            "table-4",
            "table-5",
            "complete-pyramids",
            "two-dimensions",
        ],
    },
];

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

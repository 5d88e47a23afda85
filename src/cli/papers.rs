//! The documentation's page of the papers, made from their list.

use crate::bench;
use crate::lesson::{GROUPS, PaperEntry, papers};

/// The documentation's page of the papers, in Markdown.
pub fn papers_page() -> String {
    let mut page = String::from("# The papers and their figures\n\n");
    page += "This page is made from `assets/lessons/papers.toml`, which names every figure, table, algorithm, equation and claim.\n";
    page += "A lesson opens with `papillon NAME.lesson`; `papillon lesson` lists them.\n\n";
    page += "| paper | what Papillon has of it |\n| --- | --- |\n";
    papers().iter().for_each(|paper| page += &format!("| {} | {} |\n", paper.source, paper.has));
    page += "\n`papillon bench --experiments` lists the figures and tables that measure something.\n";
    page += "`papillon bench --experiment gajic-2011-fig-4a --sizes 2^10..2^18 --plot fig4a.svg --table fig4a.tex` repeats one of them: ";
    page += "in the rows and columns of the paper our numbers, its own, and the ratio of both, then every claim beside what was measured here.\n";
    page += "Cells that were left out stay in their place, and a note says why.\n";
    page += "The tab *Papers* of the pane *Timing* shows the same, and exports it as TeX, CSV and SVG.\n";
    page += "`python3 benches/cufft.py --record cufft.json` measures cuFFT, `python3 benches/libraries.py fftw --record fftw.json` FFTW, ";
    page += "and the same with `clfft` or `vkfft` those libraries on OpenCL; `--with cufft.json` adds their lines to a table, and may be given several times.\n";
    page += "[Technologies](technologies.md) has the tables of Sörman's thesis on programming, its comparison, and both of its kernels in CUDA C and OpenCL C.\n";
    for paper in papers() {
        let group = GROUPS.iter().find(|group| group.folder == paper.folder).expect("every paper has a group of lessons");
        page += &format!("\n## {}\n\n| where | what | lesson | commands |\n| --- | --- | --- | --- |\n", paper.title);
        for PaperEntry { place, what, lesson, commands, experiments } in &paper.entries {
            let measured = experiments.iter().map(|name| format!("papillon bench --experiment {name}"));
            let commands: Vec<String> = commands.iter().cloned().chain(measured).map(|command| format!("`{command}`")).collect();
            page += &format!("| {place} | {what} | `{}` | {} |\n", group.full_name(lesson), commands.join(", "));
        }
        page += "\nClaims, each with its experiment:\n\n";
        for experiment in
            bench::papers().iter().filter(|measured| measured.paper == paper.folder).flat_map(|measured| &measured.experiments)
        {
            experiment.claims.iter().for_each(|claim| page += &format!("- {}: {} (`{}`)\n", experiment.place, claim.says, experiment.name));
        }
    }
    page += "\n## Memory accesses in the window\n\nThe pane *Memory* shows the accesses of a stage, and its button *Measure the padding* runs the transposition of Sörman's Figure 5.8 with both pitches on the GPU of this machine.\n";
    page += "\n## Errata, found by simulation\n\n";
    for paper in papers() {
        paper.errata.iter().for_each(|erratum| page += &format!("- {}, {erratum}\n", paper.title));
    }
    page
}

//! `memory`: transactions, cache lines and bank conflicts, without a GPU.

use super::*;

fn printed(folder: &TempDir, options: &str) -> String {
    let output = papillon(folder, &format!("memory {options}"));
    assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn constant_geometry_needs_as_many_transactions_in_every_stage() {
    let folder = TempDir::new().unwrap();
    let text = printed(&folder, "-t walsh -a constant-geometry -n 1024");
    let stages: Vec<Vec<&str>> = text.lines().skip(1).take(10).map(|line| line.split('\t').collect()).collect();
    // 32 threads load lanes 2i and 2i + 1 of 4 bytes, 2 × 2 transactions, and store lanes i and i + 512, 2 × 1; 4 would suffice.
    assert!(stages.iter().all(|fields| fields[3..7] == ["stride 2", "neighbours", "6", "4"]), "{text}");
    // 32 iterations of either loop touch the same lanes: 256 bytes on each side.
    assert!(stages.iter().all(|fields| fields[7..] == ["8", "8", "8"]), "{text}");
    assert!(text.contains("launch\tstages\tkernel"), "{text}");
}

#[test]
fn the_longest_stride_costs_cooley_tukey_cache_lines() {
    let folder = TempDir::new().unwrap();
    let text = printed(&folder, "-t walsh -a cooley-tukey -n 1024");
    // Distance 32: 16 repetitions of 32 positions. Loop B takes 32 neighbours; loop A jumps 64 lanes, so that each of 16 repetitions has two lines on each side.
    let fields: Vec<&str> = text.lines().find(|line| line.contains("\tdistance 32\t")).unwrap().split('\t').collect();
    assert_eq!(fields[7..], ["64", "8", "8"], "{text}");
}

#[test]
fn the_accesses_of_a_subgroup_are_listed_and_drawn() {
    let folder = TempDir::new().unwrap();
    let text = printed(&folder, "-t walsh -a cooley-tukey -n 1024 --stage 1");
    assert!(text.ends_with("transactions, at least 4\n"), "{text}");
    done(&folder, "memory -t walsh -a constant-geometry -n 1024 --stage 3 --subgroup 2 -o accesses.csv");
    let table = std::fs::read_to_string(folder.path().join("accesses.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 4 * 32);
    assert!(table.contains("\nload,lanes,tap 1,5,300,4,75,2\n"), "thread 37 loads lane 75: {table}");
    done(&folder, "memory -t walsh -a constant-geometry -n 1024 --launch 1 -o accesses.svg");
    assert!(std::fs::read_to_string(folder.path().join("accesses.svg")).unwrap().contains("transactions of 128 bytes, at least"));
    for (ending, begins) in [("pdf", &b"%PDF-"[..]), ("png", b"\x89PNG"), ("tex", b"% Memory accesses")] {
        done(&folder, &format!("memory -t walsh -a constant-geometry -n 1024 --launch 1 -o accesses.{ending}"));
        assert!(std::fs::read(folder.path().join(format!("accesses.{ending}"))).unwrap().starts_with(begins), "{ending}");
    }
}

#[test]
fn tiles_lie_over_an_image_and_data_travel_between_host_and_device() {
    let folder = TempDir::new().unwrap();
    let drawn = |options: &str| {
        done(&folder, &format!("memory {options} -o drawing.svg"));
        std::fs::read_to_string(folder.path().join("drawing.svg")).unwrap()
    };
    // Figure 10: flat blocks for the rows and upright ones for the columns; flat ones for both.
    let upright = drawn("-t cdf97-2 -a direct -n 32x32 --levels 1 --schedule stages --scheme row-column --on-image");
    assert!(upright.contains("Launch 1: 1 × 31 pixels") && upright.contains("Launch 5: 31 × 1 pixels"), "{upright}");
    let flat = drawn("-t cdf97-2 -a direct -n 32x32 --levels 1 --schedule stages --scheme rows --on-image --launch 5");
    assert!(flat.contains("Launch 5: 1 × 32 pixels") && !flat.contains("Launch 1"), "{flat}");
    // Figure 11, to the right: a split, and a merge for each axis.
    let square = drawn("-t cdf97-2 -a split-merge -n 64x64 --levels 1 --threads 1 --scheme square --on-image");
    for launch in ["Launch 1: split, 16 × 16 pixels", "Launch 2: merge, 16 × 7 pixels", "Launch 3: merge, 7 × 16 pixels"] {
        assert!(square.contains(launch), "{launch}: {square}");
    }
    let travels = drawn("-t walsh -a cooley-tukey -n 1024 --schedule stages --host-device");
    for text in ["Host", "upload, ", "download, ", "1024 values", "distance 512"] {
        assert!(travels.contains(text), "{text}: {travels}");
    }
    for (options, says) in [
        ("-t walsh -n 64 --on-image -o x.svg", "--on-image takes a transform of images"),
        ("-t cdf97-2 -a split-merge -n 64x64 --levels 1 --threads 1 --on-image", "--on-image draws into a file"),
        ("-t cdf97-2 -a direct -n 32x32 --on-image --launch 99 -o x.svg", "--launch 99 is not among"),
    ] {
        let output = papillon(&folder, &format!("memory {options}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(says), "{options}: {error}");
    }
}

#[test]
fn padding_spares_a_transposition_its_conflicts() {
    let folder = TempDir::new().unwrap();
    let passes = |pitch: &str| {
        let text = printed(&folder, &format!("-t dft2 -a row-column -n 64x64 --launch 2{pitch}"));
        let line = text.lines().find(|line| line.starts_with("load\tworkgroup memory")).unwrap_or_else(|| panic!("{text}")).to_owned();
        line.split('\t').skip(5).map(|field| field.parse().unwrap()).collect::<Vec<usize>>()
    };
    // A column of 32 complex lanes is 64 words: two passes over 32 banks, or 32 where all are in two of them.
    assert_eq!([passes(""), passes(" --pitch 32")], [[2, 2], [32, 2]]);
    let both = printed(&folder, "-t dft2 -a row-column -n 64x64 --launch 2 --measure");
    let cells = |row: usize, cell: usize| both.lines().nth(row).unwrap().split('\t').nth(cell).unwrap().to_owned();
    let (padded, plain): (u64, u64) = (cells(1, 3).parse().unwrap(), cells(2, 3).parse().unwrap());
    assert!(cells(1, 0) == "33" && cells(2, 0) == "32" && plain > padded && cells(1, 4) == padded.to_string(), "{both}");
    assert!(both.contains(" runs of each on "), "{both}");
}

#[test]
fn what_memory_cannot_show_is_refused() {
    let folder = TempDir::new().unwrap();
    assert!(refused(&folder, "memory -t walsh -n 64 --stage 9", 2).contains("--stage 9"));
    assert!(refused(&folder, "memory -t walsh -n 64 -o all.svg", 2).contains("--stage 1"));
    refused(&folder, "memory -t dft -a rustfft -n 64", 2);
    refused(&folder, "memory -t walsh -n 64 --launch 1 --measure", 2);
    refused(&folder, "memory -t walsh -n 64 --launch 1 --pitch 33", 2);
    refused(&folder, "memory -t walsh -n 64 --stage 1 --subgroup 99", 2);
}

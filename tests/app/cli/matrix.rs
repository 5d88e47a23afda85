//! `matrix`: formulas of stages, and their matrices as files.

use super::*;

fn printed(folder: &TempDir, options: &str) -> String {
    let output = papillon(folder, &format!("matrix {options}"));
    assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn stages_are_listed_with_their_formulas() {
    let folder = TempDir::new().unwrap();
    let lines = printed(&folder, "-t walsh -a cooley-tukey -n 8");
    assert_eq!(lines.lines().map(|line| line.rsplit('\t').next().unwrap()).collect::<Vec<_>>(), ["W ⊗ I₄", "I₂ ⊗ W ⊗ I₂", "I₄ ⊗ W"]);
    assert!(printed(&folder, "-t dyadic-autocorrelation -n 8").contains("multiplies two values"));
}

#[test]
fn a_stage_a_product_and_the_definition_are_files() {
    let folder = TempDir::new().unwrap();
    assert_eq!(printed(&folder, "-t walsh -a constant-geometry -n 4 --stage 1"), "1,1,0,0\n0,0,1,1\n1,-1,0,0\n0,0,1,-1\n");
    let product = printed(&folder, "-t walsh -a constant-geometry -n 4 --stage 2 --product");
    assert_eq!(product, printed(&folder, "-t walsh -n 4 --definition"));
    assert_eq!(product, "1,1,1,1\n1,-1,1,-1\n1,1,-1,-1\n1,-1,-1,1\n");
    done(&folder, "matrix -t dft -a cooley-tukey-dif -n 8 --stage 1 -o stage.tex");
    let tex = std::fs::read_to_string(folder.path().join("stage.tex")).unwrap();
    assert!(tex.contains("A_{1} = T^{8}_{4}\\,(F_{2} \\otimes I_{4}) = "), "{tex}");
    done(&folder, "matrix -t dft -a cooley-tukey-dif -n 256 --product -o whole.svg");
    for (ending, begins) in [("svg", &b"<?xml"[..]), ("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("tikz", b"% Fourier")] {
        done(&folder, &format!("matrix -t dft -a cooley-tukey-dif -n 8 --stage 1 -o stage.{ending}"));
        assert!(std::fs::read(folder.path().join(format!("stage.{ending}"))).unwrap().starts_with(begins), "{ending}");
    }
    refused(&folder, "matrix -t dft -n 8 --stage 9", 2);
    refused(&folder, "matrix -t dft -n 512", 2);
    assert!(refused(&folder, "matrix -t dft -n 256 -o whole.tex", 2).contains("page"));
    assert!(refused(&folder, "matrix -t dft -n 8 -o whole.docx", 2).contains(".tex"));
}

#[test]
fn a_system_is_reduced_stage_by_stage() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("system.csv"), "0,2,1,1\n1,2,1,2\n1,2,0,3\n").unwrap();
    let given = printed(&folder, "-t tridiagonal -a cyclic-reduction -n 3 --values system.csv --stage 0");
    assert_eq!(given, "2,1,0,1\n1,2,1,2\n0,1,2,3\n");
    let solved = printed(&folder, "-t tridiagonal -a cyclic-reduction -n 3 --values system.csv");
    assert_eq!(solved, "1,0,0,0.5\n0,1,0,0\n0,0,1,1.5\n");
    assert!(refused(&folder, "matrix -t tridiagonal -n 3", 2).contains("--values"));
}

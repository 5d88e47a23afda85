//! `kernel`: the launches of a plan, and the text of each, without a GPU.

use super::*;

/// One step of constant geometry, beside Algorithm 2 of D. Gajić, R. Stanković, GPU accelerated computation of fast spectral transforms (2011).
const WALSH_STEP: &str = "\
@group(0) @binding(0) var<storage, read> input: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(4)
fn stage(@builtin(global_invocation_id) id: vec3u) {
    let t = id.x;
    let pair = input[t];
    let u = pair.x;
    let v = pair.y;
    output[t] = u + v;
    output[t + 4u] = u - v;
}
";

fn printed(folder: &TempDir, options: &str) -> String {
    let output = papillon(folder, &format!("kernel {options}"));
    assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_step_of_constant_geometry_reads_like_the_paper() {
    let folder = TempDir::new().unwrap();
    for launch in 1..=3 {
        let text = printed(&folder, &format!("-t walsh -a constant-geometry -n 8 --schedule stages --launch {launch}"));
        assert_eq!(text, WALSH_STEP);
    }
}

#[test]
fn a_kernel_is_written_in_glsl_too() {
    let folder = TempDir::new().unwrap();
    let text = printed(&folder, "-t dft -a global-local -n 16 --tile 4 --launch 1 --language glsl");
    for words in ["#version 430 core", "layout(local_size_x = 2", "gl_GlobalInvocationID", "void main() {"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
}

#[test]
fn launches_are_listed_with_their_kernels() {
    let folder = TempDir::new().unwrap();
    let stages = printed(&folder, "-t dft -a constant-geometry -n 64 --schedule stages");
    assert_eq!(stages.lines().count(), 6);
    assert!(stages.lines().all(|line| line.contains("\tstage\t")), "{stages}");
    let tiles = printed(&folder, "-t dft -a constant-geometry -n 2^24");
    assert_eq!(tiles.lines().count(), 3, "{tiles}");
    assert!(printed(&folder, "-t dft -a stockham -n 4096").contains("\tfft\t"));
    assert!(printed(&folder, "-t dft -a stockham -n 4096 --compiled --schedule stages").contains("\tstage\t"));
}

#[test]
fn a_kernel_is_written_to_a_file_too() {
    let folder = TempDir::new().unwrap();
    done(&folder, "kernel -t dft -a cooley-tukey -n 2^20 --launch 2 -o launch.wgsl");
    let text = std::fs::read_to_string(folder.path().join("launch.wgsl")).unwrap();
    assert!(text.contains("workgroupBarrier();") && text.contains("fn stage("), "{text}");
    assert!(refused(&folder, "kernel -t dft -n 64 --launch 99", 2).contains("99"));
    refused(&folder, "kernel -t dft -a rustfft -n 64", 2);
}

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
fn a_kernel_is_written_in_other_languages_too() {
    let folder = TempDir::new().unwrap();
    for (language, words) in [
        ("glsl", &["#version 430 core", "layout(local_size_x = 2", "gl_GlobalInvocationID", "void main() {"][..]),
        ("hlsl", &["[numthreads(2, 1, 1)]", "SV_DispatchThreadID"]),
        ("msl", &["kernel void stage", "thread_position_in_grid"]),
        ("spirv", &["Capability Shader", "EntryPoint GLCompute"]),
    ] {
        let text = printed(&folder, &format!("-t dft -a global-local -n 16 --tile 4 --launch 1 --language {language}"));
        words.iter().for_each(|word| assert!(text.contains(word), "{word} is missing in\n{text}"));
    }
    done(&folder, "kernel -t dft -n 64 --launch 1 --language spirv -o kernel.spv");
    let words = std::fs::read(folder.path().join("kernel.spv")).unwrap();
    assert!(words.len().is_multiple_of(4) && words[..4] == 0x0723_0203_u32.to_le_bytes());
    let refused = refused(&folder, "kernel -t dft -n 64 --launch 1 --language cuda", 2);
    assert!(refused.contains("spirv"), "{refused}");
}

#[test]
fn integers_have_kernels_of_their_own() {
    let folder = TempDir::new().unwrap();
    for (call, lane) in [
        ("-t walsh -n 1024 --launch 1 --schedule stages", "f32"),
        ("-t walsh -n 1024 --launch 1 --schedule stages --type i32", "i32"),
        ("-t arithmetic -n 1024 --launch 1 --schedule stages --type i64", "i64"),
        ("-t reed-muller -n 1024 --launch 1 --schedule stages --type i32", "u32"),
        ("-t dyadic-convolution -a separate-transforms -n 1024 --launch 21 --schedule stages --type I32", "i32"),
    ] {
        let text = printed(&folder, call);
        assert!(text.contains(&format!("<{lane}>")), "{call} has no {lane}:\n{text}");
    }
    let calls = printed(&folder, "-t dyadic-convolution -a separate-transforms -n 1024 --schedule stages");
    assert_eq!(calls.lines().count(), 32, "{calls}");
    assert!(refused(&folder, "kernel -t reed-muller -n 64 --type i64", 2).contains("--type i32"));
    assert!(refused(&folder, "kernel -t dft -n 64 --type i32", 2).contains("leave --type out"));
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

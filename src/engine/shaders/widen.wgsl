// Makes real numbers of integers of one to three bytes, as files store them. Thread i makes number i, so that neighbouring threads read the same words.

//@ include "numbers.wgsl"

struct Launch {
    // How many numbers there are.
    n: u32,
    // The first real or complex number that is written.
    first: u32,
    // Bytes of an integer.
    bytes: u32,
    // 1 where the byte of the highest bits comes first.
    is_big_endian: u32,
    // 1 where integers are fractions of full scale, 0 where they are numbers without a sign.
    is_fraction: u32,
    // The bits that are inverted first: the highest one where the middle of the range is 0.
    inverted: u32,
}

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> reals: array<Real>;
@group(0) @binding(1) var<storage, read_write> complexes: array<Complex>;
@group(0) @binding(5) var<uniform> launch: Launch;

fn number(i: u32) -> f32 {
    let byte = i * launch.bytes;
    let at = 8u * (byte & 3u);
    var bits = words[byte >> 2u] >> at;
    if at + 8u * launch.bytes > 32u {
        bits |= words[(byte >> 2u) + 1u] << (32u - at);
    }
    // The integer moves to the highest bits, where its first bit is the sign.
    let below = 32u - 8u * launch.bytes;
    bits <<= below;
    if launch.is_big_endian == 1u {
        bits >>= below;
        let swapped = (bits & 0xff00ffu) << 8u | (bits >> 8u & 0xff00ffu);
        bits = swapped << 16u | swapped >> 16u;
    }
    bits ^= launch.inverted;
    // No bit is rounded, as the lowest byte is empty.
    return select(f32(bits >> below), f32(bitcast<i32>(bits)) / 2147483648.0, launch.is_fraction == 1u);
}

@compute @workgroup_size(256)
fn widen(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let i = (group.x + group.y * groups.x) * 256u + thread;
    if i < launch.n {
        reals[launch.first + i] = Real(number(i));
    }
}

// The same for complex numbers.
@compute @workgroup_size(256)
fn widen_expanded(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let i = (group.x + group.y * groups.x) * 256u + thread;
    if i < launch.n {
        complexes[launch.first + i] = Complex(Real(number(i)), 0.0);
    }
}

// The buffers of overlapped tiles: four lanes in a vector, so that neighbouring threads move neighbouring vectors of 16 bytes.

@group(0) @binding(0) var<storage, read> input: array<vec4<Lane>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<Lane>>;
@group(0) @binding(5) var<uniform> launch: Launch;

fn store(lane: u32, value: Lane) {
    output[lane >> 2u][lane & 3u] = value;
}

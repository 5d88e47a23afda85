// Any stage of any plan, butterfly by butterfly: the address arithmetic of Stage::read_lane and Stage::write_lane in src/plan/stage.rs.
//
// `each` runs one stage from `input` to `output`, one thread a butterfly: every touched lane is read once and written once.
// `tiled` runs a run of stages: the first reads `input`, the last writes `output`, and between them the lanes of a tile
// wait in workgroup memory, in two halves used alternately, so that one barrier a stage is enough.
// `stage_launch.wgsl` puts the constants before this text: TAPS and RESULTS, the most of a stage; MIXED, whether stages differ in them
// (where not, the loops unroll); TILE, the lanes of a tile (1 for `each`).

const THREADS = 256u;

struct Stage {
    positions: u32, group_n: u32, group_read: u32, group_write: u32,
    outer_read: u32, outer_write: u32, taps: u32, results: u32,
    read_first: i32, read_advance: i32, read_hop: i32, read_base: u32, read_step: u32,
    read_len: u32, extension: u32, write_first: u32, write_advance: u32,
    write_hop: u32, reversed_bits: u32, coefs: u32, carries: u32,
    // Twiddle; modulus 0 says that there is none.
    modulus: u32, row_j: u32, row_p: u32, row_constant: u32, column_p: u32,
    // `table` is one past where a table begins among the coefficients; 0 says that there is none.
    // `wide` says that the product of the two factors, reduced, may leave 32 bits.
    column_q: u32, column_constant: u32, table: u32, wide: u32, fine: u32,
    coarse: u32, root_stride: u32,
    // Butterflies of one tile, or of the whole stage where there are no tiles.
    n_butterflies: u32,
    // The order of reversed bits: see `rearranged`.
    bit_order: u32,
    // 0 linear, 1 the product of two taps, 2 with the second conjugated, 3 two matrices with a twiddle each,
    // 4 the middle one of three taps without the others, where lanes are rows. Digit k of `conjugated` says whether tap k is conjugated before.
    operation: u32, conjugated: u32, pyramid: Pyramid,
}

// The last four numbers are the patch of `patch.wgsl`.
struct Launch { first_stage: u32, n_stages: u32, n_tiles: u32, positions: u32, lines: u32, position_pitch: u32, line_pitch: u32 }

// Where a stage reads or writes: global memory, or the tile, whose index is the lane plus `shift`.
struct Side { in_tile: bool, shift: u32 }

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(2) var<storage, read> stages: array<Stage>;
@group(0) @binding(3) var<storage, read> coefs: array<Complex>;
@group(0) @binding(4) var<storage, read> roots: array<Complex>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> tile: array<Lane, 2 * TILE>;

fn load(side: Side, lane: u32) -> Lane {
    if side.in_tile {
        return tile[lane + side.shift];
    }
    return input[lane];
}

fn store(side: Side, lane: u32, value: Lane) {
    if side.in_tile {
        tile[lane + side.shift] = value;
    } else {
        output[lane] = value;
    }
}

// The second of two sums; its twiddle is that of result n_results + j.
fn second_sum(stage: Stage, p: u32, q: u32, j: u32, taps: ptr<function, array<Lane, TAPS>>, n_taps: u32, n_results: u32) -> Lane {
    var sum = Lane(NOTHING);
    for (var k = 0u; k < n_taps; k++) {
        sum = plus(sum, times((*taps)[k], coefs[stage.coefs + (n_results + j) * n_taps + k]));
    }
    if stage.modulus != 0u {
        sum = times(sum, twiddle(stage, p, q, n_results + j));
    }
    return sum;
}

fn butterfly(s: u32, index: u32, source: Side, sink: Side) {
    let stage = stages[s];
    let p = index % stage.positions;
    let q = index / stage.positions % stage.group_n;
    let b = index / (stage.positions * stage.group_n);
    let n_taps = select(TAPS, stage.taps, MIXED);
    let n_results = select(RESULTS, stage.results, MIXED);
    var taps: array<Lane, TAPS>;
    for (var k = 0u; k < n_taps; k++) {
        let coordinate = extended(stage.extension, stage.read_first + i32(p) * stage.read_advance + i32(k) * stage.read_hop, i32(stage.read_len));
        if coordinate < 0 {
            taps[k] = Lane(NOTHING);
        } else {
            taps[k] = load(source, stage.read_base + u32(coordinate) * stage.read_step + q * stage.group_read + b * stage.outer_read);
        }
        if stage.operation == 3u && ((stage.conjugated >> k) & 1u) != 0u {
            taps[k] = conjugate(taps[k]);
        }
    }
    for (var j = 0u; j < n_results; j++) {
        var sum = Lane(NOTHING);
        for (var k = 0u; k < n_taps; k++) {
            sum = plus(sum, times(taps[k], coefs[stage.coefs + j * n_taps + k]));
        }
        switch stage.operation {
            // A product has two taps, whatever other stages of the launch have.
            case 1u, 2u: { sum = product(taps[0], taps[min(1u, TAPS - 1u)], stage.operation == 2u); }
            //@ if lane == "lane_row.wgsl"
            case 4u: { sum = without(taps[1], taps[0], taps[2]); }
            //@ endif
            default: {}
        }
        if stage.modulus != 0u {
            sum = times(sum, twiddle(stage, p, q, j));
        }
        if stage.operation == 3u { sum = plus(sum, second_sum(stage, p, q, j, &taps, n_taps, n_results)); }
        let inside = stage.write_first + p * stage.write_advance + j * stage.write_hop + q * stage.group_write;
        if stage.table != 0u {
            sum = times(sum, coefs[stage.table - 1u + inside / stage.write_advance]);
        }
        let lane = rearranged(inside + b * stage.outer_write, stage.reversed_bits, stage.bit_order);
        store(sink, moved(stage.pyramid, lane), sum);
    }
}

@compute @workgroup_size(THREADS)
fn each(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = butterfly_number(stages[launch.first_stage], group.x + group.y * groups.x, thread);
    if index < stages[launch.first_stage].n_butterflies {
        butterfly(launch.first_stage, index, Side(false, 0u), Side(false, 0u));
    }
}

@compute @workgroup_size(THREADS)
fn tiled(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_tiles {
        return;
    }
    for (var s = 0u; s < launch.n_stages; s++) {
        let source = Side(s > 0u, ((s + 1u) % 2u) * TILE - mine * TILE);
        let sink = Side(s + 1u < launch.n_stages, (s % 2u) * TILE - mine * TILE);
        if stages[launch.first_stage + s].carries != 0u {
            // A lane that no butterfly writes keeps its value.
            for (var lane = mine * TILE + thread; lane < (mine + 1u) * TILE; lane += THREADS) {
                store(sink, lane, load(source, lane));
            }
            storageBarrier();
            workgroupBarrier();
        }
        let n_butterflies = stages[launch.first_stage + s].n_butterflies;
        for (var i = thread; i < n_butterflies; i += THREADS) {
            butterfly(launch.first_stage + s, mine * n_butterflies + i, source, sink);
        }
        workgroupBarrier();
    }
}

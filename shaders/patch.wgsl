// Which butterfly a thread takes where every stage is a launch. Without a patch, threads take butterflies in the order of their
// numbers. With one, a workgroup takes a patch of `positions` positions of `lines` lines; `position_pitch` and `line_pitch` are
// the threads from one to the next.
//
// `stage.wgsl` stands before this text; `positions` is 0 where there is no patch.

// The number of a thread's butterfly, or one past the last where the patch goes beyond the lines.
fn butterfly_number(stage: Stage, mine: u32, thread: u32) -> u32 {
    if launch.positions == 0u {
        return mine * THREADS + thread;
    }
    let along = (stage.positions + launch.positions - 1u) / launch.positions;
    let across = (stage.group_n + launch.lines - 1u) / launch.lines;
    let p = mine % along * launch.positions + thread / launch.position_pitch % launch.positions;
    let q = mine / along % across * launch.lines + thread / launch.line_pitch % launch.lines;
    let b = mine / (along * across);
    return select(stage.n_butterflies, p + stage.positions * (q + stage.group_n * b), p < stage.positions && q < stage.group_n);
}

{# One level of a run: the value of an equation before it, whether the section computes an equation, and the equation that it computes or stores. #}
//@ set before = level.kept[0]
//@ set behind = level.kept[1]
fn value⟨level.number⟩(at: Location, e: u32, i: i32, offset: i32) -> Lane {
    if !has(at, i + offset) {
        return Lane(NOTHING);
    }
    //@ if merges
    //@ for kept in level.kept
    if i + offset >= ⟨kept.from⟩ && i + offset < ⟨kept.to⟩ {
        return output[kept(at, at.number, i + offset + ⟨kept.offset - kept.from⟩)];
    }
    //@ endfor
    //@ endif
    return ⟨"output[lane(at, i + offset)]" if in_global else "held[i32(e) + offset]"⟩;
}

fn is_mine⟨level.number⟩(at: Location, e: u32, i: i32) -> bool {
    //@ if merges
    return e < ⟨elements⟩u && has(at, i) && i > ⟨level.before⟩ && i < ⟨level.after⟩;
    //@ else
    let from_start = at.number == 0u || i >= ⟨level.after⟩;
    let to_end = at.origin + TILE >= at.n || i - TILE <= ⟨level.before⟩;
    return e < ⟨elements⟩u && has(at, i) && from_start && to_end;
    //@ endif
}

fn level⟨level.number⟩(group: u32, e: u32) -> Lane {
    let at = located(group, e);
    let i = inside(e);
    //@ if keeps
    //@ if before.to > before.from
    if i - TILE >= ⟨before.from⟩ && i - TILE < ⟨before.to⟩ && at.origin + TILE < at.n {
        output[kept(at, at.number, i - TILE + ⟨before.offset - before.from⟩)] = held[e];
    }
    //@ endif
    //@ if behind.to > behind.from
    if i >= ⟨behind.from⟩ && i < ⟨behind.to⟩ && at.number > 0u && has(at, i) {
        output[kept(at, at.number - 1u, i + ⟨behind.offset - behind.from⟩)] = held[e];
    }
    //@ endif
    //@ endif
    if !is_mine⟨level.number⟩(at, e, i) {
        return Lane(NOTHING);
    }
    let own = value⟨level.number⟩(at, e, i, 0);
    //@ if not step
    return without(own, value⟨level.number⟩(at, e, i, -⟨level.distance⟩), value⟨level.number⟩(at, e, i, ⟨level.distance⟩));
    //@ elif step == "without_behind"
    return without_behind(own, value⟨level.number⟩(at, e, i, ⟨level.distance⟩));
    //@ else
    return ⟨step⟩(value⟨level.number⟩(at, e, i, -⟨level.distance⟩), own);
    //@ endif
}

fn store⟨level.number⟩(group: u32, e: u32, new_value: Lane) {
    let at = located(group, e);
    let i = inside(e);
    if is_mine⟨level.number⟩(at, e, i) {
        ⟨"output[lane(at, i)]" if in_global else "held[e]"⟩ = new_value;
    }
}


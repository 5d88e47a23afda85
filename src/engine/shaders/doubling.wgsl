{# The steps of recursive doubling that a kernel calls: src/core/plan/doubling.rs. #}
//@ set row = "vec4<" ~ helpers.real ~ ">"
//@ set has_maps = "pivot_map" in helpers.doubling or "composed" in helpers.doubling
//@ set has_units = "pivot_map" in helpers.doubling or "divided_by_pivot" in helpers.doubling
//@ if has_maps or has_units

// The largest power of two that is not above x, which is positive; x if that is not a normal number.
// Both bounds are compared, so that no branch depends on data.
fn binade(x: ⟨helpers.real⟩) -> ⟨helpers.real⟩ {
    let power = ⟨helpers.real⟩(bitcast<f32>(bitcast<u32>(f32(x)) & 0x7f800000u));
    return select(x, power, (power > 0.0) & (power < 3.0e38));
}
//@ endif
//@ if has_units

// The row (a, b, c, d) times a power of two and a sign: b is not negative, and the largest coefficient is about 1.
fn in_units(row: ⟨row⟩) -> ⟨row⟩ {
    let size = binade(max(max(abs(row.x), abs(row.y)), abs(row.z)));
    return row / select(size, -size, row.y < 0.0);
}
//@ endif
//@ if has_maps

// The map w ↦ (b·w + a)/(c·w + d) with a largest number of about 1.
fn normalised(map: ⟨row⟩) -> ⟨row⟩ {
    return map / binade(max(max(abs(map.x), abs(map.y)), max(abs(map.z), abs(map.w))));
}
//@ endif
//@ if "pivot_map" in helpers.doubling

// The map of the pivot of a row from that of the row before it. The larger neighbour is subtracted first, as it takes most of b.
fn pivot_map(before: ⟨row⟩, row: ⟨row⟩) -> ⟨row⟩ {
    let other = in_units(before);
    let own = in_units(row);
    let to_before = select(own.x, -own.x, other.z < 0.0);
    let behind = abs(own.z);
    let excess = select(own.y - behind - to_before, own.y - to_before - behind, abs(to_before) > behind);
    return normalised(⟨row⟩(excess * abs(other.z), own.y - behind, 1.0, abs(other.z)));
}
//@ endif
//@ if "composed" in helpers.doubling

// The map after the one before it.
fn composed(before: ⟨row⟩, own: ⟨row⟩) -> ⟨row⟩ {
    return normalised(⟨row⟩(
        own.y * before.x + own.x * before.w,
        own.y * before.y + own.x * before.z,
        own.z * before.y + own.w * before.z,
        own.z * before.x + own.w * before.w
    ));
}
//@ endif
//@ if "divided_by_pivot" in helpers.doubling

// The row divided by its pivot, which the map gives after all maps before it.
fn divided_by_pivot(map: ⟨row⟩, row: ⟨row⟩) -> ⟨row⟩ {
    let own = in_units(row);
    let whole = own / (map.y / map.z + abs(own.z));
    return ⟨row⟩(whole.x, 1.0, whole.z, whole.w);
}
//@ endif
//@ if "without_before" in helpers.doubling

// The row without the unknown before: p[i] + a·p[i−s] = d.
fn without_before(before: ⟨row⟩, own: ⟨row⟩) -> ⟨row⟩ {
    return ⟨row⟩(-own.x * before.x, own.y, own.z, own.w - own.x * before.w);
}
//@ endif
//@ if "without_behind" in helpers.doubling

// The row without the unknown behind: x[i] + c·x[i+s] = d.
fn without_behind(own: ⟨row⟩, behind: ⟨row⟩) -> ⟨row⟩ {
    return ⟨row⟩(own.x, own.y, -own.z * behind.z, own.w - own.z * behind.w);
}
//@ endif

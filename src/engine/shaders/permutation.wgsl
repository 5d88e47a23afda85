{# Lanes that a stage permutes: BitOrder::apply and PyramidLayout::apply of src/core/plan. #}
//@ if helpers.reversal
//@ set n = helpers.reversal.n_bits
//@ set order = helpers.reversal.order

//@ if order == "below"
// Where a lane of a pyramid in place is once the coarsest level comes first: an odd multiple of 2^level goes behind all coarser lanes.
fn rearranged(lane: u32) -> u32 {
    let inside = lane & ⟨2 ** n - 1⟩u;
    let level = firstTrailingBit(max(inside, 1u));
    let low = select((1u << (⟨n - 1⟩u - level)) + (inside >> (level + 1u)), 0u, inside == 0u);
//@ elif order == "above"
// Where a lane is in a pyramid in place if the coarsest level came first: the leading 1 tells its level.
fn rearranged(lane: u32) -> u32 {
    let inside = lane & ⟨2 ** n - 1⟩u;
    let leading = firstLeadingBit(max(inside, 1u));
    let low = select((2u * (inside - (1u << leading)) + 1u) << (⟨n - 1⟩u - leading), 0u, inside == 0u);
//@ else
// The lane with its lowest ⟨n⟩ bits reversed⟨", then Gray decoded" if order == "gray" else ""⟩.
fn rearranged(lane: u32) -> u32 {
//@ if order == "kept"
    let low = reverseBits(lane) >> ⟨32 - n⟩u;
//@ else
    var low = reverseBits(lane) >> ⟨32 - n⟩u;
    for (var shift = 1u; shift < ⟨n⟩u; shift <<= 1u) {
        low ^= low >> shift;
    }
//@ endif
//@ endif
    return ((lane >> ⟨n⟩u) << ⟨n⟩u) | low;
}
//@ endif
//@ if helpers.pyramid
//@ set pyramid = helpers.pyramid

// Samples of n after `levels` halvings.
fn halved(n: u32, levels: u32) -> u32 {
    return (n + (1u << levels) - 1u) >> levels;
}

//@ if pyramid.is_forward
// Along one axis: from lanes in place to the Mallat layout; the coefficient was made by the halving after `level` others.
fn along(c: u32, n: u32, level: u32) -> u32 {
    let low = c >> level;
    if level == ⟨pyramid.levels⟩u {
        return low;
    }
    if (low & 1u) == 0u {
        return low >> 1u;
    }
    let n_low = halved(n, level + 1u);
    let n_high = max(halved(n, level) - n_low, 1u);
    return n_low + ((low >> 1u) + n_high - ⟨pyramid.rotation⟩u % n_high) % n_high;
}
//@ else
// Along one axis: from the Mallat layout to lanes in place.
fn along(c: u32, n: u32, level: u32) -> u32 {
    if level == ⟨pyramid.levels⟩u {
        return c << level;
    }
    let n_low = halved(n, level + 1u);
    if c < n_low {
        return c << (level + 1u);
    }
    let n_high = max(halved(n, level) - n_low, 1u);
    return (2u * ((c - n_low + ⟨pyramid.rotation⟩u) % n_high) + 1u) << level;
}
//@ endif

// The lane to which the value of a lane goes, in an image that was halved ⟨pyramid.levels⟩ times.
fn sorted_lane(lane: u32) -> u32 {
    let inside = lane % ⟨pyramid.rows * pyramid.columns⟩u;
    let y = inside / ⟨pyramid.columns⟩u;
    let x = inside % ⟨pyramid.columns⟩u;
//@ if pyramid.is_forward
    let level = min(countTrailingZeros(y | x), ⟨pyramid.levels⟩u);
//@ else
    var level = ⟨pyramid.levels⟩u;
    while level > 0u && (y >= halved(⟨pyramid.rows⟩u, level) || x >= halved(⟨pyramid.columns⟩u, level)) {
        level--;
    }
//@ endif
    return lane - inside + along(y, ⟨pyramid.rows⟩u, level) * ⟨pyramid.columns⟩u + along(x, ⟨pyramid.columns⟩u, level);
}
//@ endif

// Coordinates past an end, and lanes that are rearranged: Extension::apply, Digits::apply and Pyramid::apply of src/plan.

// The coordinate inside 0..len that stands for `coordinate`; −1 where a tap counts as zero.
fn extended(extension: u32, coordinate: i32, len: i32) -> i32 {
    switch extension {
        case 1u: { return ((coordinate % len) + len) % len; } // periodic
        case 2u: { // whole-sample symmetric
            let period = max(2 * (len - 1), 1);
            let inside = ((coordinate % period) + period) % period;
            return min(inside, period - inside) * i32(len > 1);
        }
        case 3u: { return select(-1, coordinate, coordinate >= 0 && coordinate < len); } // zero
        case 5u: { // periodic, even and odd coordinates apart
            let period = max((len + 1 - (coordinate & 1)) / 2 * 2, 1);
            return ((coordinate % period) + period) % period;
        }
        case 6u: { // half-sample symmetric
            let inside = ((coordinate % (2 * len)) + 2 * len) % (2 * len);
            return min(inside, 2 * len - 1 - inside);
        }
        case 4u: { return select(((-coordinate % len) + len) % len, coordinate, coordinate >= 0 && coordinate < len); } // negative
        default: { return coordinate; }
    }
}

// The lowest `n_bits` bits in reverse order.
fn reversed(value: u32, n_bits: u32) -> u32 {
    if n_bits == 0u {
        return 0u;
    }
    return reverseBits(value) >> (32u - n_bits);
}

// `lane` with its lowest `n_bits` bits reversed, and then changed.
fn rearranged(lane: u32, n_bits: u32, bit_order: u32) -> u32 {
    if n_bits == 0u {
        return lane;
    }
    var low = reversed(lane, n_bits);
    switch bit_order {
        case 1u: { // the number whose Gray code they are
            for (var shift = 1u; shift < n_bits; shift <<= 1u) {
                low ^= low >> shift;
            }
        }
        case 2u: { // those below the leading 1 reversed once more
            let leading = firstLeadingBit(max(low, 1u));
            low = select(reversed(low, leading) | (1u << leading), 0u, low == 0u);
        }
        case 3u: { // those above the trailing 1 reversed once more
            let trailing = firstTrailingBit(max(low, 1u));
            let above = reversed(low >> (trailing + 1u), n_bits - min(trailing + 1u, n_bits));
            low = select((above << (trailing + 1u)) | (1u << trailing), 0u, low == 0u);
        }
        default: {}
    }
    return (lane & ~((1u << n_bits) - 1u)) | low;
}

// An image that was halved `levels` times; high-pass coefficients stand `turn` places before their lane.
// Lanes are moved by way 1 to the Mallat layout, by way 2 back, and by way 0 nowhere.
struct Pyramid { way: u32, rows: u32, columns: u32, levels: u32, rotation: u32 }

// Samples of n after `levels` halvings.
fn halved(n: u32, levels: u32) -> u32 {
    return (n + (1u << levels) - 1u) >> levels;
}

// Along one axis: from lanes in place to the Mallat layout; the coefficient was made by the halving after `level` others.
fn sorted(pyramid: Pyramid, c: u32, n: u32, level: u32) -> u32 {
    let low = c >> level;
    if level == pyramid.levels {
        return low;
    }
    if (low & 1u) == 0u {
        return low >> 1u;
    }
    let n_low = halved(n, level + 1u);
    let n_high = max(halved(n, level) - n_low, 1u);
    return n_low + ((low >> 1u) + n_high - pyramid.rotation % n_high) % n_high;
}

// Along one axis: from the Mallat layout to lanes in place.
fn in_place(pyramid: Pyramid, c: u32, n: u32, level: u32) -> u32 {
    if level == pyramid.levels {
        return c << level;
    }
    let n_low = halved(n, level + 1u);
    if c < n_low {
        return c << (level + 1u);
    }
    let n_high = max(halved(n, level) - n_low, 1u);
    return (2u * ((c - n_low + pyramid.rotation) % n_high) + 1u) << level;
}

// The lane to which the value of `lane` goes.
fn moved(pyramid: Pyramid, lane: u32) -> u32 {
    if pyramid.way == 0u {
        return lane;
    }
    let inside = lane % (pyramid.rows * pyramid.columns);
    let y = inside / pyramid.columns;
    let x = inside % pyramid.columns;
    var level = pyramid.levels;
    if pyramid.way == 1u {
        level = min(countTrailingZeros(y | x), level);
        return lane - inside + sorted(pyramid, y, pyramid.rows, level) * pyramid.columns + sorted(pyramid, x, pyramid.columns, level);
    }
    while level > 0u && (y >= halved(pyramid.rows, level) || x >= halved(pyramid.columns, level)) {
        level--;
    }
    return lane - inside + in_place(pyramid, y, pyramid.rows, level) * pyramid.columns + in_place(pyramid, x, pyramid.columns, level);
}

// Coordinates past an end, and lanes whose binary digits are rearranged: Fold::apply and Digits::apply of src/plan.

// The coordinate inside 0..len that stands for `coordinate`; −1 where a tap counts as zero.
fn folded(fold: u32, coordinate: i32, len: i32) -> i32 {
    switch fold {
        case 1u: { return ((coordinate % len) + len) % len; } // wrap
        case 2u: { // mirror at the first and the last sample
            let period = max(2 * (len - 1), 1);
            let inside = ((coordinate % period) + period) % period;
            return min(inside, period - inside) * i32(len > 1);
        }
        case 3u: { return select(-1, coordinate, coordinate >= 0 && coordinate < len); } // zero
        case 4u: { return select(((-coordinate % len) + len) % len, coordinate, coordinate >= 0 && coordinate < len); } // negative
        default: { return coordinate; }
    }
}

// The lowest `n_bits` digits in reverse order.
fn reversed(value: u32, n_bits: u32) -> u32 {
    if n_bits == 0u {
        return 0u;
    }
    return reverseBits(value) >> (32u - n_bits);
}

// `lane` with its lowest `n_bits` digits reversed, and then changed.
fn rearranged(lane: u32, n_bits: u32, digits: u32) -> u32 {
    if n_bits == 0u {
        return lane;
    }
    var low = reversed(lane, n_bits);
    switch digits {
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

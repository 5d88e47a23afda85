// What stands past the ends of lines, and what tiles of lines finish alone. WRAPS says whether lines are circles, and not mirrored
// at their first and last sample.

// The sample of a line of n that stands for one past the ends.
fn folded(sample: i32, n: i32) -> i32 {
    // Remainders are slow, and few samples need them.
    if sample >= 0 && sample < n {
        return sample;
    }
    if WRAPS {
        return ((sample % n) + n) % n;
    }
    let period = max(2 * (n - 1), 1);
    let inside = ((sample % period) + period) % period;
    return min(inside, period - inside) * i32(n > 1);
}

// Whether the tile of a line of n samples that begins at sample `start` and has `size` of them finishes sample p of a level
// alone: all but those from `last_before` to `first_after`, around every border.
fn is_alone(p: i32, level: u32, start: i32, size: i32, n: i32, last_before: i32, first_after: i32) -> bool {
    let end = min(start + size, n);
    let whole = size >= n;
    let from_start = whole || (start == 0 && !WRAPS) || p - (start >> level) >= first_after;
    let to_end = whole || (end == n && !WRAPS) || p - (end >> level) <= last_before;
    return from_start && to_end;
}

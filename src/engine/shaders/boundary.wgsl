// The boundary extension of lines, and which samples a tile of a line finishes alone. With WRAPS the extension is periodic,
// otherwise it is symmetric at the first and the last sample.

const WRAPS = ⟨wraps⟩;

// The sample of a line of n that is read for one past the ends.
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

// Whether a tile finishes sample p of a level alone. The tile has `size` samples of a line of n, from sample `start` on.
// Around every border it leaves the samples between `last_before` and `first_after`.
fn is_alone(p: i32, level: u32, start: i32, size: i32, n: i32, last_before: i32, first_after: i32) -> bool {
    let end = min(start + size, n);
    let whole = size >= n;
    let from_start = whole || (start == 0 && !WRAPS) || p - (start >> level) >= first_after;
    let to_end = whole || (end == n && !WRAPS) || p - (end >> level) <= last_before;
    return from_start && to_end;
}

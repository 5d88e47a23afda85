{# Boundary extension: Extension::apply of src/core/plan. Nearly all coordinates lie inside and stay: only the others pay for divisions.
   The functions for coordinates at most one line outside need no division and no branch, so that a filter of nine taps waits for its memory and not for its indices. #}
//@ if helpers.extensions | reject("endingwith", "_near") | list

fn is_inside(coordinate: i32, len: i32) -> bool {
    return coordinate >= 0 && coordinate < len;
}
//@ endif
//@ if "extended_periodic" in helpers.extensions

// The coordinate inside 0..len for one outside: periodic.
fn extended_periodic(coordinate: i32, len: i32) -> i32 {
    if is_inside(coordinate, len) {
        return coordinate;
    }
    return ((coordinate % len) + len) % len;
}
//@ endif
//@ if "extended_symmetric" in helpers.extensions

// The coordinate inside 0..len for one outside: mirrored at the first and the last sample.
fn extended_symmetric(coordinate: i32, len: i32) -> i32 {
    if is_inside(coordinate, len) {
        return coordinate;
    }
    let period = max(2 * (len - 1), 1);
    let inside = ((coordinate % period) + period) % period;
    return min(inside, period - inside) * i32(len > 1);
}
//@ endif
//@ if "extended_periodic_near" in helpers.extensions

// The coordinate inside 0..len for one at most a line outside: periodic.
fn extended_periodic_near(coordinate: i32, len: i32) -> i32 {
    let inside = select(coordinate, coordinate + len, coordinate < 0);
    return select(inside, inside - len, inside >= len);
}
//@ endif
//@ if "extended_symmetric_near" in helpers.extensions

// The coordinate inside 0..len for one at most a line outside: mirrored at the first and the last sample.
fn extended_symmetric_near(coordinate: i32, len: i32) -> i32 {
    let inside = abs(coordinate);
    return min(inside, 2 * (len - 1) - inside);
}
//@ endif
//@ if "extended_half_symmetric" in helpers.extensions

// The coordinate inside 0..len for one outside: mirrored half a sample before the first and half a sample after the last one.
fn extended_half_symmetric(coordinate: i32, len: i32) -> i32 {
    if is_inside(coordinate, len) {
        return coordinate;
    }
    let inside = ((coordinate % (2 * len)) + 2 * len) % (2 * len);
    return min(inside, 2 * len - 1 - inside);
}
//@ endif
//@ if "extended_zero" in helpers.extensions

// −1 for a coordinate outside 0..len, where a tap is zero.
fn extended_zero(coordinate: i32, len: i32) -> i32 {
    return select(-1, coordinate, is_inside(coordinate, len));
}
//@ endif
//@ if "extended_negative" in helpers.extensions

// The coordinate inside 0..len for one outside: the opposite frequency.
fn extended_negative(coordinate: i32, len: i32) -> i32 {
    if is_inside(coordinate, len) {
        return coordinate;
    }
    return ((-coordinate % len) + len) % len;
}
//@ endif
//@ if "extended_periodic_halves" in helpers.extensions

// The coordinate inside 0..len for one outside: periodic, even and odd coordinates apart.
fn extended_periodic_halves(coordinate: i32, len: i32) -> i32 {
    if is_inside(coordinate, len) {
        return coordinate;
    }
    let period = max((len + 1 - (coordinate & 1)) / 2 * 2, 1);
    return ((coordinate % period) + period) % period;
}
//@ endif

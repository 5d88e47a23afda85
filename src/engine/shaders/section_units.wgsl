// Which units of a launch a workgroup takes: neighbouring units of a line, or with ACROSS the same unit of UNITS adjacent lines.
//
// The kernel declares `launch`, with the units of a line and the number of lines.

const ACROSS = ⟨across⟩;
const UNITS = ⟨units⟩u;

struct Unit {
    line: u32,
    number: u32,
    exists: bool,
}

// The unit to which an element of a workgroup belongs; an element is a sample or a butterfly.
fn unit_of(element: u32, size: u32) -> u32 {
    return select(element / size, element % UNITS, ACROSS);
}

// The index of the element inside its unit.
fn inside_of(element: u32, size: u32) -> i32 {
    return i32(select(element % size, element / UNITS, ACROSS));
}

fn unit_at(group: u32, unit: u32) -> Unit {
    let blocks = (launch.n_lines + UNITS - 1u) / UNITS;
    let mine = group * UNITS + unit;
    let line = select(mine / launch.units, group % blocks * UNITS + unit, ACROSS);
    let number = select(mine % launch.units, group / blocks, ACROSS);
    return Unit(line, number, line < launch.n_lines && number < launch.units);
}

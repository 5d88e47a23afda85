// Which units a workgroup takes of what a launch is cut into: neighbouring ones of a line, or where lines stand beside one another
// (ACROSS) the same unit of UNITS neighbouring lines.
//
// The launch of the text behind this one says how many units a line has, and how many lines there are.

struct Unit {
    line: u32,
    number: u32,
    exists: bool,
}

// The unit of a workgroup's element: of one thread a sample, or a step.
fn unit_of(element: u32, size: u32) -> u32 {
    return select(element / size, element % UNITS, ACROSS);
}

// What is left of the number of the element inside its unit.
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

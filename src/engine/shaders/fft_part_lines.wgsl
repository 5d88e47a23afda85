// Half the spectrum of real samples at the end of long rows: two samples in a lane at the other end.
//
// Value −k of the row is in the mirror image of the line of value k, and this workgroup holds both lines. Their threads exchange results once more, complex
// numbers of a part of the points at a time. Result i of a thread meets the i-th result from the end of the thread at the other end of the other line. The line
// of value 0 and the line in the middle are their own mirror images. Value 0 is its own opposite, so the first thread of its line holds all that it needs.
//@ set n = stage.per_thread * stage.radix
//@ set share = n // (2 * rounds)
let has_first = line_a.sink == 0u;
let is_own_mirror = has_first || line_a.sink == launch.lines_per_row / 2u;
let own = thread % LINES;
let home_opposite = select(own ^ 1u, own, is_own_mirror) * PITCH;
let t_opposite = (PER_LINE - t_a - select(1u, 0u, has_first)) % PER_LINE;
let is_alone = has_first && t_a == 0u;
let base = half_root(line_a.sink + t_a * launch.sink.step);
//@ for round in range(2 * rounds)
//@ if stage.index > 0 or round > 0
workgroupBarrier();
//@ endif
//@ for i in range(share)
//@ set x = stage.results[(round * share + i) % stage.per_thread][(round * share + i) // stage.per_thread]
part[home_a + padded(t_a + ⟨i * per_line⟩u)] = x⟨x⟩.x;
part[home_a + padded(t_a + ⟨(share + i) * per_line⟩u)] = x⟨x⟩.y;
//@ endfor
workgroupBarrier();
//@ for i in range(share)
//@ set point = n - 1 - (round * share + i)
//@ set own = stage.results[point % stage.per_thread][point // stage.per_thread]
//@ set alone = (n - point) % n
//@ set alone = stage.results[alone % stage.per_thread][alone // stage.per_thread]
{
    let far = Complex(part[home_opposite + padded(t_opposite + ⟨i * per_line⟩u)], part[home_opposite + padded(t_opposite + ⟨(share + i) * per_line⟩u)]);
    let opposite = select(far, x⟨alone⟩, is_alone);
    let both = paired(x⟨own⟩, opposite, ⟨half_twiddle(point * per_line)⟩);
    if line_a.live {
        output[line_a.sink_row + line_a.sink + (t_a + ⟨point * per_line⟩u) * launch.sink.step] = ⟨scaled("both.xy")⟩;
        //@ if point == 0
        if is_alone {
            output[line_a.sink_row + launch.lines_per_row * POINTS] = ⟨scaled("both.zw")⟩;
        }
        //@ endif
    }
}
//@ endfor
//@ endfor

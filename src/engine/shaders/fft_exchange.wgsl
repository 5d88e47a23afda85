// Threads of a line exchange points between two stages, through workgroup memory.
//
// All rounds use the same memory: real parts before imaginary parts, and each of these one half or one quarter of the line at a
// time. Drivers give a workgroup little memory (48 KiB for all workgroups of a processor, seen on NVIDIA) and leave the rest to
// the caches. A kernel that holds all points at once leaves two workgroups on a processor where four are needed to hide the latency
// of global memory; that costs more than the barriers of further rounds.
//
// A part of a line is a run of butterflies, so that in a round whole warps write or rest, and after it the same registers of every
// thread are filled; a value that must not be overwritten yet waits beside them. Element p of a line moves to p + p/16, and lines
// begin PITCH elements apart, 32/LINES banks modulo 32, so that threads that write POINTS/16 or LINES apart fall into different
// banks.
//@ set s = stage.index
//@ set share = points // rounds
//@ set butterflies = stage.butterflies // rounds
//@ for m in range(stage.per_thread)
//@ set i = "(t_" ~ stage.role ~ " + " ~ m * per_line ~ "u)"
//@ set to = i ~ " / " ~ stage.span ~ "u * " ~ stage.span * stage.radix ~ "u + " ~ i ~ " % " ~ stage.span ~ "u"
let to⟨s⟩_⟨m⟩ = ⟨to if rounds == 1 else "(" ~ to ~ ") % " ~ share ~ "u"⟩;
let pad⟨s⟩_⟨m⟩ = home_⟨stage.role⟩ + padded(to⟨s⟩_⟨m⟩);
//@ endfor
let from⟨s⟩ = home_⟨next.role⟩ + padded(t_⟨next.role⟩);
//@ for part in ["x", "y"]
//@ for round in range(rounds)
//@ if s > 0 or part == "y" or round > 0 or half == "Joined" and not mirrors
workgroupBarrier();
//@ endif
// Every butterfly whose results belong to this part of the line writes them: the butterflies of some threads, or some of each.
//@ for m in range(stage.per_thread)
//@ set first = m * per_line
//@ if first + per_line > round * butterflies and first < (round + 1) * butterflies
//@ set some = rounds > 1 and per_line > butterflies
//@ if some
if (t_⟨stage.role⟩ + ⟨first⟩u) / ⟨butterflies⟩u == ⟨round⟩u {
//@ endif
//@ call guarded(stage, m)
//@ for x in stage.results[m]
//@ set aligned = stage.span == 1 and stage.radix == 16
part[⟨element("pad" ~ s ~ "_" ~ m, "home_" ~ stage.role, "to" ~ s ~ "_" ~ m, loop.index0 * stage.span, aligned)⟩] = x⟨x⟩.⟨part⟩;
//@ endfor
//@ endcall
//@ if some
}
//@ endif
//@ endif
//@ endfor
workgroupBarrier();
// Every thread reads what it needs of this part of the line. Until the last part has been written, values wait beside the registers.
//@ for taps in next.taps
//@ set m = loop.index0
//@ call guarded(next, m)
//@ for x in taps
//@ set point = m * per_line + loop.index0 * next.butterflies
//@ if point // share == round
⟨"x" ~ x ~ "." ~ part if round + 1 == rounds else "let x" ~ x ~ "_" ~ part ~ s⟩ = part[⟨element("from" ~ s, "home_" ~ next.role, "t_" ~ next.role, point % share, false)⟩];
//@ endif
//@ endfor
//@ endcall
//@ endfor
//@ endfor
//@ for taps in next.taps
//@ set m = loop.index0
//@ for x in taps if rounds > 1
//@ if (m * per_line + loop.index0 * next.butterflies) // share + 1 < rounds
x⟨x⟩.⟨part⟩ = x⟨x⟩_⟨part⟩⟨s⟩;
//@ endif
//@ endfor
//@ endfor
//@ endfor

// Macros of `kronecker.wgsl`: statements and expressions that the parts of the kernel share.

// Statements for a lane, within a condition where the last tile is not full.
//@ macro guarded(place, offset)
//@ if partial
if ⟨place⟩ + ⟨offset⟩u < launch.n_lanes {
    ⟨caller()⟩
}
//@ else
⟨caller()⟩
//@ endif
//@ endmacro

// The lane, or the vector of lanes, so far behind the thread's first; times another one where the launch begins with a product.
//@ macro read(offset)
{%- if factor is none -%}
⟨lane_behind(offset)⟩
{%- else -%}
⟨lane_behind(offset)⟩ * ⟨lane_behind(offset + factor)⟩
{%- endif -%}
//@ endmacro

//@ macro lane_behind(offset)
{%- if not loads_vectors -%}
⟨source⟩[source + ⟨offset⟩u]
{%- else -%}
⟨source⟩[(source + ⟨offset⟩u) >> ⟨vector⟩u]
{%- endif -%}
{%- if loads_vectors and not load.vectors -%}
[(source + ⟨offset⟩u) & ⟨2 ** vector - 1⟩u]
{%- endif -%}
//@ endmacro

// The number of a thread with its bits moved.
//@ macro spread(runs)
{%- for run in runs -%}
⟨"" if loop.first else " + "⟩(((thread >> ⟨run.first⟩u) & ⟨run.mask⟩u) << ⟨run.to⟩u)
{%- else -%}
0u
{%- endfor -%}
//@ endmacro

// Lanes a and b times the row of a matrix.
//@ macro combined(row)
{%- if row[0] == 0 and row[1] == 0 -%}
Lane(0)
{%- elif row[1] == 0 -%}
⟨times("a", row[0])⟩
{%- elif row[0] == 0 -%}
⟨times("b", row[1])⟩
{%- elif lane == "lane_gf2.wgsl" -%}
a ^ b
{%- elif row[1] == -1 -%}
⟨times("a", row[0])⟩ - b
{%- else -%}
⟨times("a", row[0])⟩ + ⟨times("b", row[1])⟩
{%- endif -%}
//@ endmacro

//@ macro times(value, factor)
{%- if factor == 1 -%}
⟨value⟩
{%- elif factor == -1 -%}
-⟨value⟩
{%- elif lane == "lane_integer.wgsl" -%}
Lane(⟨factor|int⟩) * ⟨value⟩
{%- else -%}
⟨factor|real⟩ * ⟨value⟩
{%- endif -%}
//@ endmacro

// A result times the factor at the end; integers are divided where that is the reciprocal of one.
//@ macro result(x)
{%- if within -%}
within(x⟨x⟩)
{%- elif scale == 1 -%}
x⟨x⟩
{%- elif lane == "lane_gf2.wgsl" -%}
Lane(0)
{%- elif lane == "lane_integer.wgsl" and scale != 0 and scale|abs < 1 -%}
x⟨x⟩ / Lane(⟨(1 / scale)|round|int⟩)
{%- elif lane == "lane_integer.wgsl" -%}
x⟨x⟩ * Lane(⟨scale|int⟩)
{%- else -%}
x⟨x⟩ * ⟨scale|real⟩
{%- endif -%}
//@ endmacro

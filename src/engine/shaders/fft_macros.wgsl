// Macros of `fft.wgsl`: statements and expressions that the parts of the kernel share.

// Statements for butterfly m of a thread, within a condition where the last butterflies are fewer than the threads.
//@ macro guarded(stage, m)
//@ if (m + 1) * per_line > stage.butterflies
if t_⟨stage.role⟩ + ⟨m * per_line⟩u < ⟨stage.butterflies⟩u {
    ⟨caller()⟩
}
//@ else
⟨caller()⟩
//@ endif
//@ endmacro

// Statements for pair m of a thread, values p and POINTS − p of a spectrum, within a condition where a thread may have none.
//@ macro paired(m)
//@ if (m + 1) * per_line > points // 2 + 1
if t_a + ⟨m * per_line⟩u <= ⟨points // 2⟩u {
    ⟨caller()⟩
}
//@ else
⟨caller()⟩
//@ endif
//@ endmacro

// The padded index `offset` behind `plain`, where `pad` is that of `plain`: a sum of constants where the padding allows it.
// `aligned` says that `plain` is a multiple of 16.
//@ macro element(pad, home, plain, offset, aligned)
{%- if offset % 16 == 0 or aligned and offset < 16 -%}
⟨pad⟩ + ⟨offset + offset // 16⟩u
{%- else -%}
⟨home⟩ + padded(⟨plain⟩ + ⟨offset⟩u)
{%- endif -%}
//@ endmacro

// The twiddle between the spectra of even and odd samples for the point of a line that is `offset` behind the one to which `base` belongs: the points of a
// line divide half a circle into equal parts.
//@ macro half_twiddle(offset)
{%- if offset == 0 -%}
base
{%- else -%}
product(base, Complex(⟨cosine(offset, 2 * points)|real⟩, SIGN * ⟨sine(offset, 2 * points)|real⟩))
{%- endif -%}
//@ endmacro

// A result times the normalisation.
//@ macro scaled(result)
{%- if not scales -%}
⟨result⟩
{%- elif scale_rest == 0 -%}
⟨result⟩ * SCALE
{%- else -%}
scaled(⟨result⟩)
{%- endif -%}
//@ endmacro

{#
An item in registers: eight neighbouring samples of a level, x4 to x11, with four on either side; and the lifting steps on them.
`type` is what a register holds: a Lane, or four of them.
#}
{% macro registers(type) %}{% for s in range(16) %}var x⟨s⟩: ⟨type⟩;⟨"" if loop.last else " "⟩{% endfor %}{% endmacro %}

{# Vector `v` as four registers. #}
{% macro unpack(v) %}x⟨4 * v⟩ = v⟨v⟩.x; x⟨4 * v + 1⟩ = v⟨v⟩.y; x⟨4 * v + 2⟩ = v⟨v⟩.z; x⟨4 * v + 3⟩ = v⟨v⟩.w;{% endmacro %}

{# A step adds to every other sample a part of its neighbours: of two at the same distance, or of one. Every step is taken as far as the next ones need it. #}
//@ macro take_steps(steps, type, x="x")
//@ for step in steps
//@ for k in step.at
        //@ if step.own != 1
        ⟨x⟩⟨k⟩ = ⟨x⟩⟨k⟩ * ⟨type⟩(⟨step.own|real⟩);
        //@ endif
        //@ for term in step.terms
        //@ if term.both
        ⟨x⟩⟨k⟩ = fma(⟨type⟩(⟨term.coef|real⟩), ⟨x⟩⟨k + term.offset⟩ + ⟨x⟩⟨k - term.offset⟩, ⟨x⟩⟨k⟩);
        //@ else
        ⟨x⟩⟨k⟩ = fma(⟨type⟩(⟨term.coef|real⟩), ⟨x⟩⟨k + term.offset⟩, ⟨x⟩⟨k⟩);
        //@ endif
        //@ endfor
//@ endfor
//@ endfor
//@ endmacro

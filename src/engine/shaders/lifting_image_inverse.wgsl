{# The levels of the inverse, the coarsest first: rows, and then columns. #}
//@ from "lifting_steps.wgsl" import registers, take_steps
    //@ for level in levels|reverse
    //@ set k = level.number
    //@ set is_coarsest = loop.first
    // Level ⟨k⟩, rows: eight samples of a row at a time, of four low and four high coefficients and of some on either side.
    //@ if whole
    let items⟨k⟩ = items_of(columns_of(⟨k⟩u));
    let lines⟨k⟩ = 4u * items_of(rows_of(⟨k⟩u)) + 4u;
    //@ else
    let items⟨k⟩ = ⟨level.items[1] + 2 * level.around⟩u;
    let lines⟨k⟩ = ⟨4 * (level.items[0] + 2 * level.around + 1)⟩u;
    //@ endif
    for (var e = thread; e < 2u * lines⟨k⟩ * items⟨k⟩; e += THREADS) {
        ⟨registers("Lane")⟩
        let item = e % items⟨k⟩;
        let high_y = e / items⟨k⟩ >= lines⟨k⟩;
        let line = e / items⟨k⟩ - select(0u, lines⟨k⟩, high_y);
        // The row at this level, the number of the coefficients along y, and the first sample of the item.
        let row = (tile.y >> ⟨k⟩u) + 2 * i32(line) + select(0, 1, high_y) - ⟨4 + 8 * level.around⟩;
        let y = select(row, near(row, rows_of(⟨k⟩u)), tile.at_end) >> 1u;
        let first = (tile.x >> ⟨k⟩u) + 8 * (i32(item) - ⟨level.around⟩);
        //@ include "lifting_image_read_coefficients.wgsl"
⟨take_steps(steps_x, "Lane")⟩
        let to = (2u * line + select(0u, 1u, high_y)) * ⟨level.pitch⟩u + item;
        held[to] = vec4<Lane>(x4, x5, x6, x7);
        held[to + ⟨level.pitch // 2⟩u] = vec4<Lane>(x8, x9, x10, x11);
    }
    workgroupBarrier();

    // Level ⟨k⟩, columns: eight samples of four columns at a time.
    //@ if whole
    for (var e = thread; e < ⟨level.pitch⟩u * items_of(rows_of(⟨k⟩u)); e += THREADS) {
    //@ else
    for (var e = thread; e < ⟨level.pitch * (level.items[0] + 2 * level.around)⟩u; e += THREADS) {
    //@ endif
        ⟨registers("vec4<Lane>")⟩
        let column = e % ⟨level.pitch⟩u;
        let item = e / ⟨level.pitch⟩u;
        let v = 8u * item * ⟨level.pitch⟩u + (column & 1u) * ⟨level.pitch // 2⟩u + (column >> 1u);
        //@ for s in range(16)
        x⟨s⟩ = held[v + ⟨s * level.pitch⟩u];
        //@ endfor
⟨take_steps(steps_y, "vec4<Lane>")⟩
        //@ if k > 0
        //@ for row in range(8)
        kept[(8u * item + ⟨row⟩u) * ⟨level.pitch⟩u + column] = x⟨4 + row⟩;
        //@ endfor
        //@ else
        let y = tile.y + 8 * i32(item);
        let x = tile.x + 4 * i32(column);
        //@ for row in range(8)
        store_row(tile, launch.fine, launch.fine_row, y + ⟨row⟩, x, rows_of(0u), columns_of(0u), ⟨fine_aligned⟩, x⟨4 + row⟩);
        //@ endfor
        //@ endif
    }
    //@ if k > 0
    workgroupBarrier();
    //@ endif
    //@ endfor

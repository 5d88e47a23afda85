{# The levels forward, the finest first: columns, and then rows. #}
//@ from "lifting_steps.wgsl" import registers, take_steps, unpack
    //@ for level in levels
    //@ set k = level.number
    // Level ⟨k⟩, columns: eight samples of four columns at a time become four rows of low coefficients and, for the tile itself, four of high ones.
    //@ if whole
    for (var e = thread; e < ⟨level.pitch⟩u * items_of(rows_of(⟨k⟩u)); e += THREADS) {
    //@ else
    for (var e = thread; e < ⟨level.pitch * (level.items[0] + 2 * level.around)⟩u; e += THREADS) {
    //@ endif
        ⟨registers("vec4<Lane>")⟩
        let column = e % ⟨level.pitch⟩u;
        let item = e / ⟨level.pitch⟩u;
        // The first of the eight rows, and of the four columns.
        let y = (tile.y >> ⟨k⟩u) + 8 * (i32(item) - ⟨level.around⟩);
        let x = (tile.x >> ⟨k⟩u) + 4 * i32(column) - ⟨level.halo⟩;
        //@ include "lifting_image_read.wgsl"
⟨take_steps(steps_y, "vec4<Lane>")⟩
        let to = 4u * item * ⟨level.pitch⟩u + (column & 1u) * ⟨level.pitch // 2⟩u + (column >> 1u);
        //@ for row in range(4)
        held[to + ⟨row * level.pitch⟩u] = x⟨4 + 2 * row⟩;
        //@ endfor
        // High rows are behind the low ones, which are more.
        //@ if level.around > 0
        if item >= ⟨level.around⟩u && item < ⟨level.around + level.items[0]⟩u
        //@ endif
        {
            //@ for row in range(4)
            held[to + ⟨(level.low_rows - 4 * level.around + row) * level.pitch⟩u] = x⟨5 + 2 * row⟩;
            //@ endfor
        }
    }
    workgroupBarrier();

    // Level ⟨k⟩, rows: eight samples of a row at a time; all low rows and, for the tile itself, the high ones.
    //@ set all_x = level.items[1] + 2 * level.around
    //@ set lows = level.low_rows * all_x
    //@ if whole
    let items⟨k⟩ = items_of(columns_of(⟨k⟩u));
    let lows⟨k⟩ = 4u * items_of(rows_of(⟨k⟩u)) * items⟨k⟩;
    for (var e = thread; e < 2u * lows⟨k⟩; e += THREADS) {
        let high_y = e >= lows⟨k⟩;
        let place = select(e, e - lows⟨k⟩, high_y);
        let row = place / items⟨k⟩ + select(0u, ⟨level.low_rows⟩u, high_y);
        let item = place % items⟨k⟩;
    //@ elif level.around == 0
    for (var e = thread; e < ⟨2 * lows⟩u; e += THREADS) {
        let row = e / ⟨all_x⟩u;
        let item = e % ⟨all_x⟩u;
        let high_y = row >= ⟨level.low_rows⟩u;
    //@ else
    for (var e = thread; e < ⟨lows + 4 * level.items[0] * level.items[1]⟩u; e += THREADS) {
        let high_y = e >= ⟨lows⟩u;
        let place = select(e, e - ⟨lows⟩u, high_y);
        let row = select(place / ⟨all_x⟩u, ⟨level.low_rows⟩u + place / ⟨level.items[1]⟩u, high_y);
        let item = select(place % ⟨all_x⟩u, ⟨level.around⟩u + place % ⟨level.items[1]⟩u, high_y);
    //@ endif
        ⟨registers("Lane")⟩
        let v = row * ⟨level.pitch⟩u + item;
        //@ for v in range(4)
        let v⟨v⟩ = held[v + ⟨v % 2 * level.pitch // 2 + v // 2⟩u]; ⟨unpack(v)⟩
        //@ endfor
⟨take_steps(steps_x, "Lane")⟩
        let y = (tile.y >> ⟨k + 1⟩u) + i32(row) - select(⟨4 * level.around⟩, ⟨level.low_rows⟩, high_y);
        let x = (tile.x >> ⟨k + 1⟩u) + 4 * (i32(item) - ⟨level.around⟩);
        let low = vec4<Lane>(x4, x6, x8, x10);
        let high = vec4<Lane>(x5, x7, x9, x11);
        //@ set aligned = level.high_aligned
        if high_y {
            store_band(tile, ⟨k⟩u, y, x, true, false, ⟨aligned[0]⟩, low);
            store_band(tile, ⟨k⟩u, y, x, true, true, ⟨aligned[1]⟩, high);
        } else {
            //@ if loop.last
            store_row(tile, launch.low, launch.low_row, y, x, rows_of(⟨k + 1⟩u), columns_of(⟨k + 1⟩u), ⟨low_aligned⟩, low);
            //@ else
            kept[row * ⟨all_x⟩u + item] = low;
            //@ endif
            //@ if level.around > 0
            // The halo is another tile's.
            if row >= ⟨4 * level.around⟩u && row < ⟨4 * (level.around + level.items[0])⟩u && item >= ⟨level.around⟩u && item < ⟨level.around + level.items[1]⟩u
            //@ endif
            {
                store_band(tile, ⟨k⟩u, y, x, false, true, ⟨aligned[1]⟩, high);
            }
        }
    }
    //@ if not loop.last
    workgroupBarrier();
    //@ endif
    //@ endfor

{# The levels of the inverse, the coarsest first: its low coefficients come from a buffer, those of the others from workgroup memory; all high ones from the input. #}
//@ from "lifting_steps.wgsl" import registers, take_steps
    //@ for level in levels|reverse
    //@ set k = level.number
    // Level ⟨k⟩.
    //@ if whole
    for (var i = thread; i < u32((halved(⟨k⟩u) + 7) / 8); i += THREADS) {
    //@ else
    for (var i = thread; i < ⟨level.items⟩u; i += THREADS) {
    //@ endif
        // The number of the item among those of the tile, and its first sample at this level.
        let item = i32(i) - ⟨level.halo⟩;
        let first = (tile.start >> ⟨k⟩u) + 8 * item;
        ⟨registers("Lane")⟩
        // Even registers hold low coefficients, odd ones high coefficients.
        //@ if loop.first
        //@ set low = "output" if low_in_output else "input"
        let base = launch.low + tile.line * launch.low_pitch;
        //@ if low_aligned
        if first >= 8 && first + 16 <= halved(⟨k⟩u) {
            let v = (base + u32((first >> 1u) - 4)) >> 2u;
            //@ for v in range(3)
            let v⟨v⟩ = ⟨low⟩[v + ⟨v⟩u];
            //@ endfor
            //@ for s in range(0, 16, 2)
            x⟨s⟩ = v⟨(s // 2 + 2) // 4⟩[⟨(s // 2 + 2) % 4⟩];
            //@ endfor
        } else
        //@ endif
        {
            //@ for s in range(0, 16, 2)
            { let lane = base + u32(folded(first + ⟨s - 4⟩, halved(⟨k⟩u)) >> 1u); x⟨s⟩ = ⟨low⟩[lane >> 2u][lane & 3u]; }
            //@ endfor
        }
        //@ else
        //@ set v = "i + 1u" if level.halo == 0 and not whole else "i"
        //@ for s in range(0, 16, 2)
        x⟨s⟩ = area⟨(k + 1) % 2⟩[⟨v⟩ + ⟨(s // 2 + 2) // 4⟩u][⟨(s // 2 + 2) % 4⟩];
        //@ endfor
        //@ endif
        //@ if level.high_aligned
        if first >= 8 && first + 16 <= halved(⟨k⟩u) {
            let v = (tile.line * launch.high_pitch + u32(halved(⟨k + 1⟩u) + (first >> 1u) - 4)) >> 2u;
            //@ for v in range(3)
            let v⟨v⟩ = input[v + ⟨v⟩u];
            //@ endfor
            //@ for s in range(1, 16, 2)
            x⟨s⟩ = v⟨(s // 2 + 2) // 4⟩[⟨(s // 2 + 2) % 4⟩];
            //@ endfor
        } else
        //@ endif
        {
            //@ for s in range(1, 16, 2)
            { let lane = high_lane(tile, ⟨k⟩u, folded(first + ⟨s - 4⟩, halved(⟨k⟩u)) >> 1u); x⟨s⟩ = input[lane >> 2u][lane & 3u]; }
            //@ endfor
        }
⟨take_steps(steps, "Lane")⟩
        //@ if k == 0
        let fine = launch.fine + tile.line * launch.fine_pitch;
        store_four(fine, first, halved(0u), ⟨fine_aligned⟩, vec4<Lane>(x4, x5, x6, x7));
        store_four(fine, first + 4, halved(0u), ⟨fine_aligned⟩, vec4<Lane>(x8, x9, x10, x11));
        //@ else
        area⟨k % 2⟩[2u * i + ⟨1 if whole else 0⟩u] = vec4<Lane>(x4, x5, x6, x7);
        area⟨k % 2⟩[2u * i + ⟨2 if whole else 1⟩u] = vec4<Lane>(x8, x9, x10, x11);
        //@ endif
    }
    //@ if k > 0
    workgroupBarrier();
    if tile.at_end {
        fill⟨k⟩(tile, thread);
        workgroupBarrier();
    }
    //@ endif
    //@ endfor

{# The levels forward, the finest first: the samples of the first one come from the buffer, those of the others from workgroup memory. #}
//@ from "lifting_steps.wgsl" import registers, take_steps, unpack
    //@ for level in levels
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
        //@ if k > 0
        //@ for v in range(4)
        let v⟨v⟩ = area⟨(k - 1) % 2⟩[2u * i + ⟨v⟩u]; ⟨unpack(v)⟩
        //@ endfor
        //@ else
        let base = launch.fine + tile.line * launch.fine_pitch;
        //@ if fine_aligned
        if first >= 4 && first + 12 <= halved(0u) {
            let v = (base + u32(first - 4)) >> 2u;
            //@ for v in range(4)
            let v⟨v⟩ = ⟨source⟩[v + ⟨v⟩u]; ⟨unpack(v)⟩
            //@ endfor
        } else
        //@ endif
        {
            let n = halved(0u);
            //@ for s in range(16)
            { let lane = base + u32(folded(first + ⟨s - 4⟩, n)); x⟨s⟩ = ⟨source⟩[lane >> 2u][lane & 3u]; }
            //@ endfor
        }
        //@ endif
⟨take_steps(steps, "Lane")⟩
        let low = vec4<Lane>(x4, x6, x8, x10);
        //@ if level.halo > 0
        // The halo is another tile's.
        if i >= ⟨level.halo⟩u && i < ⟨level.items - level.halo⟩u
        //@ endif
        {
            store_high(tile, ⟨k⟩u, first >> 1u, ⟨level.high_aligned⟩, vec4<Lane>(x5, x7, x9, x11));
            //@ if loop.last
            store_four(launch.low + tile.line * launch.low_pitch, first >> 1u, halved(⟨k + 1⟩u), ⟨low_aligned⟩, low);
            //@ endif
        }
        //@ if not loop.last
        area⟨k % 2⟩[i + ⟨1 if whole else 0⟩u] = low;
        //@ endif
    }
    //@ if not loop.last
    workgroupBarrier();
    if tile.at_end {
        fill⟨k + 1⟩(tile, thread);
        workgroupBarrier();
    }
    //@ endif
    //@ endfor

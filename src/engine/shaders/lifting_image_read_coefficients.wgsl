{#
Reads the coefficients that an item of a row needs: low-pass along x into even registers, high-pass into odd ones.
Those that are low-pass along both axes come from a buffer at the coarsest level, and from workgroup memory at the others.
#}
        //@ set low = "output" if low_in_output else "input"
        //@ set origin = 0 if is_coarsest else 8 * levels[k + 1].around
        //@ set all_aligned = level.high_aligned[0] and level.high_aligned[1] and (low_aligned or not is_coarsest)
        //@ if not is_coarsest
        // The row of workgroup memory with the coefficients that are low-pass along both axes, and the column there that is column 0 of the level.
        let kept_row = u32(clamp(⟨"y" if folds_kept else "(row >> 1u)"⟩ - (tile.y >> ⟨k + 1⟩u) + ⟨origin⟩, 0, ⟨levels[k + 1].kept_rows - 1⟩)) * ⟨levels[k + 1].pitch⟩u;
        let kept_column = ⟨origin⟩ - (tile.x >> ⟨k + 1⟩u);
        //@ endif
        //@ if all_aligned
        //@ if folds_kept or is_coarsest
        if first >= 8 && first + 16 <= columns_of(⟨k⟩u) {
        //@ else
        // Workgroup memory holds what is past the ends too, but the buffers do not.
        if !tile.at_end {
        //@ endif
            let x = (first >> 1u) - 4;
            let h = band_lane(⟨k⟩u, y, x, high_y, true) >> 2u;
            //@ for v in range(3)
            let h⟨v⟩ = input[h + ⟨v⟩u];
            var l⟨v⟩: vec4<Lane>;
            //@ endfor
            if high_y {
                let l = band_lane(⟨k⟩u, y, x, true, false) >> 2u;
                //@ for v in range(3)
                l⟨v⟩ = input[l + ⟨v⟩u];
                //@ endfor
            } else {
                //@ if is_coarsest
                let l = (launch.low + u32(y) * launch.low_row + u32(x)) >> 2u;
                //@ else
                let l = kept_row + (u32(x + kept_column) >> 2u);
                //@ endif
                //@ for v in range(3)
                l⟨v⟩ = ⟨low if is_coarsest else "kept"⟩[l + ⟨v⟩u];
                //@ endfor
            }
            //@ for s in range(16)
            x⟨s⟩ = ⟨"h" if s % 2 else "l"⟩⟨(s // 2 + 2) // 4⟩[⟨(s // 2 + 2) % 4⟩];
            //@ endfor
        } else
        //@ endif
        {
            //@ for s in range(16)
            {
                let x = near(first + ⟨s - 4⟩, columns_of(⟨k⟩u)) >> 1u;
                //@ if s % 2
                let lane = band_lane(⟨k⟩u, y, x, high_y, true);
                x⟨s⟩ = input[lane >> 2u][lane & 3u];
                //@ else
                if high_y {
                    let lane = band_lane(⟨k⟩u, y, x, true, false);
                    x⟨s⟩ = input[lane >> 2u][lane & 3u];
                } else {
                    //@ if is_coarsest
                    let lane = launch.low + u32(y) * launch.low_row + u32(x);
                    x⟨s⟩ = ⟨low⟩[lane >> 2u][lane & 3u];
                    //@ else
                    let column = u32(clamp(⟨"x" if folds_kept else "((first + " ~ (s - 4) ~ ") >> 1u)"⟩ + kept_column, 0, ⟨4 * levels[k + 1].pitch - 1⟩));
                    x⟨s⟩ = kept[kept_row + (column >> 2u)][column & 3u];
                    //@ endif
                }
                //@ endif
            }
            //@ endfor
        }

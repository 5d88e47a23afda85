{#
Reads what an item of four columns needs into x0 to x15: rows y - 4 to y + 11, columns x to x + 3. Level 0 reads a buffer, others read workgroup memory.
Whole vectors where nothing is past an end; else row by row, or sample by sample.
#}
        //@ set array = source if k == 0 else "kept"
        //@ set pitch = "(launch.fine_row >> 2u)" if k == 0 else level.kept_pitch ~ "u"
        //@ set by_vectors = fine_aligned if k == 0 else not whole
        //@ set by_samples = k == 0 or folds_kept
        //@ if by_vectors
        //@ if by_samples
        if !tile.at_end
        //@ else
        // Tiles of a periodic image have computed what is past the ends.
        //@ endif
        {
            //@ if k == 0
            let v = ((launch.fine + u32(x)) >> 2u) + u32(y - 4) * ⟨pitch⟩;
            //@ else
            let v = 8u * item * ⟨pitch⟩ + column;
            //@ endif
            //@ for s in range(16)
            x⟨s⟩ = ⟨array⟩[v + ⟨s⟩u * ⟨pitch⟩];
            //@ endfor
        }
        //@ endif
        //@ if by_samples
        ⟨"else" if by_vectors else ""⟩ {
            // The lanes of rows and columns, of which some are past an end.
            //@ if k > 0
            let top = (tile.y >> ⟨k⟩u) - ⟨0 if whole else level.halo⟩;
            //@ endif
            //@ for s in range(16)
            //@ if k == 0
            let r⟨s⟩ = u32(near(y + ⟨s - 4⟩, rows_of(0u))) * launch.fine_row;
            //@ else
            let r⟨s⟩ = inside_tile(y + ⟨s - 4⟩, rows_of(⟨k⟩u), top, ⟨level.kept_rows⟩) * 4u * ⟨pitch⟩;
            //@ endif
            //@ endfor
            //@ if k == 0
            let c = launch.fine + vec4u({% for c in range(4) %}u32(near(x + ⟨c⟩, columns_of(0u)))⟨"" if loop.last else ", "⟩{% endfor %});
            //@ else
            let left = (tile.x >> ⟨k⟩u) - ⟨0 if whole else level.halo⟩;
            let c = vec4u({% for c in range(4) %}inside_tile(x + ⟨c⟩, columns_of(⟨k⟩u), left, ⟨4 * level.kept_pitch⟩)⟨"" if loop.last else ", "⟩{% endfor %});
            //@ endif
            //@ if k > 0 or fine_aligned
            if x >= 0 && x + 4 <= columns_of(⟨k⟩u) {
                //@ for s in range(16)
                x⟨s⟩ = ⟨array⟩[(r⟨s⟩ + c.x) >> 2u];
                //@ endfor
            } else
            //@ endif
            {
                //@ for s in range(16)
                x⟨s⟩ = four_of_⟨array⟩(r⟨s⟩ + c);
                //@ endfor
            }
        }
        //@ endif

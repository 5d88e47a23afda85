// Where an element of a tile is in workgroup memory, so that neighbouring threads use different banks.
fn place(element: u32) -> u32 {
    return element + (element >> ⟨residues⟩u) + (element >> ⟨2 * residues⟩u);
}

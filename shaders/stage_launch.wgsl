//@ include "numbers.wgsl"
//@ include lane
//@ include "bits.wgsl"
const TAPS = ⟨taps⟩u;
const RESULTS = ⟨results⟩u;
const MIXED = ⟨mixed⟩;
const TILE = ⟨tile⟩u;
//@ include "stage.wgsl"
//@ include "patch.wgsl"
//@ include "twiddle.wgsl"

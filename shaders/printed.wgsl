//@ include "numbers.wgsl"
//@ for file in before
//@ include lane if file == "LANE" else file
//@ endfor
⟨text⟩

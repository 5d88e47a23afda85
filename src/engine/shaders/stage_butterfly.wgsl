{# The lines of one butterfly: indices and loads, or the loop of a direct sum, then sums and stores; and the butterflies between the registers of a thread. #}
//@ macro loads(butterfly, from, zero)
//@ for line in butterfly.indices
    let ⟨line.name⟩ = ⟨line.value⟩;
//@ endfor
//@ if butterfly.direct
//@ set direct = butterfly.direct
    var sum = ⟨zero⟩;
//@ for line in direct.variables
    var ⟨line.name⟩ = ⟨line.value⟩;
//@ endfor
    for (var k = 0u; k < ⟨direct.n⟩u; k++) {
//@ for line in direct.loads
        let ⟨line.name⟩ = ⟨from⟩[⟨line.value⟩];
//@ endfor
        sum = ⟨direct.sum⟩;
//@ for line in direct.steps
        ⟨line.name⟩ = ⟨line.value⟩;
//@ endfor
    }
//@ endif
//@ for load in butterfly.loads
//@ if load.coordinate
    let ⟨load.coordinate.name⟩ = ⟨load.coordinate.value⟩;
//@ endif
//@ if load.may_be_zero
    var ⟨load.name⟩ = ⟨zero⟩;
    if ⟨load.coordinate.name⟩ >= 0 {
        ⟨load.name⟩ = ⟨from⟩[⟨load.index⟩];
    }
//@ else
    let ⟨load.name⟩ = ⟨from⟩[⟨load.index⟩];
//@ endif
//@ for part in load.parts
    let ⟨part.name⟩ = ⟨part.value⟩;
//@ endfor
//@ endfor
//@ endmacro
//@ macro stores(butterfly, to)
//@ for line in butterfly.sums
    let ⟨line.name⟩ = ⟨line.value⟩;
//@ endfor
//@ if butterfly.rolled
    for (var j = 0u; j < ⟨butterfly.rolled⟩u; j++) {
        ⟨to⟩[⟨butterfly.stores[0].name⟩] = ⟨butterfly.stores[0].value⟩;
    }
//@ else
//@ for store in butterfly.stores
    ⟨to⟩[⟨store.name⟩] = ⟨store.value⟩;
//@ endfor
//@ endif
//@ endmacro
//@ macro in_registers(steps)
//@ for step in steps

    // ⟨step.label⟩
//@ if step.butterflies
    {
//@ for butterfly in step.butterflies
//@ if butterfly.taps
        {
//@ for tap in butterfly.taps
            let ⟨tap[0]⟩ = ⟨tap[1]⟩;
//@ endfor
//@ for result in butterfly.results
            ⟨result[0]⟩ = ⟨result[1]⟩;
//@ endfor
        }
//@ else
        ⟨butterfly.results[0][0]⟩ = ⟨butterfly.results[0][1]⟩;
//@ endif
//@ endfor
    }
//@ endif
//@ endfor
//@ endmacro

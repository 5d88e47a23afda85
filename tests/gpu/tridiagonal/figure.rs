//! Figure 6 of Argüello et al. 2012: which equations every step of cyclic reduction joins.

use super::plans;

#[test]
fn figure_6_reduces_16_equations() {
    let (_, plan) = plans(1, 16).next().unwrap();
    let columns: Vec<String> = plan
        .stages
        .iter()
        .map(|stage| {
            let of = |butterfly: papillon::plan::Butterfly| {
                let from: Vec<String> = butterfly.reads.iter().flatten().map(ToString::to_string).collect();
                format!("{}→{}", from.join(","), butterfly.writes[0])
            };
            stage.butterflies().map(of).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(
        columns,
        [
            "0,1,2→1 2,3,4→3 4,5,6→5 6,7,8→7 8,9,10→9 10,11,12→11 12,13,14→13 14,15→15",
            "1,3,5→3 5,7,9→7 9,11,13→11 13,15→15",
            "3,7,11→7 11,15→15",
            "7,15→15",
            "7,15→7",
            "3,7→3 7,11,15→11",
            "1,3→1 3,5,7→5 7,9,11→9 11,13,15→13",
            "0,1→0 1,2,3→2 3,4,5→4 5,6,7→6 7,8,9→8 9,10,11→10 11,12,13→12 13,14,15→14",
        ]
    );
    assert!(plan.in_place());
    assert_eq!(plan.stages[3].edges().iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>(), [(7, 15), (15, 15)]);
}

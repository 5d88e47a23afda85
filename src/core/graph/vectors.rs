//! Golden vectors: the values of all lanes before the first stage and after every stage, for tests of hardware.

use crate::plan::{LaneValue, Plan, Ring};
use std::fmt::Write as _;

/// How vectors are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorFormat {
    /// A row for every lane, and a column for every stage.
    Csv,
    /// A line for every lane, stage after stage, as Verilog's `$readmemh` reads it.
    Hex,
}

/// The type of the words of a hexadecimal file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Bit,
    Integer,
    Wide,
    Single,
}

impl VectorFormat {
    /// The format that the ending of a file name selects.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "hex" => Some(Self::Hex),
            _ => None,
        }
    }
}

/// The text of a file: `values[k][lane]` after k stages.
pub fn vectors(format: VectorFormat, plan: &Plan, values: &[Vec<LaneValue>]) -> String {
    match format {
        VectorFormat::Csv => csv(plan, values),
        VectorFormat::Hex => hex(plan, values),
    }
}

/// The parts of a value that are written.
fn parts(plan: &Plan) -> &'static [&'static str] {
    match plan.ring {
        Ring::Complex => &["_re", "_im"],
        Ring::Equation => &["_a", "_b", "_c", "_d"],
        _ => &[""],
    }
}

fn csv(plan: &Plan, values: &[Vec<LaneValue>]) -> String {
    let name = |stage: usize| if stage == 0 { "input".to_owned() } else { format!("stage_{stage}") };
    let columns = (0..values.len()).flat_map(|stage| parts(plan).iter().map(move |part| format!("{}{part}", name(stage))));
    let mut text = format!("lane,{}\n", columns.collect::<Vec<_>>().join(","));
    for lane in 0..plan.lanes {
        let cell = |x: f64| if x.is_nan() { String::new() } else { (x + 0.0).to_string() };
        let cells = values.iter().flat_map(|stage| stage[lane].numbers().into_iter().take(parts(plan).len()).map(cell));
        text += &format!("{lane},{}\n", cells.collect::<Vec<_>>().join(","));
    }
    text
}

fn hex(plan: &Plan, values: &[Vec<LaneValue>]) -> String {
    let numbers = || values.iter().flatten().flat_map(|value| value.numbers()).filter(|x| !x.is_nan());
    let are_whole = !matches!(plan.ring, Ring::Complex | Ring::Equation) && numbers().all(|x| x.fract() == 0.0);
    let largest = numbers().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let (word, about) = match () {
        () if plan.ring == Ring::Gf2 => (Word::Bit, "bits"),
        () if are_whole && largest <= f64::from(i32::MAX) => (Word::Integer, "32-bit integers, two's complement"),
        () if are_whole => (Word::Wide, "64-bit integers, two's complement"),
        () => (Word::Single, "IEEE 754 single precision"),
    };
    let joined = match parts(plan).len() {
        1 => String::new(),
        n => format!("; {n} numbers in a word: {}", parts(plan).join(" ").replace('_', "")),
    };
    let mut text = format!("// {} lanes, {about}{joined}\n", plan.lanes);
    for (stage, lanes) in values.iter().enumerate() {
        let label = if stage == 0 { "input" } else { plan.stages[stage - 1].label.as_str() };
        writeln!(text, "// stage {stage}: {label}\n@{:x}", stage * plan.lanes).expect("a String takes any text");
        for value in lanes {
            let words: Vec<_> = value.numbers().into_iter().take(parts(plan).len()).map(|x| word_text(word, x)).collect();
            writeln!(text, "{}", words.join("_")).expect("a String takes any text");
        }
    }
    text
}

/// A number as a word; the letter x for a lane that holds nothing.
fn word_text(word: Word, x: f64) -> String {
    let digits = match word {
        Word::Bit => 1,
        Word::Integer | Word::Single => 8,
        Word::Wide => 16,
    };
    match word {
        _ if x.is_nan() => "x".repeat(digits),
        Word::Bit => format!("{:x}", x as i64 & 1),
        Word::Integer => format!("{:08x}", x as i32),
        Word::Wide => format!("{:016x}", x as i64),
        Word::Single => format!("{:08x}", (x as f32).to_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};
    use num_complex::Complex64;

    fn run(name: &str, algorithm: &str, input: &[f64]) -> (Plan, Vec<Vec<LaneValue>>) {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(input.len()), Parameters::default()).unwrap();
        let input: Vec<Complex64> = input.iter().copied().map(Into::into).collect();
        let stage = |n| plan.run_stages(&input, n).into_iter().map(LaneValue::from).collect();
        let values = (0..=plan.stages.len()).map(stage).collect();
        (plan, values)
    }

    #[test]
    fn every_stage_has_its_column() {
        let (plan, values) = run("walsh", "constant-geometry", &[1.0, 0.0, 1.0, 1.0]);
        assert_eq!(vectors(VectorFormat::Csv, &plan, &values), "lane,input,stage_1,stage_2\n0,1,1,3\n1,0,2,1\n2,1,1,-1\n3,1,0,1\n");
    }

    #[test]
    fn words_have_the_type_of_the_values() {
        let (plan, values) = run("walsh", "constant-geometry", &[1.0, 0.0, 1.0, 1.0]);
        let text = vectors(VectorFormat::Hex, &plan, &values);
        assert!(text.starts_with("// 4 lanes, 32-bit integers") && text.contains("@8\n00000003\n00000001\nffffffff\n00000001\n"), "{text}");
        let (plan, values) = run("dft", "cooley-tukey", &[1.0, 0.0]);
        let text = vectors(VectorFormat::Hex, &plan, &values);
        assert!(text.contains("single precision") && text.contains("3f800000_00000000"), "{text}");
        let (plan, values) = run("reed-muller", "cooley-tukey", &[1.0, 0.0]);
        assert!(vectors(VectorFormat::Hex, &plan, &values).ends_with("@2\n1\n1\n"));
    }
}

//! Remedies of errors, as data.
//!
//! An error says what is wrong and lists its remedies. The command line phrases a remedy as an option, the window as a control.

use std::fmt::Display;

/// Something that a person can do about an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Something that no option or control does, such as "scale the samples".
    Advice(&'static str),
    /// Any other algorithm of the transform.
    AnotherAlgorithm,
    /// The algorithm of this name.
    Algorithm(&'static str),
    /// One of the transforms of these names, at least one.
    Transforms(Vec<&'static str>),
    /// Any other device.
    AnotherDevice,
    /// One thread of the CPU.
    OneThread,
    /// All cores of the CPU.
    AllCores,
    /// Any GPU, also one that software emulates.
    AnyGpu,
    /// Numbers of 32 bits.
    SinglePrecision,
    /// Numbers of 64 bits.
    DoublePrecision,
    /// Fewer samples.
    SmallerSize,
    /// Another number of samples.
    AnotherSize,
    /// Rows cropped or padded to this number of samples.
    Size(usize),
    /// At most this number of levels.
    Levels(usize),
    /// The mean taken away, which puts it in the place of samples that are not numbers.
    RemoveMean,
    /// A Hann window before the transform.
    HannWindow,
    /// A second signal beside the first.
    SecondSignal,
    /// A tridiagonal system, which has its own command and pane.
    System,
    /// A cyclic system, whose ends are neighbours.
    Cyclic,
    /// The right-hand side of a system from a file of its own.
    RightSide,
    /// One of the channels alone.
    OneChannel,
    /// The column of this name or number as the axis.
    TimeColumn(String),
    /// Another column as the axis.
    AnotherTime,
    /// The column that looks like times as the axis.
    AutomaticTime,
    /// No column as the axis: numbers in it are a channel.
    NoTime,
    /// The samples counted, without a column of times.
    SampleIndex,
    /// Every row of a table as a signal of its own.
    Batch,
    /// Another way to take samples at even steps, or none.
    Resample,
    /// Points before the fractions of numbers, and commas between thousands.
    DecimalPoints,
    /// Commas before the fractions of numbers.
    DecimalCommas,
    /// Missing values filled.
    FillMissing,
    /// Missing values refused.
    RefuseMissing,
    /// A page, slice or frame of the file, which has this many.
    Page(usize),
    /// The numbers of a table as an image.
    Image,
    /// Rows and columns as the file stores them.
    AsStored,
    /// The image turned upright, as the file asks for.
    Upright,
    /// How samples without a header are stored: their type, the number of channels and the rate.
    Raw,
    /// A file in one of the formats with these endings (without the dot), at least one.
    Formats(Vec<&'static str>),
}

/// An error that knows what can be done about it. Its own text says only what is wrong.
pub trait Remedies: Display {
    /// The remedies, the most useful first.
    fn remedies(&self) -> Vec<Remedy> {
        Vec::new()
    }
}

/// The text of an error and its remedies in one line: "what is wrong: do this, or do that".
/// `phrase` words one remedy, with its verb first.
pub fn with_remedies(error: &(impl Remedies + ?Sized), phrase: impl Fn(&Remedy) -> String) -> String {
    let phrases: Vec<String> = error.remedies().iter().map(phrase).collect();
    if phrases.is_empty() { error.to_string() } else { format!("{error}: {}", joined(&phrases)) }
}

/// The endings of files as alternatives: ".npy, .csv or .wav".
pub fn ending_list(endings: &[&str]) -> String {
    let dotted: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    match dotted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => dotted.concat(),
    }
}

/// The phrases as alternatives; a verb that the phrase before has too is left out.
fn joined(phrases: &[String]) -> String {
    let mut text = String::new();
    let mut last_verb = "";
    for (index, phrase) in phrases.iter().enumerate() {
        let (verb, object) = phrase.split_once(' ').unwrap_or((phrase, ""));
        text += match index {
            0 => "",
            _ if index + 1 == phrases.len() => ", or ",
            _ => ", ",
        };
        text += if verb == last_verb { object } else { phrase };
        last_verb = verb;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;

    impl Display for Full {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the memory is full")
        }
    }

    impl Remedies for Full {
        fn remedies(&self) -> Vec<Remedy> {
            vec![Remedy::Advice("crop the input"), Remedy::SmallerSize, Remedy::OneThread]
        }
    }

    #[test]
    fn remedies_follow_the_error_and_share_their_verb() {
        let phrase = |remedy: &Remedy| match remedy {
            Remedy::Advice(text) => (*text).to_owned(),
            other => format!("take {other:?}"),
        };
        assert_eq!(with_remedies(&Full, phrase), "the memory is full: crop the input, take SmallerSize, or OneThread");
    }
}

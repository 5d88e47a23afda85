//! Words an error for the command line: its remedies are options and commands.

use crate::remedy::{Remedies, Remedy, ending_list, with_remedies};

/// The problem, and the options that help.
pub(super) fn in_words(error: &(impl Remedies + ?Sized)) -> String {
    with_remedies(error, phrase)
}

fn phrase(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Advice(text) => (*text).into(),
        Remedy::AnotherAlgorithm => "take another algorithm".into(),
        Remedy::Algorithm(name) => format!("take -a {name}"),
        Remedy::Transforms(names) => format!("take -t {}", names.join(", ")),
        Remedy::AnotherDevice => "take another device".into(),
        Remedy::OneThread => "take -d cpu".into(),
        Remedy::AllCores => "take -d cpu-parallel".into(),
        Remedy::AnyGpu => "take -d gpu".into(),
        Remedy::SinglePrecision => "take --precision single".into(),
        Remedy::DoublePrecision => "take --precision double".into(),
        Remedy::SmallerSize => "take a smaller size".into(),
        Remedy::AnotherSize => "take another --size, or none".into(),
        Remedy::Size(n) => format!("take {n}, or crop or pad the input, as papillon transform --size {n} does"),
        Remedy::Levels(0) => "take --levels 0".into(),
        Remedy::Levels(most) => format!("take --levels {most}, or fewer"),
        Remedy::RemoveMean => "put the mean in their place by --detrend mean".into(),
        Remedy::HannWindow => "take --window hann".into(),
        Remedy::SecondSignal => "papillon convolve takes two signals".into(),
        Remedy::System => "papillon solve reads the equations of a system".into(),
        Remedy::Cyclic => "take --cyclic to make the ends neighbours".into(),
        Remedy::RightSide => "give a file with d by --right".into(),
        Remedy::OneChannel => "choose one channel by --channel".into(),
        Remedy::TimeColumn(column) => format!("take --time {column} to make it the axis"),
        Remedy::AnotherTime => "name another column with --time".into(),
        Remedy::AutomaticTime => "leave out --time to take the column that looks like times".into(),
        Remedy::NoTime => "take --time none to make it a channel".into(),
        Remedy::SampleIndex => "take --time index to count the samples".into(),
        Remedy::Batch => "take --batch to make every row a signal".into(),
        Remedy::Resample => "take --uneven linear, cubic or even".into(),
        Remedy::DecimalPoints => "take --decimal point to read points as decimal signs".into(),
        Remedy::DecimalCommas => "take --decimal comma to read commas as decimal signs".into(),
        Remedy::FillMissing => "take --missing interpolate".into(),
        Remedy::RefuseMissing => "take --missing refuse to refuse them".into(),
        Remedy::Page(1) => "leave out --page".into(),
        Remedy::Page(total) => format!("take --page with a number from 1 to {total}"),
        Remedy::Image => "take papillon spectrum to read it as an image".into(),
        Remedy::AsStored => "take --as-stored to leave rows and columns as they are".into(),
        Remedy::Upright => "leave out --as-stored to turn it upright".into(),
        Remedy::Raw => "take --raw TYPE,CHANNELS,RATE to say how samples without a header are stored, as --raw s16,2,44100".into(),
        Remedy::Formats(endings) => format!("write {}", ending_list(endings)),
    }
}

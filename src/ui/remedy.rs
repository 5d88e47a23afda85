//! Words an error for the window: its remedies are settings of the controls, named by their labels.

use crate::remedy::{Remedies, Remedy, ending_list, with_remedies};
use crate::transforms::transform;

/// The problem, and the controls that help.
pub(super) fn in_words(error: &(impl Remedies + ?Sized)) -> String {
    with_title(with_remedies(error, phrase))
}

/// The same for an image, above the buttons that give it a size: they know both sides.
pub(super) fn in_words_of_image(error: &(impl Remedies + ?Sized)) -> String {
    with_title(with_remedies(error, |remedy| match remedy {
        Remedy::Size(_) => "pad or crop the image".into(),
        other => phrase(other),
    }))
}

/// The text with the title of its transform.
fn with_title(text: String) -> String {
    match text.split_once(' ') {
        // Errors that are about a transform begin with its name.
        Some((name, rest)) if let Ok(transform) = transform(name) => format!("{} {rest}", transform.title),
        _ => text,
    }
}

/// The titles of transforms by their names.
fn titles(names: &[&'static str]) -> String {
    names.iter().map(|&name| transform(name).map_or(name, |transform| transform.title)).collect::<Vec<_>>().join(", ")
}

fn phrase(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Advice(text) => (*text).into(),
        Remedy::AnotherAlgorithm => "choose another Algorithm".into(),
        Remedy::Algorithm(name) => format!("choose the Algorithm {name}"),
        Remedy::Transforms(names) => format!("choose the Transform {}", titles(names)),
        Remedy::AnotherDevice => "choose another Device".into(),
        Remedy::OneThread => "choose the Device CPU, one thread".into(),
        Remedy::AllCores => "choose the Device CPU, all cores".into(),
        Remedy::AnyGpu => "choose the Device GPU".into(),
        Remedy::SinglePrecision => "choose the Precision Single".into(),
        Remedy::DoublePrecision => "choose the Precision Double".into(),
        Remedy::SmallerSize => "choose a smaller size".into(),
        Remedy::AnotherSize => "choose another size".into(),
        Remedy::Size(n) => format!("crop or pad the input to {n} samples"),
        Remedy::Levels(0) => "set Levels to 0".into(),
        Remedy::Levels(most) => format!("set Levels to {most} or fewer"),
        Remedy::RemoveMean => "remove the Mean in Preparation, which puts it in their place".into(),
        Remedy::HannWindow => "choose the Window Hann".into(),
        Remedy::SecondSignal => "choose a second signal in the pane Source".into(),
        Remedy::System => "open the pane System".into(),
        Remedy::Cyclic => "papillon solve --cyclic makes the ends neighbours".into(),
        Remedy::RightSide => "add a fourth column with d".into(),
        Remedy::OneChannel => "choose one Channel".into(),
        Remedy::TimeColumn(column) => format!("choose {column} as the Time axis"),
        Remedy::AnotherTime => "choose another Time axis".into(),
        Remedy::AutomaticTime => "choose Automatic as the Time axis".into(),
        Remedy::NoTime => "choose None as the Time axis".into(),
        Remedy::SampleIndex => "choose Index as the Time axis".into(),
        Remedy::Batch => "choose Rows are signals".into(),
        Remedy::Resample => "choose another way for uneven steps under Reading".into(),
        Remedy::DecimalPoints => "choose Point as the Decimal sign under Reading".into(),
        Remedy::DecimalCommas => "choose Comma as the Decimal sign under Reading".into(),
        Remedy::FillMissing => "choose Interpolate under Reading".into(),
        Remedy::RefuseMissing => "choose Refuse the table under Reading".into(),
        Remedy::Page(total) => format!("choose a number from 1 to {total}"),
        Remedy::Image => "choose Make it an image".into(),
        Remedy::AsStored => "choose As stored".into(),
        Remedy::Upright => "choose Upright".into(),
        Remedy::Raw => "give a file of samples without a header an ending that says their type, such as .s16, .f32 or .cu8".into(),
        Remedy::Formats(endings) => format!("choose the ending {}", ending_list(endings)),
    }
}

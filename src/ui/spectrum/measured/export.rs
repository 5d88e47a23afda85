//! A measured spectrum for other programs: its values with their axis, and the command and the script that give the same numbers.

use super::curve::Curve;
use crate::engine::RecordingPart;
use crate::prepare::{Detrend, Window, Windowing};
use crate::signal::{ChannelChoice, Encoding, RawFormat, SampleType, short_name};
use crate::spectra::{Frames, Quantity, Reference};
use crate::ui::export::{Export, SpectrumValues};
use crate::ui::origin::Origin;
use crate::ui::recording_command::{RecordingCommand, file_of};
use crate::ui::settings::SignalLook;

/// The values as they are shown, with their frequencies and everything that they depend on.
pub(super) fn values(part: &RecordingPart, curve: &Curve, ending: &'static str) -> Export {
    let stem = short_name(&part.signal.name);
    let stem = stem.rsplit_once('.').map_or(stem.as_str(), |(stem, _)| stem);
    let values = curve.exact();
    Export::Spectrum(Box::new(SpectrumValues {
        stem: format!("{stem}-spectrum"),
        ending,
        settings: head(part, curve),
        label: curve.scaling.label(),
        unit: curve.scaling.rate.frequency(),
        frequencies: (0..values.len()).map(|at| curve.frequency(at as f64)).collect(),
        values,
    }))
}

/// The quantity of the values, and everything that they depend on.
fn head(part: &RecordingPart, curve: &Curve) -> Vec<String> {
    let signal = &part.signal;
    let mut lines = vec![
        format!("signal: {}", signal.name),
        format!("channel: {}", signal.channel_name(part.channel)),
        format!("samples: {} to {}", part.samples.start, part.samples.end),
        format!("value: {}", curve.scaling.label()),
        format!("frequency: {}", curve.scaling.rate.frequency()),
    ];
    lines.extend(curve.facts());
    lines
}

/// The command line that gives the same numbers.
pub(super) fn command(look: &SignalLook, origin: &Origin, part: &RecordingPart) -> String {
    let frames = look.frames(part.samples.len());
    let mut line = RecordingCommand::new("spectrum", origin, part);
    if frames.length < part.samples.len() {
        line.frames(&frames);
        line.option("average", look.average.name());
    }
    line.window(look.window);
    if look.padding > 1 {
        line.option("pad", format!("{}x", look.padding));
    }
    if look.detrend != Detrend::None {
        line.option("detrend", if look.detrend == Detrend::Mean { "mean" } else { "line" });
    }
    line.option("quantity", look.quantity.name());
    line.option("precision", "double");
    line.reference(look.reference, &part.signal);
    if look.decibels && look.quantity != Quantity::Phase {
        line.word("--db");
    }
    line.written_to("spectrum.csv")
}

/// The window as SciPy names it.
fn scipy_window(windowing: Windowing, length: usize) -> String {
    let value = windowing.parameter.or(windowing.shape.parameter().map(|(_, usual, _)| usual)).unwrap_or_default();
    match windowing.shape {
        Window::None => "'boxcar'".to_owned(),
        Window::BlackmanHarris => "'blackmanharris'".to_owned(),
        Window::FlatTop => "'flattop'".to_owned(),
        Window::Tukey => format!("('tukey', {value})"),
        Window::Gauss => format!("('gaussian', {})", value * length as f64 / 2.0),
        Window::Kaiser => format!("('kaiser', {value})"),
        Window::Hann | Window::Hamming | Window::Blackman => format!("'{}'", windowing.shape.name()),
    }
}

/// A script for NumPy and SciPy that gives the same numbers.
pub(super) fn script(look: &SignalLook, origin: &Origin, (part, curve): (&RecordingPart, &Curve)) -> String {
    let (Frames { length, hop, points, .. }, calibration) = (curve.spectrum.frames, curve.spectrum.calibration);
    let average = match look.average.name() {
        "median" => "np.median(power, axis=0)",
        "max" => "power.max(axis=0)",
        "min" => "power.min(axis=0)",
        _ => "power.mean(axis=0)",
    };
    let detrend = match look.detrend {
        Detrend::None => "",
        Detrend::Mean => "frames = scipy.signal.detrend(frames, type='constant')\n",
        Detrend::Plane => "frames = scipy.signal.detrend(frames, type='linear')\n",
    };
    let (fft, sides) = match calibration.is_complex {
        true => ("np.fft.fftshift(np.fft.fft(frames * w, points), axes=-1)", "sides = 1.0"),
        false => (
            "np.fft.rfft(frames * w, points)",
            "sides = np.full(points // 2 + 1, 2.0)\nsides[0] = 1.0\nif points % 2 == 0:\n    sides[-1] = 1.0",
        ),
    };
    let frequencies =
        if calibration.is_complex { "np.fft.fftshift(np.fft.fftfreq(points, 1 / rate))" } else { "np.fft.rfftfreq(points, 1 / rate)" };
    let value = match look.quantity {
        Quantity::Magnitude => "np.sqrt(power)",
        Quantity::Amplitude => "sides * np.sqrt(power) / w.sum()",
        Quantity::Rms => "np.sqrt(sides * power) / w.sum()",
        Quantity::Power => "sides * power / w.sum() ** 2",
        Quantity::Density => "sides * power / (rate * (w ** 2).sum())",
        Quantity::DensityRoot => "np.sqrt(sides * power / (rate * (w ** 2).sum()))",
        Quantity::Phase => "np.angle(spectra[0])",
    };
    let decibels = if curve.scaling.decibels {
        let factor = if look.quantity.is_power() { 10 } else { 20 };
        let zero = curve.scaling.reference.of(look.quantity, &calibration);
        let said = if matches!(curve.scaling.reference, Reference::FullScale(_)) { "  # a full-scale sine" } else { "" };
        format!("value = {factor} * np.log10(value / {zero:?}){said}\n")
    } else {
        String::new()
    };
    let smoothing = match look.smoothing {
        0 => String::new(),
        part => format!(
            "# mean power over 1/{part} octave\nhalf, raised = 2 ** (0.5 / {part}), value ** {}\n\
             ends = np.sort([frequency / half, frequency * half], axis=0)\n\
             value = np.array([raised[(frequency >= low) & (frequency <= high)].mean() for low, high in ends.T]) ** (1 / {})\n",
            if look.quantity.is_power() { 1 } else { 2 },
            if look.quantity.is_power() { 1 } else { 2 },
        ),
    };
    format!(
        "import numpy as np\nimport scipy.io.wavfile\nimport scipy.signal\n\n{read}rate = {rate:?}\nx = x[{from}:{to}]\nlength, hop, points = {length}, {hop}, {points}\n\
         w = scipy.signal.get_window({window}, length)\n\
         frames = np.lib.stride_tricks.sliding_window_view(x, length)[::hop]\n{detrend}spectra = {fft}\npower = np.abs(spectra) ** 2\n\
         power = {average}\n{sides}\nfrequency = {frequencies}\nvalue = {value}\n{smoothing}{decibels}\
         np.savetxt('spectrum.csv', np.column_stack([frequency, value]), delimiter=',', header='frequency,value', comments='')\n",
        read = reading(origin, part),
        rate = part.rate.per_unit,
        from = part.samples.start,
        to = part.samples.end,
        window = scipy_window(look.window, length),
    )
}

/// The lines of the script that read the samples of the channel: a WAV, samples without a header, another recording, an array or a table.
fn reading(origin: &Origin, part: &RecordingPart) -> String {
    const SCALE: &str = "scale = {'int8': (0, 2 ** 7), 'uint8': (128, 128), 'int16': (0, 2 ** 15), 'int32': (0, 2 ** 31)}.get(x.dtype.name, (0, 1))\nx = (x - float(scale[0])) / scale[1]\n";
    let (path, signal) = (file_of(origin), &part.signal);
    let ending = path.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
    let channel = match part.channel {
        ChannelChoice::Iq => "x = x[:, 0] + 1j * x[:, 1]\n".to_owned(),
        ChannelChoice::Mix => "x = x.mean(axis=1)\n".to_owned(),
        ChannelChoice::Channel(index) if signal.channels.len() > 1 => format!("x = x[:, {index}]\n"),
        _ if signal.channels.len() > 1 => "x = x[:, 0]\n".to_owned(),
        _ => String::new(),
    };
    match (signal.raw, signal.is_recording(), ending.as_str()) {
        (Some(raw), ..) => {
            raw_reading(&path, raw)
                + SCALE
                + if raw.encoding.is_complex { "x = x[:, 0::2] + 1j * x[:, 1::2]\n" } else { "" }
                + &if signal.channels.len() > 1 { channel } else { "x = x[:, 0]\n".to_owned() }
        }
        (None, true, "wav" | "wave") => format!("x = scipy.io.wavfile.read({path:?})[1]\n{SCALE}{channel}"),
        (None, true, _) => format!("import soundfile\nx = soundfile.read({path:?})[0]\n{channel}"),
        (None, false, "npy") => format!("x = np.load({path:?}).reshape(-1)\n"),
        (None, false, _) => {
            let (column, has_header) = table_column(part);
            let delimiter = if ending == "tsv" { "\\t" } else { "," };
            format!("x = np.genfromtxt({path:?}, delimiter='{delimiter}', skip_header={}, usecols={column})\n", u8::from(has_header))
        }
    }
}

/// The line that reads samples without a header, a row for each frame and a column for each number of it.
fn raw_reading(path: &str, raw: RawFormat) -> String {
    let Encoding { sample_type, is_big_endian, is_complex } = raw.encoding;
    let columns = usize::from(raw.channels) * if is_complex { 2 } else { 1 };
    let order = if is_big_endian { '>' } else { '<' };
    let name = match sample_type {
        SampleType::U8 => "u1",
        SampleType::S8 => "i1",
        SampleType::S16 => "i2",
        SampleType::S32 => "i4",
        SampleType::F32 => "f4",
        SampleType::F64 => "f8",
        // The upper three bytes of four.
        SampleType::S24 => {
            let pad = if is_big_endian { "(0, 1)" } else { "(1, 0)" };
            return format!(
                "x = np.pad(np.fromfile({path:?}, 'u1').reshape(-1, 3), ((0, 0), {pad})).view('{order}i4').reshape(-1, {columns})\n"
            );
        }
        SampleType::ALaw | SampleType::MuLaw => {
            return format!(
                "# NumPy reads no {sample_type}: write it as WAV first\nx = np.fromfile({path:?}, 'u1').reshape(-1, {columns})\n"
            );
        }
    };
    format!("x = np.fromfile({path:?}, '{order}{name}').reshape(-1, {columns})\n")
}

/// The column of a table that holds a channel, and whether the table has a header.
fn table_column(part: &RecordingPart) -> (usize, bool) {
    let channel = if let ChannelChoice::Channel(index) = part.channel { index } else { 0 };
    let Some(table) = &part.signal.table else { return (channel, true) };
    let column = table.columns.iter().position(|column| column.channel == Some(channel)).unwrap_or(channel);
    (column, table.columns.get(column).is_none_or(|found| found.name != format!("column {}", column + 1)))
}

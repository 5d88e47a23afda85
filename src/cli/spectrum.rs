//! `papillon spectrum`: the spectrum of a recording, the spectrum image of an image, or a periodogram.

mod recording;

use super::arguments::{ComputeArguments, one_of};
use super::lomb_scargle::{self, LombScargleArguments};
use super::preparation::{PreparationArguments, say_preparation};
use super::progress::Progress;
use super::signals::{is_recording, refuse};
use super::stopwatch::Stopwatch;
use super::table::{ChannelArguments, TableArguments};
use super::transform::{say_how, say_losses};
use super::{Failure, check_memory, output, say, tell_notes};
use crate::display::{Colormap, DB_FLOOR, DisplayFrame, Look, Scale, ValuePart, render};
use crate::engine::{Devices, Job, Values, compute_to_memory};
use crate::numerals::{fixed, grouped, number};
use crate::remedy::ending_list;
use crate::signal::{PixelSize, Signal, encode_image_png};
use crate::threads;
use crate::transforms::{Axes, Shape, transform};
use clap::Args;
use recording::RecordingArguments;
use std::f64::consts::{LOG10_2, LOG10_E};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the spectrum of a recording, the spectrum image of an image, or the Lomb-Scargle periodogram of a signal.
///
/// A recording has one transform of its selection under a Hann window, or with --length the average of its frames (Welch): columns frequency,value, an array of values, or a picture. Images, arrays of two dimensions and CSV without a header are images, unless --rate, --raw or --time says otherwise.
/// In a spectrum image index (0, 0) is in the middle, at [rows/2, columns/2]; the smallest value is black, the largest white.
///
/// Example: papillon spectrum engine.wav --length 8192 --overlap 50% --quantity density -o engine.csv
/// Example: arecord -t wav -d 5 | papillon spectrum - --from 1s --db -o - --format json
/// Example: papillon spectrum photo.png --region 100,50,256,256 --window hann --pad fast --pixel-size 0.2nm -o spectrum.png
/// Example: papillon spectrum --lomb-scargle star.csv -o periodogram.csv
#[derive(Debug, Args)]
pub(super) struct SpectrumArguments {
    /// A recording, - for standard input, an array or a table; or PNG, JPEG, TIFF, BMP, WebP, GIF, or a two-dimensional array as NPY, NPZ, CSV or TSV.
    image: PathBuf,
    #[command(flatten)]
    recording: RecordingArguments,
    /// The values of a spectrum image: log (log10(1 + |X|)), db, linear, sqrt, power or phase [default: log].
    #[arg(long, value_parser = one_of::<SpectrumScale>(), ignore_case = true)]
    scale: Option<SpectrumScale>,
    /// Leaves index (0, 0) in the top left corner.
    #[arg(long)]
    no_shift: bool,
    /// The colours of a spectrum image: gray, viridis, magma, inferno, plasma, cividis, turbo, cubehelix, sinebow, rainbow, rdbu, puor, or hue (the phase as hue, the value as brightness) [default: gray].
    #[arg(long, value_parser = one_of::<Colormap>(), ignore_case = true)]
    colormap: Option<Colormap>,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    preparation: PreparationArguments,
    /// Size of a pixel with its unit, such as 0.2nm or 0.2x0.3mm [default: that of the file, if it has one].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pixel_size: Option<PixelSize>,
    #[command(flatten)]
    periodogram: LombScargleArguments,
    #[command(flatten)]
    compute: ComputeArguments,
    #[arg(short, long, value_name = "OUTPUT", help = output_help())]
    output: PathBuf,
}

/// The help of the output.
fn output_help() -> String {
    let endings = ending_list(&recording::endings());
    format!(
        "A file that ends in .png for an image, .csv or .json with --lomb-scargle, and {endings} for a recording; or - for standard output"
    )
}

crate::choice! {
    /// The quantity and scale of a spectrum image.
    enum SpectrumScale {
        /// log10(1 + |X|).
        #[default]
        Log = "log", "log";
        /// 20·log10 |X|.
        Db = "dB", "db";
        /// |X|.
        Linear = "linear", "linear";
        /// √|X|.
        Sqrt = "sqrt", "sqrt";
        /// |X|².
        Power = "power", "power";
        /// The angle of X in radians.
        Phase = "phase", "phase";
    }
}

impl SpectrumScale {
    /// Samples stay as they are while the exponent of the largest one is within ±this.
    fn limit(self) -> i32 {
        if self == Self::Log { 90 } else { 30 }
    }

    /// Quantity and scale for the display of samples that were divided by 2^`exponent`.
    fn look(self, exponent: i32) -> (ValuePart, Scale) {
        match self {
            // log10(1 + x) is proportional to x where x is small, and log10 x where it is large.
            Self::Log if exponent < 0 => (ValuePart::Magnitude, Scale::Linear),
            Self::Log if exponent > 0 => (ValuePart::Magnitude, Scale::Db),
            Self::Log => (ValuePart::Magnitude, Scale::Log),
            Self::Db => (ValuePart::Magnitude, Scale::Db),
            Self::Linear => (ValuePart::Magnitude, Scale::Linear),
            Self::Sqrt => (ValuePart::Magnitude, Scale::Sqrt),
            Self::Power => (ValuePart::Power, Scale::Linear),
            Self::Phase => (ValuePart::Phase, Scale::Linear),
        }
    }

    /// A scaled value of the samples before they were divided by 2^`exponent`.
    fn written(self, shown: f32, exponent: i32) -> String {
        let (value, decades) = (f64::from(shown), f64::from(exponent) * LOG10_2);
        match self {
            _ if exponent == 0 => fixed(value, 6),
            Self::Log if exponent < 0 => times_power_of_ten(value * LOG10_E, decades),
            Self::Log if shown <= DB_FLOOR => "0".into(),
            Self::Log => number(value / 20.0 + decades, 6),
            Self::Db => number(value + 20.0 * decades, 6),
            Self::Linear => times_power_of_ten(value, decades),
            Self::Sqrt => times_power_of_ten(value, decades / 2.0),
            Self::Power => times_power_of_ten(value, 2.0 * decades),
            Self::Phase => number(value, 6),
        }
    }
}

/// `value` · 10^`decades` in six digits, also where it leaves the range of numbers.
fn times_power_of_ten(value: f64, decades: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let decades = value.abs().log10() + decades;
    let mantissa = 10f64.powf(decades - decades.floor()).copysign(value);
    grouped(&format!("{}e{}", number(mantissa, 6), decades.floor())).replace('-', "−")
}

pub(super) fn run(arguments: &SpectrumArguments) -> Result<(), Failure> {
    let select = &arguments.recording.select;
    if arguments.periodogram.lomb_scargle {
        let source = (arguments.image.as_path(), &arguments.table, &arguments.channel, select.rate);
        return lomb_scargle::run(&arguments.periodogram, source, &arguments.output);
    }
    let mut watch = Stopwatch::start();
    let mut devices = super::devices::here().opening(&arguments.compute.device);
    let signal = arguments.table.load_silently(&arguments.image)?;
    watch.lap("read");
    if !is_recording(&signal, &arguments.table, select) {
        refuse(&signal, "an image", arguments.recording.given())?;
        tell_notes(&signal, |_| true);
        return write_image(arguments, signal, &mut devices, watch);
    }
    refuse(&signal, "a recording", arguments.of_images())?;
    refuse(&signal, "a recording", arguments.preparation.of_images())?;
    tell_notes(&signal, |_| true);
    let recording = select.of(signal, &arguments.channel.channel)?;
    recording::run(&arguments.recording, &arguments.preparation, &arguments.compute, (&recording, &arguments.output))
}

impl SpectrumArguments {
    /// The options that recordings do not have.
    fn of_images(&self) -> [(&'static str, bool); 4] {
        [
            ("scale", self.scale.is_some()),
            ("no-shift", self.no_shift),
            ("colormap", self.colormap.is_some()),
            ("pixel-size", self.pixel_size.is_some()),
        ]
    }
}

/// Writes the spectrum image.
fn write_image(arguments: &SpectrumArguments, mut signal: Signal, devices: &mut Devices, mut watch: Stopwatch) -> Result<(), Failure> {
    let transform = transform("dft2")?;
    let algorithm = arguments.compute.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
    check_ending(&arguments.output)?;
    output::check(&arguments.output)?;
    let channel = arguments.channel.of(&signal)?;
    check_memory(Shape { rows: signal.rows, columns: signal.columns })?;
    let scale = arguments.scale.unwrap_or_default();
    let colormap = arguments.colormap.unwrap_or(Colormap::Gray);
    signal.pixel_size = arguments.pixel_size.or(signal.pixel_size);
    let pixel_size = signal.pixel_size;
    let name = signal.name.clone();
    // Squares and sums of extreme samples would leave the range of the picture.
    let exponent = signal.extreme_exponent(scale.limit());
    let signal = if exponent == 0 { signal } else { signal.times_power_of_two(-exponent) };
    let preparation = arguments.preparation.of(transform.axes, signal.rows)?;
    let job = Job {
        channel,
        algorithm: algorithm.map(|algorithm| algorithm.name),
        device: arguments.compute.device.clone(),
        precision: arguments.compute.numbers.precision,
        preparation,
        ..Job::new(Arc::new(signal), transform.name)
    };
    let cancel = super::cancel();
    let progress = Progress::start(format!("computing the spectrum of {name}"));
    let computed = compute_to_memory(&job, devices, cancel)?;
    watch.lap_of_run(&computed.outcome.times);
    let values = computed.stored.values(cancel)?;
    let losses = computed.outcome.losses_of_values(&[&job.signal], &values);
    drop(job);
    watch.lap_of_values(&computed.outcome.times);
    let (quantity, display) = scale.look(exponent);
    let look = Look { quantity, scale: display, range: None, shifted: !arguments.no_shift, colormap, ..Look::default() };
    let shape = computed.outcome.shape;
    let range = values.extremes(shape, &look);
    if range[0] == range[1] && !values.exact(shape, 0, 0).is_finite() {
        return Err(Failure::Work(format!(
            "the spectrum of {name} has no finite value: its samples are infinite, not a number, or too large; --detrend mean puts the mean in the place of such samples"
        )));
    }
    let pixels = pixels(&values, shape, &look, range);
    watch.lap("image");
    let (_, usual) = scale.look(0);
    let [low, high] = range.map(|value| scale.written(value, exponent));
    let shown = format!("{} from {low} to {high}", usual.label(quantity));
    say_how(transform, &computed.outcome);
    let frequencies = pixel_size.map_or(String::new(), |size| format!(", {}", frequencies(size, shape)));
    let shown = format!("{shown}{frequencies}");
    let description = describe(arguments, &name, say_preparation(&computed.outcome), &shown);
    output::bytes(&arguments.output, |out| encode_image_png(out, shape.rows, shape.columns, &pixels, &description))?;
    watch.lap("write");
    drop(progress);
    say_losses(&losses);
    say(&shown);
    say(&watch.line());
    Ok(())
}

/// The pixels of the spectrum image: gray levels, or RGB.
fn pixels(values: &Values, shape: Shape, look: &Look, range: [f32; 2]) -> Vec<u8> {
    if look.colormap != Colormap::Hue {
        return coloured(values.levels(shape, Axes::Both, look, range), look.colormap);
    }
    let at = |row: usize, column: usize| values.at(shape, row, column);
    let rgba = render(at, shape, Axes::Both, look, range, DisplayFrame::whole(shape));
    rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

/// The frequencies that a pixel of the spectrum covers, from the size of a pixel of the image.
fn frequencies(PixelSize { width, height, unit }: PixelSize, shape: Shape) -> String {
    let [across, down] = [1.0 / (width * shape.columns as f64), 1.0 / (height * shape.rows as f64)].map(|step| number(step, 6));
    let unit = unit.frequency();
    if across == down { format!("{across} {unit} a pixel") } else { format!("{across} {unit} a pixel across and {down} down") }
}

/// The description in the image file.
fn describe(arguments: &SpectrumArguments, name: &str, preparation: Option<String>, shown: &str) -> String {
    let channel = &arguments.channel.channel;
    let prepared = preparation.unwrap_or_else(|| "not prepared".to_owned());
    let centre = if arguments.no_shift { "index 0 in the top left corner" } else { "index 0 in the middle" };
    format!("Spectrum of {name}, channel {channel}, {prepared}: {shown}, {centre}. Papillon {}", env!("CARGO_PKG_VERSION"))
}

/// Refuses any ending but .png.
fn check_ending(path: &Path) -> Result<(), Failure> {
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_png || output::is_standard(path) {
        return Ok(());
    }
    Err(Failure::Call(format!(
        "cannot write {}: a spectrum image is written as .png; for its values take 'papillon transform -t dft2' with .npy or .csv",
        path.display()
    )))
}

/// Gray levels unchanged; other colour maps as RGB.
fn coloured(levels: Vec<u8>, colormap: Colormap) -> Vec<u8> {
    if colormap == Colormap::Gray {
        return levels;
    }
    let lut = colormap.lut();
    threads::convert(&levels, |level| std::array::from_fn::<u8, 3, _>(|part| lut[usize::from(level)][part])).into_flattened()
}

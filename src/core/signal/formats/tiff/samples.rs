//! From the bytes of strips and tiles to channels: samples of any number of bits, in either order, of every meaning.

use super::chunks::Chunk;
use super::page::{Colours, JPEG, Kind, Page};
use crate::signal::formats::directory::File;
use crate::signal::formats::pixels::{ALPHA, PALETTE, to_i64};
use crate::signal::{Cause, Channel, Note, Samples, Signal, SignalKind};
use crate::threads;
use npyz::half::f16;
use num_complex::{Complex32, Complex64};

/// The strips and tiles of a page, unpacked.
struct Unpacked<'a> {
    page: &'a Page<'a>,
    file: File<'a>,
    chunks: Vec<Chunk<'a>>,
}

/// The image of a page.
///
/// # Errors
/// When a strip or tile is missing, cut or damaged, or the samples are of a kind that is not read.
pub(super) fn image(page: &Page<'_>, file: File<'_>) -> Result<Signal, Cause> {
    let names = names(page);
    // Planes that are left out are not unpacked where they are stored apart.
    let wanted = names.iter().map(|(sample, _)| sample + 1).max().unwrap_or(1);
    let unpacked = Unpacked { page, file, chunks: page.unpacked(file, if page.colours == Colours::Ink { 4 } else { wanted })? };
    let mut notes = Vec::new();
    let channels = match page.colours {
        Colours::Palette => unpacked.palette()?,
        Colours::Ink => {
            notes.push("Four inks (CMYK) are converted to red, green and blue without a colour profile.".into());
            unpacked.ink()?
        }
        Colours::YCbCr if page.compression != JPEG => unpacked.luminance()?,
        _ => names.into_iter().map(|(sample, name)| Ok(Channel::new(name, unpacked.samples(sample)?))).collect::<Result<_, Cause>>()?,
    };
    notes.extend(self::notes(page));
    let mut signal = Signal::from_channels("", SignalKind::Image, (page.rows, page.columns), channels);
    signal.notes = notes;
    Ok(signal)
}

/// The samples of a pixel that become channels, with their names.
fn names(page: &Page<'_>) -> Vec<(usize, String)> {
    let colours: &[&str] = match page.colours {
        Colours::Gray { .. } | Colours::Mosaic | Colours::Palette => &["gray"],
        Colours::Rgb | Colours::Ink | Colours::YCbCr => &["red", "green", "blue"],
    };
    let n_colours = if page.colours == Colours::Ink { 4 } else { colours.len() };
    // Without the tag that says what they are, samples behind the colours are channels.
    let first_extra = (page.samples.saturating_sub(page.extra.len())).max(n_colours);
    let is_alpha = |sample: &usize| *sample >= first_extra && matches!(page.extra.get(sample - first_extra), Some(1 | 2));
    let channels: Vec<usize> = (0..page.samples).filter(|sample| !is_alpha(sample)).collect();
    let are_bands = colours.len() == 1 && channels.len() > 1;
    let name = |sample: usize| match colours.get(sample) {
        _ if are_bands => format!("band {}", sample + 1),
        Some(colour) => (*colour).to_owned(),
        None => (sample + 1).to_string(),
    };
    channels.into_iter().map(|sample| (sample, name(sample))).collect()
}

fn notes(page: &Page<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut say = |is_so: bool, text: String| notes.extend(is_so.then(|| text.into()));
    let is_gray = matches!(page.colours, Colours::Gray { .. });
    let is_unsigned = page.kind == Kind::Unsigned;
    say(page.colours == Colours::Palette, PALETTE.to_owned());
    say(is_gray && is_unsigned && page.bits < 8, format!("{}-bit gray is spread over 0..255.", page.bits));
    let is_packed = is_unsigned && page.bits > 8 && !page.bits.is_power_of_two();
    say(is_packed, format!("Samples of {} bits keep their values, 0 to {}.", page.bits, (1_u64 << page.bits.min(63)) - 1));
    let is_white_zero = page.colours == Colours::Gray { is_white_zero: true };
    say(is_white_zero && page.kind == Kind::Signed, "The file stores white as the smallest value; x is taken as −1 − x.".to_owned());
    say(is_white_zero && page.kind == Kind::Float, "The file stores white as 0; x is taken as 1 − x.".to_owned());
    let meaning = if is_gray { "0 is taken as black" } else { "they are taken as red, green and blue" };
    say(!page.says_colours, format!("The file does not say what its samples mean (tag 262 is missing): {meaning}."));
    say(page.colours == Colours::Mosaic, "The pixels are those of a sensor behind colour filters, as stored.".to_owned());
    say(page.extra.iter().any(|extra| matches!(extra, 1 | 2)), ALPHA.to_owned());
    notes
}

impl Unpacked<'_> {
    /// A sample of every pixel, of the type in the file or the next wider one.
    fn samples(&self, sample: usize) -> Result<Samples, Cause> {
        let (bits, is_white_zero) = (self.page.bits, self.page.colours == Colours::Gray { is_white_zero: true });
        let full = u64::MAX >> (64 - bits.min(64));
        // The complement of an unsigned number is its distance from the largest one; that of a signed number x is −1 − x.
        let flip = if is_white_zero { full } else { 0 };
        let signed = move |value: u64| ((value ^ flip) << (64 - bits)) as i64 >> (64 - bits);
        let one = |value: f32| if is_white_zero { 1.0 - value } else { value };
        let is_spread = bits < 8 && matches!(self.page.colours, Colours::Gray { .. });
        Ok(match (self.page.kind, bits) {
            (Kind::Unsigned, ..8) if is_spread => {
                Samples::U8(self.gather(sample, 1, |value| (((value ^ flip) * 255 + full / 2) / full) as u8))
            }
            (Kind::Unsigned, ..=8) => Samples::U8(self.gather(sample, 1, |value| (value ^ flip) as u8)),
            (Kind::Unsigned, ..=16) => Samples::U16(self.gather(sample, 1, |value| (value ^ flip) as u16)),
            (Kind::Unsigned, ..32) => Samples::I32(self.gather(sample, 1, |value| (value ^ flip) as i32)),
            (Kind::Unsigned, ..64) => Samples::I64(self.gather(sample, 1, |value| (value ^ flip) as i64)),
            (Kind::Unsigned, _) => Samples::I64(to_i64(&self.gather(sample, 1, |value| value ^ flip))?),
            (Kind::Signed, ..=32) => Samples::I32(self.gather(sample, 1, |value| signed(value) as i32)),
            (Kind::Signed, _) => Samples::I64(self.gather(sample, 1, signed)),
            (Kind::Float, 64) if is_white_zero => Samples::F64(self.gather(sample, 1, |value| 1.0 - f64::from_bits(value))),
            (Kind::Float, 64) => Samples::F64(self.gather(sample, 1, f64::from_bits)),
            (Kind::Float, 16) => Samples::F32(self.gather(sample, 1, |value| one(f16::from_bits(value as u16).into()))),
            (Kind::Float, 24) => Samples::F32(self.gather(sample, 1, |value| one(from_24_bits(value as u32)))),
            (Kind::Float, _) => Samples::F32(self.gather(sample, 1, |value| one(f32::from_bits(value as u32)))),
            (Kind::Complex, 64) => {
                let part = |part: usize| self.gather(2 * sample + part, 2, |value| f32::from_bits(value as u32));
                Samples::Complex32(part(0).into_iter().zip(part(1)).map(|(re, im)| Complex32::new(re, im)).collect())
            }
            (Kind::Complex, _) => {
                let part = |part: usize| self.gather(2 * sample + part, 2, f64::from_bits);
                Samples::Complex64(part(0).into_iter().zip(part(1)).map(|(re, im)| Complex64::new(re, im)).collect())
            }
            (Kind::ComplexIntegers, _) => {
                let unused = 64 - bits / 2;
                let part = |part: usize| self.gather(2 * sample + part, 2, |value| ((value << unused) as i64 >> unused) as f64);
                Samples::Complex64(part(0).into_iter().zip(part(1)).map(|(re, im)| Complex64::new(re, im)).collect())
            }
        })
    }

    /// Red, green and blue of a palette. Most writers fill entries of 16 bits from colours of 8 bits, by repeating the byte or with zeros.
    fn palette(&self) -> Result<Vec<Channel>, Cause> {
        let (colours, bits) = (&self.page.palette, self.page.bits);
        let n = colours.len() / 3;
        if bits > 16 || n < 1 << bits || self.page.kind != Kind::Unsigned {
            return Err(Cause::malformed(format!("its palette of {n} colours (tag 320) does not fit indices of {bits} bits")));
        }
        let is_8_bit = colours.iter().all(|colour| colour & 0xff == colour >> 8) || colours.iter().all(|colour| colour & 0xff == 0);
        let plane = |plane: usize| match is_8_bit {
            true => Samples::U8(self.gather(0, 1, |index| (colours[plane * n + index as usize] >> 8) as u8)),
            false => Samples::U16(self.gather(0, 1, |index| colours[plane * n + index as usize] as u16)),
        };
        Ok(rgb([0, 1, 2].map(plane)))
    }

    /// Red, green and blue of four inks, where 0 means no ink: the light that the ink and black leave.
    fn ink(&self) -> Result<Vec<Channel>, Cause> {
        fn light<T: Copy>(ink: &[T], black: &[T], of: impl Fn(u64) -> T, full: u64) -> Vec<T>
        where
            u64: From<T>,
        {
            let left = |value: T| full - u64::from(value);
            ink.iter().zip(black).map(|(&ink, &black)| of((left(ink) * left(black) + full / 2) / full)).collect()
        }
        let inks = (0..4).map(|ink| self.samples(ink)).collect::<Result<Vec<_>, _>>()?;
        let full = (1 << self.page.bits.min(16)) - 1;
        let plane = |plane: usize| match (&inks[plane], &inks[3]) {
            (Samples::U8(ink), Samples::U8(black)) => Ok(Samples::U8(light(ink, black, |value| value as u8, full))),
            (Samples::U16(ink), Samples::U16(black)) => Ok(Samples::U16(light(ink, black, |value| value as u16, full))),
            _ => Err(Cause::unsupported("its four inks are not of 1 to 16 bits; save it as RGB")),
        };
        Ok(rgb([plane(0)?, plane(1)?, plane(2)?]))
    }

    /// Red, green and blue of luminance and two colour differences (Rec. 601, full range).
    fn luminance(&self) -> Result<Vec<Channel>, Cause> {
        let [Samples::U8(y), Samples::U8(cb), Samples::U8(cr)] = [self.samples(0)?, self.samples(1)?, self.samples(2)?] else {
            return Err(Cause::unsupported("its luminance is not of 8 bits; save it as RGB"));
        };
        let plane = |weights: [f32; 2]| {
            let value = |index: usize| {
                let [cb, cr] = [cb[index], cr[index]].map(|colour| f32::from(colour) - 128.0);
                // The conversion to `u8` stays within 0..=255.
                (f32::from(y[index]) + weights[0] * cb + weights[1] * cr).round() as u8
            };
            Samples::U8(threads::tabulate(y.len(), value))
        };
        Ok(rgb([plane([0.0, 1.402]), plane([-0.344_136, -0.714_136]), plane([1.772, 0.0])]))
    }

    /// A number of every pixel, where each sample has `parts`; `of` makes a value of its bits.
    fn gather<T: Copy + Default + Send>(&self, sample: usize, parts: usize, of: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let page = self.page;
        let (bits, row_bytes, across) = (page.bits / parts, page.row_bytes(), page.across());
        let step = page.samples_of_chunk() * parts;
        let (first_chunk, first) = if page.is_planar { (sample / parts * page.chunks_of_plane(), sample % parts) } else { (0, sample) };
        let mut plane = vec![T::default(); page.rows * page.columns];
        threads::for_each_chunk(&mut plane, page.columns, &|row, values| {
            let (band, row) = (row / page.chunk.1, row % page.chunk.1);
            for (tile, values) in values.chunks_mut(page.chunk.0).enumerate() {
                let chunk = &self.chunks[first_chunk + band * across + tile];
                let bytes = &chunk[row * row_bytes..(row + 1) * row_bytes];
                self.read_row(bytes, bits, (first, step), values, &of);
            }
        });
        plane
    }

    /// Every `step`-th number of a row from the `first` on. Numbers of whole bytes have the order of the file; others follow each other bit by bit.
    fn read_row<T>(&self, row: &[u8], bits: usize, (first, step): (usize, usize), values: &mut [T], of: &impl Fn(u64) -> T) {
        let at = (first..).step_by(step);
        match (bits, self.file.is_little) {
            (8, _) => values.iter_mut().zip(at).for_each(|(value, at)| *value = of(row[at].into())),
            (16, true) => {
                values.iter_mut().zip(at).for_each(|(value, at)| *value = of(u16::from_le_bytes([row[2 * at], row[2 * at + 1]]).into()));
            }
            (16, false) => {
                values.iter_mut().zip(at).for_each(|(value, at)| *value = of(u16::from_be_bytes([row[2 * at], row[2 * at + 1]]).into()));
            }
            _ if bits.is_multiple_of(8) => {
                let width = bits / 8;
                values.iter_mut().zip(at).for_each(|(value, at)| *value = of(self.file.value(&row[at * width..][..width])));
            }
            _ => values.iter_mut().zip(at).for_each(|(value, at)| *value = of(bits_at(row, at * bits, bits))),
        }
    }
}

fn rgb(planes: [Samples; 3]) -> Vec<Channel> {
    ["red", "green", "blue"].into_iter().zip(planes).map(|(name, samples)| Channel::new(name, samples)).collect()
}

/// The number in these bits, the highest first.
fn bits_at(row: &[u8], at: usize, bits: usize) -> u64 {
    let end = at + bits;
    let whole = row[at / 8..end.div_ceil(8)].iter().fold(0_u128, |value, byte| value << 8 | u128::from(*byte));
    (whole >> (end.next_multiple_of(8) - end)) as u64 & u64::MAX >> (64 - bits)
}

/// A number of 24 bits: the sign, 7 bits of exponent and 16 of mantissa.
fn from_24_bits(bits: u32) -> f32 {
    const BIAS: u32 = 127 - 63;
    let (sign, exponent, mantissa) = (bits >> 23 << 31, bits >> 16 & 0x7f, bits & 0xffff);
    match exponent {
        0 => f32::from_bits(sign | 0x3f80_0000) * mantissa as f32 * (-78_f32).exp2(),
        0x7f => f32::from_bits(sign | 0xff << 23 | mantissa << 7),
        _ => f32::from_bits(sign | (exponent + BIAS) << 23 | mantissa << 7),
    }
}

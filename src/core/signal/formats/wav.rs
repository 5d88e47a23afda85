//! WAV and its relatives beyond 4 GiB (RF64, BW64), with the bytes of numbers in either order (RIFX); written by `hound`, with 32-bit floats, or the integers
//! that all channels store.
//!
//! Plain samples stay in the file. Samples that are coded in blocks go to the audio decoders, in a copy of the chunks that they need.

use super::audio::{self, Container};
use super::recording::{Recording, extent};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::signal::encoding::Encoding;
use crate::signal::reading::Content;
use crate::signal::{Cause, Channel, Misfit, Note, SampleType, Samples, Signal, memory};
use hound::{SampleFormat, WavSpec, WavWriter};
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};
use std::io::{self, Cursor, Write};
use std::ops::Range;

/// RIFF WAVE recordings.
pub(crate) static WAV: FileFormat = FileFormat {
    name: "WAV",
    endings: &["wav", "wave", "rf64", "bw64", "bwf"],
    marks: &[b"RIFF", b"RF64", b"BW64", b"RIFX"],
    is_content: |bytes| bytes.get(8..12) == Some(b"WAVE"),
    decode: |content, _| decode(content),
    output: Some(OutputFormat {
        name: "WAV",
        endings: &["wav"],
        holds: Holds { reals: true, complex: false, rows: false, channels: true, sample_rate: true, is_image: false },
        fits,
        encode,
    }),
};

/// Written where the signal has no sample rate, because a WAV must have one.
pub const DEFAULT_RATE_HZ: f64 = 44_100.0;

/// The codings of samples: integers, floats, both logarithmic ones, and those that a long format names further behind.
const INTEGERS: u16 = 1;
const FLOATS: u16 = 3;
const A_LAW: u16 = 6;
const MU_LAW: u16 = 7;
const EXTENSIBLE: u16 = 0xfffe;
/// Codings of blocks that the audio decoders know: both kinds of ADPCM.
const ADPCM: [u16; 2] = [2, 0x11];

/// The chunks of a file that matter.
pub(super) struct Chunks {
    is_big_endian: bool,
    pub(super) format: Range<usize>,
    /// Number of samples that a coding of blocks announces, as the decoders need it.
    fact: Option<Range<usize>>,
    /// The description of a recording by its broadcaster, with the time of its first sample.
    broadcast: Option<Range<usize>>,
    pub(super) samples: Range<usize>,
    /// Bytes of samples that the header says.
    pub(super) claimed: u64,
    note: Option<Note>,
}

/// The format of samples, as the header says it.
#[derive(Debug, PartialEq)]
pub(super) struct Format {
    pub(super) coding: u16,
    n_channels: u16,
    rate: u32,
    bytes_per_sec: u32,
    frame: u16,
    bits: u16,
    /// The bits that say something, where a long format has them.
    valid_bits: Option<u16>,
}

/// Decodes all channels of a recording; the content has the twelve bytes by which it was recognised.
fn decode(content: &Content) -> Decoded {
    let chunks = Chunks::find(content)?;
    let format = Format::read(&content[chunks.format.clone()], chunks.is_big_endian)?;
    match format.recording(chunks.is_big_endian, chunks.samples.clone())? {
        Some(mut recording) => {
            recording.notes.extend(chunks.note);
            let mut signal = recording.signal(content)?;
            if let (Some(axis), Some(broadcast)) = (&mut signal.axis, chunks.broadcast) {
                axis.origin = clock(&content[broadcast], format.rate);
            }
            Ok(signal)
        }
        None if !content.is_in_memory() => Err(Cause::unsupported("its samples are coded in blocks")),
        None => {
            let mut signal = in_blocks(content, &chunks, format.coding)?;
            signal.notes.extend(chunks.note);
            Ok(signal)
        }
    }
}

impl Chunks {
    /// Finds the chunks of a file up to its samples.
    pub(super) fn find(content: &Content) -> Result<Self, Cause> {
        let bytes: &[u8] = content;
        let is_big_endian = bytes.starts_with(b"RIFX");
        let truncated = || Cause::truncated("it ends before its samples");
        let (mut at, mut format, mut fact, mut broadcast, mut long) = (12, None, None, None, None);
        loop {
            let header = bytes.get(at..at + 8).ok_or_else(truncated)?;
            let length = length(header, is_big_endian);
            let first = at + 8;
            if header.starts_with(b"data") {
                // The length of a long file is before all others, and the one of 32 bits then has all of them set.
                let claimed = long.filter(|_| length == u32::MAX).unwrap_or(length.into());
                let (samples, note) = extent(content, first, claimed, |rest, left| is_chunk(rest, left, is_big_endian));
                let format = format.ok_or_else(|| Cause::malformed("it does not say how its samples are stored"))?;
                return Ok(Self { is_big_endian, format, fact, broadcast, samples, claimed, note });
            }
            let range = first..first.checked_add(length as usize).filter(|end| *end <= bytes.len()).ok_or_else(truncated)?;
            match &header[..4] {
                b"fmt " => format = Some(range.clone()),
                b"fact" => fact = Some(range.clone()),
                b"bext" => broadcast = Some(range.clone()),
                b"ds64" => long = bytes[range.clone()].get(8..16).and_then(|n| n.first_chunk()).map(|n| u64::from_le_bytes(*n)),
                _ => {}
            }
            // A chunk of odd length is padded; some writers forget it.
            at = range.end + usize::from(length % 2 == 1 && !bytes.get(range.end..).is_some_and(begins_with_name));
        }
    }
}

/// When the first sample was taken, as the broadcast chunk says: the day of the recording, and the samples since its midnight, or the time
/// where they are not counted (EBU Tech 3285).
fn clock(chunk: &[u8], rate: u32) -> Option<DateTime> {
    const DAY: Range<usize> = 320..330;
    const TIME: Range<usize> = 330..338;
    const COUNT: usize = 338;
    // Any sign may be between the numbers.
    let numbers = |range: Range<usize>| {
        let text = std::str::from_utf8(chunk.get(range)?).ok()?;
        let numbers = text.split(|sign: char| !sign.is_ascii_digit()).filter(|part| !part.is_empty());
        numbers.map(|part| part.parse().ok()).collect::<Option<Vec<i16>>>()
    };
    let &[year, month, day] = &numbers(DAY)?[..] else { return None };
    let midnight = Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?.at(0, 0, 0, 0);
    let count = u64::from_le_bytes(*chunk.get(COUNT..)?.first_chunk()?);
    let seconds = match (count, numbers(TIME).as_deref()) {
        (1.., _) => count as f64 / f64::from(rate.max(1)),
        (0, Some(&[hour, minute, second])) => f64::from(hour) * 3600.0 + f64::from(minute) * 60.0 + f64::from(second),
        (0, _) => 0.0,
    };
    midnight.checked_add(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()
}

/// The length in the header of a chunk.
pub(super) fn length(header: &[u8], is_big_endian: bool) -> u32 {
    let bytes = [header[4], header[5], header[6], header[7]];
    if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

/// Whether some bytes begin with the name of a chunk.
fn begins_with_name(bytes: &[u8]) -> bool {
    bytes.get(..4).is_some_and(|name| name.iter().all(|&byte| byte.is_ascii_graphic() || byte == b' '))
}

/// Whether a chunk that fits begins here, where the file has `left` more bytes.
pub(super) fn is_chunk(bytes: &[u8], left: usize, is_big_endian: bool) -> bool {
    bytes.len() >= 8 && begins_with_name(bytes) && length(bytes, is_big_endian) as usize <= left - 8
}

impl Format {
    /// Reads the chunk of a format; 14 bytes at least, and many more in a long one.
    pub(super) fn read(chunk: &[u8], is_big_endian: bool) -> Result<Self, Cause> {
        let short = |at: usize| {
            let bytes = *chunk.get(at..)?.first_chunk()?;
            Some(if is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
        };
        let long = |at: usize| {
            let bytes = *chunk.get(at..)?.first_chunk()?;
            Some(if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
        };
        let (Some(coding), Some(n_channels), Some(rate), Some(bytes_per_sec), Some(frame)) =
            (short(0), short(2), long(4), long(8), short(12))
        else {
            return Err(Cause::truncated("its header is not complete"));
        };
        let bits = short(14).unwrap_or(0);
        // A long format names its coding and the bits that say something; one that is cut short holds integers.
        let (coding, valid_bits) = if coding == EXTENSIBLE { (short(24).unwrap_or(INTEGERS), short(18)) } else { (coding, None) };
        Ok(Self { coding, n_channels, rate, bytes_per_sec, frame, bits, valid_bits })
    }

    /// The recording of plain samples in these bytes; `None` where blocks of samples are coded together.
    pub(super) fn recording(&self, is_big_endian: bool, samples: Range<usize>) -> Result<Option<Recording>, Cause> {
        let &Self { coding, n_channels, rate, bytes_per_sec, frame, bits, valid_bits } = self;
        if !matches!(coding, INTEGERS | FLOATS | A_LAW | MU_LAW) {
            return Ok(None);
        }
        // Samples of fewer bits than their bytes have are in the upper bits, as WAVE says.
        let width = frame.checked_div(n_channels).unwrap_or(0);
        let contradicts = n_channels == 0 || width * n_channels != frame || width < bits.div_ceil(8) || width == 0;
        let sample_type = match (coding, width) {
            _ if contradicts => None,
            (INTEGERS, 1) => Some(SampleType::U8),
            (INTEGERS, 2) => Some(SampleType::S16),
            (INTEGERS, 3) => Some(SampleType::S24),
            (INTEGERS, 4) => Some(SampleType::S32),
            (FLOATS, 4) => Some(SampleType::F32),
            (FLOATS, 8) => Some(SampleType::F64),
            (A_LAW, 1) => Some(SampleType::ALaw),
            (MU_LAW, 1) => Some(SampleType::MuLaw),
            _ => return Err(Cause::unsupported(format!("it has samples of {bits} bits; save it with 16, 24 or 32 bits"))),
        };
        let Some(sample_type) = sample_type else {
            return Err(Cause::malformed(format!(
                "its header contradicts itself: {n_channels} channels of {bits} bits in blocks of {frame} bytes"
            )));
        };
        let (frame, said) = (u64::from(frame), u64::from(bytes_per_sec));
        let is_wrong = rate > 0 && said != u64::from(rate) * frame;
        let note = is_wrong.then(|| {
            let right = u64::from(rate) * frame;
            format!("The header says {said} bytes a second where {rate} blocks of {frame} bytes make {right}; the rate is kept.")
        });
        let bits = valid_bits.filter(|valid| (1..=bits).contains(valid)).unwrap_or(bits).into();
        Ok(Some(Recording {
            encoding: Encoding::of(sample_type, is_big_endian),
            n_channels: n_channels.into(),
            frame: frame as usize,
            rate_hz: Some(rate.into()),
            bits: sample_type.integer_bits().map(|all| if bits > 0 { bits } else { all }),
            samples,
            notes: note.map(Note::from).into_iter().collect(),
        }))
    }
}

/// Decodes samples that are coded in blocks.
fn in_blocks(content: &Content, chunks: &Chunks, coding: u16) -> Decoded {
    let samples = &content[chunks.samples.clone()];
    if coding == 0x55 {
        return audio::decode(Content::new(samples.to_vec()), Container::Mp3);
    }
    if !ADPCM.contains(&coding) || chunks.is_big_endian {
        return Err(Cause::unsupported(format!("its samples are coded as {}; save it as WAV of integers or floats", name_of(coding))));
    }
    let mut clean = b"RIFF\xff\xff\xff\xffWAVE".to_vec();
    memory::reserve(&mut clean, samples.len())?;
    let parts = [(b"fmt ", Some(&chunks.format)), (b"fact", chunks.fact.as_ref()), (b"data", Some(&chunks.samples))];
    for (name, range) in parts.into_iter().filter_map(|(name, range)| Some((name, range?.clone()))) {
        clean.extend(name);
        clean.extend((range.len() as u32).to_le_bytes());
        clean.extend(&content[range]);
        clean.resize(clean.len().next_multiple_of(2), 0);
    }
    audio::decode(Content::new(clean), Container::Wav)
}

/// The name of a coding of blocks.
fn name_of(coding: u16) -> String {
    match coding {
        0x31 | 0x32 => "GSM 6.10".to_owned(),
        0x40 | 0x45 | 0x64 => "ADPCM of G.721 or G.726".to_owned(),
        0x50 => "MPEG audio, layer 1 or 2".to_owned(),
        0x92 => "AC-3".to_owned(),
        0xff | 0x1600..=0x1610 => "AAC".to_owned(),
        0x160..=0x163 => "Windows Media Audio".to_owned(),
        0x674f..=0x6771 => "Vorbis".to_owned(),
        _ => format!("WAVE coding {coding}, which is not known"),
    }
}

fn fits(signal: &Signal) -> Result<(), Misfit> {
    let is_too_large = signal.channels.len() > usize::from(u16::MAX / 4) || data_bytes(signal) > u64::from(u32::MAX) - 64;
    if is_too_large { Err(Misfit::TooLarge("4 GiB")) } else { Ok(()) }
}

/// Writes one channel of the file for each of the signal.
fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let channels = signal.channels.len() as u16;
    // The header holds the bytes of a second in 32 bits.
    let max_rate_hz = u32::MAX / (4 * u32::from(channels));
    let sample_rate = signal.rate_hz().unwrap_or(DEFAULT_RATE_HZ).round().clamp(1.0, f64::from(max_rate_hz)) as u32;
    let bits = shared_bits(&signal.channels);
    let sample_format = if bits.is_some() { SampleFormat::Int } else { SampleFormat::Float };
    let spec = WavSpec { channels, sample_rate, bits_per_sample: bits.unwrap_or(32), sample_format };
    // The encoder goes back to fill in the lengths, which a pipe does not allow.
    let mut file = Cursor::new(Vec::with_capacity(data_bytes(signal) as usize + 128));
    let mut wav = WavWriter::new(&mut file, spec).map_err(io::Error::other)?;
    if let Some(bits) = bits {
        let half = f64::from(bits - 1).exp2();
        interleaved(signal, &|channel| channel.samples.to_f64(), |value| wav.write_sample((value * half) as i32))
    } else {
        interleaved(signal, &|channel| channel.samples.to_f32(), |value| wav.write_sample(value))
    }
    .map_err(io::Error::other)?;
    wav.finalize().map_err(io::Error::other)?;
    out.write_all(file.get_ref())
}

/// The bits of the integers that all channels store.
fn shared_bits(channels: &[Channel]) -> Option<u16> {
    let of = |channel: &Channel| match &channel.samples {
        Samples::Pcm(pcm) => pcm.encoding().sample_type.integer_bits().and_then(|bits| u16::try_from(bits).ok()),
        _ => None,
    };
    let first = channels.first().and_then(of)?;
    channels.iter().all(|channel| of(channel) == Some(first)).then_some(first)
}

/// Writes the samples of all channels in turn.
fn interleaved<T: Copy>(
    signal: &Signal,
    plane: &dyn Fn(&Channel) -> Vec<T>,
    mut write: impl FnMut(T) -> hound::Result<()>,
) -> hound::Result<()> {
    let planes: Vec<Vec<T>> = signal.channels.iter().map(plane).collect();
    (0..signal.columns).try_for_each(|index| planes.iter().try_for_each(|plane| write(plane[index])))
}

/// Bytes of all samples as floats.
fn data_bytes(signal: &Signal) -> u64 {
    (signal.columns as u64).saturating_mul(4 * signal.channels.len() as u64)
}

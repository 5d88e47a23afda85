//! Coded recordings (FLAC, MP3, Vorbis, AAC, Apple Lossless, the codings of WAV) by `symphonia`, and Opus. Samples have single precision, which holds 24 bits exactly.
//!
//! A recording that is cut is read as far as it goes, and this is said.

use super::foreign::Foreign;
use super::mp4;
use super::mpeg::{self, Whole};
use super::opus::Opus;
use super::recording::of_channels;
use super::{Decoded, FileFormat};
use crate::signal::reading::Content;
use crate::signal::{Axis, Cause, Note, Samples, Signal, memory};
use std::io::Cursor;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_FLAC, CODEC_ID_OPUS};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;
use symphonia::core::packet::Packet;

/// Free lossless audio.
pub(super) static FLAC: FileFormat = FileFormat {
    name: "FLAC",
    endings: &["flac"],
    marks: &[b"fLaC", b"ID3"],
    is_content: |bytes| flac_stream(bytes).is_some(),
    decode: |content, _| decode(without_metadata(content)?, Container::Flac),
    output: None,
};

/// MPEG audio, layer 3.
pub(super) static MP3: FileFormat = FileFormat {
    name: "MP3",
    endings: &["mp3"],
    marks: &[],
    is_content: |bytes| bytes.starts_with(b"ID3") || mpeg::is_layer_3(bytes),
    decode: |content, _| {
        let Whole { end, note } = mpeg::whole_frames(content);
        with_note(decode(beginning(content, end), Container::Mp3)?, note)
    },
    output: None,
};

/// Vorbis and Opus in Ogg.
pub(super) static OGG: FileFormat = FileFormat {
    name: "OGG",
    endings: &["ogg", "oga", "opus"],
    marks: &[b"OggS"],
    // The first page names the coding.
    is_content: |bytes| Foreign::of(bytes).is_none(),
    decode: |content, _| {
        let (end, has_mark) = ogg_end(content);
        let note = (!has_mark).then(|| "The file is cut, as its last page is missing; what is there is read.".into());
        with_note(decode(beginning(content, end), Container::Ogg)?, note)
    },
    output: None,
};

/// MPEG-4 files: AAC and Apple Lossless, as phones record them, and the sound of films.
pub(super) static MP4: FileFormat = FileFormat {
    name: "M4A",
    endings: &["m4a", "m4b", "mp4", "mov"],
    marks: &[],
    // Images use the same boxes, under kinds of their own.
    is_content: |bytes| matches!(bytes.get(4..8), Some(b"ftyp" | b"moov")) && Foreign::of(bytes).is_none(),
    decode: |content, _| decode(content.clone(), Container::Mp4),
    output: None,
};

/// A stream of AAC frames.
pub(super) static AAC: FileFormat = FileFormat {
    name: "AAC",
    endings: &["aac"],
    marks: &[b"\xff\xf1", b"\xff\xf9"],
    is_content: |_| true,
    decode: |content, _| {
        let end = adts_end(content);
        let note = (end < content.len()).then(|| "The last frame is cut, and is left out.".into());
        with_note(decode(beginning(content, end), Container::Aac)?, note)
    },
    output: None,
};

/// The container of a recording's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Container {
    Wav,
    Flac,
    Mp3,
    Ogg,
    Mp4,
    Aac,
}

/// The content up to `end`, which is copied where something follows.
fn beginning(content: &Content, end: usize) -> Content {
    if end < content.len() { Content::new(content[..end].to_vec()) } else { content.clone() }
}

/// The signal with one more note.
fn with_note(mut signal: Signal, note: Option<Note>) -> Decoded {
    signal.notes.extend(note);
    Ok(signal)
}

/// Where a FLAC stream begins, behind a tag of players that may be before it.
fn flac_stream(bytes: &[u8]) -> Option<usize> {
    let start = mpeg::after_tag(bytes);
    bytes.get(start..).is_some_and(|rest| rest.starts_with(b"fLaC")).then_some(start)
}

/// A FLAC stream with the block that describes its samples alone: cue sheets, pictures and tags that break a rule of theirs would stop the decoder.
fn without_metadata(content: &Content) -> Result<Content, Cause> {
    const LAST: u8 = 0x80;
    let truncated = || Cause::truncated("it ends before its samples");
    let mut at = flac_stream(content).ok_or_else(truncated)? + 4;
    let mut clean = b"fLaC".to_vec();
    loop {
        let &[kind, a, b, c] = content.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(truncated)?;
        let end = at + 4 + u32::from_be_bytes([0, a, b, c]) as usize;
        let block = content.get(at..end).ok_or_else(truncated)?;
        if kind & !LAST == 0 && clean.len() == 4 {
            clean.extend(block);
            clean[4] |= LAST;
        }
        at = end;
        if kind & LAST != 0 {
            break;
        }
    }
    memory::reserve(&mut clean, content.len() - at)?;
    clean.extend(&content[at..]);
    Ok(Content::new(clean))
}

/// Decodes the default track of a recording.
pub(super) fn decode(content: Content, container: Container) -> Decoded {
    let stream = MediaSourceStream::new(Box::new(Cursor::new(content.clone())), Default::default());
    let mut hint = Hint::new();
    hint.with_extension(container.into());
    let probe = symphonia::default::get_probe();
    let mut reader = probe.probe(&hint, stream, FormatOptions::default(), MetadataOptions::default()).map_err(cause)?;
    let n_tracks = reader.tracks().len();
    let no_track = || Cause::unsupported("it has no audio track of a known coding");
    let track = reader.default_track(TrackType::Audio).ok_or_else(no_track)?;
    let parameters = track.codec_params.as_ref().and_then(|p| p.audio()).ok_or_else(no_track)?.clone();
    if parameters.sample_rate == Some(0) {
        return Err(Cause::malformed("its sample rate is zero"));
    }
    let (id, announced) = (track.id, track.num_frames);
    let mut decoder = Decoder::new(&parameters)?;
    let Packets { mut channels, is_cut } = read_packets(reader.as_mut(), &mut decoder, (id, container))?;
    let n = channels[0].len();
    let missing = announced.filter(|&expected| (n as u64) < expected && matches!(container, Container::Flac | Container::Wav));
    if missing.is_none() && !is_cut && decoder.is_refuted() {
        return Err(Cause::malformed("its checksum does not match the decoded samples"));
    }
    let heard = parameters.sample_rate.filter(|_| container == Container::Mp4).and_then(|rate| mp4::heard(&content, rate.into()));
    if let Some(heard) = heard.filter(|heard| heard.start < n) {
        for channel in &mut channels {
            channel.truncate(heard.end);
            channel.drain(..heard.start);
        }
    }
    let mut signal = signal(channels.into_iter().map(Samples::F32).collect(), &parameters);
    if let Some(expected) = missing {
        signal.notes.push(format!("The file is cut: {n} of {expected} samples are there.").into());
    } else if is_cut {
        signal.notes.push("The end of the recording is cut or damaged, and is left out.".into());
    }
    if n_tracks > 1 {
        signal.notes.push(format!("The file has {n_tracks} tracks; the default one is read.").into());
    }
    Ok(signal)
}

/// The decoder of a track.
enum Decoder {
    Symphonia(Box<dyn AudioDecoder>),
    Opus(Opus),
}

impl Decoder {
    fn new(parameters: &AudioCodecParameters) -> Result<Self, Cause> {
        if parameters.codec == CODEC_ID_OPUS {
            return Opus::new(parameters.extra_data.as_deref().unwrap_or_default()).map(Self::Opus);
        }
        let options = AudioDecoderOptions::default().verify(true);
        symphonia::default::get_codecs().make_audio_decoder(parameters, &options).map(Self::Symphonia).map_err(cause)
    }

    /// Decodes a packet into one vector for each channel.
    fn decode(&mut self, packet: &Packet, planes: &mut Vec<Vec<f32>>) -> Result<(), Cause> {
        match self {
            Self::Symphonia(decoder) => decoder.decode(packet).map_err(cause)?.copy_to_vecs_planar(planes),
            Self::Opus(decoder) => decoder.decode(&packet.data, packet.trim_end.get() as usize, planes)?,
        }
        Ok(())
    }

    /// Whether the checksum of the whole recording says that it was not decoded as it was written.
    fn is_refuted(&mut self) -> bool {
        match self {
            Self::Symphonia(decoder) => decoder.finalize().verify_ok == Some(false),
            Self::Opus(_) => false,
        }
    }
}

/// The decoded samples of a track.
struct Packets {
    /// One vector for each channel.
    channels: Vec<Vec<f32>>,
    /// Whether the last packet could not be decoded.
    is_cut: bool,
}

/// All samples of a track.
fn read_packets(reader: &mut dyn FormatReader, decoder: &mut Decoder, (id, container): (u32, Container)) -> Result<Packets, Cause> {
    let limit = memory::limit();
    let mut channels: Vec<Vec<f32>> = Vec::new();
    let mut packet_planes: Vec<Vec<f32>> = Vec::new();
    let (mut failed, mut first) = (None, None);
    loop {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                break;
            }
            Err(Error::ResetRequired) => {
                return Err(Cause::unsupported("its coding changes in the middle; split it first"));
            }
            Err(error) => return Err(cause(error)),
        };
        if packet.track_id != id {
            continue;
        }
        // Only the last packet may be cut.
        if let Some(error) = failed {
            return Err(error);
        }
        // The decoder leaves out what it finds damaged.
        let frames = channels.first().map_or(0, Vec::len) as i64;
        if container == Container::Flac && packet.pts.get() - *first.get_or_insert(packet.pts.get()) != frames {
            return Err(Cause::malformed("a frame in the middle is damaged; take another copy of it, or save it again"));
        }
        if let Err(error) = decoder.decode(&packet, &mut packet_planes) {
            failed = Some(error);
            continue;
        }
        if channels.is_empty() {
            channels.resize(packet_planes.len(), Vec::new());
        }
        if channels.len() != packet_planes.len() {
            return Err(Cause::unsupported("its number of channels changes in the middle; split it first"));
        }
        for (channel, plane) in channels.iter_mut().zip(&packet_planes) {
            memory::reserve(channel, plane.len())?;
            channel.extend_from_slice(plane);
        }
        let frames = channels.first().map_or(0, Vec::len) as u64;
        memory_left(frames.saturating_mul(size_of::<f32>() as u64).saturating_mul(channels.len() as u64), limit, frames)?;
    }
    if channels.first().is_none_or(Vec::is_empty) {
        return Err(failed.unwrap_or_else(|| Cause::malformed("the recording has no samples")));
    }
    Ok(Packets { channels, is_cut: failed.is_some() })
}

/// Checks the memory while samples arrive, because compressed recordings do not announce their length reliably.
fn memory_left(taken: u64, limit: u64, frames: u64) -> Result<(), Cause> {
    if taken <= limit {
        return Ok(());
    }
    Err(Cause::TooLarge { claim: format!("more than {frames} samples"), needed: taken.into(), limit: limit.into() })
}

/// The end of the last whole page of an Ogg stream, and whether that has an end mark. Where something else follows a page, it counts as the end.
fn ogg_end(bytes: &[u8]) -> (usize, bool) {
    const END_OF_STREAM: u8 = 4;
    const HEADER: usize = 27;
    let (mut at, mut has_mark) = (0, false);
    while let Some(page) = bytes.get(at..).filter(|page| page.starts_with(b"OggS") && page.len() >= HEADER) {
        let Some(lengths) = page.get(HEADER..HEADER + usize::from(page[HEADER - 1])) else { break };
        let length = HEADER + lengths.len() + lengths.iter().map(|&length| usize::from(length)).sum::<usize>();
        if length > page.len() {
            return (at, false);
        }
        has_mark = page[5] & END_OF_STREAM != 0;
        at += length;
    }
    (at, has_mark)
}

/// The end of the last whole frame of a stream of AAC (ISO 13818-7, section 6.2). Where something else follows a frame, the file counts as whole.
fn adts_end(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&[0xff, 0xf0..=0xff, _, high, middle, low]) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let length = usize::from(high & 3) << 11 | usize::from(middle) << 3 | usize::from(low) >> 5;
        if length < 7 || at + length > bytes.len() {
            return if length < 7 { bytes.len() } else { at };
        }
        at += length;
    }
    if bytes.len() - at < 6 { at } else { bytes.len() }
}

/// The signal of decoded channels.
fn signal(channels: Vec<Samples>, parameters: &AudioCodecParameters) -> Signal {
    let axis = parameters.sample_rate.map(|rate| Axis::of_rate(rate.into()));
    let stored_bits = parameters.bits_per_sample.filter(|_| parameters.codec == CODEC_ID_FLAC);
    Signal { axis, stored_bits, ..of_channels(channels) }
}

fn cause(error: Error) -> Cause {
    match error {
        Error::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Cause::truncated("it ends in the middle of a block"),
        // Recorders write the index of an MPEG-4 file last.
        Error::Unsupported(what) if what.contains("missing moov") => Cause::truncated("its index, which stands at its end, is missing"),
        Error::Unsupported(what) => Cause::foreign(what, "save it as WAV of integers or floats"),
        other => Cause::undecodable(other),
    }
}

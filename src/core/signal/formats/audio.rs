//! WAV, FLAC, MP3 and OGG Vorbis by `symphonia`. Integers are divided by full scale; floats are kept.
//!
//! Samples have single precision, which holds 24 bits exactly, or double precision where the file has 32-bit integers or doubles.

use super::recording::of_channels;
use super::{Decoded, FileFormat, mpeg};
use crate::signal::reading::Content;
use crate::signal::{Axis, Cause, Samples, Signal, memory};
use std::io::Cursor;
use symphonia::core::audio::conv::ConvertibleSample;
use symphonia::core::codecs::audio::well_known::CODEC_ID_FLAC;
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

/// Free lossless audio.
pub(super) static FLAC: FileFormat = FileFormat {
    name: "FLAC",
    endings: &["flac"],
    marks: &[b"fLaC"],
    is_content: |_| true,
    decode: |content, _| decode(content.clone(), Container::Flac),
    output: None,
};

/// MPEG audio, layer 3.
pub(super) static MP3: FileFormat = FileFormat {
    name: "MP3",
    endings: &["mp3"],
    marks: &[],
    is_content: |bytes| bytes.starts_with(b"ID3") || mpeg::is_layer_3(bytes),
    decode: |content, _| mpeg::check_complete(content).and_then(|()| decode(content.clone(), Container::Mp3)),
    output: None,
};

/// Ogg Vorbis.
pub(super) static OGG: FileFormat = FileFormat {
    name: "OGG",
    endings: &["ogg", "oga"],
    marks: &[b"OggS"],
    is_content: |_| true,
    decode: |content, _| check_ogg_end(content).and_then(|()| decode(content.clone(), Container::Ogg)),
    output: None,
};

/// What holds the samples of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Container {
    Wav,
    Flac,
    Mp3,
    Ogg,
}

/// Decodes the default track of a recording.
pub(super) fn decode(content: Content, container: Container) -> Decoded {
    let stream = MediaSourceStream::new(Box::new(Cursor::new(content)), Default::default());
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
    let options = AudioDecoderOptions::default().verify(true);
    let mut decoder = symphonia::default::get_codecs().make_audio_decoder(&parameters, &options).map_err(cause)?;
    let channels: Vec<Samples> = read_packets(reader.as_mut(), decoder.as_mut(), id)?.into_iter().map(Samples::F32).collect();
    check_complete(channels[0].len() as u64, announced, container)?;
    if decoder.finalize().verify_ok == Some(false) {
        return Err(Cause::malformed("its checksum does not match the decoded samples"));
    }
    let mut signal = signal(channels, &parameters);
    if n_tracks > 1 {
        signal.notes.push(format!("The file has {n_tracks} tracks; the default one is read.").into());
    }
    Ok(signal)
}

/// All samples of a track, one vector for each channel.
fn read_packets<S: ConvertibleSample>(
    reader: &mut dyn FormatReader,
    decoder: &mut dyn AudioDecoder,
    id: u32,
) -> Result<Vec<Vec<S>>, Cause> {
    let limit = memory::limit();
    let mut channels: Vec<Vec<S>> = Vec::new();
    let mut packet_planes: Vec<Vec<S>> = Vec::new();
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
        let decoded = decoder.decode(&packet).map_err(cause)?;
        decoded.copy_to_vecs_planar(&mut packet_planes);
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
        memory_left(frames.saturating_mul(size_of::<S>() as u64).saturating_mul(channels.len() as u64), limit, frames)?;
    }
    if channels.first().is_none_or(Vec::is_empty) {
        return Err(Cause::malformed("the recording has no samples"));
    }
    Ok(channels)
}

/// Checks the memory while samples arrive, because compressed recordings do not announce their length reliably.
fn memory_left(taken: u64, limit: u64, frames: u64) -> Result<(), Cause> {
    if taken <= limit {
        return Ok(());
    }
    Err(Cause::TooLarge { claim: format!("more than {frames} samples"), needed: taken.into(), limit: limit.into() })
}

/// Refuses fewer samples than the header announces. An MP3 often announces an estimate, but its frames are counted before.
fn check_complete(decoded: u64, announced: Option<u64>, container: Container) -> Result<(), Cause> {
    match announced {
        Some(expected) if decoded < expected && container != Container::Mp3 => {
            Err(Cause::truncated(&format!("{decoded} of {expected} samples are there")))
        }
        _ => Ok(()),
    }
}

/// Refuses an Ogg stream whose last page has no end mark: its end is missing.
fn check_ogg_end(bytes: &[u8]) -> Result<(), Cause> {
    const END_OF_STREAM: u8 = 4;
    let truncated = || Cause::truncated("the last page of the stream is missing");
    let last = bytes.windows(4).rposition(|window| window == b"OggS").ok_or_else(truncated)?;
    let page = &bytes[last..];
    let flags = *page.get(5).ok_or_else(truncated)?;
    let n_segments = usize::from(*page.get(26).ok_or_else(truncated)?);
    let lengths = page.get(27..27 + n_segments).ok_or_else(truncated)?;
    let body: usize = lengths.iter().map(|&length| usize::from(length)).sum();
    if flags & END_OF_STREAM == 0 || page.len() < 27 + n_segments + body {
        return Err(truncated());
    }
    Ok(())
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
        Error::Unsupported(what) => Cause::foreign(what, "save it as WAV of integers or floats"),
        other => Cause::damaged(other),
    }
}

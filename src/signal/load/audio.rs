//! FLAC, MP3, OGG Vorbis and compressed WAV by `symphonia`, as floats of full scale 1.

use super::super::{Cause, Channel, Format, Kind, Samples, Signal, memory};
use super::wav::channel_names;
use super::{Decoded, mpeg};
use std::io::Cursor;
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

/// Decodes the default track of a recording.
pub(super) fn decode(bytes: &[u8], format: Format) -> Decoded {
    match format {
        Format::Ogg => check_ogg_end(bytes)?,
        Format::Mp3 => mpeg::check_complete(bytes)?,
        _ => {}
    }
    // The decoders want to own what they read.
    let stream = MediaSourceStream::new(Box::new(Cursor::new(bytes.to_vec())), Default::default());
    let mut hint = Hint::new();
    hint.with_extension(&format.to_string().to_lowercase());
    let probe = symphonia::default::get_probe();
    let mut reader = probe.probe(&hint, stream, FormatOptions::default(), MetadataOptions::default()).map_err(cause)?;
    let n_tracks = reader.tracks().len();
    let no_track = || Cause::unsupported("it has no audio track of a known coding");
    let track = reader.default_track(TrackType::Audio).ok_or_else(no_track)?;
    let parameters = track.codec_params.as_ref().and_then(|p| p.audio()).ok_or_else(no_track)?.clone();
    let (id, announced) = (track.id, track.num_frames);
    let options = AudioDecoderOptions::default().verify(true);
    let mut decoder = symphonia::default::get_codecs().make_audio_decoder(&parameters, &options).map_err(cause)?;
    let channels = read_packets(reader.as_mut(), decoder.as_mut(), id)?;
    check_complete(channels[0].len() as u64, announced, format)?;
    if decoder.finalize().verify_ok == Some(false) {
        return Err(Cause::malformed("its checksum does not match the decoded samples"));
    }
    let mut signal = signal(channels, &parameters);
    if n_tracks > 1 {
        signal.notes.push(format!("Of {n_tracks} tracks the default one is read."));
    }
    Ok(signal)
}

/// All samples of a track, one vector a channel.
fn read_packets(reader: &mut dyn FormatReader, decoder: &mut dyn AudioDecoder, id: u32) -> Result<Vec<Vec<f32>>, Cause> {
    let limit = memory::limit();
    let mut channels: Vec<Vec<f32>> = Vec::new();
    let mut packet_planes: Vec<Vec<f32>> = Vec::new();
    loop {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                break;
            }
            Err(Error::ResetRequired) => {
                return Err(Cause::unsupported("it changes its coding on the way; split it first"));
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
            return Err(Cause::unsupported("its number of channels changes on the way; split it first"));
        }
        for (channel, plane) in channels.iter_mut().zip(&packet_planes) {
            channel.extend_from_slice(plane);
        }
        let frames = channels.first().map_or(0, Vec::len) as u64;
        memory_left(frames.saturating_mul(4).saturating_mul(channels.len() as u64), limit, frames)?;
    }
    if channels.first().is_none_or(Vec::is_empty) {
        return Err(Cause::malformed("the recording has no samples"));
    }
    Ok(channels)
}

/// Compressed recordings do not say reliably how long they are, so that the bound is checked as they grow.
fn memory_left(taken: u64, limit: u64, frames: u64) -> Result<(), Cause> {
    if taken <= limit {
        return Ok(());
    }
    Err(Cause::TooLarge { claim: format!("more than {frames} samples"), needed: taken.into(), limit: limit.into() })
}

/// FLAC and WAV announce their exact length; MP3 often an estimate, but its frames are counted already.
fn check_complete(decoded: u64, announced: Option<u64>, format: Format) -> Result<(), Cause> {
    match announced {
        Some(expected) if decoded < expected && format != Format::Mp3 => {
            Err(Cause::truncated(&format!("{decoded} of {expected} samples are there")))
        }
        _ => Ok(()),
    }
}

/// The last page of an Ogg stream carries a mark; without it, the end is missing.
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

fn signal(channels: Vec<Vec<f32>>, parameters: &AudioCodecParameters) -> Signal {
    let columns = channels[0].len();
    let named = channel_names(channels.len()).into_iter().zip(channels);
    let channels = named.map(|(name, samples)| Channel::new(name, Samples::F32(samples))).collect();
    let mut signal = Signal::from_channels("", Kind::Lines, (1, columns), channels);
    signal.sample_rate_hz = parameters.sample_rate.map(f64::from);
    signal
}

fn cause(error: Error) -> Cause {
    match error {
        Error::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Cause::truncated("it ends in the middle of a block"),
        Error::Unsupported(what) => Cause::unsupported(what),
        other => Cause::malformed(other),
    }
}

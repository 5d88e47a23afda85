//! Recordings as programs really write them: types, orders of bytes, headers and lengths; and samples without a header.

use super::*;
use num_complex::Complex64;
use papillon::signal::{ChannelChoice, RawFormat, ReadOptions, Reading, load_bytes, load_bytes_as, load_stream};

/// The samples of a file, and what its header says about their length.
const VALUES: [f64; 6] = [-1.0, 0.5, -0.25, 0.0, 0.75, -0.5];

/// Bytes of the values in a type, with the lowest bits first.
fn stored(name: &str) -> Vec<Vec<u8>> {
    let scaled = |value: f64, bits: i32| (value * 2_f64.powi(bits - 1)) as i64;
    let one = |value: f64| match name {
        "u8" => vec![(scaled(value, 8) + 128) as u8],
        "s8" => vec![scaled(value, 8) as u8],
        "s16" => scaled(value, 16).to_le_bytes()[..2].to_vec(),
        "s24" => scaled(value, 24).to_le_bytes()[..3].to_vec(),
        "s32" => scaled(value, 32).to_le_bytes()[..4].to_vec(),
        "f32" => (value as f32).to_le_bytes().to_vec(),
        _ => value.to_le_bytes().to_vec(),
    };
    VALUES.map(one).to_vec()
}

fn read_raw(format: &str, bytes: &[u8]) -> Signal {
    let raw: RawFormat = format.parse().unwrap_or_else(|error| panic!("{format}: {error}"));
    let how = Reading { options: ReadOptions { raw: Some(raw), ..ReadOptions::default() }, ..Reading::default() };
    load_bytes_as("samples", bytes, &how).unwrap_or_else(|error| panic!("{format}: {error}"))
}

#[test]
fn every_type_is_read_in_both_orders_real_and_complex() {
    for name in ["u8", "s8", "s16", "s24", "s32", "f32", "f64"] {
        for order in ["le", "be"] {
            let mut numbers = stored(name);
            if order == "be" {
                numbers.iter_mut().for_each(|bytes| bytes.reverse());
            }
            let bytes = numbers.concat();
            let mono = read_raw(&format!("{name}{order},1,44.1kHz"), &bytes);
            assert_eq!(
                (mono.samples_f64(ChannelChoice::Luma).unwrap(), mono.rate_hz()),
                (VALUES.to_vec(), Some(44_100.0)),
                "{name}{order}"
            );
            assert_eq!(mono.samples_f32(ChannelChoice::Luma).unwrap(), VALUES.map(|value| value as f32), "{name}{order}");
            assert_eq!((mono.min_max(ChannelChoice::Luma).unwrap(), mono.is_double()), (Some((-1.0, 0.75)), matches!(name, "s32" | "f64")));
            let stereo = read_raw(&format!("{name},2,8000,{order}"), &bytes);
            assert_eq!(stereo.samples_f64(ChannelChoice::Channel(1)).unwrap(), [0.5, 0.0, -0.5], "{name}{order}");
            let complex = read_raw(&format!("c{name}{order},1"), &bytes);
            let pairs: Vec<Complex64> = VALUES.chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).collect();
            assert!(complex.is_complex() && complex.rate_hz().is_none());
            for (signal, choice) in [(&complex, ChannelChoice::Luma), (&stereo, ChannelChoice::Iq)] {
                assert!(signal.is_complex_in(choice));
                assert_eq!(signal.samples_complex64(choice).unwrap(), pairs, "{name}{order}");
                let single: Vec<Complex64> =
                    signal.samples_complex32(choice).unwrap().iter().map(|z| Complex64::new(z.re.into(), z.im.into())).collect();
                assert_eq!(single, pairs, "{name}{order}");
                assert_eq!(signal.min_max(choice).unwrap().unwrap().1, pairs[0].norm(), "{name}{order}");
            }
            assert_eq!(complex.channels[0].samples.value(2), Some(pairs[2]));
            assert_eq!(complex.channels[0].samples.value(3), None);
        }
    }
}

#[test]
fn two_channels_of_any_file_are_complex_samples() {
    for name in ["pcm16.wav", "pcm32.wav", "pcm16.flac", "pcm16.aiff"] {
        let signal = load(name);
        let [left, right] = [0, 1].map(|index| signal.samples_f64(ChannelChoice::Channel(index)).unwrap());
        let pairs: Vec<Complex64> = left.into_iter().zip(right).map(|(re, im)| Complex64::new(re, im)).collect();
        assert_eq!(signal.samples_complex64(signal.choice("iq").unwrap()).unwrap(), pairs, "{name}");
    }
    for name in ["tone.mp3", "gray8.png", "complex64.npy"] {
        assert!(load(name).choice("iq").is_err(), "{name} has no two channels of real samples");
    }
}

#[test]
fn samples_without_a_header_are_read_as_a_person_or_the_ending_says() {
    let bytes = stored("s16").concat();
    let signal = load_bytes("tone.S16", &bytes).unwrap();
    assert_eq!((signal.samples_f64(ChannelChoice::Luma).unwrap(), signal.rate_hz()), (VALUES.to_vec(), None));
    assert_eq!(signal.raw.unwrap().to_string(), "s16,1");
    assert!(signal.notes[0].text.contains("no header") && !signal.notes[0].others.is_empty(), "{:?}", signal.notes);
    // A header counts more than an ending, and what a person says more than a header.
    let wave = std::fs::read(data("pcm16.wav")).unwrap();
    let signal = load_bytes("tone.cu8", &wave).unwrap();
    assert_eq!((signal.columns, signal.raw), (3000, None));
    assert!(signal.notes[0].text.contains("ends in .cu8"), "{:?}", signal.notes);
    assert_eq!(read_raw("u8,1", &wave).columns, wave.len());
    let odd = read_raw("s16,2,48000", &[0; 15]);
    assert_eq!(odd.columns, 3);
    assert!(odd.notes[0].text.contains("ends with 3 bytes"), "{:?}", odd.notes);
    for (text, cause) in [
        ("s12", "“s12” is no type of samples"),
        ("s16,0", "“0” is no number of channels"),
        ("s16,x", "“x” is no number of channels"),
        ("s16,1,fast", "no sampling rate"),
        ("s16,1,8000,2", "says more than"),
        ("", "“” is no type of samples"),
    ] {
        let error = text.parse::<RawFormat>().unwrap_err();
        assert!(error.contains(cause) && !error.contains('\n'), "{text}: {error}");
    }
    for text in ["s24be,2,48000Hz", "cf32,1", "u8,1,2.4MHz", "mulaw,1,8000Hz"] {
        let format: RawFormat = text.parse().unwrap();
        assert_eq!(format.to_string().parse(), Ok(format), "{text}");
    }
}

#[test]
fn a_stream_is_read_to_its_end() {
    let bytes = std::fs::read(data("w01-sox-pipe.wav")).unwrap();
    let signal = load_stream("standard input", &mut &bytes[..], &Reading::default()).unwrap();
    assert_eq!((signal.name.as_str(), signal.columns), ("standard input", 600));
}

#[test]
fn headers_of_real_programs_are_read() {
    for (name, channels, columns, said) in [
        ("w01-sox-pipe.wav", 1, 600, "does not say how long"),
        ("w02-24ch-mask0.wav", 24, 64, ""),
        ("w03-oversized.wav", 2, 500, ""),
        ("w05-rf64.wav", 1, 600, ""),
        ("w05-bw64.wav", 1, 600, ""),
    ] {
        let signal = load(name);
        assert_eq!((signal.channels.len(), signal.columns), (channels, columns), "{name}");
        assert!(signal.notes.iter().all(|note| !said.is_empty() && note.text.contains(said)), "{name}: {:?}", signal.notes);
        assert_eq!(signal.notes.len(), usize::from(!said.is_empty()), "{name}: {:?}", signal.notes);
    }
    // All three hold the same sound.
    assert_eq!(samples(&load("w05-rf64.wav")), samples(&load("w01-sox-pipe.wav")));
}

/// A WAV of one channel of 16 bits: a length in its header, its samples, and what follows them.
fn wave(length: u32, values: &[i16], rest: &[u8]) -> Vec<u8> {
    let format =
        [&1_u16.to_le_bytes()[..], &1_u16.to_le_bytes(), &8000_u32.to_le_bytes(), &16_000_u32.to_le_bytes(), &[2, 0, 16, 0]].concat();
    let samples: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    [&b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0"[..], &format, b"data", &length.to_le_bytes(), &samples, rest].concat()
}

#[test]
fn a_length_counts_where_the_file_agrees_with_it() {
    let values: Vec<i16> = (0..500).map(|k| (k * 7919 % 65_536 - 32_768) as i16).collect();
    let list = b"LIST\x04\0\0\0abcd";
    for (length, rest, columns, said) in [
        (1000, &b""[..], 500, ""),
        (1000, list, 500, ""),
        (1000, b"\0\0\0\0\0\0\0\0\0\0\0\0", 500, ""),
        (1000, b"TAGsomething of a player", 500, ""),
        // Sizes that pipes write: nothing, sox, arecord, the largest number.
        (0, b"", 500, "does not say how long"),
        (0x7fff_f000, b"", 500, "does not say how long"),
        (0x8000_0000, b"", 500, "does not say how long"),
        (0x7fff_ffdb, b"", 500, "does not say how long"),
        (0xffff_ffff, b"", 500, "does not say how long"),
        (1234, b"", 500, "says 1234 bytes of samples and the file has 1000"),
        // The lowest 32 bits of a length, or that of a buffer.
        (400, b"", 500, "but no other part of the file follows"),
        (998, b"", 499, ""),
    ] {
        let signal = load_bytes("a.wav", &wave(length, &values, rest)).unwrap();
        assert_eq!(signal.columns, columns, "{length} {rest:?}: {:?}", signal.notes);
        let first = signal.samples_f64(ChannelChoice::Luma).unwrap();
        assert!(first.iter().zip(&values).all(|(a, b)| *a == f64::from(*b) / 32_768.0), "{length}");
        match said {
            "" => assert!(signal.notes.is_empty(), "{length}: {:?}", signal.notes),
            said => assert!(signal.notes.len() == 1 && signal.notes[0].text.contains(said), "{length}: {:?}", signal.notes),
        }
    }
    let error = load_bytes("a.wav", &wave(0, &[], list)).unwrap_err().to_string();
    assert!(error.contains("no samples"), "{error}");
}

/// The broadcast chunk of a recording, with the samples between midnight and its first one.
fn broadcast(day: &str, time: &str, count: u64) -> Vec<u8> {
    let mut chunk = vec![0; 602];
    chunk[320..320 + day.len()].copy_from_slice(day.as_bytes());
    chunk[330..330 + time.len()].copy_from_slice(time.as_bytes());
    chunk[338..346].copy_from_slice(&count.to_le_bytes());
    [&b"bext"[..], &602_u32.to_le_bytes(), &chunk].concat()
}

#[test]
fn a_broadcast_recording_says_when_its_samples_were_taken() {
    let plain = wave(8, &[1, 2, 3, 4], b"");
    for (day, time, count, expected) in [
        ("2024-05-17", "13:45:10", 0, Some("2024-05-17 13:45:10")),
        ("2024:05:17", "13-45-10", 8000 * 3600 + 4000, Some("2024-05-17 01:00:00.500")),
        ("2024-02-30", "13:45:10", 0, None),
        ("", "", 8000, None),
        ("2024-05-17", "no time", u64::MAX, None),
    ] {
        let bytes = [&plain[..12], &broadcast(day, time, count), &plain[12..]].concat();
        let axis = load_bytes("a.wav", &bytes).unwrap().axis.unwrap();
        let step = if expected.is_some_and(|text| text.contains('.')) { 1e-3 } else { 1.0 };
        assert_eq!(axis.date(0.0, step).as_deref(), expected, "{day} {time} {count}");
        assert_eq!(axis.per_unit, Some(8000.0));
    }
    assert_eq!(load_bytes("a.wav", &plain).unwrap().axis.unwrap().origin, None);
}

#[test]
fn formats_of_any_length_and_number_of_channels_are_read() {
    let values: Vec<i16> = (0..640).map(|k| (k * 101 % 30_000) as i16).collect();
    let of_file = |format: &[u8], values: &[i16]| {
        let samples: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
        [&b"RIFF\0\0\0\0WAVEfmt "[..], &length(format), format, b"data", &length(&samples), &samples].concat()
    };
    let format = |coding: u16, channels: u16, more: &[u8]| {
        let frame = 2 * channels;
        let head = [coding.to_le_bytes(), channels.to_le_bytes()].concat();
        let rates = [8000_u32.to_le_bytes(), (8000 * u32::from(frame)).to_le_bytes()].concat();
        [&head[..], &rates, &frame.to_le_bytes(), more].concat()
    };
    let guid = b"\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71";
    let long = |valid: u8, mask: u32| [&[16, 0, 22, 0, valid, 0][..], &mask.to_le_bytes(), guid].concat();
    for (coding, channels, more, bits) in [
        (1_u16, 1_u16, vec![], 16),
        (1, 2, vec![16, 0], 16),
        (1, 2, vec![16, 0, 0, 0], 16),
        (1, 2, [vec![16, 0], vec![0; 100]].concat(), 16),
        (0xfffe, 64, long(16, 0), 16),
        (0xfffe, 64, long(16, u32::MAX), 16),
        (0xfffe, 5, long(12, 0x1f), 12),
        (0xfffe, 320, [long(16, 3), vec![7; 8]].concat(), 16),
    ] {
        let signal =
            load_bytes("a.wav", &of_file(&format(coding, channels, &more), &values)).unwrap_or_else(|error| panic!("{more:?}: {error}"));
        assert_eq!((signal.channels.len(), signal.columns), (channels.into(), 640 / usize::from(channels)), "{more:?}");
        let last = signal.samples_f64(ChannelChoice::Channel(usize::from(channels) - 1)).unwrap();
        assert_eq!(last[0], f64::from(values[usize::from(channels) - 1]) / 32_768.0, "{more:?}");
        assert!(signal.notes.is_empty() && signal.to_string().contains(&format!("{bits}-bit")), "{signal}: {:?}", signal.notes);
    }
    for (coding, cause) in [(0x31, "GSM 6.10"), (0x161, "Windows Media Audio"), (0x1234, "WAVE coding 4660")] {
        let error = load_bytes("a.wav", &of_file(&format(coding, 1, &[0, 0]), &values)).unwrap_err().to_string();
        assert!(error.contains(cause) && !error.contains("damaged") && !error.contains('\n'), "{error}");
    }
}

#[test]
fn the_codings_of_aiff_are_read() {
    let head = |coding: &[u8], bits: u16| {
        let body =
            [&1_u16.to_be_bytes()[..], &6_u32.to_be_bytes(), &bits.to_be_bytes(), b"\x40\x0b\xfa\0\0\0\0\0\0\0", coding, b"\0\0"].concat();
        [&b"FORM\0\0\0\0AIFCCOMM"[..], &(body.len() as u32).to_be_bytes(), &body].concat()
    };
    let file = |coding: &[u8], bits: u16, bytes: &[u8]| {
        [&head(coding, bits)[..], b"SSND", &(bytes.len() as u32 + 8).to_be_bytes(), &[0; 8], bytes].concat()
    };
    let reversed = |name: &str| stored(name).into_iter().flat_map(|bytes| bytes.into_iter().rev()).collect::<Vec<u8>>();
    for (coding, bits, bytes) in [
        (b"NONE", 8, stored("s8").concat()),
        (b"NONE", 16, reversed("s16")),
        (b"twos", 24, reversed("s24")),
        (b"sowt", 16, stored("s16").concat()),
        (b"raw ", 8, stored("u8").concat()),
        (b"in24", 24, reversed("s24")),
        (b"in32", 32, reversed("s32")),
        (b"fl32", 32, reversed("f32")),
        (b"FL64", 64, reversed("f64")),
    ] {
        let signal = load_bytes("a.aifc", &file(coding, bits, &bytes)).unwrap();
        assert_eq!(signal.samples_f64(ChannelChoice::Luma).unwrap(), VALUES, "{}", String::from_utf8_lossy(coding));
        assert_eq!(signal.rate_hz(), Some(8000.0));
    }
    let error = load_bytes("a.aifc", &file(b"ima4", 16, &[0; 34])).unwrap_err().to_string();
    assert!(error.contains("coded as “ima4”"), "{error}");
    let cut = file(b"NONE", 16, &reversed("s16"));
    let signal = load_bytes("a.aiff", &cut[..cut.len() - 4]).unwrap();
    assert_eq!(signal.columns, 4);
    assert!(signal.notes[0].text.contains("as it is cut"), "{:?}", signal.notes);
}

/// A FLAC block: its kind, whether it is the last one, and its bytes.
fn block(kind: u8, is_last: bool, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_be_bytes();
    [&[kind | u8::from(is_last) << 7, length[1], length[2], length[3]], body].concat()
}

#[test]
fn a_flac_is_read_whatever_stands_beside_its_samples() {
    let bytes = std::fs::read(data("pcm16.flac")).unwrap();
    let whole = load("pcm16.flac");
    let first = 4 + 4 + 34;
    let description = &bytes[8..first];
    let mut at = first;
    let mut is_last = bytes[4] & 0x80 != 0;
    while !is_last {
        is_last = bytes[at] & 0x80 != 0;
        at += 4 + u32::from_be_bytes([0, bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
    }
    // A cue sheet of one track whose reserved bits are set, a picture that breaks off, and a tag of players before all.
    let sheet = [&[b'1'; 128][..], &[0; 8], &[0x80], &[7; 258], &[1], &[9; 36]].concat();
    let tagged = [&b"ID3\x03\0\0\0\0\0\x05\0\0\0\0\0fLaC"[..], &block(0, true, description), &bytes[at..]].concat();
    for (name, file) in [
        ("cue sheet", [&b"fLaC"[..], &block(0, false, description), &block(5, true, &sheet), &bytes[at..]].concat()),
        (
            "picture",
            [&b"fLaC"[..], &block(0, false, description), &block(6, false, &[0xff; 9]), &block(1, true, &[]), &bytes[at..]].concat(),
        ),
        ("tag", tagged),
    ] {
        let signal = load_bytes("a.flac", &file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((samples(&signal), signal.notes.len()), (samples(&whole), 0), "{name}: {:?}", signal.notes);
    }
}

/// A FLAC of one channel whose frames of 64 samples each hold one value.
fn flac_of(values: &[i16]) -> Vec<u8> {
    fn crc(bytes: &[u8], polynomial: u32, bits: u32) -> u32 {
        let top = 1 << (bits - 1);
        let step = |crc: u32| if crc & top == 0 { crc << 1 } else { crc << 1 ^ polynomial };
        let byte = |crc: u32, &byte: &u8| (0..8).fold(crc ^ u32::from(byte) << (bits - 8), |crc, _| step(crc));
        bytes.iter().fold(0, byte) & (2 * top - 1)
    }
    let total = (64 * values.len()) as u32;
    let rate_and_type = (8000_u64 << 44 | 15 << 36 | u64::from(total)).to_be_bytes();
    let description = [&[0, 64, 0, 64, 0, 0, 0, 0, 0, 0][..], &rate_and_type, &[0; 16]].concat();
    let mut file = [&b"fLaC"[..], &block(0, true, &description)].concat();
    for (index, value) in values.iter().enumerate() {
        let mut frame = vec![0xff, 0xf8, 0x60, 0x08, index as u8, 63];
        frame.push(crc(&frame, 0x07, 8) as u8);
        frame.push(0);
        frame.extend(value.to_be_bytes());
        frame.extend((crc(&frame, 0x8005, 16) as u16).to_be_bytes());
        file.extend(frame);
    }
    file
}

#[test]
fn a_cut_recording_is_read_as_far_as_it_goes() {
    let values: Vec<i16> = (0..20).map(|k| 1000 * k - 9000).collect();
    let flac = flac_of(&values);
    let file = |name| std::fs::read(data(name)).unwrap();
    for (name, bytes, said) in [
        ("tone.mp3", file("tone.mp3"), "cut"),
        ("steps.flac", flac.clone(), "is cut: 1088 of 1280 samples"),
        ("pcm16.w64", file("pcm16.w64"), "as it is cut"),
    ] {
        let whole = load_bytes(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(whole.notes.is_empty(), "{name}: {:?}", whole.notes);
        let cut = load_bytes(name, &bytes[..bytes.len() * 9 / 10]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(cut.columns > 0 && cut.columns < whole.columns, "{name}: {} of {}", cut.columns, whole.columns);
        assert!(cut.notes.iter().any(|note| note.text.contains(said)), "{name}: {:?}", cut.notes);
        let (found, all) = (cut.channels[0].samples.to_f32(), whole.channels[0].samples.to_f32());
        assert_eq!(found[..], all[..found.len()], "{name}");
    }
    // A part of a stream begins at any frame; a frame that is missing in the middle does not end the stream.
    let (head, frame) = (4 + 4 + 34, 12);
    let later = [&flac[..head], &flac[head + 5 * frame..]].concat();
    let later = load_bytes("later.flac", &later).unwrap();
    assert_eq!((later.columns, later.channels[0].samples.value(0).unwrap().re), (15 * 64, f64::from(values[5]) / 32_768.0));
    let mut broken = flac;
    broken[head + 7 * frame + 8] ^= 1;
    let error = load_bytes("broken.flac", &broken).unwrap_err().to_string();
    assert!(error.contains("middle"), "{error}");
}

//! Decoded samples equal those of the file, for every format and type of sample.

use super::*;
use num_complex::{Complex32, Complex64};
use papillon::signal::{Channel, ChannelChoice, SignalKind, load_bytes};

fn assert_image(name: &str, expected: &[Samples]) {
    let signal = load(name);
    assert_eq!((signal.kind, signal.rows, signal.columns), (SignalKind::Image, ROWS, COLUMNS), "{name}");
    assert_eq!(samples(&signal), expected.iter().collect::<Vec<_>>(), "{name}");
    let colours: &[&str] = if expected.len() == 3 { &["red", "green", "blue"] } else { &["gray"] };
    assert_eq!(names(&signal), colours, "{name}");
}

fn rgb8() -> Vec<Samples> {
    (0..3).map(|plane| Samples::U8(bytes(plane))).collect()
}

fn says(name: &str, word: &str) {
    let notes = load(name).notes;
    assert!(notes.iter().any(|note| note.text.contains(word)), "{name} says nothing of “{word}”: {notes:?}");
}

#[test]
fn gray_images_keep_their_depth() {
    for name in ["gray8.png", "gray8-interlaced.png", "gray8.tiff", "bigtiff.tiff", "inverted.tiff", "pages.tiff"] {
        assert_image(name, &[Samples::U8(bytes(0))]);
    }
    for name in ["gray16.png", "gray16-big-endian.tiff"] {
        assert_image(name, &[Samples::U16(words(0))]);
    }
    let bits: Vec<u8> = bytes(0).iter().map(|value| value % 2 * 255).collect();
    for name in ["gray1.png", "gray1.tiff"] {
        assert_image(name, &[Samples::U8(bits.clone())]);
        says(name, "spread");
    }
    says("pages.tiff", "first");
}

#[test]
fn colours_become_three_channels_and_transparency_is_left_out() {
    for name in ["rgb8.png", "rgb8.bmp", "rgb8.webp", "planar.tiff", "tiled.tiff", "rgb8.npy"] {
        assert_image(name, &rgb8());
        assert!(load(name).notes.is_empty(), "{name}");
    }
    for name in ["rgba8.png", "rgba8.webp"] {
        assert_image(name, &rgb8());
        says(name, "alpha");
    }
    assert_image("la8.png", &[Samples::U8(bytes(0))]);
    says("la8.png", "alpha");
    let rgb16: Vec<Samples> = (0..3).map(|plane| Samples::U16(words(plane))).collect();
    for name in ["rgb16.png", "rgb16.tiff", "rgba16-fortran.npy"] {
        assert_image(name, &rgb16);
    }
}

#[test]
fn palettes_are_expanded_with_a_note() {
    let index = |r: usize, c: usize| (37 * r + 11 * c) % 256 % 16;
    let expected = [
        Samples::U8(pixels(|r, c| index(r, c) as u8)),
        Samples::U8(pixels(|r, c| 255 - index(r, c) as u8)),
        Samples::U8(pixels(|r, c| 10 * index(r, c) as u8)),
    ];
    for name in ["palette.png", "palette.bmp", "palette.gif", "animated.gif", "palette.tiff"] {
        assert_image(name, &expected);
        says(name, "palette");
    }
}

#[test]
fn images_of_sciences_are_those_of_other_programs() {
    assert_image("gray8.pgm", &[Samples::U8(bytes(0))]);
    assert_image("rgb8.ppm", &rgb8());
    for name in ["gray16.fits", "gray16.dcm"] {
        assert_image(name, &[Samples::U16(words(0))]);
    }
    for name in ["float32.pfm", "float32.nii", "float32.nii.gz"] {
        assert_image(name, &[Samples::F32(floats())]);
    }
    let size = |name: &str| load(name).pixel_size.expect("the file gives it").to_string();
    assert_eq!(["gray16.fits", "gray16.dcm", "float32.nii"].map(size), ["0.25 °", "0.5 × 0.75 mm", "0.5 × 0.75 mm"]);
    assert_eq!(load("gray16.fits").channels[0].unit.as_deref(), Some("adu"));
    says("float32.nii", "slice 1 of 2");
}

#[test]
fn tiff_keeps_floats_and_wide_integers() {
    let value = |r: usize, c: usize| (4099 * r + 257 * c) % 65536;
    assert_image("float32.tiff", &[Samples::F32(floats())]);
    assert_image("float64.tiff", &[Samples::F64(floats().iter().map(|&x| x.into()).collect())]);
    assert_image("float16.tiff", &[Samples::F32(bytes(0).iter().map(|&x| f32::from(x) / 8.0).collect())]);
    assert_image("int16.tiff", &[Samples::I32(pixels(|r, c| value(r, c) as i32 - 32768))]);
    assert_image("uint32.tiff", &[Samples::I64(pixels(|r, c| value(r, c) as i64 * 65537))]);
}

/// Planes of an 8-bit array that another decoder has written.
fn reference(name: &str) -> Vec<Vec<f32>> {
    let signal = load(&format!("{name}.npy"));
    signal.channels.iter().map(|channel| channel.samples.to_f32()).collect()
}

#[test]
fn jpeg_agrees_with_libjpeg_in_all_its_colours() {
    let names = ["gray.jpg", "rgb.jpg", "progressive.jpg", "jpeg.tiff", "cmyk-adobe.jpg", "ycck-adobe.jpg", "cmyk-plain.jpg"];
    for name in names {
        let signal = load(name);
        assert_eq!((signal.rows, signal.columns), (40, 56), "{name}");
        let expected = reference(name);
        assert_eq!(signal.channels.len(), expected.len(), "{name}");
        for (channel, expected) in signal.channels.iter().zip(expected) {
            let found = channel.samples.to_f32();
            let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            let mean = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum::<f32>() / found.len() as f32;
            // Two decoders may round a coefficient and a colour differently; chroma of jpeg.tiff is interpolated as well.
            let (most, average) = if name == "jpeg.tiff" { (12.0, 1.5) } else { (4.0, 0.7) };
            assert!(worst <= most && mean <= average, "{name}, {}: worst {worst}, mean {mean}", channel.name);
        }
    }
    says("cmyk-adobe.jpg", "Adobe");
    says("cmyk-plain.jpg", "without Adobe");
}

#[test]
fn cmyk_tiff_becomes_rgb() {
    let left = |plane: usize| {
        let full = |value: u8| 255.0 - f64::from(value);
        let product = bytes(plane).into_iter().zip(bytes(3)).map(|(ink, black)| full(ink) * full(black) / 255.0);
        Samples::U8(product.map(|value| value.round() as u8).collect())
    };
    assert_image("cmyk.tiff", &[left(0), left(1), left(2)]);
}

#[test]
fn numpy_arrays_of_every_type_and_order() {
    let reals: Vec<f64> = floats().iter().map(|&x| x.into()).collect();
    for name in ["float64.npy", "fortran.npy", "version2.npy", "two.npz"] {
        assert_image(name, &[Samples::F64(reals.clone())]);
    }
    says("two.npz", "second");
    assert_image("float32-big-endian.npy", &[Samples::F32(floats())]);
    assert_image("float16.npy", &[Samples::F32(bytes(0).iter().map(|&x| f32::from(x) / 8.0).collect())]);
    let line: Vec<i32> = (-4..6).collect();
    let complex = |n: &i32| Complex64::new((*n).into(), f64::from(n * n));
    let expected = [
        ("int8.npy", Samples::I32(line.clone())),
        ("int16.npy", Samples::I32(line.clone())),
        ("int32.npy", Samples::I32(line.clone())),
        ("int64.npy", Samples::I64(line.iter().map(|&n| i64::from(n) * 10_i64.pow(15)).collect())),
        ("uint32.npy", Samples::I64((0..10).map(|n| n + (1 << 32) - 10).collect())),
        ("uint64.npy", Samples::I64((0..10).collect())),
        ("bool.npy", Samples::U8(line.iter().map(|n| u8::from(n % 3 == 0)).collect())),
        ("complex128.npy", Samples::Complex64(line.iter().map(complex).collect())),
        ("complex64.npy", Samples::Complex32(line.iter().map(|n| Complex32::new(*n as f32, (n * n) as f32)).collect())),
        ("scalar.npy", Samples::F64(vec![2.5])),
    ];
    for (name, expected) in expected {
        let signal = load(name);
        assert_eq!((signal.kind, signal.rows), (SignalKind::Rows, 1), "{name}");
        assert_eq!(samples(&signal), [&expected], "{name}");
    }
}

#[test]
fn recordings_are_divided_by_full_scale() {
    let sample = |n: i64, factor: i64| (n * factor % 65536 - 32768) as f32 / 32768.0;
    let frames = |n: usize| [7919, 104_729].map(|factor| (0..n as i64).map(|k| sample(k, factor)).collect::<Vec<_>>());
    let exact = [
        ("pcm16.wav", 3000),
        ("pcm24.wav", 500),
        ("pcm32.wav", 500),
        ("float32.wav", 500),
        ("float64.wav", 500),
        ("pcm16.flac", 1500),
        ("pcm16.aiff", 100),
        ("sowt.aifc", 100),
        ("pcm16.w64", 100),
        ("pcm16.au", 100),
        ("pcm16.caf", 100),
        ("lossless.m4a", 500),
    ];
    for (name, n) in exact {
        let signal = load(name);
        assert_eq!((signal.kind, signal.rows, signal.columns), (SignalKind::Rows, 1, n), "{name}");
        assert_eq!((signal.rate_hz(), names(&signal)), (Some(8000.0), vec!["left", "right"]), "{name}");
        for (channel, expected) in signal.channels.iter().zip(frames(n)) {
            assert_eq!(channel.samples.to_f32(), expected, "{name}, {}", channel.name);
        }
    }
    assert!(load("float64.wav").is_double() && !load("pcm24.wav").is_double());
    for (channel, expected) in load("pcm8.wav").channels.iter().zip(frames(500)) {
        let floored: Vec<f32> = expected.iter().map(|x| (x * 128.0).floor() / 128.0).collect();
        assert_eq!(channel.samples.to_f32(), floored);
    }
}

#[test]
fn compressed_recordings_agree_with_other_decoders() {
    for (name, tolerance) in [("tone.mp3", 2e-4), ("tone.ogg", 2e-4), ("tone.opus", 1e-4), ("mulaw.wav", 1e-6)] {
        let signal = load(name);
        let expected = load(&format!("{name}.npy"));
        let expected = samples(&expected)[0].to_f32();
        let n = expected.len() / signal.channels.len().max(1);
        let found = samples(&signal)[0].to_f32();
        assert_eq!(found.len(), n, "{name}");
        let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < tolerance, "{name}: {worst}");
    }
    assert_eq!(load("tone.mp3").rate_hz(), Some(16000.0));
    // The samples in which the coder settles are before the tone; MPEG-4 says where it begins and ends.
    for (name, n, first) in [("tone.m4a", 4800, 1024), ("tone.aac", 6 * 1024, 2048)] {
        let signal = load(name);
        let found = samples(&signal)[0].to_f32();
        assert_eq!((signal.rate_hz(), found.len()), (Some(48000.0), n), "{name}");
        // The amplitude is that which FFmpeg decodes.
        let period = 2.0 * std::f32::consts::PI * 440.0 / 48000.0;
        let sums = (first..first + 2400).fold((0.0, 0.0), |(a, b), k| {
            let phase = period * k as f32;
            (a + found[k] * phase.cos(), b + found[k] * phase.sin())
        });
        let amplitude = sums.0.hypot(sums.1) / 1200.0;
        assert!((amplitude - 0.492_872).abs() < 1e-5, "{name}: {amplitude}");
    }
}

#[test]
fn tables_by_their_number_of_columns() {
    let read = |text: &str| load_bytes("table", text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let line = |text: &str, expected: Samples| {
        let signal = read(text);
        assert_eq!((signal.kind, signal.rows, signal.columns), (SignalKind::Rows, 1, expected.len()), "{text:?}");
        assert_eq!(samples(&signal), [&expected], "{text:?}");
    };
    line("1\n2\n-3\n", Samples::I64(vec![1, 2, -3]));
    line("\u{feff}value\r\n1\r\n2.5\r\n", Samples::F64(vec![1.0, 2.5]));
    line("# a comment\n\n1e3\n", Samples::F64(vec![1000.0]));
    line("7", Samples::I64(vec![7]));
    let complex = Samples::Complex64(vec![Complex64::new(1.0, 2.0), Complex64::new(3.0, -4.5)]);
    for text in [
        "1,2\n3,-4.5\n",
        "real,imaginary\n1,2\n3,-4.5",
        "\"re\",\"im\"\n1,2\n3,-4.5",
        "1\t2\n3\t-4.5",
        "  1   2 \n 3 -4.5",
        "1;2\n3;-4,5\n",
        "1 2\n3 -4.5\n",
        "  # a comment\n\"re\", \"im\"\r\n1, 2\r\n\r\n3, -4.5\r\n",
        "\t\n1\t2\n\t\n3\t-4.5",
    ] {
        line(text, complex.clone());
    }
    line("1,2,3,4", Samples::I64(vec![1, 2, 3, 4]));
    let batch = read("0,1,1,0\n1,1,1,0\n");
    assert_eq!((batch.kind, batch.rows, batch.columns), (SignalKind::Rows, 2, 4));
    assert_eq!(samples(&batch), [&Samples::I64(vec![0, 1, 1, 0, 1, 1, 1, 0])]);
    let channels = read("place,value\n0,5\n1,6\n");
    assert_eq!((channels.columns, names(&channels)), (2, vec!["place", "value"]));
    assert!(read("1\nnan\n").notes.iter().any(|note| note.text.contains("1 infinite or NaN sample, which spreads")));
}

#[test]
fn a_column_of_times_gives_the_rate() {
    let read = |text: &str| load_bytes("t.csv", text.as_bytes()).unwrap();
    let timed = read("time,x\n0.000,1\n0.001,2\n0.002,3\n0.003,5\n");
    assert_eq!((timed.rows, timed.columns, timed.channels.len(), timed.rate_hz()), (1, 4, 1, Some(1000.0)));
    assert_eq!(timed.channels[0], Channel::new("x", Samples::I64(vec![1, 2, 3, 5])));
    let several = read("t [ms];left;right\n0;1;4\n2;2;5\n4;3;6\n");
    assert_eq!((several.channels.len(), several.rate_hz()), (2, Some(500.0)));
    assert_eq!(several.channels[1], Channel::new("right", Samples::I64(vec![4, 5, 6])));
    let complex = read("seconds,real,imaginary\n0,1,2\n1,3,4\n");
    assert!(complex.is_complex() && complex.rate_hz() == Some(1.0));
    let uneven = read("t,x\n0,1\n1,2\n5,3\n");
    assert_eq!((uneven.channels.len(), uneven.channels[0].name.as_str(), uneven.rate_hz()), (1, "x", None));
    assert!(uneven.notes[0].text.contains("uneven steps"), "{:?}", uneven.notes);
    // Names that say nothing of time, and times that go back.
    assert_eq!(read("left,right\n0,1\n1,2\n2,3\n").channels.len(), 2);
    assert_eq!(read("t,x\n0,1\n2,2\n1,3\n").channels.len(), 2);
}

#[test]
fn content_counts_and_not_the_ending() {
    let jpeg = std::fs::read(data("rgb.jpg")).unwrap();
    let signal = load_bytes("photo.png", &jpeg).unwrap();
    assert_eq!(signal.description(), "56 × 40 px image, 8-bit RGB");
    assert!(signal.notes.iter().any(|note| note.text.contains(".png") && note.text.contains("JPEG")), "{:?}", signal.notes);
}

#[test]
fn channels_of_colours() {
    let signal = load("rgb8.png");
    let planes = [0, 1, 2].map(bytes);
    let luma = signal.samples_f32(ChannelChoice::Luma).unwrap();
    for (index, value) in luma.into_iter().enumerate() {
        let [r, g, b] = [0, 1, 2].map(|plane: usize| f64::from(planes[plane][index]));
        assert!((f64::from(value) - (0.299 * r + 0.587 * g + 0.114 * b)).abs() < 1e-4);
    }
    for (view, plane) in [("red", 0), ("green", 1), ("blue", 2), ("1", 0), ("3", 2)] {
        let expected: Vec<f32> = planes[plane].iter().map(|&v| v.into()).collect();
        assert_eq!(signal.samples_f32(view.parse().unwrap()).unwrap(), expected, "{view}");
    }
    assert!(signal.samples_f32(ChannelChoice::Channel(3)).unwrap_err().to_string().contains("red, green, blue"));
    assert!(load("gray8.png").samples_f32(ChannelChoice::Red).is_err());
    assert!("purple".parse::<ChannelChoice>().unwrap_err().to_string().contains("luma"));
    let complex = load("complex128.npy");
    assert_eq!(complex.samples_complex32(ChannelChoice::Luma).unwrap()[0], Complex32::new(-4.0, 16.0));
    assert_eq!(complex.samples_f64(ChannelChoice::Luma).unwrap()[0], -4.0);
    assert_eq!(complex.min_max(ChannelChoice::Luma).unwrap().unwrap().0, 0.0);
}

#[test]
fn every_output_of_a_pla_file_is_a_channel() {
    let signal = load("full-adder.pla");
    assert_eq!((signal.kind, signal.rows, signal.columns), (SignalKind::Rows, 1, 8));
    assert_eq!(names(&signal), ["sum", "carry"]);
    assert_eq!(samples(&signal), [&Samples::U8(vec![0, 1, 1, 0, 1, 0, 0, 1]), &Samples::U8(vec![0, 0, 0, 1, 0, 1, 1, 1])]);
    says("full-adder.pla", "x3 is cin");
    let error = load_bytes("wide.pla", b".i 40\n.o 1\n").unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("40 variables") && error.lines().count() == 1, "{error}");
}

#[test]
fn recordings_of_integers_say_their_bits() {
    for (name, coding) in
        [("pcm16.wav", "16-bit"), ("pcm8.wav", "8-bit"), ("pcm24.wav", "24-bit"), ("pcm32.wav", "32-bit"), ("float32.wav", "32-bit float")]
    {
        let description = load(name).description();
        assert!(description.contains(&format!(", {coding},")), "{name}: {description}");
    }
    assert!(load("pcm16.flac").description().contains(", 16-bit,"));
}

#[test]
fn a_line_of_digits_0_and_1_is_a_truth_table() {
    let read = |text: &str| load_bytes("table.txt", text.as_bytes()).unwrap();
    for text in ["01101001", "# parity\n\n 01101001 \r\n"] {
        let signal = read(text);
        assert_eq!((signal.rows, signal.columns, samples(&signal)), (1, 8, vec![&Samples::U8(vec![0, 1, 1, 0, 1, 0, 0, 1])]), "{text}");
        assert!(signal.notes[0].text.contains("truth table"));
        let reading = signal.as_logic(ChannelChoice::Luma).unwrap();
        assert_eq!(reading.function.unwrap().0.weight(), 4);
    }
    for (text, values) in [("10", vec![10]), ("101", vec![101]), ("1002", vec![1002]), ("1000\n1001", vec![1000, 1001])] {
        assert_eq!(samples(&read(text)), [&Samples::I64(values)], "{text}");
    }
}

//! Recordings measured as typed: spectra, spectrograms, peaks, tones, two channels, and what bad input gets.

use super::*;
use serde_json::Value;
use std::f64::consts::PI;

/// A WAV of 32-bit floats, or of 64-bit ones.
pub(super) fn wav(rate: u32, channels: &[Vec<f64>], double: bool) -> Vec<u8> {
    let (n, size) = (channels.len() as u16, if double { 8_u16 } else { 4 });
    let frames = channels[0].len();
    let sample = |k: usize| channels[k % usize::from(n)][k / usize::from(n)];
    let bytes = |k: usize| if double { sample(k).to_le_bytes().to_vec() } else { (sample(k) as f32).to_le_bytes().to_vec() };
    let data: Vec<u8> = (0..frames * usize::from(n)).flat_map(bytes).collect();
    let head = [
        &b"RIFF"[..],
        &(36 + data.len() as u32).to_le_bytes(),
        b"WAVEfmt \x10\0\0\0\x03\0",
        &n.to_le_bytes(),
        &rate.to_le_bytes(),
        &(rate * u32::from(n * size)).to_le_bytes(),
        &(n * size).to_le_bytes(),
        &(8 * size).to_le_bytes(),
        b"data",
        &(data.len() as u32).to_le_bytes(),
    ]
    .concat();
    [head, data].concat()
}

pub(super) fn sine(n: usize, cycles: f64, amplitude: f64, phase: f64) -> Vec<f64> {
    (0..n).map(|index| amplitude * (TAU * cycles * index as f64 + phase).cos()).collect()
}

pub(super) fn noise(n: usize) -> Vec<f64> {
    pixels(4 * n).chunks(4).map(|four| four.iter().map(|byte| f64::from(*byte) / 256.0 - 0.5).sum()).collect()
}

/// The columns of a CSV below its comments and its header.
pub(super) fn table(bytes: &[u8]) -> (String, Vec<Vec<f64>>) {
    let text = std::str::from_utf8(bytes).unwrap();
    let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
    let header = lines.next().unwrap().to_owned();
    let number = |cell: &str| if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() };
    (header, lines.map(|line| line.split(',').map(number).collect()).collect())
}

/// Welch's average of a power density by its definition: Hann, frames by hops, one-sided.
fn welch(values: &[f64], length: usize, hop: usize, rate: f64) -> Vec<f64> {
    let weight = |i: usize| 0.5 - 0.5 * (TAU * i as f64 / length as f64).cos();
    let squares: f64 = (0..length).map(|i| weight(i).powi(2)).sum();
    let count = (values.len() - length) / hop + 1;
    (0..=length / 2)
        .map(|k| {
            let power = |m: usize| {
                let term = |i: usize| {
                    values[m * hop + i] * weight(i) * Complex64::from_polar(1.0, -TAU * ((i * k) % length) as f64 / length as f64)
                };
                (0..length).map(term).sum::<Complex64>().norm_sqr()
            };
            let sides = if k == 0 || 2 * k == length { 1.0 } else { 2.0 };
            sides * (0..count).map(power).sum::<f64>() / count as f64 / (rate * squares)
        })
        .collect()
}

#[test]
fn averaged_spectra_are_those_of_the_definition() {
    let folder = TempDir::new().unwrap();
    let values = noise(700);
    write(&folder, "n.wav", wav(1000, std::slice::from_ref(&values), true));
    let expected = welch(&values, 64, 32, 1000.0);
    done(&folder, "spectrum n.wav --length 64 --overlap 50% --quantity density --precision double -o d.csv");
    let (header, rows) = table(&read(&folder, "d.csv"));
    assert_eq!((header.as_str(), rows.len()), ("frequency,value", 33));
    for (k, row) in rows.iter().enumerate() {
        assert!(
            (row[0] - 1000.0 * k as f64 / 64.0).abs() < 1e-12 && (row[1] / expected[k] - 1.0).abs() < 1e-9,
            "{row:?} for {}",
            expected[k]
        );
    }
    done(&folder, "spectrum n.wav --length 64 --overlap 32 --quantity density --db --reference 1 -d cpu -o d.json");
    let json: Value = serde_json::from_slice(&read(&folder, "d.json")).unwrap();
    assert!((json["value"][5].as_f64().unwrap() - 10.0 * expected[5].log10()).abs() < 1e-4, "{json}");
    let told = done(&folder, "spectrum n.wav --length 64 --average median -o d.npy");
    assert!(told.contains("0.70"), "{told}");
}

#[test]
fn a_tone_reads_its_level_and_its_frequency_at_any_offset() {
    let folder = TempDir::new().unwrap();
    let (n, rate) = (24_000, 48_000.0);
    let step = rate / n as f64;
    for (cycles, level) in [(500.0, 0.5), (777.5, 0.5), (123.37, 0.01)] {
        write(&folder, "t.wav", wav(48_000, &[sine(n, cycles / n as f64, level, 0.5)], true));
        done(&folder, "peaks t.wav -n 5 -o p.csv");
        let (header, rows) = table(&read(&folder, "p.csv"));
        assert_eq!((header.as_str(), rows.len()), ("frequency,amplitude,level,phase,width,period", 1));
        let [frequency, amplitude, decibels, phase, width, period] = rows[0][..] else { panic!("{rows:?}") };
        assert!((frequency / step - cycles).abs() < 1e-3 && (decibels - 20.0 * level.log10()).abs() < 1e-3, "{rows:?}");
        assert!((amplitude / level - 1.0).abs() < 1e-4 && (phase - 0.5).abs() < 1e-3 && (period * frequency - 1.0).abs() < 1e-9);
        assert!((width / step - 1.44).abs() < 0.02, "{width}");
    }
    // Between two values a window with a flat top reads the level too.
    write(&folder, "t.wav", wav(48_000, &[sine(n, 777.5 / n as f64, 0.5, 0.0)], false));
    done(&folder, "spectrum t.wav --window flat-top --db -o s.csv");
    let largest = table(&read(&folder, "s.csv")).1.iter().map(|row| row[1]).fold(f64::NEG_INFINITY, f64::max);
    assert!((largest + 6.0206).abs() < 0.02, "{largest}");
}

#[test]
fn a_tone_has_its_harmonics() {
    let folder = TempDir::new().unwrap();
    let n = 48_000;
    let parts = [sine(n, 997.0 / 48_000.0, 0.5, 0.0), sine(n, 1994.0 / 48_000.0, 5e-4, 1.0), sine(n, 2991.0 / 48_000.0, 5e-4, 2.0)];
    let sum = (0..n).map(|index| parts.iter().map(|part| part[index]).sum()).collect();
    write(&folder, "t.wav", wav(48_000, &[sum], true));
    let output = papillon(&folder, "tone t.wav --json");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (key, expected) in
        [("frequency", 997.0), ("level", -6.0206), ("thd", -56.9897), ("sinad", 56.9897), ("sfdr", 60.0), ("enob", (56.9897 - 1.76) / 6.02)]
    {
        assert!((json[key].as_f64().unwrap() - expected).abs() < 2e-3, "{key}: {json}");
    }
    assert!(json["snr"].as_f64().unwrap() > 200.0 && json["harmonics"] == 10 && json["length"] == n);
    let text = String::from_utf8(papillon(&folder, "tone t.wav --at 1994 --band 1500..20000").stdout).unwrap();
    assert!(text.contains("1994 Hz") && text.contains("dBFS"), "{text}");
}

#[test]
fn two_channels_have_their_gain_and_their_delay() {
    let folder = TempDir::new().unwrap();
    let x = noise(20_000);
    let y: Vec<f64> = (0..x.len()).map(|n| if n < 7 { 0.0 } else { -0.5 * x[n - 7] }).collect();
    write(&folder, "xy.wav", wav(8000, &[x.clone(), y.clone()], true));
    write(&folder, "x.wav", wav(8000, &[x], true));
    write(&folder, "y.wav", wav(8000, &[y], true));
    for call in ["transfer xy.wav --length 512 -o h.csv", "transfer x.wav y.wav --length 512 --estimator h2 -o h.csv"] {
        let told = done(&folder, call);
        assert!(told.contains("y comes 7"), "{told}");
        let (header, rows) = table(&read(&folder, "h.csv"));
        assert_eq!(header, "frequency,gain,phase,coherence");
        for row in &rows[1..rows.len() - 1] {
            let turned = (row[2] - (PI - TAU * row[0] / 8000.0 * 7.0)).rem_euclid(TAU);
            assert!((row[1] - 0.5).abs() < 0.03 && turned.min(TAU - turned) < 0.1 && row[3] > 0.98, "{row:?}");
        }
    }
    let output = papillon(&folder, "correlate x.wav y.wav --json");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((json["lag"].as_f64().unwrap() - 7.0).abs() < 1e-3 && json["height"].as_f64().unwrap() < -0.99, "{json}");
    assert!((json["lag_seconds"].as_f64().unwrap() - 7.0 / 8000.0).abs() < 1e-6);
    assert!(done(&folder, "transfer xy.wav --length 20000 -o h.csv").contains("a single average"));
}

#[test]
fn a_sweep_and_its_recording_give_the_impulse_response_of_a_room() {
    let folder = TempDir::new().unwrap();
    done(&folder, "generate sweep --frequency 20..4000 --law exponential --duration 2s --rate 8kHz -o sweep.wav");
    let sweep = papillon::signal::load(folder.path().join("sweep.wav")).unwrap();
    let sweep = sweep.samples_f64(papillon::signal::ChannelChoice::Luma).unwrap();
    let taps = [(100, 1.0), (431, -0.5), (900, 0.25)];
    let mut heard = vec![0.0; sweep.len() + 2000];
    for (delay, height) in taps {
        sweep.iter().enumerate().for_each(|(n, value)| heard[n + delay] += height * value);
    }
    write(&folder, "rec.wav", wav(8000, &[heard], false));
    let told = done(&folder, "transfer sweep.wav rec.wav --length 4096 --impulse-response ir.wav --group-delay -o h.csv");
    assert!(told.contains("largest after 100 samples") && told.contains("T20"), "{told}");
    let response = papillon::signal::load(folder.path().join("ir.wav")).unwrap();
    assert_eq!((response.columns, response.rate_hz()), (18_000, Some(8000.0)), "the tail of the recording counts");
    let response = response.samples_f64(papillon::signal::ChannelChoice::Luma).unwrap();
    for (delay, height) in taps {
        assert!((response[delay] - height).abs() < 0.03, "{delay}: {} for {height}", response[delay]);
    }
    let (header, rows) = table(&read(&folder, "h.csv"));
    assert_eq!(header, "frequency,gain,phase,coherence,group_delay");
    assert!(rows[0][4].is_nan() && rows[rows.len() / 2][4].is_finite());
    let output = papillon(&folder, "transfer sweep.wav rec.wav --impulse-response - -o h.csv");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--impulse-response takes a file"));
}

#[test]
fn a_delay_is_found_by_the_phases_alone() {
    let folder = TempDir::new().unwrap();
    let x = noise(8000);
    let y: Vec<f64> = (0..x.len()).map(|n| if n < 9 { 0.0 } else { 0.5 * x[n - 9] }).collect();
    write(&folder, "xy.wav", wav(8000, &[x, y], true));
    let output = papillon(&folder, "correlate xy.wav --phat --json");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((json["lag"].as_f64().unwrap() - 9.0).abs() < 0.01 && json["height"].as_f64().unwrap() > 0.9, "{json}");
}

#[test]
fn a_spectrogram_has_its_frames_and_shows_a_click() {
    let folder = TempDir::new().unwrap();
    let mut values = sine(8000, 0.125, 0.25, 0.0);
    values[4000] = 1.0;
    write(&folder, "s.wav", wav(8000, &[values], true));
    done(&folder, "spectrogram s.wav --length 64 --overlap 32 -o s.csv");
    let (header, rows) = table(&read(&folder, "s.csv"));
    let times: Vec<f64> = header.split(',').skip(1).map(|time| time.parse().unwrap()).collect();
    assert_eq!((times.len(), rows.len(), times[0], times[1]), ((8000 - 64) / 32 + 1, 33, 0.004, 0.008));
    assert!((rows[8][0] - 1000.0).abs() < 1e-9 && (rows[8][1] - 0.25 * 0.25 / 2.0).abs() < 1e-9, "{:?}", &rows[8][..3]);
    let power: Vec<f64> = rows[20][1..].to_vec();
    assert!(power.iter().enumerate().all(|(m, power)| (*power > 1e-9) == (m == 124)), "{power:?}");
    done(&folder, "spectrogram s.wav --length 64 --size 300x200 --colormap gray --range -120..0dB --reference 1 -o s.png");
    let (width, height, _, pixels) = read_png(&folder.path().join("s.png"));
    assert_eq!((width, height), (300, 200));
    // The click is a bright column in the upper half, where the tone has no power.
    let bright = |x: usize| u32::from(pixels[3 * (60 * width + x)]);
    let lightest = (80..190).max_by_key(|x| bright(*x)).unwrap();
    assert!((134..=140).contains(&lightest), "{lightest}: {:?}", (80..190).map(bright).collect::<Vec<_>>());
    for ending in ["svg", "paths.svg", "pdf", "npy"] {
        done(&folder, &format!("spectrogram s.wav --length 64 --method reassigned -o s.{ending}"));
    }
    done(&folder, "spectrum s.wav --length 64 -o s.tex");
    assert!(String::from_utf8_lossy(&read(&folder, "s.tex")).contains("tikzpicture"));
}

/// A WAV of one channel of 16 bits at 8 kHz.
fn wav_of_16_bits(values: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| (value.round() as i16).to_le_bytes()).collect();
    let head = b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data";
    [b"RIFF", &(36 + data.len() as u32).to_le_bytes()[..], head, &(data.len() as u32).to_le_bytes(), &data].concat()
}

#[test]
fn boxes_of_time_and_frequency_pass_or_are_cut() {
    let folder = TempDir::new().unwrap();
    let (low, high) = (sine(8000, 0.125, 8000.0, 0.0), sine(8000, 0.3125, 4000.0, 1.0));
    let sum: Vec<f64> = low.iter().zip(&high).map(|(a, b)| (a + b).round()).collect();
    write(&folder, "t.wav", wav_of_16_bits(&sum));
    let samples = |name: &str| -> Vec<f64> {
        read(&folder, name)[44..].chunks_exact(2).map(|two| f64::from(i16::from_le_bytes([two[0], two[1]]))).collect()
    };
    let told = done(&folder, "filter t.wav --box 0.2s..0.6s,700Hz..1300Hz:cut --length 256 -o cut.wav");
    assert!(told.contains("the WAV has 16 bits") && told.contains("box 0.2s..0.6s,700Hz..1300Hz:cut"), "{told}");
    let cut = samples("cut.wav");
    assert!((0..8000).filter(|n| !(1344..5056).contains(n)).all(|n| cut[n] == sum[n]));
    assert!((1856..4544).all(|n| (cut[n] - high[n]).abs() < 20.0));
    done(&folder, "filter t.wav --box 0.2s..0.6s,700Hz..1300Hz --length 256 -o pass.wav");
    assert!(samples("pass.wav").iter().zip(&cut).zip(&sum).all(|((pass, cut), x)| (pass + cut - x).abs() <= 1.0));
    done(&folder, "filter t.wav --from 0.1s --to 0.7s --box 0.2s..0.6s,700Hz..1300Hz:cut --length 256 -o part.wav");
    // The frames begin with the selection, so only the soft edges differ.
    let part = samples("part.wav");
    let is_soft = |n: &usize| (1344..1856).contains(n) || (4544..5056).contains(n);
    assert!(part.len() == 4800 && (800..5600).filter(|n| !is_soft(n)).all(|n| (part[n - 800] - cut[n]).abs() <= 1.0));
    let square: Vec<f64> = (0..8000).map(|n| if n % 80 < 40 { 32_767.0 } else { -32_768.0 }).collect();
    write(&folder, "loud.wav", wav_of_16_bits(&square));
    let told = done(&folder, "filter loud.wav --box 0s..1s,0Hz..600Hz -o loud.out.wav");
    assert!(told.contains("beyond full scale: the WAV has 32-bit floats"), "{told}");
    for (options, words) in [
        ("--box 0.6s..0.2s,900Hz..1100Hz", "earlier time first"),
        ("--box 0.2s..2s,900Hz..1100Hz", "lasts 1 s"),
        ("--box 0s..1s,900Hz..900Hz", "holds no frequency"),
        ("--box 0s..1s,3kHz..5kHz", "from 0 to 4000 Hz"),
        ("--box 0s..1s,900Hz..903Hz", "a box 3 Hz wide is narrower than the "),
        ("--box 0s..1s", "is no box"),
        ("--stroke 0s,900Hz", "is no stroke"),
        ("--stroke 0.2s,900Hz..2s,1kHz@50ms,80Hz", "lies outside the recording"),
        ("--stroke 0.2s,900Hz@50ms,3Hz", "narrower than the "),
        ("--box 0s..1s,900Hz..1100Hz --low-pass 0.1", "leave --low-pass out"),
        ("--box 0s..1s,900Hz..1100Hz --length 9000", "shorter length"),
        ("--low-pass 0.1 --length 64", "leave --length out"),
        ("--low-pass 0.1 --from 2s", "to 8000 do not lie in the recording"),
    ] {
        let told = refused(&folder, &format!("filter t.wav {options} -o o.wav"), 2);
        assert!(told.contains(words), "{options}: {told}");
    }
    write_png(&folder, "image.png", 4, 4, &pixels(16));
    assert!(refused(&folder, "filter image.png --box 0..4,0.1..0.2 -o o.png", 2).contains("leave --box out"));
    done(&folder, "filter t.wav --low-pass 0.2 --from 0.5s -o half.npy");
    assert_eq!(read_npy(&folder, "half.npy").len(), 4000);
}

#[test]
fn boxes_are_measured_and_go_to_other_programs_and_back() {
    let folder = TempDir::new().unwrap();
    write(&folder, "t.wav", wav_of_16_bits(&sine(8000, 0.125, 8000.0, 0.0)));
    done(&folder, "boxes t.wav --box 0.25s..0.75s,800Hz..1200Hz --box 0s..1s,2kHz..3kHz:cut -o b.json");
    let json: Value = serde_json::from_slice(&read(&folder, "b.json")).unwrap();
    let tone = &json["boxes"][0];
    let number = |key: &str| tone[key].as_f64().unwrap();
    // A sine of 8000 of 32768: its power is half of the square of its amplitude.
    let power = (8000.0_f64 / 32_768.0).powi(2) / 2.0;
    assert!((number("peak") - 1000.0).abs() < 0.01 && (number("centroid") - 1000.0).abs() < 0.1, "{json}");
    assert!((number("power") / power - 1.0).abs() < 1e-3 && (number("energy") / (0.5 * power) - 1.0).abs() < 1e-3, "{json}");
    assert!((number("level") + 12.247).abs() < 0.01 && number("duration") == 0.5 && json["level_unit"] == "dBFS", "{json}");
    for name in ["b.txt", "b.selections.txt", "b.sigmf-meta"] {
        done(&folder, &format!("boxes t.wav --box 0.25s..0.75s,800Hz..1200Hz -o {name}"));
        done(&folder, &format!("boxes t.wav --boxes {name} -o back.csv"));
        let text = String::from_utf8(read(&folder, "back.csv")).unwrap();
        let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
        assert!(
            text.starts_with("name,from,to,low,high,peak") && row[row.len() - 11..][..4] == ["0.25", "0.75", "800", "1200"],
            "{name}: {text}"
        );
    }
    done(&folder, "filter t.wav --box 0.25s..0.75s,800Hz..1200Hz:cut -o one.npy");
    done(&folder, "filter t.wav --boxes b.txt:cut -o other.npy");
    assert_eq!(read(&folder, "one.npy"), read(&folder, "other.npy"), "a file of boxes filters as they do");
    write(&folder, "points.txt", "0.5\t0.5\tpoint\n");
    for (line, code, words) in [
        ("boxes t.wav -o o.csv", 2, "take --box, --stroke or --boxes"),
        ("boxes t.wav --box 0s..1s,0Hz..1kHz -o o.png", 2, "write"),
        ("boxes t.wav --box 0s..1s,0Hz..1kHz --full-scale 2 -o o.txt", 2, "leave --full-scale out"),
        ("boxes t.wav --boxes points.txt -o o.csv", 1, "no box in it lies in the recording"),
        ("boxes t.wav --boxes t.wav -o o.csv", 1, "is not text"),
        ("boxes t.wav --boxes nowhere.txt -o o.csv", 1, "cannot read nowhere.txt"),
        ("filter t.wav --boxes b.txt --low-pass 0.1 -o o.wav", 2, "leave --low-pass out"),
    ] {
        let told = refused(&folder, line, code);
        assert!(told.contains(words), "{line}: {told}");
    }
}

#[test]
fn complex_samples_have_two_sides_and_come_through_a_pipe() {
    let folder = TempDir::new().unwrap();
    let n = 4000;
    let bytes: Vec<u8> = (0..n)
        .flat_map(|index| {
            let z = Complex64::from_polar(0.5, -TAU * 0.1 * f64::from(index));
            [z.re as f32, z.im as f32].map(f32::to_le_bytes).concat()
        })
        .collect();
    let output = piped(&folder, "spectrum - --raw cf32,1,1MHz --db -o -", &bytes);
    let (_, rows) = table(&output.stdout);
    assert_eq!((rows.len(), rows[0][0]), (n as usize, -500_000.0));
    let largest = rows.iter().max_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
    assert!((largest[0] + 100_000.0).abs() < 1e-6 && (largest[1] + 6.0206).abs() < 1e-3, "{largest:?}");
}

#[test]
fn tables_have_their_unit_and_arrays_their_own_frequencies() {
    let folder = TempDir::new().unwrap();
    let rows: String = (0..400).map(|n| format!("{},{}\n", n as f64 * 0.01, 3.0 * (TAU * 10.0 * n as f64 * 0.01).cos())).collect();
    write(&folder, "t.csv", format!("time (s),level (V)\n{rows}"));
    done(&folder, "peaks t.csv -o p.json");
    let json: Value = serde_json::from_slice(&read(&folder, "p.json")).unwrap();
    assert!((json["peaks"][0]["frequency"].as_f64().unwrap() - 10.0).abs() < 1e-3 && json["reference"] == "dB re 1 V", "{json}");
    assert!((json["rate"].as_f64().unwrap() - 100.0).abs() < 1e-6 && json["length"] == 400);
    write(&folder, "m.csv", "1,2,3,4\n5,6,7,8\n9,1,2,3\n4,5,6,7\n");
    done(&folder, "spectrum m.csv -o image.png");
    let told = refused(&folder, "spectrum m.csv --quantity power -o image2.png", 2);
    assert!(told.contains("leave --quantity out"), "{told}");
    let tall: String = (0..64).map(|n| format!("{},{},7\n", n % 2, n % 4)).collect();
    write(&folder, "tall.csv", tall);
    let told = done(&folder, "spectrum tall.csv --rate 64 --channel 2 -o tall.out.csv");
    let (_, rows) = table(&read(&folder, "tall.out.csv"));
    assert!(told.contains("each column is a channel") && rows.len() == 33 && rows[16][1] > 0.9, "{told}: {rows:?}");
    let told = refused(&folder, "spectrum t.csv --scale db -o s.csv", 2);
    assert!(told.contains("leave --scale out"), "{told}");
}

#[test]
fn what_cannot_be_measured_is_one_line_and_no_file() {
    let folder = TempDir::new().unwrap();
    let mut values = noise(1000);
    write(&folder, "n.wav", wav(8000, std::slice::from_ref(&values), false));
    values[500] = f64::NAN;
    write(&folder, "nan.wav", wav(8000, &[values], false));
    write(&folder, "zero.wav", wav(8000, &[vec![0.0; 1000]], false));
    write(&folder, "one.wav", wav(8000, &[vec![0.5]], false));
    write(&folder, "rate.wav", wav(0, &[vec![0.5; 100]], false));
    for (call, code, words) in [
        ("spectrum n.wav --length 1 -o o.csv", 2, "length of 2 or more"),
        ("spectrum n.wav --length 0 -o o.csv", 2, "length of 2 or more"),
        ("spectrum n.wav --length 1001 -o o.csv", 2, "shorter length"),
        ("spectrum n.wav --length 64 --overlap 64 -o o.csv", 2, "overlap below the length"),
        ("spectrum n.wav --length 64 --overlap 100% -o o.csv", 2, "overlap"),
        ("spectrum n.wav --from 0.1s --to 0.2s -o o.csv", 2, "samples 800 to 1600"),
        ("spectrum n.wav --from 20 --to 10 -o o.csv", 2, "samples 20 to 10"),
        ("spectrum n.wav --channel 2 -o o.csv", 2, "no channel"),
        ("spectrum n.wav --window brick -o o.csv", 2, "window"),
        ("spectrum n.wav --length 64 --quantity phase -o o.csv", 2, "an average has no phase"),
        ("spectrum nan.wav -o o.csv", 1, "1 sample is not finite"),
        ("spectrum one.wav -o o.csv", 2, "at least 2 samples"),
        ("spectrum rate.wav -o o.csv", 1, "sample rate is zero"),
        ("spectrogram n.wav --length 64 --pool mean -o o.npy", 2, "leave --pool out"),
        ("peaks one.wav -o o.csv", 2, "at least 2 samples"),
        ("tone zero.wav", 1, "silent"),
        ("correlate zero.wav n.wav", 1, "silent"),
        ("transfer n.wav -o o.csv", 2, "no channel"),
        ("spectrum n.wav -o o.wav", 2, "write"),
    ] {
        let told = refused(&folder, call, code);
        assert!(told.contains(words), "{call}: {told}");
    }
    done(&folder, "spectrum zero.wav --db -o z.csv");
    assert!(table(&read(&folder, "z.csv")).1.iter().all(|row| row[1] == f64::NEG_INFINITY));
    done(&folder, "spectrum zero.wav -o z.png");
    done(&folder, "spectrogram zero.wav --length 64 -o z2.png");
    done(&folder, "spectrum nan.wav --length 100 --overlap 0 -o ok.csv");
    done(&folder, "spectrum nan.wav --detrend mean -o ok.csv");
}

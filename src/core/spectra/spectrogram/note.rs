//! Notes: semitones of equal temperament, of which A4 has 440 Hz.

use crate::plot::Tick;

const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
/// Semitones of an octave, and the key of A4, as MIDI counts them.
const OCTAVE: i32 = 12;
const A4: f64 = 69.0;

/// The key of a frequency in Hz, counted in semitones as MIDI does.
pub(super) fn key(hertz: f64) -> f64 {
    A4 + f64::from(OCTAVE) * (hertz / 440.0).log2()
}

/// The frequency of a key in Hz.
pub(super) fn hertz(key: f64) -> f64 {
    440.0 * ((key - A4) / f64::from(OCTAVE)).exp2()
}

fn name(key: i32) -> String {
    format!("{}{}", NAMES[key.rem_euclid(OCTAVE) as usize], key.div_euclid(OCTAVE) - 1)
}

/// The nearest note to a frequency in Hz, with the cents that it is beside it: "A4 +12 cents".
pub fn note(hertz: f64) -> Option<String> {
    let key = key(hertz);
    // Below and above these keys there is no music.
    if !(-0.5..=135.5).contains(&key) {
        return None;
    }
    let nearest = key.round();
    let cents = (100.0 * (key - nearest)).round() as i32;
    let cents = match cents {
        0 => String::new(),
        cents if cents < 0 => format!(" −{} cents", -cents),
        cents => format!(" +{cents} cents"),
    };
    Some(name(nearest as i32) + &cents)
}

/// A tick for every semitone between two frequencies, or for every C where those would be too many; about `most` have names.
pub(crate) fn note_ticks([low, high]: [f64; 2], most: f32) -> Vec<Tick> {
    let keys = key(low).ceil().max(-1e4) as i32..=key(high).floor().min(1e4) as i32;
    let n = keys.clone().count() as f32;
    let is_named = |key: i32| {
        let octaves = (n / OCTAVE as f32 / most.max(1.0)).ceil().max(1.0) as i32;
        n <= most || key.rem_euclid(octaves * OCTAVE) == 0 || 12.0 * most > 4.0 * n && [0, 4, 7].contains(&key.rem_euclid(OCTAVE))
    };
    let is_drawn = |key: &i32| n < 6.0 * most || key.rem_euclid(OCTAVE) == 0;
    keys.filter(is_drawn).map(|key| Tick { value: hertz(f64::from(key)), text: is_named(key).then(|| name(key)) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_have_their_notes() {
        let notes = [440.0, 443.06, 261.6256, 27.5, 8.1758, 12_543.85, 0.0, 5.0, 96_000.0].map(note);
        let expected = [Some("A4"), Some("A4 +12 cents"), Some("C4"), Some("A0"), Some("C-1"), Some("G9"), None, None, None];
        assert_eq!(notes, expected.map(|note| note.map(str::to_owned)));
    }

    #[test]
    fn semitones_or_octaves_have_ticks() {
        let names = |ends, most| -> Vec<String> { note_ticks(ends, most).into_iter().filter_map(|tick| tick.text).collect() };
        assert_eq!(names([430.0, 530.0], 12.0), ["A4", "A#4", "B4", "C5"]);
        assert_eq!(names([30.0, 4200.0], 8.0), ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"]);
        let octave = note_ticks([261.0, 524.0], 6.0);
        assert_eq!(octave.len(), 13);
        assert!((octave[9].value - 440.0).abs() < 1e-9);
    }
}

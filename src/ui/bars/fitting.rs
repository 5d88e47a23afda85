//! Texts of the status bar that give way by whole parts in a narrow window.

/// The parts of a read-out that always stay: where the pointer is. The ones behind them give way in a narrow window.
const PARTS_OF_PLACE: usize = 2;

/// The end of a message that lacks its last parts.
const CUT: &str = " …";

/// A message without the parts at its end that do not fit; no part is cut where the first fits.
pub(super) fn fitting_message(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let mut shorter = text.rmatch_indices(", ").map(|(end, _)| format!("{}{CUT}", &text[..end]));
    shorter.find(|text| fits(text)).unwrap_or_else(|| text.to_owned())
}

/// A read-out in which parts behind the place give way, from the first on, until it fits: the last ones are the values.
pub(super) fn fitting_read_out(text: &str, fits: impl Fn(&str) -> bool) -> String {
    const GAP: &str = "   ";
    let mut parts: Vec<&str> = text.split(GAP).collect();
    while parts.len() > PARTS_OF_PLACE + 1 && !fits(&parts.join(GAP)) {
        parts.remove(PARTS_OF_PLACE);
    }
    parts.join(GAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_and_a_read_out_give_way_by_whole_parts() {
        let read_out = |room: usize| fitting_read_out("row 1   f = 2   radius 3   X = 4   phase 5", |text| text.chars().count() <= room);
        assert_eq!([50, 31].map(read_out), ["row 1   f = 2   radius 3   X = 4   phase 5", "row 1   f = 2   X = 4   phase 5"]);
        assert_eq!(read_out(5), "row 1   f = 2   phase 5", "place and last value stay");
        let message = |room: usize| fitting_message("Chord: 55 samples, 16-bit, 22 Hz", |text| text.chars().count() <= room);
        assert_eq!(
            [40, 30, 20, 4].map(message),
            ["Chord: 55 samples, 16-bit, 22 Hz", "Chord: 55 samples, 16-bit …", "Chord: 55 samples …", "Chord: 55 samples, 16-bit, 22 Hz"]
        );
    }
}

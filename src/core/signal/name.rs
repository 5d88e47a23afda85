//! Names of files in little room: the beginning and the end say most, so the middle gives way.

/// The most characters of a name in a sentence.
const MOST: usize = 48;

/// A name for titles and sentences.
pub fn short_name(name: &str) -> String {
    fitting_name(name, |text| text.chars().count() <= MOST)
}

/// As much of a name as fits, around "…" in its middle; at least its first and its last character.
pub fn fitting_name(name: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(name) {
        return name.to_owned();
    }
    let chars: Vec<char> = name.chars().collect();
    let kept = |n: usize| {
        let (first, last) = (&chars[..n.div_ceil(2)], &chars[chars.len() - n / 2..]);
        first.iter().chain(&['…']).chain(last).collect::<String>()
    };
    // Texts grow with the characters that they keep.
    let (mut low, mut high) = (2.min(chars.len()), chars.len());
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if fits(&kept(middle)) { low = middle } else { high = middle }
    }
    kept(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_name_gives_way() {
        let of_length = |most: usize| move |text: &str| text.chars().count() <= most;
        let name = "measurement-of-the-left-bearing-2024-05-17-run-12.csv";
        assert_eq!(fitting_name(name, of_length(60)), name);
        assert_eq!(fitting_name(name, of_length(21)), "measuremen…run-12.csv");
        assert_eq!(fitting_name("größe–αβγδε.png", of_length(8)), "größ…png");
        for (name, short) in [("abcdef", "a…f"), ("ab", "a…b"), ("a", "a…")] {
            assert_eq!(fitting_name(name, |_| false), short);
        }
        assert_eq!((short_name(&"n".repeat(250)).chars().count(), fitting_name("", |_| true)), (48, String::new()));
    }
}

//! Choices as data: names, sentences, bounds and how a text is read.
//!
//! A parameter is one row, a [`Choice`]. The options of the command line, the controls of the window, the keys of lessons, the palette
//! and `docs/command-line.md` come from the rows.

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// One of a few values with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedValue {
    /// The name in commands and files.
    pub name: &'static str,
    /// Other names that are read.
    pub aliases: &'static [&'static str],
    /// The name in the window.
    pub title: &'static str,
    /// A sentence with its full stop.
    pub sentence: &'static str,
}

impl NamedValue {
    /// A value without other names.
    pub const fn new(name: &'static str, title: &'static str, sentence: &'static str) -> Self {
        Self { name, aliases: &[], title, sentence }
    }

    /// The sentence as a label, without its full stop.
    pub fn about(&self) -> &'static str {
        self.sentence.trim().trim_end_matches('.')
    }

    /// Whether a text names it.
    pub fn is_named(&self, text: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|name| name.eq_ignore_ascii_case(text))
    }
}

/// An enum of values with names, as [`choice!`](crate::choice!) declares it.
pub trait Named: Copy + Eq + 'static {
    /// All values, in the order in which they are offered.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const VALUES: &'static [NamedValue];

    /// Every value with its title and its sentence, as controls show them.
    fn offered() -> Vec<(Self, &'static str, &'static str)> {
        Self::ALL.iter().zip(Self::VALUES).map(|(value, named)| (*value, named.title, named.about())).collect()
    }

    /// The value of a name.
    ///
    /// # Errors
    /// With the names that exist.
    fn named(text: &str) -> Result<Self, String> {
        let index = Self::VALUES.iter().position(|value| value.is_named(text));
        index.map(|index| Self::ALL[index]).ok_or_else(|| none_of(Self::VALUES))
    }
}

/// The remedy of a name that no value has.
pub fn none_of(values: &[NamedValue]) -> String {
    let known = |value: &NamedValue| match value.aliases.first() {
        Some(alias) => format!("{} ({alias})", value.name),
        None => value.name.to_owned(),
    };
    let known: Vec<String> = values.iter().map(known).collect();
    if let [first, second] = &known[..] { format!("take {first} or {second}") } else { format!("take one of {}", known.join(", ")) }
}

/// Declares an enum of named values: each has a sentence, a title, and a name with perhaps other names that are read, or the name that sessions give it.
///
/// ```
/// papillon_core::choice! {
///     /// The size of a cup.
///     pub enum Cup {
///         /// Holds an espresso.
///         #[default]
///         Small = "Small", "small" | "s";
///         /// Holds a café au lait.
///         Large = "Large", "large";
///     }
/// }
/// assert_eq!((Cup::default().about(), "S".parse()), ("Holds an espresso", Ok(Cup::Small)));
/// assert_eq!("huge".parse::<Cup>(), Err("take small (s) or large".to_owned()));
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident {
        $(#[doc = $sentence:literal] $(#[$attribute:meta])* $variant:ident = $title:literal $(, $text:literal $(| $alias:literal)*)?;)+
    }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
        $(#[$meta])*
        $visibility enum $name {
            $(#[doc = $sentence] $(#[$attribute])* $variant,)+
        }

        impl $crate::choice::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const VALUES: &'static [$crate::choice::NamedValue] = &[$($crate::choice::NamedValue {
                name: {
                    const NAMES: &[&str] = &[$($text,)? stringify!($variant)];
                    NAMES[0]
                },
                aliases: &[$($($alias),*)?],
                title: $title,
                sentence: $sentence,
            }),+];
        }

        #[allow(dead_code, reason = "a private enum may need only some of them")]
        impl $name {
            /// The name in commands and files.
            $visibility const fn name(self) -> &'static str {
                <Self as $crate::choice::Named>::VALUES[self as usize].name
            }

            /// The name in the window.
            $visibility const fn title(self) -> &'static str {
                <Self as $crate::choice::Named>::VALUES[self as usize].title
            }

            /// A sentence on it, without its full stop.
            $visibility fn about(self) -> &'static str {
                <Self as $crate::choice::Named>::VALUES[self as usize].about()
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                $crate::choice::Named::named(text)
            }
        }

        impl $crate::choice::Text for $name {}

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

/// Which values a parameter takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// One of a few names.
    Named(&'static [NamedValue]),
    /// On or off, with a title and a sentence for off and for on; an option without a value.
    Switch([NamedValue; 2]),
    /// A whole number.
    Number {
        /// The smallest one.
        least: usize,
        /// The largest one that a slider offers; larger ones can be typed.
        most: usize,
        /// The usual one.
        usual: usize,
    },
    /// A power of two between two others.
    PowerOfTwo {
        /// The smallest one.
        least: usize,
        /// The largest one, if there is one.
        most: Option<usize>,
        /// The usual one.
        usual: usize,
    },
    /// The four entries of a 2×2 matrix, row by row.
    Matrix,
}

impl Kind {
    /// The values with names.
    pub fn values(&self) -> &[NamedValue] {
        match self {
            Self::Named(values) => values,
            Self::Switch(values) => values,
            Self::Number { .. } | Self::PowerOfTwo { .. } | Self::Matrix => &[],
        }
    }

    /// Refuses a text that says no such value.
    fn check(&self, text: &str) -> Result<(), String> {
        let (number, values) = (text.parse::<usize>().ok(), self.values());
        match *self {
            Self::Named(_) | Self::Switch(_) if !values.iter().any(|value| value.is_named(text)) => Err(none_of(values)),
            Self::Number { least, .. } if number.is_none_or(|number| number < least) => Err(format!("take a whole number from {least} on")),
            Self::PowerOfTwo { least, most, .. }
                if !number.is_some_and(|n| n.is_power_of_two() && n >= least && most.is_none_or(|most| n <= most)) =>
            {
                let bounds = most.map_or(String::new(), |most| format!(" from {least} to {most}"));
                Err(format!("take a power of two{bounds}"))
            }
            _ => Ok(()),
        }
    }
}

/// A field that is written and read as text.
pub trait Slot {
    /// The text of the value; `None` where none is chosen.
    fn text(&self) -> Option<String>;

    /// Takes the value of a text, or the default.
    ///
    /// # Errors
    /// The text to write instead.
    fn read(&mut self, text: Option<&str>) -> Result<(), String>;
}

/// A value that is written and read as text.
pub trait Text: FromStr<Err: Display> + Display + Default {}

impl Text for bool {}
impl Text for usize {}
impl Text for String {}

impl<T: Text> Slot for T {
    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn read(&mut self, text: Option<&str>) -> Result<(), String> {
        *self = text.map_or_else(|| Ok(T::default()), parsed)?;
        Ok(())
    }
}

impl<T: Text> Slot for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref().map(T::to_string)
    }

    fn read(&mut self, text: Option<&str>) -> Result<(), String> {
        *self = text.map(parsed).transpose()?;
        Ok(())
    }
}

fn parsed<T: Text>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// A parameter that a person can choose: a row of the table of `S`, which holds the values of all rows.
#[derive(Debug)]
pub struct Choice<S: Chosen> {
    /// Which parameter it is.
    pub id: S::Id,
    /// The name of the option; keys of lessons have `_` in place of `-`. Parameters of different owners may share one.
    pub key: &'static str,
    /// The name in the window.
    pub title: &'static str,
    /// A sentence on it, with its full stop.
    pub sentence: &'static str,
    /// The value that holds where nothing is chosen, if the algorithm decides that.
    pub automatic: Option<&'static str>,
    /// Which values it takes.
    pub kind: Kind,
    /// Where its value is kept.
    pub slot: fn(&mut S) -> &mut dyn Slot,
}

/// The values of a table of choices.
pub trait Chosen: Copy + Default + 'static {
    /// Names a parameter.
    type Id: Copy + Eq + Debug + Send + Sync;

    /// All rows, in the order in which they are shown.
    const CHOICES: &'static [Choice<Self>];

    /// The row of a parameter.
    fn choice(id: Self::Id) -> &'static Choice<Self> {
        Self::CHOICES.iter().find(|choice| choice.id == id).expect("every parameter has a row")
    }

    /// The rows of a key.
    fn with_key(key: &str) -> impl Iterator<Item = &'static Choice<Self>> + Clone {
        Self::CHOICES.iter().filter(move |choice| choice.key == key)
    }
}

/// Declares a table of choices, and an enum that names its rows: each has a sentence, a field of the values, the name of its option, its title and its kind,
/// and perhaps what holds where nothing is chosen.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $visibility:vis enum $id:ident of $values:ident {
        $(#[doc = $sentence:literal] $row:ident: $field:ident, $key:literal, $title:literal, $kind:expr $(, or $automatic:literal)?;)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $id {
            $(#[doc = $sentence] $row,)+
        }

        impl $crate::choice::Chosen for $values {
            type Id = $id;

            const CHOICES: &'static [$crate::choice::Choice<Self>] = &[$($crate::choice::Choice {
                id: $id::$row,
                key: $key,
                title: $title,
                sentence: $sentence,
                automatic: {
                    const GIVEN: &[&str] = &[$($automatic)?];
                    GIVEN.first().copied()
                },
                kind: $kind,
                slot: |of| &mut of.$field,
            }),+];
        }
    };
}

impl<S: Chosen> Choice<S> {
    /// The key in lessons.
    pub fn lesson_key(&self) -> String {
        self.key.replace('-', "_")
    }

    /// The sentence as a label, without its full stop.
    pub fn about(&self) -> &'static str {
        self.sentence.trim().trim_end_matches('.')
    }

    /// The value that holds where nothing is chosen; `None` for a switch, which is off.
    pub fn usual(&self) -> Option<String> {
        match (self.automatic, self.kind) {
            (Some(automatic), _) => Some(automatic.to_owned()),
            (None, Kind::Switch(_)) => None,
            (None, Kind::Named(values)) => values.first().map(|value| value.name.to_owned()),
            (None, Kind::Number { usual, .. } | Kind::PowerOfTwo { usual, .. }) => Some(usual.to_string()),
            (None, Kind::Matrix) => self.text(&S::default()),
        }
    }

    /// The text of its value; `None` where none is chosen.
    pub fn text(&self, of: &S) -> Option<String> {
        let mut copy = *of;
        (self.slot)(&mut copy).text()
    }

    /// Takes the value of a text; `None` leaves it to the algorithm, or takes the default.
    ///
    /// # Errors
    /// The text to write instead.
    pub fn set(&self, of: &mut S, text: Option<&str>) -> Result<(), String> {
        text.map_or(Ok(()), |text| self.kind.check(text))?;
        (self.slot)(of).read(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_told() {
        const ON: [NamedValue; 2] = [NamedValue::new("false", "Off", "It is off."), NamedValue::new("true", "On", "It is on.")];
        let number = Kind::Number { least: 1, most: 6, usual: 2 };
        let power = Kind::PowerOfTwo { least: 8, most: Some(1024), usual: 256 };
        for (kind, right, wrong, told) in [
            (number, "99", ["0", "x", "-1"], "from 1 on"),
            (power, "64", ["4", "100", "2048"], "a power of two from 8 to 1024"),
            (Kind::Switch(ON), "TRUE", ["on", "", "1"], "take false or true"),
        ] {
            assert_eq!(kind.check(right), Ok(()));
            for wrong in wrong {
                assert!(kind.check(wrong).unwrap_err().contains(told), "{kind:?}: {wrong}");
            }
        }
    }
}

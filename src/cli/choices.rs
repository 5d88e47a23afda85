//! The options that tables of choices declare: how they are typed, and what is said of them.

use super::arguments::named;
use crate::choice::{Choice, Chosen, Kind, NamedValue};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::fmt::Debug;
use std::marker::PhantomData;

/// The rows of a table that a command offers.
pub(super) trait Offer: Debug + Clone + Send + Sync + 'static {
    /// The values of the table.
    type Of: Chosen;

    /// Whether the command offers a row: all, unless it says otherwise.
    fn offers(_id: <Self::Of as Chosen>::Id) -> bool {
        true
    }
}

/// The options that were given, with their texts, in the order of the table.
#[derive(Debug, Clone)]
pub(super) struct Choices<O: Offer> {
    pub(super) given: Vec<(&'static str, String)>,
    offer: PhantomData<O>,
}

impl<O: Offer> Choices<O> {
    /// The values of all options, of the first row of the table that takes them.
    pub(super) fn all(&self) -> O::Of {
        let mut values = O::Of::default();
        for (key, text) in &self.given {
            // The parser has found such a row.
            let _ = O::Of::with_key(key).find(|choice| choice.set(&mut values, Some(text)).is_ok());
        }
        values
    }

    /// The same with those options alone for which `is_kept` holds.
    pub(super) fn only(&self, is_kept: impl Fn(&str, &str) -> bool) -> Self {
        let given = self.given.iter().filter(|(key, text)| is_kept(key, text)).cloned().collect();
        Self { given, offer: PhantomData }
    }
}

/// The keys of the rows that a command offers, each once.
fn keys<O: Offer>() -> Vec<&'static str> {
    let mut keys = Vec::new();
    for choice in O::Of::CHOICES.iter().filter(|choice| O::offers(choice.id)) {
        if !keys.contains(&choice.key) {
            keys.push(choice.key);
        }
    }
    keys
}

/// The option of a key.
fn argument<O: Offer>(key: &'static str) -> Arg {
    let rows: Vec<_> = O::Of::with_key(key).filter(|choice| O::offers(choice.id)).collect();
    let help = rows.iter().map(|choice| help(choice)).collect::<Vec<_>>().join(". ");
    let argument = Arg::new(key).long(key).help(help);
    match rows[0].kind {
        Kind::Switch(_) => argument.action(ArgAction::SetTrue),
        Kind::Named(_) => argument.value_name("NAME").value_parser(named(&values(&rows))).ignore_case(true).allow_negative_numbers(true),
        // A negative number is a value, of which the parser says what is wrong.
        Kind::Number { .. } | Kind::PowerOfTwo { .. } => {
            argument.value_name("N").value_parser(text_of(rows[0])).allow_negative_numbers(true)
        }
        Kind::Matrix => argument.value_name("a,b,c,d").value_parser(text_of(rows[0])).allow_hyphen_values(true),
    }
}

/// The values of some rows, each name once.
fn values<S: Chosen>(rows: &[&Choice<S>]) -> Vec<NamedValue> {
    let mut values: Vec<NamedValue> = Vec::new();
    for value in rows.iter().flat_map(|choice| choice.kind.values()) {
        if !values.iter().any(|known| known.name == value.name) {
            values.push(*value);
        }
    }
    values
}

/// Keeps a text that a row takes.
fn text_of<S: Chosen>(choice: &'static Choice<S>) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync + 'static {
    move |text| choice.set(&mut S::default(), Some(text)).map(|()| text.to_owned())
}

/// The sentence of a row, with its default.
fn help<S: Chosen>(choice: &Choice<S>) -> String {
    choice.about().to_owned() + &choice.usual().map_or(String::new(), |usual| format!(" [default: {usual}]"))
}

impl<O: Offer> Args for Choices<O> {
    fn augment_args(command: Command) -> Command {
        keys::<O>().into_iter().fold(command, |command, key| command.arg(argument::<O>(key)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<O: Offer> FromArgMatches for Choices<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |key: &'static str| match O::Of::with_key(key).next()?.kind {
            Kind::Switch(_) => matches.get_flag(key).then(|| "true".to_owned()),
            _ => matches.get_one::<String>(key).cloned(),
        };
        let given = keys::<O>().into_iter().filter_map(|key| Some((key, text(key)?))).collect();
        Ok(Self { given, offer: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

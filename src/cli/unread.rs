//! Options that a call does not read, because another option is there or missing: they are refused by name.

use super::Failure;
use crate::engine::DeviceChoice;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// Options that are not read in some calls of a command.
struct Unread {
    /// The command.
    command: &'static str,
    /// The options, by their names; empty for all that are not in `but`.
    options: &'static [&'static str],
    /// The options that are read all the same.
    but: &'static [&'static str],
    /// When they are not read.
    when: When,
    /// Why, as a clause with its subject.
    why: &'static str,
}

/// When options are not read.
enum When {
    Always,
    /// An option is given.
    With(&'static str),
    /// No option of these is given.
    Without(&'static [&'static str]),
    /// The device is one thread of the CPU.
    OneThread,
}

const TABLE: &[Unread] =
    &[Unread { command: "list", options: &["cpu_threads"], but: &[], when: When::Always, why: "a list computes nothing" }];

/// Refuses options that a call does not read.
///
/// # Errors
/// With the first such option.
pub(super) fn check(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((command, matches)) = matches.subcommand() else { return Ok(()) };
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    for rule in TABLE.iter().filter(|rule| rule.command == command && rule.when.holds(matches, &is_given)) {
        let mut given = matches.ids().map(clap::Id::as_str).filter(|id| matches.try_contains_id(id).is_ok() && is_given(id));
        let is_unread = |id: &&str| if rule.options.is_empty() { !rule.but.contains(id) } else { rule.options.contains(id) };
        if let Some(id) = given.find(is_unread) {
            return Err(Failure::Call(format!("{}: leave --{} out", rule.why, id.replace('_', "-"))));
        }
    }
    Ok(())
}

impl When {
    fn holds(&self, matches: &ArgMatches, is_given: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Always => true,
            Self::With(id) => is_given(id),
            Self::Without(ids) => !ids.iter().any(|id| is_given(id)),
            Self::OneThread => {
                matches!(matches.try_get_one("device"), Ok(Some(DeviceChoice::Cpu | DeviceChoice::CpuStrided)))
            }
        }
    }
}

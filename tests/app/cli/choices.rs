//! The options of the tables of choices: each command offers those that its transforms have, and its help tells what the table says.

use super::*;
use papillon::choice::{Choice, Chosen};
use papillon::schedule::{Cut, CutParameter, CutParameters, SplitAndMerge};
use papillon::transforms::{Parameter, TRANSFORMS};

/// Whether a command offers a parameter of a transform, and one of a schedule.
type Offers = (&'static str, fn(Parameter) -> bool, fn(CutParameter) -> bool);

const COMMANDS: [Offers; 9] = [
    ("transform", |_| true, |_| true),
    ("graph", |_| true, |_| true),
    ("kernel", |_| true, |_| true),
    ("memory", |_| true, |_| true),
    ("bench", |_| true, |_| true),
    ("matrix", |_| true, |_| false),
    ("threshold", of_invertible, |_| false),
    ("solve", |_| false, of_systems),
    ("spectrum", |_| false, |_| false),
];

fn of_invertible(id: Parameter) -> bool {
    // The order of coefficients is the same before and after.
    let is_order = matches!(id, Parameter::Order | Parameter::IndexOrder | Parameter::PacketOrder | Parameter::TileLanes);
    id != Parameter::Direction && !is_order && TRANSFORMS.iter().any(|transform| transform.has_coefficients() && transform.has(id))
}

fn of_systems(id: CutParameter) -> bool {
    let system = papillon::transforms::transform("tridiagonal").unwrap();
    [Cut::Stages, Cut::SplitAndMerge(SplitAndMerge::default())].iter().any(|cut| id.is_of(*cut, system, None))
}

/// The words of a help text that is broken into lines.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check<S: Chosen>(command: &str, help: &str, offers: impl Fn(S::Id) -> bool) {
    for choice in S::CHOICES {
        let is_offered = S::with_key(choice.key).any(|other: &Choice<S>| offers(other.id));
        let option = format!("--{}", choice.key);
        assert_eq!(help.split_whitespace().any(|word| word == option), is_offered, "papillon {command} {option}");
        if offers(choice.id) {
            let told = choice.usual().map_or(String::new(), |usual| format!(" [default: {usual}]"));
            let told = words(&format!("{}{told}", choice.about()));
            assert!(help.contains(&told), "papillon {command} --help lacks '{told}'");
            let is_switch = choice.kind.values().iter().any(|value| value.name == "true");
            for value in choice.kind.values().iter().filter(|_| !is_switch) {
                assert!(help.contains(value.name), "papillon {command} --help lacks {option} {}", value.name);
            }
        }
    }
}

#[test]
fn commands_offer_what_their_transforms_have() {
    let folder = TempDir::new().unwrap();
    for (command, of_transforms, of_schedules) in COMMANDS {
        let help = words(&String::from_utf8(papillon(&folder, &format!("{command} --help")).stdout).unwrap());
        check::<Parameters>(command, &help, of_transforms);
        check::<CutParameters>(command, &help, of_schedules);
    }
}

#[test]
fn a_parameter_is_taken_by_those_that_have_it() {
    let folder = TempDir::new().unwrap();
    for (id, option, taker, other) in [
        (Parameter::Direction, "--inverse", "dft", "dyadic-convolution"),
        (Parameter::Order, "--order sequency", "walsh", "reed-muller"),
        (Parameter::IndexOrder, "--order dyadic", "arithmetic", "haar"),
        (Parameter::Normalized, "--normalized", "haar", "walsh"),
        (Parameter::Matrix, "--matrix 2,-1,1,1", "kronecker", "walsh"),
        (Parameter::Levels, "--levels 1", "cdf97", "haar"),
        (Parameter::Boundary, "--boundary periodic", "cdf97", "d4"),
        (Parameter::PacketOrder, "--packet-order frequency", "d4-packet", "d4"),
    ] {
        let has = |name: &str| papillon::transforms::transform(name).unwrap().has(id);
        assert!(has(taker) && !has(other), "{id:?}");
        done(&folder, &format!("matrix -t {taker} -n 4 {option}"));
        let told = refused(&folder, &format!("matrix -t {other} -n 4 {option}"), 2);
        assert!(told.contains(option), "{told}");
    }
}

//! Tests of sources: where each kind is shown, the order of use, and the settings that are kept.

use super::*;
use crate::prepare::Detrend;
use crate::signal::generate::{Boolean, GENERATORS};
use strum::IntoEnumIterator as _;

fn file(name: &str) -> Origin {
    Origin::File(name.into())
}

fn titles(sources: &Sources) -> Vec<String> {
    sources.open().iter().map(|source| source.origin.title()).collect()
}

#[test]
fn every_layout_shows_each_kind_of_source_in_a_form_that_fits() {
    use Shown::{No, Part, Row, Whole};
    // Image, samples, function, equations.
    for (preset, expected) in [
        (Preset::Image, [Whole, No, No, No]),
        (Preset::Signal, [Row, Whole, No, No]),
        (Preset::FlowGraph, [Part, Part, Whole, Whole]),
        (Preset::Logic, [No, No, Whole, No]),
        (Preset::Wavelet, [Whole, Whole, No, No]),
        (Preset::System, [No, No, No, Whole]),
        (Preset::Benchmark, [Whole; 4]),
    ] {
        let shown: Vec<Shown> = SourceKind::iter().map(|kind| kind.shown_in(preset)).collect();
        assert_eq!(shown, expected, "{preset:?}");
    }
    for kind in SourceKind::iter() {
        assert_eq!(kind.shown_in(kind.home()), Whole, "{kind:?} is shown in the layout that is made for it");
    }
}

#[test]
fn a_source_keeps_what_is_set_for_it_and_a_new_one_begins_anew() {
    let (mut sources, mut settings) = (Sources::default(), Settings::default());
    let opens = |sources: &mut Sources, settings: &mut Settings, origin: Origin| {
        let left = settings.clone();
        settings.open(origin);
        sources.change(&left, Preset::Image, settings);
    };
    opens(&mut sources, &mut settings, file("a.png"));
    settings.preparation.detrend = Detrend::Mean;
    opens(&mut sources, &mut settings, file("b.png"));
    assert_eq!((settings.preparation.detrend, settings.slice), (Detrend::None, None));
    assert!(settings.earlier.offered.is_some(), "what acted on a.png is offered");
    assert_eq!(
        (titles(&sources), sources.current().map(|source| source.origin.title())),
        (vec!["a.png".into(), "b.png".into()], Some("b.png".into()))
    );
    opens(&mut sources, &mut settings, file("a.png"));
    assert_eq!((settings.preparation.detrend, settings.earlier.offered.is_some()), (Detrend::Mean, false));
    // Another file of the folder takes the place.
    sources.page(&file("a.png"), &file("c.png"));
    assert_eq!(titles(&sources), ["c.png", "b.png"]);
    // One sample or generator is enough; a function that was typed stays.
    settings.origin = file("c.png");
    for entry in GENERATORS.iter().take(3) {
        opens(&mut sources, &mut settings, Origin::Generator((entry.default)()));
    }
    assert_eq!(titles(&sources).len(), 3);
    let text = serde_json::to_string(&sources).expect("it is kept");
    assert_eq!(serde_json::from_str::<Sources>(&text).expect("it is read"), sources);
    sources.close(&file("b.png"));
    assert!(sources.of(&file("b.png")).is_none());
    let function = Origin::Generator(Generator::Boolean(Boolean::default()));
    sources.use_now(&function);
    sources.use_now(&Origin::default());
    assert!(sources.of(&function).is_some());
}

#[test]
fn a_walk_goes_through_the_order_of_use_and_a_press_alone_goes_to_the_one_before() {
    let mut sources = Sources::default();
    sources.add(&["a", "b", "c"].map(file));
    assert_eq!(
        (titles(&sources), sources.current().map(|source| source.origin.title())),
        (["a", "b", "c"].map(str::to_owned).to_vec(), Some("a".into()))
    );
    let step = |sources: &mut Sources, by| match sources.step(by).expect("there are several") {
        Stop::Source(origin) => {
            sources.use_now(&origin);
            origin.title()
        }
        Stop::Stream => {
            sources.use_stream(true);
            "stream".to_owned()
        }
    };
    assert_eq!([1, 1, 1, -1].map(|by| step(&mut sources, by)), ["b", "c", "a", "c"]);
    sources.end_walk();
    let alone = |sources: &mut Sources| {
        sources.end_walk();
        step(sources, 1)
    };
    assert_eq!([(); 3].map(|()| alone(&mut sources)), ["a", "c", "a"]);
    sources.use_stream(true);
    assert!(sources.is_stream_current());
    assert_eq!([(); 3].map(|()| alone(&mut sources)), ["a", "stream", "a"], "a stream is one of them");
    assert!(!sources.is_stream_current());
    sources.use_stream(false);
    sources.end_walk();
    assert_eq!([1, 1, 1].map(|by| step(&mut sources, by)), ["c", "b", "a"]);
    assert_eq!(Sources::default().step(1), None);
}

#[test]
fn a_row_and_the_whole_of_a_source_have_settings_of_their_own_and_share_the_channel() {
    let mut sources = Sources::default();
    let mut settings = Settings { origin: file("a.png"), ..Settings::default() };
    sources.use_now(&settings.origin);
    sources.know(&settings.origin, SourceKind::Image);
    settings.preparation.detrend = Detrend::Plane;
    settings.channel = ChannelChoice::Green;
    sources.keep(&settings, Preset::Image);
    let mut row = Settings::of_preset(Preset::Signal);
    sources.put(&file("a.png"), Preset::Signal, &mut row);
    assert_eq!((row.preparation.detrend, row.channel, row.slice), (Detrend::None, ChannelChoice::Green, None));
    (row.preparation.detrend, row.channel, row.slice) = (Detrend::Mean, ChannelChoice::Blue, Some(Slice::default()));
    sources.keep(&row, Preset::Signal);
    sources.put(&file("a.png"), Preset::Image, &mut settings);
    assert_eq!((settings.preparation.detrend, settings.channel), (Detrend::Plane, ChannelChoice::Blue));
    sources.put(&file("a.png"), Preset::Signal, &mut row);
    assert_eq!((row.preparation.detrend, row.slice), (Detrend::Mean, Some(Slice::default())));
}

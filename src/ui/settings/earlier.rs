//! Settings that act on a source besides its transform (a region, a preparation, a mask, a held result), where they come from, and the offers of an earlier source.
//! Nothing of it goes to another source without a press.

use super::FilterLook;
use crate::numerals::counted;
use crate::prepare::Preparation;
use std::collections::BTreeMap;

/// Something that acts on a source besides its transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Act {
    /// A part of the samples.
    Region,
    /// Trend, window and padding.
    Preparation,
    /// The shapes of the filter.
    Mask,
    /// A result that the newest one is shown against. Its pane keeps it.
    Hold,
}

/// The settings that act.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Acting {
    /// Region and preparation.
    pub preparation: Preparation,
    /// The filter.
    pub filter: FilterLook,
}

/// Where what acts comes from, and what an earlier source offers.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Earlier {
    /// Where what acts comes from, where it is not from this source and this run.
    pub from: BTreeMap<Act, String>,
    /// The settings of the source before, which act once they are applied, and the name of that source.
    pub offered: Option<Box<(String, Acting)>>,
}

impl Act {
    /// Those that are settings.
    pub(crate) const SETTINGS: [Self; 3] = [Self::Region, Self::Preparation, Self::Mask];

    /// The settings that act, in words; `None` without any. A held result is not among the settings.
    pub(crate) fn words(self, preparation: &Preparation, filter: &FilterLook) -> Option<String> {
        match self {
            Self::Region => preparation.region.map(|region| format!("Region of {} × {}", region.width, region.height)),
            Self::Preparation => (!Preparation { region: None, ..*preparation }.is_none()).then(|| "Preparation".to_owned()),
            Self::Mask => match (filter.mask.shapes.len(), &filter.painted) {
                (0, None) => None,
                (0, Some(_)) => Some("Painted mask".to_owned()),
                (n, _) => Some(format!("Mask of {}", counted(n, "shape"))),
            },
            Self::Hold => None,
        }
    }

    /// Takes from `given` what this is; with nothing given, clears it.
    pub(crate) fn set(self, preparation: &mut Preparation, filter: &mut FilterLook, given: &Acting) {
        match self {
            Self::Region => preparation.region = given.preparation.region,
            Self::Preparation => *preparation = Preparation { region: preparation.region, ..given.preparation },
            Self::Mask => {
                filter.mask = given.filter.mask.clone();
                (filter.painted, filter.proposed, filter.selected) = (given.filter.painted.clone(), given.filter.proposed.clone(), None);
            }
            Self::Hold => {}
        }
    }
}

impl Earlier {
    /// The settings that a source offers to the next one; none where none act.
    pub(crate) fn of(name: String, preparation: &Preparation, filter: &FilterLook) -> Self {
        let acts = Act::SETTINGS.iter().any(|act| act.words(preparation, filter).is_some());
        let acting = || Box::new((name, Acting { preparation: *preparation, filter: filter.clone() }));
        Self { offered: acts.then(acting), ..Self::default() }
    }

    /// Says of all that acts that it comes from there, unless that is known.
    pub(crate) fn note(&mut self, from: &str, preparation: &Preparation, filter: &FilterLook) {
        for act in Act::SETTINGS.into_iter().filter(|act| act.words(preparation, filter).is_some()) {
            self.from.entry(act).or_insert_with(|| from.to_owned());
        }
    }

    /// Forgets where something came from that acts no more.
    pub(crate) fn follow(&mut self, preparation: &Preparation, filter: &FilterLook) {
        self.from.retain(|act, _| act.words(preparation, filter).is_some());
    }

    /// The offer in words, with the name of its source.
    pub(crate) fn offer(&self, act: Act) -> Option<(String, &str)> {
        let (from, acting) = self.offered.as_deref()?;
        Some((act.words(&acting.preparation, &acting.filter)?, from))
    }

    /// Lets something act that is offered.
    pub(crate) fn apply(&mut self, act: Act, preparation: &mut Preparation, filter: &mut FilterLook) {
        let Some((from, acting)) = self.offered.as_deref() else { return };
        act.set(preparation, filter, acting);
        self.from.insert(act, from.clone());
        self.dismiss(act);
    }

    /// Offers something no longer.
    pub(crate) fn dismiss(&mut self, act: Act) {
        let Some((_, acting)) = self.offered.as_deref_mut() else { return };
        act.set(&mut acting.preparation, &mut acting.filter, &Acting::default());
        if Act::SETTINGS.iter().all(|act| self.offer(*act).is_none()) {
            self.offered = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Effect, MaskForm, MaskShape};
    use crate::prepare::Detrend;

    #[test]
    fn what_is_offered_acts_once_it_is_applied_and_one_press_clears_it() {
        let mut preparation = Preparation { detrend: Detrend::Mean, ..Preparation::default() };
        preparation.region = "1,2,3,4".parse().ok();
        let mut filter = FilterLook::default();
        filter.add(MaskShape::new(MaskForm::Ring { from: 0.0, to: 0.1 }, Effect::Cut));
        for (act, words) in [(Act::Region, "Region of 3 × 4"), (Act::Preparation, "Preparation"), (Act::Mask, "Mask of 1 shape")] {
            let mut earlier = Earlier::of("a.png".into(), &preparation, &filter);
            let (mut own, mut shapes) = (Preparation::default(), FilterLook::default());
            assert_eq!((act.words(&own, &shapes), earlier.offer(act)), (None, Some((words.to_owned(), "a.png"))));
            earlier.apply(act, &mut own, &mut shapes);
            assert_eq!(act.words(&own, &shapes).as_deref(), Some(words));
            assert_eq!((earlier.offer(act), earlier.from.get(&act).map(String::as_str)), (None, Some("a.png")));
            let others = Act::SETTINGS.iter().filter(|other| **other != act);
            assert!(others.clone().all(|other| other.words(&own, &shapes).is_none()), "only {act:?} was applied");
            assert!(others.clone().all(|other| earlier.offer(*other).is_some()), "the others wait");
            act.set(&mut own, &mut shapes, &Acting::default());
            earlier.follow(&own, &shapes);
            assert_eq!((act.words(&own, &shapes), earlier.from.len()), (None, 0));
            others.for_each(|other| earlier.dismiss(*other));
            assert_eq!(earlier, Earlier::default());
        }
    }
}

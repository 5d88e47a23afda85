//! Lazy reduction in the flow graph: a reader chooses how long the sums of residues wait, and sees the words and where they overflow.

use super::{GraphContent, NodeValues};
use crate::numerals::counted;
use crate::plan::{LaneValue, Laziness, LazyLanes, Plan};
use egui::{DragValue, Ui};
use num_complex::Complex64;

/// The bits of a word of a GPU.
const WORD: u32 = 32;

/// How lazy the graph is, with the words that follow.
#[derive(Default)]
pub(super) struct LazyView {
    /// The stages between reductions; 0 reduces every sum and shows residues.
    pub(super) stages: usize,
    words: Option<Words>,
}

/// The words of a plan for an input.
struct Words {
    of: (Plan, Vec<i64>, usize),
    lanes: Vec<LazyLanes>,
    values: Vec<Vec<LaneValue>>,
    sentence: String,
}

impl LazyView {
    /// The choice in the menu *View*, for residues.
    pub(super) fn choice_ui(&mut self, ui: &mut Ui, plan: &Plan) {
        if plan.ring.field().is_none() {
            return;
        }
        let mut is_lazy = self.stages > 0;
        ui.horizontal(|ui| {
            let about = "Words of 32 bits instead of residues: sums wait for their reduction, and those that overflow have a ring";
            ui.checkbox(&mut is_lazy, "Reduce lazily").on_hover_text(about);
            if is_lazy {
                self.stages = if self.stages == 0 { 2 } else { self.stages };
                ui.add(DragValue::new(&mut self.stages).range(1..=plan.stages.len().max(1)).prefix("every ").suffix(" stages"));
            } else {
                self.stages = 0;
            }
        });
    }

    /// Computes the words where the plan, its input or the choice is new.
    pub(super) fn updated(mut self, content: &GraphContent<'_>) -> Self {
        let input = content.values.and_then(|values| Some(values.reference?.first()?.iter().take(content.plan.inputs)));
        let Some(input) = input.filter(|_| self.stages > 0 && content.plan.ring.field().is_some()) else {
            return Self { words: None, ..self };
        };
        let residue = |value: &LaneValue| if let LaneValue::Number(value) = value { value.re as i64 } else { 0 };
        let is_known = |words: &Words| {
            words.of.2 == self.stages && words.of.0 == *content.plan && words.of.1.iter().copied().eq(input.clone().map(residue))
        };
        if self.words.as_ref().is_some_and(is_known) {
            return self;
        }
        let of = (content.plan.clone(), input.map(residue).collect::<Vec<_>>(), self.stages);
        if of.1.len() != of.0.inputs {
            return self;
        }
        let laziness = Laziness { stages: self.stages, bits: WORD };
        let lanes = of.0.run_lazily(&of.1, laziness);
        let value = |&word: &u64| LaneValue::Number(Complex64::from(word as f64));
        let values = lanes.iter().map(|(words, _)| words.iter().map(value).collect()).collect();
        let sentence = match of.0.lazy_bounds(laziness) {
            Ok(bounds) => {
                let most = bounds.iter().map(|bound| bound.sums).max().unwrap_or(1);
                format!("Sums stay below {most}·q, which words of {WORD} bits hold: the results are exact.")
            }
            Err(error) => {
                let text = error.to_string();
                let most = of.0.laziest(WORD);
                format!("{}{}. Reduce at least every {}.", text[..1].to_uppercase(), &text[1..], counted(most, "stage"))
            }
        };
        self.words = Some(Words { of, lanes, values, sentence });
        self
    }

    /// Says how large sums become; the words take the place of the values of a device.
    pub(super) fn shown<'a>(&'a self, ui: &mut Ui, content: &GraphContent<'a>) -> GraphContent<'a> {
        let Some(words) = &self.words else { return *content };
        ui.label(&words.sentence);
        let values = content.values.map(|values| NodeValues { device: Some(&words.values), ..values });
        GraphContent { values, words: Some(&words.lanes), ..*content }
    }
}

//! Settings of an earlier source or run that act or could act: chips in the status bar and on the pane, each with a press that applies or clears it.

use super::pane_id::PaneId;
use super::settings::{Act, Acting, Earlier, FilterLook};
use super::theme::{GRID, Tokens};
use super::widgets;
use crate::prepare::Preparation;
use egui::{Frame, Margin, Role, Stroke, Ui, WidgetInfo};

/// The most width of what a chip says, in points.
const MOST_WIDTH: f32 = 260.0;

/// Something that acts from an earlier source or run, or waits to be applied.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chip {
    /// Its kind.
    pub act: Act,
    /// The pane that holds a result.
    pub pane: Option<PaneId>,
    /// Its name and its origin, in words.
    pub text: String,
    /// Whether it waits, and does not act.
    pub is_offered: bool,
}

/// A press on a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChipPress {
    /// Lets it act.
    Apply,
    /// Takes it away.
    Clear,
}

/// A held result that acts on another signal than its own, or waits to.
pub(super) struct HeldResult {
    /// The signal that it was computed of.
    pub from: String,
    /// Whether it waits.
    pub is_offered: bool,
}

impl Chip {
    /// The chip of a held result.
    pub(super) fn of_held(pane: PaneId, HeldResult { from, is_offered }: HeldResult) -> Self {
        Self { act: Act::Hold, pane: Some(pane), text: format!("Held result, from {from}"), is_offered }
    }

    /// Whether it is on a pane.
    pub(super) fn is_on(&self, pane: PaneId) -> bool {
        self.pane == Some(pane) || pane.info().acts.contains(&self.act)
    }
}

/// The chips of what acts from an earlier source or run, and of what the source before offers.
pub(super) fn of_settings(earlier: &Earlier, preparation: &Preparation, filter: &FilterLook) -> Vec<Chip> {
    let chip = |act, words: String, from: &str, is_offered| Chip { act, pane: None, text: format!("{words}, from {from}"), is_offered };
    let mut chips = Vec::new();
    for act in Act::SETTINGS {
        let acting = act.words(preparation, filter).zip(earlier.from.get(&act));
        chips.extend(acting.map(|(words, from)| chip(act, words, from, false)));
        chips.extend(earlier.offer(act).map(|(words, from)| chip(act, words, from, true)));
    }
    chips
}

/// Does what a press on a chip of the settings says.
pub(super) fn press(chip: &Chip, press: ChipPress, earlier: &mut Earlier, (preparation, filter): (&mut Preparation, &mut FilterLook)) {
    match (press, chip.is_offered) {
        (ChipPress::Apply, _) => earlier.apply(chip.act, preparation, filter),
        (ChipPress::Clear, true) => earlier.dismiss(chip.act),
        (ChipPress::Clear, false) => chip.act.set(preparation, filter, &Acting::default()),
    }
}

/// Shows a chip; returns the press.
pub(super) fn chip_ui(ui: &mut Ui, chip: &Chip) -> Option<ChipPress> {
    let tokens = Tokens::current(ui);
    let mut pressed = None;
    let stroke = Stroke::new(1.0, if chip.is_offered { tokens.rule } else { tokens.accent });
    Frame::new().stroke(stroke).corner_radius(GRID).inner_margin(Margin::symmetric(6, 0)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GRID;
            let about = if chip.is_offered { "does not act here until it is applied" } else { "acts here" };
            ui.label(widgets::elided(ui, &chip.text, MOST_WIDTH)).on_hover_text(format!("{}: {about}", chip.text));
            let buttons = [(chip.is_offered, "Apply", ChipPress::Apply), (true, "×", ChipPress::Clear)];
            for (_, sign, press) in buttons.into_iter().filter(|(is_there, ..)| *is_there) {
                let button = ui.small_button(sign);
                let name = if press == ChipPress::Apply { "Apply" } else { "Clear" };
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name} {}", chip.text)));
                if button.on_hover_text(format!("{name} {}", chip.text)).clicked() {
                    pressed = Some(press);
                }
            }
        });
    });
    pressed
}

//! The source as a Boolean function: its text, its truth table, and the text of a function that came from a file.

use super::Fields;
use super::boolean::Draft;
use super::facts::{channel_ui, notes_ui};
use super::truth_table::{MOST_MAPPED, Table, TruthReply, digits};
use crate::choice::Named as _;
use crate::engine::logic::MOST_STUDIED;
use crate::logic::{Coding, FunctionOptions, hex_text};
use crate::signal::generate::{Boolean, Generator};
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::transforms::Family;
use crate::ui::origin::Origin;
use crate::ui::settings::TruthLook;
use crate::ui::widgets;
use egui::{ScrollArea, Ui};
use std::sync::{Arc, Weak};

/// A click in the table of a function from a file turns it into a text, up to this number of variables: 1024 hex digits.
const MOST_WRITTEN: u32 = 12;

/// The name of the choice of looks, for those who hear it.
const NAME_OF_LOOKS: &str = "Look of the function";

/// The state of the pane for a function.
#[derive(Default)]
pub(super) struct FunctionView {
    draft: Draft,
    /// The part of a long truth table that is shown.
    part: usize,
    /// The coding of a signal that is a function, determined once per signal.
    known: Option<(Weak<Signal>, Option<Coding>)>,
}

/// The label of the vertical axis for a Boolean function.
pub(super) fn axis(origin: &Origin) -> Option<&'static str> {
    match origin {
        Origin::Generator(Generator::Boolean(function)) => {
            Some(FunctionOptions::split(&function.text).map_or(Coding::default(), |(_, options)| options.coding).name())
        }
        _ => None,
    }
}

impl FunctionView {
    /// Shows controls and truth table of a Boolean function; returns whether they fill the pane, so that no plot is drawn.
    pub(super) fn ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>) -> bool {
        let Some(signal) = fields.shown.signal else { return false };
        // Samples may be 0 and 1 by chance: other transforms take them as a signal.
        let is_logic = fields.shown.transform.family == Family::SpectralLogic;
        let is_typed = matches!(fields.origin, Origin::Generator(Generator::Typed(_)));
        if let Origin::Generator(Generator::Boolean(function)) = fields.origin {
            self.draft.ui(ui, "Boolean function", function);
        } else if is_typed || !is_logic || self.coding(signal).is_none() {
            return false;
        }
        // Only the component of an S-box that the mask selects is a Boolean function.
        if signal.channels.len() > 1 {
            channel_ui(ui, None, fields.channel, signal);
        }
        let n = signal.columns.max(1).ilog2();
        ui.horizontal(|ui| {
            let look = &mut *fields.truth;
            let choices = TruthLook::offered();
            let choices = if n > MOST_MAPPED { &choices[1..] } else { &choices[..] };
            if n > MOST_MAPPED && *look == TruthLook::Map {
                let mut shown = TruthLook::List;
                if widgets::named(NAME_OF_LOOKS, widgets::segmented(ui, &mut shown, choices)).changed() {
                    *look = shown;
                }
            } else {
                widgets::named(NAME_OF_LOOKS, widgets::segmented(ui, look, choices));
            }
            let count = format!("{n} {}", if n == 1 { "variable" } else { "variables" });
            if *look != TruthLook::Plot && widgets::text_width(ui, &count) <= ui.available_width() {
                widgets::weak(ui, count);
            }
        });
        if *fields.truth == TruthLook::Plot {
            return false;
        }
        notes_ui(ui, signal);
        self.table_ui(ui, fields, signal, n);
        true
    }

    fn table_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Arc<Signal>, n: u32) {
        let channel = match *fields.channel {
            ChannelChoice::Channel(index) if index < signal.channels.len() => index,
            _ => 0,
        };
        let samples = &signal.channels[channel].samples;
        let options = match fields.origin {
            Origin::Generator(Generator::Boolean(function)) => FunctionOptions::split(&function.text).ok().map(|(_, options)| options),
            _ => None,
        };
        // A signal that is too long to read came from a text, which makes integers only for signs.
        let coding = match samples {
            Samples::I32(_) | Samples::I64(_) => self.coding(signal).unwrap_or(Coding::Signs),
            _ => Coding::Bits,
        };
        let is_text = options.is_some();
        let options = options.unwrap_or_default();
        // The other channel shows the values of the S-box, which are not bits.
        let is_component = !is_text || channel == 0;
        let table = Table {
            n,
            value: &|index| is_component && value(samples, coding, index),
            flipped: &|index| options.flips.binary_search(&index).is_ok(),
            editable: is_component && (is_text || n <= MOST_WRITTEN),
        };
        if !is_component {
            return widgets::empty_state(
                ui,
                "These are the values of the S-box; take the other channel for the truth table of its component, or Plot",
            );
        }
        let map = *fields.truth == TruthLook::Map && n <= MOST_MAPPED;
        let TruthReply { clicked, hovered } = if map {
            let height = ui.available_height();
            ScrollArea::vertical().id_salt("map").auto_shrink([false, false]).show(ui, |ui| table.map_ui(ui, height)).inner
        } else {
            table.list_ui(ui, &mut self.part)
        };
        if let Some(index) = hovered {
            let hint = if table.editable { "   click to flip it" } else { "" };
            fields.out.read_out = format!("f({}) = f({index}) = {}{hint}", digits(index, n), u8::from((table.value)(index)));
        }
        if let Some(index) = clicked {
            flip(fields.origin, signal, channel, index);
        }
    }

    /// The coding of the first channel, where it is a function.
    fn coding(&mut self, signal: &Arc<Signal>) -> Option<Coding> {
        if let Some((known, coding)) = &self.known
            && std::ptr::eq(known.as_ptr(), Arc::as_ptr(signal))
        {
            return *coding;
        }
        let reading = (signal.columns <= 1 << MOST_STUDIED).then(|| signal.as_logic(ChannelChoice::default())).flatten();
        let coding = reading.and_then(|reading| reading.function).map(|(_, coding)| coding);
        self.known = Some((Arc::downgrade(signal), coding));
        coding
    }
}

/// The Boolean value of a sample.
fn value(samples: &Samples, coding: Coding, index: usize) -> bool {
    let one = i64::from(coding.sample(true));
    let sample = match samples {
        Samples::U8(values) => values.get(index).map(|value| i64::from(*value)),
        Samples::U16(values) => values.get(index).map(|value| i64::from(*value)),
        Samples::I32(values) => values.get(index).map(|value| i64::from(*value)),
        Samples::I64(values) => values.get(index).copied(),
        _ => None,
    };
    sample == Some(one)
}

/// Flips a value in the text. A function from a file becomes a text first.
fn flip(origin: &mut Origin, signal: &Signal, channel: usize, index: usize) {
    if let Origin::Generator(Generator::Boolean(function)) = origin {
        if let Ok((body, mut options)) = FunctionOptions::split(&function.text) {
            options.toggle(index);
            function.text = options.text(body);
        }
        return;
    }
    let reading = signal.as_logic(ChannelChoice::Channel(channel));
    if let Some((function, coding)) = reading.and_then(|reading| reading.function) {
        let options = FunctionOptions { flips: vec![index], coding, ..FunctionOptions::default() };
        *origin = Origin::Generator(Generator::Boolean(Boolean { text: options.text(&hex_text(&function)) }));
    }
}

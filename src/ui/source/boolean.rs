//! The controls of a Boolean function: its text and the error in it, well-known functions, the coding, and the output bits of an S-box.

use crate::logic::{self, Coding, FunctionOptions, HELP, KNOWN};
use crate::numerals::counted;
use crate::signal::generate::Boolean;
use crate::ui::theme::GRID;
use crate::ui::widgets::{self, row};
use egui::{RichText, Role, TextEdit, Ui, WidgetInfo};

/// The text below a function without an error: the first one that fits.
const HINTS: [&str; 2] = ["Variables x1, x2, …: x1 is the most significant bit", "x1 is the most significant bit"];

/// A text that describes no function yet. It stays in the field, and the last valid text stays in use.
#[derive(Default)]
pub(super) struct Draft {
    /// The text in the field, and the text that was in use when it was typed.
    unfinished: Option<(String, String)>,
}

impl Draft {
    /// Shows the controls; their changes appear in the text of the function. `name` is the accessible name of the field.
    pub(super) fn ui(&mut self, ui: &mut Ui, name: &str, function: &mut Boolean) {
        self.text_ui(ui, name, function);
        let Ok((body, mut options)) = FunctionOptions::split(&function.text) else { return };
        let (body, before) = (body.to_owned(), options.clone());
        row(ui, "Coding", |ui| {
            ui.horizontal(|ui| {
                let choices = [
                    (Coding::Bits, "0, 1", "The samples are the values of the function"),
                    (Coding::Signs, "1, −1", "The samples are (−1)^f: 1 for 0 and −1 for 1"),
                ];
                let coding = widgets::segmented(ui, &mut options.coding, &choices);
                flips_ui(ui, &mut options.flips);
                coding
            })
            .inner
        });
        mask_ui(ui, &body, &mut options);
        if options != before {
            function.text = options.text(&body);
        }
    }

    /// The field, the list of well-known functions, and the line with the error.
    fn text_ui(&mut self, ui: &mut Ui, name: &str, function: &mut Boolean) {
        // The text was changed elsewhere; it replaces the draft.
        self.unfinished = self.unfinished.take().filter(|(_, in_use)| *in_use == function.text);
        let mut typed = self.unfinished.as_ref().map_or_else(|| function.text.clone(), |(typed, _)| typed.clone());
        ui.horizontal(|ui| {
            let help = widgets::menu(ui, "How to write", |ui| {
                ui.set_max_width(800.0);
                ui.label(RichText::new(HELP).monospace());
            });
            help.response.on_hover_text("The forms in which a function can be written");
            let mut chosen = "";
            let width = ui.available_width();
            let choices = KNOWN.iter().map(|known| (known.example, known.example.to_owned(), known.about.to_owned()));
            if widgets::combo_of_width(ui, "Well-known function", width, "Well known", &mut chosen, choices).changed() {
                typed = chosen.to_owned();
            }
        });
        let field = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY).hint_text("x1x2 ^ x3x4");
        let field = field.min_size(egui::vec2(0.0, 6.0 * GRID)).align(egui::Align2::LEFT_CENTER);
        let response = ui.add(field.font(egui::TextStyle::Monospace));
        response.widget_info(|| WidgetInfo::text_edit(true, "", &typed, "x1x2 ^ x3x4"));
        name_field(ui, &response, name);
        match logic::check(&typed) {
            Ok(_) => {
                self.unfinished = None;
                let fits = |hint: &&str| widgets::text_width(ui, hint) <= ui.available_width();
                let hint = HINTS.into_iter().find(fits).unwrap_or_default();
                widgets::verdict_line(ui, None, hint);
                if typed != function.text {
                    function.text = typed;
                }
            }
            Err(error) => {
                widgets::verdict_line(ui, Some(&error.to_string()), "");
                self.unfinished = Some((typed, function.text.clone()));
            }
        }
    }
}

/// Offers to flip values back, in a row that is there without them, so that the table below stays where it is.
fn flips_ui(ui: &mut Ui, flips: &mut Vec<usize>) {
    if flips.is_empty() {
        return;
    }
    let flipped = format!("{} flipped", counted(flips.len(), "value"));
    let button = ui.button("Flip back");
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Flip back, {flipped}")));
    if button.on_hover_text(format!("{flipped}: restores the function as it was typed")).clicked() {
        flips.clear();
    }
}

/// A text field has a value, and its name is a label of its own.
fn name_field(ui: &Ui, field: &egui::Response, name: &str) {
    ui.ctx().accesskit_node_builder(field.id, |node| node.set_label(name));
}

/// The output bits of an S-box, the most significant first.
fn mask_ui(ui: &mut Ui, body: &str, options: &mut FunctionOptions) {
    let whole = FunctionOptions { mask: None, flips: Vec::new(), ..options.clone() }.text(body);
    let Some(m) = box_bits(&whole) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = GRID / 2.0;
        widgets::weak(ui, "Output bits");
        let mut mask = options.mask.unwrap_or(1);
        for bit in (0..m).rev() {
            let toggle = ui.selectable_label(mask >> bit & 1 == 1, bit.to_string());
            toggle.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, mask >> bit & 1 == 1, format!("Output bit {bit}")));
            // An empty mask gives no function.
            if toggle.on_hover_text("Output bits that are added modulo 2").clicked() && mask != 1 << bit {
                mask ^= 1 << bit;
                options.mask = Some(mask);
            }
        }
    });
}

/// Number of output bits of the S-box in a text; `None` for other functions.
fn box_bits(text: &str) -> Option<u32> {
    let begins = |name: &str| text.trim_start().starts_with(name);
    let is_box = begins("sbox") || KNOWN.iter().any(|known| known.example.contains("mask") && begins(known.name));
    if !is_box {
        return None;
    }
    Some(logic::parse(text).ok()?.sbox?.0.m())
}

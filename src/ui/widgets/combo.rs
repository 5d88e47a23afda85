//! Lists that open, for the choice of one of several.

use super::{name_of_width, text_width, weak};
use egui::{ComboBox, Key, Response, Role, Ui, WidgetInfo, WidgetText};

/// Share of the height of the window that an open list may fill, so that all transforms are visible at once.
const SHARE_OF_A_LIST: f32 = 0.6;

/// A choice of one in a list that opens; it fills the row.
pub(crate) fn combo<T: PartialEq>(
    ui: &mut Ui,
    name: &str,
    shown: impl Into<WidgetText>,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, String)>,
) -> Response {
    let width = ui.available_width();
    combo_of_width(ui, name, width, shown, value, choices)
}

/// A choice of one in a list that opens, `width` points wide; every choice is a value, its name and a sentence on it.
pub(crate) fn combo_of_width<T: PartialEq>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    shown: impl Into<WidgetText>,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, String)>,
) -> Response {
    combo_in_groups(ui, name, width, shown, value, std::iter::once(("", choices)))
}

/// The same for a choice whose name may be of any length: its middle gives way, and a hover shows all of it.
pub(crate) fn combo_of_name<T: PartialEq>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    shown: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, String)>,
) -> Response {
    let short = name_of_width(ui, shown, width - width_of_frame(ui));
    let response = combo_of_width(ui, name, width, &short, value, choices);
    if short == shown { response } else { response.on_hover_text(shown) }
}

/// The width that a list takes besides the text of its choice.
fn width_of_frame(ui: &Ui) -> f32 {
    let spacing = ui.spacing();
    spacing.icon_width + spacing.icon_spacing + 2.0 * spacing.button_padding.x
}

/// The same with a heading above every group of choices that has one. The arrow keys begin at the current choice; Enter takes one and closes the list,
/// and Escape only closes it: the focus is on the list again.
pub(crate) fn combo_in_groups<'a, T: PartialEq, C: IntoIterator<Item = (T, String, String)>>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    shown: impl Into<WidgetText>,
    value: &mut T,
    groups: impl IntoIterator<Item = (&'a str, C)>,
) -> Response {
    let shown: WidgetText = shown.into();
    let text = shown.text().to_owned();
    let (mut changed, mut by_key) = (false, false);
    let most = SHARE_OF_A_LIST * ui.ctx().content_rect().height();
    let combo = ComboBox::from_id_salt(name).width(width).height(most).truncate().selected_text(shown);
    let shown = combo.show_ui(ui, |ui| {
        for (heading, choices) in groups {
            if !heading.is_empty() {
                weak(ui, heading);
            }
            for (choice, title, about) in choices {
                let selected = *value == choice;
                let mut item = ui.selectable_label(selected, title);
                if !about.is_empty() {
                    item = item.on_hover_text(about);
                }
                // The first pass after it opens finds its size.
                if selected && ui.is_sizing_pass() {
                    item.request_focus();
                }
                if item.clicked() {
                    by_key = !ui.input(|input| input.pointer.any_click());
                    ui.close();
                    if !selected {
                        *value = choice;
                        changed = true;
                    }
                }
            }
        }
        by_key |= ui.input(|input| input.key_pressed(Key::Escape));
    });
    let mut response = shown.response;
    if text_width(ui, &text) > width - width_of_frame(ui) {
        response = response.on_hover_text(&text);
    }
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, name);
        info.current_text_value = Some(text.clone());
        info
    });
    // Screen readers on Linux read no value of a list, but its description.
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(text));
    if by_key {
        response.request_focus();
    }
    if changed {
        response.mark_changed();
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    #[test]
    fn a_choice_is_made_by_keys_from_the_current_one_on() {
        let list = |ui: &mut Ui, value: &mut usize| {
            let choices = ["zero", "one", "two", "three"];
            let all = (0..choices.len()).map(|index| (index, choices[index].to_owned(), String::new()));
            combo_of_width(ui, "Number", 120.0, choices[*value], value, all);
        };
        let mut harness = Harness::new_ui_state(list, 1);
        let is_open = |harness: &Harness<'_, usize>| harness.query_by_label("three").is_some();
        harness.get_by_role_and_label(Role::ComboBox, "Number").focus();
        harness.run();
        for (key, value, open) in [
            (Key::Enter, 1, true),
            (Key::ArrowDown, 1, true),
            (Key::Enter, 2, false),
            // The focus is on the list again.
            (Key::Enter, 2, true),
            (Key::ArrowUp, 2, true),
            (Key::ArrowUp, 2, true),
            (Key::Enter, 0, false),
            (Key::Enter, 0, true),
            (Key::Escape, 0, false),
            (Key::Enter, 0, true),
        ] {
            harness.key_press(key);
            harness.run();
            assert_eq!((*harness.state(), is_open(&harness)), (value, open), "after {key:?}");
        }
        let list = harness.get_by_role_and_label(Role::ComboBox, "Number");
        assert_eq!(list.accesskit_node().description().as_deref(), Some("zero"), "the choice is read aloud");
    }
}

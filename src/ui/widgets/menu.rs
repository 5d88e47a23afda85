//! A button that opens a menu, also within another menu, or a sheet of controls.

use egui::containers::menu::{MenuButton, MenuConfig, MenuState, is_in_menu};
use egui::{InnerResponse, IntoAtoms, Key, Modifiers, PopupCloseBehavior, Ui};

/// A button that opens a menu. Within another menu, Escape closes only this one, unless the pointer on the button would open it again.
/// The focus is on the button then.
pub(crate) fn menu<'a, R>(ui: &mut Ui, title: impl IntoAtoms<'a>, content: impl FnOnce(&mut Ui) -> R) -> InnerResponse<Option<R>> {
    let outer = is_in_menu(ui).then(|| MenuState::from_ui(ui, |_, stack| stack.unique_id));
    let button = ui.next_auto_id();
    let shown = ui.menu_button(title, |ui| {
        let shown = content(ui);
        if let Some(outer) = outer {
            close_on_escape(ui, outer, button);
        }
        shown
    });
    if outer.is_none() && shown.inner.is_some() && ui.input(|input| input.key_pressed(Key::Escape)) {
        shown.response.request_focus();
    }
    shown
}

/// A button that opens a sheet of controls over what is below, of which several may be set one after the other: it stays open until a click outside it, or Escape.
/// The focus is on the button then.
pub(crate) fn sheet<'a, R>(ui: &mut Ui, title: impl IntoAtoms<'a>, content: impl FnOnce(&mut Ui) -> R) -> InnerResponse<Option<R>> {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, shown) = MenuButton::new(title).config(config).ui(ui, content);
    if shown.is_some() && ui.input(|input| input.key_pressed(Key::Escape)) {
        response.request_focus();
    }
    InnerResponse::new(shown.map(|shown| shown.inner), response)
}

/// Closes the menu that `button` opened from the menu `outer`, and puts the focus on the button.
fn close_on_escape(ui: &Ui, outer: egui::Id, button: egui::Id) {
    let is_hovered = ui.ctx().read_response(button).is_some_and(|button| button.contains_pointer());
    if !is_hovered && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        MenuState::from_id(ui.ctx(), outer, |state| state.open_item = None);
        ui.memory_mut(|memory| memory.request_focus(button));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    #[test]
    fn escape_closes_the_innermost_menu() {
        let mut harness = Harness::new_ui(|ui| {
            menu(ui, "Outer", |ui| menu(ui, "Inner", |ui| ui.button("Entry")));
        });
        harness.get_by_label("Outer").focus();
        harness.run();
        for key in [Key::Enter, Key::ArrowDown, Key::ArrowRight] {
            harness.key_press(key);
            harness.run();
        }
        let is_there = |harness: &Harness<'_>| ["Inner", "Entry"].map(|name| harness.query_by_label(name).is_some());
        assert_eq!(is_there(&harness), [true, true]);
        for expected in [[true, false], [false, false]] {
            harness.key_press(Key::Escape);
            harness.run();
            assert_eq!(is_there(&harness), expected);
        }
        assert!(harness.get_by_label("Outer").accesskit_node().is_focused(), "the keys go on from the button");
    }

    #[test]
    fn a_sheet_stays_open_until_escape() {
        let mut harness = Harness::new_ui_state(
            |ui, ticked: &mut bool| {
                sheet(ui, "Sheet", |ui| ui.checkbox(ticked, "Tick"));
            },
            false,
        );
        harness.get_by_label("Sheet").focus();
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        for is_ticked in [true, false] {
            harness.get_by_label("Tick").click();
            harness.run();
            assert_eq!(*harness.state(), is_ticked, "it is there for the next click");
        }
        harness.key_press(Key::Escape);
        harness.run();
        assert!(harness.query_by_label("Tick").is_none());
        assert!(harness.get_by_label("Sheet").accesskit_node().is_focused(), "the keys go on from the button");
    }
}

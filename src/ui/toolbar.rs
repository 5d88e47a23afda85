//! The row of controls above a view. It never wraps: what does not fit goes under *More*.

use super::export::painted;
use super::relayout::lay_out_again;
use super::theme::GRID;
use super::widgets::{begin_group, combo_of_width, named, segmented, text_width, toggle, weak};
use egui::{Align, Button, Context, Id, Key, Layout, Popup, PopupAnchor, PopupKind, Response, Role, Ui, UiBuilder, WidgetInfo, vec2};

/// The width of the button *More*, in points.
const MORE_WIDTH: f32 = 48.0;
/// The views of a pane are a list where they would take a larger share of the row than this; and the width of that list, in points.
const MOST_OF_ROW: f32 = 0.5;
const VIEWS_WIDTH: f32 = 104.0;
/// The space between two items.
const GAP: f32 = 2.0 * GRID;

/// Shows the controls of a view in one row, however narrow the view is. A figure of the view begins below them.
///
/// ```ignore
/// toolbar(ui, "Spectrum image", |bar| {
///     bar.item("quantity", |ui| widgets::combo_of_width(ui, "Quantity", 96.0, …));
///     bar.item("rings", |ui| widgets::toggle(ui, rings, "Rings"));
///     bar.rare("range", |ui| …);
/// });
/// ```
///
/// The order is: what is shown, how it is shown, tools. Items leave the row from its end, but those of [`Toolbar::kept`] stay, and those of
/// [`Toolbar::rare`] are always under *More*, whose accessible name is `More in ` and the name of the view. An item is what must stay together; its name is unique
/// within the bar. Its controls need widths of their own, as `available_width` is meaningless in a row that grows. An item under
/// *More* runs only while that is open, so it decides nothing else that the view needs.
pub(super) fn toolbar<R>(ui: &mut Ui, view: &str, content: impl FnOnce(&mut Toolbar<'_>) -> R) -> R {
    let id = ui.scope_id().with((view, "toolbar"));
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ui.spacing().interact_size.y));
    let known = ui.data(|data| data.get_temp::<Vec<Item>>(id)).unwrap_or_default();
    let mut items = Items { in_row: in_row(&known, rect.width()), known, drawn: Vec::new(), all: Vec::new(), chosen: None };
    let mut row = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)).id_salt((view, "row")));
    row.spacing_mut().item_spacing.x = GAP;
    let button = rect.with_min_x(rect.right() - more_width(&items.known));
    let (was_open, inner_is_open) = (is_open_with(ui.ctx(), id), Popup::is_any_open(ui.ctx()));
    let (value, closes, escapes) = if was_open {
        let popup = Popup::new(id.with("popup"), ui.ctx().clone(), PopupAnchor::ParentRect(button), ui.layer_id());
        let popup = popup.open(true).kind(PopupKind::Popup).gap(GRID).accessible_name(format!("More in {view}"));
        let shown = popup.show(|more| {
            // The first pass finds the size of the popup, and its controls take no focus yet.
            let is_entered = !more.is_sizing_pass() && more.data_mut(|data| data.remove_temp::<bool>(entered(id))).is_some();
            begin_group(more, id.with("start of more"), &format!("More controls of {view}"), is_entered);
            content(&mut Toolbar { row: &mut row, more: Some(more), items: &mut items })
        });
        let shown = shown.expect("an open popup is shown");
        let escapes = ui.input(|input| input.key_pressed(Key::Escape));
        (shown.inner, !inner_is_open && (escapes || shown.response.clicked_elsewhere()), !inner_is_open && escapes)
    } else {
        (content(&mut Toolbar { row: &mut row, more: None, items: &mut items }), false, false)
    };
    let has_more = items.drawn.len() < items.all.len();
    let clicked = has_more && {
        let mut corner =
            ui.new_child(UiBuilder::new().max_rect(button).layout(Layout::right_to_left(Align::Center)).id_salt((view, "more")));
        // The choice that is in the list is seen without opening it.
        let chosen = items.chosen.filter(|chosen| !items.drawn.contains(chosen));
        let more = corner.add(Button::new(chosen.unwrap_or("More")).selected(was_open || chosen.is_some()));
        let name = chosen.map_or_else(|| format!("More in {view}"), |chosen| format!("More in {view}: {chosen}"));
        more.widget_info(|| WidgetInfo::selected(Role::Button, true, was_open, &name));
        if escapes {
            more.request_focus();
        }
        more.on_hover_text("More controls of this view").clicked()
    };
    let is_open = has_more && if clicked { !was_open } else { was_open && !closes };
    if is_open != was_open {
        let by_key = is_open && !ui.input(|input| input.pointer.any_click());
        ui.data_mut(|data| {
            data.insert_temp(open_id(), is_open.then_some(id));
            if by_key {
                data.insert_temp(entered(id), true);
            }
        });
        ui.request_repaint();
    }
    if in_row(&items.all, rect.width()) != items.drawn {
        lay_out_again(ui);
        ui.request_repaint();
    }
    ui.data_mut(|data| data.insert_temp(id, items.all));
    painted::begin(ui);
    value
}

/// Whether a toolbar shows what did not fit, which Escape closes.
pub(super) fn is_open(ctx: &Context) -> bool {
    open_toolbar(ctx).is_some()
}

fn is_open_with(ctx: &Context, id: Id) -> bool {
    open_toolbar(ctx) == Some(id)
}

/// The toolbar whose *More* is open.
fn open_toolbar(ctx: &Context) -> Option<Id> {
    ctx.data(|data| data.get_temp::<Option<Id>>(open_id())).flatten()
}

/// The toolbar whose *More* was opened by a key: its first control takes the focus.
fn entered(id: Id) -> Id {
    id.with("more is entered by a key")
}

fn open_id() -> Id {
    Id::unique("toolbar with open More")
}

/// The state of an item of a toolbar.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Item {
    name: &'static str,
    /// The width in points when it was drawn last; `None` before.
    width: Option<f32>,
    kind: ItemKind,
}

/// Where an item may be.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ItemKind {
    /// In the row where it fits, otherwise under *More*.
    Usual,
    /// The same; it is one of several choices, and *More* may carry its name.
    Choice,
    /// In the row where it fits: the others leave it first.
    Kept,
    /// Always under *More*.
    Rare,
}

/// The width of *More*: room for every name that it may carry, so that no choice moves the row.
fn more_width(items: &[Item]) -> f32 {
    items.iter().filter(|item| item.kind == ItemKind::Choice).filter_map(|item| item.width).fold(MORE_WIDTH, f32::max)
}

/// The first items of the row, up to a width of `room` points.
fn in_row(items: &[Item], room: f32) -> Vec<&'static str> {
    let end = |item: &Item, start: f32| start + item.width.unwrap_or(0.0);
    let usual: Vec<&Item> = items.iter().filter(|item| item.kind != ItemKind::Rare).collect();
    let whole = usual.iter().fold(-GAP, |start, item| end(item, start + GAP));
    let room = if whole <= room && usual.len() == items.len() { room } else { room - more_width(items) - GAP };
    let mut start = 0.0;
    let mut fitting = |are_kept: bool| -> Vec<&'static str> {
        let fits = |item: &&&Item| {
            let end = end(item, start);
            let fits = end <= room;
            start = if fits { end + GAP } else { start };
            fits
        };
        usual.iter().filter(|item| (item.kind == ItemKind::Kept) == are_kept).take_while(fits).map(|item| item.name).collect()
    };
    let shown = [fitting(true), fitting(false)].concat();
    usual.iter().map(|item| item.name).filter(|name| shown.contains(name)).collect()
}

/// The items of a toolbar in a frame.
struct Items {
    /// As they were in the frame before.
    known: Vec<Item>,
    /// Those that were to fit.
    in_row: Vec<&'static str>,
    /// Those that are in the row now.
    drawn: Vec<&'static str>,
    /// All, in their order.
    all: Vec<Item>,
    /// The one that is chosen.
    chosen: Option<&'static str>,
}

/// The row of controls above a view, to which the view adds its items.
pub(crate) struct Toolbar<'a> {
    row: &'a mut Ui,
    /// The list under *More*, where it is open.
    more: Option<&'a mut Ui>,
    items: &'a mut Items,
}

impl Toolbar<'_> {
    /// Adds controls that stay together. Returns what `add` returns, or `None` where they are under *More* and that is closed.
    pub(super) fn item<R>(&mut self, name: &'static str, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        self.add(name, ItemKind::Usual, add)
    }

    /// Adds one of several choices, whose name is its title. Where the chosen one is under *More*, this carries its name.
    pub(super) fn choice<R>(&mut self, title: &'static str, is_chosen: bool, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        if is_chosen {
            self.items.chosen = Some(title);
        }
        self.add(title, ItemKind::Choice, add)
    }

    /// Adds controls that stay in the row while others leave it: what a job needs in the end, as an export.
    pub(super) fn kept<R>(&mut self, name: &'static str, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        self.add(name, ItemKind::Kept, add)
    }

    /// Adds controls that are always under *More*.
    pub(super) fn rare<R>(&mut self, name: &'static str, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        self.add(name, ItemKind::Rare, add)
    }

    /// Adds the switch of a logarithmic frequency axis.
    pub(super) fn log_axis(&mut self, is_on: &mut bool) {
        let about = "A logarithmic frequency axis, for frequencies above 0";
        self.item("log axis", |ui| toggle(ui, is_on, "Log axis").on_hover_text(about));
    }

    /// Adds a choice of one of a few side by side; `name` is what the choice is about, which is heard and not seen.
    pub(super) fn segmented<T: PartialEq + Copy>(
        &mut self,
        name: &'static str,
        value: &mut T,
        choices: &[(T, &str, &str)],
    ) -> Option<Response> {
        self.item(name, |ui| named(name, segmented(ui, value, choices)))
    }

    /// Adds the choice of what the pane shows, the first item: side by side, or a list that opens where the pane is narrow.
    /// Every choice is a value, its name and a sentence on it.
    pub(super) fn views<T: PartialEq + Copy>(&mut self, name: &str, value: &mut T, choices: &[(T, &str, &str)]) -> bool {
        let room = self.row.max_rect().width();
        let shown = self.item("views", |ui| {
            let padding = 2.0 * ui.spacing().button_padding.x + GRID / 2.0;
            let width: f32 = choices.iter().map(|(_, title, _)| text_width(ui, title) + padding).sum();
            if width <= MOST_OF_ROW * room {
                return named(name, segmented(ui, value, choices));
            }
            let shown = choices.iter().find(|(choice, ..)| choice == value).map_or("", |(_, title, _)| title);
            let choices = choices.iter().map(|(choice, title, about)| (*choice, (*title).to_owned(), (*about).to_owned()));
            combo_of_width(ui, name, VIEWS_WIDTH, shown, value, choices)
        });
        shown.is_some_and(|response| response.changed())
    }

    /// Adds a text if it has room; the last thing in the row.
    pub(super) fn info(&mut self, text: &str) {
        let more = if self.items.drawn.len() < self.items.all.len() { more_width(&self.items.all) + GAP } else { 0.0 };
        if text_width(self.row, text) + more <= self.row.available_width() {
            weak(self.row, text);
        }
    }

    fn add<R>(&mut self, name: &'static str, kind: ItemKind, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        let known = self.items.known.iter().find(|item| item.name == name && item.kind == kind);
        let mut item = Item { name, width: known.and_then(|item| item.width), kind };
        // A new item is drawn once to find its width.
        let is_in_row = kind != ItemKind::Rare && (item.width.is_none() || self.items.in_row.contains(&name));
        let shown = if is_in_row {
            self.items.drawn.push(name);
            Some(self.row.scope(add))
        } else {
            self.more.as_mut().map(|more| more.horizontal(add))
        };
        if let Some(shown) = &shown {
            item.width = Some(shown.response.rect.width());
        }
        self.items.all.push(item);
        shown.map(|shown| shown.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &'static str, width: f32) -> Item {
        Item { name, width: Some(width), kind: ItemKind::Usual }
    }

    #[test]
    fn the_first_items_stay_in_the_row_and_leave_room_for_more() {
        let items = [item("a", 100.0), item("b", 50.0), item("c", 30.0)];
        assert_eq!(in_row(&items, 196.0), ["a", "b", "c"], "they fit exactly");
        assert_eq!(in_row(&items, 195.0), ["a"], "More takes 48 points and a gap");
        assert_eq!(in_row(&items, 214.0 + 100.0), ["a", "b", "c"]);
        assert_eq!(in_row(&items, 40.0), [""; 0]);
        let with_rare = [item("a", 100.0), Item { kind: ItemKind::Rare, ..item("b", 50.0) }];
        assert_eq!(in_row(&with_rare, 150.0), [""; 0], "rare items need More");
        assert_eq!(in_row(&with_rare, 156.0), ["a"]);
        let with_kept = [item("a", 100.0), item("b", 50.0), Item { kind: ItemKind::Kept, ..item("c", 30.0) }];
        assert_eq!(in_row(&with_kept, 195.0), ["a", "c"], "what is kept stays before others");
        assert_eq!(in_row(&with_kept, 100.0), ["c"]);
        assert_eq!(in_row(&with_kept, 80.0), [""; 0], "nothing lies on More");
        let choices = items.map(|item| Item { kind: ItemKind::Choice, ..item });
        assert_eq!(in_row(&choices, 195.0), [""; 0], "More takes as much as the widest choice and a gap");
    }

    #[test]
    fn more_carries_the_name_of_a_choice_that_does_not_fit() {
        use egui_kittest::kittest::Queryable as _;
        let mut harness = egui_kittest::Harness::new_ui_state(
            |ui, chosen: &mut &'static str| {
                ui.set_width(150.0);
                toolbar(ui, "Test", |bar| {
                    for title in ["Alpha", "Beta", "Gamma", "Delta"] {
                        bar.choice(title, *chosen == title, |ui| ui.button(title));
                    }
                });
            },
            "Alpha",
        );
        harness.run();
        assert!(harness.query_by_label("More in Test").is_some() && harness.query_by_label("Delta").is_none());
        *harness.state_mut() = "Delta";
        harness.run();
        assert!(harness.query_by_label("More in Test: Delta").is_some());
    }

    #[test]
    fn what_does_not_fit_stands_under_more() {
        let mut wide = 400.0;
        let mut clicked = false;
        let mut harness = egui_kittest::Harness::new_ui_state(
            |ui, (width, clicked): &mut (f32, bool)| {
                ui.set_width(*width);
                toolbar(ui, "Test", |bar| {
                    bar.item("first", |ui| ui.button("First button"));
                    if bar.item("last", |ui| ui.button("Last button").clicked()) == Some(true) {
                        *clicked = true;
                    }
                });
            },
            (std::mem::take(&mut wide), std::mem::take(&mut clicked)),
        );
        use egui_kittest::kittest::{NodeT as _, Queryable as _};
        harness.run();
        assert!(harness.query_by_label("Last button").is_some() && harness.query_by_label("More in Test").is_none());
        harness.state_mut().0 = 150.0;
        harness.run();
        assert!(harness.query_by_label("First button").is_some() && harness.query_by_label("Last button").is_none());
        harness.get_by_label("More in Test").click();
        harness.run();
        harness.get_by_label("Last button").click();
        harness.run();
        assert!(harness.state().1 && is_open(&harness.ctx), "a click inside leaves it open");
        harness.key_press(Key::Escape);
        harness.run();
        assert!(!is_open(&harness.ctx) && harness.query_by_label("Last button").is_none());
        assert!(harness.get_by_label("More in Test").accesskit_node().is_focused(), "the keys go on from the button");
        harness.key_press(Key::Enter);
        harness.run();
        assert!(harness.get_by_label("First button").accesskit_node().is_focused(), "a key goes to the first control");
        harness.key_press(Key::Escape);
        harness.run();
        harness.state_mut().0 = 400.0;
        harness.run();
        assert!(harness.query_by_label("Last button").is_some() && harness.query_by_label("More in Test").is_none());
    }
}

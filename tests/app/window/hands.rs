//! Hands on the window: the mouse at places that are drawn, and keys. Whatever they do is a step, which they write down as a sentence.
//!
//! A name finds the place only; the act itself is events of the pointer. Hands refuse what a person could not do: press a control that is covered,
//! cut off, scrolled out of sight or disabled, or type where nothing takes the text.
//! `PAPILLON_HANDS=FOLDER` writes an image of the window after each step.

use super::layouts::Dropped;
use super::screens::words_in;
use super::{Window, settle, wait, workspace};
use egui::accesskit::{NodeId, Role};
use egui::{Event, Key, LayerId, Modifiers, PointerButton, Pos2, Rect, Vec2, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::path::{Path, PathBuf};

/// Moves of the pointer on its way to a place, and while it drags.
const MOVES: usize = 4;
const MOVES_OF_A_DRAG: usize = 8;
/// A person hits no smaller control, in points.
const LEAST: f32 = 5.0;

/// A control of the newest frame: its part in sight, the layer in which it lies, and whether it can be used.
#[derive(Debug, Clone, Copy)]
struct Place {
    node: NodeId,
    widget: egui::Id,
    rect: Rect,
    height: f32,
    layer: LayerId,
    role: Role,
    enabled: bool,
}

/// A window with hands on it.
pub(super) struct Hands {
    pub(super) window: Window,
    /// The steps until now, a sentence each.
    steps: Vec<String>,
    pointer: Pos2,
    images: Option<PathBuf>,
}

/// Moves the pointer to a place in `moves` equal parts, a frame each.
pub(super) fn move_pointer(window: &mut Window, from: Pos2, to: Pos2, moves: usize) {
    for k in 1..=moves {
        window.event(Event::PointerMoved(from.lerp(to, k as f32 / moves as f32)));
        window.step();
    }
}

/// Presses a button of the mouse at a place, or lets it go.
pub(super) fn button(window: &Window, pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    window.event(Event::PointerButton { pos, button, pressed, modifiers });
}

/// Drags from the first of some places to the others, with small moves between them.
pub(super) fn drag(window: &mut Window, points: &[Pos2], moves: usize, modifiers: Modifiers) {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
    window.event(Event::PointerMoved(first));
    button(window, first, PointerButton::Primary, true, modifiers);
    window.step();
    points.windows(2).for_each(|pair| move_pointer(window, pair[0], pair[1], moves));
    button(window, last, PointerButton::Primary, false, modifiers);
    window.step();
}

/// Turns the wheel by some notches, up where they are positive.
pub(super) fn wheel(window: &Window, notches: f32, modifiers: Modifiers) {
    let (unit, phase, source) = (egui::MouseWheelUnit::Line, egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
    window.event(Event::MouseWheel { unit, delta: egui::vec2(0.0, notches), phase, modifiers, source });
}

impl Hands {
    pub(super) fn on(window: Window) -> Self {
        let images = std::env::var_os("PAPILLON_HANDS").map(PathBuf::from);
        Self { window, steps: Vec::new(), pointer: pos2(640.0, 2.0), images }
    }

    /// The steps until now.
    pub(super) fn steps(self) -> Vec<String> {
        self.steps
    }

    /// Presses the control with this name.
    pub(super) fn press(&mut self, name: &str) {
        let place = self.reach(name, |_| true);
        self.press_place(place, name);
    }

    /// Presses the control of this role with this name, where others have the name, too.
    pub(super) fn press_the(&mut self, role: Role, name: &str) {
        let place = self.reach(name, |place| place.role == role);
        self.press_place(place, name);
    }

    fn press_place(&mut self, place: Place, name: &str) {
        let drawn = words_in(&self.window.output().shapes, place.rect);
        let sentence = match place.role {
            Role::ComboBox => format!("Open the list *{name}*."),
            Role::SpinButton | Role::TextInput | Role::SearchInput => format!("Press the field *{name}*."),
            // Icons, digits and the small print of a card say less than the name.
            _ if !begins_like(&drawn, name) => format!("Press *{name}*."),
            _ => format!("Press *{drawn}*."),
        };
        self.click_here(sentence);
    }

    /// Presses a place of a plot, an image or a graph, which `what` names with its article.
    pub(super) fn press_at(&mut self, at: Pos2, what: &str) {
        self.go(at);
        self.check_in_window(at, what);
        self.click_here(format!("Press {what}."));
    }

    /// Chooses an entry of a list that opens, scrolling to it where that is needed.
    pub(super) fn choose(&mut self, list: &str, entry: &str) {
        self.press_the(Role::ComboBox, list);
        self.scroll_popup_to(entry);
        let place = self.reach(entry, |place| place.layer.order > egui::Order::Background);
        self.press_place(place, entry);
    }

    /// Turns the wheel where the pointer is until a control is in sight, if it is not.
    pub(super) fn scroll_to(&mut self, name: &str) {
        self.scroll_at(self.pointer, name, egui::Order::Background);
    }

    /// Turns the wheel over the open list until an entry is in sight.
    fn scroll_popup_to(&mut self, entry: &str) {
        let popup = self.window.ctx.viewport(|viewport| {
            let above = viewport.prev_pass.widgets.layers().filter(|(layer, _)| layer.order == egui::Order::Foreground);
            above.flat_map(|(_, rects)| rects).map(|widget| widget.interact_rect).find(|rect| is_large(*rect))
        });
        let popup = popup.unwrap_or_else(|| self.refuse(entry, "no list is open"));
        self.scroll_at(popup.center(), entry, egui::Order::Foreground);
    }

    fn scroll_at(&mut self, at: Pos2, entry: &str, order: egui::Order) {
        let is_in_sight = |hands: &Self| hands.places(entry).iter().any(|place| place.layer.order == order && is_whole(place));
        if is_in_sight(self) {
            return;
        }
        self.go(at);
        for notches in [-3.0; 20].into_iter().chain([3.0; 40]) {
            if is_in_sight(self) {
                return self.done(format!("Turn the wheel until *{entry}* is in sight."));
            }
            wheel(&self.window, notches, Modifiers::NONE);
            self.window.run_steps(6);
        }
        self.refuse(entry, "no turn of the wheel brings it into sight")
    }

    /// Drags from one place to another; `sentence` says what.
    pub(super) fn drag(&mut self, from: Pos2, to: Pos2, sentence: &str) {
        self.go(from);
        [from, to].into_iter().for_each(|at| self.check_in_window(at, sentence));
        drag(&mut self.window, &[from, to], MOVES_OF_A_DRAG, Modifiers::NONE);
        self.pointer = to;
        self.done(sentence.to_owned());
    }

    /// The same with Shift held.
    pub(super) fn drag_with_shift(&mut self, from: Pos2, to: Pos2, sentence: &str) {
        self.go(from);
        [from, to].into_iter().for_each(|at| self.check_in_window(at, sentence));
        drag(&mut self.window, &[from, to], MOVES_OF_A_DRAG, Modifiers::SHIFT);
        self.pointer = to;
        self.done(sentence.to_owned());
    }

    /// Drags the thing with this name by some points.
    pub(super) fn drag_by(&mut self, name: &str, by: Vec2, sentence: &str) {
        let from = self.reach(name, |_| true).rect.center();
        self.drag(from, from + by, sentence);
    }

    /// Presses a key, with those that are held.
    pub(super) fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.window.key_press_modifiers(modifiers, key);
        self.window.step();
        let held = [(modifiers.command, "Ctrl+"), (modifiers.shift, "Shift+"), (modifiers.alt, "Alt+")];
        let held: String = held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name).collect();
        self.done(format!("Press the key *{held}{}*.", key.name()));
    }

    /// Types a text into the field that has the focus.
    pub(super) fn write(&mut self, text: &str) {
        self.write_as(text, &format!("Type *{text}*."));
    }

    /// Types the path of a file, of which the sentence has the name only.
    pub(super) fn write_path(&mut self, path: &Path) {
        let name = path.file_name().unwrap().display();
        self.write_as(path.to_str().unwrap(), &format!("Type the path of *{name}*."));
    }

    fn write_as(&mut self, text: &str, sentence: &str) {
        wait(&mut self.window, "no field takes the text", |window| window.ctx.text_edit_focused());
        for letter in text.chars() {
            self.window.event(Event::Text(letter.to_string()));
        }
        self.window.step();
        self.done(sentence.to_owned());
    }

    /// Drops a file on the window, as a file manager does.
    pub(super) fn drop_file(&mut self, path: &Path) {
        self.window.input_mut().hovered_files.push(egui::HoveredFile { path: Some(path.to_owned()), ..Default::default() });
        self.window.step();
        self.window.input_mut().hovered_files.clear();
        self.window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path.to_owned())));
        self.window.step();
        self.done(format!("Drop *{}* on the window.", path.file_name().unwrap().display()));
    }

    /// Waits for something that takes its time; a look is not a step.
    pub(super) fn wait_until(&mut self, what: &str, done: impl Fn(&Window) -> bool) {
        wait(&mut self.window, what, done);
        settle(&mut self.window);
    }

    /// Rests with the pointer on a place, so that the window tells what is there.
    pub(super) fn look_at(&mut self, at: Pos2) {
        self.go(at);
        settle(&mut self.window);
        self.window.run_steps(4);
    }

    /// The numbers in the first text of the window with these words, in their order.
    pub(super) fn numbers_of(&self, words: &str) -> Vec<f64> {
        // Thousands stand apart by a thin space.
        super::measure::numbers(&self.text_of(words).replace(['\u{2009}', '\u{202f}'], ""))
    }

    /// The first text of the window with these words.
    pub(super) fn text_of(&self, words: &str) -> String {
        let text = super::measure::text_with(&self.window, words);
        if text.is_empty() { self.refuse(words, "no text has these words") } else { text }
    }

    /// The text that is behind the one with this name.
    pub(super) fn text_after(&self, name: &str) -> String {
        let texts = self.window.root().children_recursive().filter(|node| node.accesskit_node().role() == Role::Label);
        let mut texts = texts.filter_map(|node| node.accesskit_node().label().or(node.value()));
        texts.by_ref().find(|text| text == name);
        texts.next().unwrap_or_else(|| self.refuse(name, "no text stands behind it"))
    }

    /// The part in sight of what has this name.
    pub(super) fn place(&self, name: &str) -> Rect {
        let places = self.places(name);
        places.last().unwrap_or_else(|| self.refuse(name, "there is none")).rect
    }

    /// The part in sight of what has a name with these words.
    pub(super) fn place_with(&self, words: &str) -> Rect {
        let name = self.window.query_all_by_label_contains(words).next().and_then(|node| node.accesskit_node().label());
        self.place(&name.unwrap_or_else(|| self.refuse(words, "there is none")))
    }

    fn click_here(&mut self, sentence: String) {
        for pressed in [true, false] {
            button(&self.window, self.pointer, PointerButton::Primary, pressed, Modifiers::NONE);
            self.window.step();
        }
        self.done(sentence);
    }

    /// Waits for what the step led to, and writes the step down.
    fn done(&mut self, sentence: String) {
        self.window.run_steps(2);
        settle(&mut self.window);
        self.steps.push(sentence);
        if let Some(folder) = &self.images {
            let test = std::thread::current().name().unwrap_or("job").replace("::", "-");
            let path = folder.join(format!("{test}-{:02}.png", self.steps.len()));
            self.window.render().unwrap().save(path).unwrap();
        }
    }

    fn go(&mut self, to: Pos2) {
        let from = std::mem::replace(&mut self.pointer, to);
        move_pointer(&mut self.window, from, to, MOVES);
        // The window knows a frame later which widget lies under the pointer.
        self.window.step();
    }

    fn check_in_window(&self, at: Pos2, what: &str) {
        if !self.window.ctx.content_rect().contains(at) {
            self.refuse(what, &format!("{at:?} is outside of the window"));
        }
    }

    /// The widgets with this name, except mere texts, with their parts in sight.
    fn places(&self, name: &str) -> Vec<Place> {
        let window = self.window.ctx.content_rect();
        let named: Vec<(NodeId, Role)> = (self.window.query_all_by_label(name))
            .map(|node| (node.accesskit_node().locate().0, node.accesskit_node().role()))
            .filter(|(_, role)| *role != Role::Label)
            .collect();
        self.window.ctx.viewport(|viewport| {
            let widgets: Vec<_> = viewport.prev_pass.widgets.layers().flat_map(|(_, rects)| rects).collect();
            let of = |&(node, role): &(NodeId, Role)| {
                let widget = widgets.iter().find(|widget| widget.id.accesskit_id() == node)?;
                let (rect, layer) = (widget.interact_rect.intersect(window), widget.layer_id);
                Some(Place { node, widget: widget.id, rect, height: widget.rect.height(), layer, role, enabled: widget.enabled })
            };
            named.iter().filter_map(of).collect()
        })
    }

    /// Moves the pointer on the one control with this name, and makes sure that a press would reach it.
    fn reach(&mut self, name: &str, fits: impl Fn(&Place) -> bool) -> Place {
        let mut place = self.only(name, &fits);
        // A layout that still moves carries the control away.
        for _ in 0..8 {
            self.go(place.rect.center());
            let now = self.only(name, &fits);
            if (now.node, now.rect) == (place.node, place.rect) {
                break;
            }
            place = now;
        }
        if !place.enabled {
            self.refuse(name, "it is disabled");
        }
        let hits = self.window.ctx.viewport(|viewport| {
            let hits = &viewport.hits;
            [hits.click, hits.drag].map(|hit| hit.map(|widget| widget.id))
        });
        if !hits.contains(&Some(place.widget)) {
            self.refuse(name, &format!("something covers it at {:?}", place.rect));
        }
        place
    }

    /// The one control with this name, in the uppermost layer that has one.
    fn only(&self, name: &str, fits: impl Fn(&Place) -> bool) -> Place {
        let named: Vec<Place> = self.places(name).into_iter().filter(|place| fits(place)).collect();
        let mut seen: Vec<Place> = named.iter().filter(|place| is_large(place.rect)).copied().collect();
        let top = seen.iter().map(|place| place.layer.order).max();
        seen.retain(|place| Some(place.layer.order) == top);
        match seen.as_slice() {
            [place] => *place,
            [] if named.is_empty() => self.refuse(name, "there is none"),
            [] => self.refuse(name, "it is cut off or scrolled out of sight"),
            several => self.refuse(name, &format!("there are several: {several:?}")),
        }
    }

    /// Ends the test with why the hands cannot do this, and with what there is in place of it.
    fn refuse(&self, name: &str, why: &str) -> ! {
        let names = self.window.root().children_recursive().filter_map(|node| {
            let node = node.accesskit_node();
            let text = node.label().or(node.value())?;
            Some(format!("{:?} {text}", node.role()))
        });
        let names: Vec<String> = names.collect();
        let (said, steps) = (workspace(&self.window).message(), self.steps.join(" "));
        panic!("“{name}”: {why}.\nSteps: {steps}\nThe last message: {said}\nThe window has:\n{}", names.join("\n"))
    }
}

/// Whether a drawn text begins with a word of the name.
fn begins_like(drawn: &str, name: &str) -> bool {
    let first = drawn.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    !first.is_empty() && name.to_lowercase().contains(&first)
}

/// Whether all of its height is in sight.
fn is_whole(place: &Place) -> bool {
    is_large(place.rect) && place.rect.height() + 1.0 > place.height
}

/// Whether a person hits it.
fn is_large(rect: Rect) -> bool {
    rect.width() >= LEAST && rect.height() >= LEAST
}

//! The list of lessons: a card each, by course and paper.

use super::memory::LearnMemory;
use crate::lesson::{GROUPS, Group, Lesson, lessons};
use crate::ui::action::Action;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::{CollapsingHeader, Frame, Label, Margin, RichText, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo};

/// The list with what is searched.
#[derive(Default)]
pub(super) struct LessonList {
    query: String,
}

impl LessonList {
    pub(super) fn ui(&mut self, ui: &mut Ui, learn: &LearnMemory, actions: &mut Vec<Action>) {
        let field = TextEdit::singleline(&mut self.query)
            .align(egui::Align2::LEFT_CENTER)
            .desired_width(f32::INFINITY)
            .hint_text("Search lessons, figures and tables");
        let response = ui.add(field.min_size(egui::vec2(0.0, 6.0 * GRID)));
        response.widget_info(|| WidgetInfo::text_edit(true, "", &self.query, ""));
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Search lessons"));
        ui.add_space(GRID);
        let words: Vec<String> = self.query.to_lowercase().split_whitespace().map(str::to_owned).collect();
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            for group in GROUPS.iter() {
                let found: Vec<_> = lessons().iter().filter(|lesson| lesson.group == group && matches(lesson, &words)).collect();
                if !found.is_empty() {
                    group_ui(ui, (learn, actions), group, &found, !words.is_empty());
                }
            }
        });
    }
}

/// Whether every word is in the title, the name, the place or the summary of a lesson.
fn matches(lesson: &Lesson, words: &[String]) -> bool {
    let head = &lesson.head;
    let text = [&head.title, &lesson.name, &head.place, &head.summary, lesson.group.title].map(|part: &str| part.to_lowercase()).join(" ");
    words.iter().all(|word| text.contains(word))
}

fn group_ui(ui: &mut Ui, (learn, actions): (&LearnMemory, &mut Vec<Action>), group: &Group, found: &[&'static Lesson], is_searched: bool) {
    let n_read = found.iter().filter(|lesson| learn.has_read(lesson)).count();
    let count = if n_read > 0 { format!("{n_read} of {} read", found.len()) } else { found.len().to_string() };
    let title = RichText::new(format!("{}  ·  {count}", group.title)).strong();
    let header = CollapsingHeader::new(title).id_salt(group.folder).default_open(group.folder == GROUPS[0].folder);
    let header = if is_searched { header.open(Some(true)) } else { header };
    let shown = header.show_unindented(ui, |ui| {
        for lesson in found {
            if card_ui(ui, lesson, learn) {
                actions.push(Action::OpenLesson(lesson));
            }
        }
        ui.add_space(GRID);
    });
    shown.header_response.on_hover_text(group.about);
}

/// The card of a lesson; returns whether it was clicked.
fn card_ui(ui: &mut Ui, lesson: &Lesson, memory: &LearnMemory) -> bool {
    let (tokens, head) = (Tokens::current(ui), &lesson.head);
    let progress = match (memory.has_read(lesson), memory.has_begun(lesson)) {
        (true, _) => "read".to_owned(),
        (_, true) => format!("step {} of {}", memory.step_of(lesson) + 1, lesson.steps.len()),
        _ => String::new(),
    };
    let place = if head.place == "Course" { String::new() } else { head.place.clone() };
    let facts = [place, format!("{} min", head.minutes), progress];
    let facts = facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join("  ·  ");
    let frame = Frame::new().fill(tokens.well).stroke((1.0, tokens.hairline)).corner_radius(4).inner_margin(Margin::symmetric(10, 6));
    let shown = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = GRID / 2.0;
        let line = |ui: &mut Ui, text: RichText| ui.add(Label::new(text).wrap().selectable(false));
        line(ui, RichText::new(&head.title).strong());
        line(ui, RichText::new(&head.summary).color(tokens.weak));
        line(ui, RichText::new(facts).color(tokens.weak).small());
    });
    // A frame takes no focus, and would take it from a control of the same identity.
    let response = ui.interact(shown.response.rect, ui.scope_id().with(&lesson.name), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Lesson {}", head.title)));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_stroke(response.rect, 4.0, (1.0, tokens.accent), egui::StrokeKind::Inside);
    }
    let needs = if head.needs.is_empty() { String::new() } else { format!("\nKnow before: {}", head.needs.join(", ")) };
    response.on_hover_text(format!("papillon lesson {}{needs}", lesson.name)).clicked()
}

/// The lessons to know before, each a link that opens it.
pub(super) fn needs_ui(ui: &mut Ui, actions: &mut Vec<Action>, lesson: &Lesson) {
    links_ui(ui, actions, "Know before", lesson.head.needs.iter().filter_map(|name| crate::lesson::lesson(name)).collect());
}

/// The lesson that follows in the list, a link that opens it: the courses make a path that needs no list.
pub(super) fn next_ui(ui: &mut Ui, actions: &mut Vec<Action>, lesson: &Lesson) {
    let names = lesson.group.names.iter().map(|name| lesson.group.full_name(name));
    let next = names.skip_while(|name| *name != lesson.name).nth(1);
    links_ui(ui, actions, "Go on with", next.and_then(|name| crate::lesson::lesson(&name)).into_iter().collect());
}

fn links_ui(ui: &mut Ui, actions: &mut Vec<Action>, before: &str, lessons: Vec<&'static Lesson>) {
    if lessons.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        widgets::weak(ui, before);
        for lesson in lessons {
            if ui.link(&lesson.head.title).clicked() {
                actions.push(Action::OpenLesson(lesson));
            }
        }
    });
}

//! The view of a table: its heads, striped rows, and numbers with their decimal points below each other. Its menu copies it as text.

use super::{GRID, Tokens};
use crate::numerals::SPACE;
use egui::text::CCursor;
use egui::{
    Align, Button, Color32, FontSelection, Galley, Label, Layout, Rect, Role, ScrollArea, Sense, TextStyle, TextWrapMode, Ui, UiBuilder,
    Vec2, WidgetInfo, WidgetText, pos2, vec2,
};
use std::sync::Arc;

/// The distance between two columns, in points.
const GAP: f32 = 2.5 * GRID;
/// The distance between two rows, in points.
const LEADING: f32 = 2.0;
/// A head is broken into lines of at least this width, in points.
const LEAST_HEAD: f32 = 32.0;

/// The head of a column.
pub(crate) struct Head {
    title: String,
    about: &'static str,
    is_number: bool,
    /// The least width of the column, in points.
    least: f32,
}

impl Head {
    /// The head of a column of texts.
    pub(crate) fn of_texts(title: impl Into<String>) -> Self {
        Self { title: title.into(), about: "", is_number: false, least: 0.0 }
    }

    /// The head of a column of numbers.
    pub(crate) fn of_numbers(title: impl Into<String>) -> Self {
        Self { is_number: true, ..Self::of_texts(title) }
    }

    /// The same with a text on a hover.
    pub(crate) fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// The same over a column of at least this width, in points, so that numbers of another length do not move the others.
    pub(crate) fn at_least(self, least: f32) -> Self {
        Self { least, ..self }
    }
}

/// A row of a table.
#[derive(Default)]
pub(crate) struct TableRow {
    cells: Vec<WidgetText>,
    name: String,
    about: String,
    ground: Option<Color32>,
}

impl TableRow {
    /// A row of these cells.
    pub(crate) fn of(cells: impl IntoIterator<Item = impl Into<WidgetText>>) -> Self {
        Self { cells: cells.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The same, read aloud by one name in place of its cells; a row that can be chosen has it on its button.
    pub(crate) fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The same with a text on a hover over its first cell, or over all of a named row.
    pub(crate) fn about(self, about: impl Into<String>) -> Self {
        Self { about: about.into(), ..self }
    }

    /// The same on a ground of this colour.
    pub(crate) fn on(self, ground: Option<Color32>) -> Self {
        Self { ground, ..self }
    }
}

/// The rows that the pointer has to do with in a frame.
#[derive(Default)]
pub(crate) struct TableReply {
    pub clicked: Option<usize>,
    pub hovered: Option<usize>,
}

/// The widths of a column on both sides of its decimal points, in points.
#[derive(Clone, Copy, Default)]
struct Width {
    lead: f32,
    tail: f32,
}

/// A table with a name of its own among those of a pane.
pub(crate) struct TextTable<'a> {
    name: &'a str,
    heads: Vec<Head>,
    /// The row that is chosen, where rows can be.
    chosen: Option<Option<usize>>,
}

impl<'a> TextTable<'a> {
    /// A table with these heads; none is shown where all are empty.
    pub(crate) fn new(name: &'a str, heads: impl IntoIterator<Item = Head>) -> Self {
        Self { name, heads: heads.into_iter().collect(), chosen: None }
    }

    /// The same with a button in each row that chooses it.
    pub(crate) fn choosing(self, chosen: Option<usize>) -> Self {
        Self { chosen: Some(chosen), ..self }
    }

    /// Shows all rows where the caller is.
    pub(crate) fn show(&self, ui: &mut Ui, rows: &[TableRow]) -> TableReply {
        let mut reply = TableReply::default();
        let shown = ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            let room = ui.available_width();
            let cells: Vec<_> = rows.iter().map(|row| galleys(ui, row)).collect();
            let mut widths = self.widths(ui, &cells, &[]);
            let heads = self.head_galleys(ui, &mut widths, room);
            let width = left_of(&widths, widths.len()) - GAP;
            let place = |ui: &mut Ui, least: f32, texts: &[Arc<Galley>]| {
                let height = texts.iter().map(|text| text.size().y).fold(least, f32::max) + LEADING;
                ui.allocate_exact_size(vec2(width.max(0.0), height), Sense::hover()).0
            };
            if let Some(heads) = &heads {
                let rect = place(ui, 0.0, heads);
                self.heads_ui(ui, rect, heads, &widths);
            }
            for (index, (row, cells)) in rows.iter().zip(&cells).enumerate() {
                let rect = place(ui, self.least_height(ui), cells);
                self.row_ui(ui, rect, (index, row, cells), &widths, &mut reply);
            }
        });
        self.menu(&shown.response, || rows.iter().map(|row| texts(&row.cells)).collect());
        reply
    }

    /// Shows `n` rows below heads that stay while they scroll; `row` makes those that are visible.
    pub(crate) fn scroll(&self, ui: &mut Ui, n: usize, row: impl Fn(usize) -> TableRow) -> TableReply {
        let mut reply = TableReply::default();
        let height = self.least_height(ui).max(ui.text_style_height(&TextStyle::Body)) + LEADING;
        // Columns never become narrower while the rows scroll.
        let kept = ui.scope_id().with((self.name, n));
        let shown = ui.scope(|ui| {
            ScrollArea::both().id_salt(self.name).auto_shrink(false).show_viewport(ui, |ui, visible| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                let first = ((visible.top() / height).max(0.0) as usize).min(n);
                let end = ((visible.bottom() / height).ceil().max(0.0) as usize).min(n);
                let rows: Vec<_> = (first..end).map(&row).collect();
                let cells: Vec<_> = rows.iter().map(|row| galleys(ui, row)).collect();
                let before = ui.data(|data| data.get_temp::<Vec<Width>>(kept)).unwrap_or_default();
                let mut widths = self.widths(ui, &cells, &before);
                let heads = self.head_galleys(ui, &mut widths, f32::INFINITY).unwrap_or_default();
                ui.data_mut(|data| data.insert_temp(kept, widths.clone()));
                let head = heads.iter().map(|text| text.size().y + LEADING).fold(0.0, f32::max);
                let width = (left_of(&widths, widths.len()) - GAP).max(visible.width());
                ui.set_min_size(vec2(width, head + n as f32 * height));
                let (corner, clip) = (ui.max_rect().min, ui.clip_rect());
                let top = corner.y + visible.top();
                self.heads_ui(ui, Rect::from_min_size(pos2(corner.x, top), vec2(width, head)), &heads, &widths);
                ui.set_clip_rect(clip.with_min_y(clip.top().max(top + head)));
                for (k, (row, cells)) in rows.iter().zip(&cells).enumerate() {
                    let place = pos2(corner.x, corner.y + head + (first + k) as f32 * height);
                    self.row_ui(ui, Rect::from_min_size(place, vec2(width, height)), (first + k, row, cells), &widths, &mut reply);
                }
            });
        });
        self.menu(&shown.response, || (0..n).map(|index| texts(&row(index).cells)).collect());
        reply
    }

    /// The height of a button, where rows have one.
    fn least_height(&self, ui: &Ui) -> f32 {
        if self.chosen.is_some() { ui.spacing().interact_size.y } else { 0.0 }
    }

    /// The widths of the columns without their heads: at least those that they had `before`.
    fn widths(&self, ui: &Ui, rows: &[Vec<Arc<Galley>>], before: &[Width]) -> Vec<Width> {
        let n = rows.iter().map(Vec::len).fold(self.heads.len(), usize::max);
        let mut widths = before.to_vec();
        widths.resize(n, Width::default());
        for cells in rows {
            for ((column, text), width) in cells.iter().enumerate().zip(&mut widths) {
                let lead = self.lead(column, text).unwrap_or(0.0);
                width.lead = width.lead.max(lead);
                width.tail = width.tail.max(text.size().x - lead + if column == 0 { self.padding(ui) } else { 0.0 });
            }
        }
        widths
    }

    /// The texts of the heads, if any, which widen their columns; the last one takes as many lines as `room` asks for.
    fn head_galleys(&self, ui: &Ui, widths: &mut [Width], room: f32) -> Option<Vec<Arc<Galley>>> {
        let color = Tokens::current(ui).weak;
        let mut galleys = Vec::new();
        for (column, head) in self.heads.iter().enumerate() {
            let text = WidgetText::from(egui::RichText::new(&head.title).color(color));
            let left = (room - left_of(widths, column)).max(LEAST_HEAD);
            let wrap = if column + 1 == self.heads.len() { TextWrapMode::Wrap } else { TextWrapMode::Extend };
            let galley = text.into_galley(ui, Some(wrap), left, FontSelection::Default);
            let width = &mut widths[column];
            width.tail = width.tail.max(galley.size().x.max(head.least) - width.lead);
            galleys.push(galley);
        }
        self.heads.iter().any(|head| !head.title.is_empty()).then_some(galleys)
    }

    fn heads_ui(&self, ui: &mut Ui, rect: Rect, galleys: &[Arc<Galley>], widths: &[Width]) {
        for (column, (head, galley)) in self.heads.iter().zip(galleys).enumerate() {
            let rect = rect.with_min_x(rect.left() + left_of(widths, column));
            let mut cell = ui.new_child(UiBuilder::new().id_salt((self.name, "head", column)).max_rect(rect));
            let label = cell.add(Label::new(galley.clone()));
            if !head.about.is_empty() {
                label.on_hover_text(head.about);
            }
        }
    }

    fn row_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        (index, row, cells): (usize, &TableRow, &[Arc<Galley>]),
        widths: &[Width],
        reply: &mut TableReply,
    ) {
        if let Some(ground) = row.ground.or((index % 2 == 1).then_some(ui.visuals().faint_bg_color)) {
            ui.painter().rect_filled(rect.expand2(vec2(GRID / 2.0, 0.0)), 2.0, ground);
        }
        if ui.rect_contains_pointer(rect) {
            reply.hovered = Some(index);
        }
        let left = |column: usize| {
            let lead = self.lead(column, &cells[column]).map_or(0.0, |lead| widths[column].lead - lead);
            rect.left() + left_of(widths, column) + lead
        };
        if !row.name.is_empty() && self.chosen.is_none() {
            for (column, text) in cells.iter().enumerate() {
                ui.painter().galley(pos2(left(column), rect.center().y - text.size().y / 2.0), text.clone(), ui.visuals().text_color());
            }
            let response = ui.interact(rect, ui.scope_id().with((self.name, index)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &row.name));
            if !row.about.is_empty() {
                response.on_hover_text(&row.about);
            }
            return;
        }
        let layout = Layout::left_to_right(Align::Center);
        let mut line = ui.new_child(UiBuilder::new().id_salt((self.name, index)).max_rect(rect).layout(layout));
        for (column, text) in cells.iter().enumerate() {
            line.add_space(left(column) - line.cursor().left());
            let response = match self.chosen {
                Some(chosen) if column == 0 => {
                    let button = line.add(Button::selectable(chosen == Some(index), row.cells[0].clone()));
                    if !row.name.is_empty() {
                        button.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen == Some(index), &row.name));
                    }
                    reply.clicked = if button.clicked() { Some(index) } else { reply.clicked };
                    button
                }
                _ => line.add(Label::new(text.clone())),
            };
            if column == 0 && !row.about.is_empty() {
                response.on_hover_text(&row.about);
            }
        }
    }

    /// The width of a number before its decimal point; `None` for other texts.
    fn lead(&self, column: usize, text: &Galley) -> Option<f32> {
        let is_digit = |c: &char| c.is_ascii_digit() || ['−', '-', '+', SPACE].contains(c);
        let n = text.text().chars().take_while(is_digit).count();
        let is_number = n > 0 && self.heads.get(column).is_some_and(|head| head.is_number);
        is_number.then(|| text.pos_from_cursor(CCursor::new(n)).left())
    }

    /// The room on both sides of the text of a button.
    fn padding(&self, ui: &Ui) -> f32 {
        if self.chosen.is_some() { 2.0 * ui.spacing().button_padding.x } else { 0.0 }
    }

    /// The menu of the table: it copies the whole.
    fn menu(&self, table: &egui::Response, rows: impl FnOnce() -> Vec<Vec<String>>) {
        table.container_context_menu(|ui| {
            if ui.button("Copy the table").on_hover_text("All rows as text, with tabs between columns, as spreadsheets take it").clicked() {
                ui.copy_text(copied(self.heads.iter().map(|head| head.title.clone()).collect(), rows()));
                ui.close();
            }
        });
    }
}

/// The texts of a row as they are drawn.
fn galleys(ui: &Ui, row: &TableRow) -> Vec<Arc<Galley>> {
    let galley = |text: &WidgetText| text.clone().into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, FontSelection::Default);
    row.cells.iter().map(galley).collect()
}

fn texts(cells: &[WidgetText]) -> Vec<String> {
    cells.iter().map(|cell| cell.text().to_owned()).collect()
}

/// The left edge of a column within the table, in points.
fn left_of(widths: &[Width], column: usize) -> f32 {
    widths[..column].iter().map(|width| width.lead + width.tail + GAP).sum()
}

/// A table as text: a line for each row, with tabs between columns, and numbers as programs read them.
fn copied(heads: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let heads = Some(heads).filter(|heads| heads.iter().any(|head| !head.is_empty()));
    let plain = |text: &String| text.replace(SPACE, "").replace('−', "-").replace(['\n', '\t'], " ");
    let line = |cells: Vec<String>| cells.iter().map(plain).collect::<Vec<_>>().join("\t") + "\n";
    heads.into_iter().chain(rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::OutputCommand;
    use egui_kittest::{Harness, kittest::Queryable as _};

    #[test]
    fn a_copied_table_is_read_by_spreadsheets() {
        let rows = || vec![vec!["1".to_owned(), "−16\u{2009}384.5".to_owned()], vec!["2".to_owned(), "3 dB".to_owned()]];
        let head = |title: &str| vec![String::new(), title.to_owned()];
        assert_eq!(copied(head("level\n(dB)"), rows()), "\tlevel (dB)\n1\t-16384.5\n2\t3 dB\n");
        assert_eq!(copied(head(""), rows()), "1\t-16384.5\n2\t3 dB\n");
    }

    /// A long table in a window, with the row that was chosen last.
    fn window() -> Harness<'static, Option<usize>> {
        let table = |ui: &mut Ui, chosen: &mut Option<usize>| {
            let table = TextTable::new("levels", ["", "level"].map(Head::of_numbers)).choosing(*chosen);
            let row = |index: usize| TableRow::of([index.to_string(), format!("{}.5", 10 * index)]).named(format!("Choose {index}"));
            *chosen = table.scroll(ui, 5000, row).clicked.or(*chosen);
        };
        Harness::builder().build_ui_state(table, None)
    }

    #[test]
    fn a_table_shows_what_is_visible_and_copies_all() {
        let mut window = window();
        window.run();
        assert!(window.query_by_label("level").is_some() && window.query_by_label("Choose 4999").is_none());
        let [short, long] = ["0.5", "20.5"].map(|number| window.get_by_label(number).rect());
        assert!((short.right() - long.right()).abs() < 1.0, "points are below each other: {short} {long}");
        window.get_by_label("Choose 2").click();
        window.run();
        assert_eq!(*window.state(), Some(2));
        window.get_by_label("20.5").click_secondary();
        window.run();
        window.get_by_label("Copy the table").click();
        window.step();
        let copied = window.output().platform_output.commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        let copied = copied.expect("a text is copied");
        assert!(copied.starts_with("\tlevel\n0\t0.5\n") && copied.ends_with("4999\t49990.5\n") && copied.lines().count() == 5001);
    }
}

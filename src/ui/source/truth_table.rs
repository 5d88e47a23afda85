//! The truth table: a Karnaugh map for few variables, a list for many. A click flips a value.

use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::{Align2, FontId, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

/// Largest number of variables of a map: 8 × 8 cells.
pub(crate) const MOST_MAPPED: u32 = 6;

/// The values of a function, and which of them are flipped.
pub(super) struct Table<'a> {
    /// Number of variables.
    pub n: u32,
    /// The value at an index.
    pub value: &'a dyn Fn(usize) -> bool,
    /// Whether the value differs from the text.
    pub flipped: &'a dyn Fn(usize) -> bool,
    /// Whether a click flips a value.
    pub editable: bool,
}

/// The state of a table in a frame.
#[derive(Default)]
pub(super) struct TruthReply {
    /// The value that was clicked.
    pub clicked: Option<usize>,
    /// The value under the pointer.
    pub hovered: Option<usize>,
}

impl Table<'_> {
    /// Shows a Karnaugh map: neighbours differ in one variable. Its rows share `height` down to the smallest readable size.
    pub(super) fn map_ui(&self, ui: &mut Ui, height: f32) -> TruthReply {
        let mut reply = TruthReply::default();
        let (upper, lower) = (self.n / 2, self.n - self.n / 2);
        let (rows, columns) = (1_usize << upper, 1_usize << lower);
        let tokens = Tokens::current(ui);
        let area = ui.available_rect_before_wrap();
        let (head, side) = (if lower > 0 { 20.0 } else { 0.0 }, if upper > 0 { 12.0 + 8.0 * upper as f32 } else { 0.0 });
        let names = 16.0;
        let cell = vec2(((area.width() - side) / columns as f32).min(48.0), ((height - head - names) / rows as f32).clamp(18.0, 32.0));
        let (rect, _) = ui.allocate_exact_size(vec2(area.width(), names + head + cell.y * rows as f32), Sense::hover());
        let origin = rect.min + vec2(side, names + head);
        let painter = ui.painter_at(rect.expand(2.0));
        let font = FontId::monospace(11.0);
        painter.text(rect.min, Align2::LEFT_TOP, axes(upper, self.n), font.clone(), tokens.weak);
        for (column, gray) in (0..columns).map(|column| (column, gray_code(column))) {
            let at = origin + vec2((column as f32 + 0.5) * cell.x, -2.0);
            painter.text(at, Align2::CENTER_BOTTOM, digits(gray, lower), font.clone(), tokens.weak);
        }
        for row in 0..rows {
            let at = origin + vec2(-6.0, (row as f32 + 0.5) * cell.y);
            painter.text(at, Align2::RIGHT_CENTER, digits(gray_code(row), upper), font.clone(), tokens.weak);
            for column in 0..columns {
                let index = gray_code(row) << lower | gray_code(column);
                let corner = origin + vec2(column as f32 * cell.x, row as f32 * cell.y);
                self.cell_ui(ui, Rect::from_min_size(corner, cell).shrink(1.0), index, &mut reply);
            }
        }
        reply
    }

    /// Shows a row for every index; `part` selects the rows of a long table.
    pub(super) fn list_ui(&self, ui: &mut Ui, part: &mut usize) -> TruthReply {
        let mut reply = TruthReply::default();
        let length = 1_usize << self.n;
        let shown = widgets::rows_of_part(ui, "Part of the truth table", part, length);
        let tokens = Tokens::current(ui);
        let font = FontId::monospace(12.0);
        let decimals = (length - 1).to_string().len();
        let value_left = 8.0 * (decimals as f32 + self.n as f32 + 3.0);
        let head = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover()).0;
        let names = format!("{:>decimals$}  {:<n$}", "i", axes_of(1, self.n), n = self.n as usize);
        ui.painter_at(head).text(head.left_center(), Align2::LEFT_CENTER, names, font.clone(), tokens.weak);
        ui.painter().text(pos2(head.left() + value_left + 14.0, head.center().y), Align2::CENTER_CENTER, "f", font.clone(), tokens.weak);
        let height = 22.0;
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().id_salt("truth table").auto_shrink([false, false]).show_rows(ui, height, shown.len(), |ui, rows| {
            for index in rows.map(|row| shown.start + row) {
                let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
                let text = format!("{index:>decimals$}  {}", digits(index, self.n));
                ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, text, font.clone(), tokens.text);
                let cell = Rect::from_min_size(pos2(rect.left() + value_left, rect.top()), vec2(28.0, height)).shrink(1.0);
                self.cell_ui(ui, cell, index, &mut reply);
            }
        });
        reply
    }

    /// One value as a button.
    fn cell_ui(&self, ui: &Ui, rect: Rect, index: usize, reply: &mut TruthReply) {
        let value = (self.value)(index);
        let sense = if self.editable { Sense::click() } else { Sense::hover() };
        let response: Response = ui.interact(rect, ui.scope_id().with(("truth", index)), sense);
        let shown = if value { "1" } else { "0" };
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, self.editable, value, format!("f({index}) = {shown}")));
        let tokens = Tokens::current(ui);
        let fill = if value { tokens.selected } else { tokens.well };
        let stroke = match (response.hovered() || response.has_focus(), (self.flipped)(index)) {
            (true, _) => Stroke::new(1.5, tokens.accent),
            (false, true) => Stroke::new(1.5, tokens.warning),
            (false, false) => Stroke::new(1.0, tokens.hairline),
        };
        let painter = ui.painter();
        painter.rect(rect, 3.0, fill, stroke, StrokeKind::Inside);
        painter.text(rect.center(), Align2::CENTER_CENTER, shown, FontId::monospace(12.0), tokens.text);
        if response.clicked() {
            reply.clicked = Some(index);
        }
        if response.hovered() {
            reply.hovered = Some(index);
        }
        if self.editable {
            response.on_hover_cursor(egui::CursorIcon::PointingHand);
        }
    }
}

/// The Gray code: consecutive numbers differ in one bit.
fn gray_code(place: usize) -> usize {
    place ^ place >> 1
}

/// The `n` bits of an index, x1 first.
pub(super) fn digits(index: usize, n: u32) -> String {
    (0..n).rev().map(|digit| if index >> digit & 1 == 1 { '1' } else { '0' }).collect()
}

/// The variables of rows and columns of a map.
fn axes(upper: u32, n: u32) -> String {
    match (upper, n) {
        (_, 0) => "a constant".to_owned(),
        (0, _) => format!("columns {}", axes_of(1, n)),
        _ => format!("rows {}, columns {}", axes_of(1, upper), axes_of(upper + 1, n)),
    }
}

/// The variables from x`first` to x`last`.
fn axes_of(first: u32, last: u32) -> String {
    match last + 1 - first {
        0 => String::new(),
        1..=3 => (first..=last).map(|j| format!("x{j}")).collect::<Vec<_>>().join(" "),
        _ => format!("x{first} … x{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_a_map_differ_in_one_variable() {
        for place in 0..8 {
            assert_eq!((gray_code(place) ^ gray_code((place + 1) % 8)).count_ones(), 1);
        }
        assert_eq!(digits(5, 4), "0101");
        assert_eq!(
            (axes(2, 5), axes(0, 1), axes_of(1, 3)),
            ("rows x1 x2, columns x3 x4 x5".into(), "columns x1".into(), "x1 x2 x3".into())
        );
    }
}

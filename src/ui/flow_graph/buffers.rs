//! The buffers below the graph: a row of cells for each, one for every lane, with the values that it holds at the step cursor.

use super::FlowGraphView;
use super::content::GraphContent;
use super::texts::LEAST_SIZE;
use super::values::value_choices;
use crate::graph::matrix::{entry_rgb, is_bright};
use crate::graph::{BufferState, GraphDrawing, GraphNode, buffers};
use crate::plan::LaneValue;
use crate::ui::theme::{GRID, Tokens};
use egui::accesskit::Role;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo};

/// The height of a row, in points.
const ROW: f32 = 18.0;
/// The width of the names, in points.
const NAMES: f32 = 132.0;
/// From this height of the pane on, the buffers have room, in points.
const LEAST_HEIGHT: f32 = 300.0;
/// Values are written in cells of at least this width, in points.
const LEAST_WIDTH_OF_VALUES: f32 = 30.0;

impl FlowGraphView {
    /// The height of the buffers in an area of this height; 0 where they are not shown.
    pub(super) fn buffers_height(&self, content: &GraphContent<'_>, height: f32) -> f32 {
        let has_room = !self.hides_buffers && !content.hidden.buffers && content.values.is_some() && height >= LEAST_HEIGHT;
        if has_room { buffers(&self.buffers, self.cursor).len() as f32 * ROW + GRID } else { 0.0 }
    }

    /// Shows the buffers; returns the node whose value is under the pointer.
    pub(super) fn buffers_ui(&self, ui: &Ui, drawing: &GraphDrawing, content: &GraphContent<'_>, area: Rect) -> Option<GraphNode> {
        let rows = buffers(&self.buffers, self.cursor);
        let row = |(index, state)| {
            let top = area.top() + GRID + index as f32 * ROW;
            let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + ROW - 2.0);
            self.buffer_ui(ui, drawing, content, rect, state)
        };
        rows.into_iter().enumerate().map(row).fold(None, Option::or)
    }

    fn buffer_ui(&self, ui: &Ui, drawing: &GraphDrawing, content: &GraphContent<'_>, rect: Rect, state: BufferState) -> Option<GraphNode> {
        let (tokens, painter) = (Tokens::current(ui), ui.painter().with_clip_rect(rect.expand(1.0)));
        let holds = match (state.column, state.is_live) {
            (None, _) => "empty".to_owned(),
            (Some(0), _) => "the input".to_owned(),
            (Some(column), true) if content.hidden.counts && column == drawing.spans.len() => "at the end".to_owned(),
            (Some(column), true) => format!("after stage {column}"),
            (Some(column), false) => format!("old, of stage {column}"),
        };
        let second = if content.is_second { " of the second graph" } else { "" };
        let label = format!("{}{second}: {holds}", state.name);
        let response = ui.interact(rect, ui.scope_id().with((state.name, "buffer")), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
        let color = if state.is_live { tokens.text } else { tokens.weak };
        let text = format!("{}: {holds}", state.name);
        painter.text(rect.left_center(), Align2::LEFT_CENTER, text, FontId::proportional(LEAST_SIZE), color);
        let cells = rect.with_min_x(rect.left() + NAMES);
        let n_lanes = drawing.request.plan.lanes;
        let width = cells.width() / n_lanes as f32;
        let (column, values) = (state.column?, content.values?);
        let number = |lane: usize| {
            let node = GraphNode { column, lane };
            let value = values.at(node).filter(|_| drawing.exists(node))?.shown();
            let complex = match value {
                LaneValue::Number(value) => value,
                LaneValue::Equation(row) => row.d.into(),
            };
            Some((value, complex)).filter(|(_, complex)| complex.is_finite())
        };
        let largest = (0..n_lanes).filter_map(number).map(|(_, value)| value.norm()).fold(0.0, f64::max);
        let ground = [tokens.well.r(), tokens.well.g(), tokens.well.b()];
        painter.rect_filled(cells, 0.0, tokens.well);
        for lane in 0..n_lanes {
            let Some((value, complex)) = number(lane) else { continue };
            let [red, green, blue] = entry_rgb(complex, largest, ground);
            let fill = Color32::from_rgb(red, green, blue);
            let fill = if state.is_live { fill } else { fill.gamma_multiply(0.35) };
            let cell = Rect::from_x_y_ranges(
                cells.left() + lane as f32 * width..=cells.left() + (lane + 1) as f32 * width - if width > 6.0 { 1.0 } else { 0.0 },
                cells.y_range(),
            );
            painter.rect_filled(cell, 0.0, fill);
            if width >= LEAST_WIDTH_OF_VALUES {
                let ink = match state.is_live {
                    true if is_bright([red, green, blue]) => Color32::BLACK,
                    true => Color32::WHITE,
                    false => tokens.weak,
                };
                let fits = |text: &String| {
                    painter.layout_no_wrap(text.clone(), FontId::proportional(LEAST_SIZE), ink).size().x <= cell.width() - 2.0
                };
                if let Some(text) = value_choices(value, false).into_iter().map(|(text, _)| text).find(fits) {
                    painter.text(cell.center(), Align2::CENTER_CENTER, text, FontId::proportional(LEAST_SIZE), ink);
                }
            }
        }
        let stroke = Stroke::new(1.0, if state.is_live { tokens.accent } else { tokens.hairline });
        painter.rect_stroke(cells, 0.0, stroke, StrokeKind::Inside);
        let lane = response.hover_pos().filter(|at| cells.contains(*at)).map(|at: Pos2| ((at.x - cells.left()) / width) as usize);
        lane.filter(|_| state.is_live).map(|lane| GraphNode { column, lane: lane.min(n_lanes - 1) }).filter(|node| drawing.exists(*node))
    }
}

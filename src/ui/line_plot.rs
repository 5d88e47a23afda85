//! A plot of a row of values. It tells the engine which part is visible, so that millions of values cost no more than the pixels across.

mod description;
mod gaps;
mod grid;
mod look;
mod marks;
mod periods;
mod pointer;
mod reduced;
mod strokes;
mod ticks;

use super::canvas::Placement;
use super::export::painted;
use super::relayout::lay_out_again;
use super::theme::Tokens;
use super::widgets;
use crate::engine::PlotData;
use crate::figure::text_width;
use crate::numerals::number;
use description::describe;
use egui::{Color32, Pos2, Rect, Response, Ui, UiBuilder, Vec2b};
use egui_plot::{GridInput, GridMark, HoverPosition, Line, MarkerShape, Plot, PlotPoint, PlotTransform, PlotUi, Points};
use grid::{grid, upright};
pub(super) use look::PlotLook;
use marks::{draw_marks, headroom, peak_at};
pub(super) use periods::Periods;
pub(super) use pointer::PlotPointer;
pub(super) use reduced::ReducedPlot;
use std::ops::Range;
use strokes::{Strokes, unbroken};
use ticks::{across, number_at_end};

/// Up to this number of visible values, each value has a mark.
const MOST_MARKS: usize = 160;

/// Height of the numbers of an axis and their font size, in points.
const HEIGHT_OF_DIGIT: f32 = 12.0;
const SIZE_OF_NUMBERS: f32 = 13.0;
/// The most that a plot is moved to the right, in points.
const MOST_INDENT: f32 = 64.0;
/// A marked position with its value and text.
type Mark = (f64, f64, String);

/// A row of values as a plot.
#[derive(Default)]
pub(super) struct LinePlot {
    /// The number of values, their ends on the axis, and whether it is logarithmic.
    shown: Option<(usize, [f64; 2], bool)>,
    /// Whether values of this row have been shown.
    has_values: bool,
    reset: bool,
    visible: Option<[f64; 2]>,
    /// The smallest and the largest coordinates of the axes in the last frame.
    bounds: Option<[[f64; 2]; 2]>,
    /// The view that a session kept, until the next row.
    restored: Option<KeptPlot>,
    /// A second line in coordinates of the axes, such as one that was fitted.
    overlay: Vec<[f64; 2]>,
    /// Other rows, drawn behind the values.
    behind: Vec<RowBehind>,
    /// Stretches of positions whose values were filled, because the file does not have them.
    gaps: Vec<Range<usize>>,
    /// The ends of the vertical axis while a value is dragged, and whether they were held in the last frame.
    heights: Option<[f64; 2]>,
    held_heights: bool,
    /// How far the plot is moved to the right, so that its axis begins where it is wanted, in points.
    indent: f32,
}

/// Another row, drawn behind the values: its position of 0 and its positions per unit, and its colour.
pub(super) struct RowBehind {
    pub(super) data: PlotData,
    pub(super) scale: [f64; 2],
    pub(super) color: Color32,
}

/// The visible part of a row of `n` values: the first position, and one past the last.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct KeptPlot {
    n: usize,
    visible: [f64; 2],
}

/// The state of a plot in a frame.
pub(super) struct PlotReply {
    /// First visible position, and one past the last.
    pub visible: [f64; 2],
    /// Width in pixels.
    pub pixels: usize,
    /// The position under the pointer; of many in a pixel that of the peak there.
    pub hovered: Option<usize>,
    /// Where the positions lie on the screen, as the columns of an image of one row; only along a linear axis.
    pub placement: Placement,
    /// The values at the lower and at the upper end of the plot.
    pub heights: [f64; 2],
    /// The coordinates of the horizontal axis at its ends.
    pub ends: [f64; 2],
}

impl PlotReply {
    /// The value at a point of the screen.
    pub(super) fn value(&self, at: Pos2) -> f64 {
        let frame = self.placement.canvas;
        let [low, high] = self.heights;
        low + (high - low) * f64::from((frame.bottom() - at.y) / frame.height())
    }

    /// The height of a value on the screen.
    pub(super) fn height(&self, value: f64) -> f32 {
        let frame = self.placement.canvas;
        let [low, high] = self.heights;
        frame.bottom() - frame.height() * ((value - low) / (high - low)) as f32
    }
}

impl LinePlot {
    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.reset = true;
    }

    /// The positions of a row of `n` values that the newest frame showed.
    pub(super) fn visible_of(&self, n: usize) -> Range<f64> {
        let kept = self.visible.filter(|_| self.shown.is_some_and(|(known, ..)| known == n));
        kept.map_or(0.0..n as f64, |[first, last]| first..last)
    }

    /// Draws other rows behind the values.
    pub(super) fn set_behind(&mut self, behind: Vec<RowBehind>) {
        self.behind = behind;
    }

    /// Marks stretches of positions, in ascending order, as filled.
    pub(super) fn set_gaps(&mut self, gaps: &[Range<usize>]) {
        if self.gaps != gaps {
            self.gaps = gaps.to_vec();
        }
    }

    /// Holds the ends of the vertical axis while a value is dragged, so that the axis does not run away from the pointer.
    pub(super) fn hold_heights(&mut self, heights: Option<[f64; 2]>) {
        self.heights = heights;
    }

    /// Shows a part of a row of `n` values at the next frame; all of it as at first, with the room at its ends.
    pub(super) fn show(&mut self, n: usize, visible: [f64; 2]) {
        let is_whole = visible == [0.0, n as f64];
        self.reset |= is_whole;
        self.restored = (!is_whole).then_some(KeptPlot { n, visible });
    }

    /// The state that a session keeps; `None` where the whole row is visible.
    pub(super) fn kept(&self) -> Option<KeptPlot> {
        let ((n, ..), visible) = self.shown.zip(self.visible)?;
        (visible != [0.0, n as f64]).then_some(KeptPlot { n, visible })
    }

    /// Shows the next row of the same length as it was kept.
    pub(super) fn restore(&mut self, kept: Option<KeptPlot>) {
        *self = Self { restored: kept, ..Self::default() };
    }

    /// Shows the visible part of a row of `n` values in `rect`, with marks at `marks` (position, value, text).
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        n: usize,
        look: &PlotLook<'_>,
        line: Option<&PlotData>,
        marks: &[Mark],
    ) -> PlotReply {
        let tokens = Tokens::current(ui);
        let key = (n, look.extent(n), look.log_axis);
        if self.shown != Some(key) {
            (self.shown, self.has_values) = (Some(key), false);
            self.reset = true;
        }
        let [low, high] = look.extent(n);
        let has_room = n > MOST_MARKS || look.log_axis;
        let pad = if has_room && high > low { 0.0 } else { 0.5 / look.per_unit };
        let line = line.filter(|line| line.n == look.whole.unwrap_or(n));
        // The numbers at the ends of the axes reach beyond them. They must not be cut off nor overlap what is beside the plot.
        let beyond = 0.5 * text_width(&number_at_end(look, high + pad), SIZE_OF_NUMBERS);
        let indent = if look.ends.is_some() { self.indent } else { 0.0 };
        let right = look.ends.map_or(rect.right() - beyond, |[_, right]| right.min(rect.right()));
        let rect = Rect::from_min_max(rect.min + egui::vec2(indent, 0.5 * HEIGHT_OF_DIGIT), egui::pos2(right, rect.bottom()));
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(look.name));
        // A low plot has no room for the name of its vertical axis.
        painted::note(ui, format!("{} over {}", look.y_label, look.x_label));
        // Before the first values, numbers would be those of an empty plot.
        self.has_values |= line.is_some();
        let has_numbers = self.has_values;
        let mut pointer = PlotPointer::over_axes(&child, look.name, rect);
        let mut plot = pointer
            .moves(Plot::new(look.name))
            .width(rect.width())
            .height(rect.height())
            .custom_x_axes(across(look))
            .y_axis_label(upright_name(ui, look.y_label, rect.height()))
            .include_x(low - pad)
            .include_x(high + pad)
            .set_margin_fraction(egui::vec2(if look.ends.is_some() { 0.0 } else { 0.01 }, 0.06))
            .show_background(true)
            .grid_color(tokens.hairline)
            .label_formatter(|_: &HoverPosition<'_>| None)
            .y_axis_formatter(|mark: GridMark, _| number(mark.value, 5))
            .x_grid_spacer(|input: GridInput| grid(input, look))
            .y_grid_spacer(|input: GridInput| if has_numbers { upright(input) } else { Vec::new() });
        plot = extended(plot, look, n, line, !marks.is_empty());
        if std::mem::take(&mut self.reset) {
            plot = plot.reset();
            self.bounds = None;
        }
        let restored = self.restored.take().filter(|kept| kept.n == n).map(|kept| kept.visible.map(|at| look.x(at)));
        let (heights, held) = (self.heights, std::mem::replace(&mut self.held_heights, self.heights.is_some()));
        let shown = plot.show(&mut child, |plot| {
            if let Some([first, last]) = restored.filter(|[first, last]| first < last) {
                plot.set_plot_bounds_x(first..=last);
            }
            self.draw(plot, look, line.map(|line| (line, marks)), tokens);
            pointer.apply(plot, true);
            hold(plot, heights, held);
            // Things over the plot may be hovered in its place.
            plot.ctx().pointer_hover_pos().filter(|_| plot.response().contains_pointer()).map(|at| plot.plot_from_screen(at))
        });
        pointer.finish(&child, &shown.response);
        gaps::paint(ui, &shown.transform, look, &self.gaps);
        self.keep_bounds(ui, &shown.transform);
        self.keep_indent(ui, look, shown.transform.frame().left());
        let reply = self.reply(ui, &shown.transform, n, look, &shown.response, (shown.inner, line));
        describe(&shown.response, look, n, self.gaps.iter().map(Range::len).sum(), line, marks);
        reply
    }

    /// Keeps the ends of the axes, and lays the frame out again where those of the values are new: the room beside an axis follows from its numbers in the pass before.
    fn keep_bounds(&mut self, ui: &Ui, transform: &PlotTransform) {
        let bounds = [transform.bounds().min(), transform.bounds().max()];
        let heights = |[low, high]: [[f64; 2]; 2]| [low[1], high[1]];
        if self.bounds.replace(bounds).map(heights) != Some(heights(bounds)) {
            lay_out_again(ui);
        }
        if ui.ctx().will_discard() {
            // An axis that is not painted measures nothing.
            self.bounds = None;
        }
    }

    /// Moves the plot so that its axis begins where it is wanted, and lays the frame out again then.
    fn keep_indent(&mut self, ui: &Ui, look: &PlotLook<'_>, left: f32) {
        let Some([wanted, _]) = look.ends.filter(|_| !ui.ctx().will_discard()) else { return };
        let indent = (self.indent + wanted - left).clamp(0.0, MOST_INDENT);
        if (indent - self.indent).abs() > 0.5 {
            self.indent = indent;
            lay_out_again(ui);
        }
    }

    /// Draws the rows behind, the values with their marks, and the line over them.
    fn draw(&self, plot: &mut PlotUi<'_>, look: &PlotLook<'_>, line: Option<(&PlotData, &[Mark])>, tokens: Tokens) {
        for RowBehind { data, scale: [origin, per_unit], color } in &self.behind {
            for run in strokes_of(data, &PlotLook { origin: *origin, per_unit: *per_unit, positions: None, ..*look }) {
                plot.add(Strokes::new(run, *color));
            }
        }
        if let Some((line, marks)) = line {
            draw(plot, look, line, marks, tokens);
        }
        draw_overlay(plot, &self.overlay, tokens);
    }

    fn reply(
        &mut self,
        ui: &Ui,
        transform: &PlotTransform,
        n: usize,
        look: &PlotLook<'_>,
        response: &Response,
        (pointer, line): (Option<PlotPoint>, Option<&PlotData>),
    ) -> PlotReply {
        let (bounds, rect) = (transform.bounds(), response.rect);
        let inside = |x: f64| look.position(x).clamp(0.0, n as f64);
        let (first, last) = (inside(bounds.min()[0]).floor(), (inside(bounds.max()[0]) + 1.0).ceil().min(n as f64));
        let visible = if first < last { [first, last] } else { [0.0, n as f64] };
        self.visible = Some(visible);
        let peak = peak_at(transform, look, line, pointer);
        let hovered = peak.or(pointer.map(|at| look.position(at.x))).map(f64::round).filter(|at| (0.0..n as f64).contains(at));
        let pixels = (rect.width() * ui.pixels_per_point()).round().max(1.0) as usize;
        // A position is the middle of its column.
        let at = |position: f64| f64::from(transform.position_from_point_x(look.x(position)));
        let middle = look.position(transform.value_from_position(rect.center()).x) + 0.5;
        let placement = Placement { canvas: rect, center: [middle, 0.5], scale: [at(1.0) - at(0.0), f64::from(rect.height())] };
        let heights = [bounds.min()[1], bounds.max()[1]];
        let ends = [bounds.min()[0], bounds.max()[0]];
        PlotReply { visible, pixels, hovered: hovered.map(|at| at as usize), placement, heights, ends }
    }
}

/// A plot that shares its horizontal axis with others, reaches down to the foot of stems, and has room above its marks and around values that are all the same.
fn extended<'a>(mut plot: Plot<'a>, look: &PlotLook<'_>, n: usize, line: Option<&PlotData>, is_marked: bool) -> Plot<'a> {
    if let Some(group) = look.linked {
        plot = plot.link_axis(group, [true, false]);
    }
    if look.stems && n <= MOST_MARKS {
        plot = plot.include_y(look.floor.unwrap_or(0.0));
    }
    if let Some(line) = line.filter(|_| is_marked) {
        plot = plot.include_y(headroom(line, look));
    }
    if let Some(value) = line.and_then(only_value) {
        let around = if value == 0.0 { 1.0 } else { 0.5 * value.abs() };
        plot = plot.include_y(value - around).include_y(value + around);
    }
    plot
}

/// The value of a row whose values are all the same.
fn only_value(line: &PlotData) -> Option<f64> {
    let &[_, value, _] = line.columns.first()?;
    line.columns.iter().all(|[_, low, high]| *low == value && *high == value).then_some(value)
}

/// Holds the ends of the vertical axis, and lets it follow the values again afterwards.
fn hold(plot: &mut PlotUi<'_>, heights: Option<[f64; 2]>, held: bool) {
    match heights {
        Some([low, high]) => plot.set_plot_bounds_y(low..=high),
        None if held => plot.set_auto_bounds(Vec2b::new(plot.auto_bounds().x, true)),
        None => {}
    }
}

fn draw(plot: &mut PlotUi<'_>, look: &PlotLook<'_>, line: &PlotData, marks: &[Mark], tokens: Tokens) {
    let level = |value: f64| look.floor.map_or(value, |floor| value.max(floor));
    let is_shown = |position: f64| look.is_shown(position);
    let shown: Vec<[f64; 3]> = line.columns.iter().filter(|[position, ..]| is_shown(*position)).copied().collect();
    let few = shown.len() <= MOST_MARKS && shown.iter().all(|[_, low, high]| low == high);
    let points: Vec<[f64; 2]> = shown.iter().filter(|_| few).map(|&[position, _, value]| [look.x(position), level(value)]).collect();
    if few && look.stems {
        let base = look.floor.unwrap_or(0.0) as f32;
        plot.points(Points::new("values", points).radius(2.5).shape(MarkerShape::Circle).color(look.color).stems(base).allow_hover(false));
    } else {
        if few {
            plot.points(Points::new("values", points).radius(2.0).color(look.color).allow_hover(false));
        }
        for run in strokes_of(line, look) {
            plot.add(Strokes::new(run, look.color));
        }
    }
    let marks = marks.iter().filter(|(position, ..)| is_shown(*position));
    draw_marks(plot, marks.map(|(position, value, text)| ([look.x(*position), level(*value)], text.as_str())), tokens);
}

/// The columns of a row in coordinates of the axes: a line ends where values are left out, as they are not finite.
fn strokes_of(line: &PlotData, look: &PlotLook<'_>) -> Vec<Vec<[f64; 3]>> {
    let level = |value: f64| look.floor.map_or(value, |floor| value.max(floor));
    let shown: Vec<[f64; 3]> = line.columns.iter().filter(|[position, ..]| look.is_shown(*position)).copied().collect();
    let on_axes = |run: &[[f64; 3]]| run.iter().map(|&[position, low, high]| [look.x(position), level(low), level(high)]).collect();
    unbroken(&shown, line).map(on_axes).collect()
}

fn draw_overlay(plot: &mut PlotUi<'_>, overlay: &[[f64; 2]], tokens: Tokens) {
    if !overlay.is_empty() {
        plot.line(Line::new("fit", overlay.to_vec()).color(tokens.warning).width(1.5).allow_hover(false));
    }
}

/// The name of the vertical axis of a plot of this height; empty where it would run over the ends of the axis.
fn upright_name<'a>(ui: &Ui, name: &'a str, height: f32) -> &'a str {
    // The numbers below the plot take a line, and the name there another.
    let room = height - 4.0 * HEIGHT_OF_DIGIT;
    if widgets::text_width(ui, name) <= room { name } else { "" }
}

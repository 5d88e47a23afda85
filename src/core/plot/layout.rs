//! Layout of a chart: a pure function from a chart and a size to marks.

use super::Tick;
use super::chart::{Chart, Curve, CurveRole};
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Symbol, fitted, text_width};

/// Font sizes in points: labels, and the title.
const TEXT: f32 = 11.0;
const TITLE: f32 = 14.0;
/// Height of a line of text in points.
const LINE: f32 = 15.0;
/// Margin at the edges in points.
const MARGIN: f32 = 10.0;
/// Largest width of the legend, relative to the figure, where the plot would be narrower than this beside a wider one, in points.
const WIDEST_LEGEND: f32 = 0.42;
const NARROWEST_PLOT: f32 = 320.0;
/// Width of the line sample in the legend, in points.
const SAMPLE: f32 = 30.0;
/// Dash patterns of the curves of one colour, solid first.
const DASHES: [&[f32]; 4] = [&[], &[7.0, 3.5], &[2.0, 3.0], &[11.0, 3.0]];
const SYMBOLS: [Symbol; 5] = [Symbol::Disc, Symbol::Square, Symbol::Triangle, Symbol::Diamond, Symbol::Ring];

/// A chart that is laid out at a size.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartFigure {
    /// The marks.
    pub figure: Figure,
    /// The positions of the points: index of the curve, index of the point, position.
    pub places: Vec<(usize, usize, Position)>,
    /// The rectangle of every curve in the legend.
    pub legend: Vec<[Position; 2]>,
}

/// Lays out a chart. `hidden` curves stay in the legend.
pub fn layout(chart: &Chart, size: [f32; 2], hidden: &[bool]) -> ChartFigure {
    let is_hidden = |index: usize| hidden.get(index).copied().unwrap_or(false);
    let mut shown = chart.clone();
    for (index, curve) in shown.curves.iter_mut().enumerate() {
        if is_hidden(index) {
            curve.points.clear();
        }
    }
    let names = chart.curves.iter().map(|curve| text_width(&curve.name, TEXT)).fold(0.0, f32::max);
    let top = MARGIN + TITLE + LINE * 0.6;
    let bottom = size[1] - MARGIN - LINE * (2.8 + chart.notes.len() as f32);
    let axis_width = 58.0;
    let widest = (size[0] - NARROWEST_PLOT - axis_width - LINE - 2.0 * MARGIN).max(WIDEST_LEGEND * size[0]);
    let legend_width = if chart.curves.is_empty() { 0.0 } else { (names + SAMPLE + MARGIN).min(widest) };
    let plot =
        [[MARGIN + LINE + axis_width, top], [(size[0] - legend_width - MARGIN).max(MARGIN + axis_width + 40.0), bottom.max(top + 40.0)]];
    let frame = PlotArea { plot, x: [0.0; 2], y: [0.0; 2], chart: &shown }.fitted();
    let mut figure = Figure { size, title: chart.title.clone(), marks: Vec::new(), sheets: 1 };
    frame.axes(&mut figure);
    let curves = shown.curves.iter().enumerate();
    let places = curves.flat_map(|(index, curve)| frame.curve(&mut figure, index, curve)).collect();
    frame.stated(&mut figure);
    frame.crossings(&mut figure);
    words(&mut figure, &chart.title, &chart.notes);
    // Beside the axis below the plot there is room for further curves.
    let end = plot[1][1].max(size[1] - MARGIN - LINE * chart.notes.len() as f32);
    let legend = legend(&mut figure, [plot[1][0] + MARGIN, plot[0][1]], end, chart, hidden);
    ChartFigure { figure, places, legend }
}

/// The area inside the axes with their ranges.
struct PlotArea<'a> {
    plot: [Position; 2],
    /// Ends of the horizontal and of the vertical axis.
    x: [f64; 2],
    y: [f64; 2],
    chart: &'a Chart,
}

impl PlotArea<'_> {
    fn fitted(mut self) -> Self {
        let chart = self.chart;
        let marked = chart.crossings.iter().map(|crossing| [crossing.x; 2]);
        let extents = chart.extent(&chart.x, |point| [point.x; 3]).into_iter().chain(marked);
        self.x = chart.x.range(extents.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]));
        self.y = chart.y.range(chart.extent(&chart.y, |point| [point.y, point.interval[0], point.interval[1]]));
        self
    }

    fn x_of(&self, value: f64) -> f32 {
        let [low, high] = self.x.map(|end| self.chart.x.along(end));
        let part = ((self.chart.x.along(value) - low) / (high - low)) as f32;
        self.plot[0][0] + part * (self.plot[1][0] - self.plot[0][0])
    }

    fn y_of(&self, value: f64) -> f32 {
        let [low, high] = self.y.map(|end| self.chart.y.along(end));
        let part = ((self.chart.y.along(value) - low) / (high - low)) as f32;
        self.plot[1][1] - part.clamp(-0.02, 1.02) * (self.plot[1][1] - self.plot[0][1])
    }

    fn axes(&self, figure: &mut Figure) {
        let [[left, top], [right, bottom]] = self.plot;
        let line = |points: Vec<Position>, ink: Ink, width: f32| Mark::line(points, Pen::solid(ink, width));
        let text = |at: Position, anchor: Anchor, text: String| Mark::text(at, anchor, TEXT, text, Ink::Text);
        let mut marks = Vec::new();
        for Tick { value, text: label } in self.chart.x.ticks(self.x, ((right - left) / 52.0) as usize) {
            let x = self.x_of(value);
            if let Some(label) = label {
                marks.push(line(vec![[x, top], [x, bottom]], Ink::Grid, 0.7));
                marks.push(text([x, bottom + LINE * 0.8], Anchor::Centre, label));
            }
            marks.push(line(vec![[x, bottom], [x, bottom - 4.0]], Ink::Rule, 0.8));
        }
        // Without values, no numbers are made up for them.
        let has_values = self.chart.y.includes.is_some() || self.chart.extent(&self.chart.y, |point| [point.y; 3]).is_some();
        let ticks = if has_values { self.chart.y.ticks(self.y, ((bottom - top) / 28.0) as usize) } else { Vec::new() };
        for Tick { value, text: label } in ticks {
            let y = self.y_of(value);
            if let Some(label) = label {
                marks.push(line(vec![[left, y], [right, y]], Ink::Grid, 0.7));
                marks.push(text([left - 6.0, y], Anchor::Right, label));
            }
            marks.push(line(vec![[left, y], [left + 4.0, y]], Ink::Rule, 0.8));
        }
        marks.push(line(vec![[left, top], [left, bottom], [right, bottom], [right, top], [left, top]], Ink::Rule, 0.8));
        marks.push(text([(left + right) / 2.0, bottom + LINE * 1.9], Anchor::Centre, self.chart.x.name.clone()));
        let at = [MARGIN + LINE * 0.3, (top + bottom) / 2.0];
        let (text, size, ink) = (self.chart.y.name.clone(), TEXT, Ink::Text);
        marks.push(Mark::Text { at, anchor: Anchor::Centre, size, text, ink, upwards: true });
        figure.marks.extend(marks);
    }

    /// Draws a curve; gives the positions of its points.
    fn curve(&self, figure: &mut Figure, index: usize, curve: &Curve) -> Vec<(usize, usize, Position)> {
        let mut places = Vec::new();
        let ink = Ink::Series(curve.series);
        let can_be_shown = |value: f64| self.chart.y.shows(value);
        let right: Vec<Position> = curve
            .points
            .iter()
            .filter(|point| point.is_right && can_be_shown(point.y))
            .map(|point| [self.x_of(point.x), self.y_of(point.y)])
            .collect();
        if right.len() > 1 {
            figure.marks.push(Mark::line(right, pen(curve, ink)));
        }
        for (place, point) in curve.points.iter().enumerate() {
            let x = self.x_of(point.x);
            if !point.is_right || !can_be_shown(point.y) {
                let at = [x, self.plot[0][1] + 8.0];
                if !point.is_right {
                    figure.marks.push(Mark::Symbol { at, symbol: Symbol::Cross, radius: 5.0, ink: Ink::Error });
                    places.push((index, place, at));
                }
                continue;
            }
            let at = [x, self.y_of(point.y)];
            if curve.role == CurveRole::Stated {
                continue;
            }
            if curve.role != CurveRole::Roof {
                let [low, high] = point.interval;
                if can_be_shown(low) && high > low {
                    let points = vec![[x, self.y_of(low)], [x, self.y_of(high)]];
                    figure.marks.push(Mark::line(points, Pen::solid(ink, 1.0)));
                }
                figure.marks.push(Mark::Symbol { at, symbol: symbol(curve), radius: 3.2, ink });
            }
            places.push((index, place, at));
        }
        places
    }

    /// Writes the value of each stated number above the right end of its line, within the frame, where no other one is.
    fn stated(&self, figure: &mut Figure) {
        let mut taken: Vec<f32> = Vec::new();
        for curve in self.chart.curves.iter().filter(|curve| curve.role == CurveRole::Stated) {
            let Some(point) = curve.points.last() else { continue };
            let at = [self.plot[1][0] - 4.0, (self.y_of(point.y) - LINE * 0.5).max(self.plot[0][1] + LINE * 0.5)];
            if taken.iter().all(|y| (y - at[1]).abs() >= LINE * 0.9) {
                taken.push(at[1]);
                let (text, ink) = ((self.chart.y.text)(point.y), Ink::Series(curve.series));
                figure.marks.push(Mark::text(at, Anchor::Right, TEXT, text, ink));
            }
        }
    }

    fn crossings(&self, figure: &mut Figure) {
        for (index, crossing) in self.chart.crossings.iter().enumerate() {
            let at = [self.x_of(crossing.x), crossing.y.map_or(self.plot[0][1], |y| self.y_of(y))];
            let foot = [at[0], self.plot[1][1]];
            figure.marks.push(Mark::line([at, foot], Pen { dash: &[3.0, 3.0], ..Pen::solid(Ink::Text, 1.0) }));
            if crossing.y.is_some() {
                figure.marks.push(Mark::Symbol { at, symbol: Symbol::Ring, radius: 6.0, ink: Ink::Text });
            }
            let (text, half_line) = (crossing.text.clone(), LINE * 0.45);
            let (wide, middle) = (text_width(&text, TEXT), (self.plot[0][0] + self.plot[1][0]) / 2.0);
            let beside = if at[0] < middle { at[0] + 6.0 } else { at[0] - 6.0 - wide };
            // A long text stays within the plot, beside the axis.
            let left = beside.min(self.plot[1][0] - wide - 4.0).max(self.plot[0][0] + 4.0);
            let at = [left, self.plot[1][1] - LINE * (0.7 + index as f32)];
            let behind = [[left - 2.0, at[1] - half_line], [left + wide + 2.0, at[1] + half_line]];
            figure.marks.push(Mark::Fill { corners: behind, ink: Ink::Ground });
            figure.marks.push(Mark::text(at, Anchor::Left, TEXT, text, Ink::Text));
        }
    }
}

/// Adds the title above the plot and the notes below it.
fn words(figure: &mut Figure, title: &str, notes: &[String]) {
    let left = MARGIN;
    let title = fitted(title, TITLE, figure.size[0] - 2.0 * MARGIN);
    figure.marks.push(Mark::text([left, MARGIN + TITLE / 2.0], Anchor::Left, TITLE, title, Ink::Text));
    let first = figure.size[1] - MARGIN - LINE * (notes.len() as f32 - 0.5);
    for (index, note) in notes.iter().enumerate() {
        let at = [left, first + LINE * index as f32];
        let note = fitted(note, TEXT, figure.size[0] - 2.0 * MARGIN);
        figure.marks.push(Mark::text(at, Anchor::Left, TEXT, note, Ink::Weak));
    }
}

/// Adds the legend from the upper left corner `[left, top]` down to `bottom`; gives the rectangle of every curve.
fn legend(figure: &mut Figure, [left, top]: Position, bottom: f32, chart: &Chart, hidden: &[bool]) -> Vec<[Position; 2]> {
    let room = ((bottom - top) / LINE).max(1.0) as usize;
    let mut rectangles = vec![[[0.0; 2]; 2]; chart.curves.len()];
    for (index, curve) in chart.curves.iter().enumerate().take(room) {
        let y = top + LINE * (index as f32 + 0.5);
        let is_hidden = hidden.get(index).copied().unwrap_or(false);
        let ink = if is_hidden { Ink::Grid } else { Ink::Series(curve.series) };
        figure.marks.push(Mark::line([[left, y], [left + SAMPLE - 8.0, y]], pen(curve, ink)));
        if !matches!(curve.role, CurveRole::Roof | CurveRole::Stated) {
            figure.marks.push(Mark::Symbol { at: [left + (SAMPLE - 8.0) / 2.0, y], symbol: symbol(curve), radius: 3.2, ink });
        }
        let text = fitted(&curve.name, TEXT, figure.size[0] - left - SAMPLE);
        let ink = if is_hidden { Ink::Weak } else { Ink::Text };
        figure.marks.push(Mark::text([left + SAMPLE - 3.0, y], Anchor::Left, TEXT, text, ink));
        rectangles[index] = [[left, y - LINE / 2.0], [figure.size[0], y + LINE / 2.0]];
    }
    rectangles
}

/// The pen of a curve.
fn pen(curve: &Curve, ink: Ink) -> Pen {
    let (width, dash): (f32, &'static [f32]) = match curve.role {
        CurveRole::Measured => (1.8, DASHES[curve.variant % DASHES.len()]),
        CurveRole::Other => (1.1, &[4.0, 3.0]),
        CurveRole::Roof => (1.0, &[1.5, 3.0]),
        CurveRole::Printed => (1.1, &[1.5, 2.5]),
        CurveRole::Stated => (1.4, DASHES[1 + curve.variant % (DASHES.len() - 1)]),
    };
    Pen { ink, width, dash }
}

fn symbol(curve: &Curve) -> Symbol {
    match curve.role {
        CurveRole::Measured => SYMBOLS[curve.variant % SYMBOLS.len()],
        CurveRole::Other | CurveRole::Roof | CurveRole::Stated => Symbol::Ring,
        CurveRole::Printed => Symbol::Diamond,
    }
}

//! Layout of a chart: a pure function from a chart and a size to marks.

use super::chart::{Chart, Curve, CurveRole};
use super::{Raster, Series, Tick};

/// Font sizes in points: labels, and the title.
pub(super) const TEXT: f32 = 11.0;
pub(super) const TITLE: f32 = 14.0;
/// Height of a line of text in points.
pub(super) const LINE: f32 = 15.0;
/// Average width of a character in sans-serif fonts, in ems.
const CHARACTER: f32 = 0.53;
/// Margin at the edges in points.
pub(super) const MARGIN: f32 = 10.0;
/// Largest width of the legend, relative to the figure.
const WIDEST_LEGEND: f32 = 0.42;
/// Width of the line sample in the legend, in points.
const SAMPLE: f32 = 30.0;
/// Dash patterns of the curves of one colour, solid first.
const DASHES: [Option<[f32; 2]>; 4] = [None, Some([7.0, 3.5]), Some([2.0, 3.0]), Some([11.0, 3.0])];
const SYMBOLS: [Symbol; 5] = [Symbol::Disc, Symbol::Square, Symbol::Triangle, Symbol::Diamond, Symbol::Ring];

/// The colour of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// The background.
    Ground,
    /// Text.
    Text,
    /// Less important text.
    Weak,
    /// The grid.
    Grid,
    /// The frame and the ticks.
    Rule,
    /// Wrong results.
    Error,
    /// The curve of a plot with one curve.
    Line,
    /// A marked value.
    Peak,
    /// A curve.
    Series(Series),
    /// Red, green and blue of something that has a colour of its own.
    Rgb([u8; 3]),
}

/// The horizontal anchor of a text, which is centred vertically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextAnchor {
    /// Its left end.
    Left,
    /// Its middle.
    Centre,
    /// Its right end.
    Right,
}

/// The symbol of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// A filled circle.
    Disc,
    /// A filled square.
    Square,
    /// A filled triangle.
    Triangle,
    /// A filled square on its corner.
    Diamond,
    /// A circle.
    Ring,
    /// A cross, for wrong results.
    Cross,
}

/// A position (x, y) in points; y grows downwards.
pub type Position = [f32; 2];

/// One element to paint.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle.
    Fill {
        /// The top left and the bottom right corner.
        corners: [Position; 2],
        /// Its colour.
        ink: Ink,
    },
    /// A polyline.
    Path {
        /// The points.
        points: Vec<Position>,
        /// Its colour.
        ink: Ink,
        /// Its width.
        width: f32,
        /// Lengths of a dash and of a gap, in points.
        dash: Option<[f32; 2]>,
    },
    /// Separate strokes of one colour.
    Segments {
        /// Their ends.
        segments: Vec<[Position; 2]>,
        /// Their colour.
        ink: Ink,
        /// Their width.
        width: f32,
    },
    /// An image, stretched between its corners; its pixels keep sharp edges.
    Image {
        /// The top left and the bottom right corner.
        corners: [Position; 2],
        /// The pixels.
        raster: Raster,
    },
    /// A filled polygon.
    Polygon {
        /// The corners.
        points: Vec<Position>,
        /// Its colour.
        ink: Ink,
    },
    /// The symbol of a point.
    Symbol {
        /// Its centre.
        at: Position,
        /// Its shape.
        symbol: Symbol,
        /// Half its width.
        radius: f32,
        /// Its colour.
        ink: Ink,
    },
    /// A text.
    Text {
        /// The position of its anchor.
        at: Position,
        /// Its anchor.
        anchor: TextAnchor,
        /// Its size.
        size: f32,
        /// The text itself.
        text: String,
        /// Its colour.
        ink: Ink,
        /// Whether it runs upwards.
        upwards: bool,
    },
}

/// A chart that is laid out at a size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figure {
    /// Width and height in points.
    pub size: [f32; 2],
    /// The marks from back to front.
    pub marks: Vec<Mark>,
    /// The positions of the points: index of the curve, index of the point, position.
    pub places: Vec<(usize, usize, Position)>,
    /// The area inside the axes: top left and bottom right corner.
    pub plot: [Position; 2],
    /// The rectangle of every curve in the legend.
    pub legend: Vec<[Position; 2]>,
}

/// Lays out a chart. `hidden` curves stay in the legend.
pub fn layout(chart: &Chart, size: [f32; 2], hidden: &[bool]) -> Figure {
    let is_hidden = |index: usize| hidden.get(index).copied().unwrap_or(false);
    let mut shown = chart.clone();
    for (index, curve) in shown.curves.iter_mut().enumerate() {
        if is_hidden(index) {
            curve.points.clear();
        }
    }
    let names = chart.curves.iter().map(|curve| width(&curve.name, TEXT)).fold(0.0, f32::max);
    let legend_width = if chart.curves.is_empty() { 0.0 } else { (names + SAMPLE + MARGIN).min(WIDEST_LEGEND * size[0]) };
    let top = MARGIN + TITLE + LINE * 0.6;
    let bottom = size[1] - MARGIN - LINE * (2.8 + chart.notes.len() as f32);
    let axis_width = 58.0;
    let plot =
        [[MARGIN + LINE + axis_width, top], [(size[0] - legend_width - MARGIN).max(MARGIN + axis_width + 40.0), bottom.max(top + 40.0)]];
    let frame = PlotArea { plot, x: [0.0; 2], y: [0.0; 2], chart: &shown }.fitted();
    let mut figure = Figure { size, marks: Vec::new(), places: Vec::new(), plot, legend: Vec::new() };
    figure.marks.push(Mark::Fill { corners: [[0.0; 2], size], ink: Ink::Ground });
    frame.axes(&mut figure);
    for (index, curve) in shown.curves.iter().enumerate() {
        frame.curve(&mut figure, index, curve);
    }
    frame.stated(&mut figure);
    frame.crossings(&mut figure);
    words(&mut figure, &chart.title, &chart.notes);
    legend(&mut figure, chart, hidden);
    figure
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
        let line = |points: Vec<Position>, ink: Ink, width: f32| Mark::Path { points, ink, width, dash: None };
        let text =
            |at: Position, anchor: TextAnchor, text: String| Mark::Text { at, anchor, size: TEXT, text, ink: Ink::Text, upwards: false };
        let mut marks = Vec::new();
        for Tick { value, text: label } in self.chart.x.ticks(self.x, ((right - left) / 52.0) as usize) {
            let x = self.x_of(value);
            if let Some(label) = label {
                marks.push(line(vec![[x, top], [x, bottom]], Ink::Grid, 0.7));
                marks.push(text([x, bottom + LINE * 0.8], TextAnchor::Centre, label));
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
                marks.push(text([left - 6.0, y], TextAnchor::Right, label));
            }
            marks.push(line(vec![[left, y], [left + 4.0, y]], Ink::Rule, 0.8));
        }
        marks.push(line(vec![[left, top], [left, bottom], [right, bottom], [right, top], [left, top]], Ink::Rule, 0.8));
        marks.push(text([(left + right) / 2.0, bottom + LINE * 1.9], TextAnchor::Centre, self.chart.x.name.clone()));
        let at = [MARGIN + LINE * 0.3, (top + bottom) / 2.0];
        let (text, size, ink) = (self.chart.y.name.clone(), TEXT, Ink::Text);
        marks.push(Mark::Text { at, anchor: TextAnchor::Centre, size, text, ink, upwards: true });
        figure.marks.extend(marks);
    }

    fn curve(&self, figure: &mut Figure, index: usize, curve: &Curve) {
        let ink = Ink::Series(curve.series);
        let can_be_shown = |value: f64| self.chart.y.shows(value);
        let right: Vec<Position> = curve
            .points
            .iter()
            .filter(|point| point.is_right && can_be_shown(point.y))
            .map(|point| [self.x_of(point.x), self.y_of(point.y)])
            .collect();
        let (width, dash) = stroke(curve);
        if right.len() > 1 {
            figure.marks.push(Mark::Path { points: right, ink, width, dash });
        }
        for (place, point) in curve.points.iter().enumerate() {
            let x = self.x_of(point.x);
            if !point.is_right || !can_be_shown(point.y) {
                let at = [x, self.plot[0][1] + 8.0];
                if !point.is_right {
                    figure.marks.push(Mark::Symbol { at, symbol: Symbol::Cross, radius: 5.0, ink: Ink::Error });
                    figure.places.push((index, place, at));
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
                    figure.marks.push(Mark::Path { points, ink, width: 1.0, dash: None });
                }
                figure.marks.push(Mark::Symbol { at, symbol: symbol(curve), radius: 3.2, ink });
            }
            figure.places.push((index, place, at));
        }
    }

    /// Writes the value of each stated number above the right end of its line, within the frame, where no other one stands.
    fn stated(&self, figure: &mut Figure) {
        let mut taken: Vec<f32> = Vec::new();
        for curve in self.chart.curves.iter().filter(|curve| curve.role == CurveRole::Stated) {
            let Some(point) = curve.points.last() else { continue };
            let at = [self.plot[1][0] - 4.0, (self.y_of(point.y) - LINE * 0.5).max(self.plot[0][1] + LINE * 0.5)];
            if taken.iter().all(|y| (y - at[1]).abs() >= LINE * 0.9) {
                taken.push(at[1]);
                let (text, ink) = ((self.chart.y.text)(point.y), Ink::Series(curve.series));
                figure.marks.push(Mark::Text { at, anchor: TextAnchor::Right, size: TEXT, text, ink, upwards: false });
            }
        }
    }

    fn crossings(&self, figure: &mut Figure) {
        for (index, crossing) in self.chart.crossings.iter().enumerate() {
            let at = [self.x_of(crossing.x), crossing.y.map_or(self.plot[0][1], |y| self.y_of(y))];
            let foot = [at[0], self.plot[1][1]];
            figure.marks.push(Mark::Path { points: vec![at, foot], ink: Ink::Text, width: 1.0, dash: Some([3.0, 3.0]) });
            if crossing.y.is_some() {
                figure.marks.push(Mark::Symbol { at, symbol: Symbol::Ring, radius: 6.0, ink: Ink::Text });
            }
            let (text, half_line) = (crossing.text.clone(), LINE * 0.45);
            let (wide, middle) = (width(&text, TEXT), (self.plot[0][0] + self.plot[1][0]) / 2.0);
            let beside = if at[0] < middle { at[0] + 6.0 } else { at[0] - 6.0 - wide };
            // A long text stays within the plot, beside the axis.
            let left = beside.min(self.plot[1][0] - wide - 4.0).max(self.plot[0][0] + 4.0);
            let at = [left, self.plot[1][1] - LINE * (0.7 + index as f32)];
            let behind = [[left - 2.0, at[1] - half_line], [left + wide + 2.0, at[1] + half_line]];
            figure.marks.push(Mark::Fill { corners: behind, ink: Ink::Ground });
            figure.marks.push(Mark::Text { at, anchor: TextAnchor::Left, size: TEXT, text, ink: Ink::Text, upwards: false });
        }
    }
}

/// Adds the title above the plot and the notes below it.
pub(super) fn words(figure: &mut Figure, title: &str, notes: &[String]) {
    let left = MARGIN;
    let title = fitting(title, TITLE, figure.size[0] - 2.0 * MARGIN);
    let text =
        |at: Position, size: f32, text: String, ink: Ink| Mark::Text { at, anchor: TextAnchor::Left, size, text, ink, upwards: false };
    figure.marks.push(text([left, MARGIN + TITLE / 2.0], TITLE, title, Ink::Text));
    let first = figure.size[1] - MARGIN - LINE * (notes.len() as f32 - 0.5);
    for (index, note) in notes.iter().enumerate() {
        let at = [left, first + LINE * index as f32];
        figure.marks.push(text(at, TEXT, fitting(note, TEXT, figure.size[0] - 2.0 * MARGIN), Ink::Weak));
    }
}

/// Adds the legend beside the plot.
fn legend(figure: &mut Figure, chart: &Chart, hidden: &[bool]) {
    let (left, top) = (figure.plot[1][0] + MARGIN, figure.plot[0][1]);
    let room = ((figure.plot[1][1] - top) / LINE).max(1.0) as usize;
    for (index, curve) in chart.curves.iter().enumerate() {
        if index >= room {
            figure.legend.push([[0.0; 2]; 2]);
            continue;
        }
        let y = top + LINE * (index as f32 + 0.5);
        let is_hidden = hidden.get(index).copied().unwrap_or(false);
        let ink = if is_hidden { Ink::Grid } else { Ink::Series(curve.series) };
        let (width, dash) = stroke(curve);
        figure.marks.push(Mark::Path { points: vec![[left, y], [left + SAMPLE - 8.0, y]], ink, width, dash });
        if !matches!(curve.role, CurveRole::Roof | CurveRole::Stated) {
            figure.marks.push(Mark::Symbol { at: [left + (SAMPLE - 8.0) / 2.0, y], symbol: symbol(curve), radius: 3.2, ink });
        }
        let text = fitting(&curve.name, TEXT, figure.size[0] - left - SAMPLE);
        let ink = if is_hidden { Ink::Weak } else { Ink::Text };
        figure.marks.push(Mark::Text { at: [left + SAMPLE - 3.0, y], anchor: TextAnchor::Left, size: TEXT, text, ink, upwards: false });
        figure.legend.push([[left, y - LINE / 2.0], [figure.size[0], y + LINE / 2.0]]);
    }
}

/// Line width and dash pattern of a curve.
fn stroke(curve: &Curve) -> (f32, Option<[f32; 2]>) {
    match curve.role {
        CurveRole::Measured => (1.8, DASHES[curve.variant % DASHES.len()]),
        CurveRole::Other => (1.1, Some([4.0, 3.0])),
        CurveRole::Roof => (1.0, Some([1.5, 3.0])),
        CurveRole::Printed => (1.1, Some([1.5, 2.5])),
        CurveRole::Stated => (1.4, DASHES[1 + curve.variant % (DASHES.len() - 1)]),
    }
}

fn symbol(curve: &Curve) -> Symbol {
    match curve.role {
        CurveRole::Measured => SYMBOLS[curve.variant % SYMBOLS.len()],
        CurveRole::Other | CurveRole::Roof | CurveRole::Stated => Symbol::Ring,
        CurveRole::Printed => Symbol::Diamond,
    }
}

/// Estimated width of a text in points.
fn width(text: &str, size: f32) -> f32 {
    CHARACTER * size * text.chars().count() as f32
}

/// The text, shortened to `room` points.
fn fitting(text: &str, size: f32, room: f32) -> String {
    let most = (room / (CHARACTER * size)).max(1.0) as usize;
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most.saturating_sub(1)).chain(['…']).collect() }
}

//! A view of the window as a figure: one plot or one image with its axes, its colour bar, and notes on the settings.

use super::Tick;
use super::layout::{LINE, MARGIN, TEXT, TITLE, words};
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Raster, Symbol, text_width};
use std::sync::Arc;

/// Room at the left for the name and the numbers of the vertical axis, in points.
const LEFT: f32 = 74.0;
/// Room at the right of a plot, and for a colour bar with its numbers.
const RIGHT: f32 = 24.0;
const BAR: f32 = 84.0;
/// Width of the colours of the bar, and their distance from the image.
const BAR_WIDTH: f32 = 14.0;
const BAR_GAP: f32 = 14.0;
/// Length of a tick.
const TICK: f32 = 4.0;

/// An axis of a view, between these ends: left and right, or bottom and top.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewAxis {
    /// Its name with the unit.
    pub name: String,
    /// The coordinates at its ends; the first one may be larger.
    pub ends: [f64; 2],
    /// Its ticks, in coordinates.
    pub ticks: Vec<Tick>,
}

/// Part of the content of a view, in coordinates of its axes.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewItem {
    /// A curve as strokes.
    Strokes(Vec<[[f64; 2]; 2]>),
    /// A curve behind others, in the colour of rules.
    Behind(Vec<[[f64; 2]; 2]>),
    /// Values as dots.
    Dots(Vec<[f64; 2]>),
    /// A marked value with its text.
    Peak([f64; 2], String),
    /// An image that fills the area inside the axes.
    Image(Raster),
    /// A small circle over an image with its text; the circle of a mate has none, and is smaller.
    Marker([f64; 2], String),
    /// A line over an image, with a text at one place.
    Ring(Vec<[f64; 2]>, [f64; 2], String),
}

/// A colour bar.
#[derive(Debug, Clone, PartialEq)]
pub struct ColourBar {
    /// The name of the values with their unit.
    pub name: String,
    /// The colours from the bottom to the top.
    pub colours: Vec<[u8; 3]>,
    /// The ends, and the ticks between them.
    pub axis: ViewAxis,
}

/// Dark strokes with a bright middle, which are seen over every colour.
fn outlined(figure: &mut Figure, lines: Vec<Vec<Position>>) {
    figure.marks.push(Mark::Lines { lines: lines.clone(), pen: Pen::solid(Ink::Text, 2.2) });
    figure.marks.push(Mark::Lines { lines, pen: Pen::solid(Ink::Ground, 0.9) });
}

/// Half the width of a text in its box.
fn half_width(words: &str) -> f32 {
    0.5 * text_width(words, TEXT) + 2.0
}

/// A bright text in a dark box around a point.
fn boxed(figure: &mut Figure, [x, y]: [f32; 2], words: &str) {
    let half = half_width(words);
    let corners = [[x - half, y - 0.6 * TEXT], [x + half, y + 0.6 * TEXT]];
    figure.marks.push(Mark::Fill { corners, ink: Ink::Text });
    figure.marks.push(text([x, y], Anchor::Centre, words.to_owned(), Ink::Ground));
}

/// A view of the window.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Its title.
    pub title: String,
    /// The settings, a line each.
    pub notes: Vec<String>,
    /// The horizontal axis.
    pub x: ViewAxis,
    /// The vertical axis.
    pub y: ViewAxis,
    /// A second horizontal axis above the area, with the coordinates of the first.
    pub above: Option<ViewAxis>,
    /// Its content from back to front.
    pub content: Vec<ViewItem>,
    /// The colour bar of an image.
    pub bar: Option<ColourBar>,
}

impl ViewAxis {
    /// How far a coordinate is along the axis, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (value - self.ends[0]) / (self.ends[1] - self.ends[0])
    }
}

impl View {
    /// Places the view around an area of this width and height inside the axes.
    pub fn figure(&self, [width, height]: [f32; 2]) -> Figure {
        let top = MARGIN + TITLE + LINE * if self.above.is_some() { 2.8 } else { 1.0 };
        let plot = [[LEFT, top], [LEFT + width, top + height]];
        let right = if self.bar.is_some() { BAR } else { RIGHT };
        let bottom = MARGIN + LINE * (2.8 + self.notes.len() as f32);
        let size = [LEFT + width + right, top + height + bottom];
        let mut figure = Figure { size, title: self.title.clone(), marks: Vec::new() };
        let area = ViewArea { view: self, plot };
        area.grid(&mut figure);
        self.content.iter().for_each(|item| area.item(&mut figure, item));
        area.axes(&mut figure);
        if let Some(above) = &self.above {
            area.above(&mut figure, above);
        }
        if let Some(bar) = &self.bar {
            area.bar(&mut figure, bar);
        }
        words(&mut figure, &self.title, &self.notes);
        figure
    }
}

/// The area inside the axes.
struct ViewArea<'a> {
    view: &'a View,
    plot: [Position; 2],
}

fn line(points: Vec<Position>, ink: Ink, width: f32) -> Mark {
    Mark::line(points, Pen::solid(ink, width))
}

fn text(at: Position, anchor: Anchor, text: String, ink: Ink) -> Mark {
    Mark::text(at, anchor, TEXT, text, ink)
}

impl ViewArea<'_> {
    /// The position of coordinates.
    fn at(&self, [x, y]: [f64; 2]) -> Position {
        let [[left, top], [right, bottom]] = self.plot;
        let [x, y] = [self.view.x.part(x) as f32, self.view.y.part(y) as f32];
        [left + x * (right - left), bottom - y * (bottom - top)]
    }

    /// Whether coordinates lie inside the axes.
    fn holds(&self, [x, y]: [f64; 2]) -> bool {
        [self.view.x.part(x), self.view.y.part(y)].iter().all(|part| (-1e-9..=1.0 + 1e-9).contains(part))
    }

    /// The part of a stroke inside the axes.
    fn clipped(&self, [from, to]: [[f64; 2]; 2]) -> Option<Vec<Position>> {
        let parts = [from, to].map(|[x, y]| [self.view.x.part(x), self.view.y.part(y)]);
        let [mut enters, mut leaves] = [0.0_f64, 1.0_f64];
        for (start, end) in parts[0].into_iter().zip(parts[1]) {
            let way = end - start;
            if way == 0.0 {
                if !(0.0..=1.0).contains(&start) {
                    return None;
                }
                continue;
            }
            let [a, b] = [-start / way, (1.0 - start) / way];
            (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
        }
        let between = |t: f64| self.at([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
        (enters <= leaves).then(|| vec![between(enters), between(leaves)])
    }

    fn grid(&self, figure: &mut Figure) {
        let [[left, top], [right, bottom]] = self.plot;
        for tick in self.view.x.ticks.iter().filter(|tick| tick.text.is_some()) {
            let [x, _] = self.at([tick.value, self.view.y.ends[0]]);
            figure.marks.push(line(vec![[x, top], [x, bottom]], Ink::Grid, 0.7));
        }
        for tick in self.view.y.ticks.iter().filter(|tick| tick.text.is_some()) {
            let [_, y] = self.at([self.view.x.ends[0], tick.value]);
            figure.marks.push(line(vec![[left, y], [right, y]], Ink::Grid, 0.7));
        }
    }

    fn item(&self, figure: &mut Figure, item: &ViewItem) {
        match item {
            ViewItem::Strokes(strokes) | ViewItem::Behind(strokes) => {
                let lines = strokes.iter().filter_map(|stroke| self.clipped(*stroke)).collect();
                let ink = if matches!(item, ViewItem::Behind(_)) { Ink::Rule } else { Ink::Line };
                figure.marks.push(Mark::Lines { lines, pen: Pen::solid(ink, 1.0) });
            }
            ViewItem::Dots(dots) => {
                let shown = dots.iter().filter(|dot| self.holds(**dot));
                let dot = |dot: &[f64; 2]| Mark::Symbol { at: self.at(*dot), symbol: Symbol::Disc, radius: 2.2, ink: Ink::Line };
                figure.marks.extend(shown.map(dot));
            }
            ViewItem::Peak(place, words) if self.holds(*place) => {
                let [x, y] = self.at(*place);
                figure.marks.push(Mark::Symbol { at: [x, y], symbol: Symbol::Diamond, radius: 3.2, ink: Ink::Peak });
                figure.marks.push(text([x + 6.0, y - 6.0], Anchor::Left, words.clone(), Ink::Text));
            }
            ViewItem::Peak(..) => {}
            ViewItem::Image(raster) => figure.marks.push(Mark::Image { corners: self.plot, raster: raster.clone() }),
            ViewItem::Ring(points, place, words) => {
                outlined(figure, points.windows(2).filter_map(|two| self.clipped([two[0], two[1]])).collect());
                if self.holds(*place) {
                    boxed(figure, self.at(*place), words);
                }
            }
            ViewItem::Marker(place, words) if self.holds(*place) => {
                let ([x, y], radius) = (self.at(*place), if words.is_empty() { 2.5 } else { 5.0 });
                let point = |k: usize| {
                    let (sin, cos) = (std::f32::consts::TAU * k as f32 / 24.0).sin_cos();
                    [x + radius * cos, y + radius * sin]
                };
                outlined(figure, vec![(0..=24).map(point).collect()]);
                if !words.is_empty() {
                    let half = half_width(words);
                    let [[left, _], [right, _]] = self.plot;
                    boxed(figure, [(x + radius + 3.0 + half).min(right - half).max(left + half), y - radius - TEXT], words);
                }
            }
            ViewItem::Marker(..) => {}
        }
    }

    fn axes(&self, figure: &mut Figure) {
        let [[left, top], [right, bottom]] = self.plot;
        figure.marks.push(line(vec![[left, top], [left, bottom], [right, bottom], [right, top], [left, top]], Ink::Rule, 0.8));
        for Tick { value, text: label } in &self.view.x.ticks {
            let x = self.at([*value, self.view.y.ends[0]])[0];
            figure.marks.push(line(vec![[x, bottom], [x, bottom + TICK]], Ink::Rule, 0.8));
            if let Some(label) = label {
                figure.marks.push(text([x, bottom + LINE * 0.8], Anchor::Centre, label.clone(), Ink::Text));
            }
        }
        for Tick { value, text: label } in &self.view.y.ticks {
            let y = self.at([self.view.x.ends[0], *value])[1];
            figure.marks.push(line(vec![[left, y], [left - TICK, y]], Ink::Rule, 0.8));
            if let Some(label) = label {
                figure.marks.push(text([left - TICK - 3.0, y], Anchor::Right, label.clone(), Ink::Text));
            }
        }
        let below = [(left + right) / 2.0, bottom + LINE * 1.9];
        figure.marks.push(text(below, Anchor::Centre, self.view.x.name.clone(), Ink::Text));
        let at = [MARGIN + LINE * 0.3, (top + bottom) / 2.0];
        let (text, size, ink) = (self.view.y.name.clone(), TEXT, Ink::Text);
        figure.marks.push(Mark::Text { at, anchor: Anchor::Centre, size, text, ink, upwards: true });
    }

    fn above(&self, figure: &mut Figure, axis: &ViewAxis) {
        let [[left, top], [right, _]] = self.plot;
        for Tick { value, text: label } in &axis.ticks {
            let x = self.at([*value, self.view.y.ends[0]])[0];
            figure.marks.push(line(vec![[x, top], [x, top - TICK]], Ink::Rule, 0.8));
            if let Some(label) = label {
                figure.marks.push(text([x, top - LINE * 0.8], Anchor::Centre, label.clone(), Ink::Text));
            }
        }
        figure.marks.push(text([(left + right) / 2.0, top - LINE * 1.9], Anchor::Centre, axis.name.clone(), Ink::Text));
    }

    fn bar(&self, figure: &mut Figure, bar: &ColourBar) {
        let [[_, top], [right, bottom]] = self.plot;
        let (left, right) = (right + BAR_GAP, right + BAR_GAP + BAR_WIDTH);
        let rgb = bar.colours.iter().rev().flatten().copied().collect();
        let raster = Raster { size: [1, bar.colours.len()], rgb: Arc::new(rgb) };
        figure.marks.push(Mark::Image { corners: [[left, top], [right, bottom]], raster });
        figure.marks.push(line(vec![[left, top], [left, bottom], [right, bottom], [right, top], [left, top]], Ink::Rule, 0.8));
        for Tick { value, text: label } in &bar.axis.ticks {
            let y = bottom - bar.axis.part(*value) as f32 * (bottom - top);
            figure.marks.push(line(vec![[right, y], [right + TICK, y]], Ink::Rule, 0.8));
            if let Some(label) = label {
                figure.marks.push(text([right + TICK + 3.0, y], Anchor::Left, label.clone(), Ink::Text));
            }
        }
        let above = [figure.size[0] - MARGIN, top - LINE * 0.7];
        figure.marks.push(text(above, Anchor::Right, bar.name.clone(), Ink::Text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::FigureFormat;

    fn svg(figure: &Figure) -> String {
        String::from_utf8(figure.bytes(FigureFormat::Svg).unwrap()).unwrap()
    }

    fn axis(name: &str, ends: [f64; 2]) -> ViewAxis {
        let ticks = ends.map(|value| Tick { value, text: Some(format!("{value}")) }).to_vec();
        ViewAxis { name: name.into(), ends, ticks }
    }

    fn view(content: Vec<ViewItem>) -> View {
        let bar = ColourBar { name: "|X|".into(), colours: vec![[0; 3], [255; 3]], axis: axis("", [0.0, 7.5]) };
        let (x, y) = (axis("frequency (Hz)", [0.0, 100.0]), axis("|X| (dB)", [-20.0, 80.0]));
        View { title: "A < B".into(), notes: vec!["dft of chord.wav".into()], x, y, above: None, content, bar: Some(bar) }
    }

    #[test]
    fn a_view_has_title_axes_bar_and_settings_as_texts() {
        let peak = ViewItem::Peak([50.0, 60.0], "50".into());
        let strokes = ViewItem::Strokes(vec![[[0.0, 0.0], [50.0, 60.0]], [[50.0, 60.0], [300.0, 60.0]], [[200.0, 0.0], [300.0, 9.0]]]);
        let text = svg(&view(vec![strokes, peak]).figure([400.0, 200.0]));
        for words in [">A &lt; B<", ">frequency (Hz)<", ">|X| (dB)<", ">|X|<", ">7.5<", ">50<", ">dft of chord.wav<", ">-20<"] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        let strokes = text.lines().find(|line| line.starts_with("<path")).unwrap();
        assert_eq!(strokes.matches(" 474,").count(), 1, "one stroke is clipped at the right end of the axis, one is left out");
    }

    #[test]
    fn a_second_axis_stands_above_the_area() {
        let above = axis("period (years)", [0.0, 100.0]);
        let plain = view(Vec::new());
        let with_periods = View { above: Some(above), ..plain.clone() };
        let figures = [&plain, &with_periods].map(|view| view.figure([400.0, 200.0]));
        let text = svg(&figures[1]);
        assert!(text.contains(">period (years)<") && !svg(&figures[0]).contains("period"), "{text}");
        assert!(figures[1].size[1] > figures[0].size[1], "it has room of its own");
    }
}

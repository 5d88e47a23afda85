//! A plot as a figure for a file: the same strokes, between the same ends of the axes.

use super::strokes::segments;
use super::ticks::tick_text;
use super::{LinePlot, MOST_MARKS, PlotLook, gaps, strokes_of};
use crate::engine::PlotData;
use crate::numerals::number;
use crate::plot::{Tick, View, ViewAxis, ViewItem, round_values};

impl LinePlot {
    /// What the last frame showed, as a figure; `None` before the first frame.
    pub(crate) fn view(
        &self,
        look: &PlotLook<'_>,
        line: &PlotData,
        marks: &[(f64, f64, String)],
        (title, notes): (String, Vec<String>),
    ) -> Option<View> {
        let [low, high] = self.bounds?;
        let level = |value: f64| look.floor.map_or(value, |floor| value.max(floor));
        let shown: Vec<[f64; 3]> = line.columns.iter().filter(|column| look.is_shown(column[0])).copied().collect();
        let few = shown.len() <= MOST_MARKS && shown.iter().all(|[_, low, high]| low == high);
        let dots: Vec<[f64; 2]> = shown.iter().filter(|_| few).map(|&[position, _, value]| [look.x(position), level(value)]).collect();
        let strokes = if few && look.stems {
            dots.iter().map(|&[x, y]| [[x, look.floor.unwrap_or(0.0)], [x, y]]).collect()
        } else {
            strokes_of(line, look).iter().flat_map(|run| segments(run)).collect()
        };
        let behind: Vec<_> = self.strokes_behind(look).iter().flat_map(|run| segments(run)).collect();
        let mut content = vec![ViewItem::Behind(behind), ViewItem::Strokes(strokes), ViewItem::Dots(dots)];
        content.extend(self.overlay.windows(2).map(|ends| ViewItem::Strokes(vec![[ends[0], ends[1]]])));
        content.extend(marks.iter().map(|(position, value, text)| ViewItem::Peak([look.x(*position), level(*value)], text.clone())));
        content.extend((!self.gaps.is_empty()).then(|| gaps::item(look, [low[1], high[1]], &self.gaps)));
        let axis = |name: &str, index: usize, ticks: Vec<Tick>| ViewAxis { name: name.to_owned(), ends: [low[index], high[index]], ticks };
        let x = axis(look.x_label, 0, across(look, low[0], high[0]));
        let y = axis(look.y_label, 1, linear(low[1], high[1], 7.0));
        let above = look.periods.filter(|_| look.has_periods_above).map(|periods| {
            let period = |tick: &Tick| Tick { value: tick.value, text: tick.text.as_ref().map(|_| periods.tick(look.value(tick.value))) };
            ViewAxis { name: periods.label(), ends: x.ends, ticks: x.ticks.iter().map(period).collect() }
        });
        Some(View { title, notes, x, y, above, content, bar: None })
    }
}

/// The ticks of the horizontal axis: dates, decades or round values.
fn across(look: &PlotLook<'_>, low: f64, high: f64) -> Vec<Tick> {
    /// Number of ticks with dates.
    const DATES: f64 = 7.0;
    let dates = look.dates.map_or(Vec::new(), |axis| axis.date_ticks(low, high, (high - low) / DATES));
    match dates.is_empty() {
        false => {
            dates.into_iter().map(|tick| Tick { value: tick.position, text: Some(tick_text(look, tick.position, tick.step)) }).collect()
        }
        true if look.log_axis => decades(low, high),
        true => linear(low, high, 9.0),
    }
}

/// Round values with their texts.
pub(crate) fn linear(low: f64, high: f64, wanted: f64) -> Vec<Tick> {
    round_values(low, high, wanted).into_iter().map(|value| Tick { value, text: Some(number(value, 5)) }).collect()
}

/// The digits of every decade between two logarithms; powers of ten have a text, or all digits where there are few.
fn decades(low: f64, high: f64) -> Vec<Tick> {
    let digits = (low.floor() as i32..=high.ceil() as i32).flat_map(|decade| (1..10).map(move |digit| (decade, digit)));
    let ticks = digits.map(|(decade, digit)| (digit, f64::from(digit) * 10f64.powi(decade)));
    let inside = ticks.filter(|(_, value)| (low..=high).contains(&value.log10()));
    let is_written = |digit: i32| digit == 1 || (high - low < 1.5 && matches!(digit, 2 | 5));
    inside.map(|(digit, value)| Tick { value: value.log10(), text: is_written(digit).then(|| number(value, 5)) }).collect()
}

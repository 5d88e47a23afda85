//! The text of a kernel on the screen: line numbers, colours, the marks of a thread, of a search and of a comparison.

use super::highlight::{Compared, TokenKind, tokens};
use super::study::KernelReport;
use crate::gpu::lower::trace::{LineWork, TracedLine};
use crate::graph::number;
use crate::numerals::counted;
use crate::plan::LaneValue;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Label, Rect, ScrollArea, Sense, Stroke, Ui, vec2};
use std::ops::Range;

/// Font size of the text, in points.
const SIZE: f32 = 12.0;
/// Height of a line, in points.
const HEIGHT: f32 = 16.0;
/// A text of at most this many lines is laid out whole, so that a screen reader has it in one piece; of a longer one the lines in view are.
const MOST_WHOLE: usize = 512;
/// Characters before the text of a line: its number, its sign, and spaces.
const LEAD: usize = 7;
/// The most lanes that are listed one by one, which is more than a fast butterfly has.
const MOST_NAMES: usize = 32;
/// The most lanes whose values are behind a line.
const MOST_VALUES: usize = 4;

/// The text with what is searched.
#[derive(Default)]
pub(super) struct CodeView {
    /// The text that is searched.
    pub search: String,
    /// The last mark and the length of its text, so that a new mark is scrolled to once.
    scrolled: Option<(usize, String, usize)>,
}

/// A line to show.
struct CodeLine<'a> {
    /// Its number in the text, from 0; `None` for a line of the other text.
    number: Option<usize>,
    text: &'a str,
    /// The sign of a comparison.
    sign: &'static str,
}

impl CodeView {
    /// Shows the text; `values[column][lane]` are the values on the lanes, where they are known.
    pub(super) fn ui(&mut self, ui: &mut Ui, report: &KernelReport, values: Option<&[Vec<LaneValue>]>) {
        let texts: Vec<&str> = report.text.lines().collect();
        let own = |number: usize, sign| CodeLine { number: Some(number), text: texts[number], sign };
        let lines: Vec<CodeLine<'_>> = match &report.compared {
            None => (0..texts.len()).map(|number| own(number, "")).collect(),
            Some(compared) => compared
                .iter()
                .map(|line| match line {
                    Compared::Both(number) => own(*number, " "),
                    Compared::First(number) => own(*number, "+"),
                    Compared::Second(text) => CodeLine { number: None, text, sign: "−" },
                })
                .collect(),
        };
        let traced: &[TracedLine] = report.trace.as_ref().filter(|_| report.has_lines).map_or(&[], |trace| &trace.lines);
        let searched = self.search.to_lowercase();
        let is_found = |line: &CodeLine<'_>| !searched.is_empty() && line.text.to_lowercase().contains(&searched);
        if !self.search.is_empty() {
            let n_found = lines.iter().filter(|line| is_found(line)).count();
            let verb = if n_found == 1 { "contains" } else { "contain" };
            widgets::weak(ui, format!("{} {verb} “{}”", counted(n_found, "line"), self.search));
        }
        let first_marked = match traced.first() {
            Some(traced) => lines.iter().position(|line| line.number == Some(traced.line)),
            None => lines.iter().position(is_found),
        };
        let goal = first_marked.map(|line| (line, self.search.clone(), report.text.len()));
        let scrolls = goal.is_some() && goal != self.scrolled;
        self.scrolled = goal;
        ui.spacing_mut().item_spacing.y = 0.0;
        let column = report.commands.get(report.launch).map(|command| [command.stages.start, command.stages.end]);
        let width = width_of(ui, &lines);
        let content = |ui: &mut Ui, shown: Range<usize>| {
            ui.set_min_width(width);
            if let Some(marked) = first_marked.filter(|_| scrolls) {
                let below = HEIGHT * (marked as f32 - shown.start as f32);
                // The beginning of the line stays in view.
                let rect = Rect::from_min_size(ui.cursor().min + vec2(0.0, below), vec2(0.0, HEIGHT));
                ui.scroll_to_rect(rect, Some(egui::Align::Center));
            }
            for line in &lines[shown] {
                let work = traced.iter().find(|traced| line.number == Some(traced.line));
                let note = work.map(|traced| note_of(&traced.does, column.zip(values))).unwrap_or_default();
                line_ui(ui, line, &note, is_found(line));
            }
        };
        // Another text begins at its top.
        let area = ScrollArea::both().id_salt(&report.text).auto_shrink([false, false]);
        match lines.len() {
            n if n <= MOST_WHOLE => area.show(ui, |ui| content(ui, 0..n)),
            n => area.show_rows(ui, HEIGHT, n, content),
        };
    }
}

/// The width of the longest line, so that the text keeps its width as it is scrolled.
fn width_of(ui: &Ui, lines: &[CodeLine<'_>]) -> f32 {
    let longest = lines.iter().map(|line| line.text.len()).max().unwrap_or_default() + LEAD;
    longest as f32 * ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(SIZE), '0'))
}

/// A line of the text, marked where the traced thread has a note on it or where it is found.
fn line_ui(ui: &mut Ui, line: &CodeLine<'_>, note: &str, is_found: bool) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let tokens = Tokens::current(ui);
    if !note.is_empty() {
        ui.painter().rect_filled(rect, 2.0, tokens.selected);
    } else if is_found {
        ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, tokens.accent), egui::StrokeKind::Inside);
    }
    let job = layout(line, note, tokens);
    // The next line begins below the row, and not below the letters.
    ui.new_child(egui::UiBuilder::new().max_rect(rect)).add(Label::new(job).extend());
}

/// Lanes in a sentence, the middle of many left out.
pub(super) fn listed(lanes: &[usize]) -> String {
    let names = |lanes: &[usize]| lanes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match lanes.len() {
        n if n > MOST_NAMES => format!("{}, … {}", names(&lanes[..MOST_NAMES / 2]), names(&lanes[n - 1..])),
        _ => names(lanes),
    }
}

/// The effect of a line in the thread, with the values of its lanes.
fn note_of(does: &LineWork, known: Option<([usize; 2], &[Vec<LaneValue>])>) -> String {
    let lanes = |verb: &str, lanes: &[usize], end: usize| {
        let of_lane = |&lane: &usize| match known?.1.get(known?.0[end])?.get(lane)? {
            LaneValue::Number(value) if value.im == 0.0 => Some(number(value.re, 4)),
            LaneValue::Number(value) => {
                Some(format!("{}{}{}i", number(value.re, 3), if value.im < 0.0 { "−" } else { "+" }, number(value.im.abs(), 3)))
            }
            LaneValue::Equation(_) => None,
        };
        let values: Option<Vec<String>> = lanes.iter().map(of_lane).collect();
        let values = values.filter(|values| values.len() <= MOST_VALUES).map(|values| format!(": {}", values.join(", ")));
        let plural = if lanes.len() == 1 { "lane" } else { "lanes" };
        format!("{verb} {plural} {}{}", listed(lanes), values.unwrap_or_default())
    };
    match does {
        LineWork::Index(value) => format!("= {value}"),
        LineWork::Reads(read) => lanes("reads", read, 0),
        LineWork::Writes(written) => lanes("writes", written, 1),
    }
}

/// A line with its number, its colours, and the note behind it.
fn layout(line: &CodeLine<'_>, note: &str, colors: Tokens) -> LayoutJob {
    let format = |color: Color32| TextFormat::simple(FontId::monospace(SIZE), color);
    let mut job = LayoutJob::default();
    let number = line.number.map_or_else(String::new, |number| (number + 1).to_string());
    job.append(&format!("{number:>4} {} ", line.sign), 0.0, format(if line.sign.trim().is_empty() { colors.weak } else { colors.warning }));
    for (range, kind) in tokens(line.text) {
        let color = match kind {
            TokenKind::Keyword | TokenKind::Type => colors.accent,
            TokenKind::Number => colors.warning,
            TokenKind::Attribute | TokenKind::Comment => colors.weak,
            TokenKind::Other => colors.text,
        };
        job.append(&line.text[range], 0.0, format(if line.number.is_none() { colors.weak } else { color }));
    }
    if !note.is_empty() {
        job.append(&format!("◂ {note}"), 3.0 * GRID, format(colors.accent));
    }
    job
}

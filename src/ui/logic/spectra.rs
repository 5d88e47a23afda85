//! The spectra of a function: a plot, the extreme values, and a list of exact integers.

use crate::choice::Named as _;
use crate::engine::PlotData;
use crate::engine::logic::{FunctionStudy, SignalStudy, in_order};
use crate::numerals::integer;
use crate::transforms::RowOrder;
use crate::ui::line_plot::{PlotLook, ReducedPlot};
use crate::ui::settings::{LogicLook, SpectrumKind};
use crate::ui::studies::Studies;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::{Rect, RichText, Ui, UiBuilder, pos2, vec2};
use std::sync::{Arc, Weak};

/// Width of the list of values, in points.
const LIST_WIDTH: f32 = 168.0;

impl SpectrumKind {
    fn is_walsh(self) -> bool {
        matches!(self, Self::WalshOfSigns | Self::WalshOfBits)
    }

    /// The label of the index.
    fn axis(self) -> &'static str {
        match self {
            Self::WalshOfSigns | Self::WalshOfBits => "index w",
            Self::ReedMuller | Self::Arithmetic => "product of variables",
            Self::Haar => "index, coarsest first",
            Self::Autocorrelation => "shift t",
        }
    }
}

/// The plot, the list and the values of the tab.
pub(super) struct SpectraView {
    plot: ReducedPlot<[i64]>,
    part: usize,
    /// The values that are shown, with the study and the choice that they belong to.
    values: Option<(Weak<SignalStudy>, SpectrumKey, Arc<[i64]>)>,
}

/// The choice that selects the values.
type SpectrumKey = (SpectrumKind, RowOrder);

impl SpectraView {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { plot: ReducedPlot::new(studies), part: 0, values: None }
    }

    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.plot.reset();
    }

    /// The state that a session keeps.
    pub(super) fn kept(&self) -> serde_json::Value {
        self.plot.kept()
    }

    /// Shows the next spectrum of the same length as it was kept.
    pub(super) fn restore(&mut self, kept: &serde_json::Value) {
        self.plot.restore(kept);
    }

    /// Shows the spectrum.
    pub(super) fn ui(&mut self, ui: &mut Ui, look: &LogicLook, function: &FunctionStudy, study: &Arc<SignalStudy>, read_out: &mut String) {
        let values = self.values(look, function, study);
        let n = function.function.n();
        extremes_ui(ui, &values, n);
        let area = ui.available_rect_before_wrap();
        let has_list = area.width() > 2.5 * LIST_WIDTH;
        let plot = Rect::from_min_max(area.min, area.max - vec2(if has_list { LIST_WIDTH + 2.0 * GRID } else { 0.0 }, 0.0));
        if plot.width() < 64.0 || plot.height() < 48.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the spectrum");
        }
        let plot_look = PlotLook::over_index(ui, "Logic spectrum plot", look.spectrum.axis(), look.spectrum.title());
        let hovered = self.plot.ui(ui, plot, &plot_look, &values, values.len(), PlotData::of_integers).hovered;
        if let Some(index) = hovered {
            *read_out = format!("{}: {} at index {index} = {}", look.spectrum.title(), integer(values[index]), bits(index, n));
        }
        if has_list {
            let list = Rect::from_min_max(pos2(plot.right() + 2.0 * GRID, area.top()), area.max);
            ui.scope_builder(UiBuilder::new().max_rect(list), |ui| self.list_ui(ui, &values, n));
        }
    }

    /// The values of the chosen spectrum, kept until the choice or the study changes.
    fn values(&mut self, look: &LogicLook, function: &FunctionStudy, study: &Arc<SignalStudy>) -> Arc<[i64]> {
        let key = (look.spectrum, look.order);
        if let Some((of, known, values)) = &self.values
            && std::ptr::eq(of.as_ptr(), Arc::as_ptr(study))
            && *known == key
        {
            return values.clone();
        }
        let spectra = &function.spectra;
        let values: Arc<[i64]> = match look.spectrum {
            SpectrumKind::WalshOfSigns => in_order(&spectra.walsh, look.order).into(),
            SpectrumKind::WalshOfBits => in_order(&spectra.walsh_of_bits(), look.order).into(),
            SpectrumKind::ReedMuller => spectra.reed_muller.values().map(i64::from).collect(),
            SpectrumKind::Arithmetic => spectra.arithmetic.clone().into(),
            SpectrumKind::Haar => spectra.haar.clone().into(),
            SpectrumKind::Autocorrelation => spectra.autocorrelation.clone().into(),
        };
        self.values = Some((Arc::downgrade(study), key, values.clone()));
        values
    }

    fn list_ui(&mut self, ui: &mut Ui, values: &[i64], n: u32) {
        let shown = widgets::rows_of_part(ui, "Part of the spectrum", &mut self.part, values.len());
        let weak = Tokens::current(ui).weak;
        let heads = [Head::of_texts(if n <= 10 { "bits" } else { "index" }), Head::of_numbers("value")];
        TextTable::new("spectrum values", heads).scroll(ui, shown.len(), |row| {
            let index = shown.start + row;
            let position = if n <= 10 { bits(index, n) } else { index.to_string() };
            let cells = [RichText::new(position).color(weak), RichText::new(integer(values[index]))];
            TableRow::of(cells.map(RichText::monospace)).named(format!("spectrum value {index}: {}", values[index]))
        });
    }
}

/// The choice of the spectrum and its order.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, look: &mut LogicLook) {
    bar.item("spectrum", |ui| {
        let choices = SpectrumKind::offered().into_iter().map(|(kind, title, about)| (kind, title.to_owned(), about.to_owned()));
        widgets::combo_of_width(ui, "Logic spectrum", 180.0, look.spectrum.title(), &mut look.spectrum, choices)
            .on_hover_text(look.spectrum.about())
    });
    if look.spectrum.is_walsh() {
        bar.segmented("Order of the spectrum", &mut look.order, &RowOrder::offered());
    }
}

/// Shows the smallest and the largest value, each with its first index.
fn extremes_ui(ui: &mut Ui, values: &[i64], n: u32) {
    let least = values.iter().enumerate().min_by_key(|(index, value)| (**value, *index));
    let most = values.iter().enumerate().max_by_key(|(index, value)| (**value, usize::MAX - index));
    if let (Some((low_at, low)), Some((high_at, high))) = (least, most) {
        let at = |index: usize| format!("{index} = {}", bits(index, n));
        let text = if low == high {
            format!("{} everywhere", integer(*high))
        } else {
            format!("least {} at {}, most {} at {}", integer(*low), at(low_at), integer(*high), at(high_at))
        };
        widgets::weak(ui, text);
    }
}

/// The bits of an index, x1 first; a constant function has none.
fn bits(index: usize, n: u32) -> String {
    if n == 0 { "no bit".to_owned() } else { format!("{index:0width$b}", width = n as usize) }
}

//! The picture of a spectrogram: a coarse one at once, the whole one once every frame is counted, and the one before at its place meanwhile.

use super::view::View;
use crate::display::Colormap;
use crate::engine::{EngineError, Progress, SpectrogramPicture, SpectrogramRequest, SpectrogramStudy};
use crate::spectra::{FrequencyAxis, TimeAxis};
use crate::ui::export::painted::keep_pixels;
use crate::ui::remedy::in_words;
use crate::ui::studied::{Answer, Studied};
use crate::ui::studies::Studies;
use egui::{Color32, ColorImage, Painter, Pos2, Rect, TextureHandle, TextureOptions, Ui, pos2};
use std::sync::Arc;

/// Decibels below the largest value that are shown, where nobody chooses.
const DEPTH: f32 = 80.0;

/// The picture that is shown.
pub(super) struct ShownPicture {
    pub(super) request: SpectrogramRequest,
    pub(super) pixels: Arc<SpectrogramPicture>,
}

/// The picture that follows a coarse one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Next {
    /// The whole one, of which this part is counted.
    Counted(f32),
    /// Nothing, until something else is seen.
    Cancelled,
}

/// How levels become colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Colours {
    /// Added to the level of a power.
    pub(super) offset: f32,
    /// The levels of the first and of the last colour.
    pub(super) range: [f32; 2],
    pub(super) map: Colormap,
}

/// The texture of the levels that `T` holds: it is made again where these or the colours are others.
pub(super) struct Pixels<T> {
    name: &'static str,
    held: Option<(Arc<T>, Colours, TextureHandle)>,
}

/// The picture with the studies that compute it.
pub(super) struct Picture {
    /// Whether an old picture stays until the new one is ready, as while a filter changes.
    is_live: bool,
    coarse: Studied<SpectrogramStudy>,
    whole: Studied<SpectrogramStudy>,
    shown: Option<ShownPicture>,
    texture: Pixels<SpectrogramPicture>,
    /// The largest level of a power in what is shown.
    top: f32,
}

impl ShownPicture {
    /// The level of the power at a sample and a frequency.
    pub(super) fn level(&self, sample: f64, frequency: f64) -> Option<f32> {
        level(&self.pixels, (&self.request.times, &self.request.frequencies), (sample, frequency))
    }

    /// The middle of a pixel: its sample and its frequency.
    fn middle(&self, column: usize, row: usize) -> [f64; 2] {
        let SpectrogramRequest { times, frequencies, .. } = &self.request;
        let share = (frequencies.rows as f64 - 0.5 - row as f64) / frequencies.rows as f64;
        [times.ends[0] + (column as f64 + 0.5) * times.width(), frequencies.frequency(share)]
    }

    /// The strongest pixel of every column: its sample, its frequency and its level; `None` in silence.
    pub(super) fn ridge(&self) -> impl Iterator<Item = Option<([f64; 2], f32)>> + '_ {
        let columns = self.request.times.columns;
        let pixel = move |(column, row): (usize, &Option<usize>)| {
            row.map(|row| (self.middle(column, row), self.pixels.levels[row * columns + column]))
        };
        self.pixels.ridge.iter().enumerate().map(pixel)
    }

    /// The strongest pixel of all.
    pub(super) fn strongest(&self) -> Option<([f64; 2], f32)> {
        self.ridge().flatten().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl Picture {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies, name: &'static str, is_live: bool) -> Self {
        let study = || Studied::new(studies, SpectrogramStudy::default);
        Self { is_live, coarse: study(), whole: study(), shown: None, texture: Pixels::new(name), top: f32::NEG_INFINITY }
    }

    /// The picture that is shown.
    pub(super) fn shown(&self) -> Option<&ShownPicture> {
        self.shown.as_ref()
    }

    /// Shows how far a picture is that takes long.
    pub(super) fn progress_ui(&self, ui: &Ui) {
        self.whole.progress_ui(ui);
    }

    /// The picture that follows the coarse one on the screen.
    pub(super) fn next(&self) -> Next {
        match self.whole.progress() {
            Some(Progress { fraction: Some(part), .. }) => Next::Counted(part),
            _ if self.whole.is_busy() => Next::Counted(0.0),
            _ => Next::Cancelled,
        }
    }

    /// Asks for a picture; an error is why there is none.
    pub(super) fn ask(&mut self, ui: &Ui, request: &SpectrogramRequest) -> Result<(), String> {
        let is_live = self.is_live;
        self.shown.take_if(|shown| !is_live && !Arc::ptr_eq(&shown.request.part.signal, &request.part.signal));
        let whole = self.whole.ask(ui.ctx(), Some(request));
        let is_known = whole.as_ref().is_some_and(|answer| answer.is_newest);
        let stride = request.first_stride();
        // A coarse picture that comes once the whole one is there is not waited for.
        let coarse = (stride > 1 && !is_known).then(|| SpectrogramRequest { stride, ..request.clone() });
        let coarse = self.coarse.ask(ui.ctx(), coarse.as_ref()).filter(|_| coarse.is_some());
        // While the view moves, what was seen a moment ago is shown at its place.
        let is_due = |answer: &Answer<SpectrogramStudy>| answer.is_newest || (answer.is_fresh && answer.reply.request.part == request.part);
        for Answer { reply, is_newest, .. } in coarse.into_iter().chain(whole).filter(is_due) {
            match &reply.result {
                Ok(pixels) => self.take(ShownPicture { request: reply.request.clone(), pixels: pixels.clone() }),
                // Parts that came before it was cancelled stay, and so does the old picture until its own comes.
                Err(EngineError::Cancelled) if self.shown.is_some() => {}
                Err(error) if is_newest && reply.request.stride == 1 => return Err(in_words(error)),
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn take(&mut self, shown: ShownPicture) {
        if self.shown.as_ref().is_some_and(|known| Arc::ptr_eq(&known.pixels, &shown.pixels)) {
            return;
        }
        self.top = shown.pixels.levels.iter().copied().filter(|level| level.is_finite()).fold(f32::NEG_INFINITY, f32::max);
        self.shown = Some(shown);
    }

    /// The levels of the first and of the last colour: those that are chosen, or 80 dB below the largest level of the picture: the same view has the same colours, whatever was seen before.
    pub(super) fn range(&self, chosen: Option<[f32; 2]>, offset: f32) -> [f32; 2] {
        range(chosen, self.top + offset)
    }

    /// Paints the picture where it belongs in a view of all these frequencies.
    pub(super) fn paint(&mut self, ui: &Ui, painter: &Painter, (canvas, view): (Rect, &View), all: &FrequencyAxis, colours: Colours) {
        let Some(ShownPicture { request, pixels, .. }) = &self.shown else { return };
        let grid = (&request.times, &request.frequencies);
        let is_same_scale = request.frequencies.scale == all.scale;
        let place = if is_same_scale { place(canvas, view, grid, all) } else { canvas };
        let tint = if is_same_scale { Color32::WHITE } else { Color32::from_white_alpha(120) };
        self.texture.paint(ui, painter, (pixels, pixels, grid), colours, (place, tint));
    }
}

impl<T> Pixels<T> {
    /// Nothing yet.
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, held: None }
    }

    /// Paints levels that `of` holds into a place.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        (of, pixels, (times, frequencies)): (&Arc<T>, &SpectrogramPicture, (&TimeAxis, &FrequencyAxis)),
        colours: Colours,
        (place, tint): (Rect, Color32),
    ) {
        if self.held.as_ref().is_none_or(|(known, own, _)| !Arc::ptr_eq(known, of) || *own != colours) {
            let Colours { offset, range, map } = colours;
            let rgba = pixels.coloured(map, offset, range);
            let image = Arc::new(ColorImage::from_rgba_premultiplied([times.columns, frequencies.rows], rgba.as_flattened()));
            let handle = match self.held.take() {
                Some((_, _, mut handle)) => {
                    handle.set(image.clone(), TextureOptions::NEAREST);
                    handle
                }
                None => ui.ctx().load_texture(self.name, image.clone(), TextureOptions::NEAREST),
            };
            keep_pixels(ui, self.name, handle.id(), &image);
            self.held = Some((of.clone(), colours, handle));
        }
        if let Some((_, _, handle)) = &self.held {
            painter.image(handle.id(), place, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), tint);
        }
    }
}

/// The levels of the first and of the last colour: those that are chosen, or 80 dB below the largest level that was seen.
pub(super) fn range(chosen: Option<[f32; 2]>, top: f32) -> [f32; 2] {
    let top = if top.is_finite() { top } else { 0.0 };
    chosen.unwrap_or([top - DEPTH, top])
}

/// The level of the power at a sample and a frequency; `None` outside the picture.
pub(super) fn level(
    pixels: &SpectrogramPicture,
    (times, frequencies): (&TimeAxis, &FrequencyAxis),
    (sample, frequency): (f64, f64),
) -> Option<f32> {
    let (column, row) = (times.column(sample).floor(), frequencies.row(frequency));
    let is_inside = column >= 0.0 && row >= 0.0 && column < times.columns as f64 && row < frequencies.rows as f64;
    let index = is_inside.then(|| (frequencies.rows - 1 - row as usize) * times.columns + column as usize)?;
    pixels.levels.get(index).copied()
}

/// Where a picture lies on the screen.
pub(super) fn place(canvas: Rect, view: &View, (times, frequencies): (&TimeAxis, &FrequencyAxis), all: &FrequencyAxis) -> Rect {
    let [left, right] = times.ends.map(|end| view.x(canvas, end));
    let [bottom, top] = frequencies.ends.map(|end| view.y(canvas, all.share(end)));
    Rect::from_min_max(pos2(left, top), pos2(right, bottom))
}

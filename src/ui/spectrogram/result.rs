//! The spectrogram below that of the source: the part of a recording that the boxes leave, or take away.

use super::overlay;
use super::picture::{Colours, Picture};
use super::places::{Places, canvas_of};
use crate::engine::{BoxAnswer, BoxRequest, BoxStudy, RecordingPart, SpectrogramRequest};
use crate::numerals::{counted, number};
use crate::signal::{ChannelChoice, Signal};
use crate::ui::remedy::in_words;
use crate::ui::settings::{BoxView, BoxesLook, SpectrogramLook};
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::{Align2, FontId, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2};
use std::sync::Arc;

/// The result of a filter of boxes.
pub(super) struct ResultView {
    study: Studied<BoxStudy>,
    picture: Picture,
    /// The newest result.
    answer: Option<BoxAnswer>,
}

/// Whether the boxes filter.
pub(super) fn is_filtering(boxes: &BoxesLook) -> bool {
    boxes.view != BoxView::Source && !boxes.list.is_empty()
}

/// The request for a filter by boxes of the samples of a part.
pub(super) fn filter_of(part: &RecordingPart, boxes: &BoxesLook) -> BoxRequest {
    let own = boxes.list.iter().map(|own| own.part.moved(part.samples.start));
    BoxRequest {
        part: part.clone(),
        boxes: own.collect(),
        length: boxes.length(part.samples.len()),
        is_difference: boxes.view == BoxView::Difference,
    }
}

impl ResultView {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { study: Studied::new(studies, || BoxStudy), picture: Picture::new(studies, "spectrogram of the result", true), answer: None }
    }

    /// The newest result; `None` while a newer one is computed.
    pub(super) fn signal(&self) -> Option<&Arc<Signal>> {
        self.answer.as_ref().filter(|_| !self.study.is_busy()).map(|answer| &answer.signal)
    }

    /// Shows the result in the same frames, view and colours as the source; returns its response and where it lies.
    pub(super) fn ui<'a>(
        &mut self,
        ui: &mut Ui,
        (area, places): (Rect, &Places<'a>),
        (source, boxes): (&SpectrogramRequest, &BoxesLook),
        look: &SpectrogramLook,
        colours: Colours,
    ) -> (Response, Places<'a>) {
        let canvas = canvas_of(area);
        let places = Places { canvas, ..*places };
        let response = ui.interact(canvas, ui.scope_id().with("result of the boxes"), Sense::click_and_drag());
        let painter = ui.painter().with_clip_rect(canvas);
        painter.rect_filled(canvas, 0.0, Tokens::current(ui).well);
        let answer = self.study.ask(ui.ctx(), Some(&filter_of(&source.part, boxes)));
        let found = answer.map(|answer| answer.reply.result.clone());
        let is_busy = self.study.is_busy();
        match found {
            Some(Ok(answer)) => self.answer = Some(answer),
            Some(Err(error)) => {
                self.answer = None;
                widgets::in_place_of(ui, canvas, &in_words(&error));
            }
            None => {}
        }
        let title = boxes.view.title();
        let mut said = format!("{title}: computing");
        if let Some(answer) = &self.answer {
            let (signal, samples) = (answer.signal.clone(), 0..answer.signal.columns);
            let part = RecordingPart { signal, channel: ChannelChoice::Channel(0), samples, rate: source.part.rate };
            let kept = number(100.0 * answer.kept, 4);
            said = format!("{title}: {kept} % of the energy kept{}", if is_busy { ", being computed anew" } else { "" });
            if answer.replaced > 0 {
                said += &format!(", 0 stands for {}", counted(answer.replaced, "infinite or NaN sample"));
            }
            match self.picture.ask(ui, &SpectrogramRequest { part, ..source.clone() }) {
                Ok(()) => self.picture.paint(ui, &painter, (canvas, &places.view), &places.all, colours),
                Err(text) => widgets::in_place_of(ui, canvas, &text),
            }
        }
        overlay::axes_ui(ui, &places, &format!("frequency ({})", source.part.rate.frequency()));
        response
            .widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Filtered {}, {said}", look.method.picture().to_lowercase())));
        let above = pos2(canvas.left(), canvas.top() - 5.0);
        ui.painter().text(above, Align2::LEFT_BOTTOM, said, FontId::proportional(11.0), Tokens::current(ui).weak);
        (response, places)
    }
}

//! Small images that zoom together, and curves: what the panes *Wavelet* and *Coefficients* draw.

use crate::display::Colormap;
use crate::engine::Pixels;
use crate::numerals::number;
use crate::ui::canvas::ZoomTo;
use crate::ui::export::painted::keep_pixels;
use crate::ui::gestures::Navigation;
use crate::ui::line_plot::PlotPointer;
use crate::ui::theme::Tokens;
use egui::{
    Color32, ColorImage, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};
use egui_plot::{GridMark, Line, Plot, PlotPoints};
use std::sync::Arc;

/// The textures of the pane, kept so that an image is uploaded once.
#[derive(Default)]
pub(crate) struct ImageTextures {
    /// One texture for each name.
    known: Vec<(&'static str, Pixels, TextureHandle)>,
}

impl ImageTextures {
    /// The texture of an image.
    fn texture(&mut self, ui: &Ui, name: &'static str, pixels: &Pixels, colormap: Colormap) -> TextureHandle {
        if let Some((.., texture)) = self.known.iter().find(|(known, painted, _)| *known == name && painted == pixels) {
            return texture.clone();
        }
        let lut = colormap.lut().map(|[red, green, blue, _]| Color32::from_rgb(red, green, blue));
        let colours = pixels.entries.iter().map(|&entry| lut[usize::from(entry)]).collect();
        let image = Arc::new(ColorImage::new([pixels.size[1], pixels.size[0]], colours));
        let options = TextureOptions { minification: egui::TextureFilter::Linear, ..TextureOptions::NEAREST };
        let texture = ui.ctx().load_texture(name, image.clone(), options);
        keep_pixels(ui, name, texture.id(), &image);
        self.known.retain(|(known, ..)| *known != name);
        self.known.push((name, pixels.clone(), texture.clone()));
        texture
    }

    /// Paints the visible part of an image into a rectangle; the part goes from 0 to 1 across and down. `name` is its accessible name.
    pub(crate) fn part(
        &mut self,
        ui: &mut Ui,
        name: &'static str,
        rect: Rect,
        pixels: &Pixels,
        colormap: Colormap,
        part: Rect,
    ) -> Response {
        let texture = self.texture(ui, name, pixels, colormap);
        ui.painter().image(texture.id(), rect, part, Color32::WHITE);
        framed(ui, name, rect)
    }

    /// Paints every row of an image as a strip of its own, so that none runs into the next where columns are joined.
    pub(crate) fn strips(&mut self, ui: &mut Ui, name: &'static str, rect: Rect, pixels: &Pixels, colormap: Colormap) -> Response {
        let (texture, n) = (self.texture(ui, name, pixels, colormap), pixels.size[0] as f32);
        for row in 0..pixels.size[0] {
            let strip = Rect::from_min_size(rect.min + vec2(0.0, row as f32 * rect.height() / n), vec2(rect.width(), rect.height() / n));
            // Just above the middle of the row, which rounds down to it.
            let y = (row as f32 + 0.49) / n;
            ui.painter().image(texture.id(), strip, Rect::from_x_y_ranges(0.0..=1.0, y..=y), Color32::WHITE);
        }
        framed(ui, name, rect)
    }
}

/// Frames an image and gives it its accessible name.
fn framed(ui: &Ui, name: &'static str, rect: Rect) -> Response {
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, Tokens::current(ui).hairline), StrokeKind::Outside);
    let response = ui.interact(rect, ui.scope_id().with(name), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    response
}

/// The part of an image that is all of it.
const WHOLE: Rect = Rect { min: Pos2::ZERO, max: pos2(1.0, 1.0) };
/// The largest enlargement.
const LARGEST_ZOOM: f32 = 64.0;

/// The visible part of several images of the same size.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct LinkedZoom {
    /// How many times the image is enlarged.
    factor: f32,
    /// The place in the middle, from 0 to 1 across and down.
    center: Pos2,
}

impl Default for LinkedZoom {
    fn default() -> Self {
        Self { factor: 1.0, center: WHOLE.center() }
    }
}

impl LinkedZoom {
    /// The visible part.
    pub(crate) fn visible(&self) -> Rect {
        Rect::from_center_size(self.center, WHOLE.size() / self.factor)
    }

    /// This zoom, as sessions keep it.
    pub(crate) fn kept(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The zoom that a session keeps, or none where it holds what no zoom can be.
    pub(crate) fn restored(kept: &serde_json::Value) -> Self {
        serde_json::from_value::<Self>(kept.clone()).unwrap_or_default().sound()
    }

    fn sound(mut self) -> Self {
        let is_sound = [self.factor, self.center.x, self.center.y].iter().all(|number| number.is_finite());
        self.zoom_about(self.center, 1.0);
        if is_sound { self } else { Self::default() }
    }

    /// Zooms about the middle.
    pub(crate) fn order(&mut self, zoom: ZoomTo) {
        match zoom {
            ZoomTo::Fit => *self = Self::default(),
            ZoomTo::By(by) => self.zoom_about(self.center, by as f32),
            ZoomTo::Pixels => {}
        }
    }

    /// Moves and zooms as the pointer over one of the images asks.
    pub(crate) fn interact(&mut self, ui: &Ui, response: &Response) {
        let asked = Navigation::of(response, true);
        asked.paint(ui);
        self.follow(&asked, response.rect);
    }

    /// Moves and zooms the images in a rectangle as gestures ask.
    pub(crate) fn follow(&mut self, asked: &Navigation, rect: Rect) {
        let seen = self.visible();
        let to_image = |delta: Vec2| delta * seen.size() / rect.size();
        if asked.resets {
            *self = Self::default();
        }
        if asked.pan != Vec2::ZERO {
            self.center -= to_image(asked.pan);
            self.zoom_about(self.center, 1.0);
        }
        if let Some((by, at)) = asked.zoom {
            self.zoom_about(seen.min + to_image(at - rect.min), by);
        }
        if let Some(part) = asked.boxed {
            self.center = seen.min + to_image(part.center() - rect.min);
            self.zoom_about(self.center, (rect.width() / part.width()).min(rect.height() / part.height()));
        }
    }

    /// Where the whole image lies, whose visible part fills a rectangle.
    pub(crate) fn whole(&self, rect: Rect) -> Rect {
        let size = rect.size() * self.factor;
        Rect::from_min_size(rect.min - self.visible().min.to_vec2() * size, size)
    }

    /// Enlarges so that a place of the image stays where it is; the image fills its rectangle.
    fn zoom_about(&mut self, fixed: Pos2, by: f32) {
        let before = self.factor;
        self.factor = (before * by).clamp(1.0, LARGEST_ZOOM);
        let half = 0.5 / self.factor;
        self.center = (fixed + (self.center - fixed) * (before / self.factor)).clamp(pos2(half, half), pos2(1.0 - half, 1.0 - half));
    }
}

/// The largest rectangle with the proportions of an image, at the top left of an area.
pub(crate) fn fitted(area: Rect, [rows, columns]: [usize; 2]) -> Rect {
    let scale = (area.width() / columns as f32).min(area.height() / rows as f32);
    Rect::from_min_size(area.min, vec2(columns as f32 * scale, rows as f32 * scale))
}

/// Plots curves over `n` samples; every entry of a curve is the smallest and the largest value of one pixel column.
pub(crate) fn curves(ui: &mut Ui, name: &'static str, rect: Rect, n: usize, curves: &[(&str, &[[f64; 2]], Color32)]) {
    let tokens = Tokens::current(ui);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(name));
    let mut pointer = PlotPointer::over_axes(&child, name, rect);
    let shown = pointer
        .moves(Plot::new(name))
        .width(rect.width())
        .height(rect.height())
        .x_axis_label("sample")
        .y_axis_label("value")
        .grid_color(tokens.hairline)
        .y_axis_formatter(|mark: GridMark, _| number(mark.value, 5))
        .x_axis_formatter(|mark: GridMark, _| number(mark.value, 5))
        .legend(egui_plot::Legend::default())
        .show(&mut child, |plot| {
            pointer.apply(plot, true);
            for (title, columns, color) in curves {
                let step = n as f64 / columns.len().max(1) as f64;
                let both = |(i, [low, high]): (usize, &[f64; 2])| {
                    let x = i as f64 * step;
                    [[x, *low], [x, *high]].into_iter().take(if low < high { 2 } else { 1 }).collect::<Vec<_>>()
                };
                let points: Vec<[f64; 2]> = columns.iter().enumerate().flat_map(both).collect();
                plot.line(Line::new(*title, PlotPoints::from(points)).color(*color).width(1.2));
            }
        });
    pointer.finish(&child, &shown.response);
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_keeps_the_place_under_the_pointer_and_the_image_in_its_frame() {
        let mut zoom = LinkedZoom::default();
        let fixed = pos2(0.3, 0.6);
        let at = |zoom: &LinkedZoom| (fixed - zoom.visible().min) / zoom.visible().size();
        let before = at(&zoom);
        zoom.zoom_about(fixed, 4.0);
        assert!((at(&zoom) - before).length() < 1e-5 && (zoom.visible().width() - 0.25).abs() < 1e-6);
        zoom.zoom_about(pos2(0.0, 0.0), 0.5);
        assert!(WHOLE.expand(1e-6).contains_rect(zoom.visible()), "{zoom:?}");
        zoom.order(ZoomTo::Fit);
        assert_eq!(zoom.visible(), WHOLE);
    }
}

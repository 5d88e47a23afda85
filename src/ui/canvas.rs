//! An image that can be zoomed and panned. It says which part is visible at which resolution, and draws what the engine rendered.
//!
//! The newest image is drawn at its place while the view moves on, so that zooming never shows a blank.

mod fitting;
mod pixels;
mod placement;

pub(super) use placement::Placement;

use super::command::Command;
use super::export::painted::keep_pixels;
use super::gestures::Navigation;
use super::theme::Tokens;
use crate::display::DisplayFrame;
use crate::engine::RenderedImage;
use crate::transforms::Shape;
use egui::{Color32, ColorImage, Pos2, Rect, Response, Role, Sense, TextureHandle, TextureOptions, Ui, WidgetInfo, pos2, vec2};
use fitting::{clamped, fit, fitted, inside, visible};
use std::sync::Arc;

/// A change of the zoom that a command asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ZoomTo {
    /// Show the whole image.
    Fit,
    /// Show one pixel of the data as one pixel of the screen.
    Pixels,
    /// Zoom by this factor about the middle.
    By(f64),
}

impl ZoomTo {
    /// The zoom that a command asks for.
    pub(super) fn of(command: Command) -> Option<Self> {
        match command {
            Command::Fit => Some(Self::Fit),
            Command::ActualPixels => Some(Self::Pixels),
            Command::ZoomIn => Some(Self::By(1.5)),
            Command::ZoomOut => Some(Self::By(1.0 / 1.5)),
            _ => None,
        }
    }
}

/// The visible part of an image.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Zoom {
    /// The scale relative to the fitted image.
    factor: f64,
    /// Column and row of the data in the middle of the canvas.
    center: [f64; 2],
}

/// The newest image as a texture, and the shape of the data that it shows.
struct Shown {
    image: Arc<RenderedImage>,
    handle: TextureHandle,
    shape: Shape,
}

/// An image that can be zoomed and panned.
#[derive(Default)]
pub(super) struct Canvas {
    zoom: Option<Zoom>,
    texture: Option<Shown>,
    ordered: Option<ZoomTo>,
    sides: Option<[f64; 2]>,
    /// Whether the drag that goes on belongs to what lies on the image.
    yields: bool,
    /// The zoom and pan that the pointer asks for over the axes.
    axes: [Navigation; 2],
    /// Whether no values are written on pixels, because an open question asks for one.
    pub(super) hides_values: bool,
    /// The zoom that this canvas shares with others, as it was in the last frame.
    linked: Option<(egui::Id, Option<Zoom>)>,
}

/// The state of a canvas in a frame.
pub(super) struct CanvasResponse {
    /// The response of the whole canvas.
    pub response: Response,
    /// Where the data lie.
    pub placement: Placement,
    /// The part that the engine must render; `None` when no part of the image is visible.
    pub frame: Option<DisplayFrame>,
    /// Column and row of the displayed image under the pointer.
    pub hovered: Option<[usize; 2]>,
}

impl Canvas {
    /// Zooms at the next frame.
    pub(super) fn order(&mut self, zoom: ZoomTo) {
        self.ordered = Some(zoom);
    }

    /// The visible part, where it is not the whole image.
    pub(super) fn zoom(&self) -> Option<Zoom> {
        self.zoom
    }

    /// Shows a part from the next frame on.
    pub(super) fn set_zoom(&mut self, zoom: Option<Zoom>) {
        let is_sound = |zoom: &Zoom| zoom.factor.is_finite() && zoom.factor > 0.0 && zoom.center.iter().all(|at| at.is_finite());
        (self.zoom, self.ordered) = (zoom.filter(is_sound), None);
    }

    /// Shares the zoom with the other canvases that show the same plane of this shape.
    pub(super) fn link(&mut self, ui: &Ui, plane: &'static str, shape: Shape) {
        let key = egui::Id::unique(("linked zoom", plane, shape.rows, shape.columns));
        let shared = ui.data(|data| data.get_temp::<Option<Zoom>>(key));
        let has_moved = self.linked.is_some_and(|(known, zoom)| known == key && zoom != self.zoom);
        match shared {
            Some(zoom) if !has_moved => self.zoom = zoom,
            _ => {
                ui.data_mut(|data| data.insert_temp(key, self.zoom));
            }
        }
        self.linked = Some((key, self.zoom));
    }

    /// The zoom of an image of this shape as JSON, for a session.
    pub(super) fn kept(&self, shape: Option<Shape>) -> serde_json::Value {
        let kept = shape.zip(self.zoom).map(|(shape, zoom)| ([shape.rows, shape.columns], zoom));
        serde_json::to_value(kept).unwrap_or_default()
    }

    /// Takes back what [`Canvas::kept`] gave, and returns the shape of its image.
    pub(super) fn restore(&mut self, kept: &serde_json::Value) -> Option<Shape> {
        let kept: Option<([usize; 2], Zoom)> = serde_json::from_value(kept.clone()).unwrap_or_default();
        self.set_zoom(kept.map(|(_, zoom)| zoom));
        kept.map(|([rows, columns], _)| Shape { rows, columns })
    }

    /// Draws the image with sides in this proportion, width and height, and not with square pixels.
    pub(super) fn set_sides(&mut self, sides: Option<[f64; 2]>) {
        self.sides = sides;
    }

    /// Lets a drag that begins now belong to what lies on the image, where `holds` says that something is there; comes before [`Canvas::ui`].
    pub(super) fn yield_to(&mut self, ui: &Ui, rect: Rect, shape: Shape, holds: impl FnOnce(&Placement, Pos2) -> bool) {
        let pressed = ui.input(|input| input.pointer.latest_pos().filter(|_| input.pointer.primary_pressed()));
        if let Some(at) = pressed {
            let placement = self.placement(rect, shape, fit(rect, shape, self.sides));
            self.yields = rect.contains(at) && holds(&placement, at);
        }
    }

    /// Lets drags on the axes around the image scroll it; comes before [`Canvas::ui`].
    pub(super) fn take_axes(&mut self, axes: [Navigation; 2]) {
        self.axes = axes;
    }

    /// Shows an image of `shape` in `rect`. `image` is the newest rendered part, and `dim` says that it is out of date.
    /// Until there is one of this shape, the one before stays in its own scale.
    pub(super) fn ui(
        &mut self,
        ui: &Ui,
        name: &str,
        rect: Rect,
        shape: Shape,
        image: Option<&Arc<RenderedImage>>,
        dim: bool,
    ) -> CanvasResponse {
        let tokens = Tokens::current(ui);
        let response = ui.interact(rect, ui.scope_id().with((name, "canvas")), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
        let fit = fit(rect, shape, self.sides);
        let pixels_per_point = f64::from(ui.pixels_per_point());
        self.interact(ui, &response, rect, shape, fit);
        if let Some(zoom) = self.ordered.take() {
            self.zoom_to(zoom, shape, fit, pixels_per_point);
        }
        let placement = self.placement(rect, shape, fit);
        let painter = ui.painter().with_clip_rect(rect);
        self.take(ui, name, image, shape);
        let (of, shown) = match &self.texture {
            Some(shown) if shown.shape != shape => (shown.shape, fitted(rect, shown.shape, self.sides)),
            _ => (shape, placement),
        };
        // Outside the image, the canvas has the colour of the pane.
        painter.rect_filled(shown.whole(of).intersect(rect), 0.0, tokens.well);
        if let Some(Shown { image, handle, .. }) = &self.texture {
            let part = image.frame.rect;
            let at = Rect::from_min_max(
                shown.to_screen([part.left, part.top]),
                shown.to_screen([part.left + part.width, part.top + part.height]),
            );
            let tint = if dim || of != shape { Color32::from_white_alpha(120) } else { Color32::WHITE };
            painter.image(handle.id(), at, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), tint);
            pixels::draw(&painter, &shown, image, self.hides_values);
        }
        let hovered = pointer_over(ui, &response).map(|at| placement.to_data(at)).and_then(|[x, y]| {
            let inside = x >= 0.0 && y >= 0.0 && x < shape.columns as f64 && y < shape.rows as f64;
            inside.then_some([x as usize, y as usize])
        });
        CanvasResponse { frame: visible(&placement, shape, pixels_per_point), response, placement, hovered }
    }

    /// Moves and zooms as the pointer asks.
    fn interact(&mut self, ui: &Ui, response: &Response, rect: Rect, shape: Shape, fit: [f64; 2]) {
        let own = Navigation::of(response, !self.yields);
        own.paint(ui);
        let asked = own.with_axes(std::mem::take(&mut self.axes));
        if asked.resets {
            self.zoom = None;
        }
        // A fitted image is seen whole, and stays where it is.
        if asked.pan != egui::Vec2::ZERO
            && let Some(Zoom { factor, .. }) = self.zoom
        {
            let Placement { center, scale, .. } = self.placement(rect, shape, fit);
            let moved = [center[0] - f64::from(asked.pan.x) / scale[0], center[1] - f64::from(asked.pan.y) / scale[1]];
            self.zoom = Some(Zoom { factor, center: inside(moved, shape) });
        }
        let before = self.placement(rect, shape, fit);
        let known = self.zoom.map_or(1.0, |zoom| zoom.factor);
        if let Some((by, at)) = asked.zoom {
            let (fixed, factor, offset) = (before.to_data(at), clamped(known * f64::from(by), fit), at - rect.center());
            let center = [fixed[0] - f64::from(offset.x) / (fit[0] * factor), fixed[1] - f64::from(offset.y) / (fit[1] * factor)];
            self.zoom = (factor > 1.0).then_some(Zoom { factor, center: inside(center, shape) });
        }
        if let Some(part) = asked.boxed {
            let factor = clamped(known * f64::from((rect.width() / part.width()).min(rect.height() / part.height())), fit);
            self.zoom = (factor > 1.0).then_some(Zoom { factor, center: inside(before.to_data(part.center()), shape) });
        }
    }

    fn zoom_to(&mut self, zoom: ZoomTo, shape: Shape, fit: [f64; 2], pixels_per_point: f64) {
        let middle = [shape.columns as f64 / 2.0, shape.rows as f64 / 2.0];
        let Zoom { factor, center } = self.zoom.unwrap_or(Zoom { factor: 1.0, center: middle });
        let factor = match zoom {
            ZoomTo::Fit => 1.0,
            ZoomTo::Pixels => 1.0 / (fit[0] * pixels_per_point),
            ZoomTo::By(by) => clamped(factor * by, fit),
        };
        self.zoom = ((factor - 1.0).abs() > 1e-9).then_some(Zoom { factor, center });
    }

    fn placement(&self, canvas: Rect, shape: Shape, fit: [f64; 2]) -> Placement {
        let middle = [shape.columns as f64 / 2.0, shape.rows as f64 / 2.0];
        let Zoom { factor, center } = self.zoom.unwrap_or(Zoom { factor: 1.0, center: middle });
        Placement { canvas, center, scale: fit.map(|scale| scale * factor) }
    }

    /// Takes an image of data of this shape as the texture, which stays until another image comes.
    fn take(&mut self, ui: &Ui, name: &str, image: Option<&Arc<RenderedImage>>, shape: Shape) {
        let Some(image) = image.filter(|image| image.frame.width > 0 && image.frame.height > 0) else { return };
        if self.texture.as_ref().is_some_and(|shown| Arc::ptr_eq(&shown.image, image)) {
            return;
        }
        let colours = Arc::new(ColorImage::from_rgba_unmultiplied([image.frame.width, image.frame.height], &image.rgba));
        let handle = match self.texture.take() {
            Some(Shown { mut handle, .. }) => {
                handle.set(colours.clone(), TextureOptions::NEAREST);
                handle
            }
            None => ui.ctx().load_texture(name, colours.clone(), TextureOptions::NEAREST),
        };
        keep_pixels(ui, name, handle.id(), &colours);
        self.texture = Some(Shown { image: image.clone(), handle, shape });
    }
}

/// The pointer over a canvas, also over what lies on it, as a region does.
fn pointer_over(ui: &Ui, response: &Response) -> Option<Pos2> {
    ui.input(|input| input.pointer.hover_pos()).filter(|_| response.contains_pointer())
}

/// The height of a canvas of `width` points for an image of `shape`, at most `height` points.
pub(super) fn fitting_height(width: f32, height: f32, shape: Shape) -> f32 {
    let wanted = width * shape.rows as f32 / shape.columns.max(1) as f32;
    vec2(width, wanted).y.clamp(64.0_f32.min(height), height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::ImageRect as Part;

    const CANVAS: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(400.0, 200.0) };

    #[test]
    fn a_fitted_image_is_whole_and_in_the_middle() {
        let shape = Shape { rows: 512, columns: 512 };
        let placement = Canvas::default().placement(CANVAS, shape, fit(CANVAS, shape, None));
        assert_eq!(placement.whole(shape), Rect::from_min_max(pos2(100.0, 0.0), pos2(300.0, 200.0)));
        let frame = visible(&placement, shape, 1.0).expect("it is visible");
        assert_eq!((frame.width, frame.height), (200, 200), "a reduced image has the pixels of the screen");
        assert_eq!(frame.rect, Part { top: 0.0, left: 0.0, height: 512.0, width: 512.0 });
    }

    #[test]
    fn an_enlarged_image_has_the_pixels_of_the_data() {
        let shape = Shape { rows: 8, columns: 8 };
        let mut canvas = Canvas::default();
        canvas.zoom_to(ZoomTo::By(2.0), shape, fit(CANVAS, shape, None), 1.0);
        let placement = canvas.placement(CANVAS, shape, fit(CANVAS, shape, None));
        let frame = visible(&placement, shape, 1.0).expect("it is visible");
        assert_eq!((frame.rect.top, frame.rect.height, frame.height), (2.0, 4.0, 4));
        assert_eq!((frame.rect.left, frame.rect.width, frame.width), (0.0, 8.0, 8));
    }

    #[test]
    fn the_image_before_stays_in_its_scale_until_one_of_another_shape_comes() {
        let mut canvas = Canvas::default();
        let shapes = [8, 4096].map(|side| Shape { rows: side, columns: side });
        let frame = DisplayFrame { rect: Part { top: 0.0, left: 0.0, height: 8.0, width: 8.0 }, width: 8, height: 8 };
        let image = Arc::new(RenderedImage::new(frame, vec![255; 4 * 64], [0.0, 1.0]));
        // The largest rectangle is that of the texture, as the ground has a colour of its own.
        let widths = |shapes: &[egui::epaint::ClippedShape]| {
            let textured = shapes.iter().filter_map(|shape| match &shape.shape {
                egui::Shape::Rect(rect) if rect.brush.is_some() => Some(rect.rect.width()),
                egui::Shape::Mesh(mesh) => Some(mesh.calc_bounds().width()),
                _ => None,
            });
            textured.fold(0.0, f32::max)
        };
        let mut seen = Vec::new();
        let mut harness = egui_kittest::Harness::new_ui_state(
            |ui, (shape, image): &mut (Shape, Option<Arc<RenderedImage>>)| {
                canvas.ui(ui, "Test", CANVAS, *shape, image.as_ref(), false);
            },
            (shapes[0], Some(image)),
        );
        harness.run();
        seen.push(widths(&harness.output().shapes));
        *harness.state_mut() = (shapes[1], None);
        harness.run();
        seen.push(widths(&harness.output().shapes));
        assert_eq!(seen, [200.0, 200.0]);
    }

    #[test]
    fn long_rows_fill_the_canvas() {
        let shape = Shape { rows: 2, columns: 4096 };
        let placement = Canvas::default().placement(CANVAS, shape, fit(CANVAS, shape, None));
        assert_eq!(placement.whole(shape), CANVAS);
    }

    #[test]
    fn an_image_with_given_sides_has_these() {
        let shape = Shape { rows: 480, columns: 640 };
        let fit = fit(CANVAS, shape, Some([1.0, 1.0]));
        let whole = Canvas::default().placement(CANVAS, shape, fit).whole(shape);
        assert!((whole.width() - 200.0).abs() < 1e-3 && (whole.height() - 200.0).abs() < 1e-3, "{whole:?}");
    }

    #[test]
    fn screen_and_data_agree() {
        let shape = Shape { rows: 30, columns: 50 };
        let placement = Canvas::default().placement(CANVAS, shape, fit(CANVAS, shape, None));
        let [x, y] = placement.to_data(placement.to_screen([12.5, 7.25]));
        assert!((x - 12.5).abs() < 1e-4 && (y - 7.25).abs() < 1e-4);
    }
}

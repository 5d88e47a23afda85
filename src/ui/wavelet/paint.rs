//! The images and curves of the pane.

use crate::display::Colormap;
use crate::engine::wavelet::Pixels;
use crate::numerals::number;
use crate::ui::theme::Tokens;
use egui::{Color32, ColorImage, Rect, Role, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{GridMark, Line, Plot, PlotPoints};

/// The textures of the pane, kept so that an image is uploaded once.
#[derive(Default)]
pub(super) struct ImageTextures {
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
        let image =
            ColorImage::new([pixels.size[1], pixels.size[0]], pixels.entries.iter().map(|&entry| lut[usize::from(entry)]).collect());
        let options = TextureOptions { minification: egui::TextureFilter::Linear, ..TextureOptions::NEAREST };
        let texture = ui.ctx().load_texture(name, image, options);
        self.known.retain(|(known, ..)| *known != name);
        self.known.push((name, pixels.clone(), texture.clone()));
        texture
    }

    /// Paints a whole image into a rectangle; `name` is its accessible name.
    pub(super) fn image(&mut self, ui: &mut Ui, name: &'static str, rect: Rect, pixels: &Pixels, colormap: Colormap) -> egui::Response {
        let texture = self.texture(ui, name, pixels, colormap);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, Tokens::current(ui).hairline), StrokeKind::Outside);
        let response = ui.interact(rect, ui.scope_id().with(name), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
        response
    }
}

/// The largest rectangle with the proportions of an image, at the top left of an area.
pub(super) fn fitted(area: Rect, [rows, columns]: [usize; 2]) -> Rect {
    let scale = (area.width() / columns as f32).min(area.height() / rows as f32);
    Rect::from_min_size(area.min, vec2(columns as f32 * scale, rows as f32 * scale))
}

/// Plots curves over `n` samples; every entry of a curve is the smallest and the largest value of one pixel column.
pub(super) fn curves(ui: &mut Ui, name: &'static str, rect: Rect, n: usize, curves: &[(&str, &[[f64; 2]], Color32)]) {
    let tokens = Tokens::current(ui);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(name));
    let shown = Plot::new(name)
        .width(rect.width())
        .height(rect.height())
        .allow_scroll(false)
        .grid_color(tokens.hairline)
        .y_axis_formatter(|mark: GridMark, _| number(mark.value, 5))
        .x_axis_formatter(|mark: GridMark, _| number(mark.value, 5))
        .legend(egui_plot::Legend::default())
        .show(&mut child, |plot| {
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
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
}

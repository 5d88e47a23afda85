//! The painted pane as a figure: the same lines, texts and images, on paper.

use super::extent::{clipped, heights};
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Raster, Symbol, fitted, wrapped};
use crate::ui::theme::Tokens;
use egui::emath::{RectTransform, Rot2};
use egui::epaint::text::{Glyph, PlacedRow, TextFormat};
use egui::epaint::{ColorMode, Mesh, PathShape, RectShape, TextShape};
use egui::layers::ShapeIdx;
use egui::{Color32, ColorImage, Id, LayerId, Pos2, Rect, Shape, TextureId, Ui, Vec2, pos2, vec2};
use std::sync::Arc;

/// Room above the figure for its title, and for every note below it, in points.
const TITLE: f32 = 36.0;
const LINE: f32 = 15.0;
const MARGIN: f32 = 10.0;
/// Font sizes of the title and of the notes.
const TITLE_SIZE: f32 = 14.0;
const NOTE_SIZE: f32 = 11.0;

/// Pixels per point of an image whose own pixels are cut.
const FINER: f32 = 2.0;

/// Texts with more letters are sentences.
const MOST_CENTRED: usize = 14;

/// The figure of a pane while it paints.
#[derive(Clone)]
struct Begun {
    /// The first shape of the figure.
    layer: LayerId,
    first: ShapeIdx,
    /// Where it lies.
    area: Rect,
    title: Option<String>,
    notes: Vec<String>,
}

/// Says that the figure of the pane begins here: what is painted before, such as the toolbar, does not belong to it.
pub(crate) fn begin(ui: &Ui) {
    // Parts at the left of the figure, such as a column of choices, do not belong to it either.
    begin_in(ui, Rect::from_min_max(ui.cursor().min - vec2(MARGIN, 0.0), Pos2::new(f32::INFINITY, f32::INFINITY)));
}

/// As [`begin`], where controls surround the figure, too: it lies in `area`.
pub(crate) fn begin_in(ui: &Ui, area: Rect) {
    let (layer, first) = (ui.layer_id(), ui.painter().add(Shape::Noop));
    let before = begun(ui);
    let (title, notes) = before.map_or((None, Vec::new()), |before| (before.title, before.notes));
    ui.data_mut(|data| data.insert_temp(begin_id(), Some(Begun { layer, first, area, title, notes })));
}

/// Says of the figure what it does not show itself.
pub(crate) fn note(ui: &Ui, note: String) {
    change(ui, |begun| begun.notes.push(note));
}

/// Says what the figure shows, where that is not the result of the transform.
pub(crate) fn describe(ui: &Ui, title: String, notes: Vec<String>) {
    change(ui, |begun| (begun.title, begun.notes) = (Some(title), notes));
}

fn begun(ui: &Ui) -> Option<Begun> {
    ui.data(|data| data.get_temp::<Option<Begun>>(begin_id())).flatten()
}

fn change(ui: &Ui, change: impl FnOnce(&mut Begun)) {
    if let Some(mut begun) = begun(ui) {
        change(&mut begun);
        ui.data_mut(|data| data.insert_temp(begin_id(), Some(begun)));
    }
}

/// Keeps the pixels of a texture, so that figures can hold them; a texture of the same name replaces it.
pub(crate) fn keep_pixels(ui: &Ui, name: &str, texture: TextureId, image: &Arc<ColorImage>) {
    let (names, pixels) = (Id::unique(("texture", name.to_owned())), |texture: TextureId| Id::unique(("pixels", texture)));
    ui.data_mut(|data| {
        if let Some(old) = data.get_temp::<TextureId>(names) {
            data.remove::<Arc<ColorImage>>(pixels(old));
        }
        data.insert_temp(names, texture);
        data.insert_temp(pixels(texture), image.clone());
    });
}

fn begin_id() -> Id {
    Id::unique("begin of the figure")
}

/// Forgets the figure of the pane before.
pub(crate) fn forget(ui: &Ui) {
    ui.data_mut(|data| data.insert_temp::<Option<Begun>>(begin_id(), None));
}

/// The figure that the pane has painted since [`begin`] within `pane`; `None` where it has none.
/// `title` and `notes` are those of the result, in whose place the pane may have its own; `name` is that of the pane.
pub(crate) fn figure(ui: &Ui, pane: Rect, name: &str, (title, notes): (String, Vec<String>)) -> Option<Figure> {
    let begun = begun(ui)?;
    let area = pane.intersect(begun.area);
    let shapes: Vec<_> =
        ui.ctx().graphics(|all| all.get(begun.layer).map(|list| list.all_entries().skip(begun.first.0).cloned().collect()))?;
    let of_result = if begun.title.is_some() { Vec::new() } else { notes };
    let title = format!("{name}: {}", begun.title.unwrap_or(title));
    let first = format!("{name} by Papillon {}", env!("CARGO_PKG_VERSION"));
    let notes: Vec<String> = std::iter::once(first).chain(of_result).chain(begun.notes).collect();
    let width = area.width() + 2.0 * MARGIN;
    let notes: Vec<String> = notes.iter().flat_map(|note| wrapped(note, NOTE_SIZE, area.width())).collect();
    let to_figure = pos2(MARGIN, TITLE) - area.min;
    let mut paper = Paper { marks: Vec::new(), n_tints: 0, ui, to_figure, clip: area };
    for shape in &shapes {
        paper.clip = shape.clip_rect.intersect(area);
        paper.shape(&shape.shape);
    }
    // A tall pane leaves room above and below what it shows.
    let ends = paper.marks.iter().map(heights).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let [top, bottom] = ends.unwrap_or([TITLE, TITLE + area.height()]);
    let mut marks: Vec<Mark> = paper.marks.into_iter().map(|mark| mark.placed(|[x, y]| [x, y + TITLE - top])).collect();
    let line = |y: f32, size: f32, text: &str, ink| Mark::text([MARGIN, y], Anchor::Left, size, text, ink);
    marks.push(line(0.5 * TITLE, TITLE_SIZE, &fitted(&title, TITLE_SIZE, area.width()), Ink::Text));
    let below = TITLE + bottom - top + LINE;
    marks.extend(notes.iter().enumerate().map(|(index, note)| line(below + LINE * index as f32, NOTE_SIZE, note, Ink::Weak)));
    Some(Figure { size: [width, below + LINE * notes.len() as f32], title, marks, sheets: 1 })
}

/// A sheet of paper on which shapes of the window become marks.
struct Paper<'a> {
    marks: Vec<Mark>,
    /// The first marks are tints.
    n_tints: usize,
    ui: &'a Ui,
    to_figure: Vec2,
    clip: Rect,
}

impl Paper<'_> {
    fn at(&self, at: Pos2) -> Position {
        let at = at + self.to_figure;
        [at.x, at.y]
    }

    /// The colours of the window as those of paper; the data keep theirs.
    fn ink(&self, color: Color32) -> Option<Ink> {
        let tokens = Tokens::current(self.ui);
        let known = [
            (tokens.text, Ink::Text),
            (tokens.weak, Ink::Weak),
            (tokens.hairline, Ink::Grid),
            (tokens.rule, Ink::Rule),
            (tokens.error, Ink::Error),
            (tokens.line, Ink::Line),
            (tokens.warning, Ink::Peak),
            (tokens.pane, Ink::Ground),
            (tokens.well, Ink::Ground),
            (tokens.raised, Ink::Grid),
            (tokens.selected, Ink::Grid),
            (tokens.ground, Ink::Ground),
        ];
        if color.a() == 0 {
            return None;
        }
        let known = known.iter().find(|(token, _)| *token == color).map(|(_, ink)| *ink);
        Some(known.unwrap_or_else(|| {
            let [red, green, blue, alpha] = color.to_srgba_unmultiplied();
            let on_white = |part: u8| ((u32::from(part) * u32::from(alpha) + 255 * (255 - u32::from(alpha))) / 255) as u8;
            Ink::Rgb([red, green, blue].map(on_white))
        }))
    }

    fn fill(&mut self, rect: Rect, color: Color32) {
        let rect = rect.intersect(self.clip);
        let Some(ink) = self.ink(color).filter(|_| rect.is_positive()) else { return };
        let fill = Mark::Fill { corners: [self.at(rect.min), self.at(rect.max)], ink };
        if color.a() == u8::MAX {
            return self.marks.push(fill);
        }
        // On paper nothing shines through: what tints others lies below them, or is left out over an image.
        let hides = |mark: &Mark| matches!(mark, Mark::Image { corners, .. } if self.to_screen(*corners).intersects(rect));
        if !self.marks.iter().any(hides) {
            self.marks.insert(self.n_tints, fill);
            self.n_tints += 1;
        }
    }

    fn to_screen(&self, [from, to]: [Position; 2]) -> Rect {
        Rect::from_min_max(Pos2::from(from) - self.to_figure, Pos2::from(to) - self.to_figure)
    }

    /// The parts of a polyline that can be seen, as one mark together with what the same pen has drawn just before.
    fn line(&mut self, points: &[Pos2], closed: bool, width: f32, color: Color32) {
        let Some(ink) = self.ink(color).filter(|_| width > 0.0) else { return };
        let back = (closed && points.len() > 2).then(|| [points[points.len() - 1], points[0]]);
        let pairs = points.windows(2).map(|ends| [ends[0], ends[1]]).chain(back);
        let seen: Vec<_> = pairs.filter_map(|ends| clipped(ends, self.clip)).map(|ends| ends.map(|end| self.at(end))).collect();
        let pen = Pen::solid(ink, width);
        let before = self.marks.pop_if(|mark| matches!(mark, Mark::Lines { pen: other, .. } if *other == pen));
        let mut lines = if let Some(Mark::Lines { lines, .. }) = before { lines } else { Vec::new() };
        for [from, to] in seen {
            match lines.last_mut().filter(|line| line.last() == Some(&from)) {
                Some(line) => line.push(to),
                None => lines.push(vec![from, to]),
            }
        }
        if !lines.is_empty() {
            self.marks.push(Mark::Lines { lines, pen });
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::LineSegment { points, stroke } => self.line(points, false, stroke.width, stroke.color),
            Shape::Circle(circle) if self.clip.contains(circle.center) => {
                let at = self.at(circle.center);
                for (color, symbol) in [(circle.fill, Symbol::Disc), (circle.stroke.color, Symbol::Ring)] {
                    let is_painted = symbol == Symbol::Disc || circle.stroke.width > 0.0;
                    if let Some(ink) = self.ink(color).filter(|_| is_painted) {
                        self.marks.push(Mark::Symbol { at, symbol, radius: circle.radius, ink });
                    }
                }
            }
            Shape::Path(path) => self.path(path),
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            _ => {}
        }
    }

    fn path(&mut self, PathShape { points, closed, fill, stroke }: &PathShape) {
        let is_inside = points.iter().all(|point| self.clip.expand(1.0).contains(*point));
        if let Some(ink) = self.ink(*fill).filter(|_| *closed && is_inside) {
            self.marks.push(Mark::Polygon { points: points.iter().map(|point| self.at(*point)).collect(), ink });
        }
        if let ColorMode::Solid(color) = &stroke.color {
            self.line(points, *closed, stroke.width, *color);
        }
    }

    fn rect(&mut self, shape: &RectShape) {
        match &shape.brush {
            Some(brush) => self.image(shape.rect, brush.uv, brush.fill_texture_id),
            None => self.fill(shape.rect, shape.fill),
        }
        let [a, b] = [shape.rect.min, shape.rect.max];
        self.line(&[a, pos2(b.x, a.y), b, pos2(a.x, b.y)], true, shape.stroke.width, shape.stroke.color);
    }

    /// Rectangles of colours, and images.
    fn mesh(&mut self, mesh: &Mesh) {
        for corners in mesh.vertices.chunks_exact(4) {
            let (first, last) = (corners[0], corners[3]);
            let rect = Rect::from_two_pos(first.pos, last.pos);
            if mesh.texture_id == TextureId::default() {
                // Neighbouring colours of a bar leave no gap.
                self.fill(rect.expand2(vec2(0.0, 0.2)), first.color);
            } else {
                self.image(rect, Rect::from_min_max(first.uv, last.uv), mesh.texture_id);
            }
        }
    }

    /// The part of an image that can be seen. Where an edge cuts its pixels, smaller pixels are in their place.
    fn image(&mut self, rect: Rect, uv: Rect, texture: TextureId) {
        let Some(image) = self.ui.data(|data| data.get_temp::<Arc<ColorImage>>(Id::unique(("pixels", texture)))) else { return };
        let seen = rect.intersect(self.clip);
        if !seen.is_positive() {
            return;
        }
        let [width, height] = image.size;
        let (to_uv, pixels) = (RectTransform::from_to(rect, uv), vec2(width as f32, height as f32));
        let of = Rect::from_min_max(to_uv.transform_pos(seen.min), to_uv.transform_pos(seen.max));
        let (low, high) = (of.min.to_vec2() * pixels, of.max.to_vec2() * pixels);
        let steps = |low: f32, high: f32, points: f32| {
            let is_whole = [low, high].iter().all(|edge| (edge - edge.round()).abs() < 1e-2);
            let n = if is_whole { high - low } else { (FINER * points).max(high - low) }.round().max(1.0);
            (0..n as usize).map(move |index| low + (high - low) * (index as f32 + 0.5) / n)
        };
        let inside = |at: f32, n: usize| (at.max(0.0) as usize).min(n - 1);
        let columns: Vec<usize> = steps(low.x, high.x, seen.width()).map(|x| inside(x, width)).collect();
        let rows: Vec<usize> = steps(low.y, high.y, seen.height()).map(|y| inside(y, height)).collect();
        let shown = rows.iter().flat_map(|row| columns.iter().map(move |column| row * width + column)).map(|index| image.pixels[index]);
        // A transparent pixel has no value.
        let rgb = shown.flat_map(|pixel| if pixel.a() == 0 { [255; 3] } else { [pixel.r(), pixel.g(), pixel.b()] }).collect();
        let raster = Raster { size: [columns.len(), rows.len()], rgb: Arc::new(rgb) };
        self.marks.push(Mark::Image { corners: [self.at(seen.min), self.at(seen.max)], raster });
    }

    /// The words of a text, one mark for each line, colour and size.
    fn text(&mut self, text: &TextShape) {
        let (job, mut byte) = (&text.galley.job, 0);
        for row in &text.galley.rows {
            let mut sections = Vec::new();
            for glyph in &row.glyphs {
                sections.push(job.sections.iter().position(|section| byte < section.byte_range.end.0).unwrap_or(job.sections.len() - 1));
                byte += glyph.chr.len_utf8();
            }
            byte += usize::from(row.ends_with_newline);
            let mut start = 0;
            for run in sections.chunk_by(|a, b| a == b) {
                self.words(text, row, &row.glyphs[start..start + run.len()], &job.sections[run[0]].format);
                start += run.len();
            }
        }
    }

    fn words(&mut self, text: &TextShape, row: &PlacedRow, glyphs: &[Glyph], format: &TextFormat) {
        let (first, last) = (&glyphs[0], &glyphs[glyphs.len() - 1]);
        let words: String = glyphs.iter().map(|glyph| glyph.chr).collect();
        let own = if format.color == Color32::PLACEHOLDER { text.fallback_color } else { format.color };
        // Other fonts are wider: a sentence begins where it begins here, a short label keeps its middle.
        let is_long = text.angle == 0.0 && glyphs.len() > MOST_CENTRED;
        let (anchor, x) = match is_long {
            true => (Anchor::Left, first.pos.x),
            false => (Anchor::Centre, 0.5 * (first.pos.x + last.pos.x + last.advance_width)),
        };
        let middle = row.pos.to_vec2() + vec2(x, 0.5 * row.height());
        let at = text.pos + Rot2::from_angle(text.angle) * middle;
        // Icons belong to controls.
        let is_icon = words.chars().any(|letter| ('\u{e000}'..='\u{f8ff}').contains(&letter));
        let ink = self.ink(text.override_text_color.unwrap_or(own));
        if let Some(ink) = ink.filter(|_| self.clip.contains(at) && !is_icon && !words.trim().is_empty()) {
            let (at, size, upwards) = (self.at(at), format.font_id.size, text.angle != 0.0);
            self.marks.push(Mark::Text { at, anchor, size, text: words, ink, upwards });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_ends_at_the_edge_and_a_tint_lies_below() {
        let image = Arc::new(ColorImage::from_rgb([2, 1], &[255, 0, 0, 0, 0, 255]));
        let mut harness = egui_kittest::Harness::new_ui_state(
            |ui, painted: &mut Option<Figure>| {
                let texture = ui.ctx().load_texture("two pixels", image.clone(), egui::TextureOptions::NEAREST);
                keep_pixels(ui, "two pixels", texture.id(), &image);
                forget(ui);
                let area = Rect::from_min_size(pos2(10.0, 10.0), vec2(100.0, 50.0));
                begin_in(ui, area);
                note(ui, "a note".into());
                let painter = ui.painter().with_clip_rect(area);
                // Its second pixel is cut after a quarter.
                let at = Rect::from_min_size(area.min, vec2(160.0, 25.0));
                painter.image(texture.id(), at, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
                for tinted in [at, area.with_min_y(40.0)] {
                    painter.rect_filled(tinted, 0.0, Color32::from_black_alpha(40));
                }
                *painted = figure(ui, area, "Pane", ("a result".into(), vec!["a run".into()]));
            },
            None,
        );
        harness.run_steps(2);
        let marks = &harness.state().as_ref().expect("it was painted").marks;
        assert!(
            matches!(marks[0], Mark::Fill { corners: [[10.0, 66.0], [110.0, 86.0]], .. }),
            "the tint over the image is left out: {marks:?}"
        );
        let Mark::Image { corners, raster } = &marks[1] else { panic!("{marks:?}") };
        assert_eq!((*corners, raster.size), ([[10.0, 36.0], [110.0, 61.0]], [200, 1]));
        assert_eq!([159, 160].map(|pixel| [raster.rgb[3 * pixel], raster.rgb[3 * pixel + 2]]), [[255, 0], [0, 255]]);
        let texts = marks.iter().filter_map(|mark| if let Mark::Text { text, .. } = mark { Some(text.as_str()) } else { None });
        let texts = texts.collect::<Vec<_>>().join(" ");
        assert!(texts.starts_with("Pane: a result Pane by Papillon ") && texts.ends_with(" a run a note"), "{texts}");
    }
}

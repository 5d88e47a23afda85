//! A figure as a page of PDF, as large as the figure, with vectors for lines and texts, and the used characters of its fonts and its images inside.

use super::page_font::PageFont;
use super::text::{FONTS, font_of, placed_runs, width_of_run};
use super::{Figure, FigureError, Ink, Mark, Pen, Position, Raster, SymbolShape};
use flate2::{Compress, Compression, FlushCompress, Status};
use pdf_writer::types::LineCapStyle;
use pdf_writer::writers::Resources;
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};

/// Control points of a quarter of a circle, relative to its radius.
const QUARTER: f32 = 0.5523;
/// The first of the objects of images.
const FIRST_IMAGE: i32 = 100_000;
/// The number before the objects of further sheets.
const FIRST_SHEET: i32 = 1000;

/// The bytes of the file.
pub(super) fn write(figure: &Figure) -> Result<Vec<u8>, FigureError> {
    let mut content = Content::new();
    content.set_line_cap(LineCapStyle::ButtCap);
    let mut page = Page { content, height: figure.size[1], fonts: FONTS.each_ref().map(PageFont::new), images: Vec::new() };
    figure.marks.iter().for_each(|mark| page.mark(mark));
    Ok(page.finish(figure))
}

/// A page while it is drawn. Its own coordinates grow upwards.
struct Page<'a> {
    content: Content,
    height: f32,
    fonts: [PageFont; 2],
    images: Vec<&'a Raster>,
}

impl<'a> Page<'a> {
    fn mark(&mut self, mark: &'a Mark) {
        match mark {
            Mark::Fill { corners: [[left, top], [right, bottom]], ink } => {
                self.fill(*ink, &[[*left, *top], [*right, *top], [*right, *bottom], [*left, *bottom]]);
            }
            Mark::Frame { corners, radius, pen } => {
                self.pen(*pen);
                self.rounded(*corners, *radius);
                self.content.stroke();
            }
            Mark::Lines { lines, pen } => self.stroke(lines, *pen),
            Mark::Image { corners, raster } => self.image(*corners, raster),
            Mark::Polygon { points, ink } => self.fill(*ink, points),
            Mark::Symbol { at, symbol, radius, ink } => match symbol.shape(*at, *radius, *ink) {
                SymbolShape::Disc => {
                    self.ink(*ink);
                    self.rounded(square(*at, *radius), *radius);
                    self.content.fill_nonzero();
                }
                SymbolShape::Ring(pen) => {
                    self.pen(pen);
                    self.rounded(square(*at, *radius), *radius);
                    self.content.stroke();
                }
                SymbolShape::Polygon(corners) => self.fill(*ink, &corners),
                SymbolShape::Strokes(lines, pen) => self.stroke(&lines, pen),
            },
            Mark::Text { at, anchor, size, text, ink, upwards } => {
                self.ink(*ink);
                for run in placed_runs(text, *size, *at, *anchor, *upwards) {
                    self.write(&run.text, run.size, run.at, *upwards);
                }
            }
        }
    }

    /// A point on the page.
    fn at(&self, [x, y]: Position) -> Position {
        [x, self.height - y]
    }

    /// Begins a path through points.
    fn path(&mut self, points: &[Position]) {
        for (index, &point) in points.iter().enumerate() {
            let [x, y] = self.at(point);
            if index == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
    }

    /// Begins the outline of a box with round corners.
    fn rounded(&mut self, [from, to]: [Position; 2], radius: f32) {
        let ([left, top], [right, bottom]) = (self.at(from), self.at(to));
        let (r, k) = (radius, radius * (1.0 - QUARTER));
        self.content
            .move_to(left + r, bottom)
            .line_to(right - r, bottom)
            .cubic_to(right - k, bottom, right, bottom + k, right, bottom + r)
            .line_to(right, top - r)
            .cubic_to(right, top - k, right - k, top, right - r, top)
            .line_to(left + r, top)
            .cubic_to(left + k, top, left, top - k, left, top - r)
            .line_to(left, bottom + r)
            .cubic_to(left, bottom + k, left + k, bottom, left + r, bottom)
            .close_path();
    }

    fn fill(&mut self, ink: Ink, points: &[Position]) {
        self.ink(ink);
        self.path(points);
        self.content.fill_nonzero();
    }

    fn stroke(&mut self, lines: &[Vec<Position>], pen: Pen) {
        self.pen(pen);
        lines.iter().for_each(|line| self.path(line));
        self.content.stroke();
    }

    /// The colour of areas and texts.
    fn ink(&mut self, ink: Ink) {
        let [r, g, b] = ink.on_paper().map(|level| f32::from(level) / 255.0);
        self.content.set_fill_rgb(r, g, b);
    }

    /// The colour, the width and the dashes of lines.
    fn pen(&mut self, Pen { ink, width, dash }: Pen) {
        let [r, g, b] = ink.on_paper().map(|level| f32::from(level) / 255.0);
        self.content.set_stroke_rgb(r, g, b).set_line_width(width).set_dash_pattern(dash.iter().copied(), 0.0);
    }

    /// Draws an image; its pixels keep sharp edges.
    fn image(&mut self, [from, to]: [Position; 2], raster: &'a Raster) {
        let ([left, top], [right, bottom]) = (self.at(from), self.at(to));
        let name = image_name(self.images.len());
        self.images.push(raster);
        self.content.save_state().transform([right - left, 0.0, 0.0, top - bottom, left, bottom]);
        self.content.x_object(Name(name.as_bytes())).restore_state();
    }

    /// Writes characters from the left end of a baseline; `upwards` turns them by a quarter.
    fn write(&mut self, text: &str, size: f32, at: Position, upwards: bool) {
        let ([x, y], mut along) = (self.at(at), 0.0);
        let placed: Vec<(usize, char)> = text.chars().map(|c| (font_of(c), c)).collect();
        for part in placed.chunk_by(|a, b| a.0 == b.0) {
            let font = &mut self.fonts[part[0].0];
            let numbers: Vec<u8> = part.iter().flat_map(|&(_, c)| font.number(c).to_be_bytes()).collect();
            let matrix = if upwards { [0.0, 1.0, -1.0, 0.0, x, y + along] } else { [1.0, 0.0, 0.0, 1.0, x + along, y] };
            self.content.begin_text().set_font(Name(font.name()), size).set_text_matrix(matrix).show(Str(&numbers)).end_text();
            along += width_of_run(&part.iter().map(|&(_, c)| c).collect::<String>(), size);
        }
    }

    /// The bytes of the file.
    fn finish(self, figure: &Figure) -> Vec<u8> {
        let Self { content, fonts, images, .. } = self;
        let [catalog, pages, stream, info] = [1, 2, 4, 5].map(Ref::new);
        let [width, height] = figure.size;
        let used: Vec<_> = fonts.iter().enumerate().filter(|(_, font)| font.is_used()).collect();
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        // Every sheet is a window on the same content.
        let n = figure.sheets.max(1) as i32;
        let sheets: Vec<Ref> = (0..n).map(|sheet| Ref::new(if sheet == 0 { 3 } else { FIRST_SHEET + sheet })).collect();
        pdf.pages(pages).kids(sheets.iter().copied()).count(n);
        pdf.document_info(info).title(TextStr(&figure.title)).creator(TextStr("Papillon"));
        for (index, sheet) in sheets.into_iter().enumerate() {
            let [above, below] = [index, index + 1].map(|sheets| height - height * sheets as f32 / n as f32);
            let mut object = pdf.page(sheet);
            object.parent(pages).media_box(Rect::new(0.0, below, width, above)).contents(stream);
            name_resources(&mut object.resources(), &used, images.len());
        }
        pdf.stream(stream, &deflated(&content.finish())).filter(Filter::FlateDecode);
        for (number, font) in used {
            font.embed(&mut pdf, font_ref(number));
        }
        images.iter().enumerate().for_each(|(index, raster)| embed_image(&mut pdf, image_ref(index), raster));
        pdf.finish()
    }
}

/// Names the fonts and the images of a page.
fn name_resources(resources: &mut Resources<'_>, fonts: &[(usize, &PageFont)], n_images: usize) {
    let mut named = resources.fonts();
    for (number, font) in fonts {
        named.pair(Name(font.name()), font_ref(*number));
    }
    named.finish();
    if n_images > 0 {
        let mut named = resources.x_objects();
        (0..n_images).for_each(|index| {
            named.pair(Name(image_name(index).as_bytes()), image_ref(index));
        });
    }
}

fn square([x, y]: Position, radius: f32) -> [Position; 2] {
    [[x - radius, y - radius], [x + radius, y + radius]]
}

fn image_name(index: usize) -> String {
    format!("Image{index}")
}

fn image_ref(index: usize) -> Ref {
    Ref::new(FIRST_IMAGE + index as i32)
}

/// The first of the objects of a font.
fn font_ref(number: usize) -> Ref {
    Ref::new(10 * (number as i32 + 1))
}

fn embed_image(pdf: &mut Pdf, at: Ref, Raster { size: [columns, rows], rgb }: &Raster) {
    let bytes = deflated(rgb);
    let mut image = pdf.image_xobject(at, &bytes);
    image.filter(Filter::FlateDecode);
    image.width(*columns as i32).height(*rows as i32).bits_per_component(8);
    image.color_space().device_rgb();
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    // Incompressible bytes grow by a few for every block.
    let mut deflated = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 256);
    let mut compress = Compress::new(Compression::default(), true);
    let status = compress.compress_vec(bytes, &mut deflated, FlushCompress::Finish).expect("a fresh stream takes any bytes");
    assert_eq!(status, Status::StreamEnd, "{} bytes fit", bytes.len());
    deflated
}

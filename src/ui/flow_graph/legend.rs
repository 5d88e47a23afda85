//! The legend of the flow graph: a column beside it that also holds the card of a node, or a line above it where the pane is narrow.

use super::card;
use super::content::GraphContent;
use super::paint::GraphPainter;
use crate::graph::{EdgeStyle, GraphDrawing};
use crate::plan::{Coef, Ring};
use crate::ui::theme::Tokens;
use egui::{Label, Rect, RichText, ScrollArea, Sense, TextStyle, Ui, UiBuilder, vec2};

/// The width of the column, in points.
const WIDTH: f32 = 248.0;
/// The least width that the graph keeps beside the column, in points.
const LEAST_WIDTH_OF_GRAPH: f32 = 480.0;

/// The column at the right of the area; nothing where the graph would become too narrow.
pub(super) fn column(area: Rect) -> Rect {
    if area.width() < LEAST_WIDTH_OF_GRAPH + WIDTH { Rect::NOTHING } else { area.with_min_x(area.right() - WIDTH) }
}

/// Shows the legend and, below it, the card of the node that the user asks about.
pub(super) fn column_ui(ui: &mut Ui, graph: &GraphPainter<'_>, is_pinned: bool, lines: Vec<String>) {
    ScrollArea::vertical().id_salt("legend and node").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(WIDTH);
        card::ui(ui, graph, graph.cone.map(|cone| cone.node), is_pinned);
        ui.separator();
        for text in lines {
            ui.add(Label::new(RichText::new(text).color(graph.colors.weak).small()).wrap());
        }
    });
}

/// Shows the legend in a few lines above the graph, or in their place the card of the node that the user asks about.
pub(super) fn line_ui(ui: &mut Ui, lines: &[String], card: Option<String>) {
    let (tokens, font) = (Tokens::current(ui), TextStyle::Body.resolve(ui.style()));
    let laid_out = |text: String, color| ui.painter().layout(text, font.clone(), color, ui.available_width());
    let legend = laid_out(lines.join("   ·   "), tokens.weak);
    // The graph below stays where it is.
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), legend.size().y), Sense::hover());
    match card {
        Some(card) => {
            let mut place = ui.new_child(UiBuilder::new().max_rect(rect));
            place.set_clip_rect(rect.intersect(ui.clip_rect()));
            place.label(card);
        }
        None => drop(ui.put(rect, Label::new(legend))),
    }
}

/// The meaning of the frame of a tile.
const TILE: &str = "dashed frame: tile, the lanes of one workgroup";

/// The legend with what a frame adds to `texts`: why the algorithm was chosen, and the meaning of frames and their tint.
pub(super) fn lines(texts: &[String], drawing: &GraphDrawing, content: &GraphContent<'_>) -> Vec<String> {
    let why = (!content.why.is_empty()).then(|| format!("Automatic: {}", content.why));
    let has_tint = content.launch_micros.is_some() && drawing.frames.len() > 1;
    let frame = match (content.hidden.frames, has_tint) {
        (true, _) => "frames of launches: hidden until you have answered the question of the lesson",
        (false, true) => "frame: launch, tinted by its time",
        (false, false) => "frame: launch",
    };
    let frame = (!drawing.frames.is_empty()).then(|| frame.to_owned());
    let texts = texts.iter().filter(|text| !content.hidden.frames || *text != TILE);
    why.into_iter().chain(texts.cloned()).chain(frame).collect()
}

/// The legend of the lines and frames of a drawing.
pub(super) fn texts(drawing: &GraphDrawing) -> Vec<String> {
    let has = |style: EdgeStyle| drawing.edges.iter().any(|edge| edge.style() == style);
    let mut texts = drawing.definitions();
    texts.extend(drawing.taps().into_iter().map(|(k, text)| format!("{}: {text}", ["solid", "dashed", "dotted", "dash-dotted"][k])));
    let eliminates = drawing.request.plan.ring == Ring::Equation;
    let has_maps = drawing.request.plan.has_maps();
    let optional = [
        (has_maps, "edge: reads a map that is applied next, or a reduced equation that is eliminated from the one at its end"),
        (eliminates && !has_maps, "edge: reads a reduced equation, and eliminates it from the one at its end"),
        (!eliminates && has(EdgeStyle::Solid), "solid: ×1"),
        (has(EdgeStyle::Dashed), "dashed: ×(−1)"),
        (has(EdgeStyle::Other), "dotted or coloured: another coefficient"),
        (drawing.results.iter().any(|result| result.factor != Coef::ONE), "before a node: its factor"),
        (drawing.has_sections(), "blue: split, computed by a tile alone"),
        (drawing.has_sections(), "orange: merge, computed at the boundaries of tiles"),
        (!drawing.tiles.is_empty(), TILE),
    ];
    texts.extend(optional.into_iter().filter(|(shown, _)| *shown).map(|(_, text)| text.to_owned()));
    texts
}

//! The tree of packets of a row: select, split and merge blocks, take the best basis, reconstruct, read statistics.

use crate::display::Colormap;
use crate::engine::curve;
use crate::engine::wavelet::Packets;
use crate::numerals::{integer, number};
use crate::ui::pictures::curves;
use crate::ui::settings::WaveletLook;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets::{self, labelled};
use crate::wavelet::{Cost, Node, Tree};
use egui::{Align2, Button, Color32, FontId, Rect, Response, Role, Sense, Slider, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, vec2};
use std::sync::Arc;

/// The most levels of a tree.
const MOST_LEVELS: u32 = 6;
/// A block shows its path from this width on, in points; deeper blocks need more.
const LEAST_WIDTH_WITH_PATH: f32 = 30.0;

/// The choices of tree, levels and cost, and the buttons that change the tree.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, look: &mut WaveletLook, seen: Option<&Packets>) {
    let levels = seen.map_or(look.packet_levels, |seen| seen.tree.levels());
    bar.item("tree", |ui| tree_choice_ui(ui, look, levels));
    bar.item("levels", |ui| {
        ui.spacing_mut().slider_width = 64.0;
        if labelled(ui, "Levels", |ui| ui.add(Slider::new(&mut look.packet_levels, 0..=MOST_LEVELS))).changed() {
            (look.tree, look.node) = (None, None);
        }
    });
    let costs = [
        (Cost::Shannon, "Shannon", "Entropy −Σ p·ln p of the shares in the energy"),
        (Cost::LogEnergy, "Log energy", "Σ ln x²"),
        (Cost::Threshold(limit(look.cost)), "Threshold", "The number of magnitudes above a value"),
        (Cost::L1, "l1", "Σ |x|"),
    ];
    bar.item("cost", |ui| {
        let shown = costs.iter().find(|(cost, ..)| *cost == look.cost).map_or("", |(_, title, _)| title);
        let choices = costs.map(|(cost, title, about)| (cost, title.to_owned(), about.to_owned()));
        labelled(ui, "Cost", |ui| widgets::combo_of_width(ui, "Cost", 88.0, shown, &mut look.cost, choices))
            .on_hover_text("The best basis has the smallest sum of this over its blocks");
        if let Cost::Threshold(value) = &mut look.cost {
            labelled(ui, "Above", |ui| ui.add(egui::DragValue::new(value).speed(0.1).range(0.0..=1e9).max_decimals(4)));
        }
    });
    let selected = seen.and_then(|seen| Some((&seen.tree, look.node.filter(|node| seen.tree.reaches(*node))?)));
    let mut tree_button = |bar: &mut Toolbar<'_>, name: &'static str, about: &str, change: fn(&mut Tree, Node), can: bool| {
        bar.item(name, |ui| {
            let button = ui.add_enabled(can, Button::new(name)).on_hover_text(about);
            let clicked = button.on_disabled_hover_text(format!("{about}: select one in the tree first")).clicked();
            if let Some((tree, node)) = selected.filter(|_| clicked) {
                let mut tree = tree.clone();
                change(&mut tree, node);
                look.tree = Some(tree);
            }
        });
    };
    let can_split = selected.is_some_and(|(tree, node)| tree.is_leaf(node) && node.level < tree.levels());
    let can_merge = selected.is_some_and(|(tree, node)| tree.is_split(node));
    tree_button(bar, "Split", "Halves the selected block", Tree::split, can_split);
    tree_button(bar, "Merge", "Joins the two halves of the selected block", Tree::merge, can_merge);
    bar.item("alone", |ui| {
        let has_node = look.node.is_some();
        let about = "Rebuilds the row with all other coefficients set to zero; the blocks of a level add up to the row";
        ui.add_enabled_ui(has_node, |ui| {
            let toggle = widgets::toggle(ui, &mut look.alone, "Alone");
            let name = "Reconstruct the selected block alone";
            toggle.widget_info(|| WidgetInfo::selected(Role::Button, has_node, look.alone, name));
            toggle.on_hover_text(format!("{name}. {about}")).on_disabled_hover_text("Select a block of the tree first");
        });
    });
}

/// The choice of the tree: the best basis follows the signal, the others stay as they are.
fn tree_choice_ui(ui: &mut Ui, look: &mut WaveletLook, levels: u32) {
    let trees = [
        (None, "Best basis", "The tree with the cheapest leaves; it follows the signal"),
        (Some(Tree::new(levels, |_| true)), "Full tree", "Halves every block"),
        (Some(Tree::new(levels, |node| node.block == 0)), "Wavelet tree", "Halves only the low-pass blocks"),
    ];
    let shown = trees.iter().find(|(tree, ..)| *tree == look.tree).map_or("Own tree", |(_, title, _)| title);
    let choices = trees.into_iter().map(|(tree, title, about)| (tree, title.to_owned(), about.to_owned()));
    widgets::combo_of_width(ui, "Tree", 104.0, shown, &mut look.tree, choices)
        .on_hover_text("Which blocks are halved; click a block to split or merge it by hand");
}

/// The limit of the cost *Threshold*, or 1 for other costs.
fn limit(cost: Cost) -> f64 {
    if let Cost::Threshold(value) = cost { value } else { 1.0 }
}

/// The curves of packets and of a block, kept from frame to frame, since a row may have millions of samples.
#[derive(Default)]
pub(super) struct PacketCurves {
    /// The source of the curves.
    of: Option<(Arc<Packets>, Option<Node>)>,
    row: Vec<[f64; 2]>,
    block: Vec<[f64; 2]>,
}

impl PacketCurves {
    /// Makes the curves where the packets or the block are others.
    fn update(&mut self, seen: &Arc<Packets>, node: Option<Node>) {
        let known = self.of.take().filter(|(packets, _)| Arc::ptr_eq(packets, seen));
        if known.is_none() {
            self.row = curve(&seen.line);
        }
        if known.is_none_or(|(_, of)| of != node) {
            self.block = node.map(|node| curve(node.of(&seen.coefs))).unwrap_or_default();
        }
        self.of = Some((seen.clone(), node));
    }
}

/// Shows the tree, the statistics of the selected block, and the curves.
pub(super) fn ui(ui: &mut Ui, look: &mut WaveletLook, seen: &Arc<Packets>, kept: &mut PacketCurves, read_out: &mut String) {
    let [cost, whole] = seen.costs;
    let left = if seen.n_left > 0 {
        format!("; the last {} samples are left out, because every level halves the length", integer(seen.n_left))
    } else {
        String::new()
    };
    let n = seen.coefs[0].len();
    let row = match seen.row {
        [_, 1] => String::new(),
        [row, of] => format!("Row {} of {}: ", integer(row), integer(of)),
    };
    widgets::weak(
        ui,
        format!(
            "{row}{} samples in {} blocks; cost {}, unsplit {}{left}",
            integer(n),
            seen.tree.leaves().len(),
            number(cost, 5),
            number(whole, 5)
        ),
    );
    let area = ui.available_rect_before_wrap();
    if area.width() < 96.0 || area.height() < 96.0 {
        return widgets::empty_state(ui, "Make this pane larger to see the packets");
    }
    let height = ((seen.tree.levels() + 1) as f32 * 26.0).min(0.5 * area.height());
    let tree = Rect::from_min_size(area.min + vec2(0.0, GRID), vec2(area.width(), height));
    tree_ui(ui, tree, look, seen, read_out);
    let below = Rect::from_min_max(tree.left_bottom() + vec2(0.0, 2.0 * GRID), area.max);
    let node = look.node.filter(|node| node.level <= seen.tree.levels());
    let plots = match node {
        None => below,
        Some(node) => {
            let numbers = Rect::from_min_size(below.min, vec2(170.0_f32.min(below.width() * 0.4), below.height()));
            statistics_ui(&mut ui.new_child(UiBuilder::new().max_rect(numbers)), node, seen);
            Rect::from_min_max(numbers.right_top() + vec2(2.0 * GRID, 0.0), below.max)
        }
    };
    if plots.width() < 64.0 || plots.height() < 48.0 {
        return;
    }
    let tokens = Tokens::current(ui);
    let title = seen.part.map_or_else(|| "all leaves".to_owned(), |part| format!("{part} alone"));
    let [upper, lower] = plots.split_top_bottom_at_fraction(if node.is_some() { 0.5 } else { 1.0 }).into();
    kept.update(seen, node);
    curves(ui, "Reconstructed row", upper, n, &[(&title, &kept.row, tokens.line)]);
    if let Some(node) = node {
        let length = node.of(&seen.coefs).len();
        curves(ui, "Coefficients of the block", lower, length, &[(&node.to_string(), &kept.block, tokens.accent)]);
    }
}

/// Shows every block of every level, coloured by its share of the energy; the leaves have frames.
fn tree_ui(ui: &mut Ui, area: Rect, look: &mut WaveletLook, seen: &Packets, read_out: &mut String) {
    let tokens = Tokens::current(ui);
    let energy = seen.statistics[0][0].energy;
    let lut = Colormap::Magma.lut();
    let levels = seen.tree.levels();
    let height = area.height() / (levels + 1) as f32;
    for (level, row) in seen.statistics.iter().enumerate() {
        let width = area.width() / row.len() as f32;
        for (block, statistics) in row.iter().enumerate() {
            let node = Node { level: level as u32, block };
            let rect = Rect::from_min_size(area.min + vec2(block as f32 * width, level as f32 * height), vec2(width, height)).shrink(1.0);
            let share = if energy > 0.0 { statistics.energy / energy } else { 0.0 };
            // Six decades of energy run from dark to bright.
            let bright = (1.0 + share.max(1e-6).log10() / 6.0).clamp(0.0, 1.0);
            let [red, green, blue, _] = lut[(bright * 255.0) as usize];
            let (reaches, is_leaf) = (seen.tree.reaches(node), seen.tree.is_leaf(node));
            let fill = Color32::from_rgb(red, green, blue);
            ui.painter().rect_filled(rect, 2.0, if reaches { fill } else { fill.gamma_multiply(0.35) });
            let frame =
                if look.node == Some(node) { (2.5, tokens.warning) } else { (1.5, if is_leaf { tokens.accent } else { tokens.hairline }) };
            ui.painter().rect_stroke(rect, 2.0, Stroke::new(frame.0, frame.1), StrokeKind::Inside);
            if rect.width() >= LEAST_WIDTH_WITH_PATH + 6.0 * level as f32 && rect.height() >= 14.0 {
                // The fill of a block out of reach is mostly the colour of the pane.
                let color = if !reaches {
                    tokens.text
                } else if bright > 0.7 {
                    Color32::BLACK
                } else {
                    Color32::WHITE
                };
                ui.painter().text(rect.center(), Align2::CENTER_CENTER, node.to_string(), FontId::proportional(11.0), color);
            }
            let response = block_response(ui, rect, node, is_leaf);
            if response.hovered() {
                *read_out = format!("block {node}: {} coefficients, {} % of the energy", integer(statistics.n), number(100.0 * share, 4));
            }
            if response.clicked() {
                look.node = Some(node);
            }
        }
    }
}

fn block_response(ui: &Ui, rect: Rect, node: Node, is_leaf: bool) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(("block", node)), Sense::click());
    let kind = if is_leaf { "leaf" } else { "block" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Packet {kind} {node}")));
    response
}

fn statistics_ui(ui: &mut Ui, node: Node, seen: &Packets) {
    let statistics = seen.statistics[node.level as usize][node.block];
    let energy = seen.statistics[0][0].energy;
    let facts = [
        ("Block", node.to_string()),
        ("Length", integer(statistics.n)),
        ("Least", number(statistics.least, 5)),
        ("Largest", number(statistics.largest, 5)),
        ("Mean", number(statistics.mean, 5)),
        ("Deviation", number(statistics.deviation, 5)),
        ("Energy", format!("{} %", number(if energy > 0.0 { 100.0 * statistics.energy / energy } else { 0.0 }, 4))),
    ];
    widgets::facts(ui, &facts);
}

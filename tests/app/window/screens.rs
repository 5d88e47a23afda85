//! Every layout at the sizes and scales of usual screens: no text is cut, broken within a word, or lies on another one, and no control on another control.

use super::{Window, click, run, says, settle, wait, window};
use egui::accesskit::{NodeId, Role};
use egui::epaint::text::PlacedRow;
use egui::epaint::{ClippedShape, TextShape};
use egui::{Rect, Shape, Vec2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::ui::{Command, Memory, Preset};
use std::collections::{BTreeSet, HashMap};
use strum::IntoEnumIterator as _;

/// The screens, in pixels.
const SCREENS: [Vec2; 3] = [vec2(1280.0, 800.0), vec2(1600.0, 1000.0), vec2(2560.0, 1440.0)];
const SCALES: [f32; 3] = [1.0, 1.5, 2.0];
/// Glyphs reach this much less far than their line, in points.
const SLACK: f32 = 3.0;

/// A narrower window may shorten the texts of lists that open, in points.
const NARROW: f32 = 900.0;
/// The height of the status bar.
const STATUS_BAR: f32 = 32.0;

/// A line of a text that is painted, where it is, and the part of the window that it may use.
struct Painted<'a> {
    text: &'a TextShape,
    rect: Rect,
    clip: Rect,
}

fn texts<'a>(shape: &'a Shape, clip: Rect, found: &mut Vec<Painted<'a>>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, clip, found)),
        Shape::Text(text) if text.opacity_factor > 0.0 && !text.galley.text().trim().is_empty() => {
            let whole = text.visual_bounding_rect();
            // The first line of a wrapped text begins where the text before it ends.
            let begin = |row: &PlacedRow| row.pos.x + row.glyphs.first().map_or(0.0, |glyph| glyph.pos.x);
            let rows = text.galley.rows.iter().map(|row| row.rect().with_min_x(begin(row)).translate(text.pos.to_vec2()));
            let rects: Vec<Rect> = if text.angle == 0.0 { rows.collect() } else { vec![whole] };
            let visible = rects.into_iter().filter(|rect| rect.is_positive() && rect.intersects(clip));
            found.extend(visible.map(|rect| Painted { text, rect, clip }));
        }
        _ => {}
    }
}

/// Whether a line of the text ends in the middle of a word.
fn breaks_a_word(text: &TextShape) -> bool {
    let rows = &text.galley.rows;
    let ends = |row: &PlacedRow| [row.glyphs.first(), row.glyphs.last()].map(|glyph| glyph.map(|glyph| glyph.chr));
    rows.windows(2).any(|pair| {
        let ([_, last], [first, _]) = (ends(&pair[0]), ends(&pair[1]));
        !pair[0].ends_with_newline && last.is_some_and(char::is_alphanumeric) && first.is_some_and(char::is_alphanumeric)
    })
}

/// The words that a frame paints last in a rectangle; icons are none.
pub(super) fn words_in(shapes: &[ClippedShape], rect: Rect) -> String {
    let mut painted = Vec::new();
    shapes.iter().for_each(|shape| texts(&shape.shape, shape.clip_rect, &mut painted));
    let inside = painted.iter().filter(|one| rect.contains(one.rect.intersect(one.clip).center()));
    let mut words = inside.map(|one| one.text.galley.text()).filter(|text| text.chars().any(char::is_alphanumeric));
    words.next_back().unwrap_or_default().to_owned()
}

/// The faults of the texts of a frame.
pub(super) fn faults(shapes: &[ClippedShape], window: Rect) -> BTreeSet<String> {
    let mut painted = Vec::new();
    shapes.iter().for_each(|shape| texts(&shape.shape, shape.clip_rect, &mut painted));
    let mut faults = BTreeSet::new();
    for (index, one) in painted.iter().enumerate() {
        let words = one.text.galley.text();
        let (left, right) = (one.clip.left() - one.rect.left(), one.rect.right() - one.clip.right());
        if left > SLACK || right > SLACK {
            faults.insert(format!("“{words}” is cut by {:.0} points at {}", left.max(right), place(one.rect)));
        }
        // Very narrow columns and the status bar have the whole text as a tooltip.
        if one.text.galley.elided && window.width() > NARROW && one.rect.bottom() < window.bottom() - STATUS_BAR {
            faults.insert(format!("“{words}” ends in … at {}", place(one.rect)));
        }
        if breaks_a_word(one.text) {
            faults.insert(format!("“{words}” breaks within a word at {}", place(one.rect)));
        }
        for other in &painted[..index] {
            let common = one.rect.intersect(one.clip).intersect(other.rect.intersect(other.clip));
            if common.width() > SLACK && common.height() > 2.0 * SLACK {
                faults.insert(format!("“{words}” lies on “{}” at {}", other.text.galley.text(), place(one.rect)));
            }
        }
    }
    faults
}

/// A control, and the part of it that can be clicked.
pub(super) struct Control {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) rect: Rect,
}

/// The controls of the last frame outside of menus and popups.
pub(super) fn controls(window: &Window) -> Vec<Control> {
    const ROLES: [Role; 7] =
        [Role::Button, Role::CheckBox, Role::ComboBox, Role::Slider, Role::SpinButton, Role::TextInput, Role::SearchInput];
    let rects: HashMap<NodeId, Rect> = window.ctx.viewport(|viewport| {
        let of_window = viewport.prev_pass.widgets.layers().filter(|(layer, _)| layer.order == egui::Order::Background);
        of_window.flat_map(|(_, rects)| rects).map(|widget| (widget.id.accesskit_id(), widget.interact_rect)).collect()
    });
    let nodes = ROLES.into_iter().flat_map(|role| window.query_all_by_role(role).map(move |node| (role, node)));
    let controls = nodes.filter_map(|(role, node)| {
        let node = node.accesskit_node();
        let rect = rects.get(&node.locate().0).copied().filter(|rect| rect.is_positive())?;
        Some(Control { name: node.label().or(node.value()).unwrap_or_default(), role, rect })
    });
    controls.collect()
}

/// The controls that lie on another one.
pub(super) fn overlaps(controls: &[Control]) -> BTreeSet<String> {
    let mut faults = BTreeSet::new();
    for (index, one) in controls.iter().enumerate() {
        for other in &controls[..index] {
            let common = one.rect.intersect(other.rect);
            if common.width() > SLACK && common.height() > SLACK {
                faults.insert(format!("{:?} “{}” lies on {:?} “{}” at {}", one.role, one.name, other.role, other.name, place(one.rect)));
            }
        }
    }
    faults
}

fn place(rect: Rect) -> String {
    format!("({:.0}, {:.0})", rect.left(), rect.top())
}

/// Lays the window out for every screen and scale, and collects what is wrong.
fn on_all_screens(window: &mut Window, what: &str, all: &mut Vec<String>) {
    for screen in SCREENS {
        for scale in SCALES {
            window.input_mut().viewports.get_mut(&egui::ViewportId::ROOT).unwrap().native_pixels_per_point = Some(scale);
            window.set_size(screen / scale);
            window.run_steps(3);
            let pixels = window.ctx.content_rect().size() * window.ctx.pixels_per_point();
            assert!((pixels - screen).length() < 1.0, "{pixels}");
            let here = format!("{what} at {}×{}, {} %", screen.x, screen.y, 100.0 * scale);
            let mut found = faults(&window.output().shapes, window.ctx.content_rect());
            found.extend(overlaps(&controls(window)));
            all.extend(found.into_iter().map(|fault| format!("{here}: {fault}")));
        }
    }
}

/// The tabs of a view, besides the first one.
fn tabs(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Logic => &["Spectra"],
        Preset::Wavelet => &["Packets", "Sections"],
        Preset::Benchmark => &["Sweep", "Papers", "Records"],
        _ => &[],
    }
}

#[test]
fn no_text_and_no_control_is_cut_or_covered_on_any_screen() {
    let mut faults = Vec::new();
    let mut window = window(Memory::default(), Vec::new());
    for preset in Preset::iter() {
        run(&mut window, Command::Preset(preset));
        settle(&mut window);
        on_all_screens(&mut window, preset.title(), &mut faults);
        for tab in tabs(preset) {
            click(&mut window, tab);
            settle(&mut window);
            on_all_screens(&mut window, &format!("{} {tab}", preset.title()), &mut faults);
        }
        run(&mut window, Command::ToggleDrawer);
        settle(&mut window);
        on_all_screens(&mut window, &format!("{} with drawer", preset.title()), &mut faults);
    }
    assert!(controls(&window).len() > 12, "the window has controls");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_frame_of_a_new_layout_shows_texts_over_each_other() {
    let mut found = Vec::new();
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    window.set_size(SCREENS[2]);
    settle(&mut window);
    for preset in Preset::iter() {
        run(&mut window, Command::Preset(preset));
        for frame in 0..24 {
            let faults = faults(&window.output().shapes, window.ctx.content_rect());
            let over = faults.into_iter().filter(|fault| fault.contains(" lies on "));
            found.extend(over.map(|fault| format!("{} in frame {frame}: {fault}", preset.title())));
            std::thread::sleep(std::time::Duration::from_millis(5));
            window.step();
        }
        settle(&mut window);
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_left_column_is_folded_where_it_would_take_more_than_a_third() {
    let mut window = window(Memory::default(), Vec::new());
    run(&mut window, Command::Preset(Preset::Image));
    let shows = |window: &Window| window.query_by_role_and_label(Role::ComboBox, "Transform").is_some();
    let at = |window: &mut Window, size: Vec2| {
        window.set_size(size);
        settle(window);
        shows(window)
    };
    assert!(at(&mut window, SCREENS[0]));
    assert!(!at(&mut window, SCREENS[0] / 2.0), "1280 × 800 at 200 %");
    run(&mut window, Command::ToggleLeft);
    settle(&mut window);
    assert!(shows(&window), "its key opens it");
    run(&mut window, Command::ToggleLeft);
    settle(&mut window);
    assert!(!shows(&window));
    assert!(at(&mut window, SCREENS[0]), "with room it is there again");
    run(&mut window, Command::Preset(Preset::Learn));
    window.set_size(SCREENS[0] / 2.0);
    settle(&mut window);
    assert!(window.query_by_label_contains("Search lessons").is_some(), "the text of a lesson stays");
}

#[test]
fn both_images_of_the_layout_stand_at_one_height() {
    let mut window = window(Memory::default(), Vec::new());
    run(&mut window, Command::Preset(Preset::Image));
    settle(&mut window);
    let [one, other] = ["Spectrum image", "Filtered image"].map(|name| window.get_by_role_and_label(Role::Image, name).rect());
    assert!((one.top() - other.top()).abs() < 1.0 && (one.bottom() - other.bottom()).abs() < 1.0, "{one} and {other}");
}

#[test]
fn heroes_stay_with_large_text() {
    let mut window = window(Memory::default(), Vec::new());
    // 1280 × 800 at 200 %.
    window.set_size(vec2(640.0, 400.0));
    for (preset, hero) in [(Preset::Logic, "Logic spectrum plot"), (Preset::Benchmark, "Times of the last")] {
        run(&mut window, Command::Preset(preset));
        settle(&mut window);
        let rect = window.get_by_label_contains(hero).rect();
        assert!(rect.height() > 70.0, "{hero} is {} points high", rect.height());
        assert!(window.ctx.content_rect().contains_rect(rect), "{hero} is outside of the window");
    }
}

#[test]
fn the_read_out_of_a_spectrum_image_is_not_cut() {
    let mut window = window(Memory::default(), Vec::new());
    run(&mut window, Command::Preset(Preset::Image));
    for scale in [1.0, 1.5, 2.0] {
        window.set_size(SCREENS[0] / scale);
        settle(&mut window);
        let image = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
        window.hover_at(image.center() + 0.1 * image.size());
        wait(&mut window, "the value under the pointer is not read out", |window| says(window, "phase "));
        window.run_steps(2);
        let mut painted = Vec::new();
        window.output().shapes.iter().for_each(|shape| texts(&shape.shape, shape.clip_rect, &mut painted));
        let read_out =
            painted.iter().find(|painted| painted.text.galley.text().contains("column ") && painted.text.galley.text().contains("phase "));
        let read_out = read_out.unwrap_or_else(|| panic!("there is no read-out at {scale}"));
        assert!(!read_out.text.galley.elided, "{} is cut at {scale}", read_out.text.galley.text());
    }
}

#[test]
fn the_layout_that_is_chosen_is_named_with_large_text() {
    let mut window = window(Memory::default(), Vec::new());
    window.set_size(vec2(640.0, 400.0));
    run(&mut window, Command::Preset(Preset::Benchmark));
    settle(&mut window);
    assert!(window.query_by_label("More in Papillon: Benchmark").is_some());
    run(&mut window, Command::Preset(Preset::Learn));
    settle(&mut window);
    assert!(window.query_by_label("More in Papillon").is_some());
}

#[test]
fn tabs_without_room_stand_in_a_list() {
    let mut window = window(super::memory(Preset::Image, super::small_image(), "dft2"), Vec::new());
    // The left column is folded in so narrow a window.
    window.set_size(vec2(560.0, 400.0));
    settle(&mut window);
    let shown = |window: &Window| window.query_all_by_role_and_label(Role::Button, "Kernel").next().is_some();
    assert!(!shown(&window), "there is no room for the tab");
    let mut painted = Vec::new();
    window.output().shapes.iter().for_each(|shape| texts(&shape.shape, shape.clip_rect, &mut painted));
    for sign in ["2 more", "?", "…"] {
        let is_seen = |painted: &Painted| painted.text.galley.text() == sign && painted.clip.contains_rect(painted.rect.shrink(2.0));
        assert!(painted.iter().any(is_seen), "“{sign}” is not seen above a pane");
    }
    window.get_all_by_label_contains("More panes: ").next().unwrap().click();
    window.run_steps(3);
    click(&mut window, "Kernel");
    settle(&mut window);
    assert!(shown(&window), "the pane that was chosen is in front, with its tab");
}

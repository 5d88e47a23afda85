//! Every layout at the sizes and scales of usual screens: no text is cut, broken within a word, or lies on another one.

use super::{Window, click, run, settle, window};
use egui::epaint::text::PlacedRow;
use egui::epaint::{ClippedShape, TextShape};
use egui::{Rect, Shape, Vec2, vec2};
use papillon::ui::{Command, Memory, Preset};
use std::collections::BTreeSet;
use strum::IntoEnumIterator as _;

/// The screens, in pixels.
const SCREENS: [Vec2; 3] = [vec2(1280.0, 800.0), vec2(1600.0, 1000.0), vec2(2560.0, 1440.0)];
const SCALES: [f32; 3] = [1.0, 1.5, 2.0];
/// Glyphs reach this much less far than their line, in points.
const SLACK: f32 = 3.0;

/// A narrower window may shorten the texts of lists that open and scroll its tabs, in points.
const NARROW: f32 = 900.0;
/// Panes that share a strip of tabs.
const TABS: [&str; 14] = [
    "Coefficients",
    "Filtered",
    "Flow graph",
    "Kernel",
    "Learn",
    "Logic",
    "Markers",
    "Matrix",
    "Memory",
    "Profile",
    "Spectrum",
    "Spectrum image",
    "Timing",
    "Two images",
];
/// The height of the status bar.
const STATUS_BAR: f32 = 32.0;

/// A line of a text that is painted, where it stands, and the part of the window that it may use.
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

/// What is wrong with the texts of a frame.
fn faults(shapes: &[ClippedShape], window: Rect) -> BTreeSet<String> {
    let mut painted = Vec::new();
    shapes.iter().for_each(|shape| texts(&shape.shape, shape.clip_rect, &mut painted));
    let mut faults = BTreeSet::new();
    for (index, one) in painted.iter().enumerate() {
        let words = one.text.galley.text();
        let (left, right) = (one.clip.left() - one.rect.left(), one.rect.right() - one.clip.right());
        // The strip of tabs scrolls where it is narrow.
        let is_tab = window.width() < NARROW && TABS.contains(&words);
        if (left > SLACK || right > SLACK) && !is_tab {
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
            all.extend(faults(&window.output().shapes, window.ctx.content_rect()).into_iter().map(|fault| format!("{here}: {fault}")));
        }
    }
}

/// The tabs of a view, besides the first one.
fn tabs(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Logic => &["Spectra"],
        Preset::Wavelet => &["Threshold", "Packets", "Sections"],
        Preset::Benchmark => &["Sweep", "Papers", "Records"],
        _ => &[],
    }
}

#[test]
fn no_text_is_cut_or_covered_on_any_screen() {
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
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

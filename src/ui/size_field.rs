//! Fields for sizes that are powers of two: they take `1024`, `2^10` and `1k`, and say why they refuse something else.

use crate::numerals::{self, integer};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Button, DragValue, Id, Key, Response, Role, Slider, TextEdit, Ui, WidgetInfo};
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A refusal is shown this long after the last key, in seconds.
const SHOWN_FOR: f64 = 6.0;

/// A slider for a size, shown as 2^k and as a number.
pub(super) fn power_of_two(ui: &mut Ui, value: &mut usize, exponents: RangeInclusive<u32>, slider_width: f32) -> Response {
    let mut exponent = value.max(&mut 1).ilog2();
    let (before, parsed) = (exponent, RefCell::new(None));
    ui.spacing_mut().slider_width = slider_width;
    // Half a number is not a size yet: what is typed counts on Enter, or when the field loses the focus.
    let slider = Slider::new(&mut exponent, exponents.clone())
        .update_while_editing(false)
        .custom_formatter(|k, _| format!("2^{k} = {}", integer(1_u64 << k as u32)))
        .custom_parser(|text| heard(exponent_in(text, before, &exponents), &parsed));
    // The id of a slider is another one while its number has the focus.
    let id = ui.next_auto_id();
    let response = ui.add(slider);
    if response.changed() {
        *value = 1 << exponent;
    }
    refusal_ui(ui, id, &response, parsed.into_inner());
    response
}

/// The least and the greatest width of the field for the size of an image, and the width of the buttons behind it, in points.
const IMAGE_SIZE: [f32; 2] = [72.0, 112.0];
const HALF_AND_TWICE: f32 = 84.0;

/// A field for width × height of an image in pixels, and buttons that halve and double both.
pub(super) fn image_size(ui: &mut Ui, [width, height]: [&mut usize; 2], longest: usize) -> Response {
    let before = [*width, *height];
    let shown = format!("{} × {} px", integer(*width), integer(*height));
    let field_width = (ui.available_width() - HALF_AND_TWICE).clamp(IMAGE_SIZE[0], IMAGE_SIZE[1]);
    let about = "Width × height: 640 × 480, 2^9 × 1k, or one number for a square";
    let (mut response, sides) = typed(ui, "Width × height, px", shown, field_width, about, |text| sides_in(text, longest));
    sides.into_iter().for_each(|sides| [*width, *height] = sides);
    for (sign, name, can, change) in [
        ("½", "Half the size", before.iter().all(|side| *side > 1), (|side: usize| side.div_ceil(2)) as fn(usize) -> usize),
        ("2×", "Twice the size", before.iter().all(|side| 2 * side <= longest), |side| 2 * side),
    ] {
        let button = ui.add_enabled(can, Button::new(sign));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, can, name));
        if button.on_hover_text(name).clicked() {
            [*width, *height] = before.map(change);
        }
    }
    if [*width, *height] != before {
        response.mark_changed();
    }
    response
}

/// A field for a range of powers of two by their exponents, as the command line writes it.
pub(super) fn exponent_range(ui: &mut Ui, name: &str, exponents: &mut [u32; 2], allowed: RangeInclusive<u32>) -> Response {
    let [first, last] = *exponents;
    let about = "Powers of two from the first to the last: 2^4..2^12 or 16..4k, or one alone";
    let width = ui.available_width().min(IMAGE_SIZE[1]);
    let (response, typed) = typed(ui, name, format!("2^{first}..2^{last}"), width, about, |text| range_in(text, &allowed));
    typed.into_iter().for_each(|typed| *exponents = typed);
    response
}

/// A field whose text counts on Enter, or when it loses the focus; returns what was typed then, and shows why a text is refused.
fn typed<T>(
    ui: &mut Ui,
    name: &str,
    shown: String,
    width: f32,
    about: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> (Response, Option<T>) {
    let id = ui.scope_id().with(name);
    let mut text =
        ui.data(|data| data.get_temp::<String>(id)).filter(|_| ui.memory(|memory| memory.has_focus(id))).unwrap_or_else(|| shown.clone());
    let field = TextEdit::singleline(&mut text).align(egui::Align2::LEFT_CENTER).id(id).desired_width(width);
    let response = ui.add(field).on_hover_text(about);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    // Typed text replaces the whole field.
    if text == shown && (response.gained_focus() || response.clicked()) {
        let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()))));
        state.store(ui.ctx(), id);
    }
    let is_done = response.lost_focus() && !ui.input(|input| input.key_pressed(Key::Escape));
    let parsed = is_done.then(|| parse(&text));
    ui.data_mut(|data| data.insert_temp(id, text));
    let (value, said) = match parsed {
        Some(Ok(value)) => (Some(value), Some(String::new())),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    refusal_ui(ui, id, &response, said);
    (response, value)
}

/// The exponents of the first and the last power of two that a text says.
fn range_in(text: &str, allowed: &RangeInclusive<u32>) -> Result<[u32; 2], String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let [first, last] = [exponent_in(first, 0, allowed)?, exponent_in(last.trim_start_matches('='), 0, allowed)?];
    if first <= last { Ok([first, last]) } else { Err("the first size is larger than the last: type 2^4..2^12".into()) }
}

/// Width and height that a text says; one number means a square.
fn sides_in(text: &str, longest: usize) -> Result<[usize; 2], String> {
    let text = text.trim().trim_end_matches("px");
    let parts: Vec<&str> = text.split(['x', 'X', '×', ',']).collect();
    let side = |text: &str| match size_in(text).and_then(|side| usize::try_from(side).ok()) {
        Some(side) if side <= longest => Ok(side),
        Some(side) => Err(format!("{} is too large: sides have at most {} px", integer(side), integer(longest))),
        None => Err(format!("“{}” is not a size: type 640 × 480, 2^9 × 1k, or 512", text.trim())),
    };
    match parts.as_slice() {
        [both] => side(both).map(|side| [side; 2]),
        [width, height] => Ok([side(width)?, side(height)?]),
        _ => Err(format!("“{}” has more than two sides: type width × height", text.trim())),
    }
}

/// A field for the exponent of a size, shown as 2^k.
pub(super) fn exponent(ui: &mut Ui, exponent: &mut u32, exponents: RangeInclusive<u32>) -> Response {
    let (before, parsed) = (*exponent, RefCell::new(None));
    let field = DragValue::new(exponent)
        .range(exponents.clone())
        .speed(0.05)
        .update_while_editing(false)
        .custom_formatter(|k, _| format!("2^{k}"))
        .custom_parser(|text| heard(exponent_in(text, before, &exponents), &parsed));
    let response = ui.add(field);
    refusal_ui(ui, response.id, &response, parsed.into_inner());
    response
}

/// Keeps why a text was refused, and gives the number of one that was not.
pub(super) fn heard<T: Into<f64>>(found: Result<T, String>, parsed: &RefCell<Option<String>>) -> Option<f64> {
    match found {
        Ok(number) => {
            parsed.replace(Some(String::new()));
            Some(number.into())
        }
        Err(why) => {
            parsed.replace(Some(why));
            None
        }
    }
}

/// Shows beside a field why the text in it was refused. Nothing moves: the note lies over what is there.
pub(super) fn refusal_ui(ui: &Ui, id: Id, field: &Response, parsed: Option<String>) {
    let (id, now) = (id.with("refusal"), ui.input(|input| input.time));
    if let Some(why) = parsed {
        ui.data_mut(|data| data.insert_temp(id, (why, now)));
    }
    let Some((why, since)) = ui.data(|data| data.get_temp::<(String, f64)>(id)) else { return };
    if why.is_empty() || now - since > SHOWN_FOR {
        return;
    }
    egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, field.rect).show(|ui| ui.label(why));
    ui.request_repaint_after(Duration::from_secs(1));
}

/// The exponent of the power of two that a text says. A field writes "2^10 = 1 024"; where one side was changed, that one counts.
fn exponent_in(text: &str, before: u32, exponents: &RangeInclusive<u32>) -> Result<u32, String> {
    let sides: Vec<&str> = text.split('=').collect();
    let changed = sides.iter().find(|side| size_in(side).is_none_or(|size| size != 1 << before)).or(sides.first());
    let side = changed.map_or(text, |side| side).trim();
    let size = size_in(side).ok_or_else(|| format!("“{side}” is not a size: type 1024, 2^10 or 1k"))?;
    let (first, last) = (1_u64 << exponents.start(), 1_u64 << exponents.end());
    match size {
        _ if size < first || size > last => Err(format!("{} is outside {} to {}", integer(size), integer(first), integer(last))),
        _ if !size.is_power_of_two() => {
            let above = size.next_power_of_two();
            Err(format!("{} is not a power of two: {} and {} are", integer(size), integer(above / 2), integer(above)))
        }
        _ => Ok(size.ilog2()),
    }
}

/// The number above 0 that a text says: digits, powers, products, and k or M for 2^10 or 2^20.
fn size_in(text: &str) -> Option<u64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != numerals::SPACE && *c != '_').collect();
    let factor = |text: &str| match text.split_once('^') {
        Some((base, exponent)) => base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?),
        None => {
            let (digits, unit) = match text.strip_suffix(['k', 'K']) {
                Some(digits) => (digits, 1 << 10),
                None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1 << 20)),
            };
            digits.parse::<u64>().ok()?.checked_mul(unit)
        }
    };
    text.split(['*', '·', '×']).try_fold(1_u64, |product, text| product.checked_mul(factor(text)?)).filter(|&size| size > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn a_size_may_be_typed_in_many_ways() {
        let typed = |text: &str| exponent_in(text, 5, &(0..=24));
        for text in ["1024", "2^10", "1k", "1K", "1 024", "1\u{2009}024", "2^9*2", "2^10 = 32", "2^5 = 1024", "1_024"] {
            assert_eq!(typed(text), Ok(10), "{text}");
        }
        assert_eq!((typed("2^5 = 32"), typed("1M"), typed("4k")), (Ok(5), Ok(20), Ok(12)));
        let refused = |text: &str| typed(text).expect_err("it is refused");
        assert_eq!(refused("1000"), "1000 is not a power of two: 512 and 1024 are");
        assert!(refused("2^30").contains("is outside 1 to 16"), "{}", refused("2^30"));
        for text in ["", "abc", "-8", "1.5", "2^", "0", "99999999999999999999999"] {
            assert!(refused(text).contains("is not a size: type 1024, 2^10 or 1k"), "{text}");
        }
    }

    #[test]
    fn the_size_of_an_image_is_width_and_height() {
        for text in ["640x480", "640 × 480 px", "640, 480", "5*128 x 480"] {
            assert_eq!(sides_in(text, 8192), Ok([640, 480]), "{text}");
        }
        assert_eq!((sides_in("2^9", 8192), sides_in("1k × 2k px", 8192)), (Ok([512; 2]), Ok([1024, 2048])));
        let refused = |text: &str| sides_in(text, 8192).expect_err("it is refused");
        assert_eq!(refused("9000 x 4"), format!("{} is too large: sides have at most {} px", integer(9000_usize), integer(8192_usize)));
        assert!(refused("1 × 2 × 3").contains("more than two sides") && refused("a × 2").contains("“a” is not a size"));
    }

    #[test]
    fn a_range_of_sizes_is_typed_as_on_the_command_line() {
        let range = |text: &str| range_in(text, &(2..=26));
        for text in ["2^4..2^12", "16 .. 4k", "2^4..=4096"] {
            assert_eq!(range(text), Ok([4, 12]), "{text}");
        }
        assert_eq!(range("1k"), Ok([10, 10]));
        for (text, why) in [("2^12..2^4", "larger than the last"), ("2^4..", "is not a size"), ("2..2^4", "outside"), ("2^4..100", "128")] {
            let refused = range(text).expect_err("it is refused");
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }

    #[test]
    fn a_field_says_why_it_refuses() {
        let mut window = Harness::new_ui_state(
            |ui, value: &mut usize| {
                crate::ui::widgets::row(ui, "Length", |ui| power_of_two(ui, value, 0..=24, 100.0));
            },
            32_usize,
        );
        let enter = |window: &mut Harness<'_, usize>, text: &str| {
            let field = || Role::SpinButton;
            window.get_by_role(field()).focus();
            window.run_steps(2);
            window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
            window.run_steps(2);
            for letter in text.chars() {
                window.event(egui::Event::Text(letter.into()));
                window.run_steps(2);
            }
            let before = *window.state();
            window.key_press(Key::Enter);
            window.run_steps(2);
            before
        };
        assert_eq!(enter(&mut window, "4k"), 32, "a number counts once it is complete");
        assert_eq!(*window.state(), 4096);
        enter(&mut window, "1000");
        assert_eq!(*window.state(), 4096, "what is refused changes nothing");
        assert!(window.query_by_label("1000 is not a power of two: 512 and 1024 are").is_some());
        enter(&mut window, "1024");
        assert_eq!(*window.state(), 1024);
        assert!(window.query_by_label_contains("not a power of two").is_none());
    }
}

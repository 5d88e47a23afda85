//! Figures: marks of all kinds in all formats, and texts in the room that they take.

use papillon::figure::*;
use papillon::signal::{Samples, load_bytes};
use std::path::Path;
use std::sync::Arc;
use strum::IntoEnumIterator as _;

/// Pixels of a PNG file in a point.
const PIXELS: f32 = 2.0;

const RASTER: [[u8; 3]; 4] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]];

fn raster() -> Raster {
    Raster { size: [2, 2], rgb: Arc::new(RASTER.concat()) }
}

fn text(upwards: bool) -> Mark {
    Mark::Text { at: [60.0, 50.0], anchor: Anchor::Centre, size: 12.0, text: "∞ Hz".into(), ink: Ink::Text, upwards }
}

/// A figure of 120 × 80 points with this one mark.
fn of(mark: Mark) -> Figure {
    Figure { size: [120.0, 80.0], title: "One & only".into(), marks: vec![mark], sheets: 1 }
}

fn words(figure: &Figure, format: FigureFormat) -> String {
    String::from_utf8_lossy(&figure.bytes(format).unwrap()).into_owned()
}

/// The red, green and blue of a PNG file at a point.
fn pixel(figure: &Figure, [x, y]: Position) -> [u8; 3] {
    let image = load_bytes("figure.png", &figure.bytes(FigureFormat::Png).unwrap()).unwrap();
    let index = (PIXELS * y) as usize * image.columns + (PIXELS * x) as usize;
    [0, 1, 2].map(|channel| match &image.channels[channel].samples {
        Samples::U8(values) => values[index],
        _ => panic!("the file has 8 bits"),
    })
}

#[test]
fn every_mark_is_in_every_format_and_paints_its_place() {
    let pen = Pen { dash: &[6.0, 3.0], ..Pen::solid(Ink::Error, 4.0) };
    let symbol = |symbol| Mark::Symbol { at: [60.0, 40.0], symbol, radius: 6.0, ink: Ink::Error };
    let corners = [[50.0, 30.0], [70.0, 50.0]];
    let marks = [
        (Mark::Fill { corners, ink: Ink::Error }, "rect", [60.0, 40.0]),
        (Mark::Frame { corners, radius: 5.0, pen: Pen { dash: &[], ..pen } }, "rect", [60.0, 30.0]),
        (Mark::line([[20.0, 40.0], [90.0, 40.0]], pen), "stroke-dasharray=\"6 3\"", [22.0, 40.0]),
        (Mark::Lines { lines: vec![vec![[0.0, 9.0], [9.0, 9.0]]; 2], pen }, "<path d=\"M0,9 9,9M0,9 9,9\"", [2.0, 9.0]),
        (Mark::Image { corners, raster: raster() }, "data:image/png;base64,iVBORw0KGgo", [55.0, 35.0]),
        (Mark::Polygon { points: vec![[50.0, 30.0], [70.0, 30.0], [60.0, 55.0]], ink: Ink::Error }, "polygon", [60.0, 40.0]),
        (symbol(Symbol::Disc), "circle", [60.0, 40.0]),
        (symbol(Symbol::Square), "polygon", [60.0, 40.0]),
        (symbol(Symbol::Triangle), "polygon", [60.0, 40.0]),
        (symbol(Symbol::Diamond), "polygon", [60.0, 40.0]),
        (symbol(Symbol::Ring), "circle", [66.0, 40.0]),
        (symbol(Symbol::Cross), "path", [60.0, 40.0]),
        (Mark::text([60.0, 40.0], Anchor::Centre, 60.0, "I", Ink::Error), ">I<", [60.0, 40.0]),
    ];
    for (mark, element, at) in marks {
        let figure = of(mark.clone());
        let empty = Figure { marks: Vec::new(), ..figure.clone() };
        let svg = words(&figure, FigureFormat::Svg);
        assert!(svg.contains(element) && svg.contains("<title>One &amp; only</title>") && !svg.contains("NaN"), "{mark:?}: {svg}");
        let [red, green, _] = pixel(&figure, at);
        assert!(red > 150 && green < 160, "{mark:?}: {red}, {green}");
        for format in FigureFormat::iter() {
            assert!(
                figure.bytes(format).unwrap().len() > empty.bytes(format).unwrap().len() || format == FigureFormat::Png,
                "{mark:?}, {format:?}"
            );
        }
        // A shape that moves is painted where it has gone.
        let moved = of(mark.placed(|[x, y]| [x + 20.0, y + 10.0]));
        assert_eq!(pixel(&moved, [at[0] + 20.0, at[1] + 10.0]), pixel(&figure, at));
    }
}

#[test]
fn a_page_is_as_large_as_its_figure_and_holds_fonts_texts_and_images() {
    let image = Mark::Image { corners: [[10.0, 10.0], [30.0, 20.0]], raster: raster() };
    let page = words(&Figure { marks: vec![image, text(false), text(true)], ..of(text(false)) }, FigureFormat::Pdf);
    assert!(page.starts_with("%PDF-") && page.trim_end().ends_with("%%EOF"));
    for part in ["/MediaBox [0 0 120 80]", "/Title (One & only)", "/Subtype /Image", "/Width 2", "/Height 2", "PAPILN+Ubuntu-Light"] {
        assert!(page.contains(part), "{part}");
    }
    let nothing = words(&Figure::default(), FigureFormat::Pdf);
    assert!(["/XObject", "/FontFile2"].iter().all(|part| !nothing.contains(part)), "nothing that a figure lacks is embedded");
}

#[test]
fn images_keep_their_pixels() {
    let figure = of(Mark::Image { corners: [[20.0, 0.0], [100.0, 80.0]], raster: raster() });
    let corners = [[40.0, 20.0], [80.0, 20.0], [40.0, 60.0], [80.0, 60.0]];
    assert_eq!(corners.map(|at| pixel(&figure, at)), RASTER);
    assert_eq!(words(&figure, FigureFormat::Tikz).matches("\\fill").count(), 4, "a rectangle for each");
    let large = Raster { size: [100, 90], rgb: Arc::new(vec![0; 27_000]) };
    let figure = of(Mark::Image { corners: [[0.0; 2], [9.0; 2]], raster: large });
    assert_eq!(figure.bytes(FigureFormat::Tikz), Err(FigureError::Image { columns: 100, rows: 90 }));
    let wide = Figure { size: [9000.0, 80.0], ..of(text(false)) };
    assert_eq!(wide.bytes(FigureFormat::Png), Err(FigureError::Size { width: 9000.0, height: 80.0 }));
}

#[test]
fn a_text_has_raised_and_lowered_runs() {
    let of = |text: &str| script_runs(text).into_iter().map(|(script, run)| format!("{script:?} {run}")).collect::<Vec<_>>().join(", ");
    for (text, runs) in [
        ("ω³₁₆", "Baseline ω, Super 3, Sub 16"),
        ("e^(−2πi/N), x_N", "Baseline e, Super −2πi/N, Baseline , x, Sub N"),
        ("2^15.5.", "Baseline 2, Super 15.5, Baseline ."),
        ("10^−3 of my_Name, x^y, ^(", "Baseline 10, Super −3, Baseline  of my_Name, x^y, ^("),
        ("Aᵀ", "Baseline A, Super T"),
    ] {
        assert_eq!(of(text), runs);
    }
    assert_eq!([subscript(16), superscript(20)], ["₁₆", "²⁰"]);
}

#[test]
fn a_subscript_stands_below_the_superscript() {
    let runs = placed_runs("ω³₁₆", 10.0, [100.0, 50.0], Anchor::Centre, false);
    let [letter, raised, lowered] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!(raised.at[0], lowered.at[0]);
    assert!(raised.at[1] < letter.at[1] && letter.at[1] < lowered.at[1]);
    let width = letter.width + lowered.width;
    assert!((letter.at[0] - (100.0 - width / 2.0)).abs() < 1e-3 && (text_width("ω³₁₆", 10.0) - width).abs() < 1e-3, "{runs:?}");
    let texts = |text: &str| placed_runs(text, 10.0, [0.0; 2], Anchor::Left, false).into_iter().map(|run| run.text).collect::<Vec<_>>();
    assert_eq!(texts("−i = ω¹₄"), ["−i = ", "ω", "1", "4"]);
    let [letter, index] = &placed_runs("x₃", 10.0, [0.0; 2], Anchor::Right, false)[..] else { panic!("two runs") };
    assert!((index.at[0] + index.width).abs() < 1e-3 && (letter.at[0] + letter.width - index.at[0]).abs() < 1e-3);
    let upwards = &placed_runs("x₃", 10.0, [7.0, 9.0], Anchor::Right, true)[1];
    assert!((upwards.at[1] - 9.0 - index.width).abs() < 1e-3 && upwards.at[0] > 7.0, "{upwards:?}");
}

#[test]
fn texts_fit_their_room() {
    let text = "word ".repeat(80);
    let lines = wrapped(&text, 10.0, 420.0);
    assert!(lines.len() > 3 && lines.iter().all(|line| text_width(line, 10.0) <= 420.0));
    assert_eq!(lines.iter().map(|line| line.split(' ').count()).sum::<usize>(), 80);
    assert_eq!([fitted("short", 10.0, 400.0), fitted("", 10.0, 0.0)], ["short", ""]);
    let short = fitted(&text, 10.0, 60.0);
    assert!(short.ends_with('…') && (40.0..=60.0).contains(&text_width(&short, 10.0)), "{short}");
    assert!(text_width("65\u{2009}536", 10.0) < text_width("65 536", 10.0));
    // Letters of a light sans-serif font: an i is much narrower than an m.
    assert!(text_width("mmmm", 10.0) > 3.0 * text_width("iiii", 10.0));
}

#[test]
fn an_ending_names_its_format() {
    for format in FigureFormat::iter() {
        for ending in [format.ending(), format.ending_beside_tex()] {
            assert_eq!(FigureFormat::from_path(Path::new(&format!("a.b.{}", ending.to_uppercase()))), Some(format));
        }
    }
    assert_eq!(FigureFormat::from_path(Path::new("tex")), None);
    assert_eq!(FigureFormat::endings(), ["svg", "paths.svg", "tex", "pdf", "png"]);
}

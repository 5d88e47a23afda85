//! Views with more than a single plot, as files.

use super::boxes::{draw, opened};
use super::spectra::export;
use super::{Window, answer, click, run, says, settle, wait, window_of, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use papillon::ui::{Command, Memory, Preset, Workspace};

#[test]
fn figures_of_layouts_have_a_title_and_no_controls() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_of(|ctx| Workspace::new(ctx, Memory::default(), Vec::new()).prompting_always());
    for (preset, words, controls) in [
        (Preset::Wavelet, &["Wavelet: CDF 9/7", "512 × 512 px image", "data:image/png;base64,"][..], &["Packets", "Share"][..]),
        (Preset::Logic, &["Logic: ", "Nonlinearity"], &["Spectra"]),
        (Preset::System, &["System: ", "Residual at most", "equation", "x["], &["Stage"]),
        (Preset::Benchmark, &["Timing: ", "newest", "median"], &["Papers", "Records"]),
    ] {
        run(&mut window, Command::Preset(preset));
        settle(&mut window);
        let middle = window.ctx.content_rect().center();
        window.hover_at(middle);
        window.run_steps(3);
        let svg = folder.path().join(format!("{preset:?}.svg"));
        export(&mut window, Command::ExportView, &svg);
        let text = std::fs::read_to_string(&svg).unwrap();
        assert!(text.starts_with("<?xml") && text.contains("by Papillon"), "{preset:?}: {}", &text[..200]);
        for word in words {
            assert!(text.contains(word), "{preset:?}: {word} is missing");
        }
        for control in controls {
            assert!(!text.contains(&format!(">{control}<")), "{preset:?}: {control} is a control");
        }
        let png = folder.path().join(format!("{preset:?}.png"));
        export(&mut window, Command::ExportView, &png);
        assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"), "{}", workspace(&window).message());
        let pdf = folder.path().join(format!("{preset:?}.pdf"));
        export(&mut window, Command::ExportView, &pdf);
        let page = std::fs::read(&pdf).unwrap();
        assert!(page.starts_with(b"%PDF-") && page.windows(7).any(|part| part == b"PAPILN+"), "{}", workspace(&window).message());
    }
}

#[test]
fn an_image_is_exported_as_it_is_seen_and_without_what_stands_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_of(|ctx| Workspace::new(ctx, Memory::default(), Vec::new()).prompting_always());
    run(&mut window, Command::Preset(Preset::Image));
    settle(&mut window);
    for (image, words) in [
        ("Source image", &["Source: ", "px across", "black is "][..]),
        ("Filtered image", &["Filtered: ", "by Papillon"]),
        ("Spectrum image", &["Spectrum image: ", "frequency along x (cycles per pixel)", "colours Viridis from "]),
    ] {
        let middle = window.get_by_role_and_label(Role::Image, image).rect().center();
        window.hover_at(middle);
        window.run_steps(3);
        let svg = folder.path().join(format!("{image}.svg"));
        export(&mut window, Command::ExportView, &svg);
        let text = std::fs::read_to_string(&svg).unwrap();
        assert!(text.contains("data:image/png;base64,"), "{image}: {}", &text[..400]);
        for word in words {
            assert!(text.contains(word), "{image}: {word} is missing");
        }
        assert!(["Open…", "Find noise", "Hold"].iter().all(|control| !text.contains(&format!(">{control}<"))), "{image} has no controls");
    }
}

#[test]
fn the_view_of_a_flow_graph_is_its_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_of(|ctx| Workspace::new(ctx, Memory::default(), Vec::new()).prompting_always());
    run(&mut window, Command::Preset(Preset::FlowGraph));
    settle(&mut window);
    let graph = window.get_by_label_contains("Flow graph, dft").rect().center();
    window.hover_at(graph);
    window.run_steps(3);
    let mut written = |ending: &str| {
        let path = folder.path().join(format!("graph.{ending}"));
        export(&mut window, Command::ExportView, &path);
        std::fs::read(&path).unwrap()
    };
    let svg = String::from_utf8(written("svg")).unwrap();
    for words in ["dft", "launch 1", "4 butterflies"] {
        assert!(svg.contains(words), "{words} is missing");
    }
    assert!(["Play", "Change a sample"].iter().all(|control| !svg.contains(control)), "controls are no part of it");
    assert!(String::from_utf8(written("tex")).unwrap().contains("tikzpicture"));
    assert!(written("pdf").starts_with(b"%PDF-"));
    let png = image::load_from_memory(&written("png")).unwrap().to_luma8();
    assert!(png.width() > 400 && png.pixels().any(|pixel| pixel.0[0] < 40) && png.pixels().any(|pixel| pixel.0[0] == 255));
}

/// Waits until the status bar says that a file was written, which lies there then.
fn is_written(window: &mut Window, path: &std::path::Path) {
    wait(window, &format!("{} is not said to be written", path.display()), |window| {
        workspace(window).message() == format!("Wrote {}", path.display()) && says(window, "Wrote ")
    });
    assert!(path.metadata().unwrap().len() > 0, "{}", path.display());
    settle(window);
}

#[test]
fn each_export_of_a_recording_says_what_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let (mut window, _) = opened(&folder);
    draw(&mut window, [0.25, 0.5], [600.0, 1500.0]);
    for (tab, button, name) in [
        ("Boxes", "Save boxes…", "all.txt"),
        ("Boxes", "Save measures…", "measures.csv"),
        ("Boxes", "Save samples…", "box.wav"),
        ("Filter", "Export result…", "result.wav"),
        ("Filter", "Export difference…", "difference.npy"),
    ] {
        if window.query_by_label(button).is_none() {
            window.get_all_by_label(tab).last().unwrap().click();
            settle(&mut window);
        }
        click(&mut window, button);
        let path = folder.path().join(name);
        answer(&mut window, path.to_str().unwrap());
        is_written(&mut window, &path);
    }
    for (pane, command, name) in [
        ("Source plot, ", Command::ExportView, "wave.svg"),
        ("Spectrogram of ", Command::ExportView, "spectrogram.png"),
        ("Spectrum plot, ", Command::ExportView, "spectrum.pdf"),
        ("Spectrum plot, ", Command::ExportValues, "spectrum.csv"),
        ("Spectrum plot, ", Command::SaveSession, "session.json"),
    ] {
        let middle = window.get_by_label_contains(pane).rect().center();
        window.hover_at(middle);
        window.run_steps(3);
        run(&mut window, command);
        let path = folder.path().join(name);
        answer(&mut window, path.to_str().unwrap());
        is_written(&mut window, &path);
    }
}

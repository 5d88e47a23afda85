//! `snapshot`, and the program without a display.

use super::*;

#[test]
fn a_snapshot_has_the_size_that_was_asked_for() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 32, 32, &pixels(32 * 32));
    done(&folder, "snapshot image.png --preset flow-graph --theme light --size 800x600 -o window.png");
    let (width, height, _, bytes) = read_png(&folder.path().join("window.png"));
    assert_eq!((width, height), (800, 600));
    assert!(bytes.iter().any(|&byte| byte != bytes[0]), "the window is one colour");
}

#[test]
fn a_snapshot_of_what_has_no_result_shows_why() {
    let folder = TempDir::new().unwrap();
    write(&folder, "singular.csv", "0,2,-1,1\n-1,2,-1,1\n-1,0,0,1\n0,0,0,1\n");
    let told = done(&folder, "snapshot singular.csv --preset system --size 900x600 -o window.png");
    assert!(told.contains("singular.csv is singular"), "{told}");
    assert_eq!(read_png(&folder.path().join("window.png")).0, 900);
}

#[test]
fn without_a_display_the_workspace_is_written() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("there is no display") && told.contains("papillon.png"), "{told}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("dft2") && table.contains("total") && table.contains(" ms"), "{table}");
    let (width, height, ..) = read_png(&folder.path().join("papillon.png"));
    assert_eq!((width, height), (1600, 1000));
}

#[test]
fn samples_without_a_header_open_as_they_are_stored() {
    let folder = TempDir::new().unwrap();
    let samples: Vec<u8> = (0..4096).flat_map(|k| (((f64::from(k) * 0.3).sin() * 20_000.0) as i16).to_le_bytes()).collect();
    std::fs::write(folder.path().join("capture.bin"), samples).unwrap();
    assert!(refused(&folder, "capture.bin", 1).contains("capture.bin"));
    let output = papillon(&folder, "--raw s16,2,8000 capture.bin");
    let table = String::from_utf8(output.stdout).unwrap();
    // Of two channels there is half of the samples.
    assert!(table.contains("of capture.bin, 1 × 2048"), "{table}");
    for raw in ["s16,1,8000", "s16,2,8000"] {
        done(&folder, &format!("snapshot capture.bin --raw {raw} --preset signal --size 800x600 -o {}.png", &raw[..5]));
    }
    assert_ne!(read_png(&folder.path().join("s16,1.png")).3, read_png(&folder.path().join("s16,2.png")).3);
    for call in ["--raw s16 capture.bin capture.bin", "--raw s16 f:x1", "--raw s16", "snapshot capture.bin capture.bin --raw s16 -o o.png"]
    {
        assert!(refused(&folder, call, 2).contains("--raw says how"), "{call}");
    }
}

#[test]
fn a_session_is_drawn_as_the_window_saved_it() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 32, 32, &pixels(32 * 32));
    let mut memory = papillon::ui::Memory { theme: egui::ThemePreference::Light, ..Default::default() };
    memory.settings.origin = papillon::ui::Origin::File(folder.path().join("image.png"));
    papillon::ui::save_session(&memory, &folder.path().join("mine.json")).unwrap();
    done(&folder, "snapshot --session mine.json --size 800x600 -o session.png");
    done(&folder, "snapshot image.png --theme light --size 800x600 -o window.png");
    // Times differ from run to run, and little else does.
    let [session, window] = ["session.png", "window.png"].map(|name| read_png(&folder.path().join(name)).3);
    let n_differ = session.iter().zip(&window).filter(|(a, b)| a.abs_diff(**b) > 40).count();
    assert!(session.len() == window.len() && n_differ * 10 < session.len(), "{n_differ} of {} bytes differ", session.len());
    // Without the name of an option the program opens it too.
    let told = done(&folder, "mine.json");
    assert!(told.contains("papillon.png") && read_png(&folder.path().join("papillon.png")).0 == 1600, "{told}");
    std::fs::remove_file(folder.path().join("papillon.png")).unwrap();
    write(&folder, "broken.json", "{\"format\": \"papillon session\"");
    write(&folder, "foreign.json", "[1, 2]");
    write(&folder, "strange.json", "{\"format\": \"papillon session\", \"version\": 1, \"window\": {\"preset\": \"Attic\"}}");
    let saved = serde_json::to_string(
        &serde_json::json!({ "format": "papillon session", "version": 1, "window": papillon::ui::Memory::default() }),
    )
    .unwrap();
    write(&folder, "sample.json", saved.replace("\"Butterfly\"", "\"Moth\""));
    write(&folder, "transform.json", saved.replace("\"dft2\"", "\"moth\""));
    write(&folder, "newer.json", "{\"format\": \"papillon session\", \"version\": 9, \"window\": {}}");
    for (call, code, word) in [
        ("snapshot --session nowhere.json -o x.png", 1, "no such file"),
        ("snapshot --session broken.json -o x.png", 1, "no JSON from line 1"),
        ("broken.json", 1, "no JSON from line 1"),
        ("snapshot --session foreign.json -o x.png", 1, "does not say that it is"),
        ("snapshot --session strange.json -o x.png", 1, "settings that this program does not know"),
        ("snapshot --session newer.json -o x.png", 1, "version 9"),
        ("snapshot --session sample.json -o x.png", 1, "the sample 'Moth'"),
        ("snapshot --session transform.json -o x.png", 1, "the transform 'moth'"),
        ("snapshot --session mine.json --preset logic -o x.png", 2, "--preset"),
    ] {
        assert!(refused(&folder, call, code).contains(word), "{call}");
    }
}

#[test]
fn a_lesson_of_a_file_is_drawn_as_the_window_shows_it() {
    let folder = TempDir::new().unwrap();
    let step = |title: &str, state: &str| format!("## {title}\n\n```state\n{state}\n```\n\nEight samples and their transform.\n\n");
    let head = "+++\ntitle = \"Mine\"\nplace = \"Course\"\nminutes = 1\nsummary = \"A lesson of my own.\"\n+++\n\n";
    let first = step("The graph", "transform = \"walsh\"\nsignal = \"1 0 1 1 0 0 1 0\"\npanes = [\"FlowGraph\"]\nlower = []");
    write(&folder, "mine.md", format!("{head}{first}{}", step("The matrix", "panes = [\"Matrix\"]")));
    let drawn = |step: usize| {
        done(&folder, &format!("lesson mine.md --step {step} -o step.png"));
        read_png(&folder.path().join("step.png"))
    };
    let [first, second] = [drawn(1), drawn(2)];
    assert_eq!((first.0, first.1), (1280, 800));
    assert!(first.3 != second.3, "both steps look alike");
    assert!(refused(&folder, "lesson mine.md --step 3 -o step.png", 2).contains("2 steps"));
}

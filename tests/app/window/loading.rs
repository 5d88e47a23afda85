//! Files while they are read: a pipe that never delivers, and how it is given up.

use super::*;

#[cfg(unix)]
#[test]
fn a_pipe_that_never_delivers_is_given_up_and_the_window_goes_on_meanwhile() {
    /// The bound of a frame, wide enough for an unoptimised build on a busy machine; a window that waits for the pipe has no frame at all.
    const STALL: Duration = Duration::from_secs(5);
    let folder = tempfile::TempDir::new().unwrap();
    let pipe = folder.path().join("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut window = window(memory(Preset::default(), small_image(), "dft2"), Vec::new());
    let shown = workspace(&window).report().unwrap().request.job.signal.name.clone();
    for is_pressed in [false, true] {
        window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(pipe.clone())));
        let (begin, mut n_frames) = (Instant::now(), 0);
        while begin.elapsed() < Duration::from_secs(1) || n_frames < 5 {
            let frame = Instant::now();
            window.step();
            assert!(frame.elapsed() < STALL, "a frame took {:?}", frame.elapsed());
            n_frames += 1;
        }
        assert!(!workspace(&window).is_settled(), "the pipe is being read");
        assert!(says(&window, "Reading pipe.csv"), "a veil over the panes says what is read");
        if is_pressed {
            wait(&mut window, "the status bar has no button", |window| window.query_by_label("Cancel").is_some());
            click(&mut window, "Cancel");
        } else {
            run(&mut window, Command::Cancel);
        }
        wait(&mut window, "the pipe is not given up", |window| workspace(window).message() == "Loading is cancelled");
        settle(&mut window);
        assert_eq!(workspace(&window).report().unwrap().request.job.signal.name, shown, "what was shown stays");
    }
}

/// A file of 256 samples of two channels, a millisecond apart.
fn recording(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("scope.csv");
    let row = |k: usize| format!("{}.0,{},{}\n", k, (k * k) % 17, (3 * k) % 11);
    std::fs::write(&path, "time (ms),left,a channel with a rather long name\n".to_owned() + &(0..256).map(row).collect::<String>())
        .unwrap();
    path
}

#[test]
fn a_column_of_times_gives_the_rate_and_channels_stand_in_a_list() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut window = window(Memory::default(), vec![recording(&folder)]);
    let job = workspace(&window).report().unwrap().request.job.clone();
    let names: Vec<&str> = job.signal.channels.iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!((names, job.signal.rate_hz()), (vec!["left", "a channel with a rather long name"], Some(1000.0)));
    assert!(says(&window, "has the times of the samples: 1000 Hz"));
    choose(&mut window, "Channel", "a channel with a rather long name");
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.channel, papillon::signal::ChannelChoice::Channel(1));
}

#[test]
fn the_wave_of_a_column_has_its_unit() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("meter.csv");
    let text = "time (s),voltage (V),count\n".to_owned() + &(0..64).map(|k| format!("{k},{},{}\n", k % 7, k % 5)).collect::<String>();
    std::fs::write(&path, text).unwrap();
    let mut window = window_of(move |ctx| Workspace::new(ctx, Memory::default(), vec![path]).prompting_always());
    let mut labels = |channel: &str| {
        choose(&mut window, "Channel", channel);
        let middle = window.get_by_label_contains("Source plot, ").rect().center();
        window.hover_at(middle);
        window.run_steps(3);
        let svg = folder.path().join(format!("{channel}.svg"));
        spectra::export(&mut window, Command::ExportView, &svg);
        std::fs::read_to_string(&svg).unwrap()
    };
    assert!(labels("count").contains(">count<"));
    assert!(labels("voltage (V)").contains(">voltage (V)<"));
}

#[test]
fn a_sampling_rate_is_typed_for_the_signal_that_is_open() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("plain.csv");
    std::fs::write(&path, (0..64).map(|k| format!("{}\n", k * k % 19)).collect::<String>()).unwrap();
    let mut window = window(Memory::default(), vec![path]);
    let rate = |window: &Window| {
        let workspace = workspace(window);
        workspace
            .memory()
            .settings
            .sampling(&workspace.report().unwrap().request.job.signal)
            .map(|sampling| (sampling.per_unit, sampling.unit()))
    };
    assert_eq!(rate(&window), None);
    enter(&mut window, "Rate", "44.1 kHz");
    assert_eq!(rate(&window), Some((44_100.0, "s")));
    enter(&mut window, "Rate", "3 apples");
    assert_eq!(rate(&window), Some((44_100.0, "s")));
    assert!(says(&window, "is no sampling rate: type 8000, 44.1 kHz, 0.5 ms"));
    enter(&mut window, "Rate", "0.5 ms");
    assert_eq!(rate(&window), Some((2000.0, "s")));
    // The same number in another unit.
    enter(&mut window, "Rate", "2000 per mm");
    assert_eq!(rate(&window), Some((2000.0, "mm")));
    let shown = window.get_by_role_and_label(Role::SpinButton, "Rate").value();
    assert!(shown.is_some_and(|text| text.contains("per mm")), "the field shows the unit");
    enter(&mut window, "Rate", "unknown");
    assert_eq!(rate(&window), None);
    // A rate belongs to its signal.
    enter(&mut window, "Rate", "8000");
    let other = recording(&folder);
    window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(other)));
    wait(&mut window, "the other file is not opened", |window| rate(window) == Some((1000.0, "s")));
}

#[test]
fn a_session_is_opened_like_any_file_and_saved_where_it_came_from() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("mine.json");
    let mut mine = memory(Preset::Signal, Origin::File(recording(&folder)), "dft");
    mine.settings.algorithm = Some("bluestein".into());
    papillon::ui::save_session(&mine, &path).unwrap();
    // As an argument, and dropped.
    let mut first = window(Memory::default(), vec![path.clone()]);
    assert_eq!(workspace(&first).report().unwrap().outcome().unwrap().algorithm, "bluestein");
    let mut second = window(memory(Preset::default(), small_image(), "dft2"), Vec::new());
    second.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(path.clone())));
    wait(&mut second, "the session is not opened", |window| workspace(window).memory().settings.algorithm.is_some());
    settle(&mut second);
    // Saving asks for no name.
    choose(&mut first, "Channel", "a channel with a rather long name");
    settle(&mut first);
    first.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::S);
    wait(&mut first, "no file is written", |window| workspace(window).message().starts_with("Wrote"));
    assert_eq!(papillon::ui::load_session(&path).unwrap().settings, workspace(&first).memory().settings);
    // A broken one is said, and changes nothing.
    std::fs::write(&path, "{").unwrap();
    second.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(path)));
    wait(&mut second, "the mistake is not said", |window| workspace(window).message().contains("is no session"));
    assert_eq!(workspace(&second).memory().settings.algorithm.as_deref(), Some("bluestein"));
}

#[test]
fn a_file_is_read_again_when_it_changes_and_its_folder_is_paged_through() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, side: usize| {
        let pixels: Vec<u8> = (0..side * side).map(|k| (k * k % 251) as u8).collect();
        let mut bytes = Vec::new();
        papillon::signal::encode_image_png(&mut bytes, side, side, &pixels, "").unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
    };
    write("a2.png", 16);
    write("a10.png", 24);
    let mut window = window(Memory::default(), vec![folder.path().join("a2.png")]);
    let shown = |window: &Window| {
        let signal = &workspace(window).report().unwrap().request.job.signal;
        (signal.name.clone(), signal.rows)
    };
    click(&mut window, "Ellipse");
    settle(&mut window);
    let region = workspace(&window).memory().settings.preparation.region;
    assert!(region.is_some());
    window.key_press(egui::Key::PageDown);
    wait(&mut window, "the next file is not opened", |window| shown(window) == ("a10.png".into(), 24));
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.preparation.region, region, "all settings stay");
    write("a10.png", 32);
    wait(&mut window, "the change is not seen", |window| shown(window) == ("a10.png".into(), 32));
    window.key_press(egui::Key::PageUp);
    wait(&mut window, "the file before is not opened", |window| shown(window).0 == "a2.png");
}

#[test]
fn several_files_are_opened_at_once_and_a_typed_size_stays_with_its_tab() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["first.csv", "second.csv"].map(|name| folder.path().join(name));
    for file in &files {
        std::fs::write(file, (0..64).map(|i| format!("{}\n", i * i % 17)).collect::<String>()).unwrap();
    }
    let mut window = window_of(|ctx| Workspace::new(ctx, Memory::default(), Vec::new()).prompting_always());
    run(&mut window, Command::Open);
    answer(&mut window, &format!("{};{}", files[0].display(), files[1].display()));
    wait(&mut window, "no tabs are opened", |window| window.query_by_label("Tab second.csv").is_some());
    settle(&mut window);
    prepare::open_section(&mut window, Role::ComboBox, "Padding");
    choose(&mut window, "Padding", "A size");
    set(&mut window, "Columns", 96.0);
    settle(&mut window);
    let columns = |window: &Window| workspace(window).report().unwrap().outcome().unwrap().shape.columns;
    assert_eq!(columns(&window), 96);
    click(&mut window, "Tab second.csv");
    settle(&mut window);
    assert_eq!(columns(&window), 64);
    click(&mut window, "Tab first.csv");
    settle(&mut window);
    assert_eq!(columns(&window), 96, "the size that was typed for this signal");
}

#[test]
fn several_files_are_tabs_that_keep_their_settings() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["first.csv", "second.csv"].map(|name| folder.path().join(name));
    for (k, file) in files.iter().enumerate() {
        std::fs::write(file, (0..64).map(|i| format!("{}\n", i * i % (17 + k))).collect::<String>()).unwrap();
    }
    let mut window = window(Memory::default(), files.to_vec());
    settle(&mut window);
    click(&mut window, "Part");
    settle(&mut window);
    click(&mut window, "Tab second.csv");
    settle(&mut window);
    let state = |window: &Window| {
        let settings = &workspace(window).memory().settings;
        (settings.origin.title(), settings.preparation.region.is_some())
    };
    assert_eq!(state(&window), ("second.csv".to_owned(), false));
    run(&mut window, Command::PreviousTab);
    settle(&mut window);
    assert_eq!(state(&window), ("first.csv".to_owned(), true));
    let kept = serde_json::to_string(workspace(&window).memory()).unwrap();
    assert_eq!(serde_json::from_str::<Memory>(&kept).unwrap().sources, workspace(&window).memory().sources);
    click(&mut window, "Close first.csv");
    settle(&mut window);
    assert_eq!(state(&window), ("second.csv".to_owned(), false));
    assert!(window.query_by_label("Tab second.csv").is_none(), "one signal has no tabs");
}

#[test]
fn a_long_name_is_shortened_in_its_middle_and_widens_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let names = ["a.pgm".to_owned(), format!("{}run-12.pgm", "the-long-name-of-an-image-".repeat(7))];
    let files = names.clone().map(|name| folder.path().join(name));
    for file in &files {
        std::fs::write(file, b"P5 8 8 255\n0123456789abcdef0123456789ABCDEFfedcba98765432100123456789abcdef").unwrap();
    }
    let opened = |files: &[PathBuf]| window(memory(Preset::Image, small_image(), "dft2"), files.to_vec());
    let places = |window: &Window| {
        ["Source image", "Spectrum image", "Filtered image"].map(|image| window.get_by_role_and_label(Role::Image, image).rect())
    };
    let [short, long] = [0, 1].map(|index| opened(&files[index..=index]));
    assert_eq!(places(&short), places(&long), "the panes stay where they are");
    for (window, end) in [(&short, "a.pgm: 8 × 8"), (&long, "run-12.pgm: 8 × 8")] {
        let told = workspace(window).message();
        assert!(told.contains(end) && told.chars().count() < 120, "{told}");
    }
    let both = opened(&files);
    let tab = both.get_by_label(&format!("Tab {}", names[1])).rect();
    assert!(tab.width() < places(&both)[0].width(), "{tab} is not wider than its pane");
}

//! Random commands, keys and clicks while the engine computes: no panic, no growing memory.
//!
//! `PAPILLON_SOAK_SECS=3600 cargo test --release --test app window::soak -- --nocapture` goes on for an hour and prints the longest frames;
//! so long a run of an optimised build fails where the window would not feel fluid, too.
//! `PAPILLON_SOAK_KEEP=folder` writes a session of every frame that took the window's thread more than 100 ms; `PAPILLON_SOAK_SEED=8` does other things.
//! `PAPILLON_CLUMSY_SECS=600` drags, clicks and scrolls in the layout *Image* for ten minutes.

use super::*;
use egui_kittest::TestRenderer;
use papillon::random::Random;
use strum::IntoEnumIterator as _;

/// Bytes that the program holds after it has opened the session again with which it began, and every layout has shown its small sample: each pane
/// keeps what it needs for its newest answer, however large.
///
/// The count of the system says less: the allocator of each thread keeps what was large once.
fn held(window: &mut Window, (begin, session): (&Memory, &std::path::Path)) -> usize {
    // A random command may have saved something else to the file.
    papillon::ui::save_session(begin, session).unwrap();
    // The message that a session was opened gives way to that of its signal; the layout tells, too.
    run(window, Command::Preset(Preset::Signal));
    window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(session.to_owned())));
    wait(window, "the session is not opened", |window| workspace(window).memory().preset == Preset::default());
    settle(window);
    for preset in Preset::iter() {
        run(window, Command::Preset(preset));
        settle(window);
    }
    crate::ALLOCATED.current_usage()
}

/// Whether the bytes that were held at these moments, at regular distances, grow.
///
/// Kernels and results that are kept for the next run are all there after the first third of the time. Later the memory in use goes up and down with the data.
/// Memory that is never freed raises the lowest value too.
fn grows(marks: &[usize]) -> bool {
    let least = |marks: &[usize]| marks.iter().min().copied().unwrap_or_default();
    let third = marks.len() / 3;
    least(&marks[2 * third..]) >= least(&marks[third..2 * third]) + (32 << 20)
}

/// Bytes that are in memory for the program, what drivers and allocators keep included; `None` where the system does not tell.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? << 10)
}

/// Takes textures as a screen does: the harness keeps all of them until the first picture, and a soak draws none.
struct NoPixels;

impl TestRenderer for NoPixels {
    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        delta.clear();
    }

    fn render(&mut self, _: &egui::Context, _: &egui::FullOutput) -> Result<image::RgbaImage, String> {
        Err("a soak draws nothing".into())
    }
}

/// A moment by the clock of the wall, and how long this thread had been at work by then; `None` where the system does not tell.
struct Moment(Instant, Option<Duration>);

impl Moment {
    fn now() -> Self {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        Self(Instant::now(), text.split_whitespace().next().and_then(|nanos| nanos.parse().ok()).map(Duration::from_nanos))
    }

    /// The time since then, and the part of it without waits for a processor, a lock or another thread.
    fn elapsed(&self) -> [Duration; 2] {
        let (now, time) = (Self::now(), self.0.elapsed());
        [time, now.1.zip(self.1).map_or(time, |(now, then)| now.saturating_sub(then))]
    }
}

/// The ten longest frames and what came before each, the longest first.
#[derive(Default)]
struct Slowest(Vec<(Duration, String)>);

impl Slowest {
    fn add(&mut self, time: Duration, event: impl FnOnce() -> String) {
        let at = self.0.partition_point(|(other, _)| *other >= time);
        if at < 10 {
            self.0.insert(at, (time, event()));
            self.0.truncate(10);
        }
    }
}

impl std::fmt::Display for Slowest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|(time, event)| writeln!(f, "{time:?}: {event}"))
    }
}

/// Makes the triangles of the newest frame, as the window's thread does for the screen; gives their number.
fn paint(window: &Window) -> usize {
    let output = window.output();
    let pieces = window.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
    let triangles = |piece: &egui::ClippedPrimitive| match &piece.primitive {
        egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len() / 3,
        egui::epaint::Primitive::Callback(_) => 0,
    };
    pieces.iter().map(triangles).sum()
}

/// A frame that takes the window's thread longer than this is felt.
const STALL: Duration = Duration::from_millis(100);

/// The work of the window's thread in the median frame, in all but one of a thousand, and in the longest, at most: on quiet cores, in an optimised build.
const FLUID: [Duration; 3] = [Duration::from_millis(5), Duration::from_millis(50), Duration::from_millis(110)];

/// Parts of the time after each of which the soak counts its memory.
const MARKS: u32 = 10;

/// One test of this module runs at a time: they change the folder of the process, and one counts its memory.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The current folder of the process for a while: what a random key writes goes there; other tests name whole paths.
struct TemporaryFolder {
    folder: tempfile::TempDir,
    before: PathBuf,
}

impl TemporaryFolder {
    fn enter() -> Self {
        let (folder, before) = (tempfile::TempDir::new().unwrap(), std::env::current_dir().unwrap());
        std::env::set_current_dir(&folder).unwrap();
        Self { folder, before }
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        std::env::set_current_dir(&self.before).unwrap();
    }
}

#[test]
fn clumsy_hands_leave_the_layout_for_images_whole() {
    let secs = std::env::var("PAPILLON_CLUMSY_SECS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let (_alone, folder) = (alone(), TemporaryFolder::enter());
    let (memory, mut random) = (memory(Preset::Image, small_image(), "dft2"), Random::new(18));
    let mut window =
        window_in(Harness::builder().renderer(NoPixels), move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let (begin, mut n) = (Instant::now(), 0_u64);
    while begin.elapsed() < Duration::from_secs(secs) {
        // Below the bar of layouts.
        let mut at = || egui::pos2(random.below(1280) as f32, 36.0 + random.below(730) as f32);
        let (from, to) = (at(), at());
        let (kind, key) = (random.below(6), random.below(8));
        match kind {
            0 | 1 => hands::drag(&mut window, &[from], 1, Default::default()),
            2 => hands::drag(&mut window, &[from, to], 3, Default::default()),
            3 => hands::drag(&mut window, &[from, to], 2, egui::Modifiers::SHIFT),
            4 => {
                window.event(egui::Event::PointerMoved(from));
                hands::wheel(&window, (to.y - from.y) / 50.0, Default::default());
            }
            _ => {
                use egui::Key::{ArrowLeft, ArrowUp, Delete, Enter, Escape, Num0, Tab, W};
                window.key_press([ArrowLeft, ArrowUp, Delete, Enter, Escape, Num0, Tab, W][key]);
            }
        }
        window.step();
        n += 1;
        if n.is_multiple_of(200) {
            run(&mut window, Command::Preset(Preset::Image));
        }
    }
    eprintln!("{n} clumsy actions");
    drop(folder);
    // Whatever is open can be closed, and the layout and its image come back.
    for _ in 0..6 {
        window.key_press(egui::Key::Escape);
        window.run_steps(2);
    }
    run(&mut window, Command::Preset(Preset::Image));
    run(&mut window, Command::ResetLayout);
    settle(&mut window);
    for name in ["Spectrum image", "Filtered image"] {
        assert!(window.query_all_by_label(name).next().is_some() || says(&window, "Mask tool: "), "{name} is lost after {n} actions");
    }
    let report = workspace(&window).report().expect("something was computed");
    assert!(report.outcome().is_some() || report.error().is_some_and(|error| !papillon::remedy::Remedies::remedies(error).is_empty()));
}

/// Gives a command, a key or a click to the window, and says which; a command has its frame here.
fn random_event(window: &mut Window, commands: &[Command], random: &mut Random) -> String {
    match random.below(3) {
        0 => {
            let command = commands[random.below(commands.len())];
            run(window, command);
            format!("{command:?}")
        }
        1 => {
            let keys = [egui::Key::Tab, egui::Key::Enter, egui::Key::Escape, egui::Key::ArrowDown, egui::Key::ArrowUp, egui::Key::Space];
            let key = keys[random.below(keys.len())];
            window.key_press(key);
            format!("{key:?}")
        }
        _ => {
            let at = egui::pos2(random.below(1280) as f32, random.below(800) as f32);
            window.event(egui::Event::PointerMoved(at));
            for pressed in [true, false] {
                hands::button(window, at, egui::PointerButton::Primary, pressed, Default::default());
            }
            format!("a click at {at:?}")
        }
    }
}

#[test]
fn random_commands_and_clicks_do_no_harm() {
    let secs = std::env::var("PAPILLON_SOAK_SECS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let (_alone, folder) = (alone(), TemporaryFolder::enter());
    let memory = memory(Preset::default(), small_image(), "dft2");
    let session = folder.folder.path().join("begin.json");
    let begin_with = memory.clone();
    let mut window =
        window_in(Harness::builder().renderer(NoPixels), move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let seed = std::env::var("PAPILLON_SOAK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(7);
    let kept_in = std::env::var_os("PAPILLON_SOAK_KEEP").map(PathBuf::from);
    let (commands, mut random) = (Command::all().collect::<Vec<_>>(), Random::new(seed));
    let (begin, all) = (Instant::now(), Duration::from_secs(secs));
    let (mut slowest, mut busiest, mut n, mut works) = (Slowest::default(), Slowest::default(), 0_u64, Vec::new());
    let mut marks = vec![held(&mut window, (&begin_with, &session))];
    while begin.elapsed() < all {
        let moment = Moment::now();
        let event = random_event(&mut window, &commands, &mut random);
        let (first, moment) = (moment.elapsed(), Moment::now());
        window.step();
        let triangles = paint(&window);
        let second = moment.elapsed();
        let [frame, work] = [0, 1].map(|clock| first[clock].max(second[clock]));
        let memory = workspace(&window).memory();
        let told = || {
            let settings = &memory.settings;
            let state = format!("{:?} with {} in {:?}", settings.algorithm, settings.transform, memory.preset);
            format!("at work {work:?}, frame {n} of {triangles} triangles, {event}, {state}")
        };
        works.push(work);
        slowest.add(frame, told);
        busiest.add(work, told);
        if let Some(folder) = kept_in.as_ref().filter(|_| work > STALL) {
            papillon::ui::save_session(memory, &folder.join(format!("frame-{n}.json"))).unwrap();
        }
        n += 1;
        if secs >= 60 && begin.elapsed() > all * marks.len() as u32 / MARKS {
            // A run that fails later has told this much.
            eprintln!("{n} frames in {:?}, the longest:\n{slowest}the busiest:\n{busiest}", begin.elapsed());
            marks.push(held(&mut window, (&begin_with, &session)));
            eprintln!("{} MiB", marks[marks.len() - 1] >> 20);
        }
    }
    marks.push(held(&mut window, (&begin_with, &session)));
    drop(folder);
    let mebibytes: Vec<usize> = marks.iter().map(|bytes| bytes >> 20).collect();
    eprintln!("{n} frames; MiB at the beginning and after every tenth of the time: {mebibytes:?}; the longest frames:\n{slowest}");
    eprintln!("the frames with the most work of the window's own thread:\n{busiest}");
    works.sort();
    let works = [500, 999, 1000].map(|thousandths| works[(works.len() - 1) * thousandths / 1000]);
    eprintln!("its work in the median frame, in all but one of a thousand, and in the longest: {works:?}");
    let is_fluid = works.iter().zip(FLUID).all(|(work, most)| *work <= most);
    assert!(
        is_fluid || cfg!(debug_assertions) || std::env::var_os("PAPILLON_SOAK_SECS").is_none(),
        "{works:?} at work, and at most {FLUID:?}"
    );
    let longest = slowest.0.first().map_or(Duration::ZERO, |(time, _)| *time);
    // A bound for an unoptimised build on a busy machine; by hand it is 100 ms.
    assert!(longest < Duration::from_secs(10), "a frame took {longest:?}");
    assert!(secs < 60 || !grows(&marks), "memory grows: {mebibytes:?} MiB");
    // Allocators and the software driver keep some hundred MiB of what once was large, and then no more.
    let resident = resident().filter(|_| secs >= 60).unwrap_or_default();
    assert!(resident < 3 << 29, "{} MiB are in memory", resident >> 20);
}

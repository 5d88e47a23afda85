//! Opens the window: its title, size and device, and what it remembers.

use super::app::MEMORY_KEY;
use super::pace::PacedWindow;
use super::session::Memory;
use super::workspace::{Opening, StreamSource, Workspace};
use crate::gpu::check_room;
use crate::signal::{RawFormat, read_own};
use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::LogicalSize;
use winit::error::EventLoopError;
use winit::event_loop::EventLoop;
use winit::raw_window_handle::{HasWindowHandle, RawWindowHandle};
use winit::window::Window;

/// The name of the folder in which the system keeps the state of the program.
const FOLDER: &str = "papillon";
/// The size of the first window, and what its frame takes beside it, in points.
const FIRST_SIZE: [f32; 2] = [1280.0, 800.0];
const ROOM_OF_FRAME: f32 = 64.0;

/// The file of measured times, beside the remembered layout; `None` where the system has no folder for it.
pub fn measured_path() -> Option<PathBuf> {
    eframe::storage_dir(FOLDER).map(|folder| folder.join("measured.json"))
}

/// Why the window cannot open.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The system has no display, or no adapter draws on it.
    #[error("cannot open a window: {0}")]
    NoWindow(String),
}

/// Opens the window with the first of `files`, which may be samples without a header, or with a stream that runs, and returns when it is closed.
///
/// # Errors
/// Without a display, or without an adapter that draws on it.
pub fn run(files: Vec<PathBuf>, raw: Option<RawFormat>, stream: Option<StreamSource>) -> Result<(), WindowError> {
    // Before this, the program has only read its command line.
    let begin = Instant::now();
    let viewport =
        egui::ViewportBuilder::default().with_title("Papillon").with_app_id(FOLDER).with_inner_size(FIRST_SIZE).with_icon(icon());
    let options = eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: WgpuConfiguration { wgpu_setup: wgpu_setup(), ..WgpuConfiguration::default() },
        ..eframe::NativeOptions::default()
    };
    check_room(2).map_err(|error| WindowError::NoWindow(error.to_string()))?;
    // The window would read whatever has this name, and all of it.
    set_aside(|file| read_own(file).is_err());
    let created = Rc::new(OnceCell::new());
    let watched = created.clone();
    let start = move |creation: &eframe::CreationContext<'_>| {
        if let Some(window) = creation.winit_window() {
            // A viewport counts in points of the larger text; the least size of a window does not grow with the text.
            window.set_min_inner_size(Some(LogicalSize::new(640.0, 400.0)));
            if loses_hidden_frames(window) {
                window.set_visible(true);
            }
        }
        let has_begun = creation.storage.is_some_and(|storage| storage.get_string(MEMORY_KEY).is_some());
        if creation.winit_window().is_some_and(|window| !has_begun && fills_screen(window)) {
            // The window takes this with its first frame.
            creation.egui_ctx.send_viewport_cmd(egui::ViewportCommand::Maximized(true));
        }
        let kept = creation.storage.and_then(|storage| storage.get_string(MEMORY_KEY));
        let memory = kept.and_then(|text| Memory::from_json(serde_json::from_str(&text).ok()?).ok());
        if memory.is_none() {
            set_aside(|_| true);
        }
        let is_first = creation.storage.is_some() && !has_begun && files.is_empty();
        let memory = memory.unwrap_or_else(|| if is_first { Memory::first() } else { Memory::default() });
        let workspace = Workspace::new(&creation.egui_ctx, memory, files).reading_raw(raw).opening(Opening::AtHome).started_at(begin);
        let workspace = match measured_path() {
            Some(path) => workspace.remembering(path),
            None => workspace,
        };
        let workspace = match stream {
            Some(stream) => workspace.streaming(&creation.egui_ctx, stream),
            None => workspace,
        };
        watched.get_or_init(|| workspace.engine.store().timing_lock().clone());
        Ok(Box::new(workspace) as Box<dyn eframe::App>)
    };
    let no_window = |error: EventLoopError| WindowError::NoWindow(reason(&error));
    let events = EventLoop::with_user_event().build().map_err(no_window)?;
    let window = eframe::create_native(FOLDER, options, Box::new(start), &events);
    events.run_app(&mut PacedWindow::new(window, created.clone())).map_err(no_window)?;
    // The reason is in the log only.
    created.get().map(|_| ()).ok_or_else(|| WindowError::NoWindow("no adapter draws on this display".into()))
}

/// Why the system gives no window, without the place in the source of a library that its errors begin with.
fn reason(error: &EventLoopError) -> String {
    let text = error.to_string();
    match text.split_once(".rs:").and_then(|(_, place)| place.split_once(": ")) {
        Some((_, reason)) if matches!(error, EventLoopError::Os(_)) => reason.to_owned(),
        _ => text,
    }
}

/// Whether the first window, with its frame, would reach beyond its screen.
fn fills_screen(window: &Window) -> bool {
    let size = window.current_monitor().map(|monitor| monitor.size().to_logical::<f32>(monitor.scale_factor()));
    size.is_some_and(|size| size.width < FIRST_SIZE[0] + ROOM_OF_FRAME || size.height < FIRST_SIZE[1] + ROOM_OF_FRAME)
}

/// Whether the system drops what is painted before the window is on the screen, as X11 does. Windows begin hidden, so that the first frame would be painted twice.
fn loses_hidden_frames(window: &Window) -> bool {
    let handle = window.window_handle();
    handle.is_ok_and(|handle| matches!(handle.as_raw(), RawWindowHandle::Xlib(_) | RawWindowHandle::Xcb(_)))
}

/// The icon of the window; without one, where the file inside the program cannot be read.
fn icon() -> egui::IconData {
    eframe::icon_data::from_png_bytes(include_bytes!("../../assets/papillon.png")).unwrap_or_default()
}

/// Moves the file of settings away where it cannot be used, before the window writes its own.
fn set_aside(is_unusable: impl FnOnce(&Path) -> bool) {
    let Some(file) = eframe::storage_dir(FOLDER).map(|folder| folder.join("app.ron")) else { return };
    if file.exists()
        && is_unusable(&file)
        && let Err(error) = std::fs::rename(&file, file.with_extension("ron.damaged"))
    {
        log::warn!("settings that cannot be used stay: {error}");
    }
}

/// The device that draws the window. It requires only what the adapter has, so that any adapter will do.
pub(super) fn wgpu_setup() -> WgpuSetup {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    // OpenGL looks for a session and complains on standard error without one, so it is left out if it is not needed.
    let has_session = std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| !folder.is_empty());
    if !has_session && crate::gpu::adapters().iter().any(|adapter| adapter.backend != "gl") {
        setup.instance_descriptor.backends.remove(wgpu::Backends::GL);
    }
    WgpuSetup::CreateNew(WgpuSetupCreateNew {
        device_descriptor: Arc::new(|adapter| wgpu::DeviceDescriptor {
            label: Some("window"),
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        }),
        ..setup
    })
}

//! The window without a display: the same panes, drawn into a texture and written as PNG.

use super::preset::Preset;
use super::session::Memory;
use super::theme::background;
use super::window::wgpu_setup;
use super::workspace::{Opening, Workspace};
use crate::engine::Outcome;
use crate::fault::caught;
use crate::gpu::check_room;
use crate::signal::{self, RawFormat};
use eframe::egui_wgpu::{RenderState, RendererOptions, ScreenDescriptor, WgpuConfiguration};
use egui::{Context, FullOutput, Pos2, RawInput, Rect, Theme, vec2};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The image of the window must be ready after this time.
const PATIENCE: Duration = Duration::from_secs(120);
/// The engine finds out more while it rests; the image waits at most this long for what it shows of that.
const FOUND_OUT: Duration = Duration::from_secs(4);

/// The content of an image of the window.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The preset that is laid out.
    pub preset: Preset,
    /// Width and height in pixels, one pixel per point.
    pub size: [u32; 2],
    /// Dark or light.
    pub theme: Theme,
    /// The first file is opened; without files, the sample.
    pub files: Vec<PathBuf>,
    /// How it stores its samples, if it has no header.
    pub raw: Option<RawFormat>,
    /// The name of a lesson to open, and its step from 0.
    pub lesson: Option<(String, usize)>,
    /// The window of a session, with its own layout, look and signal.
    pub session: Option<Box<Memory>>,
    /// Whether the times of other algorithms and devices are waited for, although no pane shows them.
    pub with_times: bool,
}

/// Why the window cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The system has no adapter that draws.
    #[error("no graphics adapter draws the window: install a Vulkan driver, as Mesa's (mesa-vulkan-drivers): {0}")]
    NoAdapter(String),
    /// The image is larger than the textures of the adapter.
    #[error("the adapter draws at most {largest} × {largest} pixels, and {}×{} are more: take a smaller --size", size[0], size[1])]
    Size {
        /// Width and height that were requested, in pixels.
        size: [u32; 2],
        /// The longest side of a texture.
        largest: u32,
    },
    /// The signal could not be loaded.
    #[error("{0}")]
    Work(String),
    /// The work took too long.
    #[error("the window was not ready after {} s: take a smaller signal", PATIENCE.as_secs())]
    TooSlow,
    /// The adapter failed to draw.
    #[error("the adapter could not draw the window: {0}")]
    Draw(String),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] signal::FileError),
}

/// Draws the window and writes it to `out` as PNG; returns the workspace with its report.
///
/// # Errors
/// Where no adapter draws, the signal is missing, or the file cannot be written.
pub fn snapshot(snapshot: &Snapshot, out: &Path) -> Result<Workspace, SnapshotError> {
    // The engine looks for devices of its own.
    check_room(2).map_err(|error| SnapshotError::Draw(error.to_string()))?;
    let ctx = Context::default();
    let first = || Memory { theme: snapshot.theme.into(), ..Memory::of_preset(snapshot.preset) };
    let memory = snapshot.session.as_deref().cloned().unwrap_or_else(first);
    let mut workspace = Workspace::new(&ctx, memory, snapshot.files.clone()).reading_raw(snapshot.raw).opening(Opening::Here);
    if let Some((name, step)) = &snapshot.lesson
        && !workspace.show_lesson(&ctx, name, Some(*step))
    {
        return Err(SnapshotError::Work(format!("there is no lesson named '{name}'")));
    }
    // Nobody moves a control.
    workspace.engine.find_out_at_once();
    ctx.all_styles_mut(|style| style.animation_time = 0.0);
    // A driver without memory makes wgpu panic.
    let drawn = caught(|| {
        let mut stage = Renderer::new(snapshot.size)?;
        let output = settle(&ctx, &mut workspace, &mut stage, snapshot)?;
        stage.draw(&ctx, output)
    });
    let rgb = drawn.unwrap_or_else(|fault| Err(SnapshotError::Draw(fault)))?;
    signal::write_image_png(out, snapshot.size[1] as usize, snapshot.size[0] as usize, &rgb)?;
    Ok(workspace)
}

/// Runs frames until everything that was requested is there.
fn settle(ctx: &Context, workspace: &mut Workspace, stage: &mut Renderer, snapshot: &Snapshot) -> Result<FullOutput, SnapshotError> {
    let (begin, size) = (Instant::now(), snapshot.size);
    let mut settled_since = None;
    loop {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(size[0] as f32, size[1] as f32))),
            time: Some(begin.elapsed().as_secs_f64()),
            focused: true,
            max_texture_side: Some(stage.largest as usize),
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            workspace.logic(&ui.ctx().clone());
            workspace.ui(ui);
        });
        stage.take_textures(&mut output);
        if begin.elapsed() > PATIENCE {
            return Err(SnapshotError::TooSlow);
        }
        if workspace.is_settled() {
            let since = *settled_since.get_or_insert_with(Instant::now);
            let outcome = workspace.report().and_then(|report| report.outcome.clone());
            let is_at_rest = |is_complete: bool| is_complete && !ctx.has_requested_repaint() || since.elapsed() > FOUND_OUT;
            match outcome {
                // Nobody looks at the transform of a long signal.
                None if workspace.rests() => {
                    if is_at_rest(true) {
                        return Ok(output);
                    }
                }
                None => return Err(SnapshotError::Work(workspace.message().to_owned())),
                // An error is shown in its pane. A table that has grown requests one more frame.
                Some(outcome) => {
                    let is_found = outcome.map_or(true, |outcome| has_found(&outcome, snapshot.with_times || workspace.shows_times()));
                    if is_at_rest(is_found) {
                        return Ok(output);
                    }
                }
            }
        } else {
            settled_since = None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether everything is found out that the image shows: the error, which is in the status bar, and `times` where they are shown.
fn has_found(outcome: &Outcome, times: bool) -> bool {
    outcome.complete || outcome.error.is_some() && !times
}

/// A renderer without a display.
struct Renderer {
    state: RenderState,
    size: [u32; 2],
    largest: u32,
}

impl Renderer {
    fn new(size: [u32; 2]) -> Result<Self, SnapshotError> {
        let configuration = WgpuConfiguration { wgpu_setup: wgpu_setup(), ..WgpuConfiguration::default() };
        let instance = pollster::block_on(configuration.wgpu_setup.new_instance());
        let state = pollster::block_on(RenderState::create(&configuration, &instance, None, RendererOptions::PREDICTABLE))
            .map_err(|error| SnapshotError::NoAdapter(error.to_string()))?;
        let largest = state.device.limits().max_texture_dimension_2d;
        if size.iter().any(|side| *side == 0 || *side > largest) {
            return Err(SnapshotError::Size { size, largest });
        }
        Ok(Self { state, size, largest })
    }

    fn take_textures(&mut self, output: &mut FullOutput) {
        let mut renderer = self.state.renderer.write();
        for (id, images) in std::mem::take(&mut output.textures_delta.set) {
            for image in images {
                renderer.update_texture(&self.state.device, &self.state.queue, id, &image);
            }
        }
        for id in std::mem::take(&mut output.textures_delta.free) {
            renderer.free_texture(&id);
        }
    }

    /// Draws a frame; returns its pixels as RGB bytes, row by row.
    fn draw(&mut self, ctx: &Context, output: FullOutput) -> Result<Vec<u8>, SnapshotError> {
        let [width, height] = self.size;
        let screen = ScreenDescriptor { size_in_pixels: self.size, pixels_per_point: ctx.pixels_per_point() };
        let meshes = ctx.tessellate(output.shapes, ctx.pixels_per_point());
        let (device, queue) = (&self.state.device, &self.state.queue);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut renderer = self.state.renderer.write();
        let mut commands = renderer.update_buffers(device, queue, &mut encoder, &meshes, &screen);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("window"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.state.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let [r, g, b, a] = background(&ctx.global_style().visuals).map(f64::from);
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }), store: wgpu::StoreOp::Store },
            depth_slice: None,
        };
        let pass = wgpu::RenderPassDescriptor { color_attachments: &[Some(attachment)], ..Default::default() };
        renderer.render(&mut encoder.begin_render_pass(&pass).forget_lifetime(), &meshes, &screen);
        commands.push(encoder.finish());
        queue.submit(commands);
        self.read_back(&texture)
    }

    fn read_back(&self, texture: &wgpu::Texture) -> Result<Vec<u8>, SnapshotError> {
        let [width, height] = self.size;
        let stride = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let (device, queue) = (&self.state.device, &self.state.queue);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("window"),
            size: u64::from(stride) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: Some(height) };
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| SnapshotError::Draw(error.to_string()))?;
        let bytes = buffer.get_mapped_range(..).map_err(|error| SnapshotError::Draw(error.to_string()))?;
        let is_bgra = format!("{:?}", self.state.target_format).starts_with("Bgra");
        let rows = bytes.chunks_exact(stride as usize).map(|row| &row[..4 * width as usize]);
        Ok(rows
            .flat_map(|row| row.chunks_exact(4))
            .flat_map(|pixel| if is_bgra { [pixel[2], pixel[1], pixel[0]] } else { [pixel[0], pixel[1], pixel[2]] })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Contents;
    use crate::transforms::{Axes, Shape};

    #[test]
    fn an_image_waits_for_what_it_shows_alone() {
        let outcome = |error, complete| Outcome { error, complete, ..Outcome::new("walsh", Shape::line(8), Axes::Rows, Contents::Samples) };
        for (what, outcome, with_times, without) in [
            ("the result alone", outcome(None, false), false, false),
            ("the error, which the status bar shows", outcome(Some(0.0), false), false, true),
            ("all that is found out", outcome(Some(0.0), true), true, true),
            ("a result that is too large to be checked", outcome(None, true), true, true),
        ] {
            assert_eq!([has_found(&outcome, true), has_found(&outcome, false)], [with_times, without], "{what}");
        }
    }
}

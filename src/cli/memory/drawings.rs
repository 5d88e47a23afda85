//! The drawings of `papillon memory` that show whole launches: their tiles over an image, and the data between host and device.

use super::super::plan::Planned;
use super::super::{Failure, devices, output};
use super::MemoryArguments;
use crate::bench::{CaseRunner as _, SweepData, SweepLine};
use crate::engine::{DeviceChoice, JobRunner, host_device};
use crate::figure::{Figure, FigureFormat};
use crate::graph::access::{TileRect, TilesPanel, host_device_figure, tile_rects, tiles_figure};
use crate::numerals::integer;
use crate::remedy::ending_list;
use crate::schedule::{Launch, Schedule, SectionKind};
use crate::transforms::Axes;

/// Size of the drawings, in points; an image is as high as it must be.
const SIZE: [f32; 2] = [1000.0, 360.0];

/// Draws the tiles of a launch over the image, or of each launch whose tiles differ from those of the launch before.
pub(super) fn on_image(arguments: &MemoryArguments, planned: &Planned, schedule: &Schedule) -> Result<(), Failure> {
    let Planned { transform, algorithm, shape, plan, .. } = planned;
    if transform.axes != Axes::Both {
        return Err(Failure::Call(format!("--on-image takes a transform of images, and {} takes signals", transform.name)));
    }
    let image = [shape.rows, shape.columns];
    let mut panels: Vec<TilesPanel> = Vec::new();
    for (index, launch) in schedule.launches.iter().enumerate() {
        let tiles = tile_rects(plan, launch, image);
        let is_asked = arguments.launch.is_none_or(|number| number == index + 1);
        let is_other = panels.last().is_none_or(|panel| sizes(&panel.tiles).ne(sizes(&tiles)));
        if is_asked && is_other && !tiles.is_empty() {
            panels.push(TilesPanel { title: title(index, launch, &tiles[0].owned), tiles });
        }
    }
    if panels.is_empty() {
        let none = "--on-image finds no launch with tiles that are rectangles of the image: take --schedule stages with --scheme, split-merge or overlapped";
        return Err(Failure::Call(none.into()));
    }
    let title = format!("Tiles of {}, {}, over {} × {} pixels", transform.name, algorithm.name, integer(image[0]), integer(image[1]));
    written(arguments, &tiles_figure(&panels, image, SIZE[0].min(360.0 * panels.len() as f32), title))
}

/// Rows and columns of every tile.
fn sizes(tiles: &[TileRect]) -> impl Iterator<Item = [usize; 2]> {
    tiles.iter().map(|tile| tile.owned.each_ref().map(std::ops::Range::len))
}

/// The launch, its section, and the size of its tiles.
fn title(index: usize, launch: &Launch, [rows, columns]: &[std::ops::Range<usize>; 2]) -> String {
    let section = match launch.section() {
        Some(SectionKind::Split) => "split, ",
        Some(SectionKind::Merge) => "merge, ",
        None => "",
    };
    format!("Launch {}: {section}{} × {} pixels", index + 1, rows.len(), columns.len())
}

/// Runs the plan on noise on the GPU, once to warm up and once more, and draws what travelled, with all times.
pub(super) fn host_and_device(arguments: &MemoryArguments, planned: &Planned) -> Result<(), Failure> {
    let Planned { transform, algorithm, shape, cut, .. } = planned;
    let line = SweepLine {
        algorithm: Some(algorithm.name.into()),
        parameters: arguments.plan.parameters.of(transform)?,
        cut: *cut,
        ..SweepLine::new(transform.name, DeviceChoice::Gpu, Vec::new())
    };
    let (go, mut devices) = (super::super::cancel(), devices::here());
    let mut runner = JobRunner::new(&line.job(*shape, SweepData::Noise)?, 1, &mut devices, go)?;
    let times = runner.round_trip(&mut devices, go)?;
    let run = host_device(runner.outcome(), &times, true)
        .ok_or_else(|| Failure::Work(format!("{} ran on {}, so that nothing travelled", algorithm.name, runner.outcome().device)))?;
    let figure = host_device_figure(&run, SIZE);
    written(arguments, &Figure { title: format!("{} by {}. {}", transform.title, algorithm.name, figure.title), ..figure })
}

fn written(arguments: &MemoryArguments, figure: &Figure) -> Result<(), Failure> {
    if output::is_standard(&arguments.output) {
        let option = if arguments.on_image { "--on-image" } else { "--host-device" };
        return Err(Failure::Call(format!("{option} draws into a file: name one that ends in {}", ending_list(&FigureFormat::endings()))));
    }
    let bytes = figure.bytes(output::figure_format(&arguments.output, "a drawing")?)?;
    output::bytes(&arguments.output, |out| out.write_all(&bytes))
}

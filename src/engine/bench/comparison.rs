//! The table of a paper, filled: in its rows and columns our number, the one in print, and the ratio of both.
//!
//! A cell that was not measured stays in its place, and a note says why it is empty.

use super::empty_cells::{EMPTY, EmptyCells};
use super::experiments::{CellQuantity, Experiment, PaperColumn, PaperRow, PaperTable, printed_number};
use super::{BufferTime, CaseFigures, Measurement, Record, RunTimes, SweepEnd, SweepLine, TimedPart};
use crate::engine::DeviceChoice;
use crate::numerals::{bytes, number, power_of_two};
use crate::plan::OperationCounts;
use crate::signal::memory_limit;
use crate::statistics::median;
use crate::transforms::Shape;

/// Bytes of a sample and its result, at least: two complex numbers in single precision.
const BYTES_PER_SAMPLE: u64 = 16;

/// A filled table as texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ComparisonTable {
    /// The title.
    pub title: String,
    /// The upper headings, and how many columns each spans.
    pub groups: Vec<(String, usize)>,
    /// The headings of the columns.
    pub headings: Vec<String>,
    /// The number of columns that name a row; they come first.
    pub n_names: usize,
    /// The cells of every row.
    pub rows: Vec<Vec<String>>,
    /// The meanings of the columns, and why cells are empty.
    pub notes: Vec<String>,
}

/// The tables of an experiment, filled from a record: one, or one for each size where a table has a single size.
pub fn comparison(experiment: &Experiment, record: Option<&Record>) -> Vec<ComparisonTable> {
    let filler = Filler::new(experiment, record);
    let table = filler.table();
    let by_size = table.rows.is_empty() || table.rows.iter().any(|row| row.exponent.is_some());
    if by_size {
        return vec![filler.filled(&filler.rows_of_sizes(&table), None)];
    }
    let measured = filler.sizes();
    let sizes = if measured.is_empty() { vec![experiment.shape(*experiment.exponents.last().unwrap_or(&0))] } else { measured };
    sizes.into_iter().map(|size| filler.filled(&table, Some(size))).collect()
}

/// An experiment with a record, and the lines of both.
pub(super) struct Filler<'a> {
    experiment: &'a Experiment,
    record: Option<&'a Record>,
    /// The lines of the experiment, then what other lines the record has, each with its index in the sweep.
    lines: Vec<(&'a SweepLine, Option<usize>)>,
}

impl<'a> Filler<'a> {
    pub(super) fn new(experiment: &'a Experiment, record: Option<&'a Record>) -> Self {
        let known = record.map_or_else(|| vec![None; experiment.lines.len()], |record| experiment.lines_in(record));
        let added =
            record.map_or(&[][..], |record| &record.sweep.lines).iter().enumerate().filter(|(index, _)| !known.contains(&Some(*index)));
        let lines = experiment.lines.iter().zip(known.iter().copied()).chain(added.map(|(index, line)| (line, Some(index)))).collect();
        Self { experiment, record, lines }
    }

    /// The index of the line that another record added under this name.
    pub(super) fn added(&self, name: &str, like: &SweepLine) -> Option<usize> {
        let is = |(line, _): &(&SweepLine, Option<usize>)| line.label.as_deref() == Some(name) && line.transform == like.transform;
        self.lines.iter().skip(self.experiment.lines.len()).position(is).map(|index| index + self.experiment.lines.len())
    }

    /// The name of a line; one that ran on several adapters is named with its adapter, as the record has it.
    pub(super) fn name(&self, line: usize) -> String {
        let (asked, index) = self.lines[line];
        let ran = self.record.zip(index).map_or(asked, |(record, index)| &record.sweep.lines[index]);
        let line = if matches!(ran.device, DeviceChoice::Adapter(_)) { ran } else { asked };
        line.label
            .clone()
            .unwrap_or_else(|| format!("{} {}, {}", line.transform, line.algorithm.as_deref().unwrap_or("fastest"), line.device))
    }

    /// All sizes of the record, in order.
    pub(super) fn sizes(&self) -> Vec<Shape> {
        let ran = self.lines.iter().filter_map(|(_, index)| Some(&self.record?.sweep.lines[(*index)?]));
        let mut sizes: Vec<Shape> = ran.flat_map(|line| line.shapes.iter().map(|shape| self.experiment.size_of(line, *shape))).collect();
        sizes.sort_by_key(|size| (size.len(), size.rows));
        sizes.dedup();
        sizes
    }

    /// The measurement of a line at a size of the experiment, or why there is none.
    pub(super) fn measured(&self, line: usize, size: Shape) -> Result<&'a Measurement, String> {
        let (asked, index) = *self.lines.get(line).ok_or("the other record has no such line")?;
        let Some(record) = self.record else { return Err("not measured yet".into()) };
        let index = index.ok_or_else(|| asked.check().err().map_or_else(|| "not in this record".into(), |error| error.to_string()))?;
        let ran = &record.sweep.lines[index];
        let is_at = |shape: Shape| self.experiment.size_of(ran, shape) == size;
        let is = |(other, shape): (usize, Shape)| other == index && is_at(shape);
        if let Some(found) = record.measurements.iter().find(|measurement| is((measurement.line, measurement.shape))) {
            return if found.is_right() { Ok(found) } else { Err("the result is WRONG".into()) };
        }
        if let Some(failure) = record.failures.iter().find(|failure| is((failure.line, failure.shape))) {
            return Err(failure.reason.clone());
        }
        let needed = BYTES_PER_SAMPLE * size.len() as u64;
        Err(match record.end {
            _ if ran.shapes.iter().any(|shape| is_at(*shape)) => match record.end {
                SweepEnd::OutOfTime => "left out, as the time was up".into(),
                SweepEnd::Cancelled => "left out, as the sweep was cancelled".into(),
                SweepEnd::Open | SweepEnd::Complete => "not measured yet".into(),
            },
            _ if needed > memory_limit() => format!("too large for this machine, where {} may be used", bytes(memory_limit())),
            _ => "not among the sizes of this run".into(),
        })
    }

    /// The table with the lines that the record adds.
    fn table(&self) -> PaperTable {
        let n = self.experiment.lines.len();
        let column = |line: usize, shows, against| PaperColumn { heading: self.name(line), shows, line: Some(line), against };
        let Some(mut table) = self.experiment.table.clone() else {
            let (shows, against) = match self.experiment.plot {
                super::PlotQuantity::SpeedUp => (CellQuantity::Faster, Some(self.experiment.against)),
                super::PlotQuantity::Flops => (CellQuantity::Rate, None),
                super::PlotQuantity::Row => (CellQuantity::Row, None),
                _ => (CellQuantity::Kernels, None),
            };
            let columns = (0..self.lines.len()).map(|line| column(line, shows, against)).collect();
            return PaperTable { names: vec!["size".into()], columns, rows: Vec::new() };
        };
        for line in n..self.lines.len() {
            let first = &table.columns[0];
            if first.line.is_some() {
                table.columns.push(column(line, first.shows, first.against));
                continue;
            }
            // A row of its own, or a place in the row of the same name.
            let Some(columns) =
                table.rows.first().map(|row| (0..table.columns.len()).map(|column| table.line(row, column)).collect::<Vec<_>>())
            else {
                continue;
            };
            let is_like = |of: &Option<usize>| of.is_some_and(|of| self.lines[of].0.transform == self.lines[line].0.transform);
            let fills: Vec<usize> = columns.iter().map(|of| if is_like(of) { line } else { usize::MAX }).collect();
            let name = self.name(line);
            match table.rows.iter_mut().find(|row| row.names[0] == name) {
                Some(row) => row.lines.iter_mut().zip(fills).for_each(|(place, fill)| *place = (*place).min(fill)),
                None => {
                    let names = std::iter::once(name).chain((1..table.names.len()).map(|_| String::new())).collect();
                    table.rows.push(PaperRow { names, lines: fills, ..PaperRow::default() });
                }
            }
        }
        table
    }

    /// The table with a row for every size: those of the paper, then what else was measured.
    fn rows_of_sizes(&self, table: &PaperTable) -> PaperTable {
        let mut rows = table.rows.clone();
        if rows.is_empty() {
            rows = self.experiment.exponents.iter().map(|&k| PaperRow { exponent: Some(k), ..PaperRow::default() }).collect();
            rows.iter_mut()
                .for_each(|row| row.names = vec![self.size_name(&table.names[0], self.experiment.shape(row.exponent.unwrap_or(0)))]);
        }
        PaperTable { rows, ..table.clone() }
    }

    /// The name of a size: "2^10", "64 × 64", or the exponent alone where the heading is one.
    fn size_name(&self, heading: &str, size: Shape) -> String {
        match (heading, size.rows) {
            ("size", 1) if size.columns.is_power_of_two() => format!("2^{}", size.columns.ilog2()),
            ("size", 1) => size.columns.to_string(),
            ("size", rows) => format!("{rows} × {}", size.columns),
            _ => number((size.columns as f64).log2(), 3),
        }
    }

    /// Fills a table whose rows are measured at `size`, or each at its own size.
    fn filled(&self, table: &PaperTable, size: Option<Shape>) -> ComparisonTable {
        let runs = runs(table);
        let mut filled = ComparisonTable { title: self.title(size), n_names: table.names.len(), ..ComparisonTable::default() };
        filled.groups.extend(table.names.iter().map(|_| (String::new(), 1)));
        filled.headings.extend(table.names.clone());
        for run in &runs {
            headings(table, run, &mut filled);
        }
        let mut empty = EmptyCells::default();
        let at = |row: &PaperRow| row.exponent.map(|exponent| self.experiment.shape(exponent)).or(size);
        let mut rows: Vec<(Option<Shape>, PaperRow)> = table.rows.iter().map(|row| (at(row), row.clone())).collect();
        if size.is_none() {
            let named = |size: Shape| PaperRow { names: vec![self.size_name(&table.names[0], size)], ..PaperRow::default() };
            let more = self.sizes().into_iter().filter(|size| table.rows.iter().all(|row| at(row) != Some(*size)));
            rows.extend(more.map(|size| (Some(size), named(size))).collect::<Vec<_>>());
            // Sizes beside those of the paper are where they belong.
            rows.sort_by_key(|(size, _)| size.map_or((usize::MAX, 0), |size| (size.len(), size.rows)));
        }
        for (at, row) in &rows {
            filled.rows.push(self.row(table, row, &runs, *at, &mut empty));
        }
        if filled.headings.iter().any(|heading| heading == "ratio") {
            let ratio = || "ratio: how many times as fast as the paper; where the paper gives a factor, our factor divided by it".into();
            filled.notes.push(self.no_ratio(size).unwrap_or_else(ratio));
        }
        filled.notes.extend(empty.notes(runs.len()));
        filled
            .notes
            .extend(self.record.into_iter().flat_map(|record| [buffer_note(table, record), number_note(record)].into_iter().flatten()));
        filled.notes.extend(self.record.map_or_else(Vec::new, difference_notes));
        filled
    }

    /// Why a table that was measured has no ratios: its numbers in print are those of another size.
    fn no_ratio(&self, size: Option<Shape>) -> Option<String> {
        let is_printed = |size: &Shape| self.experiment.exponents.iter().any(|k| self.experiment.shape(*k) == *size);
        let size = size.filter(|size| self.record.is_some() && !is_printed(size))?;
        let paper = self.experiment.shape(*self.experiment.exponents.last()?);
        Some(format!("no ratio: the paper measured {}, this run {}", self.size_name("size", paper), self.size_name("size", size)))
    }

    fn title(&self, size: Option<Shape>) -> String {
        let Experiment { place, title, exponents, .. } = self.experiment;
        let is_other = |size: &Shape| exponents.iter().all(|k| self.experiment.shape(*k) != *size);
        let here = match size {
            Some(size) if is_other(&size) => format!(", here at {}", self.size_name("size", size)),
            Some(size) if exponents.len() > 1 => format!(", at {}", self.size_name("size", size)),
            _ => String::new(),
        };
        format!("{place}: {title}{here}")
    }

    /// The cells of a row; adds the reasons for empty ones.
    fn row(&self, table: &PaperTable, row: &PaperRow, runs: &[Run], size: Option<Shape>, empty: &mut EmptyCells) -> Vec<String> {
        let mut cells: Vec<String> = row.names.clone();
        empty.begin_row(row.names.iter().filter(|name| !name.is_empty() && *name != "-").cloned().collect::<Vec<_>>().join(" "));
        cells.resize(table.names.len(), String::new());
        let of_paper = size.is_some_and(|size| self.experiment.exponents.iter().any(|k| self.experiment.shape(*k) == size));
        for run in runs {
            let column = &table.columns[run.first];
            let found = match (size, table.line(row, run.first)) {
                (Some(size), Some(line)) => self.value(column, line, size),
                _ => Err("the program has no line for it".into()),
            };
            cells.push(match &found {
                Ok((value, None)) => number(*value, 3),
                Ok((value, Some(factor))) => format!("{} ({}×)", number(*value, 3), number(*factor, 3)),
                Err(_) => EMPTY.into(),
            });
            if let Err(reason) = &found {
                empty.add(reason, &column.heading);
            }
            for index in run.printed(table) {
                let printed = row.printed.get(index).cloned().unwrap_or_default();
                let ratio = found.as_ref().ok().zip(printed_number(&printed)).filter(|(_, paper)| of_paper && *paper > 0.0);
                let ratio = ratio.map(|((ours, _), paper)| if is_time(column.shows) { paper / ours } else { ours / paper });
                cells.extend([printed, ratio.filter(|ratio| ratio.is_finite()).map_or(String::new(), |ratio| number(ratio, 3))]);
            }
        }
        cells
    }

    /// The number of a cell, and its factor over the line that the column is relative to.
    fn value(&self, column: &PaperColumn, line: usize, size: Shape) -> Result<(f64, Option<f64>), String> {
        if let Some(count) = counted(column.shows, size) {
            return Ok((count, None));
        }
        let measurement = self.measured(line, size)?;
        let kernels = |measurement: &Measurement| micros(measurement, TimedPart::Kernels) / 1e3;
        let whole = |part: fn(&RunTimes) -> f64| middle(measurement.runs.iter().flatten().map(part).collect()) / 1e3;
        let against = column.against.map(|line| self.measured(line, size).map(kernels));
        Ok(match column.shows {
            CellQuantity::Kernels => (kernels(measurement), against.and_then(Result::ok).map(|against| against / kernels(measurement))),
            CellQuantity::Row => (1e3 * kernels(measurement) / measurement.shape.rows as f64, None),
            CellQuantity::Total => (whole(|run| run.total), None),
            CellQuantity::Transfers => (whole(RunTimes::memory), None),
            CellQuantity::Rate => (CaseFigures::of(measurement).gflop_per_sec, None),
            CellQuantity::DefinitionProducts | CellQuantity::DefinitionSums | CellQuantity::FastOrder => unreachable!("counted above"),
            CellQuantity::Faster => (against.unwrap_or(Ok(1.0))? / kernels(measurement), None),
            CellQuantity::Slower => (kernels(measurement) / against.unwrap_or(Ok(1.0))?, None),
        })
    }
}

/// The differences from the paper in a record that repeats one of its experiments.
pub(super) fn difference_notes(record: &Record) -> Vec<String> {
    record.sweep.differences.iter().map(|text| format!("differs from the paper: {text}")).collect()
}

/// Whether memory time counts the making of buffers, where a table has such times.
fn buffer_note(table: &PaperTable, record: &Record) -> Option<String> {
    let has_memory = table.columns.iter().any(|column| matches!(column.shows, CellQuantity::Transfers | CellQuantity::Total));
    has_memory.then(|| match record.sweep.settings.buffers {
        BufferTime::EachRun => "every run makes its buffers on the GPU, and memory time and total time count that".into(),
        BufferTime::Once => "buffers are made before the runs, and no time counts that".into(),
    })
}

/// The type of the lanes of a record, where these are not real or complex numbers in single precision.
fn number_note(record: &Record) -> Option<String> {
    let mut types: Vec<&str> =
        record.measurements.iter().filter(|found| found.has_other_numbers()).map(|found| found.lanes.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    (!types.is_empty()).then(|| format!("numbers: {}", types.join(", ")))
}

fn is_time(shows: CellQuantity) -> bool {
    matches!(shows, CellQuantity::Kernels | CellQuantity::Row | CellQuantity::Total | CellQuantity::Transfers)
}

/// The operations that a cell shows, where these follow from the size alone.
fn counted(shows: CellQuantity, size: Shape) -> Option<f64> {
    let definition = OperationCounts::by_definition(size.rows, size.columns);
    match shows {
        CellQuantity::DefinitionProducts => Some(definition.multiplications as f64),
        CellQuantity::DefinitionSums => Some(definition.additions as f64),
        CellQuantity::FastOrder => Some(size.len() as f64 * (size.columns as f64).log2()),
        _ => None,
    }
}

/// The median of the times of a measurement.
fn middle(times: Vec<f64>) -> f64 {
    median(times).unwrap_or(f64::NAN)
}

/// The median time of a measurement in µs.
pub(super) fn micros(measurement: &Measurement, part: TimedPart) -> f64 {
    match part {
        TimedPart::Kernels => middle(measurement.kernel_micros.concat()),
        TimedPart::Total => middle(measurement.runs.iter().flatten().map(|run| run.total).collect()),
    }
}

/// The size of a claim, as "2^20" or "64 × 64".
pub(super) fn size_text(size: Shape) -> String {
    match size.rows {
        1 => power_of_two(size.columns as f64),
        rows => format!("{rows} × {}", size.columns),
    }
}

/// Neighbouring columns that the same lines fill, such as those of several cards: our number comes once, before them.
struct Run {
    first: usize,
    n: usize,
}

impl Run {
    /// The columns that print numbers.
    fn printed<'a>(&self, table: &'a PaperTable) -> impl Iterator<Item = usize> + use<'a> {
        let has = |index: usize| table.rows.iter().any(|row| row.printed.get(index).is_some_and(|text| !text.is_empty()));
        (self.first..self.first + self.n).filter(move |index| has(*index))
    }
}

fn runs(table: &PaperTable) -> Vec<Run> {
    let same = |a: usize, b: usize| {
        let key = |index: usize| (table.columns[index].shows, table.columns[index].against, table.columns[index].line);
        key(a) == key(b) && table.columns[a].line.is_none() && table.rows.iter().all(|row| table.line(row, a) == table.line(row, b))
    };
    let mut runs: Vec<Run> = Vec::new();
    for index in 0..table.columns.len() {
        match runs.last_mut() {
            Some(run) if same(run.first, index) => run.n += 1,
            _ => runs.push(Run { first: index, n: 1 }),
        }
    }
    runs
}

/// Adds the headings of a run: ours, then the paper's with the ratio for each of its columns.
fn headings(table: &PaperTable, run: &Run, filled: &mut ComparisonTable) {
    let column = &table.columns[run.first];
    let unit = column.shows.unit();
    let printed: Vec<usize> = run.printed(table).collect();
    if run.n == 1 {
        filled.groups.push((format!("{}, {unit}", column.heading), 1 + 2 * printed.len()));
        filled.headings.push("here".into());
    } else {
        filled.groups.push((unit.into(), 1));
        filled.headings.push("here".into());
        filled.groups.extend(printed.iter().map(|index| (table.columns[*index].heading.clone(), 2)));
    }
    filled.headings.extend(printed.iter().flat_map(|_| ["paper".to_owned(), "ratio".to_owned()]));
}

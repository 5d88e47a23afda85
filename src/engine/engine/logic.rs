//! Studies a Boolean function or an S-box: computes its spectra by the plans of the table, and its properties from them.

use super::worker::{Ask, StudyFailure};
use super::{DeviceChoice, Devices, EngineError, Job, SharedResult, StudyMailbox, compute};
use crate::logic::{
    BooleanFunction, Coding, FunctionAnalysis, FunctionSpectra, LogicProperty, MOST_VARIABLES, SBox, SBoxTables, anf_text, polynomial_text,
};
use crate::plan::BitOrder;
use crate::signal::generate::LogicReading;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::RowOrder;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most variables of a function that is studied: its autocorrelation goes through integers of up to 2^60, which still fit 64 bits.
pub const MOST_STUDIED: u32 = 20;

/// Terms of a polynomial that are shown.
const MOST_TERMS: usize = 128;

/// A function with its spectra.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionStudy {
    /// The function.
    pub function: BooleanFunction,
    /// The coding of its samples.
    pub coding: Coding,
    /// Its spectra.
    pub spectra: FunctionSpectra,
    /// The properties that follow.
    pub analysis: FunctionAnalysis,
    /// The same in words, each number with its reason.
    pub properties: Vec<LogicProperty>,
    /// The beginning of the Reed-Muller polynomial.
    pub reed_muller_text: String,
    /// The beginning of the arithmetic polynomial.
    pub arithmetic_text: String,
}

/// An S-box with its tables.
#[derive(Debug, Clone, PartialEq)]
pub struct SBoxStudy {
    /// The S-box.
    pub sbox: SBox,
    /// Its tables, or in a line why there are none.
    pub tables: Result<SBoxTables, String>,
    /// The properties that follow, each number with its reason.
    pub properties: Vec<LogicProperty>,
}

/// The study of a signal.
#[derive(Debug, Clone, PartialEq)]
pub struct SignalStudy {
    /// The function, if the signal is one.
    pub function: Option<FunctionStudy>,
    /// The S-box, if the signal is one or a component of one.
    pub sbox: Option<SBoxStudy>,
}

/// A request to study a signal.
#[derive(Debug, Clone)]
pub struct LogicRequest {
    /// The signal.
    pub signal: Arc<Signal>,
    /// The channel of the signal.
    pub channel: ChannelChoice,
}

impl PartialEq for LogicRequest {
    /// Signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && self.channel == other.channel
    }
}

impl Ask for LogicRequest {}

/// Longer functions are studied for longer than a moment.
const MOST_QUICK: usize = 1 << 14;

/// Studies one function after the other.
pub struct LogicStudy;

impl crate::engine::Study for LogicStudy {
    type Request = LogicRequest;
    type Report = Result<Arc<SignalStudy>, StudyError>;

    const NAME: &'static str = "logic";

    fn is_long(request: &LogicRequest) -> bool {
        request.signal.len() > MOST_QUICK
    }

    fn answer(&mut self, request: &LogicRequest, _: Result<Vec<SharedResult>, EngineError>, mailbox: StudyMailbox<'_>) -> Self::Report {
        study(&request.signal, request.channel, mailbox.devices, mailbox.cancel, mailbox.progress).map(Arc::new)
    }
}

impl StudyFailure for StudyError {
    fn fault(fault: String) -> Self {
        Self::Engine(EngineError::Fault { fault })
    }

    fn is_cancelled(&self) -> bool {
        *self == Self::Engine(EngineError::Cancelled)
    }

    fn may_pass(&self) -> bool {
        matches!(self, Self::Engine(error) if error.may_pass())
    }
}

/// Why a signal cannot be studied.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// The samples are not a function.
    #[error("{name} is no Boolean function: that takes a line of 2^n values 0 and 1, or 1 and −1, or an S-box of 2^n whole numbers")]
    NoFunction {
        /// Name of the signal.
        name: String,
    },
    /// The samples have another type.
    #[error("{name} holds {samples} samples, and the values of a Boolean function are whole numbers: store them as integers")]
    NoIntegers {
        /// Name of the signal.
        name: String,
        /// The type of its samples.
        samples: &'static str,
    },
    /// Too many variables.
    #[error("a function of {n} variables is too large to be studied: at most {MOST_STUDIED} variables are taken")]
    TooLarge {
        /// Number of variables.
        n: u32,
    },
    /// A plan could not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A Walsh spectrum in natural order, sorted into another one.
pub fn in_order(spectrum: &[i64], order: RowOrder) -> Vec<i64> {
    let bit_order = match order {
        RowOrder::Natural => return spectrum.to_vec(),
        RowOrder::Sequency => BitOrder::GrayDecoded,
        RowOrder::Dyadic => BitOrder::Kept,
    };
    let n_bits = spectrum.len().ilog2();
    let mut sorted = vec![0; spectrum.len()];
    for (index, &value) in spectrum.iter().enumerate() {
        sorted[bit_order.apply(index, n_bits)] = value;
    }
    sorted
}

/// Computes all spectra of a signal that is a Boolean function, an S-box, or a component of one.
///
/// `progress` gets what begins, and the part of the work that is done.
///
/// # Errors
/// When the signal is neither, or has too many variables, or when `cancel` is raised.
pub fn study(
    signal: &Signal,
    channel: ChannelChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
    progress: &dyn Fn(&str, f32),
) -> Result<SignalStudy, StudyError> {
    let n = signal.columns.max(1).ilog2();
    if signal.kind == SignalKind::Rows && n > MOST_STUDIED && n <= MOST_VARIABLES && signal.columns.is_power_of_two() {
        return Err(StudyError::TooLarge { n });
    }
    let Some(LogicReading { function, sbox }) = signal.as_logic(channel) else {
        let name = signal.name.clone();
        let samples = signal.channels.first().map(|channel| &channel.samples).filter(|samples| !samples.is_integer());
        return Err(match samples.filter(|_| signal.kind == SignalKind::Rows) {
            Some(samples) => StudyError::NoIntegers { name, samples: samples.type_name() },
            None => StudyError::NoFunction { name },
        });
    };
    let mut runner = Runner { devices, cancel, progress, n_done: 0, n_runs: 0 };
    runner.n_runs = RUNS_OF_FUNCTION * usize::from(function.is_some()) + RUNS_OF_BOX * usize::from(sbox.is_some());
    let function = function.map(|(function, coding)| runner.function(function, coding)).transpose()?;
    let sbox = sbox.map(|sbox| runner.sbox(sbox)).transpose()?;
    Ok(SignalStudy { function, sbox })
}

const RUNS_OF_FUNCTION: usize = 5;
const RUNS_OF_BOX: usize = 2;

/// Runs plans one after the other, and reports its progress.
struct Runner<'a> {
    devices: &'a mut Devices,
    cancel: &'a AtomicBool,
    progress: &'a dyn Fn(&str, f32),
    n_done: usize,
    n_runs: usize,
}

impl Runner<'_> {
    fn function(&mut self, function: BooleanFunction, coding: Coding) -> Result<FunctionStudy, EngineError> {
        let signs = function.samples(Coding::Signs);
        let bits = function.samples(Coding::Bits);
        let walsh = self.run("walsh", 1, Samples::I32(signs.clone()))?;
        let reed_muller = self.run("reed-muller", 1, Samples::I32(bits.clone()))?;
        let arithmetic = self.run("arithmetic", 1, Samples::I32(bits.clone()))?;
        let haar = self.run("haar", 1, Samples::I32(bits))?;
        let autocorrelation = self.autocorrelation(Samples::I32(signs))?;
        let reed_muller = BooleanFunction::from_fn(function.n(), |index| reed_muller[index] == 1);
        let spectra = FunctionSpectra { walsh, reed_muller, arithmetic, haar, autocorrelation };
        let analysis = FunctionAnalysis::new(&function, &spectra);
        let properties = analysis.properties();
        let reed_muller_text = anf_text(&spectra.reed_muller, MOST_TERMS);
        let arithmetic_text = polynomial_text(&spectra.arithmetic, MOST_TERMS);
        Ok(FunctionStudy { function, coding, spectra, analysis, properties, reed_muller_text, arithmetic_text })
    }

    fn sbox(&mut self, sbox: SBox) -> Result<SBoxStudy, EngineError> {
        if let Err(error) = SBoxTables::check(&sbox) {
            return Ok(SBoxStudy { sbox, tables: Err(error.to_string()), properties: Vec::new() });
        }
        let rows = 1 << sbox.m();
        let components: Vec<BooleanFunction> =
            (0..rows).map(|mask| sbox.component(mask as u64).unwrap_or_else(|_| zero(sbox.n()))).collect();
        let samples = |coding: Coding| Samples::I32(components.iter().flat_map(|component| component.samples(coding)).collect());
        let walsh = self.run("walsh", rows, samples(Coding::Signs))?;
        let coefficients = self.run("reed-muller", rows, samples(Coding::Bits))?;
        let polynomials: Vec<BooleanFunction> =
            coefficients.chunks_exact(1 << sbox.n()).map(|row| BooleanFunction::from_fn(sbox.n(), |index| row[index] == 1)).collect();
        let tables = SBoxTables::new(&sbox, &walsh, &polynomials);
        let properties = tables.properties(&sbox);
        Ok(SBoxStudy { sbox, tables: Ok(tables), properties })
    }

    fn autocorrelation(&mut self, samples: Samples) -> Result<Vec<i64>, EngineError> {
        self.run("dyadic-autocorrelation", 1, samples)
    }

    fn begin(&self, what: &str) {
        (self.progress)(what, self.n_done as f32 / self.n_runs.max(1) as f32);
    }

    /// The transform of `rows` lines, on all cores.
    fn run(&mut self, transform: &'static str, rows: usize, samples: Samples) -> Result<Vec<i64>, EngineError> {
        self.begin(transform);
        let shape = (rows, samples.len() / rows);
        let job = Job {
            device: DeviceChoice::CpuParallel,
            prefer_plan: true,
            ..Job::new(Arc::new(Signal::from_channels(transform, SignalKind::Rows, shape, vec![Channel::new("f", samples)])), transform)
        };
        let computed = compute::samples(&job, self.devices, self.cancel)?;
        self.n_done += 1;
        Ok(integers(&computed))
    }
}

/// The component of output mask 0.
fn zero(n: u32) -> BooleanFunction {
    BooleanFunction::constant(n, false)
}

/// The values of an exact result.
fn integers(samples: &Samples) -> Vec<i64> {
    samples.to_i64().expect("plans over integers and GF(2) give integers of integers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_sequency_order_change_sign_ever_more_often() {
        for n in 0..6_u32 {
            let length = 1_usize << n;
            let sign = |row: usize, x: usize| if (row & x).count_ones() % 2 == 1 { -1_i64 } else { 1 };
            // Entry i names natural row i, so that the sorted spectrum names the natural row of every position.
            let names: Vec<i64> = (0..length as i64).collect();
            for (place, row) in in_order(&names, RowOrder::Sequency).into_iter().enumerate() {
                let changes = (1..length).filter(|&x| sign(row as usize, x) != sign(row as usize, x - 1)).count();
                assert_eq!(changes, place, "place {place} of {length}");
            }
            let dyadic = in_order(&names, RowOrder::Dyadic);
            assert!(dyadic.iter().enumerate().all(|(place, &row)| crate::plan::reverse_bits(place, n) == row as usize));
            assert_eq!(in_order(&names, RowOrder::Natural), names);
        }
    }
}

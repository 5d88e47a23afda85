//! The machine on which a record was measured.

use crate::gpu::AdapterInfo;

/// The machine on which a record was measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Machine {
    /// Name of the processor if the system reports it.
    pub processor: String,
    /// Threads that the CPU runs in parallel.
    pub n_threads: usize,
    /// Operating system and architecture.
    pub system: String,
    /// Version of this program, and debug or release build.
    pub version: String,
    /// The adapters that were used, with driver, backend and limits.
    pub adapters: Vec<AdapterInfo>,
}

impl Machine {
    /// The machine that the program runs on, with no adapter yet.
    pub fn here() -> Self {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Self {
            processor: name.map_or_else(|| "unknown processor".into(), |(_, name)| name.trim().to_owned()),
            n_threads: rayon::current_num_threads(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: format!("papillon {}, {}", env!("CARGO_PKG_VERSION"), Self::BUILD),
            adapters: Vec::new(),
        }
    }

    const BUILD: &str = if cfg!(debug_assertions) { "debug build" } else { "release build" };

    /// Whether this was a debug build, whose CPU times mean little.
    pub fn is_debug_build(&self) -> bool {
        self.version.ends_with("debug build")
    }

    /// A summary in one line.
    pub fn summary(&self) -> String {
        format!("{}, {} threads, {}; {}", self.processor, self.n_threads, self.system, self.version)
    }
}

//! Where the times were taken.

use crate::gpu::AdapterInfo;

/// Where the times were taken.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Machine {
    /// Name of the processor, where the system tells it.
    pub processor: String,
    /// Threads that the CPU runs at once.
    pub n_threads: usize,
    /// Operating system and architecture.
    pub system: String,
    /// Version of this program, and how it was built.
    pub version: String,
    /// The adapters that were used, with driver, backend and limits.
    pub adapters: Vec<AdapterInfo>,
}

impl Machine {
    /// This one, with no adapter used yet.
    pub fn here() -> Self {
        let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Self {
            processor: name.map_or_else(|| "unknown processor".into(), |(_, name)| name.trim().to_owned()),
            n_threads: rayon::current_num_threads(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: format!("papillon {}, {}", env!("CARGO_PKG_VERSION"), Self::BUILD),
            adapters: Vec::new(),
        }
    }

    const BUILD: &str = if cfg!(debug_assertions) { "debug build" } else { "release build" };

    /// Whether the program was built for finding its mistakes, so that times on the CPU mean little.
    pub fn is_debug_build(&self) -> bool {
        self.version.ends_with("debug build")
    }

    /// In one line.
    pub fn summary(&self) -> String {
        format!("{}, {} threads, {}; {}", self.processor, self.n_threads, self.system, self.version)
    }
}

//! Facts that the system tells of itself: names and versions, memory, display, folders, libraries. All of it is read; only folders are written to, for a moment.

use crate::bench::Machine;
use crate::gpu::CacheFolder;
use crate::signal::{address_space_left, memory_limit};
use std::env;
use std::ffi::OsStr;
use std::fs::{File, read_dir, read_to_string, remove_file};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The system and the processor.
#[derive(serde::Serialize)]
pub(super) struct System {
    pub(super) name: String,
    pub(super) kernel: String,
    pub(super) architecture: &'static str,
    pub(super) processor: String,
    /// Threads that loops of the CPU share, and those that the machine has.
    pub(super) threads: [usize; 2],
}

impl System {
    /// The version of the program, and the system.
    pub(super) fn here() -> (String, Self) {
        let machine = Machine::here();
        let release = read_to_string("/etc/os-release").unwrap_or_default();
        let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|name| name.trim_matches('"').to_owned());
        let kernel = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned();
        let system = Self {
            name: name.unwrap_or_else(|| env::consts::OS.to_owned()),
            kernel,
            architecture: env::consts::ARCH,
            processor: machine.processor,
            threads: [machine.n_threads, crate::threads::cores()],
        };
        (machine.version, system)
    }
}

/// The memory that the program may take.
#[derive(serde::Serialize)]
pub(super) struct MemoryFacts {
    /// The largest signal that is read, in bytes: half of what machine, process and control groups leave.
    pub(super) largest_signal: u64,
    /// The address space that the limit of the process leaves; `None` without a limit.
    pub(super) address_space_left: Option<u64>,
    /// The limit of the control group, if any.
    pub(super) control_group: Option<u64>,
}

impl MemoryFacts {
    pub(super) fn here() -> Self {
        let limit = |path: &str| read_to_string(path).ok()?.trim().parse().ok();
        // The first version of control groups writes a huge number without a limit.
        let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].into_iter().find_map(limit);
        Self {
            largest_signal: memory_limit(),
            address_space_left: address_space_left(),
            control_group: limits.filter(|&bytes: &u64| bytes < 1 << 60),
        }
    }
}

/// Where a window could open, and what opens a file dialog.
#[derive(serde::Serialize)]
pub(super) struct Display {
    /// "wayland", "x11", "tty" or empty, as the session says.
    pub(super) session: String,
    pub(super) desktop: String,
    pub(super) x11: Option<String>,
    pub(super) wayland: Option<String>,
    /// Whether a session bus is there, through which the portal is asked.
    pub(super) session_bus: bool,
    /// Whether a desktop portal is installed, and the desktops whose dialogs it can open.
    pub(super) portal: bool,
    pub(super) portal_dialogs: Vec<String>,
    /// Whether zenity is there, which opens dialogs without a portal.
    pub(super) zenity: bool,
}

impl Display {
    pub(super) fn here() -> Self {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let data = set("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
        let shared = |path: &str| env::split_paths(&data).map(|folder| folder.join(path)).collect::<Vec<_>>();
        let named = |folder: &Path| {
            let files = read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            files.filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect::<Vec<_>>()
        };
        let mut portal_dialogs: Vec<String> = shared("xdg-desktop-portal/portals").iter().flat_map(|folder| named(folder)).collect();
        portal_dialogs.sort();
        portal_dialogs.dedup();
        let runtime = set("XDG_RUNTIME_DIR").map(PathBuf::from);
        Self {
            session: set("XDG_SESSION_TYPE").unwrap_or_default(),
            desktop: set("XDG_CURRENT_DESKTOP").unwrap_or_default(),
            x11: set("DISPLAY"),
            wayland: set("WAYLAND_DISPLAY"),
            session_bus: set("DBUS_SESSION_BUS_ADDRESS").is_some() || runtime.is_some_and(|folder| folder.join("bus").exists()),
            portal: shared("dbus-1/services/org.freedesktop.portal.Desktop.service").iter().any(|file| file.exists()),
            portal_dialogs,
            zenity: env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join("zenity").exists())),
        }
    }

    /// Whether a window has a display.
    pub(super) fn is_there(&self) -> bool {
        !cfg!(target_os = "linux") || self.x11.is_some() || self.wayland.is_some()
    }

    /// Whether file dialogs open.
    pub(super) fn has_dialogs(&self) -> bool {
        !cfg!(target_os = "linux") || self.zenity || self.session_bus && self.portal && !self.portal_dialogs.is_empty()
    }

    pub(super) fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if !self.is_there() {
            advice.push("no display: the window is drawn into a file by 'papillon snapshot', and every other command works".into());
        } else if !self.has_dialogs() {
            advice.push(
                "no file dialog opens, so that paths are typed: install xdg-desktop-portal with a backend for your desktop, or zenity"
                    .into(),
            );
        }
        advice
    }
}

/// A folder of the program.
#[derive(serde::Serialize)]
pub(super) struct Folder {
    pub(super) holds: &'static str,
    pub(super) path: PathBuf,
    /// Why nothing can be written there, if so.
    pub(super) error: Option<String>,
    /// Files and bytes in it.
    pub(super) files: u64,
    pub(super) bytes: u64,
}

impl Folder {
    fn of(holds: &'static str, path: PathBuf) -> Self {
        let sizes =
            read_dir(&path).into_iter().flatten().flatten().filter_map(|entry| entry.metadata().ok()).filter(|known| known.is_file());
        let (files, bytes) = sizes.fold((0, 0), |(files, bytes), known| (files + 1, bytes + known.len()));
        Self { holds, error: unwritable(&path), path, files, bytes }
    }

    pub(super) fn advice(&self) -> Option<String> {
        let error = self.error.as_ref()?;
        Some(format!("nothing can be kept in {} ({error}): {} are lost when the program ends", self.path.display(), self.holds))
    }
}

/// The folders in which the program keeps something.
pub(super) fn folders() -> Vec<Folder> {
    let settings = crate::ui::measured_path().and_then(|file| Some(file.parent()?.to_owned()));
    let kept = CacheFolder::usual().map(|folder| folder.path().to_owned());
    [("settings and measured times", settings), ("compiled kernels and speeds", kept)]
        .into_iter()
        .filter_map(|(holds, path)| Some(Folder::of(holds, path?)))
        .collect()
}

/// Why no file can be written to a folder, which the program makes when it needs it.
fn unwritable(folder: &Path) -> Option<String> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let probe = there.join(format!(".papillon-doctor-{}", std::process::id()));
    // A full disk takes a name, and no bytes.
    let written = File::create_new(&probe).and_then(|mut file| file.write_all(&[0; 4096]).and_then(|()| file.sync_all()));
    // It was made to see whether that works.
    let _ = remove_file(&probe);
    written.err().map(|error| error.to_string())
}

/// A library that is loaded while the program runs.
#[derive(serde::Serialize, Clone, Copy)]
pub(super) struct Library {
    pub(super) file: &'static str,
    /// The package that holds it on Debian and Ubuntu.
    pub(super) package: &'static str,
}

const fn library(file: &'static str, package: &'static str) -> Library {
    Library { file, package }
}

/// The loader of Vulkan, and the libraries of the window.
const LIBRARIES: [Library; 10] = [
    library("libvulkan.so.1", "libvulkan1"),
    library("libX11.so.6", "libx11-6"),
    library("libX11-xcb.so.1", "libx11-xcb1"),
    library("libXcursor.so.1", "libxcursor1"),
    library("libXi.so.6", "libxi6"),
    library("libXrandr.so.2", "libxrandr2"),
    library("libxkbcommon.so.0", "libxkbcommon0"),
    library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    library("libwayland-client.so.0", "libwayland-client0"),
    library("libwayland-cursor.so.0", "libwayland-cursor0"),
];

/// The libraries that are not there, and Mesa's drivers on a machine without a driver.
pub(super) fn missing_libraries(has_driver: bool) -> Vec<Library> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let folders = library_folders();
    let is_there = |library: &Library| folders.iter().any(|folder| folder.join(library.file).exists());
    let driver = (!has_driver).then_some(library("a Vulkan driver", "mesa-vulkan-drivers"));
    LIBRARIES.into_iter().filter(|library| !is_there(library)).chain(driver).collect()
}

/// The folders in which the loader of the system looks for libraries.
fn library_folders() -> Vec<PathBuf> {
    let configured = read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten().map(|entry| entry.path());
    let texts = configured.filter(|file| file.extension() == Some(OsStr::new("conf"))).filter_map(|file| read_to_string(file).ok());
    let listed: Vec<PathBuf> = texts.flat_map(|text| text.lines().map(|line| PathBuf::from(line.trim())).collect::<Vec<_>>()).collect();
    let set = env::var_os("LD_LIBRARY_PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let usual = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    set.into_iter().chain(listed).chain(usual).filter(|folder| folder.is_absolute()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_counts_as_its_parent() {
        let parent = tempfile::TempDir::new().unwrap();
        assert_eq!(unwritable(&parent.path().join("not/yet")), None);
        assert_eq!(read_dir(parent.path()).unwrap().count(), 0, "nothing stays");
        let file = parent.path().join("file");
        std::fs::write(&file, "no folder").unwrap();
        let folder = Folder::of("settings", file.join("below"));
        assert!(folder.advice().is_some_and(|advice| advice.contains("settings are lost")), "a file is no folder");
    }

    #[test]
    fn a_display_needs_a_name_and_a_dialog_somebody_who_opens_it() {
        let none = || Display {
            session: String::new(),
            desktop: String::new(),
            x11: None,
            wayland: None,
            session_bus: false,
            portal: false,
            portal_dialogs: Vec::new(),
            zenity: false,
        };
        let x11 = || Display { x11: Some(":0".into()), ..none() };
        let portal = || Display { portal: true, session_bus: true, portal_dialogs: vec!["gtk".into()], ..x11() };
        if cfg!(target_os = "linux") {
            assert!(none().advice()[0].contains("no display"));
            assert!(x11().advice()[0].contains("zenity"));
            assert_eq!(Display { session_bus: false, ..portal() }.advice().len(), 1, "nobody can be asked without a bus");
        }
        assert!(Display { zenity: true, ..x11() }.advice().is_empty() && portal().advice().is_empty());
    }
}

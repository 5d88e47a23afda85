//! The limit of memory for a signal. The size that a header claims is checked against it before anything is allocated.

use super::Cause;
use crate::heap::kept_bytes;
use crate::numerals::counted;
use bytemuck::Zeroable;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Free memory in bytes where the system does not report it.
const DEFAULT_AVAILABLE: u64 = 8 << 30;

/// Bytes that decoding an image of several channels takes at its peak, for each byte of its samples: what the decoder returns, its intermediate values, and the channels.
const PEAK: u64 = 3;

/// As [`PEAK`], for a single channel, which is the memory that the decoder returns.
const PEAK_OF_ONE: u64 = 2;

/// A compressed file below this size counts as one of this size where the ratio to its pixels is checked, so that small plain images are read.
const LEAST_STORED: u64 = 1 << 12;

/// Address space that stays free where it is limited, or three quarters of what is left: threads and drivers reserve far more of it than they use.
const RESERVE: u64 = 512 << 20;

/// So few bytes are free wherever the program runs, and asking for the limits would take longer than decoding them.
pub(super) const ALWAYS_FREE: u64 = 1 << 20;

/// Number of bytes that one signal may take: half of the free memory, because its transform needs memory as well.
pub fn limit() -> u64 {
    available().unwrap_or(DEFAULT_AVAILABLE) / 2
}

/// The address space that `RLIMIT_AS` leaves to this process, in bytes; `None` where it is not limited, and on other systems than Linux.
pub fn address_space_left() -> Option<u64> {
    let read = |path: &str| read_to_string(path).unwrap_or_default();
    address_space(&read("/proc/self/limits"), || read("/proc/self/status"))
}

/// Free memory in bytes on Linux: of the machine, of this process and of its control groups. `None` elsewhere.
fn available() -> Option<u64> {
    let read = |path: &str| read_to_string(path).unwrap_or_default();
    let free = kibibytes(&read("/proc/meminfo"), "MemAvailable:");
    let process = address_space_left().map(usable);
    let groups = groups(&read("/proc/self/cgroup")).into_iter().filter_map(|folder| free_of_group(&folder));
    groups.chain(free).chain(process).min().map(|free| free.saturating_add(kept_bytes()))
}

/// The number of bytes behind a name in a file of lines such as "MemAvailable:  1024 kB".
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The address space that `RLIMIT_AS` leaves, where it is limited. Only then the status is asked for, which takes longer than a small transfer's start.
fn address_space(limits: &str, status: impl FnOnce() -> String) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(kibibytes(&status(), "VmSize:")?))
}

/// How many of the `left` free bytes of an address space may be taken.
fn usable(left: u64) -> u64 {
    left.saturating_sub(RESERVE).max(left / 4)
}

/// The folders of the control groups of this process and of those around them, in both versions.
fn groups(text: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            _ if controllers.split(',').any(|name| name == "memory") => "/sys/fs/cgroup/memory",
            _ => continue,
        };
        let path = Path::new(path.trim_start_matches('/'));
        folders.extend(path.ancestors().map(|folder| Path::new(root).join(folder)));
    }
    folders
}

/// The memory that the limit of a control group leaves. Pages of files that were not used lately do not count, as the system gives them up.
fn free_of_group(folder: &Path) -> Option<u64> {
    let read = |name: &str| read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let (most, used) = number("memory.max")
        .zip(number("memory.current"))
        .or_else(|| number("memory.limit_in_bytes").zip(number("memory.usage_in_bytes")))?;
    let statistics = read("memory.stat").unwrap_or_default();
    let idle = statistics.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse().ok()).unwrap_or(0);
    Some(most.saturating_sub(used.saturating_sub(idle)))
}

/// The product of `factors` in bytes, which must fit into memory; `claim` names in the message what the header claims.
///
/// The product cannot wrap: it has 128 bits and saturates.
pub(super) fn checked_bytes(factors: &[u64], claim: impl FnOnce() -> String) -> Result<usize, Cause> {
    let needed = factors.iter().fold(1_u128, |product, &factor| product.saturating_mul(u128::from(factor)));
    if needed <= ALWAYS_FREE.into() {
        return Ok(needed as usize);
    }
    let limit = u128::from(limit());
    match usize::try_from(needed) {
        Ok(bytes) if needed <= limit => Ok(bytes),
        _ => Err(Cause::TooLarge { claim: claim(), needed, limit }),
    }
}

/// Checks an image of `columns` × `rows` with `bytes_per_pixel` in everything that decoding it allocates, and returns the bytes of its samples.
pub(super) fn checked_image(columns: u64, rows: u64, bytes_per_pixel: u64) -> Result<usize, Cause> {
    if columns == 0 || rows == 0 {
        return Err(Cause::malformed(format!("the image has no pixels ({columns}×{rows})")));
    }
    let peak = if bytes_per_pixel == 1 { PEAK_OF_ONE } else { PEAK };
    let needed = checked_bytes(&[columns, rows, bytes_per_pixel, peak], || format!("{columns}×{rows} pixels"))?;
    Ok(needed / peak as usize)
}

/// A compressed file.
#[derive(Clone, Copy)]
pub(super) struct PackedFile {
    /// Its bytes.
    pub(super) stored: usize,
    /// The most pixels that its format packs into a byte.
    pub(super) ratio: u64,
}

/// As [`checked_image`], for a compressed file.
pub(super) fn checked_packed_image(columns: u64, rows: u64, bytes_per_pixel: u64, file: PackedFile) -> Result<usize, Cause> {
    let PackedFile { stored, ratio } = file;
    if columns.saturating_mul(rows) > ratio.saturating_mul(LEAST_STORED.max(stored as u64)) {
        return Err(Cause::malformed(format!("{columns}×{rows} pixels cannot come from {}", counted(stored, "byte"))));
    }
    checked_image(columns, rows, bytes_per_pixel)
}

/// The `n` values of an iterator, which must fit into memory.
pub(super) fn collected<T>(n: usize, values: impl Iterator<Item = T>) -> Result<Vec<T>, Cause> {
    checked_bytes(&[n as u64, size_of::<T>() as u64], || format!("{n} values"))?;
    let mut all = Vec::new();
    reserve(&mut all, n)?;
    all.extend(values);
    Ok(all)
}

/// `n` zeros of a decoder, or an error where the system does not give the memory.
pub(super) fn zeros<T: Zeroable>(n: usize) -> Result<Vec<T>, Cause> {
    bytemuck::try_zeroed_vec(n).map_err(|()| too_many::<T>(n))
}

/// Room for `n` more values, or an error where the system does not give the memory.
pub(super) fn reserve<T>(values: &mut Vec<T>, n: usize) -> Result<(), Cause> {
    values.try_reserve(n).map_err(|_| too_many::<T>(values.len().saturating_add(n)))
}

/// The error where the system does not give the memory for `n` values.
fn too_many<T>(n: usize) -> Cause {
    Cause::TooLarge { claim: counted(n, "value"), needed: n as u128 * size_of::<T>() as u128, limit: limit().into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn limits_of_the_process_and_of_its_groups_count() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax address space         2147483648           unlimited            bytes\n";
        assert_eq!(address_space(limits, || "VmPeak:\t 900 kB\nVmSize:\t     512 kB\n".into()), Some((2 << 30) - (512 << 10)));
        assert_eq!([2 << 30, 1 << 30, 40 << 20].map(usable), [(2 << 30) - RESERVE, 512 << 20, 10 << 20], "a little is left of little");
        assert_eq!(address_space(&limits.replace("2147483648", "unlimited"), || panic!("nobody asks")), None);
        let found = groups("0::/user/a\n5:cpu,memory:/docker/b\n3:devices:/\n");
        for folder in ["/sys/fs/cgroup/user/a", "/sys/fs/cgroup/user", "/sys/fs/cgroup/", "/sys/fs/cgroup/memory/docker/b"] {
            assert!(found.contains(&PathBuf::from(folder)), "{folder} in {found:?}");
        }
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("the folder is there");
        assert_eq!(free_of_group(folder.path()), None);
        write("memory.limit_in_bytes", "1000\n");
        write("memory.usage_in_bytes", "400\n");
        assert_eq!(free_of_group(folder.path()), Some(600), "version 1");
        write("memory.max", "2000\n");
        write("memory.current", "1500\n");
        write("memory.stat", "file 900\ninactive_file 300\n");
        assert_eq!(free_of_group(folder.path()), Some(800), "version 2");
    }

    #[test]
    fn an_allocation_that_fails_is_an_error() {
        assert!(matches!(zeros::<u64>(usize::MAX / 16), Err(Cause::TooLarge { .. })));
        assert_eq!(zeros::<u8>(3).map(|zeros| zeros.len()), Ok(3));
    }
}

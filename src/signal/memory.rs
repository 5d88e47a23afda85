//! The limit of memory for a signal. The size that a header claims is checked against it before anything is allocated.

use super::Cause;

/// Free memory in bytes where the system does not report it.
const DEFAULT_AVAILABLE: u64 = 8 << 30;

/// Number of bytes that one signal may take: half of the free memory, because its transform needs memory as well.
pub fn limit() -> u64 {
    available().unwrap_or(DEFAULT_AVAILABLE) / 2
}

/// Free memory in bytes on Linux; `None` elsewhere.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The product of `factors` in bytes, which must fit into memory; `claim` names in the message what the header claims.
///
/// The product cannot wrap: it has 128 bits and saturates.
pub(super) fn checked_bytes(factors: &[u64], claim: impl FnOnce() -> String) -> Result<usize, Cause> {
    let needed = factors.iter().fold(1_u128, |product, &factor| product.saturating_mul(u128::from(factor)));
    let limit = u128::from(limit());
    match usize::try_from(needed) {
        Ok(bytes) if needed <= limit => Ok(bytes),
        _ => Err(Cause::TooLarge { claim: claim(), needed, limit }),
    }
}

/// Checks an image of `columns` × `rows` with `bytes_per_pixel`, and returns its size in bytes.
pub(super) fn checked_image(columns: u64, rows: u64, bytes_per_pixel: u64) -> Result<usize, Cause> {
    if columns == 0 || rows == 0 {
        return Err(Cause::malformed(format!("the image has no pixels ({columns}×{rows})")));
    }
    checked_bytes(&[columns, rows, bytes_per_pixel], || format!("{columns}×{rows} pixels"))
}

//! How much memory a signal may take, asked before anything of the size that a header claims is allocated.

use super::Cause;

/// Assumed where the system does not say how much memory is free.
const DEFAULT_AVAILABLE: u64 = 8 << 30;

/// Bytes that one signal may take: half of what is free, because its transform needs room as well.
pub fn limit() -> u64 {
    available().unwrap_or(DEFAULT_AVAILABLE) / 2
}

/// Free memory in bytes as Linux tells it; `None` elsewhere.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The product of `factors` as a length that fits into memory; `claim` says in words what the header wants, in case it does not.
///
/// The product cannot wrap: it is taken in 128 bits and saturates.
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

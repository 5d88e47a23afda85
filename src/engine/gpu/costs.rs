//! Costs of launches that families share, in copies of all lanes; measured with `papillon bench`.

/// Lanes of an array that caches do not hold.
pub(super) const LARGE: usize = 1 << 23;
/// The least that the caches of a GPU load, in bytes: a tile touches at least that many bytes of neighbouring lanes.
/// Memory itself moves more for a lone value ([`Stage::bytes_moved`](crate::plan::Stage::bytes_moved)).
pub(super) const SECTOR_BYTES: usize = 32;
/// Workgroups that keep a device busy.
pub(super) const BUSY_GROUPS: usize = 128;
/// Whole rows in one workgroup.
pub(super) const WHOLE_ROWS: f64 = 1.15;
/// Bytes of a lane of the segments that [`segment_cost`] counts.
pub(super) const SEGMENT_LANE: usize = 8;

/// The cost of touching `segment` neighbouring lanes at a time, in copies; caches make up for some of it.
pub(super) fn segment_cost(segment: usize, lanes: usize) -> f64 {
    match segment {
        32.. => 1.08,
        16.. => 1.12,
        8.. => 1.35,
        4.. if lanes <= LARGE => 1.7,
        4.. => 2.6,
        _ => 4.5,
    }
}

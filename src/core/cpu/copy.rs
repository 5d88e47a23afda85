//! A plain memory copy on the CPU: a lower bound for every transform from one array to another.

use super::CpuBackend;
use crate::threads;
use std::time::Instant;

/// Bytes that one thread copies at a time.
const CHUNK: usize = 1 << 20;
/// Duration of the copies of one sample together, well above the resolution of the clock.
const SAMPLE_MICROS: f64 = 200.0;
const MOST_COPIES: f64 = 4096.0;
const MOST_PAIRS: u64 = 64;

/// Times `n` samples of copying `bytes` bytes, in µs a copy. Rotates through pairs of arrays that fill `rotated` bytes.
pub fn time(backend: CpuBackend, bytes: u64, rotated: u64, n: usize) -> Vec<f64> {
    let bytes = bytes.max(1);
    let n_pairs = (rotated / (2 * bytes)).clamp(1, MOST_PAIRS);
    let mut pairs: Vec<(Vec<u8>, Vec<u8>)> = (0..n_pairs).map(|_| (vec![1; bytes as usize], vec![2; bytes as usize])).collect();
    let mut turn = 0;
    let mut copies = |count: usize| {
        let start = Instant::now();
        for _ in 0..count {
            let index = turn % pairs.len();
            turn += 1;
            let (source, sink) = &mut pairs[index];
            copy(backend, source, sink);
            std::hint::black_box(&sink);
        }
        start.elapsed().as_secs_f64() * 1e6 / count as f64
    };
    // The first copies allocate pages.
    let warm = (0..n_pairs.max(2)).map(|_| copies(1)).fold(f64::INFINITY, f64::min);
    let count = (SAMPLE_MICROS / warm.max(0.01)).ceil().clamp(1.0, MOST_COPIES) as usize;
    (0..n).map(|_| copies(count)).collect()
}

fn copy(backend: CpuBackend, source: &[u8], sink: &mut [u8]) {
    match backend {
        CpuBackend::OneThread | CpuBackend::ByStage(_) => sink.copy_from_slice(source),
        CpuBackend::Parallel => {
            threads::for_each_chunk(sink, CHUNK, &|chunk, sink| sink.copy_from_slice(&source[chunk * CHUNK..][..sink.len()]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_take_time_and_longer_ones_more() {
        for backend in [CpuBackend::OneThread, CpuBackend::Parallel] {
            let shortest = |bytes: u64| time(backend, bytes, 1 << 22, 5).into_iter().fold(f64::INFINITY, f64::min);
            let (small, large) = (shortest(1 << 10), shortest(1 << 24));
            assert!(small > 0.0 && large > 4.0 * small, "{backend:?}: {small} and {large} µs");
        }
    }
}

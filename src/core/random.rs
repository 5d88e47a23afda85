//! Random numbers that are the same on every run: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood 2014).

/// 64 random bits for a counter. The bits depend on the counter alone, so all cores can draw at once.
pub fn random_bits(counter: u64) -> u64 {
    let z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The upper 53 bits as a number from 0 up to, but not including, 1.
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A sequence of random numbers. The same seed gives the same sequence.
#[derive(Debug, Clone)]
pub struct Random {
    counter: u64,
}

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Self { counter: random_bits(seed) }
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.counter = self.counter.wrapping_add(1);
        (random_bits(self.counter) >> 32) as u32
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.bits()) * n as u64) >> 32) as usize
    }

    /// Puts `values` into an order that is drawn at random; every order is equally likely.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

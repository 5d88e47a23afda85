//! Which bits of a lane's index number the registers of a thread, which the threads, and which the tiles; and indices made of these.

/// Bits that number the threads of a workgroup: 256 threads, which every adapter has.
pub(super) const THREAD_BITS: usize = 8;

/// A bit of a thread's or a tile's number, and its place in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    is_tile: bool,
    bit: u32,
    place: u32,
}

/// Bits are named by their places before the launch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BitLayout {
    /// Bits that number registers, the lowest first.
    pub(super) registers: Vec<u32>,
    /// Bits that number threads.
    pub(super) threads: Vec<u32>,
    /// Bits that number tiles.
    pub(super) tiles: Vec<u32>,
}

impl BitLayout {
    /// These bits number registers, and all others of the tile number threads, in the order of `key`.
    pub(super) fn new<K: Ord>(bits: usize, n_bits: u32, mut registers: Vec<u32>, key: impl Fn(u32) -> K) -> Self {
        registers.sort_unstable();
        let in_tile = |bit: u32| bits >> bit & 1 == 1;
        let mut threads: Vec<u32> = (0..n_bits).filter(|&bit| in_tile(bit) && !registers.contains(&bit)).collect();
        threads.sort_by_key(|&bit| key(bit));
        Self { registers, threads, tiles: (0..n_bits).filter(|&bit| !in_tile(bit)).collect() }
    }

    /// The threads in an order in which the first 2^`n_residues` of them use different banks, where `rank` numbers the bits of a tile.
    pub(super) fn across_banks(mut self, n_residues: u32, rank: impl Fn(u32) -> u32) -> Self {
        let (mut first, mut others, mut seen) = (Vec::new(), Vec::new(), 0_u32);
        for bit in self.threads {
            let residue = 1 << (rank(bit) % n_residues);
            if seen & residue == 0 {
                first.push(bit)
            } else {
                others.push(bit)
            }
            seen |= residue;
        }
        first.extend(others);
        self.threads = first;
        self
    }

    /// Whether a bit numbers registers.
    pub(super) fn holds(&self, bit: u32) -> bool {
        self.registers.contains(&bit)
    }

    /// The term of a register in a sum of weighted bits.
    pub(super) fn of_register(&self, register: usize, weight: impl Fn(u32) -> usize) -> usize {
        self.registers.iter().enumerate().filter(|(i, _)| register >> i & 1 == 1).map(|(_, &bit)| weight(bit)).sum()
    }

    /// The part of an index that thread and tile give: every bit for which `place` gives a place; `None` without one.
    pub(super) fn index(&self, place: impl Fn(u32) -> Option<u32>) -> Option<String> {
        let of = |is_tile: bool, bits: &[u32]| {
            let numbered = bits.iter().enumerate();
            numbered.filter_map(|(i, &bit)| Some(Source { is_tile, bit: i as u32, place: place(bit)? })).collect::<Vec<_>>()
        };
        let sources = [of(false, &self.threads), of(true, &self.tiles)].concat();
        let mut runs: Vec<Vec<Source>> = Vec::new();
        for source in sources {
            match runs.last_mut().and_then(|run| run.last().map(|last| (*last, run.len()))) {
                Some((last, _)) if last.is_tile == source.is_tile && (last.bit + 1, last.place + 1) == (source.bit, source.place) => {
                    runs.last_mut().expect("there is one").push(source);
                }
                _ => runs.push(vec![source]),
            }
        }
        let terms: Vec<String> = runs.iter().map(|run| self.term(run)).collect();
        (!terms.is_empty()).then(|| terms.join(" + "))
    }

    /// Neighbouring bits of one number at neighbouring places.
    fn term(&self, run: &[Source]) -> String {
        let Source { is_tile, bit, place } = run[0];
        let name = if is_tile { "tile" } else { "thread" };
        // Above the bits of a tile's number are those of rows.
        let is_rest = !is_tile && bit as usize + run.len() == self.threads.len();
        let low = if bit == 0 { name.to_owned() } else { format!("({name} >> {bit}u)") };
        let masked = if is_rest { low } else { format!("({low} & {}u)", (1_u64 << run.len()) - 1) };
        match place {
            0 => masked,
            _ => format!("({masked} << {place}u)"),
        }
    }
}

//! How a plan is cut into kernel launches, and the check that the cut is legal.
//!
//! A launch is a run of stages that every tile executes without leaving its own lanes; between launches all tiles meet.
//! The check is pure data: it finds races and missing barriers without a GPU.

mod components;

pub use components::components;

use crate::plan::{Operation, Plan, Stage};
use std::ops::Range;

/// The lanes that one workgroup owns during a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// No tiles: one stage, every butterfly on its own, from global memory to global memory.
    Each,
    /// Blocks of `lanes` consecutive lanes, held in workgroup memory from the first stage of the launch to the last.
    Block {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Lines of `points` lanes that stand `stride` apart, `lines` neighbouring ones in a tile: the components of a run of stages that write elsewhere than they read, or of steps in place on some digits of the index.
    /// Line i of a row of `points · stride` lanes begins at its lane i.
    Strided {
        /// Lanes of a line.
        points: usize,
        /// Lanes from one to the next of a line, and lines of a row.
        stride: usize,
        /// Lines of a tile; the last tile may have fewer.
        lines: usize,
    },
    /// Blocks of `lanes` consecutive rows of a tridiagonal system that share only their last rows: a block finishes all others alone, and what it adds to the last row of the block before.
    /// What only later launches of the same block need is computed again there.
    Partition {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Blocks of `lanes` consecutive lanes where the launch begins; results go wherever the butterflies write, and a lane that none writes keeps its owner: the components of a pyramid.
    Spread {
        /// Lanes of a tile.
        lanes: usize,
    },
}

/// One dispatch: a run of stages and the tiles that execute it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Which stages of the plan.
    pub stages: Range<usize>,
    /// Who owns what.
    pub tile: Tile,
}

/// How a plan is cut into launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The launches, in the order in which they run; together they cover every stage once.
    pub launches: Vec<Launch>,
}

/// Why a schedule would compute something else than its plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The launches do not cover the stages one after the other.
    #[error("launch {launch} does not go on where the one before it ended")]
    Gap {
        /// Which launch.
        launch: usize,
    },
    /// Without tiles only one stage fits into a launch.
    #[error("launch {launch} runs several stages without tiles")]
    Barrier {
        /// Which launch.
        launch: usize,
    },
    /// A tile needs a lane that it does not own, or cuts a butterfly.
    #[error("in launch {launch}, stage {stage} leaves its tile at lane {lane}")]
    Leaves {
        /// Which launch.
        launch: usize,
        /// Which stage of the plan.
        stage: usize,
        /// Which lane.
        lane: usize,
    },
    /// Two butterflies write the same lane in one stage.
    #[error("stage {stage} writes lane {lane} twice")]
    Twice {
        /// Which stage of the plan.
        stage: usize,
        /// Which lane.
        lane: usize,
    },
    /// The plan itself uses a lane before it holds anything.
    #[error("after {stage} stages lane {lane} is used, and nothing was written to it")]
    Unwritten {
        /// How many stages have run.
        stage: usize,
        /// Which lane.
        lane: usize,
    },
}

impl Schedule {
    /// One launch a stage: the way of the papers.
    pub fn by_stage(plan: &Plan) -> Self {
        Self { launches: (0..plan.stages.len()).map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }).collect() }
    }

    /// As few launches as blocks of at most `max_lanes` lanes allow; a stage that fits no block is a launch of its own.
    pub fn tiled(plan: &Plan, max_lanes: usize) -> Self {
        let mut launches: Vec<Launch> = Vec::new();
        for index in 0..plan.stages.len() {
            let open = launches.last().map_or(index, |launch| launch.stages.start);
            let joined = common_block(plan, open..index + 1, max_lanes).map(|lanes| (open, lanes));
            match joined.or_else(|| Some((index, common_block(plan, index..index + 1, max_lanes)?))) {
                Some((first, lanes)) => {
                    launches.truncate(launches.len() - usize::from(first < index));
                    launches.push(Launch { stages: first..index + 1, tile: Tile::Block { lanes } });
                }
                None => launches.push(Launch { stages: index..index + 1, tile: Tile::Each }),
            }
        }
        Self { launches }
    }

    /// Checks that running the launches equals running the plan.
    ///
    /// # Errors
    /// The first place where it would not.
    pub fn check(&self, plan: &Plan) -> Result<(), Illegal> {
        let mut next = 0;
        for (launch, Launch { stages, tile }) in self.launches.iter().enumerate() {
            if stages.start != next || stages.is_empty() || stages.end > plan.stages.len() {
                return Err(Illegal::Gap { launch });
            }
            next = stages.end;
            match *tile {
                Tile::Each if stages.len() > 1 => return Err(Illegal::Barrier { launch }),
                Tile::Each => {}
                Tile::Block { lanes } => check_blocks(plan, launch, stages, lanes)?,
                Tile::Strided { points, .. } => check_lines(plan, launch, stages, points)?,
                Tile::Spread { lanes } => check_owners(plan, launch, stages, lanes)?,
                Tile::Partition { lanes } => check_partition(plan, launch, stages, lanes)?,
            }
            for stage in stages.clone() {
                check_written_once(plan, stage)?;
            }
        }
        if next != plan.stages.len() {
            return Err(Illegal::Gap { launch: self.launches.len() });
        }
        plan.unwritten().map_or(Ok(()), |unwritten| Err(Illegal::Unwritten { stage: unwritten.column, lane: unwritten.lane }))
    }
}

impl Launch {
    /// Number of workgroups, or of butterflies where there are no tiles.
    pub fn n_tiles(&self, plan: &Plan) -> usize {
        match self.tile {
            Tile::Each => plan.stages[self.stages.start].n_butterflies(),
            Tile::Block { lanes } | Tile::Spread { lanes } | Tile::Partition { lanes } => plan.lanes.div_ceil(lanes),
            Tile::Strided { points, lines, .. } => (plan.lanes / points).div_ceil(lines),
        }
    }

    /// Bytes that the launch moves through global memory in single precision.
    pub fn bytes_moved(&self, plan: &Plan) -> u64 {
        match self.tile {
            Tile::Each | Tile::Strided { .. } | Tile::Spread { .. } => plan.stages[self.stages.start].bytes_moved(plan.ring),
            // Every row is read, and one a block, or the unknown of every row, is written.
            Tile::Partition { .. } => (plan.lanes * plan.ring.bytes_per_lane()) as u64,
            Tile::Block { .. } => 2 * (plan.lanes * plan.ring.bytes_per_lane()) as u64,
        }
    }
}

impl Stage {
    /// The smallest blocks of consecutive lanes, whole turns of the outer loop, that no butterfly's taps leave, nor its results before the reversal of digits; `None` where there are none.
    pub fn block(&self, lanes: usize) -> Option<usize> {
        if self.outer.n == 1 {
            return Some(lanes);
        }
        let matrix = self.matrix();
        let reach_read = self.read.step * (self.read.len - 1) + (self.group.n - 1) * self.group.read;
        let reach_write = self.write.first
            + (self.positions - 1) * self.write.advance
            + (matrix.rows - 1) * self.write.hop
            + (self.group.n - 1) * self.group.write;
        let stride = self.outer.read;
        (stride == self.outer.write && reach_read < stride && reach_write < stride && stride * self.outer.n == lanes).then_some(stride)
    }
}

/// The smallest blocks of at most `max_lanes` lanes in which a run of stages can be one launch; `None` where there are none.
/// Only the last stage may write to reversed lanes.
pub fn common_block(plan: &Plan, stages: Range<usize>, max_lanes: usize) -> Option<usize> {
    let last = stages.end.checked_sub(1)?;
    let mut common = 1;
    for index in stages {
        let stage = &plan.stages[index];
        let block = stage.block(plan.lanes)?;
        let (small, large) = (common.min(block), common.max(block));
        if !large.is_multiple_of(small) || large > max_lanes || (stage.write.scatters() && index < last) {
            return None;
        }
        common = large;
    }
    Some(common)
}

/// Every value that a tile needs after the first stage was produced by the tile itself, and only the last stage may write elsewhere, if it writes every lane.
fn check_blocks(plan: &Plan, launch: usize, stages: &Range<usize>, lanes: usize) -> Result<(), Illegal> {
    for index in stages.clone() {
        let stage = &plan.stages[index];
        let leaves = |lane| Illegal::Leaves { launch, stage: index, lane };
        let scatters = index + 1 == stages.end && !plan.carries(index);
        let Some(block) = stage.block(plan.lanes).filter(|block| lanes.is_multiple_of(*block) && plan.lanes.is_multiple_of(lanes)) else {
            return Err(leaves(0));
        };
        for butterfly in stage.butterflies() {
            let tile = butterfly.place[2] * block / lanes;
            let written = butterfly.writes.iter().filter(|_| !scatters);
            if let Some(&lane) = butterfly.reads.iter().flatten().chain(written).find(|&&lane| lane / lanes != tile) {
                return Err(leaves(lane));
            }
        }
    }
    Ok(())
}

/// A launch that writes elsewhere than it reads may be cut into any unions of its components; a component must be no longer than a line, and nobody would copy a lane that keeps its value.
fn check_lines(plan: &Plan, launch: usize, stages: &Range<usize>, points: usize) -> Result<(), Illegal> {
    for (index, components) in stages.clone().zip(components(plan, stages.clone())) {
        let leaves = |lane| Illegal::Leaves { launch, stage: index, lane };
        if plan.carries(index) {
            return Err(leaves(0));
        }
        let mut sizes = std::collections::HashMap::new();
        for (butterfly, component) in plan.stages[index].butterflies().zip(components) {
            let size = sizes.entry(component).or_insert(0);
            *size += butterfly.writes.len();
            if *size > points {
                return Err(leaves(butterfly.writes[0]));
            }
        }
    }
    Ok(())
}

/// Every butterfly stays within one tile: a lane belongs to the tile whose butterfly wrote it last, and before the launch to the block of `lanes` in which it stands.
fn check_owners(plan: &Plan, launch: usize, stages: &Range<usize>, lanes: usize) -> Result<(), Illegal> {
    let mut owners: Vec<usize> = (0..plan.lanes).map(|lane| lane / lanes).collect();
    for index in stages.clone() {
        let stage = &plan.stages[index];
        let mut next = owners.clone();
        for butterfly in stage.butterflies() {
            let owner = butterfly.reads.iter().flatten().map(|&lane| owners[lane]).next();
            let strange = butterfly.reads.iter().flatten().find(|&&lane| Some(owners[lane]) != owner);
            if let Some(&lane) = strange {
                return Err(Illegal::Leaves { launch, stage: index, lane });
            }
            for &lane in &butterfly.writes {
                next[lane] = owner.unwrap_or_default();
            }
        }
        owners = next;
    }
    Ok(())
}

/// A row reads rows of its own block and the last one of the block before; the last row of a block reads both blocks beside it, as what they take of it adds up.
fn check_partition(plan: &Plan, launch: usize, stages: &Range<usize>, lanes: usize) -> Result<(), Illegal> {
    for index in stages.clone() {
        for butterfly in plan.stages[index].butterflies() {
            let eliminates = plan.stages[index].operation == Operation::Eliminate;
            for &written in &butterfly.writes {
                let first = written - written % lanes;
                let is_last = written + 1 == first + lanes;
                let reach = first.saturating_sub(1)..first + if is_last { 2 * lanes } else { lanes };
                let strange = butterfly.reads.iter().flatten().find(|&lane| !eliminates || !reach.contains(lane));
                if let Some(&lane) = strange {
                    return Err(Illegal::Leaves { launch, stage: index, lane });
                }
            }
        }
    }
    Ok(())
}

fn check_written_once(plan: &Plan, stage: usize) -> Result<(), Illegal> {
    let mut written = vec![false; plan.lanes];
    for lane in plan.stages[stage].written_lanes() {
        if std::mem::replace(&mut written[lane], true) {
            return Err(Illegal::Twice { stage, lane });
        }
    }
    Ok(())
}

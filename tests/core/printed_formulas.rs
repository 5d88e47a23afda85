//! Edges of flow graphs against formulas typed from the papers.

use num_complex::Complex64;
use papillon::plan::{Direction, Operation, Plan, Stage, reverse_bits};
use papillon::transforms::{Base, Parameters, RowOrder, Shape, transform};
use std::f64::consts::PI;

fn plan(name: &str, algorithm: &str, n: usize, parameters: Parameters) -> Plan {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape::line(n), parameters).unwrap()
}

/// Lane before, lane after and weight of every edge, in order.
fn edges(stage: &Stage) -> Vec<(usize, usize, Complex64)> {
    sorted(stage.edges().into_iter().map(|edge| (edge.from, edge.to, edge.weight.value())))
}

fn sorted(edges: impl IntoIterator<Item = (usize, usize, Complex64)>) -> Vec<(usize, usize, Complex64)> {
    let mut edges: Vec<_> = edges.into_iter().collect();
    edges.sort_by_key(|&(from, to, _)| (from, to));
    edges
}

fn assert_same(found: &[(usize, usize, Complex64)], expected: &[(usize, usize, Complex64)], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a.0, a.1) == (b.0, b.1) && (a.2 - b.2).norm() < 1e-15, "{what}: {a:?} instead of {b:?}");
    }
}

/// Li 2012, section 4.1: `k = gid & (p − 1)`, `src[0]` and `src[t]` from `gid` on, `dst[0]` and `dst[p]` from `(gid << 1) − k` on, and the right angle −πk/p, or the printed one, −2πk/p.
#[test]
fn the_kernel_of_li_multiplies_its_second_input_before_the_butterfly() {
    for (n, name, angle) in [2_usize, 8, 64].into_iter().flat_map(|n| [(n, "dft", -PI), (n, "dft-printed", -2.0 * PI)]) {
        let plan = plan(name, "stockham-dit-2", n, Parameters::default());
        assert_eq!(plan.stages.len(), n.ilog2() as usize);
        for (iteration, stage) in plan.stages.iter().enumerate() {
            let (p, t) = (1 << iteration, n / 2);
            let thread = |gid: usize| {
                let k = gid & (p - 1);
                let dst = (gid << 1) - k;
                let turn = Complex64::from_polar(1.0, angle * k as f64 / p as f64);
                [(gid, dst, 1.0.into()), (gid + t, dst, turn), (gid, dst + p, 1.0.into()), (gid + t, dst + p, -turn)]
            };
            assert_same(&edges(stage), &sorted((0..t).flat_map(thread)), &format!("N = {n}, p = {p}"));
            assert!(matches!(stage.operation, Operation::TwiddledTaps(_)), "the twiddle stands before the butterfly");
            if name == "dft-printed" {
                continue;
            }
            // One product a thread, except where k = 0 or the factor is −i at no cost of its own.
            let products = (0..t).filter(|gid| gid & (p - 1) > 0 && 2 * (gid & (p - 1)) != p).count() as u64;
            assert_eq!((stage.operations().multiplications, stage.operations().additions), (products, n as u64));
        }
    }
}

/// "We extend this kernel to a radix-4 kernel by merging two consecutive iterations"; radix 8 merges three.
#[test]
fn the_larger_radices_of_li_merge_iterations_of_radix_2() {
    for (algorithm, merged) in [("stockham-dit-4", 2), ("stockham-dit-8", 3)] {
        let [small, large] = ["stockham-dit-2", algorithm].map(|name| plan("dft", name, 64, Parameters::default()));
        assert_eq!(large.stages.len() * merged, small.stages.len());
        for stage in 1..=large.stages.len() {
            let [found, expected] = [large.matrix_after(stage), small.matrix_after(stage * merged)];
            let difference = found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(difference < 1e-13, "{algorithm} after {stage} stages: {difference:e}");
        }
    }
}

/// Gajić and Stanković 2011, Algorithm 2: thread t reads by equations 5 and 6 and writes by equations 3 and 4, for every transform with its own butterfly.
#[test]
fn constant_geometry_reads_and_writes_as_algorithm_2_prints() {
    let n = 16;
    let transforms = [
        ("walsh", [1.0, 1.0, 1.0, -1.0]),
        ("reed-muller", [1.0, 0.0, 1.0, 1.0]),
        ("arithmetic", [1.0, 0.0, -1.0, 1.0]),
        ("kronecker", [2.0, -1.0, 0.5, 3.0]),
    ];
    for (name, base) in transforms {
        let plan = plan(name, "constant-geometry", n, Parameters { order: RowOrder::Dyadic, matrix: Base(base), ..Parameters::default() });
        assert_eq!(plan.stages.len(), 4);
        for (stage, exponent) in plan.stages.iter().zip((0..4).rev()) {
            let step = 1 << exponent;
            let thread = |id: usize| {
                let (op1, op2) = (2 * id, 2 * id + 1);
                let dst1 = id % step + 2 * step * (id / step);
                let dst2 = dst1 + step;
                [(op1, dst1, base[0]), (op2, dst1, base[1]), (op1, dst2, base[2]), (op2, dst2, base[3])]
            };
            let lines = (0..n / 2).flat_map(thread).filter(|(.., weight)| *weight != 0.0).map(|(a, b, weight)| (a, b, weight.into()));
            assert_same(&edges(stage), &sorted(lines), &format!("{name}, step {step}"));
        }
    }
}

/// The order that follows from Algorithm 2: lane l holds the coefficient whose index has the bits of l reversed. Cooley-Tukey and the inverse agree.
#[test]
fn algorithm_2_leaves_coefficients_in_bit_reversed_order() {
    let values: Vec<Complex64> = (0..16).map(|i| f64::from((i * i * 7 + 3 * i) % 11 % 2).into()).collect();
    for name in ["reed-muller", "arithmetic"] {
        let run = |algorithm, order, direction, values: &[Complex64]| {
            plan(name, algorithm, 16, Parameters { order, direction, ..Parameters::default() }).run(values)
        };
        let natural = run("constant-geometry", RowOrder::Natural, Direction::Forward, &values);
        for algorithm in ["constant-geometry", "cooley-tukey"] {
            let dyadic = run(algorithm, RowOrder::Dyadic, Direction::Forward, &values);
            assert_eq!(dyadic, (0..16).map(|lane| natural[reverse_bits(lane, 4)]).collect::<Vec<_>>(), "{name} by {algorithm}");
            assert_eq!(run(algorithm, RowOrder::Dyadic, Direction::Inverse, &dyadic), values, "{name} by {algorithm}, inverse");
        }
    }
}

/// Equations 3 and 4 of Gajić and Stanković 2011, and 15 and 16 of 2012: the two elements of a thread.
fn in_place_pair(id: usize, step: usize) -> (usize, usize) {
    let op1 = id % step + 2 * step * (id / step);
    (op1, op1 + step)
}

/// The four edges of a butterfly with the entries a, b, c, d of Table 1, without those that weigh nothing.
fn butterfly(reads: (usize, usize), writes: (usize, usize), [a, b, c, d]: [f64; 4]) -> impl Iterator<Item = (usize, usize, Complex64)> {
    let all = [(reads.0, writes.0, a), (reads.1, writes.0, b), (reads.0, writes.1, c), (reads.1, writes.1, d)];
    all.into_iter().filter(|(.., weight)| *weight != 0.0).map(|(from, to, weight)| (from, to, weight.into()))
}

/// Gajić and Stanković 2011, Algorithm 1: N/2 threads, steps N/2 down to 1, results where the operands stood.
#[test]
fn cooley_tukey_reads_and_writes_as_algorithm_1_prints() {
    let table_1 = [("walsh", [1.0, 1.0, 1.0, -1.0]), ("reed-muller", [1.0, 0.0, 1.0, 1.0]), ("arithmetic", [1.0, 0.0, -1.0, 1.0])];
    for n in [2, 8, 32] {
        for (name, entries) in table_1 {
            let plan = plan(name, "cooley-tukey", n, Parameters::default());
            assert_eq!(plan.stages.len(), n.ilog2() as usize);
            let mut found: Vec<_> = plan.stages.iter().map(edges).collect();
            // The steps of a Kronecker product commute; the paper of 2012 begins with step 1.
            found.sort_by_key(|edges| edges.iter().map(|&(from, to, _)| from.abs_diff(to)).max());
            for (exponent, found) in found.iter().enumerate() {
                let pairs = (0..n / 2).map(|id| in_place_pair(id, 1 << exponent));
                assert_same(found, &sorted(pairs.flat_map(|pair| butterfly(pair, pair, entries))), &format!("{name}, step 2^{exponent}"));
            }
        }
    }
}

/// Section 5.3: even threads compute u + v and u − v, odd ones u + v and v − u, all threads u + v and u − v in the last step.
#[test]
fn the_sign_rule_of_section_5_3_gives_sequency_order() {
    for n in [4, 16] {
        let plan = plan("walsh", "constant-geometry", n, Parameters { order: RowOrder::Sequency, ..Parameters::default() });
        let last = plan.stages.len() - 1;
        for (index, stage) in plan.stages.iter().enumerate() {
            let thread = |id: usize| {
                let signs = if id.is_multiple_of(2) || index == last { [1.0, 1.0, 1.0, -1.0] } else { [1.0, 1.0, -1.0, 1.0] };
                butterfly((2 * id, 2 * id + 1), in_place_pair(id, 1 << (last - index)), signs)
            };
            assert_same(&edges(stage), &sorted((0..n / 2).flat_map(thread)), &format!("N = {n}, step {index}"));
        }
    }
}

/// Algorithms 3 and 4: as the Walsh transform, with half the threads in every further step.
#[test]
fn haar_halves_the_threads_of_every_step() {
    let n = 16;
    let sum_and_difference = [1.0, 1.0, 1.0, -1.0];
    let [in_place, constant] = [("haar-printed", "cooley-tukey"), ("haar", "constant-geometry")]
        .map(|(name, algorithm)| plan(name, algorithm, n, Parameters::default()));
    assert_eq!((in_place.stages.len(), constant.stages.len()), (4, 4));
    for index in 0..4 {
        let (threads, step) = ((n / 2) >> index, (n / 2) >> index);
        let algorithm_3 = (0..threads).flat_map(|id| butterfly(in_place_pair(id, step), in_place_pair(id, step), sum_and_difference));
        assert_same(&edges(&in_place.stages[index]), &sorted(algorithm_3), &format!("Algorithm 3, step {step}"));
        let algorithm_4 = (0..threads).flat_map(|id| butterfly((2 * id, 2 * id + 1), in_place_pair(id, step), sum_and_difference));
        assert_same(&edges(&constant.stages[index]), &sorted(algorithm_4), &format!("Algorithm 4, step {step}"));
    }
}

/// Algorithm 4 with its third buffer: even steps read buffer 1 and write buffer 2, odd ones the other way round, and every step writes buffer 3 too.
#[test]
fn three_buffers_take_turns_as_algorithm_4_prints() {
    let n = 16;
    let plan = plan("haar", "three-buffers", n, Parameters::default());
    // The spectrum is collected in the first lanes; buffers 1 and 2 are behind them.
    let [buffer_1, buffer_2, buffer_3] = [n, 2 * n, 0];
    let transfer = (0..n).flat_map(|i| [buffer_1, buffer_2].map(|buffer| (i, buffer + i, Complex64::from(1.0))));
    assert_same(&edges(&plan.stages[0]), &sorted(transfer), "the transfer of the input");
    for (stage, exponent) in plan.stages[1..].iter().zip((0..4).rev()) {
        let step: usize = 1 << exponent;
        let [from, to] = if exponent % 2 == 0 { [buffer_1, buffer_2] } else { [buffer_2, buffer_1] };
        let thread = |id: usize| {
            let (dst1, dst2) = in_place_pair(id, step);
            let write =
                move |buffer: usize| butterfly((from + 2 * id, from + 2 * id + 1), (buffer + dst1, buffer + dst2), [1.0, 1.0, 1.0, -1.0]);
            write(to).chain(write(buffer_3))
        };
        assert_same(&edges(stage), &sorted((0..step).flat_map(thread)), &format!("step {exponent}"));
    }
}

/// Gajić and Stanković 2012, equations 11 to 16 and Figure 2: C₁ = W(1)⊗I and C₂ = I⊗W(1) on both signals, the product, both again, and the factor 2^−n.
#[test]
fn the_dyadic_convolution_is_that_of_figure_2() {
    for n in [4_usize, 16] {
        let plan = plan("dyadic-convolution", "convolution-theorem", n, Parameters::default());
        let n_steps = n.ilog2() as usize;
        assert_eq!(plan.stages.len(), 2 * n_steps + 2);
        let transform = |halves: usize, index: usize| {
            let pair = move |id: usize| in_place_pair(id, n >> (index + 1));
            let moved = |(op1, op2): (usize, usize), half: usize| (op1 + half * n, op2 + half * n);
            let pairs = (0..halves).flat_map(move |half| (0..n / 2).map(move |id| moved(pair(id), half)));
            sorted(pairs.flat_map(|pair| butterfly(pair, pair, [1.0, 1.0, 1.0, -1.0])))
        };
        for index in 0..n_steps {
            assert_same(&edges(&plan.stages[index]), &transform(2, index), &format!("N = {n}, both signals, step {index}"));
            assert_same(&edges(&plan.stages[n_steps + 1 + index]), &transform(1, index), &format!("N = {n}, the way back, step {index}"));
        }
        let product: Vec<_> = plan.stages[n_steps].butterflies().map(|butterfly| (butterfly.reads, butterfly.writes)).collect();
        assert!(matches!(plan.stages[n_steps].operation, Operation::Product { conjugated: false }));
        assert_eq!(product, (0..n).map(|i| (vec![Some(i), Some(n + i)], vec![i])).collect::<Vec<_>>());
        let scaling: Vec<_> = (0..n).map(|i| (i, i, Complex64::from(1.0 / n as f64))).collect();
        assert_same(&edges(&plan.stages[2 * n_steps + 1]), &scaling, &format!("N = {n}, the factor"));
    }
}

/// Sörman 2016, Algorithm 1 with the parameters of Table 3.1; the mask is shifted by log₂N − 1 − stage and the angle is negative, where the table is wrong.
#[test]
fn the_global_kernel_has_the_parameters_of_table_3_1() {
    let n: usize = 32;
    let plan = plan("dft", "cooley-tukey-dif", n, Parameters::default());
    let threads = |stage: u32, shift: u32, angle: f64| {
        let (bitmask, dist) = (u32::MAX.checked_shl(shift).unwrap_or(0), n as u32 >> (stage + 1));
        let thread = move |tid: u32| {
            let low = (tid + (tid & bitmask)) as usize;
            let high = low + dist as usize;
            let (tw_mask, tw_stage) = ((dist - 1) << stage, tid << stage);
            let factor = Complex64::from_polar(1.0, angle * f64::from(tw_stage & tw_mask));
            [(low, low, 1.0.into()), (high, low, 1.0.into()), (low, high, factor), (high, high, -factor)]
        };
        sorted((0..n as u32 / 2).flat_map(thread))
    };
    let angle = -2.0 * PI / n as f64;
    for (stage, found) in (0..).zip(plan.stages.iter().map(edges)) {
        assert_same(&found, &threads(stage, n.ilog2() - 1 - stage, angle), &format!("stage {stage}"));
        let ends = |edges: &[(usize, usize, Complex64)]| edges.iter().map(|&(from, to, _)| (from, to)).collect::<Vec<_>>();
        let printed = ends(&threads(stage, 32 - stage, angle));
        assert_eq!(printed == ends(&found), stage == 0, "the printed mask of stage {stage}");
    }
}

/// Sörman 2016, Algorithm 2 and Figures 4.5 and 5.4: `low` and `low + BLOCKDIM` to `2·low` and `2·low + 1`, factors of `low` without its lowest `stage` bits.
#[test]
fn the_local_kernel_has_one_geometry_and_a_mask_for_its_factors() {
    let points = |n: usize, stage: u32, low: usize| {
        let bitmask = u32::MAX << stage;
        let factor = Complex64::from_polar(1.0, -2.0 * PI / n as f64 * f64::from(low as u32 & bitmask));
        let (high, out_i) = (low + n / 2, 2 * low);
        [(low, out_i, 1.0.into()), (high, out_i, 1.0.into()), (low, out_i + 1, factor), (high, out_i + 1, -factor)]
    };
    for n in [4, 16, 64] {
        let plan = plan("dft", "constant-geometry", n, Parameters::default());
        for (stage, found) in (0..).zip(plan.stages.iter().map(edges)) {
            assert_same(&found, &sorted((0..n / 2).flat_map(|low| points(n, stage, low))), &format!("N = {n}, stage {stage}"));
        }
    }
    // Figure 5.2: behind two stages of the global kernel, four blocks of four points, whose results go to the lanes with their bits reversed.
    let plan = plan("dft", "global-local", 16, Parameters { tile_lanes: Some(4), ..Parameters::default() });
    for stage in 0..2 {
        let in_blocks = (0..4).flat_map(|block| {
            let offset = 4 * block;
            let to = move |out: usize| if stage == 1 { reverse_bits(out + offset, 4) } else { out + offset };
            (0..2).flat_map(move |low| points(4, stage, low)).map(move |(from, out, factor)| (from + offset, to(out), factor))
        });
        assert_same(
            &edges(&plan.stages[2 + stage as usize]),
            &sorted(in_blocks),
            &format!("the local kernel of Figure 5.2, stage {stage}"),
        );
    }
}

/// Argüello and others 2012, equations 7 to 10: every second sample of a level gets multiples of both neighbours. The scale factors that the paper leaves out are divided away.
#[test]
fn lifting_adds_both_neighbours_as_equations_7_to_10_print() {
    const K: f64 = 1.149_604_398_860_241_2;
    let (alpha, beta, gamma, delta) = (-1.586_134_342_059_924, -0.052_980_118_572_961, 0.882_911_075_530_934, 0.443_506_852_043_971);
    let (n, levels) = (64, 3);
    let plan = plan("cdf97", "direct", n, Parameters { levels: Some(levels), ..Parameters::default() });
    for level in 0..levels {
        let unit = 1 << level;
        // Odd samples leave γ divided by K.
        for (step, (first, factor)) in [(1, alpha), (0, beta), (1, gamma), (0, delta * K)].into_iter().enumerate() {
            let mut found: Vec<(usize, Vec<(usize, f64)>)> = Vec::new();
            for (from, to, weight) in edges(&plan.stages[4 * level + step]) {
                match found.iter_mut().find(|(other, _)| *other == to) {
                    Some((_, taps)) => taps.push((from, weight.re)),
                    None => found.push((to, vec![(from, weight.re)])),
                }
            }
            assert_eq!(found.len(), n / 2 / unit);
            found.sort_by_key(|(to, _)| *to);
            for (i, (to, taps)) in found.into_iter().enumerate() {
                assert_eq!(to, (2 * i + first) * unit, "level {level}, step {step}");
                let own = taps.iter().find(|(from, _)| *from == to).expect("a sample keeps its own value").1;
                let sum_of = |lane: usize| taps.iter().filter(|(from, _)| *from == lane).map(|(_, weight)| weight / own).sum::<f64>();
                let (before, behind) = (to.checked_sub(unit), Some(to + unit).filter(|&lane| lane < n));
                let neighbours = [before.or(behind), behind.or(before)].map(Option::unwrap);
                let expected = if neighbours[0] == neighbours[1] { 2.0 * factor } else { factor };
                assert!(
                    neighbours.iter().all(|&lane| (sum_of(lane) - expected).abs() < 1e-14),
                    "level {level}, step {step}, lane {to}: {taps:?}"
                );
            }
        }
    }
}

/// Argüello and others 2012, equations 11 and 12, which the figure draws from one buffer to the other: low-pass values first, high-pass values behind.
#[test]
fn the_filter_bank_of_d4_is_that_of_equations_11_and_12() {
    let root = 3.0_f64.sqrt();
    let h = [1.0 + root, 3.0 + root, 3.0 - root, 1.0 - root].map(|h| h / (4.0 * 2.0_f64.sqrt()));
    let (n, levels) = (32, 3);
    let plan = plan("d4", "filter-bank", n, Parameters { levels: Some(levels), ..Parameters::default() });
    for (level, found) in plan.stages.iter().map(edges).enumerate() {
        let samples = n >> level;
        let pair = |i: usize| {
            let [low, high] = [i / 2, samples / 2 + i / 2];
            let taps = [(low, [h[0], h[1], h[2], h[3]]), (high, [h[3], -h[2], h[1], -h[0]])];
            taps.into_iter().flat_map(move |(to, weights)| (0..4).map(move |k| ((i + k) % samples, to, weights[k].into())))
        };
        assert_same(&found, &sorted((0..samples).step_by(2).flat_map(pair)), &format!("level {level}"));
    }
}

/// Argüello and others 2012, Figure 6 and section 2: a level of the reduction reads three equations, 2^level apart; the substitution goes back through the same levels.
#[test]
fn cyclic_reduction_reads_three_equations_a_power_of_two_apart() {
    let n = 16;
    let plan = plan("tridiagonal", "cyclic-reduction", n, Parameters::default());
    assert_eq!(plan.stages.len(), 8);
    let reads = |stage: usize| {
        let butterflies = plan.stages[stage].butterflies();
        butterflies.map(|butterfly| (butterfly.writes, butterfly.reads.into_iter().flatten().collect::<Vec<_>>())).collect::<Vec<_>>()
    };
    let around = |at: usize, apart: usize| {
        [at.checked_sub(apart), Some(at), Some(at + apart).filter(|&lane| lane < n)].into_iter().flatten().collect()
    };
    for level in 0..4 {
        let apart = 1 << level;
        let reduced = (2 * apart - 1..n).step_by(2 * apart).map(|at| (vec![at], around(at, apart)));
        assert_eq!(reads(level), reduced.collect::<Vec<_>>(), "reduction, level {level}");
        let solved = (apart - 1..n).step_by(2 * apart).map(|at| (vec![at], around(at, apart)));
        assert_eq!(reads(7 - level), solved.collect::<Vec<_>>(), "substitution, level {level}");
    }
}

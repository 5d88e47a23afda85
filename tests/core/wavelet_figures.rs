//! Wavelet transforms beside the literature: the graphs of the split-and-merge paper, and numbers of PyWavelets.

use num_complex::Complex64;
use papillon::plan::{Direction, Plan};
use papillon::transforms::{Boundary, Parameters, Shape, transform};

/// Values that were given to PyWavelets 1.8.0: (7i² + 3i) mod 23.
const SAMPLES: [f64; 11] = [0., 10., 11., 3., 9., 6., 17., 19., 12., 19., 17.];

fn plan(name: &str, algorithm: &str, n: usize, levels: usize) -> Plan {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape::line(n), Parameters { levels: Some(levels), ..Parameters::default() }).unwrap()
}

fn run(plan: &Plan, input: &[f64]) -> Vec<f64> {
    let input: Vec<Complex64> = input.iter().map(|&x| x.into()).collect();
    plan.run(&input).iter().map(|value| value.re).collect()
}

fn assert_close(found: &[f64], expected: &[f64], bound: f64) {
    assert_eq!(found.len(), expected.len());
    let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < bound, "off by {error:e}: {found:?}");
}

/// Lanes that every written lane reads in one stage.
fn reads(plan: &Plan, stage: usize) -> Vec<(usize, Vec<usize>)> {
    let mut nodes: Vec<(usize, Vec<usize>)> = Vec::new();
    for edge in plan.stages[stage].edges() {
        match nodes.iter_mut().find(|(to, _)| *to == edge.to) {
            Some((_, from)) => from.push(edge.from),
            None => nodes.push((edge.to, vec![edge.from])),
        }
    }
    nodes
}

#[test]
fn figure_4_a_is_the_two_level_cdf97() {
    let plan = plan("cdf97", "direct", 16, 2);
    assert_eq!(plan.stages.len(), 9, "four steps a level, and the permutation");
    // Predict: odd samples read both neighbours, and the last one its left neighbour twice.
    assert_eq!(reads(&plan, 0)[..2], [(1, vec![0, 1, 2]), (3, vec![2, 3, 4])]);
    assert_eq!(reads(&plan, 0)[7], (15, vec![14, 15, 14]));
    // Update: even samples, and the first one its right neighbour twice.
    assert_eq!(reads(&plan, 1)[..2], [(0, vec![1, 0, 1]), (2, vec![1, 2, 3])]);
    // The second level is the first one on every second lane.
    for step in 0..4 {
        let small = reads(&self::plan("cdf97", "direct", 8, 1), step);
        let spread = small.iter().map(|(to, from)| (2 * to, from.iter().map(|lane| 2 * lane).collect()));
        assert_eq!(reads(&plan, 4 + step), spread.collect::<Vec<_>>());
    }
    assert_eq!(reads(&plan, 8)[..6], [(0, vec![0]), (8, vec![1]), (4, vec![2]), (9, vec![3]), (1, vec![4]), (10, vec![5])]);
}

#[test]
fn figure_5_a_is_the_three_level_d4() {
    let plan = plan("d4", "filter-bank", 16, 3);
    assert_eq!(plan.stages.len(), 3);
    for (level, samples) in [16, 8, 4].into_iter().enumerate() {
        let butterflies: Vec<_> = plan.stages[level].butterflies().collect();
        assert_eq!(butterflies.len(), samples / 2);
        for (i, butterfly) in butterflies.iter().enumerate() {
            assert_eq!(butterfly.reads, [0, 1, 2, 3].map(|k| Some((2 * i + k) % samples)));
            assert_eq!(butterfly.writes, [i, samples / 2 + i]);
        }
    }
    assert!(!plan.in_place());
}

#[test]
fn figure_7_a_is_the_three_level_packet_tree() {
    let plan = plan("d4-packet", "filter-bank", 16, 3);
    assert_eq!(plan.stages.len(), 3);
    for (level, stage) in plan.stages.iter().enumerate() {
        // Every level halves every block, so that the same work is done at each.
        assert_eq!((stage.n_butterflies(), stage.edges().len()), (8, 64));
        let samples = 16 >> level;
        for edge in stage.edges() {
            assert_eq!(edge.from / samples, edge.to / samples, "a block becomes the two halves of itself");
        }
    }
}

#[test]
fn filter_bank_and_lifting_give_the_same_numbers() {
    let input: Vec<f64> = (0..64).map(|i| f64::from(i * i % 37) - 11.0).collect();
    for levels in 0..=6 {
        let [bank, lifting] = ["filter-bank", "lifting"].map(|name| run(&plan("d4", name, 64, levels), &input));
        assert_close(&bank, &lifting, 1e-12);
        // The filters are orthonormal.
        let energy = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
        assert!((energy(&bank) / energy(&input) - 1.0).abs() < 1e-13);
    }
}

#[test]
fn the_filter_bank_of_the_97_gives_the_numbers_of_its_lifting() {
    let input: Vec<f64> = (0..64).map(|i| f64::from(i * i % 37) - 11.0).collect();
    for (name, shape, most) in [("cdf97", Shape::line(64), 6), ("cdf97-2", Shape { rows: 4, columns: 16 }, 4)] {
        for (levels, boundary) in (0..=most).flat_map(|levels| [Boundary::Symmetric, Boundary::Periodic].map(|boundary| (levels, boundary)))
        {
            for direction in [Direction::Forward, Direction::Inverse] {
                let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
                let [bank, lifting] = ["filter-bank", "direct"].map(|algorithm| {
                    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
                    run(&build(shape, parameters).unwrap(), &input)
                });
                assert_close(&bank, &lifting, 1e-11);
            }
        }
    }
}

#[test]
fn d4_does_not_see_straight_lines() {
    // Two vanishing moments: only where the line breaks off, at the end, is there anything high-pass.
    let line: Vec<f64> = (0..32).map(|i| 3.0 - 0.25 * f64::from(i)).collect();
    assert_close(&run(&plan("d4", "filter-bank", 32, 1), &line)[16..31], &[0.0; 15], 1e-13);
}

#[test]
fn packets_in_frequency_order_hold_rising_tones() {
    let (n, levels) = (512, 3);
    let build = transform("d4-packet").unwrap().first_plan().plan_fn().unwrap();
    let packet_order = papillon::transforms::PacketOrder::Frequency;
    let parameters = Parameters { levels: Some(levels), packet_order, ..Parameters::default() };
    let plan = build(Shape::line(n), parameters).unwrap();
    for block in 0..1 << levels {
        let frequency = (f64::from(block) + 0.5) / f64::from(2 << levels);
        let tone: Vec<f64> = (0..n).map(|i| (std::f64::consts::TAU * frequency * i as f64 + 0.3).cos()).collect();
        let spectrum = run(&plan, &tone);
        let energies: Vec<f64> = spectrum.chunks(n >> levels).map(|block| block.iter().map(|x| x * x).sum()).collect();
        let largest = (0..energies.len()).max_by(|&a, &b| energies[a].total_cmp(&energies[b])).unwrap();
        assert_eq!(largest, block as usize, "{energies:?}");
    }
}

#[test]
fn cdf97_has_the_numbers_of_pywavelets() {
    // pywt.dwt(x, 'bior4.4', mode='reflect'): cA[2:8] and −cD[2:7]; its filters have twelve digits.
    let expected = [
        5.652135624064407,
        13.96790826618918,
        7.735737468399298,
        22.142344964457926,
        21.01062385133105,
        26.562088166900082,
        4.047656382272848,
        -5.550258292274371,
        -5.550258292270128,
        3.517326296396198,
        3.181980515363155,
    ];
    assert_close(&run(&plan("cdf97", "direct", 11, 1), &SAMPLES), &expected, 1e-9);
}

#[test]
fn d4_has_the_numbers_of_pywavelets() {
    // pywt.dwt(np.roll(x, -1), 'db2', mode='periodization'), and the same of its cA.
    let high = [5.511351921262151, 2.534932902583162, 2.534932902583163, -11.288324507615021];
    let low = [10.442517018186447, 9.062978632873858, 10.717428868967936, 22.81008406896283];
    assert_close(&run(&plan("d4", "lifting", 8, 1), &SAMPLES[..8]), &[low, high].concat(), 1e-12);
    let coarse = [12.075081699928095, 25.42491830007191, -5.433892896287468, -2.141424651018014];
    assert_close(&run(&plan("d4", "filter-bank", 8, 2), &SAMPLES[..8]), &[coarse, high].concat(), 1e-12);
    // And back.
    let build = transform("d4").unwrap().algorithm("filter-bank").unwrap().plan_fn().unwrap();
    let parameters = Parameters { levels: Some(2), direction: Direction::Inverse, ..Parameters::default() };
    assert_close(&run(&build(Shape::line(8), parameters).unwrap(), &[coarse, high].concat()), &SAMPLES[..8], 1e-12);
}

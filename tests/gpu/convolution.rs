//! Dyadic and cyclic convolution and autocorrelation: the examples and Figure 2 of Gajić and Stanković 2012, and the sums of the definition on every device.

use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend};
use papillon::engine::{Computed, Cut, DeviceChoice, Devices, EngineError, Job, compute};
use papillon::plan::{Coef, Plan, Precision};
use papillon::schedule::Schedule;
use papillon::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use papillon::transforms::convolution::{Operands, cyclic as cyclic_plan, dyadic as dyadic_plan};
use papillon::transforms::{Parameters, Shape};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn dyadic_line(n: usize, operands: Operands) -> Plan {
    dyadic_plan(Shape::line(n), operands).unwrap()
}

fn cyclic_line(n: usize, operands: Operands) -> Plan {
    cyclic_plan(Shape::line(n), operands).unwrap()
}

/// Convolves two signals, or one with itself.
fn convolve(kind: &str, first: &Signal, second: Option<&Signal>, device: &DeviceChoice) -> Result<Computed, EngineError> {
    let transform = match (kind, second) {
        ("dyadic", Some(_)) => "dyadic-convolution",
        ("dyadic", None) => "dyadic-autocorrelation",
        (_, Some(_)) => "cyclic-convolution",
        (_, None) => "cyclic-autocorrelation",
    };
    compute(&job(transform, first, second, device), &mut Devices::default(), &GO_ON)
}

fn job(transform: &'static str, first: &Signal, second: Option<&Signal>, device: &DeviceChoice) -> Job {
    Job {
        signal: Arc::new(first.clone()),
        second: second.cloned().map(Arc::new),
        channel: ChannelChoice::default(),
        transform,
        algorithm: None,
        parameters: Parameters::default(),
        cut: Cut::default(),
        device: device.clone(),
        precision: None,
        prefer_plan: true,
        preparation: Default::default(),
    }
}

fn values(n: usize, seed: i64) -> Vec<i64> {
    (0..n as i64).map(|i| (i * i * 31 + seed * i) % 19 - 9).collect()
}

fn dyadic(f: &[i64], g: &[i64]) -> Vec<i64> {
    (0..f.len()).map(|t| (0..f.len()).map(|x| f[x] * g[x ^ t]).sum()).collect()
}

/// f\[x\]·g\[t − x\], and for the autocorrelation f\[x\]·f\[x + t\].
fn cyclic(f: &[i64], g: Option<&[i64]>) -> Vec<i64> {
    let n = f.len();
    (0..n).map(|t| (0..n).map(|x| g.map_or(f[x] * f[(x + t) % n], |g| f[x] * g[(t + n - x) % n])).sum()).collect()
}

#[test]
fn examples_of_the_paper() {
    let plan = dyadic_line(4, Operands::Two);
    let input = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0].map(Complex64::from);
    let after = |n: usize| plan.run_stages(&input, n).iter().map(|value| value.re).collect::<Vec<_>>();
    assert_eq!(after(2), [3.0, 1.0, -1.0, 1.0, 2.0, -2.0, 0.0, 0.0]);
    assert_eq!(after(3)[..4], [6.0, -2.0, 0.0, 0.0]);
    assert_eq!(plan.run(&input).iter().map(|value| value.re).collect::<Vec<_>>(), [1.0, 2.0, 1.0, 2.0]);
    assert_eq!(plan.run_exact(&[1, 0, 1, 1, 0, 1, 0, 1]).unwrap(), [1, 2, 1, 2]);
}

#[test]
fn figure_2_is_the_whole_convolution() {
    let plan = dyadic_line(4, Operands::Two);
    let columns: Vec<String> = plan
        .stages
        .iter()
        .map(|stage| {
            let sign = |weight: Coef| if weight == Coef::Real(-1.0) { "−" } else { "" };
            let mut edges = stage.edges();
            edges.sort_by_key(|edge| (edge.to, edge.from));
            let lines: Vec<_> = edges.iter().map(|edge| format!("{}{}→{}", sign(edge.weight), edge.from, edge.to)).collect();
            lines.join(" ")
        })
        .collect();
    let walsh = ["0→0 2→0 1→1 3→1 0→2 −2→2 1→3 −3→3", "0→0 1→0 0→1 −1→1 2→2 3→2 2→3 −3→3"];
    let both = [" 4→4 6→4 5→5 7→5 4→6 −6→6 5→7 −7→7", " 4→4 5→4 4→5 −5→5 6→6 7→6 6→7 −7→7"];
    assert_eq!(columns[0], walsh[0].to_owned() + both[0]);
    assert_eq!(columns[1], walsh[1].to_owned() + both[1]);
    assert_eq!(columns[2], "0→0 4→0 1→1 5→1 2→2 6→2 3→3 7→3");
    assert_eq!(columns[3..5], walsh);
    assert_eq!(columns[5], "0→0 1→1 2→2 3→3");
    let lines: Vec<usize> = plan.live().iter().map(|lanes| lanes.iter().filter(|live| **live).count()).collect();
    assert_eq!(lines, [8, 8, 8, 4, 4, 4, 4], "the lower lanes end at the product");
}

#[test]
fn every_size_equals_the_sums_of_the_definition() {
    for n in (0..8).map(|log| 1 << log) {
        let (f, g) = (values(n, 3), values(n, 8));
        let both = [f.clone(), g.clone()].concat();
        assert_eq!(dyadic_line(n, Operands::Two).run_exact(&both).unwrap(), dyadic(&f, &g));
        assert_eq!(dyadic_line(n, Operands::Itself).run_exact(&f).unwrap(), dyadic(&f, &f));
        let wide = |values: &[i64]| values.iter().map(|&value| Complex64::from(value as f64)).collect::<Vec<_>>();
        let near = |found: Vec<Complex64>, expected: Vec<i64>| {
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - *b as f64).norm() < 1e-9), "{n} values: {found:?}, {expected:?}");
        };
        near(cyclic_line(n, Operands::Two).run(&wide(&both)), cyclic(&f, Some(&g)));
        near(cyclic_line(n, Operands::Itself).run(&wide(&f)), cyclic(&f, None));
    }
}

#[test]
fn every_way_on_the_cpu_is_exact() {
    let (f, g) = (values(64, 5), values(64, 2));
    let plan = dyadic_line(64, Operands::Two);
    let input = [f.clone(), g.clone()].concat();
    for schedule in [Schedule::by_stage(&plan), Schedule::tiled(&plan, 16), Schedule::tiled(&plan, 4096)] {
        schedule.check(&plan).unwrap();
        for way in CpuBackend::ALL {
            assert_eq!(cpu::run(&plan, &schedule, &input, way, &GO_ON).unwrap().0, dyadic(&f, &g), "{way:?}");
        }
    }
}

#[test]
fn every_device_gives_the_same() {
    let line = |values: &[i64]| Signal::row("line", Samples::I64(values.to_vec()));
    for n in [1, 2, 8, 256, 4096] {
        let (f, g) = (values(n, 7), values(n, 4));
        for device in [DeviceChoice::Cpu, DeviceChoice::CpuParallel, DeviceChoice::Gpu] {
            let run = |kind, second: Option<&Signal>| convolve(kind, &line(&f), second, &device).unwrap().into_samples(&GO_ON).unwrap();
            assert_eq!(run("dyadic", Some(&line(&g))), Samples::I64(dyadic(&f, &g)), "{n} on {device}");
            assert_eq!(run("dyadic", None), Samples::I64(dyadic(&f, &f)), "{n} on {device}");
            for (second, expected) in [(Some(line(&g)), cyclic(&f, Some(&g))), (None, cyclic(&f, None))] {
                let found = run("cyclic", second.as_ref()).to_f64();
                let scale = expected.iter().map(|value| value.abs() as f64).fold(1.0, f64::max);
                assert!(found.iter().zip(&expected).all(|(a, b)| (a - *b as f64).abs() < 1e-5 * scale), "{n} on {device}");
            }
        }
    }
}

#[test]
fn separate_transforms_convolve_like_both_at_once() {
    let separate = |first: &Signal, second: &Signal, cut, device: &DeviceChoice| {
        let job = Job { algorithm: Some("separate-transforms"), cut, ..job("dyadic-convolution", first, Some(second), device) };
        compute(&job, &mut Devices::default(), &GO_ON).unwrap()
    };
    let rows = |n_rows: usize, n: usize, seed: i64| {
        let samples = Samples::I64((0..n_rows as i64).flat_map(|row| values(n, seed + row)).collect());
        Signal::from_channels("rows", SignalKind::Rows, (n_rows, n), vec![Channel::new("value", samples)])
    };
    for (n_rows, n) in [(1, 1), (1, 2), (1, 1024), (3, 16)] {
        let (first, second) = (rows(n_rows, n, 7), rows(n_rows, n, 4));
        let expected: Vec<i64> = (0..n_rows as i64).flat_map(|row| dyadic(&values(n, 7 + row), &values(n, 4 + row))).collect();
        for device in [DeviceChoice::Cpu, DeviceChoice::CpuStrided, DeviceChoice::Gpu] {
            for cut in [Cut::Tiles, Cut::Stages] {
                let computed = separate(&first, &second, cut, &device);
                if (cut, n_rows) == (Cut::Stages, 1) {
                    let launches = computed.outcome.schedule.as_ref().map(|schedule| schedule.launches.len());
                    assert_eq!(launches, Some(if n == 1 { 1 } else { 3 * n.ilog2() as usize + 2 }), "{n} on {device}");
                }
                let found = computed.into_samples(&GO_ON).unwrap();
                assert_eq!(found, Samples::I64(expected.clone()), "{n_rows} rows of {n} on {device}, {cut:?}");
            }
        }
    }
}

#[test]
fn large_integers_get_64_bits_and_larger_ones_are_refused() {
    let line = |value: i64| Signal::row("line", Samples::I64(vec![value; 16]));
    for device in [DeviceChoice::Cpu, DeviceChoice::Gpu] {
        let computed = convolve("dyadic", &line(1 << 20), Some(&line(-1 << 30)), &device).unwrap();
        assert!(computed.outcome.reason.contains("64 bits"), "{}", computed.outcome.reason);
        assert_eq!(computed.into_samples(&GO_ON).unwrap(), Samples::I64(vec![-(1 << 54); 16]));
    }
    let error = convolve("dyadic", &line(1 << 40), Some(&line(1 << 20)), &DeviceChoice::Cpu).err().unwrap().to_string();
    assert!(error.contains("69 bits") && !error.contains('\n'), "{error}");
    let other = Signal::row("short", Samples::I64(vec![1; 8]));
    let error = convolve("dyadic", &line(1), Some(&other), &DeviceChoice::Cpu).err().unwrap().to_string();
    assert!(error.contains("short has 1 × 8") && error.contains("16 values"), "{error}");
    let twelve = Signal::row("twelve", Samples::I64(vec![1; 12]));
    let error = convolve("dyadic", &twelve, None, &DeviceChoice::Cpu).err().unwrap().to_string();
    assert!(error.contains("12") && error.contains("power of two"), "{error}");
}

#[test]
fn cyclic_convolutions_take_any_length() {
    // Powers of two, products of small primes, and primes by a convolution within the convolution.
    for n in [1, 3, 12, 37, 100, 210] {
        let (f, g) = (values(n, 3), values(n, 8));
        let wide = |values: &[i64]| Signal::row("line", Samples::F64(values.iter().map(|&value| value as f64).collect()));
        for device in [DeviceChoice::Cpu, DeviceChoice::CpuParallel, DeviceChoice::Gpu] {
            for (second, expected) in [(Some(wide(&g)), cyclic(&f, Some(&g))), (None, cyclic(&f, None))] {
                let computed = convolve("cyclic", &wide(&f), second.as_ref(), &device).unwrap();
                let bound = if computed.outcome.precision == Precision::Double { 1e-12 } else { 1e-5 };
                let samples = computed.into_samples(&GO_ON).unwrap();
                assert!(matches!(samples, Samples::F32(_) | Samples::F64(_)), "what is real stays real");
                let scale = expected.iter().map(|value| value.abs() as f64).fold(1.0, f64::max);
                let found = samples.to_f64();
                let is_near = found.iter().zip(&expected).all(|(a, b)| (a - *b as f64).abs() < bound * scale);
                assert!(is_near, "{n} on {device}: {found:?}, {expected:?}");
            }
        }
    }
}

#[test]
fn rows_are_convolved_with_rows_or_all_with_one() {
    const N: usize = 16;
    let rows = |n_rows: usize, seed: i64| {
        let channel = Channel::new("value", Samples::I64((0..n_rows as i64).flat_map(|row| values(N, seed + row)).collect()));
        Signal::from_channels("rows", SignalKind::Rows, (n_rows, N), vec![channel])
    };
    let row = |signal: &Signal, row: usize| signal.channels[0].samples.to_i64().unwrap()[row * N..][..N].to_vec();
    let first = rows(3, 2);
    for second in [rows(3, 9), rows(1, 9)] {
        let each = |convolved: fn(&[i64], &[i64]) -> Vec<i64>| {
            (0..3).flat_map(|index| convolved(&row(&first, index), &row(&second, index % second.rows))).collect::<Vec<_>>()
        };
        for device in [DeviceChoice::Cpu, DeviceChoice::CpuStrided, DeviceChoice::CpuParallel, DeviceChoice::Gpu] {
            for cut in [Cut::Tiles, Cut::TilesOf(8), Cut::Stages] {
                // The paper's loops have no tiles.
                if device == DeviceChoice::CpuStrided && cut == Cut::TilesOf(8) {
                    continue;
                }
                let run = |transform, second| {
                    let job = Job { cut, ..job(transform, &first, second, &device) };
                    compute(&job, &mut Devices::default(), &GO_ON).unwrap().into_samples(&GO_ON).unwrap()
                };
                assert_eq!(run("dyadic-convolution", Some(&second)), Samples::I64(each(dyadic)), "{device}, {cut:?}");
                let itself: Vec<i64> = (0..3).flat_map(|index| dyadic(&row(&first, index), &row(&first, index))).collect();
                assert_eq!(run("dyadic-autocorrelation", None), Samples::I64(itself), "{device}, {cut:?}");
                let expected = each(|f, g| cyclic(f, Some(g)));
                let found = run("cyclic-convolution", Some(&second)).to_f64();
                assert!(found.iter().zip(&expected).all(|(a, b)| (a - *b as f64).abs() < 1e-2), "{device}, {cut:?}");
            }
        }
    }
}

/// Long enough for several launches: the product is taken when the transform back reads its lanes.
#[test]
fn long_convolutions_on_a_gpu_equal_those_on_the_cpu() {
    for n in [1 << 10, 1 << 15] {
        let small = [3, 8].map(|seed| Signal::row("f", Samples::I64(values(n, seed).iter().map(|value| value.signum()).collect())));
        let large = [3, 8].map(|seed| Signal::row("f", Samples::I64(values(n, seed).iter().map(|value| value * 1000).collect())));
        let real = [3, 8].map(|seed| Signal::row("f", Samples::F32(values(n, seed).iter().map(|&value| value as f32 / 7.0).collect())));
        for [f, g] in [small, large, real] {
            for g in [Some(&g), None] {
                let [cpu, gpu] = [DeviceChoice::CpuParallel, DeviceChoice::Gpu].map(|device| convolve("dyadic", &f, g, &device).unwrap());
                let schedule = gpu.outcome.schedule.clone().unwrap();
                let product = n.ilog2() as usize;
                let launch = schedule.launches.iter().find(|launch| launch.stages.contains(&product)).unwrap();
                assert!(n < 1 << 15 || launch.stages.start == product && launch.stages.len() > 1, "{schedule:?}");
                let [cpu, gpu] = [cpu, gpu].map(|computed| computed.into_samples(&GO_ON).unwrap());
                match (&cpu, &gpu) {
                    (Samples::F32(cpu), Samples::F32(gpu)) => {
                        let error: f32 = cpu.iter().zip(gpu).map(|(a, b)| (a - b).powi(2)).sum();
                        assert!(error.sqrt() <= 1e-5 * cpu.iter().map(|a| a * a).sum::<f32>().sqrt());
                    }
                    _ => assert!(cpu == gpu, "{n} values"),
                }
            }
        }
    }
}

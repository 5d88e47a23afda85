//! `transform -t ntt`, `graph`, `matrix` and `kernel` of residues, and `convolve --exact`.

use super::*;

/// The numbers of a CSV with one column, behind its header.
fn column(folder: &TempDir, name: &str) -> Vec<String> {
    String::from_utf8(read(folder, name)).unwrap().lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn residues_come_out_as_integers_and_the_root_is_said() {
    let folder = TempDir::new().unwrap();
    write(&folder, "f.csv", "1\n2\n3\n4\n0\n0\n0\n0\n");
    let told = done(&folder, "transform f.csv -t ntt --modulus 17 --root 2 -d cpu -o x.csv");
    assert!(told.contains("modulo 17, with the root 2 of order 8"), "{told}");
    assert_eq!(column(&folder, "x.csv"), ["10", "15", "7", "13", "15", "11", "6", "16"]);
    done(&folder, "transform f.csv -t ntt --modulus 17 --root 2 --signed -d cpu -o x.csv");
    assert_eq!(column(&folder, "x.csv"), ["-7", "-2", "7", "-4", "-2", "-6", "6", "-1"]);
    let told = done(&folder, "transform x.csv -t ntt --modulus 17 --root 2 --inverse -d gpu -o back.csv");
    assert!(told.contains("6 samples below 0 or above 16 taken modulo 17"), "{told}");
    assert_eq!(column(&folder, "back.csv"), ["1", "2", "3", "4", "0", "0", "0", "0"]);
    done(&folder, "transform f.csv -t ntt --preset babybear -d cpu -o x.npy");
    assert_eq!(parse_npy(&read(&folder, "x.npy")).0, "<i8");
}

#[test]
fn a_scheme_has_its_vectors_of_every_layer() {
    let folder = TempDir::new().unwrap();
    let f: String = (0..256).map(|i| format!("{}\n", i * i * 31 % 3329)).collect();
    write(&folder, "f.csv", f);
    for name in ["ntt", "ntt-negacyclic"] {
        let told = done(&folder, &format!("transform f.csv -t {name} --preset ml-kem -d cpu -o x.csv"));
        assert!(told.contains("modulo 3329, with the root 17 of order 256"), "{told}");
        done(&folder, &format!("graph -t {name} --preset ml-kem --values f.csv -d cpu -o layers.hex"));
        let hex = String::from_utf8(read(&folder, "layers.hex")).unwrap();
        let words: Vec<&str> = hex.lines().filter(|line| !line.starts_with(['/', '@'])).collect();
        assert_eq!(words.len(), 8 * 256, "the input and seven layers");
        let last = words[7 * 256..].iter().map(|word| i64::from_str_radix(word, 16).unwrap().to_string());
        assert!(last.eq(column(&folder, "x.csv")));
        done(&folder, &format!("transform x.csv -t {name} --preset ml-kem --inverse -d cpu -o back.csv"));
        assert_eq!(read(&folder, "back.csv"), [b"value\n", &read(&folder, "f.csv")[..]].concat());
    }
}

#[test]
fn what_has_no_transform_is_told_in_one_line() {
    let folder = TempDir::new().unwrap();
    write(&folder, "f.csv", "1\n2\n3\n4\n5\n6\n7\n8\n");
    write(&folder, "half.csv", "1\n2.5\n3\n4\n");
    for (call, told) in [
        ("transform f.csv -t ntt --modulus 21 -o x.csv", "the modulus 21 is no prime: it is 3 × 7"),
        ("transform f.csv -t ntt --modulus 7 -o x.csv", "8 does not divide 6 = 2·3"),
        ("transform f.csv -t ntt --modulus 17 --root 3 -o x.csv", "the root 3 has order 16, and not 8"),
        ("transform f.csv -t ntt --preset ml-kem -o x.csv", "ML-KEM has rows of the length 256"),
        ("transform half.csv -t ntt -o x.csv", "computes modulo 998244353 and takes integers"),
        ("transform f.csv -t walsh --signed -o x.csv", "walsh takes no --signed"),
        ("convolve f.csv f.csv --exact -o x.csv", "are for --cyclic, --negacyclic or --linear"),
        ("convolve f.csv f.csv --preset ml-kem -o x.csv", "ML-KEM has rows of the length 256"),
        ("convolve f.csv f.csv --preset ml-kem --cyclic -o x.csv", "ML-KEM multiplies modulo x^n + 1: take --negacyclic"),
        ("convolve f.csv f.csv --preset babybear --linear --modulus 7 -o x.csv", "BabyBear has the modulus 2013265921"),
        ("convolve f.csv f.csv --cyclic --signed -o x.csv", "--signed is for results modulo a number: add --modulus or --preset"),
        ("convolve f.csv half.csv --linear --exact -o x.csv", "an exact convolution takes integers"),
        ("convolve f.csv half.csv --cyclic --exact -o x.csv", "an exact convolution takes integers"),
    ] {
        let output = papillon(&folder, call);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = text.lines().last().unwrap_or_default();
        assert!(output.status.code() == Some(2) && last.contains(told), "{call}: {text}");
    }
}

#[test]
fn convolutions_of_long_integers_are_exact() {
    let folder = TempDir::new().unwrap();
    let long = "123456789012345678901234567890";
    write(&folder, "f.csv", format!("{long}\n-1\n"));
    write(&folder, "g.csv", "2\n1\n");
    let call = |options: &str| {
        let told = done(&folder, &format!("convolve f.csv g.csv {options} --exact -o z.csv"));
        (column(&folder, "z.csv"), told)
    };
    let (linear, told) = call("--linear");
    assert_eq!(linear, ["246913578024691357802469135780", "123456789012345678901234567888", "-1"]);
    assert!(told.contains("gets") && told.contains("wrong"), "{told}");
    assert_eq!(call("--cyclic").0, ["246913578024691357802469135779", "123456789012345678901234567888"]);
    assert_eq!(call("--negacyclic").0, ["246913578024691357802469135781", "123456789012345678901234567888"]);
    assert_eq!(call("--negacyclic --modulus 10").0, ["1", "8"]);
    assert_eq!(call("--negacyclic --modulus 10 --signed").0, ["1", "-2"]);
    assert_eq!(call("--cyclic --modulus 2 --signed").0, ["1", "0"]);
    let output = papillon(&folder, "convolve f.csv g.csv --linear --exact -o z.npy");
    assert!(String::from_utf8_lossy(&output.stderr).contains("write .csv") && output.status.code() == Some(2));
}

#[test]
fn polynomials_multiply_as_schemes_do() {
    let folder = TempDir::new().unwrap();
    let q = 3329_i64;
    let [f, g] = [17, 23].map(|step| (0..256).map(|i| i * i * step % q).collect::<Vec<i64>>());
    let text = |values: &[i64]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    write(&folder, "f.csv", text(&f));
    write(&folder, "g.csv", text(&g));
    let mut expected = vec![0; 256];
    for (i, j) in (0..256).flat_map(|i| (0..256).map(move |j| (i, j))) {
        let sign = if i + j < 256 { 1 } else { -1 };
        expected[(i + j) % 256] = (expected[(i + j) % 256] + sign * f[i] * g[j]).rem_euclid(q);
    }
    let expected: Vec<String> = expected.iter().map(i64::to_string).collect();
    let told = done(&folder, "convolve f.csv g.csv --preset ml-kem -o z.csv");
    assert!(told.contains("product of polynomials of ML-KEM: modulo 3329 and x^256 + 1, with the root 17 of order 256"), "{told}");
    assert!(told.contains("a Fourier transform in double precision gets all results right, too"), "{told}");
    assert_eq!(column(&folder, "z.csv"), expected);
    done(&folder, "convolve f.csv g.csv --negacyclic --modulus 3329 -o z.csv");
    assert_eq!(column(&folder, "z.csv"), expected);
    let is_signed = |(text, residue): (&String, &String)| {
        let [value, residue]: [i64; 2] = [text, residue].map(|text| text.parse().unwrap());
        value.abs() <= q / 2 && value.rem_euclid(q) == residue
    };
    done(&folder, "convolve f.csv g.csv --preset ml-kem --signed -o z.csv");
    assert!(column(&folder, "z.csv").iter().zip(&expected).all(is_signed));
    done(&folder, "graph -t negacyclic-convolution -n 8 --modulus 17 --layers 2 -o product.svg");
}

#[test]
fn matrices_and_kernels_have_residues() {
    let folder = TempDir::new().unwrap();
    done(&folder, "matrix -t ntt -n 4 --modulus 5 --root 2 --definition -o m.csv");
    let text = String::from_utf8(read(&folder, "m.csv")).unwrap();
    assert!(text.contains("1,2,4,3"), "{text}");
    let output = papillon(&folder, "kernel -t ntt -n 8 --modulus 17 -a gentleman-sande --schedule stages --launch 1");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("fn multiplied(") && text.contains("17u"), "{text}");
}

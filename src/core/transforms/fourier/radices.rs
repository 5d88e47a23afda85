//! The radices of a mixed-radix transform, their order, and the passes over memory that they form.

/// The most points of a pass in workgroup memory, where a transform takes several passes.
const MOST_POINTS_OF_A_PASS: usize = 4096;

/// The longest row that takes a single pass, with radices 16, 16 and 32. Columns are read side by side, so theirs is shorter.
const LONGEST_ROW: usize = 8192;

/// Points of a transform that the caches of most devices hold.
const CACHED_POINTS: usize = 1 << 20;

/// Above this number of points in a pass, a transform takes another pass: short passes read wide columns, which is faster than one pass less.
const BALANCED_POINTS: usize = 1024;

/// Points of the longest column that takes a single pass.
const MOST_POINTS_OF_A_COLUMN: usize = 4096;

/// Threads of a line, one for every butterfly of the largest radix, with which 256 threads hold 32 neighbouring lines: more lines do not pay.
const FEW_THREADS: usize = 8;

/// Up to this number of points a convolution takes a power of two: it is the most accurate, and within one launch no other length is faster.
const SHORT_CONVOLUTION: usize = 1024;

/// The primes that may divide a length. A butterfly of radix p has about p² multiplications, and one thread holds all its taps, so larger primes take a convolution.
const PRIMES: [usize; 11] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31];

/// The radices of butterflies, the largest first: the primes, and those products up to 16 that save a stage.
/// Only the longest row takes radix 32, whose registers leave room for few threads.
const RADICES: [usize; 19] = [31, 29, 23, 19, 17, 16, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

/// The radices of the stages of a transform of `n` points, one list per pass; `None` when a prime above 31 divides `n`, or when `n` is 0.
///
/// A pass is a run of consecutive stages whose radices multiply to at most 4096 points, so that they run in the memory of one workgroup.
/// One pass holds up to 4096 points, two up to 2^20, three up to 2^30. Their lengths are as equal as the divisors of `n` allow, the longest first.
/// Each pass takes the fewest stages, and among these the radices with the smallest sum: 512 is 8·8·8 and not 16·16·2.
/// In transforms larger than the caches the sum is the largest: few threads per line let a workgroup read wide columns.
/// `n` = 1 takes no pass.
pub fn passes(n: usize) -> Option<Vec<Vec<usize>>> {
    if n == 0 || rest_without_small_primes(n) != 1 {
        return None;
    }
    if n == LONGEST_ROW {
        return Some(vec![vec![16, 16, 32]]);
    }
    let mut least = usize::from(n > 1);
    if n > MOST_POINTS_OF_A_PASS {
        while BALANCED_POINTS.checked_pow(least as u32).is_some_and(|points| points < n) {
            least += 1;
        }
    }
    let divisors = divisors(n);
    let lengths = (least..).find_map(|n_passes| split(n, n_passes, MOST_POINTS_OF_A_PASS, &divisors))?;
    Some(lengths.into_iter().map(|points| factors(points, n > CACHED_POINTS)).collect())
}

/// The radices down the columns of an image of `n` rows; `None` as for [`passes`].
///
/// Columns are read side by side, so a long column takes two passes where a row takes one: 8192 points are 128·64.
/// The smallest of three radices is in the middle, so that many results are stored at a time: 2048 is 16·8·16.
pub(super) fn columns(n: usize) -> Option<Vec<usize>> {
    let mut radices = match passes(n)?.as_slice() {
        [_] if columns_take_passes(n) => {
            let lengths = split(n, 2, MOST_POINTS_OF_A_PASS, &divisors(n)).unwrap_or_else(|| vec![n]);
            lengths.into_iter().flat_map(|points| factors(points, true)).collect()
        }
        passes => passes.concat(),
    };
    if let [_, middle, last] = &mut radices[..] {
        std::mem::swap(middle, last);
    }
    Some(radices)
}

/// Whether the columns of an image of `n` rows take more than one pass.
pub(super) fn columns_take_passes(n: usize) -> bool {
    n > MOST_POINTS_OF_A_COLUMN
}

/// The cheapest length of at least `least` lanes for a convolution: a product of 2, 3, 5 and 7.
///
/// A pass moves all lanes, so it costs far more than a stage. Radices that are powers of two cost less than others.
pub(super) fn convolution_length(least: usize) -> usize {
    if least <= SHORT_CONVOLUTION {
        return least.next_power_of_two();
    }
    let candidates = products_of_small_primes(least, least.next_power_of_two());
    candidates.into_iter().min_by_key(|&n| (cost(n), n)).unwrap_or(1)
}

/// The products of 2, 3, 5 and 7 from `least` to `most`.
fn products_of_small_primes(least: usize, most: usize) -> Vec<usize> {
    let mut products = vec![1_usize];
    for prime in [2, 3, 5, 7] {
        let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(prime)).take_while(|&power| power <= most);
        products = powers
            .flat_map(|power| products.iter().filter_map(move |product| product.checked_mul(power)).collect::<Vec<_>>())
            .filter(|&product| product <= most)
            .collect();
    }
    products.retain(|&product| product >= least);
    products
}

/// The estimated time of a transform of `n` points, in arbitrary units.
fn cost(n: usize) -> usize {
    let of_radix = |radix: &usize| if radix.is_power_of_two() { 2 } else { 3 };
    passes(n).map_or(usize::MAX, |passes| n * passes.iter().map(|pass| 8 + pass.iter().map(of_radix).sum::<usize>()).sum::<usize>())
}

/// The part of `n` that remains when the primes up to 31 are divided out.
fn rest_without_small_primes(n: usize) -> usize {
    PRIMES.into_iter().fold(n, |mut rest, prime| {
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
        rest
    })
}

/// The divisors of `n` that fit a pass, smallest first.
fn divisors(n: usize) -> Vec<usize> {
    (1..=n.min(MOST_POINTS_OF_A_PASS)).filter(|&divisor| n.is_multiple_of(divisor)).collect()
}

/// `n` as a product of `n_parts` divisors up to `largest` in falling order, with the smallest possible first one.
fn split(n: usize, n_parts: usize, largest: usize, divisors: &[usize]) -> Option<Vec<usize>> {
    if n_parts == 0 {
        return (n == 1).then(Vec::new);
    }
    let reaches = |part: usize| part.checked_pow(n_parts as u32).is_none_or(|points| points >= n);
    let candidates = divisors.iter().copied().filter(|&part| part <= largest && n.is_multiple_of(part) && reaches(part));
    candidates.into_iter().find_map(|part| {
        let others = split(n / part, n_parts - 1, part, divisors)?;
        Some(std::iter::once(part).chain(others).collect())
    })
}

/// The radices of one pass, the largest first: as few as possible, then with the smallest sum.
/// `wide` asks for the largest sum, unless a line has only [`FEW_THREADS`] anyway: 64 is 8·8, 128 is 16·8 and 512 is 16·16·2.
fn factors(points: usize, wide: bool) -> Vec<usize> {
    fn search(rest: usize, largest: usize, wide: bool, chosen: &mut Vec<usize>, best: &mut Option<Vec<usize>>) {
        let cost = |radices: &[usize]| {
            let (sum, largest) = (radices.iter().sum::<usize>(), radices.iter().max().copied().unwrap_or(1));
            let is_crowded = wide && radices.iter().product::<usize>() / largest > FEW_THREADS;
            (radices.len(), is_crowded, if is_crowded { usize::MAX - sum } else { sum })
        };
        if rest == 1 {
            if best.as_ref().is_none_or(|best| cost(chosen) < cost(best)) {
                *best = Some(chosen.clone());
            }
            return;
        }
        if best.as_ref().is_some_and(|best| best.len() <= chosen.len()) {
            return;
        }
        for radix in RADICES.into_iter().filter(|&radix| radix <= largest && rest.is_multiple_of(radix)) {
            chosen.push(radix);
            search(rest / radix, radix, wide, chosen, best);
            chosen.pop();
        }
    }
    let mut best = None;
    search(points, RADICES[0], wide, &mut Vec::new(), &mut best);
    best.expect("every product of the primes is a product of radices")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(n: usize) -> Vec<usize> {
        passes(n).expect("a product of small primes").iter().map(|pass| pass.iter().product()).collect()
    }

    #[test]
    fn radices_are_few_and_alike() {
        let one_pass = |n: usize| passes(n).expect("a product of small primes").concat();
        assert_eq!(one_pass(256), [16, 16]);
        assert_eq!(one_pass(128), [16, 8]);
        assert_eq!(one_pass(512), [8, 8, 8]);
        assert_eq!(one_pass(1024), [16, 8, 8]);
        assert_eq!(one_pass(4096), [16, 16, 16]);
        assert_eq!(one_pass(1000), [10, 10, 10]);
        assert_eq!(one_pass(625), [5, 5, 5, 5]);
        assert_eq!(one_pass(49), [7, 7]);
        assert_eq!(one_pass(96), [12, 8]);
        assert_eq!(one_pass(14), [7, 2]);
        assert_eq!(one_pass(13 * 13 * 11), [13, 13, 11]);
        assert_eq!(one_pass(17 * 64), [17, 8, 8]);
        for radix in RADICES {
            assert_eq!(one_pass(radix), [radix]);
        }
    }

    #[test]
    fn long_transforms_fall_into_balanced_passes() {
        assert_eq!(lengths(4096), [4096]);
        assert_eq!(lengths(8192), [8192]);
        assert_eq!(lengths(1 << 14), [128, 128]);
        assert_eq!(passes(1 << 26).expect("a power of two"), [vec![16, 16, 2], vec![16, 16, 2], vec![16, 16]]);
        assert_eq!(lengths(1 << 20), [1024, 1024]);
        assert_eq!(lengths(1 << 21), [128, 128, 128]);
        assert_eq!(lengths(1 << 22), [256, 128, 128]);
        assert_eq!(lengths(1 << 24), [256, 256, 256]);
        assert_eq!(lengths(1 << 30), [1024, 1024, 1024]);
        assert_eq!(lengths(1_000_000), [1000, 1000]);
        assert_eq!(lengths(3 << 18), [1024, 768]);
        assert_eq!(lengths(5_usize.pow(8)), [625, 625]);
        assert_eq!(lengths(13_usize.pow(5)), [2197, 169]);
    }

    #[test]
    fn long_columns_fall_into_two_passes() {
        assert_eq!(columns(2048), Some(vec![16, 8, 16]));
        assert_eq!(columns(4096), Some(vec![16, 16, 16]));
        assert_eq!(columns(8192), Some(vec![16, 8, 8, 8]));
        assert_eq!(columns(1 << 14), Some(vec![16, 8, 16, 8]));
        assert_eq!(columns(5000), Some(vec![10, 10, 10, 5]));
        assert_eq!(columns(34), Some(vec![17, 2]));
        assert_eq!(columns(37), None);
        for n in (1..9000).filter(|&n| rest_without_small_primes(n) == 1) {
            assert_eq!(columns(n).expect("a product of small primes").iter().product::<usize>(), n);
        }
    }

    #[test]
    fn every_product_of_small_primes_is_its_radices() {
        let smooth = (1..=20_000).chain([1 << 30, 3 << 30, 7_usize.pow(9), 13_usize.pow(7), 10_usize.pow(8), 31_usize.pow(5)]);
        for n in smooth.filter(|&n| rest_without_small_primes(n) == 1) {
            let passes = passes(n).expect("a product of small primes");
            assert_eq!(passes.concat().iter().product::<usize>(), n);
            assert!(passes.concat().iter().all(|radix| RADICES.contains(radix) || n == LONGEST_ROW));
            assert!(passes.iter().all(|pass| pass.iter().product::<usize>() <= LONGEST_ROW && !pass.is_empty()), "{n}");
        }
    }

    #[test]
    fn convolutions_are_a_little_longer_than_they_must_be() {
        for least in (1..3000).chain([199_999, 1_999_999, 3_000_001]) {
            let length = convolution_length(least);
            assert!((least..=least.next_power_of_two()).contains(&length) && passes(length).is_some(), "{length} for {least}");
        }
        assert_eq!([1, 33, 1993, 2061, 1_999_999].map(convolution_length), [1, 64, 2048, 2160, 1 << 21]);
    }

    #[test]
    fn other_lengths_have_none() {
        assert_eq!(passes(1), Some(vec![]));
        for n in [0, 37, 74, 31 * 37, 1009, 37 << 20] {
            assert_eq!(passes(n), None, "{n}");
        }
    }
}

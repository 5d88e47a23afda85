// Two threads of a subgroup whose numbers differ in one digit, `mask`, exchange one lane each: the lower thread gives b and the
// upper one gives a. So a digit of the place that said which of two variables says afterwards which of two threads, and the other way round.
// Stands behind `kronecker.wgsl` where subgroups have one size; naga takes subgroup functions without `enable subgroups`.

fn exchange_lanes(a: ptr<function, Lane>, b: ptr<function, Lane>, upper: bool, mask: u32) {
    let other = subgroupShuffleXor(select(*b, *a, upper), mask);
    *a = select(*a, other, upper);
    *b = select(other, *b, upper);
}

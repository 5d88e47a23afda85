// Two threads of a subgroup whose numbers differ in one bit, `mask`, exchange one lane each: the lower thread gives b, and the
// upper one gives a. So a bit of the tile index that chose one of two registers afterwards chooses one of two threads, and the
// other way round.
// Only where subgroups have one size; naga takes subgroup functions without `enable subgroups`.

fn exchange_lanes(a: ptr<function, Lane>, b: ptr<function, Lane>, upper: bool, mask: u32) {
    let other = subgroupShuffleXor(select(*b, *a, upper), mask);
    *a = select(*a, other, upper);
    *b = select(other, *b, upper);
}

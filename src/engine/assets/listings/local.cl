// The last stages, in local memory by constant
// geometry: a work-group owns two points a
// work-item, and writes its results to their
// reversed indices.
// The angle is -2 pi / (points of a work-group);
// unused_bits are 32 less the bits of an index.
// The host gives the size of the tile.
uint reversed(uint x, uint unused_bits)
{
    // Without a function for this: swap halves of
    // words, then bytes, and so on down to bits.
    x = x >> 16 | x << 16;
    x = x >> 8 & 0x00ff00ff | (x & 0x00ff00ff) << 8;
    x = x >> 4 & 0x0f0f0f0f | (x & 0x0f0f0f0f) << 4;
    x = x >> 2 & 0x33333333 | (x & 0x33333333) << 2;
    x = x >> 1 & 0x55555555 | (x & 0x55555555) << 1;
    return x >> unused_bits;
}

__kernel void local_kernel(
    __global const float2 *input,
    __global float2 *output, float angle,
    uint unused_bits, __local float2 *tile)
{
    uint t = get_local_id(0);
    uint count = get_local_size(0);
    uint first = get_group_id(0) * 2 * count;
    tile[t] = input[first + t];
    tile[t + count] = input[first + t + count];

    for (uint step = 1; step <= count; step *= 2)
    {
        // Every stage reads t and t + count ...
        barrier(CLK_LOCAL_MEM_FENCE);
        float2 a = tile[t], b = tile[t + count];
        float cosine;
        float sine = sincos(
            angle * (t & ~(step - 1)), &cosine);
        float2 d = a - b;

        // ... and writes 2t and 2t + 1,
        // once all have read.
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[2 * t] = a + b;
        tile[2 * t + 1] = (float2)(
            d.x * cosine - d.y * sine,
            d.x * sine + d.y * cosine);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    uint low = first + t, high = low + count;
    output[reversed(low, unused_bits)] = tile[t];
    output[reversed(high, unused_bits)] =
        tile[t + count];
}

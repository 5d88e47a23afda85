// The last stages, in shared memory by constant
// geometry: a block owns two points a thread, and
// writes its results to their reversed indices.
// The angle is -2 pi / (points of a block);
// unused_bits are 32 less the bits of an index.
extern "C" __global__ void local_kernel(
    const float2 *input, float2 *output,
    float angle, unsigned unused_bits)
{
    extern __shared__ float2 tile[];
    unsigned t = threadIdx.x, half = blockDim.x;
    unsigned first = blockIdx.x * 2 * half;
    tile[t] = input[first + t];
    tile[t + half] = input[first + t + half];

    for (unsigned step = 1; step <= half; step *= 2)
    {
        // Every stage reads t and t + half ...
        __syncthreads();
        float2 a = tile[t], b = tile[t + half];
        float sine, cosine;
        sincosf(angle * (t & ~(step - 1)),
                &sine, &cosine);
        float x = a.x - b.x, y = a.y - b.y;

        // ... and writes 2t and 2t + 1,
        // once all have read.
        __syncthreads();
        tile[2 * t] =
            make_float2(a.x + b.x, a.y + b.y);
        tile[2 * t + 1] = make_float2(
            x * cosine - y * sine,
            x * sine + y * cosine);
    }

    __syncthreads();
    unsigned low = first + t, high = low + half;
    output[__brev(low) >> unused_bits] = tile[t];
    output[__brev(high) >> unused_bits] =
        tile[t + half];
}

// One stage of Cooley-Tukey over all points,
// in place: a butterfly a thread,
// a launch a stage.
// The angle is -pi / distance.
extern "C" __global__ void global_kernel(
    float2 *data, unsigned distance, float angle)
{
    unsigned t =
        blockIdx.x * blockDim.x + threadIdx.x;

    // The lanes of this thread's butterfly.
    unsigned k = t & (distance - 1);
    unsigned low = 2 * t - k;
    unsigned high = low + distance;
    float2 a = data[low], b = data[high];

    // The twiddle, computed in the thread.
    float sine, cosine;
    sincosf(angle * k, &sine, &cosine);

    float x = a.x - b.x, y = a.y - b.y;
    data[low] = make_float2(a.x + b.x, a.y + b.y);
    data[high] = make_float2(
        x * cosine - y * sine,
        x * sine + y * cosine);
}

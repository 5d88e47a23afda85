// One stage of Cooley-Tukey over all points,
// in place: a butterfly a work-item,
// a launch a stage.
// The angle is -pi / distance.
__kernel void global_kernel(
    __global float2 *data, uint distance,
    float angle)
{
    uint t = get_global_id(0);

    // The lanes of this work-item's butterfly.
    uint k = t & (distance - 1);
    uint low = 2 * t - k;
    uint high = low + distance;
    float2 a = data[low], b = data[high];

    // The twiddle, computed in the work-item.
    float cosine;
    float sine = sincos(angle * k, &cosine);

    float2 d = a - b;
    data[low] = a + b;
    data[high] = (float2)(
        d.x * cosine - d.y * sine,
        d.x * sine + d.y * cosine);
}

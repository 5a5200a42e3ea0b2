#include <math.h>
#include <proj.h>

// PJ_COORD is a union of arrays and structures; two numbers in and out are all that is needed of it.
static inline int fichero_proj_transform(PJ *projection, PJ_DIRECTION direction, double first, double second, double *out) {
    PJ_COORD result = proj_trans(projection, direction, proj_coord(first, second, 0, 0));
    out[0] = result.xy.x;
    out[1] = result.xy.y;
    int failed = proj_errno(projection);
    proj_errno_reset(projection);
    return !failed && isfinite(out[0]) && isfinite(out[1]);
}

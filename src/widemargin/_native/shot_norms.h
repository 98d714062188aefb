// Penalties on the order of the norms of shots, for the weights W (m shots, d features) of a linear classifier: the
// proximal map splits into a direction and a length for each shot.
//
// With s the `threshold` of an added |W|_1, the best direction of a shot's z maximises <direction, w> - s |direction|_1:
// it is that of w soft-thresholded at s, or, if nothing is left of it, the axis of the largest |w_f|. The value of the
// maximum is the length that the map for vectors starts from, with z >= 0; it is negative if s is above all |w_f|.
// Under W >= 0 the same holds with w_f in place of |w_f|.
#pragma once

#include <cstddef>

#include "ordered_prox.h"

namespace widemargin {

// |W_j|_2 of each of n rows, also where squares overflow or vanish.
void shot_norms(std::size_t n, std::size_t d, const double* W, double* norms);

// Maps the row-major (m, d) matrix W. The sign is magnitude or nonnegative. `out` may be `W`.
void ordered_prox_norms(std::size_t d, const double* W, OrderedRow& row, const Finish& finish, double* out);

}  // namespace widemargin

// The dual of the squared-hinge SVM+ (Li et al. 2016), which is a hard-margin SVM without intercept.
//
//   min_{a >= 0}  1/2 a' Q a - 1' a
#pragma once

#include <cstddef>

#include "certificate.h"
#include "heartbeat.h"

namespace widemargin {

// Q is n x n, symmetric, positive semidefinite. `alpha` is a nonnegative start and becomes the solution;
// `product` becomes Q alpha.
SolverOutcome solve_nonnegative_qp(std::size_t n, const double* Q, const StoppingRule& rule,
                                   Heartbeat& heartbeat, double* alpha, double* product);

}  // namespace widemargin

// Support vector machine with arbitrary margins and sample weights, kernelised.
//
//   min_{f, b}  1/2 |f|^2 + sum_i C_i max(0, margins_i - y_i (f(x_i) + b))
//
//   max_alpha   margins' alpha - 1/2 (alpha y)' K (alpha y)
//   subject to  0 <= alpha_i <= C_i,  and  y' alpha = 0  where there is an intercept b
#pragma once

#include <cstddef>

#include "certificate.h"
#include "heartbeat.h"

namespace widemargin {

struct SvmDualProblem {
  std::size_t n;
  const double* kernel;  // n x n, symmetric, positive semidefinite
  const double* y;       // -1 or +1
  const double* margins;
  const double* C;  // positive
  bool fit_intercept;
};

// `alpha` is a feasible start and becomes the solution; `output` becomes K (alpha y).
SolverOutcome solve_svm_dual(const SvmDualProblem& problem, const StoppingRule& rule, Heartbeat& heartbeat,
                             double* alpha, double* output);

}  // namespace widemargin

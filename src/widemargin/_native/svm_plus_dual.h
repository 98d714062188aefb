// SVM+ (Vapnik and Vashist 2009) with hinge loss, sample weights and unpenalised biases, kernelised.
//
//   min  1/2 |w|^2 + g/2 |w*|^2 + sum_i C_i xi_i,   xi_i = <w*, x*_i> + b*
//   subject to  xi_i >= 0,  y_i (<w, x_i> + b) >= 1 - xi_i
//
//   max  1' alpha - 1/2 (alpha y)' K (alpha y) - 1/(2 g) delta' K* delta,   delta = alpha + beta - C
//   subject to  alpha, beta >= 0,  y' alpha = 0,  1' delta = 0
#pragma once

#include <cstddef>

#include "certificate.h"
#include "heartbeat.h"

namespace widemargin {

struct SvmPlusDualProblem {
  std::size_t n;
  const double* kernel;             // n x n, symmetric, positive semidefinite
  const double* privileged_kernel;  // likewise
  const double* y;                  // -1 or +1
  const double* C;                  // positive
  double privileged_alpha;          // g, positive
};

struct SvmPlusOutcome {
  SolverOutcome solver;
  double intercept;             // b
  double privileged_intercept;  // b*
};

// `alpha` and `beta` are a feasible start and become the solution; `output` becomes K (alpha y) and `slack`
// becomes K* delta / g.
SvmPlusOutcome solve_svm_plus_dual(const SvmPlusDualProblem& problem, const StoppingRule& rule,
                                   Heartbeat& heartbeat, double* alpha, double* beta, double* output,
                                   double* slack);

}  // namespace widemargin

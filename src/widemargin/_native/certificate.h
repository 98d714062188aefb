// The stopping rule that the dual solvers share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace widemargin {

struct Certificate {
  double objective;
  double dual_objective;

  // Weak duality is exact: where rounding alone puts the dual above the primal, it is cut.
  Certificate(double primal, double dual) : objective(primal), dual_objective(std::min(primal, dual)) {}

  // P - D <= tol |P|. An infinite P would satisfy it for tol > 0, so it is excluded.
  bool holds(double tol) const {
    if (!std::isfinite(objective) || !std::isfinite(dual_objective)) return false;
    return objective - dual_objective <= tol * std::abs(objective);
  }
};

struct StoppingRule {
  double tol;
  std::int64_t max_iter;
};

struct SolverOutcome {
  Certificate certificate;
  std::int64_t n_iter;
  bool converged;
};

}  // namespace widemargin

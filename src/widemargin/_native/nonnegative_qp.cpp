// Greedy coordinate descent: each step solves for the coordinate whose clipped Newton step gains most.
//
// The gap is scale free. With Q = U U' and w = U' a, the margins of w are Q a: a w whose least margin m is
// positive becomes feasible as w / m, hence P = a'Qa / (2 m^2).
// The best multiple of a gives D = (1'a)^2 / (2 a'Qa).
#include "nonnegative_qp.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dispatch.h"
#include "scan.h"

namespace widemargin {
namespace {

// product += change * row, and the coordinate of largest gain.
WIDEMARGIN_CLONES
std::size_t update(std::size_t n, double noise, double change, const double* WIDEMARGIN_RESTRICT row,
                   const double* WIDEMARGIN_RESTRICT diagonal,
                   const double* WIDEMARGIN_RESTRICT inverse_diagonal,
                   const double* WIDEMARGIN_RESTRICT alpha, double* WIDEMARGIN_RESTRICT product) {
  return first_peak(n, 0.0,
                    [=](std::size_t t) {
                      const double updated = product[t] + change * row[t];
                      product[t] = updated;
                      const double descent = 1.0 - updated;
                      const double usable = std::abs(descent) > noise ? descent : 0.0;
                      const double step = std::max(usable * inverse_diagonal[t], -alpha[t]);
                      return step * (usable - 0.5 * diagonal[t] * step);
                    })
      .index;
}

Certificate certify(std::size_t n, const double* alpha, const double* product) {
  double linear = 0.0, quadratic = 0.0, margin = infinity;
  for (std::size_t i = 0; i < n; ++i) {
    linear += alpha[i];
    quadratic += alpha[i] * product[i];
    margin = std::min(margin, product[i]);
  }
  const double primal = margin > 0.0 ? quadratic / (2.0 * margin * margin) : infinity;
  const double dual = quadratic > 0.0 ? linear * linear / (2.0 * quadratic) : 0.0;
  return {primal, dual};
}

}  // namespace

SolverOutcome solve_nonnegative_qp(std::size_t n, const double* Q, const StoppingRule& rule,
                                   Heartbeat& heartbeat, double* alpha, double* product) {
  std::vector<double> diagonal(n), inverse_diagonal(n);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, Q[i * n + i]);
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = std::max(Q[i * n + i], largest > 0.0 ? 1e-12 * largest : 1e-12);
    inverse_diagonal[i] = 1.0 / diagonal[i];
  }

  double noise = 0.0;
  std::size_t candidate = n;
  const auto move = [&](std::size_t i, double change) {
    candidate = update(n, noise, change, Q + i * n, diagonal.data(), inverse_diagonal.data(), alpha, product);
  };
  const auto refresh = [&] {
    multiply(n, Q, alpha, product);
    double magnitude = 1.0;
    for (std::size_t i = 0; i < n; ++i) magnitude = std::max(magnitude, std::abs(product[i]));
    noise = 8.0 * rounding * magnitude;
    move(0, 0.0);
    return certify(n, alpha, product);
  };

  const auto interval = static_cast<std::int64_t>(std::max<std::size_t>(n / 2, 64));
  std::int64_t n_iter = 0, next_check = interval;
  Certificate certificate = refresh();
  bool fresh = true;
  while (!certificate.holds(rule.tol) && n_iter < rule.max_iter) {
    heartbeat.beat(2 * n);
    const bool moved = candidate < n;
    if (moved) {
      const std::size_t i = candidate;
      const double before = alpha[i];
      alpha[i] = std::max(0.0, before + (1.0 - product[i]) * inverse_diagonal[i]);
      move(i, alpha[i] - before);
      ++n_iter;
      fresh = false;
      if (n_iter < next_check) continue;
    } else if (fresh) {
      break;  // optimal to rounding, even if tol asks for more
    }
    next_check = n_iter + interval;
    certificate = certify(n, alpha, product);
    if (!moved || certificate.holds(rule.tol)) {
      certificate = refresh();
      fresh = true;
    }
  }
  if (!fresh) certificate = refresh();
  return {certificate, n_iter, certificate.holds(rule.tol)};
}

}  // namespace widemargin

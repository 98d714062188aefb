// The loop and the certificate of sequential minimal optimisation for SVM+; the moves are in
// svm_plus_iterate.
//
// It stalls where K* has low rank while C is large and g small: callers give it a budget and fall back to an
// interior point method.
#include "svm_plus_dual.h"

#include <algorithm>
#include <cmath>

#include "scan.h"
#include "svm_plus_iterate.h"

namespace widemargin {
namespace {

struct Primal {
  Certificate certificate;
  double intercept;
  double privileged_intercept;
};

// With w and w* held, feasibility asks b* >= M, b* + b >= A and b* - b >= B of the biases, and the loss
// sum C (s + b*) wants the least such b*. Where M decides, b may be any of [A - M, M - B]: it is the middle.
Primal certify(const SvmPlusDualProblem& problem, const SvmPlusIterate& iterate, const double* alpha,
               const double* output, const double* slack) {
  double norms = 0.0, linear = 0.0, slack_loss = 0.0, total = 0.0;
  double A = -infinity, B = -infinity, M = -infinity;
  for (std::size_t i = 0; i < problem.n; ++i) {
    const double y = problem.y[i], o = output[i], s = slack[i], C = problem.C[i];
    norms += alpha[i] * y * o + iterate.delta(i) * s;
    linear += alpha[i];
    slack_loss += C * s;
    total += C;
    M = std::max(M, -s);
    double& side = y > 0 ? A : B;
    side = std::max(side, 1.0 - s - y * o);
  }
  // A class without samples constrains nothing: let its side be what makes M decide.
  if (A == -infinity) A = 2.0 * M - B;
  if (B == -infinity) B = 2.0 * M - A;
  const double privileged_intercept = std::max(M, 0.5 * (A + B));
  const double primal = 0.5 * norms + slack_loss + total * privileged_intercept;
  return {{primal, linear - 0.5 * norms}, 0.5 * (A - B), privileged_intercept};
}

}  // namespace

SvmPlusOutcome solve_svm_plus_dual(const SvmPlusDualProblem& problem, const StoppingRule& rule,
                                   Heartbeat& heartbeat, double* alpha, double* beta, double* output,
                                   double* slack) {
  SvmPlusIterate iterate(problem, alpha, beta, output, slack);
  const auto interval = static_cast<std::int64_t>(std::max<std::size_t>(problem.n / 2, 64));
  std::int64_t n_iter = 0, next_check = interval;
  iterate.refresh();
  Primal primal = certify(problem, iterate, alpha, output, slack);
  bool fresh = true;
  while (!primal.certificate.holds(rule.tol) && n_iter < rule.max_iter) {
    heartbeat.beat(16 * problem.n);
    const bool moved = iterate.step();
    if (moved) {
      ++n_iter;
      fresh = false;
      if (n_iter < next_check) continue;
    } else if (fresh) {
      break;  // optimal to rounding, even if tol asks for more
    }
    next_check = n_iter + interval;
    primal = certify(problem, iterate, alpha, output, slack);
    // Updates let output and slack drift: exact ones decide.
    if (!moved || primal.certificate.holds(rule.tol)) {
      iterate.refresh();
      fresh = true;
      primal = certify(problem, iterate, alpha, output, slack);
    }
  }
  if (!fresh) {
    iterate.refresh();
    primal = certify(problem, iterate, alpha, output, slack);
  }
  return {{primal.certificate, n_iter, primal.certificate.holds(rule.tol)},
          primal.intercept,
          primal.privileged_intercept};
}

}  // namespace widemargin

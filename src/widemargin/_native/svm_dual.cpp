// Sequential minimal optimisation for the SVM dual in the signed variables beta_i = y_i alpha_i, so that
// labels leave the inner loops; with p_i = y_i margins_i,
//
//   max_beta  p' beta - 1/2 beta' K beta,   lower_i <= beta_i <= upper_i,   (sum beta = 0).
//
// With an intercept a step moves a pair, i up and j down: i has the steepest gradient p - K beta, j promises
// the largest gain to second order (Fan, Chen and Lin 2005). Without one a step moves the single coordinate
// of largest gain. The stopping rule is a duality gap, not a KKT tolerance.
//
// Shrinking: once few coordinates can still move, their Gram matrix is copied to where it fits the caches,
// and steps run there until the violation has fallen fivefold; then the gradient of all is brought up to
// date. Measured at n = 2000, C = 100, relative gap 1e-6: 0.7 s with shrinking, 2.9 s without, for a linear
// kernel of 5 features; 0.08 s and 0.11 s for an RBF kernel.
#include "svm_dual.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hinge_intercept.h"
#include "scan.h"
#include "working_set.h"

namespace widemargin {
namespace {

double least_curvature(const SvmDualProblem& problem) {
  double largest = 0.0;
  for (std::size_t i = 0; i < problem.n; ++i) largest = std::max(largest, problem.kernel[i * problem.n + i]);
  return largest > 0.0 ? 1e-12 * largest : 1e-12;
}

class SvmDualSolver {
 public:
  SvmDualSolver(const SvmDualProblem& problem, const StoppingRule& rule, Heartbeat& heartbeat, double* output)
      : problem_(problem),
        rule_(rule),
        heartbeat_(heartbeat),
        output_(output),
        all_(problem.fit_intercept, least_curvature(problem)),
        active_(problem.fit_intercept, least_curvature(problem)) {}

  SolverOutcome solve(double* alpha) {
    const std::size_t n = problem_.n;
    all_.assign_all(n, problem_.kernel, problem_.y, problem_.C, alpha);
    refresh();
    Certificate certificate = certify();
    while (!certificate.holds(rule_.tol) && n_iter_ < rule_.max_iter) {
      const bool fresh = n_iter_ == refreshed_at_;
      run_round();
      if (fresh && n_iter_ == refreshed_at_) break;  // optimal to rounding, even if tol asks for more
      certificate = certify();
      // Updates let the gradient drift: an exact one decides.
      if (certificate.holds(rule_.tol) || stalled_) {
        refresh();
        certificate = certify();
      }
    }
    if (n_iter_ != refreshed_at_) {
      refresh();
      certificate = certify();
    }
    for (std::size_t i = 0; i < n; ++i) alpha[i] = problem_.y[i] * all_.beta()[i];
    return {certificate, n_iter_, certificate.holds(rule_.tol)};
  }

 private:
  void refresh() {
    multiply(problem_.n, problem_.kernel, all_.beta().data(), output_);
    double magnitude = 0.0;
    for (std::size_t i = 0; i < problem_.n; ++i) {
      const double linear = problem_.y[i] * problem_.margins[i];
      all_.gradient()[i] = linear - output_[i];
      magnitude = std::max({magnitude, std::abs(linear), std::abs(output_[i])});
    }
    noise_ = 8.0 * rounding * magnitude;
    all_.restart(noise_);
    refreshed_at_ = n_iter_;
  }

  // The gradient y_i margins_i - output_i is also where the hinge of sample i meets zero.
  Certificate certify() {
    const std::vector<double>& beta = all_.beta();
    const std::vector<double>& gradient = all_.gradient();
    double linear = 0.0, quadratic = 0.0, loss = 0.0;
    for (std::size_t i = 0; i < problem_.n; ++i) {
      const double p = problem_.y[i] * problem_.margins[i];
      linear += beta[i] * p;
      quadratic += beta[i] * (p - gradient[i]);
      loss += problem_.C[i] * std::max(0.0, problem_.y[i] * gradient[i]);
    }
    if (problem_.fit_intercept)
      loss = minimise_hinge(problem_.n, gradient.data(), problem_.y, problem_.C, sorted_).value;
    return {0.5 * quadratic + loss, linear - 0.5 * quadratic};
  }

  // Steps on all coordinates for a while, or on the active ones where they are few.
  void run_round() {
    const std::size_t n = problem_.n;
    all_.collect_active(members_);
    if (members_.size() > shrink_fraction * n) {
      run(all_, static_cast<std::int64_t>(std::max<std::size_t>(n / 2, 64)), 0.0);
      return;
    }
    active_.assign_subset(all_, members_);
    run(active_, static_cast<std::int64_t>(16 * n), 0.2 * all_.violation());
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::size_t i = members_[k];
      const double change = active_.beta()[k] - all_.beta()[i];
      if (change == 0.0) continue;
      all_.set_beta(i, active_.beta()[k]);
      accumulate(n, -change, problem_.kernel + i * n, all_.gradient().data());
    }
    all_.restart(noise_);
  }

  void run(WorkingSet& set, std::int64_t budget, double enough) {
    const std::int64_t end = std::min(n_iter_ + budget, rule_.max_iter);
    const auto pause = static_cast<std::int64_t>(std::max<std::size_t>(set.size(), 32));
    std::int64_t next_look = n_iter_ + pause;
    stalled_ = false;
    while (n_iter_ < end) {
      if (!set.step()) {
        stalled_ = true;
        return;
      }
      ++n_iter_;
      heartbeat_.beat(4 * set.size());
      if (n_iter_ < next_look) continue;
      next_look = n_iter_ + pause;
      if (set.violation() <= enough) return;
    }
  }

  // Share of the coordinates up to which a compact copy pays: 0.5 to 0.9 measured alike.
  static constexpr double shrink_fraction = 0.7;

  const SvmDualProblem& problem_;
  const StoppingRule& rule_;
  Heartbeat& heartbeat_;
  double* output_;
  WorkingSet all_, active_;
  std::vector<std::size_t> members_;
  std::vector<std::pair<double, double>> sorted_;
  double noise_ = 0.0;
  std::int64_t n_iter_ = 0;
  std::int64_t refreshed_at_ = 0;
  bool stalled_ = false;
};

}  // namespace

SolverOutcome solve_svm_dual(const SvmDualProblem& problem, const StoppingRule& rule, Heartbeat& heartbeat,
                             double* alpha, double* output) {
  return SvmDualSolver(problem, rule, heartbeat, output).solve(alpha);
}

}  // namespace widemargin

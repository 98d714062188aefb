// The module, and the bindings of the SVM solvers: a binding converts arrays and releases the GIL, the kernel
// families do the work.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "certificate.h"
#include "heartbeat.h"
#include "hinge_intercept.h"
#include "nonnegative_qp.h"
#include "svm_dual.h"
#include "svm_plus_dual.h"

using namespace nanobind::literals;

namespace {

using namespace widemargin::bindings;

std::tuple<OwnedVector, double, double, std::int64_t, bool> smo_svm(const Matrix& K, const Vector& y,
                                                                    const Vector& margins, const Vector& C,
                                                                    bool fit_intercept, double tol,
                                                                    std::int64_t max_iter,
                                                                    const InOutVector& alpha) {
  const std::size_t n = y.shape(0);
  require_square(K, n);
  require_length(margins, n);
  require_length(C, n);
  require_length(alpha, n);
  Result output(n);
  const widemargin::SolverOutcome outcome = [&] {
    nb::gil_scoped_release unlocked;
    widemargin::Heartbeat heartbeat(check_signals);
    return widemargin::solve_svm_dual({n, K.data(), y.data(), margins.data(), C.data(), fit_intercept},
                                      {tol, max_iter}, heartbeat, alpha.data(), output.data());
  }();
  return {output.release(), outcome.certificate.objective, outcome.certificate.dual_objective, outcome.n_iter,
          outcome.converged};
}

std::tuple<OwnedVector, OwnedVector, double, double, double, double, std::int64_t, bool> smo_svm_plus(
    const Matrix& K, const Matrix& K_privileged, const Vector& y, const Vector& C, double privileged_alpha,
    double tol, std::int64_t max_iter, const InOutVector& alpha, const InOutVector& beta) {
  const std::size_t n = y.shape(0);
  require_square(K, n);
  require_square(K_privileged, n);
  require_length(C, n);
  require_length(alpha, n);
  require_length(beta, n);
  Result output(n), slack(n);
  const widemargin::SvmPlusOutcome outcome = [&] {
    nb::gil_scoped_release unlocked;
    widemargin::Heartbeat heartbeat(check_signals);
    return widemargin::solve_svm_plus_dual(
        {n, K.data(), K_privileged.data(), y.data(), C.data(), privileged_alpha}, {tol, max_iter}, heartbeat,
        alpha.data(), beta.data(), output.data(), slack.data());
  }();
  const widemargin::SolverOutcome& solver = outcome.solver;
  return {output.release(),
          slack.release(),
          solver.certificate.objective,
          solver.certificate.dual_objective,
          outcome.intercept,
          outcome.privileged_intercept,
          solver.n_iter,
          solver.converged};
}

std::tuple<OwnedVector, double, double, std::int64_t, bool> nonnegative_qp(const Matrix& Q, double tol,
                                                                           std::int64_t max_iter,
                                                                           const InOutVector& alpha) {
  const std::size_t n = alpha.shape(0);
  require_square(Q, n);
  Result product(n);
  const widemargin::SolverOutcome outcome = [&] {
    nb::gil_scoped_release unlocked;
    widemargin::Heartbeat heartbeat(check_signals);
    return widemargin::solve_nonnegative_qp(n, Q.data(), {tol, max_iter}, heartbeat, alpha.data(),
                                            product.data());
  }();
  return {product.release(), outcome.certificate.objective, outcome.certificate.dual_objective,
          outcome.n_iter, outcome.converged};
}

std::pair<double, double> hinge_intercept(const Vector& output, const Vector& y, const Vector& margins,
                                          const Vector& C) {
  const std::size_t n = output.shape(0);
  if (n == 0) throw nb::value_error("output is empty");
  require_length(y, n);
  require_length(margins, n);
  require_length(C, n);
  nb::gil_scoped_release unlocked;
  std::vector<double> breakpoint(n);
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t i = 0; i < n; ++i) breakpoint[i] = y.data()[i] * margins.data()[i] - output.data()[i];
  const auto [intercept, value] =
      widemargin::minimise_hinge(n, breakpoint.data(), y.data(), C.data(), sorted);
  return {intercept, value};
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "Compiled loops of widemargin. No policy: callers validate.";
  // Arrays are never converted: a silent copy would swallow the solution written into `alpha`.
  m.def("smo_svm", &smo_svm, "K"_a.noconvert(), "y"_a.noconvert(), "margins"_a.noconvert(), "C"_a.noconvert(),
        "fit_intercept"_a, "tol"_a, "max_iter"_a, "alpha"_a.noconvert());
  m.def("hinge_intercept", &hinge_intercept, "output"_a.noconvert(), "y"_a.noconvert(),
        "margins"_a.noconvert(), "C"_a.noconvert());
  m.def("smo_svm_plus", &smo_svm_plus, "K"_a.noconvert(), "K_privileged"_a.noconvert(), "y"_a.noconvert(),
        "C"_a.noconvert(), "privileged_alpha"_a, "tol"_a, "max_iter"_a, "alpha"_a.noconvert(),
        "beta"_a.noconvert());
  m.def("nonnegative_qp", &nonnegative_qp, "Q"_a.noconvert(), "tol"_a, "max_iter"_a, "alpha"_a.noconvert());
  bind_trees(m);
  bind_ranking(m);
  bind_proximal(m);
  bind_shots(m);
  bind_video(m);
}

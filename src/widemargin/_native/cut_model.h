// A convex function seen through its cuts, minimised with a squared norm.
//
//   P(w) = 1/2 |w|^2 + C max(0, max_k d_k - phi_k' w),    w free or w >= 0
//   D(l) = d' l - 1/2 |w(l)|^2,   l >= 0, sum l <= C,     w(l) = Phi' l or its positive part
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "certificate.h"
#include "cholesky_rows.h"
#include "heartbeat.h"

namespace widemargin {

class CutModel {
 public:
  CutModel(double C, bool nonnegative, std::size_t n_columns);

  std::size_t n_cuts() const { return n_cuts_; }
  std::size_t n_columns() const { return n_columns_; }

  // `features` has n_columns elements.
  void add_cut(double offset, const double* features);
  // `column` has n_cuts elements.
  void append_column(const double* column);
  // Removes the cuts whose multiplier is zero and returns the indices of the others, in order.
  std::vector<std::size_t> drop_inactive();

  // Starts from the multipliers of the last call and stops when P - D <= tol P, or when the dual cannot rise.
  SolverOutcome solve(const StoppingRule& rule, Heartbeat& heartbeat);

  const std::vector<double>& multipliers() const { return dual_.multipliers; }
  const std::vector<double>& weights() const { return weights_; }
  double slack() const { return slack_; }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  double* row(std::size_t k) { return features_.data() + k * column_capacity_; }
  const double* row(std::size_t k) const { return features_.data() + k * column_capacity_; }
  double* gram_row(std::size_t k) { return gram_.data() + k * cut_capacity_; }
  const double* gram_row(std::size_t k) const { return gram_.data() + k * cut_capacity_; }

  struct DualPoint {
    std::vector<double> multipliers;  // l
    std::vector<double> combined;     // Phi' l
    double unused;                    // C - sum l
  };

  void reserve(std::size_t n_cuts, std::size_t n_columns);
  void combine_cuts();
  void set_active(std::size_t column, bool active);
  void refresh_active();
  Certificate certify();
  void refresh_gradient();
  double model_gap() const;
  std::int64_t maximise_model(double gap, std::int64_t max_iter, Heartbeat& heartbeat);
  bool move_pair();
  void move_in_face();
  void factorise_face(std::size_t giver);
  bool move_along(double total);
  void limit_step(const DualPoint& from);

  double C_;
  bool nonnegative_;
  std::size_t n_cuts_ = 0, n_columns_ = 0, cut_capacity_ = 0, column_capacity_ = 0;
  std::vector<double> features_;  // Phi: n_cuts rows of column_capacity_
  std::vector<double> gram_;      // Phi Phi' over the active columns: n_cuts rows of cut_capacity_
  std::vector<char> active_;      // where Phi' l >= 0; everywhere if w is free
  std::vector<double> offsets_;
  DualPoint dual_;
  std::vector<double> weights_;
  double slack_ = 0.0;
  double noise_ = 0.0;  // gradients that differ by less are equal
  std::vector<double> gradient_;
  // Scratch of one step within the face of positive multipliers.
  std::vector<std::size_t> face_, factored_;
  CholeskyRows factor_;          // of the cuts `factored_`
  std::size_t giver_ = none;     // for which cut it is
  double ridge_ = 0.0;           // and what was added to the diagonal
  std::vector<double> entries_, ascent_, change_;
  std::vector<double> masked_;
};

}  // namespace widemargin

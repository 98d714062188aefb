// The coordinates that sequential minimal optimisation currently moves: all of them, or a compact subset.
//
//   max_beta  gradient_0' (beta - beta_0) - 1/2 (beta - beta_0)' K (beta - beta_0),   lower <= beta <= upper
//
// `gradient` stays the derivative at the current beta, so that a subset needs no knowledge of the rest.
#pragma once

#include <cstddef>
#include <vector>

namespace widemargin {

class WorkingSet {
 public:
  // An empty set; `pairwise` keeps sum beta constant.
  WorkingSet(bool pairwise, double least_curvature)
      : pairwise_(pairwise), least_curvature_(least_curvature) {}

  // Borrows `kernel` (n x n). The caller fills `gradient`, then calls `restart`.
  void assign_all(std::size_t n, const double* kernel, const double* y, const double* C, const double* alpha);
  // Copies the rows and columns `members` of `whole`, ready to step.
  void assign_subset(const WorkingSet& whole, const std::vector<std::size_t>& members);

  // Looks up the next coordinate after `gradient` changed; below `noise` a gradient counts as zero.
  void restart(double noise);
  // One step; false when no coordinate (or pair) improves the objective.
  bool step();
  // How far the optimality conditions are violated, in units of the gradient.
  double violation() const;
  // The coordinates that are not pinned to a bound by a gradient beyond the present violation.
  void collect_active(std::vector<std::size_t>& members) const;
  void set_beta(std::size_t i, double value);

  std::size_t size() const { return n_; }
  const std::vector<double>& beta() const { return beta_; }
  std::vector<double>& gradient() { return gradient_; }
  const std::vector<double>& gradient() const { return gradient_; }

 private:
  struct Range {
    double highest_rise;  // largest gradient among coordinates that can rise
    double lowest_fall;   // smallest gradient among coordinates that can fall
  };
  void resize(std::size_t n);
  Range range() const;
  bool step_pair();
  bool step_single();

  bool pairwise_;
  double least_curvature_;
  double noise_ = 0.0;
  std::size_t n_ = 0;
  std::size_t candidate_ = 0;
  const double* kernel_ = nullptr;
  std::vector<double> own_kernel_;
  std::vector<double> beta_, lower_, upper_, gradient_, diagonal_, inverse_diagonal_;
  std::vector<double> rise_mask_, fall_mask_;  // 0 where beta can rise (fall), -infinity where it cannot
};

}  // namespace widemargin

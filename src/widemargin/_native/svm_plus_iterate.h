// One iterate of sequential minimal optimisation for the SVM+ dual: variables, gradients and moves.
#pragma once

#include <cstddef>
#include <vector>

#include "scan.h"
#include "svm_plus_dual.h"

namespace widemargin {

// With o = K (alpha y), s = K* delta / g and the gradients of the dual as a minimisation, y_i o_i + s_i - 1
// by alpha_i and s_i by beta_i, a move is one of
//
//   exchange_alpha  alpha_i + t, alpha_j - t               i and j of one class
//   exchange_beta   beta_i + t,  beta_j - t
//   raise           alpha_i + t, alpha_j + t, beta_k - 2t  i positive, j negative
//   lower           alpha_i - t, alpha_j - t, beta_k + 2t  i positive, j negative
//   trade           y_i alpha_i + t, y_j alpha_j - t with beta_i, beta_j such that delta stays
//
// The first four generate every feasible direction. A trade is the step of an SVM in the box
// [0, alpha + beta]: the curvature of the privileged term, which dominates for small g, does not shorten it.
// Measured at n = 500, C = 10, g = 0.1, RBF kernels, relative gap 1e-6: 2,250 steps with, 41,750 without.
class SvmPlusIterate {
 public:
  SvmPlusIterate(const SvmPlusDualProblem& problem, double* alpha, double* beta, double* output,
                 double* slack);

  // Takes the move that promises the largest gain; false when none improves the objective.
  bool step();
  // Recomputes from alpha and beta what updates let drift.
  void refresh();

  double delta(std::size_t i) const { return alpha_[i] + beta_[i] - problem_.C[i]; }

 private:
  enum class Move { none, exchange_positive, exchange_negative, exchange_beta, raise, lower, trade };
  struct Step {
    Move move;
    double gain;
    std::size_t i, j, k;
  };

  Step choose() const;
  void take(const Step& step);
  Peak scan(Move move, std::size_t i, std::size_t j) const;
  double length(double violation, double curvature) const;
  double triple_curvature(std::size_t i, std::size_t j, std::size_t k) const;
  double kernel_curvature(std::size_t i, std::size_t j) const;
  double privileged_curvature(std::size_t i, std::size_t j) const;
  const double* row(std::size_t i) const { return problem_.kernel + i * n_; }
  const double* privileged_row(std::size_t i) const { return problem_.privileged_kernel + i * n_; }

  void shift(std::size_t i, double alpha_change, double beta_change);
  void sync(std::size_t i);

  std::size_t n_;
  const SvmPlusDualProblem& problem_;
  double weight_;  // 1 / g
  double* alpha_;
  double* beta_;
  double* output_;
  double* slack_;
  std::vector<double> gradient_;     // y o + s - 1
  std::vector<double> svm_descent_;  // o - y, the gradient along a trade
  std::vector<double> diagonal_, privileged_diagonal_, joint_diagonal_;
  std::vector<double> positive_alpha_, negative_alpha_;  // alpha within the class, 0 outside: room to fall
  std::vector<double> trade_room_;                       // how far y alpha can fall in a trade
  // 0 where a move may take the sample, -infinity where it may not.
  std::vector<double> positive_mask_, negative_mask_, positive_fall_mask_, negative_fall_mask_,
      beta_fall_mask_, trade_rise_mask_, trade_fall_mask_, no_mask_;
  std::vector<double> coefficients_;
  double kernel_scale_ = 0.0, privileged_scale_ = 0.0;  // mean diagonals, the latter over g
  double least_curvature_ = 0.0;
  double noise_ = 0.0;
};

}  // namespace widemargin

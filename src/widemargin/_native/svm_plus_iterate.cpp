#include "svm_plus_iterate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dispatch.h"

namespace widemargin {
namespace {

WIDEMARGIN_CLONES
void derive_gradients(std::size_t n, const double* WIDEMARGIN_RESTRICT y,
                      const double* WIDEMARGIN_RESTRICT output, const double* WIDEMARGIN_RESTRICT slack,
                      double* WIDEMARGIN_RESTRICT gradient, double* WIDEMARGIN_RESTRICT svm_descent) {
#pragma omp simd
  for (std::size_t t = 0; t < n; ++t) {
    gradient[t] = y[t] * output[t] + slack[t] - 1.0;
    svm_descent[t] = output[t] - y[t];
  }
}

WIDEMARGIN_CLONES
Peak highest(std::size_t n, double sign, const double* WIDEMARGIN_RESTRICT values,
             const double* WIDEMARGIN_RESTRICT mask) {
  return first_peak(n, -infinity, [=](std::size_t t) { return sign * values[t] + mask[t]; });
}

struct Thresholds {
  double noise;
  double least_curvature;
};

// Decrease of the objective by a Newton step that the room clips.
WIDEMARGIN_INLINE double clipped_gain(double violation, double curvature, double room,
                                      Thresholds thresholds) {
  const double usable = violation > thresholds.noise ? violation : 0.0;
  const double bounded = std::max(curvature, thresholds.least_curvature);
  const double step = std::min(usable / bounded, room);
  return step * (usable - 0.5 * bounded * step);
}

// The partner of i in a step along alpha, which both kernels curve.
WIDEMARGIN_CLONES
Peak best_joint_partner(std::size_t n, double gradient_i, double diagonal_i, double weight,
                        const double* WIDEMARGIN_RESTRICT row,
                        const double* WIDEMARGIN_RESTRICT privileged_row,
                        const double* WIDEMARGIN_RESTRICT gradient,
                        const double* WIDEMARGIN_RESTRICT diagonal, const double* WIDEMARGIN_RESTRICT room,
                        Thresholds thresholds) {
  return first_peak(n, 0.0, [=](std::size_t t) {
    const double curvature = diagonal_i + diagonal[t] - 2.0 * (row[t] + weight * privileged_row[t]);
    return clipped_gain(gradient[t] - gradient_i, curvature, room[t], thresholds);
  });
}

// The partner of i in a step that one kernel curves, `weight` times.
WIDEMARGIN_CLONES
Peak best_partner(std::size_t n, double gradient_i, double diagonal_i, double room_i, double weight,
                  const double* WIDEMARGIN_RESTRICT row, const double* WIDEMARGIN_RESTRICT gradient,
                  const double* WIDEMARGIN_RESTRICT diagonal, const double* WIDEMARGIN_RESTRICT room,
                  Thresholds thresholds) {
  return first_peak(n, 0.0, [=](std::size_t t) {
    const double curvature = weight * (diagonal_i + diagonal[t] - 2.0 * row[t]);
    return clipped_gain(gradient[t] - gradient_i, curvature, std::min(room[t], room_i), thresholds);
  });
}

// The beta_k that pays for raising alpha_i and alpha_j.
WIDEMARGIN_CLONES
Peak best_payer(std::size_t n, double gradient_sum, double curvature_ij, double weight,
                const double* WIDEMARGIN_RESTRICT row_i, const double* WIDEMARGIN_RESTRICT row_j,
                const double* WIDEMARGIN_RESTRICT slack, const double* WIDEMARGIN_RESTRICT diagonal,
                const double* WIDEMARGIN_RESTRICT beta, Thresholds thresholds) {
  return first_peak(n, 0.0, [=](std::size_t t) {
    const double curvature = curvature_ij + 4.0 * weight * (diagonal[t] - row_i[t] - row_j[t]);
    return clipped_gain(2.0 * slack[t] - gradient_sum, curvature, 0.5 * beta[t], thresholds);
  });
}

double mask_unless(bool allowed) { return allowed ? 0.0 : -infinity; }

}  // namespace

SvmPlusIterate::SvmPlusIterate(const SvmPlusDualProblem& problem, double* alpha, double* beta, double* output,
                               double* slack)
    : n_(problem.n),
      problem_(problem),
      weight_(1.0 / problem.privileged_alpha),
      alpha_(alpha),
      beta_(beta),
      output_(output),
      slack_(slack) {
  for (std::vector<double>* values :
       {&gradient_, &svm_descent_, &diagonal_, &privileged_diagonal_, &joint_diagonal_, &positive_alpha_,
        &negative_alpha_, &trade_room_, &positive_mask_, &negative_mask_, &positive_fall_mask_,
        &negative_fall_mask_, &beta_fall_mask_, &trade_rise_mask_, &trade_fall_mask_, &no_mask_,
        &coefficients_})
    values->resize(n_, 0.0);
  double largest = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    diagonal_[i] = row(i)[i];
    privileged_diagonal_[i] = privileged_row(i)[i];
    joint_diagonal_[i] = diagonal_[i] + weight_ * privileged_diagonal_[i];
    kernel_scale_ += diagonal_[i] / static_cast<double>(n_);
    privileged_scale_ += weight_ * privileged_diagonal_[i] / static_cast<double>(n_);
    largest = std::max(largest, joint_diagonal_[i]);
    positive_mask_[i] = mask_unless(problem.y[i] > 0);
    negative_mask_[i] = mask_unless(problem.y[i] < 0);
    sync(i);
  }
  least_curvature_ = largest > 0.0 ? 1e-12 * largest : 1e-12;
}

// What depends on alpha_i and beta_i alone.
void SvmPlusIterate::sync(std::size_t i) {
  const bool positive = problem_.y[i] > 0;
  positive_alpha_[i] = positive ? alpha_[i] : 0.0;
  negative_alpha_[i] = positive ? 0.0 : alpha_[i];
  trade_room_[i] = positive ? alpha_[i] : beta_[i];
  positive_fall_mask_[i] = mask_unless(positive_alpha_[i] > 0.0);
  negative_fall_mask_[i] = mask_unless(negative_alpha_[i] > 0.0);
  beta_fall_mask_[i] = mask_unless(beta_[i] > 0.0);
  trade_fall_mask_[i] = mask_unless(trade_room_[i] > 0.0);
  trade_rise_mask_[i] = mask_unless((positive ? beta_[i] : alpha_[i]) > 0.0);
}

void SvmPlusIterate::refresh() {
  for (std::size_t i = 0; i < n_; ++i) coefficients_[i] = problem_.y[i] * alpha_[i];
  multiply(n_, problem_.kernel, coefficients_.data(), output_);
  for (std::size_t i = 0; i < n_; ++i) coefficients_[i] = weight_ * delta(i);
  multiply(n_, problem_.privileged_kernel, coefficients_.data(), slack_);
  double magnitude = 1.0;
  for (std::size_t i = 0; i < n_; ++i)
    magnitude = std::max({magnitude, std::abs(output_[i]), std::abs(slack_[i])});
  noise_ = 16.0 * rounding * magnitude;
  derive_gradients(n_, problem_.y, output_, slack_, gradient_.data(), svm_descent_.data());
}

double SvmPlusIterate::kernel_curvature(std::size_t i, std::size_t j) const {
  return diagonal_[i] + diagonal_[j] - 2.0 * row(i)[j];
}

double SvmPlusIterate::privileged_curvature(std::size_t i, std::size_t j) const {
  return weight_ * (privileged_diagonal_[i] + privileged_diagonal_[j] - 2.0 * privileged_row(i)[j]);
}

// Of raise and lower, which move delta_i and delta_j by t and delta_k by -2t.
double SvmPlusIterate::triple_curvature(std::size_t i, std::size_t j, std::size_t k) const {
  const double* k_row = privileged_row(k);
  const double pair = privileged_diagonal_[i] + privileged_diagonal_[j] + 2.0 * privileged_row(i)[j];
  return kernel_curvature(i, j) + weight_ * (pair + 4.0 * (privileged_diagonal_[k] - k_row[i] - k_row[j]));
}

double SvmPlusIterate::length(double violation, double curvature) const {
  return violation / std::max(curvature, least_curvature_);
}

// For every kind of move, the first-order violation of its best coordinates gives an estimate of the gain at
// a typical curvature. Kinds are searched to second order in that sequence, until none can promise more.
SvmPlusIterate::Step SvmPlusIterate::choose() const {
  const auto peak = [this](double sign, const double* values, const std::vector<double>& mask) {
    return highest(n_, sign, values, mask.data());
  };
  const Peak positive_up = peak(-1.0, gradient_.data(), positive_mask_);
  const Peak negative_up = peak(-1.0, gradient_.data(), negative_mask_);
  const Peak positive_down = peak(1.0, gradient_.data(), positive_fall_mask_);
  const Peak negative_down = peak(1.0, gradient_.data(), negative_fall_mask_);
  const Peak beta_up = peak(-1.0, slack_, no_mask_);
  const Peak beta_down = peak(1.0, slack_, beta_fall_mask_);
  const Peak trade_up = peak(-1.0, svm_descent_.data(), trade_rise_mask_);
  const Peak trade_down = peak(1.0, svm_descent_.data(), trade_fall_mask_);

  struct Option {
    Move move;
    double violation;
    double typical_curvature;
    std::size_t i, j, k;
  };
  std::array<Option, 6> options{{
      {Move::exchange_positive, positive_up.score + positive_down.score,
       2.0 * (kernel_scale_ + privileged_scale_), positive_up.index, n_, n_},
      {Move::exchange_negative, negative_up.score + negative_down.score,
       2.0 * (kernel_scale_ + privileged_scale_), negative_up.index, n_, n_},
      {Move::exchange_beta, beta_up.score + beta_down.score, 2.0 * privileged_scale_, beta_up.index, n_, n_},
      {Move::raise, positive_up.score + negative_up.score + 2.0 * beta_down.score,
       2.0 * kernel_scale_ + 6.0 * privileged_scale_, positive_up.index, negative_up.index, n_},
      {Move::lower, positive_down.score + negative_down.score + 2.0 * beta_up.score,
       2.0 * kernel_scale_ + 6.0 * privileged_scale_, positive_down.index, negative_down.index,
       beta_up.index},
      {Move::trade, trade_up.score + trade_down.score, 2.0 * kernel_scale_, trade_up.index, n_, n_},
  }};
  const auto estimate = [this](const Option& option) {
    if (option.violation <= noise_) return 0.0;
    return 0.5 * option.violation * option.violation / std::max(option.typical_curvature, least_curvature_);
  };
  std::sort(options.begin(), options.end(),
            [&](const Option& a, const Option& b) { return estimate(a) > estimate(b); });

  Step best{Move::none, 0.0, n_, n_, n_};
  for (const Option& option : options) {
    if (estimate(option) <= best.gain) break;
    Step step{option.move, 0.0, option.i, option.j, option.k};
    if (option.move == Move::lower) {
      step.gain = clipped_gain(option.violation, triple_curvature(step.i, step.j, step.k),
                               std::min(alpha_[step.i], alpha_[step.j]), {noise_, least_curvature_});
    } else {
      const Peak found = scan(option.move, option.i, option.j);
      step.gain = found.score;
      (option.move == Move::raise ? step.k : step.j) = found.index;
    }
    if (step.gain > best.gain) best = step;
  }
  return best;
}

Peak SvmPlusIterate::scan(Move move, std::size_t i, std::size_t j) const {
  const Thresholds thresholds{noise_, least_curvature_};
  switch (move) {
    case Move::exchange_positive:
    case Move::exchange_negative:
      return best_joint_partner(
          n_, gradient_[i], joint_diagonal_[i], weight_, row(i), privileged_row(i), gradient_.data(),
          joint_diagonal_.data(),
          move == Move::exchange_positive ? positive_alpha_.data() : negative_alpha_.data(), thresholds);
    case Move::exchange_beta:
      return best_partner(n_, slack_[i], privileged_diagonal_[i], infinity, weight_, privileged_row(i),
                          slack_, privileged_diagonal_.data(), beta_, thresholds);
    case Move::raise: {
      const double pair = privileged_diagonal_[i] + privileged_diagonal_[j] + 2.0 * privileged_row(i)[j];
      return best_payer(n_, gradient_[i] + gradient_[j], kernel_curvature(i, j) + weight_ * pair, weight_,
                        privileged_row(i), privileged_row(j), slack_, privileged_diagonal_.data(), beta_,
                        thresholds);
    }
    case Move::trade:
      return best_partner(n_, svm_descent_[i], diagonal_[i], problem_.y[i] > 0 ? beta_[i] : alpha_[i], 1.0,
                          row(i), svm_descent_.data(), diagonal_.data(), trade_room_.data(), thresholds);
    case Move::lower:
    case Move::none:
      break;
  }
  return {0.0, n_};
}

void SvmPlusIterate::shift(std::size_t i, double alpha_change, double beta_change) {
  alpha_[i] += alpha_change;
  beta_[i] += beta_change;
  sync(i);
  if (alpha_change != 0.0) accumulate(n_, alpha_change * problem_.y[i], row(i), output_);
  const double delta_change = alpha_change + beta_change;
  if (delta_change != 0.0) accumulate(n_, delta_change * weight_, privileged_row(i), slack_);
}

// A step that uses up a variable subtracts exactly its value, so that it becomes exactly zero.
void SvmPlusIterate::take(const Step& step) {
  const auto [move, gain, i, j, k] = step;
  switch (move) {
    case Move::exchange_positive:
    case Move::exchange_negative: {
      const double curvature = kernel_curvature(i, j) + privileged_curvature(i, j);
      const double t = std::min(length(gradient_[j] - gradient_[i], curvature), alpha_[j]);
      shift(i, t, 0.0);
      shift(j, -t, 0.0);
      break;
    }
    case Move::exchange_beta: {
      const double t = std::min(length(slack_[j] - slack_[i], privileged_curvature(i, j)), beta_[j]);
      shift(i, 0.0, t);
      shift(j, 0.0, -t);
      break;
    }
    case Move::raise: {
      const double violation = 2.0 * slack_[k] - gradient_[i] - gradient_[j];
      const double t = std::min(length(violation, triple_curvature(i, j, k)), 0.5 * beta_[k]);
      shift(i, t, 0.0);
      shift(j, t, 0.0);
      shift(k, 0.0, -2.0 * t);
      break;
    }
    case Move::lower: {
      const double violation = gradient_[i] + gradient_[j] - 2.0 * slack_[k];
      const double t = std::min({length(violation, triple_curvature(i, j, k)), alpha_[i], alpha_[j]});
      shift(i, -t, 0.0);
      shift(j, -t, 0.0);
      shift(k, 0.0, 2.0 * t);
      break;
    }
    case Move::trade: {
      const double room_i = problem_.y[i] > 0 ? beta_[i] : alpha_[i];
      const double newton = length(svm_descent_[j] - svm_descent_[i], kernel_curvature(i, j));
      const double t = std::min({newton, room_i, trade_room_[j]});
      shift(i, problem_.y[i] * t, -problem_.y[i] * t);
      shift(j, -problem_.y[j] * t, problem_.y[j] * t);
      break;
    }
    case Move::none:
      return;
  }
  derive_gradients(n_, problem_.y, output_, slack_, gradient_.data(), svm_descent_.data());
}

bool SvmPlusIterate::step() {
  const Step step = choose();
  take(step);
  return step.move != Move::none;
}

}  // namespace widemargin

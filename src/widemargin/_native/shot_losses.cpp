#include "shot_losses.h"

#include <algorithm>
#include <cmath>

namespace widemargin {
namespace {

// width * log(1 + exp(margin / width)) and its derivative. Neither the exponential nor the quotient can spoil it:
// what overflows here only ever makes exp(-infinity) = 0.
double soft_plus(double margin, double width, double& slope) {
  const double tail = std::exp(-std::abs(margin) / width);
  slope = (margin < 0.0 ? tail : 1.0) / (1.0 + tail);
  return (margin < 0.0 ? 0.0 : margin) + width * std::log1p(tail);
}

}  // namespace

double ShotLosses::binary(double score, double y, double& slope) const {
  switch (loss_) {
    case ShotLoss::squared: {
      slope = score - y;
      return 0.5 * slope * slope;
    }
    case ShotLoss::squared_hinge: {
      const double margin = 1.0 - y * score;
      // Not "0 unless positive": NaN has to come through.
      const double excess = margin < 0.0 ? 0.0 : margin;
      slope = excess == 0.0 ? 0.0 : -y * excess;
      return 0.5 * excess * excess;
    }
    case ShotLoss::hinge: {
      const double value = soft_plus(1.0 - y * score, smoothing_, slope);
      slope *= -y;
      return value;
    }
    case ShotLoss::logistic:
      break;
  }
  const double value = soft_plus(-y * score, 1.0, slope);
  slope *= -y;
  return value;
}

// width * log sum_e exp(a_e / width) with a_e = scores[e] - scores[target] + margin [e != target].
double ShotLosses::log_sum_exp(const double* scores, std::size_t target, double width, double margin,
                               double* residual) const {
  double top = 0.0;
  std::size_t at = target;
  for (std::size_t e = 0; e < n_columns_; ++e) {
    residual[e] = e == target ? 0.0 : scores[e] - scores[target] + margin;
    if (residual[e] > top) {
      top = residual[e];
      at = e;
    }
  }
  // The largest term is 1: the others are summed for themselves, so that a sure video's loss keeps its digits.
  double others = 0.0;
  for (std::size_t e = 0; e < n_columns_; ++e) {
    residual[e] = e == at ? 1.0 : std::exp((residual[e] - top) / width);
    if (e != at) others += residual[e];
  }
  double away = 0.0;
  for (std::size_t e = 0; e < n_columns_; ++e) {
    residual[e] /= 1.0 + others;
    if (e != target) away += residual[e];
  }
  residual[target] = -away;
  return top + width * std::log1p(others);
}

double ShotLosses::squared(const double* scores, std::size_t target, double* residual) const {
  double sum = 0.0;
  for (std::size_t e = 0; e < n_columns_; ++e) {
    residual[e] = scores[e] - (e == target ? 1.0 : -1.0);
    sum += 0.5 * residual[e] * residual[e];
  }
  return sum;
}

double ShotLosses::operator()(const double* scores, std::int32_t target, double weight, double* residual) const {
  double loss;
  const auto own = static_cast<std::size_t>(target);
  if (n_columns_ == 1)
    loss = binary(scores[0], target == 1 ? 1.0 : -1.0, residual[0]);
  else if (loss_ == ShotLoss::squared)
    loss = squared(scores, own, residual);
  else if (loss_ == ShotLoss::logistic)
    loss = log_sum_exp(scores, own, 1.0, 0.0, residual);
  else
    loss = log_sum_exp(scores, own, smoothing_, 1.0, residual);
  for (std::size_t e = 0; e < n_columns_; ++e) residual[e] *= weight;
  return weight * loss;
}

double sum_losses(const ShotLosses& losses, std::size_t n, const double* scores, const std::int32_t* targets,
                  const double* weight, double* residual) {
  const std::size_t k = losses.n_columns();
  double value = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (weight[i] == 0.0)
      std::fill_n(residual + i * k, k, 0.0);
    else
      value += losses(scores + i * k, targets[i], weight[i], residual + i * k);
  }
  return value;
}

}  // namespace widemargin

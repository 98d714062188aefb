#include "working_set.h"

#include <algorithm>
#include <cmath>

#include "dispatch.h"
#include "scan.h"

namespace widemargin {
namespace {

// gradient -= change_i row_i + change_j row_j; returns the steepest coordinate that can still rise.
WIDEMARGIN_CLONES
std::size_t update_pair(std::size_t n, double change_i, const double* WIDEMARGIN_RESTRICT row_i,
                        double change_j, const double* WIDEMARGIN_RESTRICT row_j,
                        const double* WIDEMARGIN_RESTRICT rise_mask, double* WIDEMARGIN_RESTRICT gradient) {
  return first_peak(n, -infinity,
                    [=](std::size_t t) {
                      const double updated = gradient[t] - (change_i * row_i[t] + change_j * row_j[t]);
                      gradient[t] = updated;
                      return updated + rise_mask[t];
                    })
      .index;
}

// The coordinate j whose fall, against a rise of i, gains most to second order, bounds left aside.
WIDEMARGIN_CLONES
std::size_t best_partner(std::size_t n, double steepest, double diagonal_i, double noise,
                         double least_curvature, const double* WIDEMARGIN_RESTRICT gradient,
                         const double* WIDEMARGIN_RESTRICT row_i, const double* WIDEMARGIN_RESTRICT diagonal,
                         const double* WIDEMARGIN_RESTRICT fall_mask) {
  return first_peak(n, 0.0,
                    [=](std::size_t t) {
                      const double violation = steepest - gradient[t] + fall_mask[t];
                      const double curvature =
                          std::max(diagonal_i + diagonal[t] - 2.0 * row_i[t], least_curvature);
                      const double usable = violation > noise ? violation : 0.0;
                      return usable * usable / curvature;
                    })
      .index;
}

// gradient -= change * row; returns the coordinate whose clipped Newton step gains most.
WIDEMARGIN_CLONES
std::size_t update_single(std::size_t n, double change, const double* WIDEMARGIN_RESTRICT row, double noise,
                          const double* WIDEMARGIN_RESTRICT diagonal,
                          const double* WIDEMARGIN_RESTRICT inverse_diagonal,
                          const double* WIDEMARGIN_RESTRICT beta, const double* WIDEMARGIN_RESTRICT lower,
                          const double* WIDEMARGIN_RESTRICT upper, double* WIDEMARGIN_RESTRICT gradient) {
  return first_peak(n, 0.0,
                    [=](std::size_t t) {
                      const double updated = gradient[t] - change * row[t];
                      gradient[t] = updated;
                      const double usable = std::abs(updated) > noise ? updated : 0.0;
                      const double newton = usable * inverse_diagonal[t];
                      const double step = std::min(std::max(newton, lower[t] - beta[t]), upper[t] - beta[t]);
                      return step * (usable - 0.5 * diagonal[t] * step);
                    })
      .index;
}

WIDEMARGIN_CLONES
Peak highest(std::size_t n, double sign, const double* WIDEMARGIN_RESTRICT gradient,
             const double* WIDEMARGIN_RESTRICT mask) {
  return first_peak(n, -infinity, [=](std::size_t t) { return sign * gradient[t] + mask[t]; });
}

}  // namespace

void WorkingSet::resize(std::size_t n) {
  n_ = n;
  for (std::vector<double>* values :
       {&beta_, &lower_, &upper_, &gradient_, &diagonal_, &inverse_diagonal_, &rise_mask_, &fall_mask_})
    values->resize(n);
}

void WorkingSet::set_beta(std::size_t i, double value) {
  beta_[i] = value;
  rise_mask_[i] = value < upper_[i] ? 0.0 : -infinity;
  fall_mask_[i] = value > lower_[i] ? 0.0 : -infinity;
}

void WorkingSet::assign_all(std::size_t n, const double* kernel, const double* y, const double* C,
                            const double* alpha) {
  resize(n);
  kernel_ = kernel;
  for (std::size_t i = 0; i < n; ++i) {
    diagonal_[i] = std::max(kernel[i * n + i], least_curvature_);
    inverse_diagonal_[i] = 1.0 / diagonal_[i];
    lower_[i] = y[i] > 0 ? 0.0 : -C[i];
    upper_[i] = y[i] > 0 ? C[i] : 0.0;
    set_beta(i, y[i] * alpha[i]);
  }
}

void WorkingSet::assign_subset(const WorkingSet& whole, const std::vector<std::size_t>& members) {
  resize(members.size());
  own_kernel_.resize(n_ * n_);
  for (std::size_t i = 0; i < n_; ++i) {
    const std::size_t source = members[i];
    const double* row = whole.kernel_ + source * whole.n_;
    for (std::size_t j = 0; j < n_; ++j) own_kernel_[i * n_ + j] = row[members[j]];
    diagonal_[i] = whole.diagonal_[source];
    inverse_diagonal_[i] = whole.inverse_diagonal_[source];
    lower_[i] = whole.lower_[source];
    upper_[i] = whole.upper_[source];
    gradient_[i] = whole.gradient_[source];
    set_beta(i, whole.beta_[source]);
  }
  kernel_ = own_kernel_.data();
  restart(whole.noise_);
}

void WorkingSet::restart(double noise) {
  noise_ = noise;
  if (pairwise_) {
    candidate_ = highest(n_, 1.0, gradient_.data(), rise_mask_.data()).index;
  } else {
    candidate_ = update_single(n_, 0.0, kernel_, noise_, diagonal_.data(), inverse_diagonal_.data(),
                               beta_.data(), lower_.data(), upper_.data(), gradient_.data());
  }
}

bool WorkingSet::step() {
  if (candidate_ == n_) return false;
  return pairwise_ ? step_pair() : step_single();
}

bool WorkingSet::step_pair() {
  const std::size_t i = candidate_;
  const double* row_i = kernel_ + i * n_;
  const std::size_t j = best_partner(n_, gradient_[i], diagonal_[i], noise_, least_curvature_,
                                     gradient_.data(), row_i, diagonal_.data(), fall_mask_.data());
  if (j == n_) return false;
  const double curvature = std::max(diagonal_[i] + diagonal_[j] - 2.0 * row_i[j], least_curvature_);
  const double before_i = beta_[i], before_j = beta_[j];
  const double room_i = upper_[i] - before_i, room_j = before_j - lower_[j];
  const double step = std::min({(gradient_[i] - gradient_[j]) / curvature, room_i, room_j});
  set_beta(i, step < room_i ? before_i + step : upper_[i]);
  set_beta(j, step < room_j ? before_j - step : lower_[j]);
  candidate_ = update_pair(n_, beta_[i] - before_i, row_i, beta_[j] - before_j, kernel_ + j * n_,
                           rise_mask_.data(), gradient_.data());
  return true;
}

bool WorkingSet::step_single() {
  const std::size_t i = candidate_;
  const double before = beta_[i];
  set_beta(i, std::clamp(before + gradient_[i] * inverse_diagonal_[i], lower_[i], upper_[i]));
  candidate_ =
      update_single(n_, beta_[i] - before, kernel_ + i * n_, noise_, diagonal_.data(),
                    inverse_diagonal_.data(), beta_.data(), lower_.data(), upper_.data(), gradient_.data());
  return true;
}

WorkingSet::Range WorkingSet::range() const {
  double rise = highest(n_, 1.0, gradient_.data(), rise_mask_.data()).score;
  double fall = -highest(n_, -1.0, gradient_.data(), fall_mask_.data()).score;
  if (!pairwise_) {
    // Without the equality constraint the gradient is compared with zero, from both sides.
    const double worst = std::max({rise, -fall, 0.0});
    rise = worst;
    fall = -worst;
  }
  return {rise, fall};
}

double WorkingSet::violation() const {
  const Range r = range();
  const double width = r.highest_rise - r.lowest_fall;
  return std::max(0.0, pairwise_ ? width : 0.5 * width);
}

void WorkingSet::collect_active(std::vector<std::size_t>& members) const {
  const Range r = range();
  members.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    const bool pinned_low = fall_mask_[i] != 0.0 && gradient_[i] < r.lowest_fall;
    const bool pinned_high = rise_mask_[i] != 0.0 && gradient_[i] > r.highest_rise;
    if (!pinned_low && !pinned_high) members.push_back(i);
  }
}

}  // namespace widemargin

// Losses of videos at their scores, and what these losses pull at: a score a video for two classes, one score a class
// for more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace widemargin {

enum class ShotLoss { squared_hinge, hinge, squared, logistic };

// With one column of scores, target 1 is the class of positive scores. With more, both hinges are the smoothed
// multiclass hinge, whose width is `smoothing`; with one, `smoothing` is that of the hinge.
class ShotLosses {
 public:
  ShotLosses(ShotLoss loss, double smoothing, std::size_t n_columns)
      : loss_(loss), smoothing_(smoothing), n_columns_(n_columns) {}

  std::size_t n_columns() const { return n_columns_; }

  // The loss of one video times `weight`; `residual` receives its derivatives by the scores. Finite for scores up to
  // 1e150; a score that is NaN gives NaN.
  double operator()(const double* scores, std::int32_t target, double weight, double* residual) const;

 private:
  double binary(double score, double y, double& slope) const;
  double log_sum_exp(const double* scores, std::size_t target, double width, double margin, double* residual) const;
  double squared(const double* scores, std::size_t target, double* residual) const;

  ShotLoss loss_;
  double smoothing_;
  std::size_t n_columns_;
};

// The weighted sum over n videos; residual (n x columns). Videos of weight 0 are not looked at: their residual is 0.
double sum_losses(const ShotLosses& losses, std::size_t n, const double* scores, const std::int32_t* targets,
                  const double* weight, double* residual);

}  // namespace widemargin

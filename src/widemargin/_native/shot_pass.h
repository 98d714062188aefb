// Passes over videos whose shots are reordered: every number comes from memory once a pass.
//
// W and the gradient are (n_classes x n_shots x n_features), scores and residuals (n_videos x n_classes).
#pragma once

#include "heartbeat.h"
#include "shot_block.h"
#include "shot_losses.h"

namespace widemargin {

template <class T>
void shot_scores(const Videos<T>& videos, const double* W, const double* intercept, Heartbeat& heartbeat,
                 double* scores);

// The weighted sum of the losses; `gradient` receives its derivatives by W and `residual_sums` by the intercepts.
// Videos of weight 0 are not read and have scores of 0.
template <class T>
double shot_pass(const Videos<T>& videos, const double* W, const double* intercept, const std::int32_t* targets,
                 const double* weight, const ShotLosses& losses, Heartbeat& heartbeat, double* scores,
                 double* gradient, double* residual_sums);

// gradient = sum over videos of residual times the reordered video. Videos of residual 0 are not read.
template <class T>
void shot_combination(const Videos<T>& videos, const double* residual, Heartbeat& heartbeat, double* gradient);

}  // namespace widemargin

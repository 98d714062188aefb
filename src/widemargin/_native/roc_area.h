// The area under the ROC curve over a range of false positive rates, for callers that need it every round.
#pragma once

#include <cstddef>

namespace widemargin {

// Mean true positive rate over the rates [alpha, beta], with ties counted half. `weight` may be null, for weights of
// one; both classes have weight, and scores are ordered (no NaN). 0 <= alpha < beta <= 1.
double roc_area(std::size_t n, const double* scores, const bool* positive, const double* weight, double alpha,
                double beta);

}  // namespace widemargin

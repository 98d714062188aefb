#include "scan.h"

namespace widemargin {

WIDEMARGIN_CLONES
void accumulate(std::size_t n, double factor, const double* WIDEMARGIN_RESTRICT row,
                double* WIDEMARGIN_RESTRICT target) {
#pragma omp simd
  for (std::size_t t = 0; t < n; ++t) target[t] += factor * row[t];
}

void multiply(std::size_t n, const double* matrix, const double* coefficients, double* product) {
  std::fill_n(product, n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    if (coefficients[i] != 0.0) accumulate(n, coefficients[i], matrix + i * n, product);
}

}  // namespace widemargin

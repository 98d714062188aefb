#include "scan.h"

namespace widemargin {

WIDEMARGIN_CLONES
void accumulate(std::size_t n, double factor, const double* WIDEMARGIN_RESTRICT row,
                double* WIDEMARGIN_RESTRICT target) {
#pragma omp simd
  for (std::size_t t = 0; t < n; ++t) target[t] += factor * row[t];
}

WIDEMARGIN_CLONES
double dot(std::size_t n, const double* WIDEMARGIN_RESTRICT a, const double* WIDEMARGIN_RESTRICT b) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t t = 0; t < n; ++t) sum += a[t] * b[t];
  return sum;
}

void multiply(std::size_t n, const double* matrix, const double* coefficients, double* product) {
  std::fill_n(product, n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    if (coefficients[i] != 0.0) accumulate(n, coefficients[i], matrix + i * n, product);
}

}  // namespace widemargin

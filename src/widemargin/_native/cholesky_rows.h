// Cholesky factor of a symmetric positive definite matrix that gains and loses rows, in O(n^2) for each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "scan.h"

namespace widemargin {

class CholeskyRows {
 public:
  std::size_t size() const { return n_; }

  void clear() {
    n_ = 0;
    factor_.clear();
  }

  // Appends a row and column: `entries` has those of the matrix, size() + 1, the diagonal last.
  void append(const double* entries) {
    factor_.insert(factor_.end(), entries, entries + n_ + 1);
    double* last = row(n_);
    for (std::size_t j = 0; j < n_; ++j) last[j] = (last[j] - dot(j, last, row(j))) / row(j)[j];
    last[n_] = std::sqrt(std::max(last[n_] - dot(n_, last, last), rounding * std::abs(last[n_])));
    ++n_;
  }

  // Takes out row and column `at`. The rows below move up, and rotations of two columns each bring what is then
  // above the diagonal back into the triangle.
  void remove(std::size_t at) {
    rotations_.clear();
    for (std::size_t i = at; i + 1 < n_; ++i) {
      moved_.assign(row(i + 1), row(i + 1) + i + 2);
      double carried = moved_[at];
      for (std::size_t k = at; k < i; ++k) {
        const auto [cosine, sine] = rotations_[k - at];
        const double next = moved_[k + 1];
        moved_[k] = cosine * carried + sine * next;
        carried = cosine * next - sine * carried;
      }
      const double diagonal = std::hypot(carried, moved_[i + 1]);
      rotations_.push_back({carried / diagonal, moved_[i + 1] / diagonal});
      moved_[i] = diagonal;
      std::copy_n(moved_.data(), i + 1, row(i));
    }
    --n_;
    factor_.resize(n_ * (n_ + 1) / 2);
  }

  // Replaces x, of size() elements, by the inverse of the matrix times x.
  void solve(double* x) const {
    for (std::size_t i = 0; i < n_; ++i) x[i] = (x[i] - dot(i, row(i), x)) / row(i)[i];
    for (std::size_t i = n_; i-- > 0;) {
      x[i] /= row(i)[i];
      accumulate(i, -x[i], row(i), x);
    }
  }

 private:
  struct Rotation {
    double cosine, sine;
  };

  double* row(std::size_t i) { return factor_.data() + i * (i + 1) / 2; }
  const double* row(std::size_t i) const { return factor_.data() + i * (i + 1) / 2; }

  std::size_t n_ = 0;
  std::vector<double> factor_;  // rows of the lower triangle, packed
  std::vector<double> moved_;
  std::vector<Rotation> rotations_;
};

}  // namespace widemargin

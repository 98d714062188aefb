// What the binding units share: array types, shape checks, result buffers that NumPy frees.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>

namespace widemargin::bindings {

namespace nb = nanobind;

using Matrix = nb::ndarray<const double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InOutVector = nb::ndarray<double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OwnedVector = nb::ndarray<double, nb::numpy, nb::ndim<1>>;

inline void require_square(const Matrix& matrix, std::size_t n) {
  if (n == 0 || matrix.shape(0) != n || matrix.shape(1) != n)
    throw nb::value_error("a matrix is not n x n for the n >= 1 of the vectors");
}

template <class Array>
void require_length(const Array& vector, std::size_t n) {
  if (vector.shape(0) != n) throw nb::value_error("vectors differ in length");
}

// A result buffer that NumPy frees.
class Result {
 public:
  explicit Result(std::size_t n) : n_(n), values_(new double[n]) {}
  double* data() { return values_.get(); }
  OwnedVector release() {
    double* values = values_.release();
    nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return OwnedVector(values, {n_}, owner);
  }

 private:
  std::size_t n_;
  std::unique_ptr<double[]> values_;
};

inline void check_signals() {
  nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Each family of kernels has one binding unit.
void bind_trees(nb::module_& m);
void bind_ranking(nb::module_& m);
void bind_proximal(nb::module_& m);
void bind_shots(nb::module_& m);
void bind_video(nb::module_& m);

}  // namespace widemargin::bindings

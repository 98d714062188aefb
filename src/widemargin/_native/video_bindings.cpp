// Bindings of the loops over decoded pictures.
#include <cstdint>

#include "bindings.h"
#include "plane_histogram.h"

using namespace nanobind::literals;

namespace widemargin::bindings {
namespace {

template <class T>
using Samples = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::device::cpu>;
using Counts = nb::ndarray<std::uint32_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
void plane_histogram(const Samples<T>& plane, std::size_t row_step, std::size_t column_step, unsigned shift,
                     const Counts& counts) {
  if (plane.shape(0) == 0 || plane.shape(1) == 0) throw nb::value_error("the plane has no samples");
  if (row_step == 0 || column_step == 0) throw nb::value_error("a step is 0");
  if (shift >= 8 * sizeof(T)) throw nb::value_error("shift leaves no bits");
  if (counts.shape(0) != n_sample_levels) throw nb::value_error("counts has not 256 entries");
  const Plane<T> view{plane.data(), plane.shape(0), plane.shape(1), static_cast<std::ptrdiff_t>(plane.stride(0)),
                      static_cast<std::ptrdiff_t>(plane.stride(1))};
  nb::gil_scoped_release unlocked;
  count_levels(view, row_step, column_step, shift, counts.data());
}

template <class T>
void bind_plane_histogram(nb::module_& m) {
  m.def("plane_histogram", &plane_histogram<T>, "plane"_a.noconvert(), "row_step"_a, "column_step"_a, "shift"_a,
        "counts"_a.noconvert());
}

}  // namespace

void bind_video(nb::module_& m) {
  bind_plane_histogram<std::uint8_t>(m);
  bind_plane_histogram<std::uint16_t>(m);
}

}  // namespace widemargin::bindings

// The one binding unit: it converts arrays and releases the GIL, the kernel families do the work.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

NB_MODULE(_native, m) {
  m.doc() = "Compiled loops of widemargin. No policy: callers validate.";
}

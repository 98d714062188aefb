// Bindings of the passes over videos whose shots are reordered.
#include "bindings.h"

namespace widemargin::bindings {

void bind_shots(nb::module_& m) { static_cast<void>(m); }

}  // namespace widemargin::bindings

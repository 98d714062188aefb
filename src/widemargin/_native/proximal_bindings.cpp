// Bindings of the proximal maps of penalties on the order of shots.
#include "bindings.h"

namespace widemargin::bindings {

void bind_proximal(nb::module_& m) { static_cast<void>(m); }

}  // namespace widemargin::bindings

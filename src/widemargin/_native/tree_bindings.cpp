// Bindings of the tree kernels.
#include "bindings.h"

namespace widemargin::bindings {

void bind_trees(nb::module_&) {}

}  // namespace widemargin::bindings

// Bindings of the partial AUC kernels.
#include "bindings.h"

namespace widemargin::bindings {

void bind_ranking(nb::module_&) {}

}  // namespace widemargin::bindings

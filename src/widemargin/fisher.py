"""Fisher vectors: a set of vectors as the gradient of its likelihood under a mixture of Gaussians."""

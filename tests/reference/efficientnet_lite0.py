"""EfficientNet-Lite0 step by step in NumPy: every convolution written out, batch normalisation on its own."""

import numpy as np

# Kernel, stride, factor of widening and width of each block, as the paper's Table 1 has them for B0.
BLOCKS = (
    (3, 1, 1, 16),
    (3, 2, 6, 24),
    (3, 1, 6, 24),
    (5, 2, 6, 40),
    (5, 1, 6, 40),
    (3, 2, 6, 80),
    (3, 1, 6, 80),
    (3, 1, 6, 80),
    (5, 1, 6, 112),
    (5, 1, 6, 112),
    (5, 1, 6, 112),
    (5, 2, 6, 192),
    (5, 1, 6, 192),
    (5, 1, 6, 192),
    (5, 1, 6, 192),
    (3, 1, 6, 320),
)
STEM, HEAD, CLASSES = 32, 1280, 1000


def random_weights(seed):
    """Weights of the right shapes that keep the numbers of all layers within the range of ReLU6."""
    random = np.random.default_rng(seed)
    weights = {}

    def convolution(name, normalisation, *shape):
        weights[f"{name}.weight"] = random.normal(size=shape) * np.sqrt(2 / np.prod(shape[1:]))
        weights[f"{normalisation}.weight"] = random.uniform(0.5, 1.5, shape[0])
        weights[f"{normalisation}.bias"] = random.normal(size=shape[0])
        weights[f"{normalisation}.running_mean"] = random.normal(size=shape[0])
        weights[f"{normalisation}.running_var"] = random.uniform(0.02, 4, shape[0])

    convolution("_conv_stem", "_bn0", STEM, 3, 3, 3)
    width = STEM
    for number, (size, _, factor, narrow) in enumerate(BLOCKS):
        prefix, wide = f"_blocks.{number}.", width * factor
        if factor > 1:
            convolution(f"{prefix}_expand_conv", f"{prefix}_bn0", wide, width, 1, 1)
        convolution(f"{prefix}_depthwise_conv", f"{prefix}_bn1", wide, 1, size, size)
        convolution(f"{prefix}_project_conv", f"{prefix}_bn2", narrow, wide, 1, 1)
        width = narrow
    convolution("_conv_head", "_bn1", HEAD, width, 1, 1)
    weights["_fc.weight"] = random.normal(size=(CLASSES, HEAD)) / np.sqrt(HEAD)
    weights["_fc.bias"] = random.normal(size=CLASSES)
    return weights


def forward(weights, picture):
    """Return features (1280,) and probabilities (1000,) of one normalised picture (3, side, side)."""
    weights = {name: np.asarray(values, dtype=np.float64) for name, values in weights.items()}

    def normalised(x, name):
        mean, variance = weights[f"{name}.running_mean"], weights[f"{name}.running_var"]
        scale, shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
        standard = (x - mean[:, None, None]) / np.sqrt(variance + 0.001)[:, None, None]
        return standard * scale[:, None, None] + shift[:, None, None]

    def relu6(x):
        return np.minimum(np.maximum(x, 0), 6)

    x = relu6(normalised(convolve(picture, weights["_conv_stem.weight"], 2), "_bn0"))
    for number, (_, stride, factor, _) in enumerate(BLOCKS):
        prefix, before = f"_blocks.{number}.", x
        if factor > 1:
            x = relu6(normalised(convolve(x, weights[f"{prefix}_expand_conv.weight"], 1), f"{prefix}_bn0"))
        x = relu6(
            normalised(
                convolve_channels(x, weights[f"{prefix}_depthwise_conv.weight"], stride), f"{prefix}_bn1"
            )
        )
        x = normalised(convolve(x, weights[f"{prefix}_project_conv.weight"], 1), f"{prefix}_bn2")
        if x.shape == before.shape:
            x = x + before
    x = relu6(normalised(convolve(x, weights["_conv_head.weight"], 1), "_bn1"))
    features = x.mean(axis=(1, 2))
    logits = weights["_fc.weight"] @ features + weights["_fc.bias"]
    exponentials = np.exp(logits - logits.max())
    return features, exponentials / exponentials.sum()


def shifted(x, size, stride):
    """Yield, for each place in a kernel, its row and column and the numbers it meets, padded as TensorFlow does."""
    height = x.shape[1]
    new = int(np.ceil(height / stride))
    padding = max((new - 1) * stride + size - height, 0)
    before = padding // 2
    padded = np.pad(x, ((0, 0), (before, padding - before), (before, padding - before)))
    for row in range(size):
        for column in range(size):
            yield (
                row,
                column,
                padded[
                    :,
                    row : row + (new - 1) * stride + 1 : stride,
                    column : column + (new - 1) * stride + 1 : stride,
                ],
            )


def convolve(x, kernel, stride):
    return sum(
        np.tensordot(kernel[:, :, row, column], values, axes=1)
        for row, column, values in shifted(x, kernel.shape[2], stride)
    )


def convolve_channels(x, kernel, stride):
    return sum(
        kernel[:, 0, row, column][:, None, None] * values
        for row, column, values in shifted(x, kernel.shape[2], stride)
    )

"""Networks that turn pictures into features and concepts, in the format ONNX."""

"""Networks that turn pictures into features and concepts, in the format ONNX."""

from __future__ import annotations

from widemargin.networks.errors import NetworkError
from widemargin.networks.loading import load_network
from widemargin.networks.network import ImageNetwork, NetworkOutput

__all__ = ["ImageNetwork", "NetworkError", "NetworkOutput", "load_network"]

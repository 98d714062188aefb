"""Words as vectors: how relevant a concept is to an event described in words."""

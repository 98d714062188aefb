"""From pictures to arrays."""

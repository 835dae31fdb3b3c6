"""Evaluate wrappers on pages whose records are known (AMBER, section 6.1)."""

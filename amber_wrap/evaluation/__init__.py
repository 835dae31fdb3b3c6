"""How right wrappers are on pages whose records are known (AMBER, section 6.1)."""

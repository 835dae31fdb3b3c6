"""Domain knowledge that grows (AMBER, section 4)."""

"""Learn terms that the gazetteers lack from pages (AMBER, section 4)."""

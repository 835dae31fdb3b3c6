"""Learn domain knowledge from pages: terms that the gazetteers lack (AMBER, section 4)."""

"""Who claims what about a page: the annotation relation of AMBER."""

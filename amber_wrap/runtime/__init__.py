"""Apply wrappers to many pages: read the pages, extract records, write the records."""

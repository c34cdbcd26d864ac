"""Board data: layouts, controllers and tables as validated, immutable models of the TOML files under boards/."""

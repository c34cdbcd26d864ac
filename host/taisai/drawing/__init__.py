"""Drawings of a table as SVG: the cloth, the wiring of its lamps, the pins of its controller."""

"""Drivers: the only importers of `machine`. They move levels and bytes and decide nothing about the game."""

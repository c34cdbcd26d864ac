"""Putting an application onto boards: plan, write, read back, verify. Each way of writing is a file in `backends/`."""

"""Host side of the Tai-Sai table electronics: rules, board data, build, simulation and the command line."""

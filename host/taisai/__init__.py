"""Host side of the Tai-Sai table electronics: everything that runs on a PC."""

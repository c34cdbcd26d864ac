"""What factory acceptance has found: one record for each run, kept so that it can be trusted years later."""

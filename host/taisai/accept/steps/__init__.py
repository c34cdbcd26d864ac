"""The steps of the plan, in the order of their file names. Limits stand beside the steps that use them."""

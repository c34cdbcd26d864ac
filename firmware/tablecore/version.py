"""The version of the whole product: firmware, host package and bundle carry this one."""

VERSION = "0.1.0"

"""The figures of koth, measured: `make bench`."""

"""The command `koth`: thin. Parse, call, say what happened, exit with the documented status."""

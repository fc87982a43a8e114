"""How the table of the Pazaak bot Atton Rand was computed; see README.md beside this file."""

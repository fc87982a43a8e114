"""The sandbox, attacked from inside."""

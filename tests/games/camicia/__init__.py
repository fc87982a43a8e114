"""Tests of Camicia's engines, closure and command line."""

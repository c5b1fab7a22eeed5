"""The version of the package, which is that of Fairway."""

version = "0.2.0"

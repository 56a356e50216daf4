"""The version of the installed package."""

from importlib import metadata

try:
    __version__ = metadata.version("wheelcheck")
except metadata.PackageNotFoundError:  # imported from the source tree
    __version__ = "0+unknown"

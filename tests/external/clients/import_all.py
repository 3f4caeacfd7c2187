"""Checks that a generated Python client can be loaded: imports each of its modules. Called with the packages."""

import importlib
import pkgutil
import sys

for package in map(importlib.import_module, sys.argv[1:]):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

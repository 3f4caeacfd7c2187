"""Spoils a document: `spoil.py DOCUMENT DIRECTORY` writes copies, each wrong in one thing that its name says.

The external checks are tried on them: one that passes all of them would pass anything.
"""

import json
import pathlib
import sys


def reference(document):
    """An answer that refers to a component that is not there."""
    success(document)["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/Nowhere"}


def example(document):
    """An answer whose example is a word instead of an object."""
    success(document)["content"]["application/json"]["example"] = "none"


def warning(document):
    """An operation without a name: the specification does not mind, every linter warns."""
    del some_operation(document)["operationId"]


def some_operation(document):
    """The first that reads."""
    return next(item["get"] for item in document["paths"].values() if "get" in item)


def success(document):
    return some_operation(document)["responses"]["200"]


for spoil in (reference, example, warning):
    whole = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    spoil(whole)
    pathlib.Path(sys.argv[2], f"{spoil.__name__}.json").write_text(json.dumps(whole), encoding="utf-8")

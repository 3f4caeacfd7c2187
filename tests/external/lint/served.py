"""Checks that a server sends the documents that are checked: each of these documents of Hitode, asked for at HITODE_URL.

Called with the documents, CONTRACT-SURFACE-VERSION.json.
"""

import json
import os
import pathlib
import sys
import urllib.parse
import urllib.request

for path in map(pathlib.Path, sys.argv[1:]):
    _, surface, version = path.stem.split("-")
    query = {"version": version} | ({} if surface == "all" else {"surface": surface})
    with urllib.request.urlopen(f"{os.environ['HITODE_URL']}/openapi.json?{urllib.parse.urlencode(query)}") as answer:
        if json.load(answer) != json.loads(path.read_text(encoding="utf-8")):
            sys.exit(f"{answer.url} is not what `codegen openapi api.yaml` prints: build the server again, or compare them")

"""Fuzzes one surface of a server with Schemathesis: `fuzz.py agent`, called by `run` beside a server of its own.

FUZZ_SEED is the seed, FUZZ_EXAMPLES how many requests are made up for each operation in each phase that makes them up. What
each operation answered is kept in a table, `table.txt`, which is printed when there is a fault. `fuzz.py agent --spoil NAME`
puts a proxy before the server that spoils its answers in one way (spoil.py), and is content when that is noticed.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

import settings
import spoil
import tally
from world import World

HERE = pathlib.Path(__file__).parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("surface")
    parser.add_argument("--spoil", choices=spoil.WAYS)
    parser.add_argument("--phases", help="of the run before a spoiled server")
    arguments = parser.parse_args()
    seed, examples = int(os.environ["FUZZ_SEED"]), int(os.environ["FUZZ_EXAMPLES"])
    name = f"{arguments.surface}-{arguments.spoil or seed}"
    place = pathlib.Path(os.environ["EXTERNAL"], "fuzz", name)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    url = os.environ["HITODE_URL"]
    world = World(url, os.environ["HITODE_OPERATOR_TOKEN"])
    with urllib.request.urlopen(f"{url}/openapi.json?surface={arguments.surface}") as answer:
        document = json.load(answer)
    prepare(place, document, world, arguments.surface, seed, examples)
    if arguments.spoil:
        spoiled = spoil.proxy(arguments.spoil, url, world.callers(arguments.surface))
        sys.exit(notices(place, arguments.spoil, spoiled, arguments.phases))
    status = schemathesis(place, url)
    seen = json.loads((place / "seen.json").read_text())
    table = tally.table(document, seen)
    (place / "table.txt").write_text(table + "\n")
    print("\n".join(tally.phases(arguments.surface, document, seen)))
    faults = tally.missing(document, seen) + list(world.shut_out(arguments.surface))
    if status:
        log = (place / "log").read_text()
        faults += [
            f"Schemathesis is not content; its report, whole in {place / 'log'}:",
            log[log.find("\n====") :][:20000],
        ]
    if faults:
        print(table)
    for fault in faults:
        print(f"fuzz: {arguments.surface}: {fault}")
    sys.exit(bool(faults))


def prepare(place, document, world, surface, seed, examples):
    """Writes what Schemathesis reads: the document, its settings, the credentials, and what the hooks ask for."""
    callers = {f"{surface}-{number}": caller for number, caller in enumerate(world.callers(surface))}
    headers = [
        {"name": name, "fixedHeaders": [{"name": caller.header, "value": caller.credential}]}
        for name, caller in callers.items()
    ]
    run = {
        "credentials": [caller.credential for caller in callers.values()],
        "spared": world.spared(),
        "known": world.known(),
        "seen": str(place / "seen.json"),
    }
    settings.link_bodies(document)
    settings.close_answers(document)
    (place / "openapi.json").write_text(json.dumps(document))
    (place / "schemathesis.toml").write_text(settings.written(document, list(callers), seed, examples))
    (place / "auth.json").write_text(json.dumps({"auth": headers}))
    (place / "run.json").write_text(json.dumps(run))


def schemathesis(place, url, *options):
    """The exit status of a run, of which `log` keeps what it said."""
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "hooks",
        "PYTHONPATH": str(HERE),
        "FUZZ_RUN": str(place / "run.json"),
    }
    command = ["schemathesis", "--config-file", "schemathesis.toml", "run", "openapi.json", "--url", url, "--no-color"]
    with open(place / "log", "w", encoding="utf-8") as log:
        run = subprocess.run([*command, *options], check=False, cwd=place, env=environment, stdout=log, stderr=log)
    return run.returncode


def notices(place, way, url, phases):
    """Whether a spoiled server is noticed, by the check that is meant to."""
    schemathesis(place, url, "--include-operation-id-regex", spoil.OPERATIONS, "--phases", phases)
    log = (place / "log").read_text()
    noticed = dict.fromkeys(re.findall(r"^- (ST\d+) (.*)$", log, re.MULTILINE))
    told = "; ".join(f"{code} {title}" for code, title in noticed)
    if any(code == spoil.WAYS[way].noticed_by for code, _ in noticed):
        print(f"fuzz: spoiled, {way}: noticed ({told})")
        return 0
    print(
        f"fuzz: {way} should have been noticed as {spoil.WAYS[way].noticed_by}, see {place / 'log'}: {told or 'nothing'}"
    )
    return 1


if __name__ == "__main__":
    main()

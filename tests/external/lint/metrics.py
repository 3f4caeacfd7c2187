"""Checks /metrics of the server at HITODE_URL with Prometheus's own linter: `promtool check metrics`."""

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

URL = os.environ["HITODE_URL"]


def check(text):
    return subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)


if not shutil.which("promtool"):
    sys.exit("lint: no promtool here, which is in Debian's package prometheus; tests/run --full installs it")
# What nothing was counted for is not there.
for headers in ({}, {"X-API-Key": "unknown"}):
    try:
        urllib.request.urlopen(urllib.request.Request(f"{URL}/api/v1/humans", headers=headers))
    except urllib.error.HTTPError as refusal:
        refusal.read()
with urllib.request.urlopen(f"{URL}/metrics") as answer:
    text = answer.read().decode()

for spoiled in (text.replace("# HELP", "#"), text.replace("_total", "_number"), text + "# EOF 1\nx\n"):
    if check(spoiled).returncode == 0:
        sys.exit("lint: promtool accepts spoiled metrics, so it checks nothing")
found = check(text)
if found.returncode != 0:
    sys.exit(f"lint: promtool finds in /metrics:\n{found.stdout}{found.stderr}")
print(f"lint: promtool accepts the {text.count('# TYPE ')} metrics")

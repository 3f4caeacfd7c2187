"""Checks /metrics of the server at HITODE_URL, and the example alert rules, with Prometheus's own tools: `promtool check metrics`,
`check rules` and `test rules`."""

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

URL = os.environ["HITODE_URL"]
HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(HERE, "../../../server/deploy/alerts.yaml")


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
rules = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, text=True)
tests = subprocess.run(["promtool", "test", "rules", "alerts.yaml"], cwd=HERE, capture_output=True, text=True)
if rules.returncode != 0 or tests.returncode != 0:
    sys.exit(f"lint: promtool rejects the alert rules:\n{rules.stdout}{rules.stderr}{tests.stdout}{tests.stderr}")
print(f"lint: promtool accepts the {text.count('# TYPE ')} metrics and the alert rules")

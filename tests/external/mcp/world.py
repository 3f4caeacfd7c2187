"""Makes the people of the checks: a cook in Tokyo, and an account for each client. Writes a file for each client."""

import json
import os
import sys
import urllib.request

URL = os.environ["HITODE_URL"]
TOKEN = os.environ["HITODE_OPERATOR_TOKEN"]


def operator(path, body):
    """Creates something, and returns its data."""
    headers = {"X-Operator-Token": TOKEN, "Content-Type": "application/json"}
    data = json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/operator/v1{path}", data, headers, method="POST")
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["data"]


def main(place):
    cook = operator(
        "/humans",
        {
            "name": "佐藤 純子",
            "headline": "Cooks for small parties",
            "bio": "",
            "city": "足立区",
            "state": "東京都",
            "gender": "female",
            "hourly_rate": 2800,
            "skills": [{"name": "Cooking", "category": "Food"}],
        },
    )["id"]
    worker = operator(f"/humans/{cook}/token", {})["token"]
    with open(f"{place}/conformance.key", "w", encoding="utf-8") as file:
        file.write(operator("/accounts", {"name": "conformance", "plan": "free"})["key"])
    for client in ["inspector-modern", "inspector-legacy", "typescript-modern", "typescript-legacy", "python"]:
        key = operator("/accounts", {"name": client, "plan": "free"})["key"]
        server = {"type": "http", "url": f"{URL}/mcp", "headers": {"X-API-Key": key}}
        kind, _, era = client.partition("-")
        if kind == "inspector":
            content = {"mcpServers": {"hitode": server | {"protocolEra": era}}}
        else:
            content = {"url": URL, "key": key, "cook": cook, "worker": worker}
        with open(f"{place}/{client}.json", "w", encoding="utf-8") as file:
            json.dump(content, file)


main(sys.argv[1])

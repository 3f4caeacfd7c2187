"""Runs each example of an agent beside two workers, who apply and answer as people would, and checks what became of it.

Called with the examples, one argument for each command. Needs HITODE_URL and HITODE_OPERATOR_TOKEN.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import requests

URL = os.environ["HITODE_URL"]
# The photo that workers deliver.
PHOTO = (pathlib.Path(__file__).parents[4] / "server/src/simulation/shop.png").read_bytes()


def send(credential, method, path, body=None):
    """The data of a response."""
    header, surface = {"hto": ("X-Operator-Token", "operator"), "htw": ("X-Worker-Token", "worker")}[credential[:3]]
    response = requests.request(method, f"{URL}/{surface}/v1{path}", headers={header: credential}, json=body, timeout=30)
    assert response.ok, (method, path, response.text)
    return response.json().get("data")


def operator(method, path, body):
    return send(os.environ["HITODE_OPERATOR_TOKEN"], method, path, body)


class Worker:
    """A cook in Tokyo who is looking for work."""

    def __init__(self, name, rating):
        self.name = name
        skills = [{"name": "Cooking", "category": "Food"}]
        person = {"headline": "Cooks", "bio": "", "city": "足立区", "state": "東京都", "gender": "female", "hourly_rate": 2800}
        self.id = operator("POST", "/humans", person | {"name": name, "skills": skills, "rating": rating})["id"]
        self.token = operator("POST", f"/humans/{self.id}/token", {})["token"]

    def send(self, method, path, body=None):
        return send(self.token, method, path, body)

    def look(self):
        """Applies to new bounties, and answers what nobody has answered."""
        applied = {application["bounty_id"] for application in self.send("GET", "/applications")}
        for bounty in self.send("GET", "/bounties"):
            if bounty["id"] not in applied:
                self.send("POST", f"/bounties/{bounty['id']}/applications", {"message": "Gladly"})
        for talk in self.talks():
            if len(talk["messages"]) == 1:
                self.send("POST", f"/conversations/{talk['id']}/messages", {"content": "They liked it"})

    def deliver(self):
        """Delivers accepted work, once: a text and a photo."""
        for application in self.send("GET", "/applications"):
            if application["status"] == "accepted" and application["deliveries"] == 0:
                headers = {"X-Worker-Token": self.token, "Content-Type": "image/png"}
                sent = requests.post(f"{URL}/worker/v1/files?name=table.png", PHOTO, headers=headers, timeout=30)
                delivery = {"message": "All is served", "files": [sent.json()["data"]["id"]]}
                self.send("POST", f"/applications/{application['id']}/deliveries", delivery)

    def talks(self):
        return [self.send("GET", f"/conversations/{talk['id']}") for talk in self.send("GET", "/conversations")]


def check(command, best, other):
    """Runs an example with a new account."""
    key = operator("POST", "/accounts", {"name": command, "plan": "free"})["key"]
    reviews = len(best.send("GET", "/reviews"))
    folder = tempfile.TemporaryDirectory()
    known = {application["id"] for worker in (best, other) for application in worker.send("GET", "/applications")}
    example = subprocess.Popen(
        shlex.split(command),
        env=os.environ | {"HITODE_KEY": key},
        cwd=folder.name,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 60
    # The other one comes first, so that a choice by order would be seen.
    while example.poll() is None and time.monotonic() < deadline:
        other.look()
        best.look()
        best.deliver()
        time.sleep(0.2)
    example.kill()
    said = example.communicate()[0]
    assert example.returncode == 0, f"{command} ended with {example.returncode}:\n{said}"
    for worker, status in [(best, "accepted"), (other, "rejected")]:
        (application,) = (one for one in worker.send("GET", "/applications") if one["id"] not in known)
        assert (application["status"], application["bounty_status"]) == (status, "completed"), (command, worker.name, application)
    photos = [path.read_bytes() for path in pathlib.Path(folder.name).iterdir()]
    assert photos == [PHOTO], (command, photos)
    review, *former = best.send("GET", "/reviews")
    assert (len(former), review["rating"], review["comment"]) == (reviews, 5, "Everybody liked it."), (command, review)
    messages = [message["sender_type"] for message in best.talks()[0]["messages"]]
    assert messages == ["agent", "human", "agent"], (command, messages)
    assert said.splitlines()[1:] == [f"{best.name}: They liked it", f"bounty {application['bounty_id']} is completed"], said


def main(commands):
    other, best = Worker("佐藤 純子", 4.1), Worker("鈴木 花子", 4.8)
    for command in commands:
        check(command, best, other)
    print(f"clients: {len(commands)} examples of an agent's day")


main(sys.argv[1:])

"""Fills a server over its API, so that what a fuzzer asks for is there.

There are two agents and two workers, so that one can be tried on what is the other's; bounties with applications, and
without, of both agents; conversations with messages; and keys beyond those in use.
"""

import json
import urllib.error
import urllib.request

# How many bounties there are to apply to: each is taken once.
FREE = 60


class Caller:
    """A credential, and the surface that it is for."""

    def __init__(self, url, header, credential):
        self.url, self.header, self.credential = url, header, credential

    def send(self, method, path, body=None):
        """The `data` of the answer, which must be a success."""
        headers = {self.header: self.credential, "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, content, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer).get("data")


class World:
    """Who and what there is."""

    def __init__(self, url, token):
        self.url = url
        self.operator = Caller(url + "/operator/v1", "X-Operator-Token", token)
        self.agents, self.used_keys = [], []
        for name in ("Fuzzed agent", "Other agent"):
            account = self.operator.send("POST", "/accounts", {"name": name, "plan": "verified"})
            self.agents.append(Caller(url + "/api/v1", "X-API-Key", account["key"]))
            self.used_keys.append(account["key_id"])
        self.full_account = account_with_all_its_keys(self.operator)
        self.workers = [self.worker(number) for number in range(4)][:2]
        fuzzed, other = self.agents
        self.free = [{"id": bounty_of(fuzzed)} for _ in range(FREE)]
        self.closed = {"id": bounty_of(other)}
        other.send("PATCH", "/bounties/{id}".format(**self.closed), {"status": "cancelled"})
        self.applied = self.applications(fuzzed, 3)
        self.of_other = self.applications(other, 1)
        # The document's examples name small numbers: those are the fuzzed ones'.
        for agent, human in [(fuzzed, 1)] * 4 + [(other, 2)] * 2:
            agent.send("POST", "/conversations", {"human_id": human, "message": "Are you free tomorrow?"})
        fuzzed.send("POST", "/keys", {"name": "One to revoke"})
        self.webhooks = [{"id": webhook_of(agent)} for agent in (fuzzed, other)]
        self.sandbox = self.operator.send("POST", "/accounts", {"name": "Sandbox", "plan": "free", "sandbox": True})

    def worker(self, number):
        skills = [{"name": "Photography", "category": "Errands"}]
        texts = {"name": f"Worker {number}", "headline": "Photographs shop fronts", "bio": "", "city": "Chiyoda"}
        human = {**texts, "state": "Tokyo", "gender": "other", "hourly_rate": 2000, "skills": skills}
        number = self.operator.send("POST", "/humans", human)["id"]
        token = self.operator.send("POST", f"/humans/{number}/token")["token"]
        return Caller(self.url + "/worker/v1", "X-Worker-Token", token)

    def applications(self, agent, count):
        """Applications to so many bounties of an agent's, as the paths name them."""
        found = []
        for bounty in [bounty_of(agent) for _ in range(count)]:
            for worker in self.workers:
                application = worker.send("POST", f"/bounties/{bounty}/applications", {"message": "I can do that."})
                found.append({"id": bounty, "appId": application["id"]})
        return found

    def callers(self, surface):
        """Who calls a surface. The first one fuzzes; the other one must not see what is the first one's."""
        return {"agent": self.agents, "worker": self.workers, "operator": [self.operator]}[surface]

    def shut_out(self, surface):
        """The callers of a surface whose credentials do not work any more, each with what it is answered."""
        path = {"agent": "/keys", "worker": "/me", "operator": "/accounts"}[surface]
        for number, caller in enumerate(self.callers(surface)):
            try:
                caller.send("GET", path)
            except urllib.error.HTTPError as refusal:
                yield f"the credential of caller {number} has ended in the run ({refusal}): see `spared` in world.py"

    def known(self):
        """Operation -> path parameters that no generator guesses, because they belong together or are rare."""
        own, others = {"id": self.applied[0]["id"]}, {"id": self.of_other[0]["id"]}
        return {
            "agent_update_bounty": [own, others],
            "agent_list_applications": [own, others],
            "agent_decide_application": self.applied[:1] + self.of_other[:1] + self.applied[1:],
            "agent_test_webhook": self.webhooks,
            "agent_replay_webhook": self.webhooks,
            "worker_create_application": self.free[:1] + [self.closed, own] + self.free[1:],
            "operator_advance_clock": [{"id": self.sandbox["id"]}],
            "operator_create_account_key": [{"id": self.full_account}],
        }

    def spared(self):
        """Operation -> path parameters with which it would end the credential in use, or what `known` names."""
        return {"agent_delete_key": [{"id": key} for key in self.used_keys], "agent_delete_webhook": self.webhooks}


def account_with_all_its_keys(operator):
    account = operator.send("POST", "/accounts", {"name": "Agent with three keys", "plan": "free"})["id"]
    for name in ("Second", "Third"):
        operator.send("POST", f"/accounts/{account}/keys", {"name": name})
    return account


def bounty_of(agent):
    body = {"title": "Photograph a shop front", "description": "One picture, in daylight.", "budget": 25}
    return agent.send("POST", "/bounties", body)["id"]


def webhook_of(agent):
    return agent.send("POST", "/webhooks", {"url": "https://agent.example/hook"})["id"]

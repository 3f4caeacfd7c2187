"""Creates a webhook, answers its challenge, has a test sent, and verifies it. Writes what came to a file."""

import json
import os
import queue
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

URL = os.environ["HITODE_URL"]
TOKEN = os.environ["HITODE_OPERATOR_TOKEN"]
DEADLINE = 60
CAME = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    """Repeats challenges, and keeps everything else."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        message = json.loads(body)
        answer = b""
        if message.get("type") == "verification":
            answer = json.dumps({"challenge": message["challenge"]}).encode()
        else:
            CAME.put((dict(self.headers.items()), body))
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def call(method, path, header, body=None):
    """Calls the server, and returns the data."""
    data = None if body is None else json.dumps(body).encode()
    headers = dict([header], **{"Content-Type": "application/json"})
    request = urllib.request.Request(f"{URL}{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response).get("data")


def wait_until_active(key):
    """Waits until the only webhook is active."""
    end = time.monotonic() + DEADLINE
    while call("GET", "/api/v1/webhooks", key)[0]["status"] != "active":
        if time.monotonic() > end:
            sys.exit("webhooks: the challenge was repeated, but the webhook is not active")
        time.sleep(1)


def main(file):
    receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    account = call("POST", "/operator/v1/accounts", ("X-Operator-Token", TOKEN), {"name": "hooks", "plan": "free"})
    key = ("X-API-Key", account["key"])
    webhook = call("POST", "/api/v1/webhooks", key, {"url": f"http://127.0.0.1:{receiver.server_port}/hook"})
    wait_until_active(key)
    call("POST", f"/api/v1/webhooks/{webhook['id']}/test", key, {})
    headers, body = CAME.get(timeout=DEADLINE)
    headers = {name.lower(): value for name, value in headers.items()}
    library = Webhook(webhook["secret"])
    library.verify(body, headers)
    try:
        library.verify(body.replace("webhook.test", "webhook.fake"), headers)
        sys.exit("webhooks: the library for Python accepts another body")
    except WebhookVerificationError:
        print("webhooks: the library for Python verifies a delivery")
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"secret": webhook["secret"], "headers": headers, "body": body}, out)


main(sys.argv[1])

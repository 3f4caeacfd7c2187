"""A proxy that spoils what a server does, in one way at a time: a run that does not notice checks nothing.

Some operations are enough to see it: they list, make and show what belongs to their caller.
"""

import http.client
import http.server
import re
import threading
import typing
import urllib.parse

# By their ids.
OPERATIONS = "agent_(create_bounty|get_bounty|list_conversations|get_conversation)"


class Request(typing.NamedTuple):
    method: str
    path: str
    headers: dict
    body: bytes


class Answer(typing.NamedTuple):
    status: int
    headers: dict
    body: bytes


class Way(typing.NamedTuple):
    """A way to spoil: the failure of Schemathesis that it must lead to (`st explain --list`), and what is done."""

    noticed_by: str
    answer: typing.Callable = lambda request, answer, proxied: answer
    request: typing.Callable = lambda request, proxied: request


class Proxied:
    """What a proxy has seen: the credential that works, the last success of each kind of request."""

    def __init__(self, header, credentials):
        self.header, self.credentials, self.successes = header.lower(), credentials, {}

    def success(self, request):
        return self.successes.get(kind(request))


def kind(request):
    return request.method, re.sub(r"\d+", "#", urllib.parse.urlsplit(request.path).path)


def when(condition, change):
    """Changes an answer where the condition holds of the request and the answer."""
    return lambda request, answer, proxied: change(request, answer, proxied) if condition(request, answer) else answer


def of_status(*statuses):
    return lambda request, answer: answer.status in statuses


def with_status(status):
    return lambda request, answer, proxied: answer._replace(status=status)


def with_text(before, after):
    return lambda request, answer, proxied: answer._replace(body=answer.body.replace(before, after))


def without_header(name):
    def drop(request, answer, proxied):
        return answer._replace(headers={key: value for key, value in answer.headers.items() if key.lower() != name})

    return drop


def with_header(name, value):
    return lambda request, answer, proxied: answer._replace(
        headers={**without_header(name)(request, answer, proxied).headers, name: value}
    )


def with_offsets(request, answer, proxied):
    return answer._replace(body=re.sub(rb'("\w+_at":"[^"]+)"', rb'\1Z"', answer.body))


def as_success(request, answer, proxied):
    return proxied.success(request) or answer


def as_first_caller(request, proxied):
    """Whoever asks, and be it nobody, is taken for the first caller."""
    return request._replace(headers={**request.headers, proxied.header: proxied.credentials[0]})


def as_owner(request, proxied):
    """Whoever has a credential and asks for one thing by its id is taken for the first caller."""
    is_known = request.headers.get(proxied.header) in proxied.credentials
    return as_first_caller(request, proxied) if is_known and names_id(request) else request


def with_last_parameters(request, proxied):
    """Of parameters that are given twice, the last one counts."""
    path, mark, query = request.path.partition("?")
    given = {pair.partition("=")[0]: pair for pair in query.split("&")}
    return request._replace(path=path + mark + "&".join(given.values()))


def is_read_by_id(request, answer):
    return request.method == "GET" and answer.status == 200 and names_id(request)


def names_id(request):
    return re.search(r"/\d+", request.path) is not None


WAYS = {
    "breaks down": Way("ST101", when(of_status(404), with_status(500))),
    "an undeclared status": Way("ST103", when(of_status(404), with_status(410))),
    "a header is missing": Way("ST107", without_header("x-request-id")),
    "another media type": Way("ST105", with_header("content-type", "text/plain")),
    "a member renamed": Way("ST108", with_text(b'"data":', b'"items":')),
    "a member that is not named": Way("ST108", with_text(b'"data":', b'"more":1,"data":')),
    "a point in time with an offset": Way("ST108", with_offsets),
    "bad requests are served": Way("ST201", when(of_status(400), as_success)),
    "a parameter given twice is served": Way("ST901", request=with_last_parameters),
    "good requests are rejected": Way("ST202", when(of_status(200), with_status(400))),
    "a missing credential is a bad request": Way("ST203", when(of_status(401), with_status(400))),
    "other methods are not there": Way("ST204", when(of_status(405), with_status(400))),
    "no word of the methods there are": Way("ST204", when(of_status(405), without_header("allow"))),
    "wrong word of the methods there are": Way("ST205", when(of_status(405), with_header("allow", "PUT"))),
    "what was made is not there": Way("ST302", when(is_read_by_id, with_status(404))),
    "no credential is asked for": Way("ST401", request=as_first_caller),
    "what is another's is shown": Way("ST402", request=as_owner),
    "another row of the table": Way("ST901", when(of_status(404), with_text(b"not found", b"is gone"))),
}


def proxy(way, url, callers):
    """Starts a proxy before a server; its address."""
    proxied = Proxied(callers[0].header, [caller.credential for caller in callers])
    handler = type("Handler", (Handler,), {"way": WAYS[way], "server_url": url, "proxied": proxied})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    """Passes each request on, and the answer back."""

    protocol_version = "HTTP/1.1"

    def __getattr__(self, name):
        """Any method is passed on."""
        if name.startswith("do_"):
            return self.pass_on
        raise AttributeError(name)

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = self.way.request(Request(self.command, self.path, headers, body), self.proxied)
        answer = self.forwarded(request)
        if answer.status < 300:
            self.proxied.successes[kind(request)] = answer
        answer = self.way.answer(request, answer, self.proxied)
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def forwarded(self, request):
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.server_url).netloc)
        headers = {name: value for name, value in request.headers.items() if name not in ("host", "connection")}
        connection.request(request.method, request.path, request.body, headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        kept = {
            name: value
            for name, value in answer.getheaders()
            if name.lower() not in ("content-length", "connection", "transfer-encoding")
        }
        return Answer(answer.status, kept, body)

    def log_message(self, *arguments):
        pass

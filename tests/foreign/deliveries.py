"""Sends the events of accounts to their webhooks, one thread for each webhook. Knows no routes and no store."""
import base64
import hashlib
import hmac
import http.client
import ipaddress
import json
import re
import secrets
import socket
import ssl
import threading
from urllib.parse import urlsplit

DELAYS = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)     # ten attempts over three days
FAILING = 5 * 86400     # seconds of failures only, after which a webhook is disabled
WAITING = 32            # events of a webhook that wait for another attempt; later ones stay in the feed
TIMEOUT = 15
CHALLENGE, TEST = 'challenge', 'test'


class Deliveries:
    def __init__(self, changed, webhooks, kept_events, on_disabled, now, stamp, has_defect):
        """`changed` is the condition that every new event, and every change of a webhook, notifies."""
        self.changed, self.webhooks, self.kept_events = changed, webhooks, kept_events
        self.on_disabled, self.now, self.stamp, self.B = on_disabled, now, stamp, has_defect
        self.reach = 'public'

    # what the operations do, while they hold the lock

    def begin(self, w):
        newest = max((n for n, _ in self.kept_events(w)), default=0)
        w.update(cursor=newest, replays=0, failing=None, waiting={CHALLENGE: (self.now(), 0)})
        if self.reach != 'none':
            threading.Thread(target=self.work, args=(w,), daemon=True).start()

    def test(self, w):
        if w['status'] == 'active':
            w['waiting'][TEST] = (self.now(), 0)
        else:
            w.update(status='unverified', failing=None)
            w['waiting'][CHALLENGE] = (self.now(), 0)
        self.changed.notify_all()

    def replay(self, w, after):
        newest = max((n for n, _ in self.kept_events(w)), default=0)
        w.update(cursor=min(after, newest), replays=w['replays'] + 1)
        w['waiting'] = {item: at for item, at in w['waiting'].items() if item in (CHALLENGE, TEST) or item <= after}
        self.changed.notify_all()

    # the thread of a webhook

    def work(self, w):
        while True:
            with self.changed:
                while w['id'] in self.webhooks or self.B('deliver-deleted'):
                    kept = dict(self.kept_events(w))
                    item, wait = self.due(w, kept)
                    if item is not None:
                        break
                    self.changed.wait(wait)
                else:
                    return
                replays, at = w['replays'], int(self.now())
                message_id, body = self.message(w, item, at, kept)
                request = w['url'], self.sign(w['secret'], message_id, at, body), body
            result = post(*request, self.reach)
            if item == CHALLENGE and result[0] == 'delivered' and not (repeats(result[1], body) or self.B('deliver-unchallenged')):
                result = 'wrong_challenge', b''
            with self.changed:
                self.settle(w, item, result[0], replays)

    def due(self, w, kept):
        """What to send now; or None, and the seconds to wait, or None until something changes."""
        w['waiting'] = {item: at for item, at in w['waiting'].items() if item in (CHALLENGE, TEST) or item in kept}
        permitted = {item: at[0] for item, at in w['waiting'].items()
                     if w['status'] == ('unverified' if item == CHALLENGE else 'active')}
        first = min(permitted, key=permitted.get, default=None)
        if first is not None and permitted[first] <= self.now():
            return first, None
        if w['status'] == 'active' and sum(item != TEST for item in permitted) < WAITING:
            for n, event in kept.items():
                named = event['name'] in (w['events'] or [event['name']]) or self.B('deliver-all-kinds')
                if n > w['cursor'] and named and not (self.B('deliver-half') and n % 2):
                    return n, None
        return None, None if first is None else permitted[first] - self.now()

    def message(self, w, item, at, kept):
        """The id and the body of the request."""
        name = f'{item}_{w["id"]}_{at}'
        if item == CHALLENGE:
            return name, encoded({'type': 'verification', 'challenge': secrets.token_urlsafe(30)})
        if item == TEST:
            data = {'webhook_id': w['id']}
            return name, encoded({'eventId': name, 'name': 'webhook.test', 'timestamp': self.stamp(at), 'data': data,
                                  'cursor': None})
        event = kept[item]
        if self.B('deliver-data-only'):
            return event['eventId'], encoded(event['data'])
        if self.B('deliver-without-cursor'):
            event = {**event, 'cursor': None}
        return secrets.token_hex(8) if self.B('deliver-other-id') else event['eventId'], encoded(event)

    def settle(self, w, item, result, replays):
        if w['id'] not in self.webhooks and not self.B('deliver-deleted'):
            return
        at = self.now()
        attempts = w['waiting'].pop(item, (0, 0))[1] + 1
        if item not in (CHALLENGE, TEST) and replays == w['replays']:
            w['cursor'] = max(w['cursor'], item)
        w['last'] = result, at
        if result == 'delivered':
            w['failing'] = None
            if item == CHALLENGE and w['status'] == 'unverified':
                w['status'] = 'active'
            return
        w['failing'] = at if w['failing'] is None else w['failing']
        is_last = item == TEST or attempts > len(DELAYS)
        if result == 'gone' or at - w['failing'] >= FAILING or item == CHALLENGE and is_last:
            w['status'] = 'disabled'
            self.on_disabled(w)
        elif not is_last and (item == CHALLENGE or item <= w['cursor']):
            w['waiting'][item] = (at + DELAYS[attempts - 1], attempts)

    def sign(self, secret, message_id, at, body):
        if self.B('deliver-signs-body'):
            return {**sign(secret, message_id, at, body), **signature(secret, body)}
        if self.B('deliver-signs-later'):
            return {**sign(secret, message_id, at + 1, body), 'webhook-timestamp': str(at)}
        if self.B('deliver-signs-with-text'):
            return sign('whsec_' + base64.b64encode(secret.encode()).decode(), message_id, at, body)
        return sign(secret, message_id, at, body)


def encoded(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':')).encode()


def repeats(answer, body):
    """Whether the answer is the challenge of the body, and not the body itself."""
    try:
        stated = json.loads(answer)
        return stated['challenge'] == json.loads(body)['challenge'] and 'type' not in stated
    except (ValueError, TypeError, KeyError):
        return False


def sign(secret, message_id, at, body):
    """The headers of Standard Webhooks."""
    return {'Content-Type': 'application/json', 'webhook-id': message_id, 'webhook-timestamp': str(at),
            **signature(secret, f'{message_id}.{at}.'.encode() + body)}


def signature(secret, signed):
    digest = hmac.digest(base64.b64decode(secret.removeprefix('whsec_')), signed, hashlib.sha256)
    return {'webhook-signature': 'v1,' + base64.b64encode(digest).decode()}


def post(url, headers, body, reach):
    """Sends a request. Returns its result, and the first bytes of the answer."""
    try:
        parts = urlsplit(url)
        is_https, port = parts.scheme == 'https', parts.port
    except ValueError:
        return 'invalid_url', b''
    if not (is_https or reach == 'any' and parts.scheme == 'http') or not parts.hostname or '@' in parts.netloc \
            or '#' in url:
        return 'invalid_url', b''
    try:
        found = socket.getaddrinfo(parts.hostname, port or (443 if is_https else 80), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return 'unresolved', b''
    address = next((a[4] for a in found if reach == 'any' or is_public(ipaddress.ip_address(a[4][0]))), None)
    if address is None:
        return 'unresolved', b''
    return exchange(is_https, parts, address, headers, body)


RESERVED = ('alt', 'example', 'home.arpa', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test')


def can_be_reached(url):
    """Whether the host of a URL may be public, as far as its form tells."""
    try:
        host = (urlsplit(url).hostname or '').removesuffix('.')
    except ValueError:
        return True
    try:
        return is_public(ipaddress.ip_address(host))
    except ValueError:
        pass
    # What is no name has a result of its own.
    is_name = re.fullmatch(r'[a-z0-9_.-]*[a-z][a-z0-9_-]*', host)
    return not is_name or '.' in host and not any(f'.{host}'.endswith(f'.{name}') for name in RESERVED)


def is_public(address):
    return address.is_global and not address.is_multicast


def exchange(is_https, parts, address, headers, body):
    target = (parts.path or '/') + (f'?{parts.query}' if parts.query else '')
    late = threading.Event()
    connection = http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT)
    try:
        connection.sock = socket.create_connection(address[:2], TIMEOUT)
        if is_https:
            connection.sock = ssl.create_default_context().wrap_socket(
                connection.sock, server_hostname=parts.hostname, do_handshake_on_connect=False)
        # A receiver that sends a byte now and then does not get more time.
        timer = threading.Timer(TIMEOUT, lambda: (late.set(), connection.sock.shutdown(socket.SHUT_RDWR)))
        timer.start()
        try:
            if is_https:
                connection.sock.do_handshake()
            connection.request('POST', target, body, headers)
            response = connection.getresponse()
            return result_of(response.status), response.read(4096)
        finally:
            timer.cancel()
    except TimeoutError:
        return 'timeout', b''
    except ssl.SSLError:
        return 'tls', b''
    except (OSError, http.client.HTTPException, ValueError):
        return 'timeout' if late.is_set() else 'connection', b''
    finally:
        connection.close()


def result_of(status):
    if 200 <= status < 300:
        return 'delivered'
    if status == 410:
        return 'gone'
    if 300 <= status < 400:
        return 'redirect'
    return 'http_4xx' if 400 <= status < 500 else 'http_5xx'

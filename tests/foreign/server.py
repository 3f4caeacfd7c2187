#!/usr/bin/env python3
"""The Hitode marketplace, written from its published documents only. In memory, standard library only."""
import argparse
import base64
import difflib
import hashlib
import http.server
import json
import math
import os
import random
import re
import secrets
import socket
import string
import sys
import threading
import time
import unicodedata
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from urllib.parse import quote, unquote_to_bytes

from defects import DEFECTS
from deliveries import Deliveries, can_be_reached
from tools import Tools

ON = set()          # the defects of this run


def B(name):
    return name in ON


LIMITS = True
OPERATOR = ''
HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(HERE, '..', 'docs')
LOCK = threading.RLock()
CHANGED = threading.Condition(LOCK)
ALNUM = string.digits + string.ascii_letters
MAX_ID = 2 ** 53 - 1
MAX_BODY, MAX_IMPORT, MAX_SECONDS = 262144, 8388608, 30
MAX_FILE, MAX_FILE_SECONDS = 26214400, 600
MIN_RATE, GRACE = 1024, 10
IN_FLIGHT = 32
WAITING = 5          # requests of a caller for events, beside the others
SENDING = 4          # those that send a file
KEPT_SECONDS, KEPT, CONCERNED = 30 * 86400, 10000, 1000

# For tests only: a clock that moves by a fixed step with each request, and keys that are not random.
TICK = float(os.environ.get('OUTSIDER_TICK', 0))
RANDOM = random.Random(1) if TICK else secrets.SystemRandom()
_clock = [1795260607.0]


def now():
    return _clock[0] if TICK else time.time()


def stamp(t):
    if t is None:
        return None
    text = (datetime(1970, 1, 1) + timedelta(seconds=int(t) + (32400 if B('timestamp-local') else 0))).isoformat()
    if B('timestamp-fraction'):
        text += '.%03d' % (t % 1 * 1000)
    return text + ('Z' if B('timestamp-z') else '')


class Err(Exception):
    def __init__(self, status, text, headers=None):
        self.status, self.text, self.headers = status, text, headers or {}


# The names of the errors, by the status and the beginning of the text.
ERRORS = [
    (404, 'no such endpoint', 'no_route'), (405, '', 'no_method'), (429, 'too many failed', 'guessing'),
    (401, '', 'no_credential'), (403, 'this account is suspended', 'suspended'), (429, 'rate limit', 'rate'),
    (429, 'at most', 'in_flight'), (415, '', 'media_type'), (413, '', 'too_large'), (408, '', 'too_slow'),
    (403, 'the verified plan', 'plan'), (404, '', 'absent'), (403, 'only the owner', 'not_owner'),
    (422, '', 'key_reused'), (409, 'another worker has', 'external_id_taken'), (409, r'worker \d+ is erased', 'erased'), (409, r'file \d+ is in a message', 'file_is_sent'),
    (409, r'application \d+ was decided', 'not_pending'), (409, 'the application is not accepted', 'not_accepted'),
    (409, r'bounty \d+ is not completed', 'not_completed'), (409, r'application \d+ was already reviewed', 'already_reviewed'),
    (409, '', 'key_secret'), (403, 'at most', 'quota'), (400, r'(bounty|application) \d+ is \w+ and cannot become', 'move'),
    (400, r'account \d+ is not in the sandbox', 'not_sandbox'), (400, r'bounty \d+ is not open, only open bounties take votes', 'voting_closed'), (400, r'bounty \d+ is not open', 'not_open'), (400, 'you have already applied', 'already_applied'), (400, 'you have withdrawn', 'withdrawn'), (403, 'the operator has locked bounty', 'locked'),
    (403, 'the code is wrong', 'wrong_code'), (400, '`ids` names a worker', 'unknown_human'),
    (400, '`url` has a private or reserved host', 'unreachable_url'), (400, '`files` names a file', 'unknown_file'),
    (400, 'the file cannot be read as an image', 'unreadable_file'), (400, 'the text with the names of its', 'long_message'),
    (400, '', 'invalid'), (500, '', 'internal')]


def error_code(status, text):
    if B('error-code-of-status'):
        text = ''
    return next((name for known, start, name in ERRORS if known == status and re.match(start, text)), 'internal')


def nfkc(s):
    return unicodedata.normalize('NFKC', s)


def alike(s):
    return nfkc(nfkc(s).casefold())


# ---------------------------------------------------------------- values

CONTROL = re.compile('[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]')
BIDI = re.compile('[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]')
INVISIBLE = re.compile('[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e'
                       '\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]')


class Float(float):
    """A number with a decimal point or an exponent, and what was sent."""
    raw = ''


class Fault(str):
    """What is wrong with a value: a text, and a code for programs with the place of the value."""
    code = ''


def wrong(faults, at, text, code, *values, of=None):
    """`of`: the place, if it is not that of the subject of the text."""
    fault = Fault(f'{at} {text}' if at else text)
    shown = [str(v) for v in values]
    for i, v in enumerate(shown):
        if not re.fullmatch('[!-+\\--:<-~]*', v):
            shown = shown[:i]
            break
    place = at.strip('`') if of is None else of
    if B('fault-place-missing'):
        place = ''
    if B('fault-code-of-length') and code == 'length':
        code = 'range'
    fault.code = ';'.join([place, code, *shown])
    faults.append(fault)


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def decimals(v):
    _, digits, exponent = Decimal(getattr(v, 'raw', None) or str(v)).as_tuple()
    digits = list(digits)
    while digits and digits[-1] == 0:
        digits.pop()
        exponent += 1
    return max(0, -exponent) if digits else 0


class Text:
    def __init__(self, most=None, bidi=True, empty=False, kind=''):
        self.most, self.bidi, self.empty, self.kind = most, bidi, empty, kind

    def json(self, v, at, faults):
        if not isinstance(v, str):
            wrong(faults, at, 'must be a text', 'type', 'string')
            return None
        n = len(v)
        if B('length-utf16'):
            n = len(v.encode('utf-16-le', 'surrogatepass')) // 2
        if B('length-bytes') and self.kind == 'name':
            n = len(v.encode('utf-8', 'surrogatepass'))
        most = self.most
        if most and B('title-201') and self.kind == 'title':
            most = 201
        if B('long-text-9999') and self.kind == 'long':
            most = 9999
        if any(0xd800 <= ord(c) < 0xe000 for c in v):
            wrong(faults, at, 'must consist of Unicode characters, without lone surrogates', 'json', of='')
        elif not v:
            if not self.empty or B('bio-required'):
                wrong(faults, at, 'must not be empty', *self.length())
        elif most and n > most:
            wrong(faults, at, f'must have at most {self.most} characters', *self.length())
        elif CONTROL.search(v) and not B('control-characters'):
            wrong(faults, at, 'must not have control characters except tabs and line breaks', 'control')
        elif not self.bidi and BIDI.search(v) and not B('name-bidi'):
            wrong(faults, at, 'must not have bidirectional controls', 'bidi')
        elif all(c.isspace() or c == '\ufeff' for c in v):
            if not B('blank-text'):
                wrong(faults, at, 'must not consist of white space only', 'blank')
        elif all(c.isspace() or INVISIBLE.match(c) for c in v) and not B('invisible-text'):
            wrong(faults, at, 'must not consist of white space and invisible characters only', 'blank')
        else:
            return self.stored(v)
        return v

    def length(self):
        return 'length', 0 if self.empty else 1, self.most or ''

    def stored(self, v):
        if B('text-trim'):
            v = v.strip()
        if B('text-nfc'):
            v = unicodedata.normalize('NFC', v)
        if B('text-nfkc') and self.kind == 'name':
            v = nfkc(v)
        if B('text-lines'):
            v = v.replace('\r\n', ' ').replace('\n', ' ')
        if B('text-html'):
            v = v.replace('&', '&amp;').replace('<', '&lt;')
        if B('text-astral'):
            v = re.sub('[\U00010000-\U0010ffff]', '?', v)
        return v

    def query(self, s, at, faults):
        return self.json(s, at, faults)


class Chars(Text):
    """A text of certain characters only."""
    def __init__(self, chars, most):
        self.chars, self.most = chars, most

    def json(self, v, at, faults):
        chars = 'A-Z' + self.chars if B('slug-uppercase') and self is SLUG else self.chars
        chars = ' -~' if B('webhook-url-spaces') and self is URL else chars
        if not isinstance(v, str):
            wrong(faults, at, 'must be a text', 'type', 'string')
        elif not re.fullmatch('[%s]{1,%d}' % (chars, self.most), v):
            text = f'must have from 1 to {self.most} characters, only from `{self.chars}`'
            of_length = ('length', 1, self.most), ('characters', self.chars)
            wrong(faults, at, text, *of_length[1 <= len(v) <= self.most])
        return v


class Enum:
    def __init__(self, *values):
        self.values = values

    def json(self, v, at, faults):
        values = self.values
        if B('decision-pending') and values == ('accepted', 'rejected'):
            values += ('pending',)
        if B('gender-case') and 'male' in values and isinstance(v, str):
            v = v.lower()
        if values == OF_ACCOUNTS and B('webhook-events-unchecked') and isinstance(v, str):
            return v
        if v not in values or not isinstance(v, str):
            code = ('choice', *self.values) if isinstance(v, str) else ('type', 'string')
            wrong(faults, at, 'must be one of ' + ', '.join(f'`{x}`' for x in self.values), *code)
        return v

    query = json


class Int:
    def __init__(self, low, high=None):
        self.low, self.high = low, high

    def json(self, v, at, faults):
        if B('float-integer') and isinstance(v, float) and not math.isinf(v) and v == int(v):
            v = int(v)
        if not isinstance(v, int) or isinstance(v, bool):
            wrong(faults, at, 'must be an integer', 'type', 'integer')
        elif v < self.low and B('offset-negative') and self.low == 0 and at == '`offset`':
            v = 0
        elif B('page-size-clamped') and self.high == 100 and v > 100:
            v = 100
        elif v < self.low or v > (self.high or 2 ** 63 - 1):
            wrong(faults, at, f'must be from {self.low} to {self.high}' if self.high
                  else f'must be at least {self.low}' if v < self.low else 'is too large',
                  'range', self.low, self.high or '')
        return v

    def query(self, s, at, faults):
        if not re.fullmatch('-?[0-9]{1,400}', s):
            wrong(faults, at, 'must be an integer', 'type', 'integer')
            return None
        return self.json(int(s), at, faults)


class Number:
    def __init__(self, low=None, high=None, above=False, places=None, kind=''):
        self.low, self.high, self.above, self.places, self.kind = low, high, above, places, kind

    def json(self, v, at, faults):
        if B('string-number') and self.kind == 'usd' and isinstance(v, str) and re.fullmatch(r'[0-9]+(\.[0-9]+)?', v):
            v = float(v) if '.' in v else int(v)
        if not is_number(v):
            wrong(faults, at, 'must be a number', 'type', 'number')
            return v
        low, high, above = self.low, self.high, self.above
        if B('budget-zero') and self.kind == 'usd':
            above = False
        if B('rating-10') and self.kind == 'score':
            high = 10
        if B('rate-zero-refused') and self.kind == 'rate':
            above = True
        if low is not None and (v < low or above and v == low) or high is not None and v > high:
            wrong(faults, at, 'must be ' + ('above' if self.above else 'from') + f' {self.low} '
                  + ('and at most' if self.above else 'to') + f' {self.high}', *self.range(v))
        elif self.places is not None and decimals(v) > self.places and not B('budget-three-decimals'):
            wrong(faults, at, f'must have at most {self.places} decimal places', 'decimals', self.places)
        return v

    def range(self, v):
        if abs(v) >= 2 ** 1024:
            return 'double',
        bounds = ['' if x is None else x for x in (self.low, self.high)]
        return 'above' if self.above else 'range', *bounds

    def query(self, s, at, faults):
        if not re.fullmatch(r'-?[0-9]{1,400}(\.[0-9]{1,400})?', s):
            wrong(faults, at, 'must be a number', 'type', 'number')
            return None
        d = Decimal(s)
        if B('rate-whole'):
            d = Decimal(int(d))
        low, high = self.low, self.high
        if low is not None and (d < low or self.above and d == low) or high is not None and d > high:
            wrong(faults, at, 'must be ' + ('above' if self.above else 'from') + f' {low} to {high}', *self.range(d))
        elif self.places is not None and -d.normalize().as_tuple().exponent > self.places:
            wrong(faults, at, f'must have at most {self.places} decimal places', 'decimals', self.places)
        return d


class Bool:
    def json(self, v, at, faults):
        if not isinstance(v, bool):
            wrong(faults, at, 'must be `true` or `false`', 'type', 'boolean')
        return v


class Flag:
    def query(self, s, at, faults):
        if s not in (('1', '0') if B('flag-true-refused') else ('true', '1', 'false', '0')):
            wrong(faults, at, 'must be `true` or `1`, `false` or `0`', 'type', 'boolean')
        return s in ('true', '1')


class Date:
    def json(self, v, at, faults):
        if isinstance(v, str) and re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', v, re.A):
            if B('date-format-only'):
                return v
            try:
                d = date.fromisoformat(v)
                if B('deadline-past-refused') and d < date(2020, 1, 1):
                    wrong(faults, at, 'must not be in the past', 'date')
                return v
            except ValueError:
                pass
        code = ('date',) if isinstance(v, str) else ('type', 'date')
        wrong(faults, at, 'must be a date, such as 2026-11-21', *code)
        return v


class Cursor:
    def query(self, s, at, faults):
        if s != 'now' and not re.fullmatch('0|[1-9][0-9]{0,15}', s, re.A):
            wrong(faults, at, 'must be a cursor, or `now`', 'cursor')
            return None
        return s if s == 'now' else int(s)


class EventNames:
    def __init__(self, known):
        self.known = known

    def query(self, s, at, faults):
        names = s.split(',')
        known = EVENTS if B('event-names-of-others') else self.known
        for name in names:
            if name not in known and not B('event-names-unchecked'):
                near = difflib.get_close_matches(name, known, 1)
                wrong(faults, at, f'has no event `{name[:60]}`' + (f', did you mean `{near[0]}`?' if near else ''),
                      'choice', *known)
        return names[:1] if B('event-names-first') else names


class Sha256(Text):
    def __init__(self):
        super().__init__(64)

    def json(self, v, at, faults):
        before = len(faults)
        v = super().json(v, at, faults)
        if len(faults) == before and not re.fullmatch('[0-9a-f]{64}', v) and not B('digest-any'):
            wrong(faults, at, 'must have 64 characters of 0-9a-f',
                  *(('characters', '0-9a-f') if len(v) == 64 else ('length', 64, 64)))
        return v

    def length(self):
        return 'length', 64, 64


class List:
    def __init__(self, item, low=0, high=None, unique=None, kind=''):
        self.item, self.low, self.high, self.unique, self.kind = item, low, high, unique, kind

    def json(self, v, at, faults):
        if not isinstance(v, list):
            wrong(faults, at, 'must be a list', 'type', 'list')
            return v
        high = 21 if B('photos-21') and self.kind == 'photos' else self.high
        if len(v) < self.low or len(v) > high:
            wrong(faults, at, f'must have from {self.low} to {self.high} items', 'items', self.low, self.high)
            return v
        name = at.strip('`')
        out = [self.item.json(x, f'`{name}[{i}]`', faults) for i, x in enumerate(v)]
        if self.unique and all(isinstance(x, dict) and isinstance(x.get(self.unique), str) for x in out):
            seen = set()
            for i, x in enumerate(out):
                key = x[self.unique] if B('skills-unique-exact') else alike(x[self.unique])
                if key in seen:
                    wrong(faults, f'`{name}[{i}].{self.unique}`', 'is there more than once', 'duplicate')
                seen.add(key)
        return out


class Photo:
    def json(self, v, at, faults):
        if not isinstance(v, dict):
            wrong(faults, at, 'must be an object', 'type', 'object')
            return v
        bad = []

        twice = []

        def walk(x):
            if isinstance(x, dict):
                twice.extend(getattr(x, 'twice', []))
                return {walk(k): walk(y) for k, y in x.items() if y is not None or not B('photo-nulls-dropped')}
            if isinstance(x, list):
                return [walk(y) for y in x]
            if isinstance(x, str):
                if any(0xd800 <= ord(c) < 0xe000 for c in x):
                    bad.append(('has lone surrogates', 'json'))
            elif is_number(x):
                try:
                    f = float(x)
                except OverflowError:
                    f = math.inf
                if math.isinf(f):
                    bad.append(('has a number that is too large', 'double'))
                    return 0
                return x if isinstance(x, int) and abs(x) <= MAX_ID else f
            return x
        v = walk(v)
        text = json.dumps(v, ensure_ascii=False, separators=(',', ':'))
        size = len(text if B('photo-size-characters') else text.encode('utf-8', 'surrogatepass'))
        if bad:
            wrong(faults, at, *bad[0], of='' if bad[0][1] == 'json' else None)
        elif size > 2048 and not B('photo-size'):
            wrong(faults, at, 'must have at most 2048 bytes as JSON', 'bytes', 2048)
        elif twice and not B('duplicate-member'):
            wrong(faults, at, f'must not have `{twice[0][:60]}` twice in one object', 'repeated')
        return v


REQUIRED = object()     # a member that must be there
PATCHED = object()      # a member that stays as it is if it is absent
NULLED = object()       # the same, and null is a value


class Object:
    def __init__(self, members, at_least_one=False):
        self.members, self.at_least_one = members, at_least_one

    def json(self, v, at, faults):
        pre = at.strip('`') + '.' if at else ''
        if not isinstance(v, dict):
            wrong(faults, at or 'the body', 'must be ' + ('an object' if at else 'a JSON object'), 'type', 'object',
                  of=at.strip('`'))
            return {}
        twice = [] if B('duplicate-member') else getattr(v, 'twice', [])
        for name in dict.fromkeys(twice):
            if name in self.members:
                wrong(faults, f'`{pre}{name}`', 'is given more than once', 'repeated')
        unknown = [name for name in twice if name not in self.members]
        unknown_names([*v, *unknown], self.members, pre, faults, B('unknown-member-ignored'))
        out = {}
        for name, (kind, default) in self.members.items():
            here = f'`{pre}{name}`'
            if name in twice:
                # Which of its values is meant is unknown, so nothing is said of them.
                continue
            if name not in v:
                if default is REQUIRED:
                    wrong(faults, here, 'is required', 'required')
                elif default is not PATCHED and default is not NULLED:
                    out[name] = default() if callable(default) else default
            elif v[name] is None and default is not REQUIRED and default is not PATCHED:
                if B('null-is-error'):
                    wrong(faults, here, 'must not be null', 'null')
                out[name] = (None if B('null-not-default') or default is NULLED else
                             default() if callable(default) else default)
            elif v[name] is None:
                wrong(faults, here, 'is required' if default is REQUIRED else 'must not be null', 'null')
            else:
                out[name] = kind.json(v[name], here, faults)
        if self.at_least_one and not any(m in v for m in self.members) and not B('patch-empty'):
            wrong(faults, 'the body', 'must have at least one of ' + ', '.join(f'`{m}`' for m in self.members),
                  'any', *self.members, of='')
        return out


def unknown_names(given, known, pre, faults, ignored):
    for name in given:
        if name not in known and not ignored:
            near = difflib.get_close_matches(name, list(known), 1, 0.5)
            shown = name if len(name) <= 60 else name[:60] + '…'
            shown = CONTROL.sub('?', shown).encode('utf-8', 'replace').decode()
            wrong(faults, f'`{pre}{shown}`', 'is not known here' + (f', did you mean `{near[0]}`?' if near else ''),
                  'unknown', of=pre.rstrip('.'))


class File:
    """A body that is a file: its bytes."""
    STARTS = {'image/jpeg': b'\xff\xd8\xff', 'image/png': b'\x89PNG\r\n\x1a\n', 'image/webp': b'RIFF(?s:....)WEBP',
              'application/pdf': b'%PDF-'}
    TYPES = (*STARTS, 'text/plain', 'text/csv')

    def bytes(self, raw, media_type, faults):
        if not raw and not B('file-empty'):
            wrong(faults, '', 'the file is empty', 'content')
        elif media_type in self.STARTS:
            if not re.match(self.STARTS[media_type], raw):
                wrong(faults, '', 'the file does not begin like one of its type', 'content')
        elif media_type in self.TYPES:
            try:
                is_text = '\0' not in raw.decode('utf-8')
            except UnicodeDecodeError:
                is_text = False
            if not is_text:
                wrong(faults, '', 'the file is no text in UTF-8 without null characters', 'content')
        return {'media_type': media_type, 'content': raw}


NAME = Text(100, bidi=False, kind='name')
FILE_NAME = Text(200, bidi=False)
FILE = File()
TITLE = Text(200, bidi=False, kind='title')
LONG = Text(10000, kind='long')
BIO = Text(10000, empty=True)
PLACE = Text(200)
SLUG = Chars('a-z0-9_-', 64)
URL = Chars('!-~', 2000)
TERM = Text()
USD = Number(0, 10000000, above=True, places=2, kind='usd')
HOURS = Number(0, 10000, above=True)
RATE = Number(0, 100000, places=2, kind='rate')
SCORE = Number(0, 5, places=2, kind='score')
BOUND = Number()
COUNT = Int(0)
ID = Int(-10**30, 10**30)
BOOL = Bool()
PLAN = Enum('free', 'verified')
GENDER = Enum('male', 'female', 'other')
STATUS = Enum('open', 'in_progress', 'completed', 'cancelled')
OF_ACCOUNTS = ('application.created', 'application.withdrawn', 'work.delivered', 'message.created', 'webhook.disabled')
OF_WORKERS = ('application.decided', 'review.created', 'bounty.updated', 'conversation.created', 'message.created')
EVENTS = tuple(dict.fromkeys(OF_ACCOUNTS + OF_WORKERS))
EVENT = Enum(*OF_ACCOUNTS)
DECISION = Enum('accepted', 'rejected')
SKILLS = List(Object({'name': (NAME, REQUIRED), 'category': (NAME, REQUIRED)}), 0, 30, unique='name')
SKILL_NAMES = List(NAME, 0, 30)
PHOTOS = List(Photo(), 0, 20, kind='photos')
HUMAN = {
    'name': NAME, 'headline': TITLE, 'bio': BIO, 'city': NAME, 'state': NAME, 'gender': GENDER, 'hourly_rate': RATE,
    'rating': SCORE, 'total_reviews': COUNT, 'is_verified': BOOL, 'is_available': BOOL, 'photos': PHOTOS,
    'external_id': Text(100, bidi=False), 'skills': SKILLS}
HUMAN_DEFAULTS = {
    'external_id': None,
    'rating': 0, 'total_reviews': 0, 'is_verified': lambda: B('verified-default'),
    'is_available': lambda: not B('unavailable-default'), 'photos': list}
NEW_HUMAN = Object({m: (t, HUMAN_DEFAULTS.get(m, REQUIRED)) for m, t in HUMAN.items()})
HUMAN_PATCH = Object({m: (t, NULLED if m == 'external_id' else PATCHED)
                      for m, t in sorted({**HUMAN, 'suspended': BOOL}.items(), key=lambda one: one[0] == 'skills')}, True)
ME = ('headline', 'bio', 'city', 'hourly_rate', 'is_available', 'skills')
ME_PATCH = Object({m: (HUMAN[m], PATCHED) for m in ME}, True)
NAME_BODY = Object({'name': (NAME, REQUIRED)})
WEBHOOK_BODY = Object({'url': (URL, REQUIRED), 'events': (List(EVENT, 0, 20), list)})
REPLAY_BODY = Object({'after': (Chars('0-9', 15), REQUIRED)})
PAGE = {'limit': (Int(1, 100), 20), 'offset': (Int(0), 0)}
WORKERS_QUERY = {'min_budget': (USD, None), 'skill': (TERM, None), 'q': (Text(100), None)}
BOUNTY_QUERY = {'category': (TERM, None), 'is_remote': (Flag(), None), 'location': (TERM, None), **PAGE}

# ---------------------------------------------------------------- prefectures

KANJI = ('北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 '
         '富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県 三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 '
         '鳥取県 島根県 岡山県 広島県 山口県 徳島県 香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 '
         '鹿児島県 沖縄県').split()
ROMAJI = ('Hokkaido Aomori Iwate Miyagi Akita Yamagata Fukushima Ibaraki Tochigi Gunma Saitama Chiba Tokyo Kanagawa '
          'Niigata Toyama Ishikawa Fukui Yamanashi Nagano Gifu Shizuoka Aichi Mie Shiga Kyoto Osaka Hyogo Nara '
          'Wakayama Tottori Shimane Okayama Hiroshima Yamaguchi Tokushima Kagawa Ehime Kochi Fukuoka Saga Nagasaki '
          'Kumamoto Oita Miyazaki Kagoshima Okinawa').split()
SUFFIX = {'都': '-to', '府': '-fu', '県': '-ken'}
LONG_STATE, SYNONYMS, STATE_NAMES = {}, {}, []


def make_synonyms():
    for kanji, roman in zip(KANJI, ROMAJI):
        names = [kanji]
        if not B('state-romaji'):
            names.append(roman)
            names.append(roman + ' Prefecture')
            if roman == 'Tokyo':
                names.append('Tokyo Metropolis')
            if kanji != '北海道':
                names.append(roman + SUFFIX[kanji[-1]])
        if kanji != '北海道' and not B('state-suffix'):
            names.append(kanji[:-1])
        for n in names:
            SYNONYMS[alike(n)] = kanji
        STATE_NAMES.append(names)


def state_key(s):
    return SYNONYMS.get(alike(s), alike(s))


# ---------------------------------------------------------------- the store

class Store:
    def __init__(self):
        self.accounts, self.keys, self.humans, self.bounties = {}, {}, {}, {}
        self.applications, self.conversations, self.messages, self.skills = {}, {}, {}, {}
        self.webhooks, self.files, self.deliveries, self.reviews = {}, {}, {}, {}
        self.votes = {}
        self.withdrawals = set()    # the bounty and the worker of each
        self.feeds = {}     # ('account' or 'human', id) → its events; event n is at n - 1
        self.last = {}
        self.by_digest = {}

    def new_id(self, kind):
        if kind == 'key' and B('key-id-reused'):
            live = [k['id'] for k in self.keys.values() if not k['revoked']]
            return max(live, default=0) + 1
        self.last[kind] = self.last.get(kind, 0) + 1
        return self.last[kind]


S = Store()


def digest(secret):
    if B('key-case'):
        secret = secret.lower()
    return hashlib.sha256(secret.encode('utf-8', 'surrogateescape')).digest()


def new_secret(prefix):
    return prefix + ''.join(RANDOM.choice(ALNUM) for _ in range(32 if B('key-short') else 40))


def make_key(account, name, first=False):
    start = 'htd_test_' if account['sandbox'] else 'htd_'
    secret = new_secret(start)
    key = {'id': S.new_id('key'), 'account': account['id'], 'name': name, 'first': first,
           'prefix': secret[:len(start) + (8 if B('prefix-12') else 4)] + '...', 'created_at': now(),
           'used': now() if B('last-used-created') else None, 'revoked': False, 'digest': digest(secret),
           'plan': account['plan'], 'early': False}
    S.keys[key['id']] = key
    S.by_digest[key['digest']] = ('key', key['id'])
    return key, secret


def active_keys(account):
    return [k for k in S.keys.values() if k['account'] == account['id'] and not k['revoked']]


def check_quota(account, by_operator=False):
    keys = active_keys(account)
    if B('quota-revoked'):
        keys = [k for k in S.keys.values() if k['account'] == account['id']]
    if B('quota-first'):
        keys = [k for k in keys if not k['first']]
    if B('quota-all-accounts'):
        keys = [k for k in S.keys.values() if not k['revoked'] and S.accounts[k['account']]['plan'] == account['plan']]
    if B('quota-operator') and by_operator:
        return
    if len(keys) >= (4 if B('quota-4') else 3):
        raise Err(429 if B('quota-code') else 403, 'at most 3 active API keys are allowed')
    if B('quota-race'):
        LOCK.release()
        time.sleep(0.15)
        LOCK.acquire()


def make_skills(given, human_id):
    out = []
    for s in given:
        key = (alike(s['name']), alike(s['category']))
        if B('skill-id-worker'):
            key += (human_id,)
        if B('skill-id-category'):
            key = (alike(s['name']),)
        if B('skill-id-exact'):
            key = (s['name'], s['category'])
        if B('skill-id-new') and key in S.skills:
            del S.skills[key]
        if key not in S.skills:
            S.skills[key] = S.new_id('skill')
        out.append({'id': S.skills[key], 'name': s['name'], 'category': s['category']})
    return sorted(out, key=lambda s: s['name']) if B('skills-sorted') else out


def make_human(given, imported=False):
    h = dict(given, id=S.new_id('human'), token=None, suspended=False, erased=False)
    h['skills'] = make_skills(h['skills'], h['id'])
    if B('import-rating') and imported:
        h['rating'] = h['total_reviews'] = 0
    if B('photo-url-only'):
        h['photos'] = [{k: v for k, v in p.items() if k == 'url'} for p in h['photos']]
    h['first'] = {k: h[k] for k in ('skills', 'state', 'hourly_rate', 'rating')}
    S.humans[h['id']] = h
    return h


def skill_key(skill):
    return alike(skill['name']), alike(skill['category'])


def change_human(h, given, by_operator):
    given = dict(given)
    if 'skills' in given:
        given['skills'] = make_skills(given['skills'], h['id'])
        if B('skills-append'):
            new = {alike(s['name']) for s in given['skills']}
            given['skills'] = [s for s in h['skills'] if alike(s['name']) not in new] + given['skills']
    if 'photos' in given and B('photos-append'):
        given['photos'] = h['photos'] + given['photos']
    if B('patch-resets') and by_operator:
        given = {'bio': '', 'photos': [], **given}
    if B('me-resets-availability') and not by_operator:
        given = {'is_available': True, **given}
    if B('rating-drops-verified') and 'rating' in given:
        given = {'is_verified': False, **given}
    if given.get('suspended', h['suspended']) != h['suspended']:
        h['code'] = None
    h.update(given)
    if given.get('suspended') and B('worker-suspended-revokes'):
        h['token'] = None
    if not B('skill-id-kept'):
        used = {s['id'] for h in S.humans.values() for s in h['skills']}
        S.skills = {key: id for key, id in S.skills.items() if id in used}


# ---------------------------------------------------------------- views

def money(v):
    if B('budget-string'):
        return str(v)
    if B('budget-whole'):
        return round(v)
    return v


def visible_reviews(h):
    return [r for r in S.reviews.values() if r['human'] == h['id'] and not h['erased']
            and (not r['hidden'] or B('review-hidden-counts'))]


def total_reviews(h):
    return h['total_reviews'] + len(visible_reviews(h))


def rating(h):
    """The mean of what the operator has entered and of the reviews."""
    stars = [r['rating'] for r in visible_reviews(h)]
    if not stars:
        return h['rating']
    given = 0 if B('mean-without-given') else h['total_reviews']
    mean = (Fraction(str(h['rating'])) * given + sum(stars)) / (given + len(stars))
    return math.floor(mean * 100 + (0 if B('mean-rounded-down') else Fraction(1, 2))) / 100


def human_list(h):
    return {'id': h['id'], 'name': h['name'], 'headline': h['headline'], 'city': h['city'],
            'state': LONG_STATE.get(state_key(h['state']), h['state']) if B('state-canonical') else h['state'],
            'hourly_rate': h['hourly_rate'], 'rating': rating(h), 'is_verified': h['is_verified'],
            'skills': [s['name'] for s in h['skills']]}


def human_detail(h):
    out = {**human_list(h), 'skills': h['skills'], 'bio': h['bio'], 'total_reviews': total_reviews(h),
           'is_available': h['is_available'], 'photos': h['photos']}
    if B('gender-shown'):
        out['gender'] = h['gender']
    return out


def has_token(h):
    return (h['token'] is not None or B('has-token-always')) and not B('has-token-never')


def human_overview(h):
    base = human_list(h)
    return {'external_id': h['external_id'], **{n: base[n] for n in ('id', 'name', 'city', 'state', 'hourly_rate', 'is_verified')},
            'is_available': h['is_available'], 'has_token': has_token(h), 'suspended': h['suspended'], 'erased': h['erased'], 'sandbox': False}


def human_whole(h):
    return {**human_detail(h), 'external_id': h['external_id'], 'gender': h['gender'], 'has_token': has_token(h), 'suspended': h['suspended'],
            'erased': h['erased'], 'sandbox': False}


def applications_of(bounty):
    return [a for a in S.applications.values() if a['bounty'] == bounty['id']]


def bounty_base(b, caller, listed=False):
    apps = applications_of(b)
    if B('count-pending-only'):
        apps = [a for a in apps if a['status'] == 'pending']
    if B('count-minus-rejected'):
        apps = [a for a in apps if a['status'] != 'rejected']
    if B('count-own-worker') and caller.api == 'worker':
        apps = [a for a in apps if a['human'] == caller.human['id']]
    count = 0 if B('count-list-zero') and listed and caller.api == 'agent' else len(apps)
    if B('count-with-withdrawn'):
        count += sum(bounty == b['id'] for bounty, _ in S.withdrawals)
    text = b['description']
    if B('description-cut') and listed:
        text = text[:200]
    up, down = (sum(v['vote'] == kind for v in votes_of(b)) for kind in ('up', 'down'))
    if B('upvotes-accepted'):
        up = sum(a['status'] == 'accepted' for a in applications_of(b))
    if B('votes-swapped'):
        up, down = down, up
    never = '' if B('null-as-empty') else None
    return {'id': b['id'], 'title': b['title'], 'description': text,
            'category': never if b['category'] is None else b['category'], 'budget': money(b['budget']),
            'location': never if b['location'] is None else b['location'], 'is_remote': b['is_remote'],
            'upvotes': up, 'downvotes': down, 'applications_count': count, 'status': b['status']}


def bounty_list(b, caller):
    name = b['poster'] if B('poster-name-frozen') else S.accounts[b['account']]['name']
    return {**bounty_base(b, caller, True), 'poster_name': name}


def bounty_detail(b, caller):
    hours = b['estimated_hours']
    if B('hours-whole') and hours is not None:
        hours = int(hours)
    return {**bounty_base(b, caller), 'required_skills': b['required_skills'], 'deadline': b['deadline'],
            'estimated_hours': hours}


def bounty_offer(b, caller):
    return {**bounty_detail(b, caller), 'poster_name': bounty_list(b, caller)['poster_name']}


def application_received(a):
    h = S.humans[a['human']]
    return {'id': a['id'], 'user_id': h['id'],
            'name': a['name'] if B('application-name-frozen') else h['name'],
            'rating': a['rating'] if B('application-rating-frozen') else rating(h),
            'message': a['message'], 'status': a['status'], 'created_at': stamp(a['created_at'])}


def application_sent(a):
    b = S.bounties[a['bounty']]
    return {'id': a['id'], 'bounty_id': b['id'], 'bounty_title': b['title'],
            'bounty_status': a['bounty_status'] if B('bounty-status-frozen') else b['status'],
            'bounty_budget': money(b['budget']), 'bounty_location': b['location'],
            'message': a['message'], 'status': a['status'], 'deliveries': len(deliveries_of(a)),
            'created_at': stamp(a['created_at'])}


def deliveries_of(a):
    return [d for d in S.deliveries.values() if d['application'] == a['id']]


def delivery_item(d):
    return {'id': d['id'], 'message': d['message'], 'created_at': stamp(d['created_at'])}


def review_item(r):
    return {'id': r['id'], 'poster_name': S.accounts[r['account']]['name'], 'rating': r['rating'],
            'comment': r['comment'], 'created_at': stamp(r['created_at'])}


def review_own(r):
    return {**review_item(r), 'bounty_id': r['bounty'], 'bounty_title': S.bounties[r['bounty']]['title']}


def review_whole(r):
    return {**review_item(r), 'bounty_id': r['bounty'], 'human_id': r['human'], 'account_id': r['account'],
            'hidden': r['hidden']}


def last_at(c):
    return int(c['started'] if B('last-at-start') else c['last_at'])


def conversation_item(c, caller):
    messages = c['messages']
    last = messages[0] if B('last-message-first') else messages[-1]
    if B('last-message-own') and caller.api == 'agent':
        last = [m for m in messages if m['sender'] == 'agent'][-1]
    text = last['content'][:100] if B('last-message-cut') else last['content']
    out = {'id': c['id']}
    if caller.api == 'agent':
        out['human_id'] = c['human']
        out['human_name'] = human_name(c)
    else:
        out['poster_name'] = poster_name(c)
        out['last_sender'], out['last_message_id'] = last['sender'], last['id']
        out['last_read'] = c.get('last_read', 0)
        out['bounty_id'] = None if B('conversation-bounty-unlisted') else c['bounty']
    return {**out, 'last_message': text, 'last_message_at': stamp(last_at(c))}


def human_name(c):
    return c['human_name'] if B('human-name-frozen') else S.humans[c['human']]['name']


def poster_name(c):
    return c['poster_name'] if B('conversation-poster-frozen') else S.accounts[c['account']]['name']


def conversation_detail(c, caller):
    messages = list(c['messages'])
    if B('messages-max-10'):
        messages = messages[-10:]
    if B('messages-newest-first'):
        messages.reverse()
    name = ({'human_name': human_name(c)} if caller.api == 'agent'
            else {'poster_name': poster_name(c), 'bounty_id': c['bounty']})
    return {'id': c['id'], **name, 'messages': [
        {'id': m['id'], 'sender_type': c['messages'][-1]['sender'] if B('sender-latest') else m['sender'],
         'content': m['content'], 'created_at': stamp(m['created_at'])} for m in messages]}


def key_item(k):
    return {'id': k['id'], 'name': k['name'], 'key_prefix': k['prefix'], 'created_at': stamp(k['created_at']),
            'last_used_at': stamp(k['used'])}


def account_item(a):
    keys = active_keys(a)
    if B('active-keys-revoked'):
        keys = [k for k in S.keys.values() if k['account'] == a['id']]
    if B('active-keys-first'):
        keys = [k for k in keys if not k.get('own')]
    return {'id': a['id'], 'name': a['name'], 'plan': a['plan'], 'suspended': a['suspended'],
            'sandbox': a['sandbox'], 'active_keys': len(keys), 'created_at': stamp(a['created_at'])}


# ---------------------------------------------------------------- helpers of the operations

class Caller:
    def __init__(self, api, account=None, key=None, human=None):
        self.api, self.account, self.key, self.human = api, account, key, human


class Call:
    """What an operation gets: the caller, the ids of the path, the query and the body."""
    def __init__(self, caller, path, query, body, size):
        self.caller, self.path, self.query, self.body, self.headers = caller, path, query, body, {}
        self.size, self.reads = size, False


DAY = 86400
# Kind of quota and owner → the day, and what was counted in it.
USES = {}


def check_uses(call, *uses):
    """What quotas of a day have counted after this request. A use is a kind, an amount, a maximum, a noun."""
    c, today, counted = call.caller, int(now() // DAY), {}
    owner = (c.api, (c.account or c.human)['id'])
    for kind, amount, most, noun in uses:
        day, before = USES.get((kind, owner), (today, 0))
        if day < today:
            day, before = today, 0
        if amount and before + amount > most and not B('quota-of-a-day'):
            raise Err(403, f'at most {most} {noun} are allowed')
        counted[kind, owner] = (day, before + amount)
    return counted


def count_uses(call, *uses):
    """Counts a request towards quotas of a day: towards all of them, or none."""
    USES.update(check_uses(call, *uses))


def text_of(call):
    return 'text', call.size, 67108864, 'bytes of text a day'


def check_open_bounties(account):
    opened = sum(b['account'] == account['id'] and b['status'] == 'open' for b in S.bounties.values())
    if opened >= 1000:
        raise Err(403, 'at most 1000 open bounties are allowed')


def absent(noun, i):
    return Err(404, f'{noun} {i} not found')


def get(table, noun, i):
    if i not in table:
        raise absent(noun, i)
    return table[i]


def is_of_realm(call, sandbox):
    """Agents and workers see only what is, like them, in the sandbox or outside of it. All workers are outside."""
    c = call.caller
    return c.api == 'operator' or sandbox == (c.api == 'agent' and c.account['sandbox'])


def get_bounty_of_realm(call, i=None):
    b = get(S.bounties, 'bounty', call.path['id'] if i is None else i)
    crosses = B('realm-read-bounty') and call.reads or B('realm-write-bounty') and not call.reads
    is_other = not is_of_realm(call, S.accounts[b['account']]['sandbox']) and not crosses
    if is_other or b['hidden'] and not sees_hidden(call, b):
        raise absent('bounty', b['id'])
    return b


def sees_hidden(call, b):
    if call.caller.api == 'agent':
        return (b['account'] == call.caller.account['id'] and not B('hidden-owner')) or B('hidden-seen-agents')
    if call.caller.api == 'worker':
        applied = any(a['human'] == call.caller.human['id'] for a in applications_of(b))
        return (applied and not B('hidden-applicant')) or B('hidden-seen-workers')
    return True


def get_human_of_realm(call, i):
    if not is_of_realm(call, False) and i in S.humans and (call.reads or not B('realm-write-conversation')):
        raise absent('human', i)
    h = get(S.humans, 'human', i)
    if h['suspended'] and not B('worker-suspended-read' if call.reads else 'worker-suspended-conversation'):
        raise absent('human', i)
    return h


def page(items, q, total=None):
    limit, offset = q['limit'], q['offset']
    if B('offset-pages'):
        offset *= limit
    out = items[offset:offset + limit]
    n = len(items) if total is None else total
    if B('past-end-404') and offset >= len(items) > 0:
        raise Err(404, 'no such page')
    if B('page-last') and len(out) == limit > 1:
        out.pop()
    if B('total-page'):
        n = len(out)
    if B('total-past-end') and offset >= len(items):
        n = 0
    return out, n


def own_bounty(call, forced=True):
    b = get_bounty_of_realm(call)
    check_owner(call, b, forced)
    return b


def check_owner(call, b, forced=True):
    if b['account'] != call.caller.account['id'] and forced:
        if B('not-owner-404'):
            raise absent('bounty', b['id'])
        raise Err(403, f'only the owner of bounty {b["id"]} may do this')


def own_conversation(call, may=False):
    i = call.path['id']
    c = get(S.conversations, 'conversation', i)
    mine = (c['account'] == call.caller.account['id'] if call.caller.api == 'agent'
            else c['human'] == call.caller.human['id'])
    if not mine and not may:
        if B('conversation-foreign-403') and call.caller.api == 'agent':
            raise Err(403, f'only the owner of conversation {i} may do this')
        raise absent('conversation', i)
    if B('suspended-worker-silent') and call.caller.api == 'worker' and S.accounts[c['account']]['suspended']:
        raise absent('conversation', i)
    return c


def add_message(c, sender, text):
    if B('text-cut'):
        text = text[:1000]
    if B('message-twice') and sender == 'agent' and c['messages'] and c['messages'][-1]['content'] == text:
        return c['messages'][-1]
    m = {'id': S.new_id('message'), 'sender': sender, 'content': text, 'created_at': now()}
    c['messages'].append(m)
    if not (B('last-at-worker') and sender == 'human'):
        c['last_at'] = m['created_at']
    return m


# ---------------------------------------------------------------- events


def emit(kind, i, name, **data):
    if B('event-twice') and name == 'message.created':
        S.feeds.setdefault((kind, i), []).append((now(), name, data, event_id()))
    if B('event-' + name + '-missing'):
        return
    feed = S.feeds.setdefault((kind, i), [])
    feed.append((now(), name, data, event_id()))
    if B('feeds-mixed') and i > 1:
        S.feeds.setdefault((kind, i - 1), []).append((now(), name, data, event_id()))
    if len(feed) > KEPT:
        feed[len(feed) - KEPT - 1] = None
    CHANGED.notify_all()


def event_id():
    return 'evt_' + secrets.token_hex(12)


def event(n, t, name, data, identity):
    return {'eventId': f'evt_{n}' if B('event-id-of-feed') else identity, 'name': name, 'timestamp': stamp(t), 'data': data, 'cursor': str(n)}


def events_page(call, after):
    who = (('account', call.caller.account['id']) if call.caller.api == 'agent' else ('human', call.caller.human['id']))
    feed = S.feeds.get(who, [])
    last, first = len(feed), 1
    while first <= last and (feed[first - 1] is None or feed[first - 1][0] < now() - KEPT_SECONDS):
        first += 1
    if after == 'now':
        return [], last, False, False
    if after is not None and after > last:
        raise Err(400, '`after` is not a cursor of this feed', {'X-Faults': 'after;cursor'})
    rows, cursor, more = [], last, False
    for n in range(max((after or 0) + 1, first), last + 1):
        name = feed[n - 1][1]
        if call.query['types'] is not None and name not in call.query['types'] and not B('event-names-ignored'):
            continue
        if len(rows) == call.query['limit']:
            more, cursor = True, int(rows[-1]['cursor'])
            break
        rows.append(event(n, *feed[n - 1]))
    if B('events-newest-first'):
        rows.reverse()
    return rows, cursor, more and not B('event-more-missing'), after is not None and after + 1 < first


def list_events(call):
    after, until = call.query['after'], time.monotonic() + call.query['wait']
    while True:
        rows, cursor, more, cut = events_page(call, after)
        left = until - time.monotonic()
        if rows or cut or after == 'now' or left <= 0:
            break
        if not B('event-wait-sleeps'):
            CHANGED.wait(left)
        else:
            CHANGED.release()
            time.sleep(left)
            CHANGED.acquire()
        after = cursor
    if call.query['wait'] and not B('wait-ended-key'):
        call.again()
    return 200, rows, None, {'cursor': str(cursor), 'has_more': more, 'truncated': cut}


def webhook_disabled(w):
    emit('account', w['account'], 'webhook.disabled', webhook_id=w['id'])


def kept_events(w):
    """The events of the webhook's account, oldest first, with their numbers."""
    of = next((who[1] for who in S.feeds if who[0] == 'account'), 0) if B('deliver-of-another') else w['account']
    for n, row in enumerate(S.feeds.get(('account', of), []), 1):
        if row is not None and row[0] >= now() - KEPT_SECONDS:
            yield n, event(n, *row)


DELIVERIES = Deliveries(CHANGED, S.webhooks, kept_events, webhook_disabled, now, stamp, B)


# ---------------------------------------------------------------- operations of agents

def near_names(name, groups):
    """Up to three known names near one that is not known, the nearest first. Names in a group mean the same."""
    wanted, near = alike(name), []
    for group in groups:
        score, known = max((difflib.SequenceMatcher(None, wanted, alike(k)).ratio(), k) for k in group)
        if score == 1 and not B('nearest-known') and not B('nearest-always'):
            return []
        if score > 0.7:
            near.append((-score, known))
    return [known for _, known in sorted(near)[:3]]


def propose(call, groups_of):
    """The headers of a search that has found nothing."""
    for parameter, groups in groups_of.items():
        names = near_names(call.query[parameter], groups) if call.query[parameter] is not None else []
        if names and not B('nearest-missing'):
            encoded = [quote(n, safe=' ' if B('nearest-spaces') else '') for n in names]
            call.headers['X-Nearest-' + parameter.title()] = ','.join(encoded)


def list_humans(call):
    q = call.query
    tests = []
    if q['skill'] is not None:
        term = alike(q['skill'])

        def has(h):
            skills = h['first']['skills'] if B('search-stale-skills') else h['skills']
            names = [s['name'] for s in skills]
            if B('skill-category'):
                names += [s['category'] for s in skills]
            if B('skill-first'):
                names = names[:1]
            if B('skill-case'):
                return nfkc(q['skill']) in map(nfkc, names)
            if B('skill-width'):
                return q['skill'].casefold() in [n.casefold() for n in names]
            if B('skill-part'):
                return any(term in alike(n) for n in names)
            return any(term == alike(n) for n in names)
        tests.append(has)
    if q['state'] is not None:
        def lives(h):
            state = h['first']['state'] if B('search-stale-state') else h['state']
            if B('state-part') and alike(q['state']) in alike(state):
                return True
            if B('state-city') and alike(q['state']) == alike(h['city']):
                return True
            return state_key(q['state']) == state_key(state)
        tests.append(lives)
    if q['gender'] is not None and not (B('gender-other') and q['gender'] == 'other'):
        tests.append(lambda h: h['gender'] == q['gender'])

    def rate(h):
        return Decimal(repr((h['first'] if B('search-stale-rate') else h)['hourly_rate']))
    if q['minRate'] is not None:
        tests.append((lambda h: str(rate(h)) >= str(q['minRate'])) if B('rate-as-text') else
                     (lambda h: rate(h) > q['minRate']) if B('rate-min-exclusive') else
                     (lambda h: rate(h) >= q['minRate']))
    if q['maxRate'] is not None:
        tests.append((lambda h: str(rate(h)) <= str(q['maxRate'])) if B('rate-as-text') else
                     (lambda h: rate(h) < q['maxRate']) if B('rate-max-exclusive') else
                     (lambda h: 0 < rate(h) <= q['maxRate']) if B('rate-unpriced') else
                     (lambda h: rate(h) <= q['maxRate']))
    every = list(S.humans.values()) if is_of_realm(call, False) else []
    known = sorted({s['name'] for h in every for s in h['skills']})
    if not B('worker-suspended-listed'):
        every = [h for h in every if not h['suspended']]
    if B('search-available'):
        every = [h for h in every if h['is_available']]
    if B('search-token'):
        every = [h for h in every if h['token']]

    def order(h):
        r = h['first']['rating'] if B('search-stale-rating') else rating(h)
        r = int(r) if B('order-rating-whole') else r
        first = (not h['is_verified'],) if B('search-verified-first') else ()
        return first + (-r, -h['id'] if B('order-humans-tie') else h['id'])
    every.sort(key=order)
    if B('offset-before-filter'):
        every = every[q['offset']:]
    if q['is_available']:
        tests.append(lambda h: h['is_available'] or B('available-ignored'))
    join = any if B('filters-or') and tests else all
    found = [h for h in every if join(t(h) for t in tests)]
    items, total = page(found, {**q, 'offset': 0} if B('offset-before-filter') else q,
                        len(every) if B('total-unfiltered') else None)
    if not found or B('nearest-always'):
        propose(call, {'skill': [[n] for n in known], 'state': STATE_NAMES})
    echo = {'limit': 20, 'offset': 0} if B('limit-echo') else {'limit': q['limit'], 'offset': q['offset']}
    return 200, [human_list(h) for h in items], None, {'total': total, **echo}


def get_human(call):
    return 200, human_detail(get_human_of_realm(call, call.path['id'])), None, {}


def list_skills(call):
    rows = {}
    for h in S.humans.values() if is_of_realm(call, False) else ():
        for skill in h['skills']:
            row = rows.setdefault(skill['id'], {**skill, 'workers': 0})
            if (skill['name'], skill['category']) < (row['name'], row['category']):
                row.update(skill)
            row['workers'] += h['is_available'] or not B('skills-count-available')
    order = (lambda r: r['id']) if B('skills-oldest-first') else lambda r: (-r['workers'], r['name'], r['category'])
    items, n = page(sorted(rows.values(), key=order), call.query)
    return 200, items, None, {'total': n, 'limit': call.query['limit'], 'offset': call.query['offset']}


def bounties_found(call):
    q = call.query
    tests = []
    if q['category'] is not None:
        term = alike(q['category'])

        def kind(b):
            if b['category'] is None:
                return False
            if B('category-case'):
                return q['category'] == b['category']
            return term in alike(b['category']) if B('category-part') else term == alike(b['category'])
        tests.append(kind)
    if q.get('min_budget') is not None:
        least = q['min_budget'] + (Decimal('0.01') if B('budget-above') else 0)
        tests.append(lambda b: Decimal(str(b['budget'])) >= least)
    if q.get('skill') is not None:
        needed = alike(q['skill'])
        most = 1 if B('needed-skill-first') else None
        tests.append(lambda b: needed in [alike(s) for s in b['required_skills'][:most]])
    if q.get('q') is not None:
        form = nfkc if B('words-case') else alike
        every_word = any if B('words-any') else all

        def has_words(b):
            skills = [] if B('words-not-in-skills') else b['required_skills']
            texts = [form(s) for s in (b['title'], b['category'], b['location'], *skills) if s is not None]
            if B('words-in-one-field'):
                return any(all(form(w) in s for w in q['q'].split()) for s in texts)
            return every_word(any(form(w) in s for s in texts) for w in q['q'].split())
        tests.append(has_words)
    if q['location'] is not None:
        term2 = alike(q['location'])

        def near(b):
            if B('remote-location') and b['is_remote']:
                return True
            if b['location'] is None:
                return False
            place = alike(b['location'])
            if B('location-whole'):
                return term2 == place
            if B('location-case'):
                return nfkc(q['location']) in nfkc(b['location'])
            if B('location-wildcards'):
                return re.search(re.escape(term2).replace('%', '.*').replace('_', '.'), place, re.S) is not None
            kanji = SYNONYMS.get(term2)
            if call.caller.api != 'worker' or kanji is None or B('place-names'):
                return place.startswith(term2) if B('location-begin') else term2 in place
            if kanji == '京都府' and not B('place-names-anywhere'):
                place = place.replace('東京都', ' ')
            return any(n in place for n, of in SYNONYMS.items() if of == kanji)
        tests.append(near)
    remote = lambda b: True
    if q['is_remote']:
        remote = lambda b: b['is_remote']
    elif q['is_remote'] is False and B('remote-zero'):
        remote = lambda b: not b['is_remote']
    statuses = ('open', 'in_progress') if B('open-in-progress') else ('open',)
    shown = lambda b: B('suspended-listed') or not S.accounts[b['account']]['suspended']
    join = any if B('bounty-filters-or') and tests else all
    every = [b for b in S.bounties.values() if is_of_realm(call, S.accounts[b['account']]['sandbox'])]
    match = [b for b in every if join(t(b) for t in tests) and remote(b)]
    if not B('hidden-listed'):
        match = [b for b in match if not b['hidden']]
    found = [b for b in match if b['status'] in statuses and shown(b)]
    total = None
    if B('total-closed'):
        total = len([b for b in match if shown(b)])
    if B('suspended-counted'):
        total = len([b for b in match if b['status'] in statuses])
    if B('worker-hides-applied') and call.caller.api == 'worker':
        found = [b for b in found if not any(a['human'] == call.caller.human['id'] for a in applications_of(b))]
    return found, total


def get_service(call):
    return 200, {'currency': None}, None, {}


def list_categories(call):
    call.query['category'] = None
    found, _ = bounties_found(call)
    if B('counts-unfiltered'):
        found = [b for b in S.bounties.values() if b['status'] == 'open']
    if B('counts-remote-ignored') and call.query['is_remote']:
        call.query['is_remote'] = None
        found, _ = bounties_found(call)
    if not any(call.query.values()):
        added = lambda b: (B('counts-in-progress') and b['status'] == 'in_progress' or
                           B('counts-realm') and b['status'] == 'open' and b not in found)
        found = found + [b for b in S.bounties.values() if added(b)]
    numbers = {}
    for b in found:
        if b['category'] is not None or B('counts-null'):
            numbers[b['category']] = min(numbers.get(b['category'], 0) + 1, 2 if B('counts-two-at-most') else 10**9)
    order = (lambda row: row[0] or '') if B('counts-by-name') else lambda row: (-row[1], row[0] or '')
    rows = sorted(numbers.items(), key=order)[:5 if B('counts-five') else 100]
    return 200, [{'category': category, 'count': count} for category, count in rows], None, {}


def list_bounties(call):
    q = call.query
    found, total = bounties_found(call)
    found.sort(key=lambda b: -b['id'])
    if B('order-bounties-asc'):
        found.reverse()
    if B('order-bounties-touched'):
        found.sort(key=lambda b: (-b['touched'], -b['id']))
    order = None if B('order-chosen-ignored') else q.get('sort')
    if order == 'pay':
        found.sort(key=lambda b: Decimal(str(b['budget'])), reverse=not B('order-pay-lowest'))
    if order == 'deadline':
        missing = '' if B('order-deadline-nulls-first') else '9999-99-99'
        found.sort(key=lambda b: b['deadline'] or missing)
    items, n = page(found, q, total)
    return 200, [(bounty_offer if call.caller.api == 'worker' else bounty_list)(b, call.caller) for b in items], None, {'total': n}


def get_account(call):
    item = account_item(call.caller.account)
    left = max(0, 3 - item['active_keys']) + B('keys-left-one-more')
    names = ('id', 'name', 'plan', 'sandbox', 'active_keys', 'created_at')
    return 200, {**{n: item[n] for n in names}, 'keys_left': left, 'reads_per_minute': 100,
                 'writes_per_minute': 20}, None, {}


def list_my_bounties(call):
    status = call.query['status']
    mine = [b for b in S.bounties.values() if b['account'] == call.caller.account['id'] or B('my-bounties-all')]
    if status is not None and not B('my-bounties-status'):
        mine = [b for b in mine if b['status'] == status]
    items, n = page(sorted(mine, key=lambda b: -b['id']), call.query)
    return 200, [bounty_list(b, call.caller) for b in items], None, {'total': n}


def create_bounty(call):
    a = call.caller.account
    check_open_bounties(a)
    count_uses(call, text_of(call))
    b = dict(call.body, id=S.new_id('bounty'), account=a['id'], status='open', poster=a['name'], touched=0, locked=False, hidden=False)
    S.bounties[b['id']] = b
    return 201, {'id': b['id']}, 'Bounty created', {}


def validate_bounty(call):
    if not B('dry-run-without-quota'):
        check_open_bounties(call.caller.account)
    check_uses(call, text_of(call))
    if B('dry-run-posts'):
        create_bounty(call)
    if B('dry-run-counts'):
        count_uses(call, ('text', 30000000, 67108864, 'bytes of text a day'))
    return 200, None, 'The bounty can be posted', {}


def get_bounty(call):
    b = get_bounty_of_realm(call)
    foreign = call.caller.api != 'agent' or b['account'] != call.caller.account['id']
    if (B('closed-404') and call.caller.api == 'worker' and b['status'] != 'open'
            or B('closed-404-agents') and call.caller.api == 'agent' and foreign and b['status'] != 'open'
            or B('suspended-bounty-404') and foreign and S.accounts[b['account']]['suspended']):
        raise absent('bounty', b['id'])
    view = bounty_offer if call.caller.api == 'worker' else bounty_detail
    return 200, view(b, call.caller), None, {}


def update_bounty(call):
    b = own_bounty(call, not B('update-not-owner'))
    new, old = call.body['status'], b['status']
    if (B('completed-final') and old == 'completed' and new != old
            or B('reopen-refused') and old == 'cancelled' and new == 'open'
            or B('same-status-400') and new == old):
        raise Err(400, f'bounty {b["id"]} is {old} and cannot become {new}')
    if new == 'open' and old != 'open':
        check_open_bounties(call.caller.account)
    if b['locked'] and not B('lock-ignored') and not (B('lock-same-status') and new == old):
        raise Err(403, f'the operator has locked bounty {b["id"]}, its status cannot be changed')
    if not (B('status-not-stored') and new == 'completed'):
        b['status'] = new
    if new != old or B('event-unchanged'):
        tell_applicants(b, new)
    b['touched'] = now()
    if B('cancel-rejects') and new == 'cancelled':
        for a in applications_of(b):
            if a['status'] == 'pending':
                a['status'] = 'rejected'
    return 200, None, 'Bounty updated', {}


def tell_applicants(b, status):
    for a in sorted(applications_of(b), key=lambda a: a['id'])[:CONCERNED]:
        emit('human', a['human'], 'bounty.updated', bounty_id=b['id'], bounty_status=status)


def operate_bounty(call):
    b = get(S.bounties, 'bounty', call.path['id'])
    former = dict(b)
    b.update(call.body)
    if B('lock-for-ever') and former['locked']:
        b['locked'] = True
    if B('hidden-closes') and b['hidden']:
        b['status'] = 'cancelled'
    if (b != former or B('event-operator-unchanged')) and not B('event-operator'):
        tell_applicants(b, b['status'])
    return 200, None, 'Bounty updated', {}


def list_applications(call):
    b = own_bounty(call, not B('applications-not-owner'))
    apps = sorted(applications_of(b), key=lambda a: a['id'], reverse=B('order-applications-desc'))
    if B('rejected-hidden'):
        apps = [a for a in apps if a['status'] != 'rejected']
    limit, offset = call.query['limit'], call.query['offset']
    if limit is None and B('applications-cut-20'):
        limit = 20
    apps = apps[offset:] if limit is None else apps[offset:offset + limit]
    return 200, [application_received(a) for a in apps], None, {}


def application_in(call, forced=True):
    b = get_bounty_of_realm(call)
    if B('owner-before-absent'):
        check_owner(call, b)
    a = S.applications.get(call.path['appId'])
    there = a and (a['bounty'] == b['id']
                   or B('decision-other-bounty') and S.bounties[a['bounty']]['account'] == b['account'])
    if not there:
        raise absent('application', call.path['appId'])
    check_owner(call, b, forced)
    return b, a


def decide_application(call):
    b, a = application_in(call, not B('decision-not-owner'))
    new = call.body['status']
    if B('decision-once') and a['status'] not in ('pending', new):
        raise Err(400, f'application {a["id"]} is {a["status"]} and cannot become {new}')
    if B('same-status-400') and a['status'] == new:
        raise Err(400, f'application {a["id"]} is {a["status"]} and cannot become {new}')
    if B('decision-closed') and b['status'] != 'open':
        raise Err(400, f'bounty {b["id"]} is not open')
    if a['status'] != new:
        emit('human', a['human'], 'application.decided', bounty_id=b['id'], application_id=a['id'], status=new)
    a['status'] = new
    if B('application-time-decided'):
        a['created_at'] = now()
    if new == 'accepted':
        if B('accept-starts'):
            b['status'] = 'in_progress'
        if B('accept-rejects-others'):
            for other in applications_of(b):
                if other is not a:
                    other['status'] = 'rejected'
    return 200, None, 'Application updated', {}


def list_deliveries(call):
    a = application_in(call)[1] if call.caller.api == 'agent' else own_application(call)
    found = sorted(deliveries_of(a), key=lambda d: -d['id'])
    return 200, [delivery_item(d) for d in page(found, call.query)[0]], None, {}


def create_review(call):
    b, a = application_in(call)
    counted = check_uses(call, text_of(call))
    check_accepted(a)
    if b['status'] != 'completed' and not B('review-before-completed'):
        raise Err(409, f'bounty {b["id"]} is not completed')
    if any(r['application'] == a['id'] for r in S.reviews.values()) and not B('review-twice'):
        raise Err(409, f'application {a["id"]} was already reviewed')
    USES.update(counted)
    r = {**call.body, 'id': S.new_id('review'), 'application': a['id'], 'bounty': b['id'], 'human': a['human'],
         'account': b['account'], 'hidden': False, 'created_at': now()}
    S.reviews[r['id']] = r
    emit('human', a['human'], 'review.created', bounty_id=b['id'], application_id=a['id'], review_id=r['id'])
    return 200, {'id': r['id']}, 'Review sent', {}


def list_reviews(call):
    api = call.caller.api
    h = (call.caller.human if api == 'worker' else get(S.humans, 'human', call.path['id']) if api == 'operator'
         else get_human_of_realm(call, call.path['id']))
    found = [r for r in S.reviews.values() if r['human'] == h['id'] and (api == 'operator' or not r['hidden'])]
    items, n = page(sorted(found, key=lambda r: -r['id']), call.query)
    view = {'agent': review_item, 'worker': review_own, 'operator': review_whole}[api]
    return 200, [view(r) for r in items], None, {'total': n}


def list_conversations(call):
    c = call.caller
    mine = [x for x in S.conversations.values()
            if (x['account'] == c.account['id'] if c.api == 'agent'
                else x['human'] == c.human['id'] or B('worker-conversations-all'))]
    if B('suspended-worker-silent') and c.api == 'worker':
        mine = [x for x in mine if not S.accounts[x['account']]['suspended']]
    if B('conversations-by-id'):
        mine.sort(key=lambda x: -x['id'])
    else:
        mine.sort(key=lambda x: (-last_at(x), x['id'] if B('conversations-tie') else -x['id']))
    n, offset = call.query['limit'], 0 if B('conversations-offset') else call.query['offset']
    if B('conversations-limit'):
        n = 100
    mine = mine[offset:][-n:] if B('conversations-oldest') else mine[offset:offset + n]
    return 200, [conversation_item(x, c) for x in mine], None, {}


def create_conversation(call):
    h = get_human_of_realm(call, call.body['human_id'])
    a, about = call.caller.account, call.body['bounty_id']
    if about is not None and not B('conversation-bounty-unchecked'):
        check_owner(call, get_bounty_of_realm(call, about), not B('conversation-foreign-bounty'))
    elif about is None and B('conversation-bounty-required'):
        raise absent('bounty', 0)
    count_uses(call, ('conversations', 1, 100, 'new conversations a day'), text_of(call))
    c = None
    if B('conversation-reused'):
        c = next((x for x in S.conversations.values() if (x['account'], x['human']) == (a['id'], h['id'])), None)
    if not c:
        c = {'id': S.new_id('conversation'), 'account': a['id'], 'human': h['id'], 'bounty': None if B('conversation-bounty-lost') else about,
             'messages': [], 'started': now(), 'human_name': h['name'], 'poster_name': a['name']}
        S.conversations[c['id']] = c
    m = add_message(c, 'human' if B('sender-first') else 'agent', call.body['message'])
    emit('human', h['id'], 'conversation.created', conversation_id=c['id'], message_id=m['id'])
    return (201 if B('conversation-201') else 200), {'id': c['id'], 'message_id': m['id']}, 'Conversation started', {}


def get_conversation(call):
    agent = call.caller.api == 'agent'
    c = own_conversation(call, B('conversation-foreign-read') if agent else B('worker-conversation-foreign'))
    return 200, conversation_detail(c, call.caller), None, {}


def update_conversation(call):
    own_conversation(call)['last_read'] = call.body['last_read']
    return 200, None, 'Conversation updated', {}


def list_messages(call):
    c = own_conversation(call)
    limit, offset = call.query['limit'], call.query['offset']
    messages = conversation_detail(c, call.caller)['messages']
    if not B('messages-oldest-first'):
        messages.sort(key=lambda m: -m['id'])
    return 200, messages[offset:offset + limit], None, {}


def create_message(call):
    agent = call.caller.api == 'agent'
    c = own_conversation(call, B('conversation-foreign-write') if agent else B('worker-write-foreign'))
    counted = check_uses(call, text_of(call))
    files, text = with_files(call, call.body['content'])
    USES.update(counted)
    for f in files:
        f.update(sent=True, conversation=c['id'], account=c['account'], human=c['human'])
    m = add_message(c, 'agent' if agent or B('sender-worker') else 'human', text)
    to_account = not agent or B('event-to-sender')
    emit(*(('account', c['account']) if to_account else ('human', c['human'])), 'message.created',
         conversation_id=c['id'], message_id=m['id'])
    return ((200 if agent or B('worker-message-200') else 201),
            {'id': c['id'] if B('message-id-conversation') else m['id']}, 'Message sent', {})


def with_files(call, text):
    """The files that a new message or delivery names, and its text with them."""
    files = own_files(call)
    if files:
        text += '\n\n' + '\n'.join(f'files/{f["id"]}' for f in files)
    if len(text) > 10000:
        raise Err(400, 'the text with the names of its files has more than 10000 characters')
    return files, text


def own_files(call):
    ids, (side, kind, i) = call.body['files'], side_of(call)
    files = [f for f in map(known_files().get, ids)
             if f and f['sender'] == side and f[kind] == i and not f['sent']]
    if len(files) < len(ids) or len(set(ids)) < len(ids):
        raise Err(400, '`files` names a file that you have not sent, that a message or a delivery has, or twice the '
                       'same one')
    return files


def side_of(call):
    """How files name the caller: as a sender, and as one who can read them."""
    c = call.caller
    return ('agent', 'account', c.account['id']) if c.api == 'agent' else ('human', 'human', c.human['id'])


def known_files():
    """All files, without those that were not sent for a day."""
    for f in list(S.files.values()):
        if not f['sent'] and f['created_at'] <= now() - DAY:
            del S.files[f['id']]
    return S.files


def file_digest(f):
    return hashlib.sha256(f['name'].encode() if B('file-sha256') else f['content']).hexdigest()


def create_file(call):
    side, kind, i = side_of(call)
    counted = check_uses(call, ('files', call.size, 104857600, 'bytes of files a day'))
    stored = sum(len(f['content']) for f in known_files().values() if f['sender'] == side and f[kind] == i)
    if stored + call.size > 1073741824:
        raise Err(403, 'at most 1073741824 bytes of stored files are allowed')
    USES.update(counted)
    f = {**call.body, 'id': S.new_id('file'), 'account': None, 'human': None, 'conversation': None, 'sent': False, 'sender': side,
         'name': call.query['name'], 'created_at': now(), kind: i}
    S.files[f['id']] = f
    data = {'id': f['id'], 'media_type': f['media_type'], 'bytes': len(f['content']), 'sha256': file_digest(f)}
    return 200 if side == 'agent' or B('worker-file-200') else 201, data, 'File stored', {}


def own_file(call, may=False):
    f = get(known_files(), 'file', call.path['id'])
    _, kind, i = side_of(call)
    if f[kind] != i and not may:
        if B('file-foreign-403'):
            raise Err(403, f'only the owner of file {f["id"]} may do this')
        raise absent('file', f['id'])
    return f


def get_file(call):
    f, sent = own_file(call), call.sent
    content, tag = f['content'], f'"{file_digest(f)}"'
    call.headers.update({'ETag': tag, 'Accept-Ranges': 'bytes', 'Content-Disposition': 'attachment',
                         'Content-Security-Policy': "sandbox; default-src 'none'", 'Content-Type': f['media_type']})
    known = [one.strip() for one in ','.join(sent.get_all('If-None-Match') or []).split(',')]
    if '*' in known or tag in [one.removeprefix('W/') for one in known]:
        return 304, b'', None, {}
    ranges = sent.get_all('Range') or []
    asked = re.fullmatch('bytes=([0-9]{0,18})-([0-9]{0,18})', ranges[0].strip(), re.I) if len(ranges) == 1 else None
    if asked and asked.group() != 'bytes=-' and sent.get('If-Range', tag).strip() == tag:
        first, last = asked.groups()
        start = int(first) if first else max(0, len(content) - int(last or 0))
        end = min(int(last) + 1, len(content)) if first and last else len(content)
        if start < end:
            call.headers['Content-Range'] = f'bytes {start}-{end - 1}/{len(content)}'
            return 206, content[start:end], None, {}
    return 200, content, None, {}


def delete_file(call):
    f = own_file(call, B('file-foreign-delete'))
    if f['sent']:
        raise Err(409, f'file {f["id"]} is in a message or a delivery, so it stays')
    if not B('file-delete-ignored'):
        del S.files[f['id']]
    return 200, None, 'File deleted', {}


def list_files(call):
    c = own_conversation(call, B('files-foreign'))
    found = [f for f in known_files().values() if f['conversation'] == c['id']]
    found.sort(key=lambda f: f['id'], reverse=True)
    return 200, [
        {'id': f['id'], 'sender_type': f['sender'], 'name': f['name'], 'media_type': f['media_type'],
         'bytes': len(f['content']), 'sha256': file_digest(f), 'created_at': stamp(f['created_at'])}
        for f in page(found, call.query)[0]], None, {}


def list_keys(call):
    a = call.caller.account
    keys = [k for k in S.keys.values() if (k['account'] == a['id'] or B('keys-all-accounts'))
            and (not k['revoked'] or B('keys-revoked-listed'))]
    keys.sort(key=lambda k: k['id'], reverse=B('order-keys-desc'))
    return 200, [key_item(k) for k in keys], None, {}


def check_plan(caller):
    a = caller.account
    plan = a['first_plan'] if B('plan-frozen') else a['plan']
    if plan != 'verified' and not B('plan-free'):
        raise Err(403, 'the verified plan is required')


def create_key(call):
    a = call.caller.account
    if B('quota-before-plan'):
        check_quota(a)
    check_plan(call.caller)
    check_quota(a)
    key, secret = make_key(a, call.body['name'])
    key['own'] = True
    return 200, {'id': key['id'], 'key': secret}, 'API key created. It is shown only once: save it now.', {}


def delete_key(call):
    i = call.path['id']
    k = S.keys.get(i)
    if not k or k['revoked'] and not B('revoke-twice'):
        raise absent('API key', i)
    a = call.caller.account
    if k['account'] != a['id'] and not B('revoke-foreign'):
        if B('revoke-foreign-403'):
            raise Err(403, f'only the owner of API key {i} may do this')
        raise absent('API key', i)
    if B('revoke-self-refused') and k is call.caller.key:
        raise Err(400, 'the key of this request cannot be revoked')
    k['revoked'] = True
    if B('revoke-all'):
        for other in active_keys(a):
            if other['name'] == k['name']:
                other['revoked'] = True
    if B('limit-deleted-keys'):
        RATES.forget_key(k['id'], a['id'])
    return (204 if B('delete-204') else 200), None, 'API key revoked', {}


def webhook_item(w):
    last = w['last'] or (None, None)
    return {'id': w['id'], 'url': w['url'], 'events': w['events'], 'status': w['status'], 'last_result': last[0],
            'last_attempt_at': stamp(last[1]), 'created_at': stamp(w['created_at'])}


def list_webhooks(call):
    mine = [w for w in S.webhooks.values()
            if w['account'] == call.caller.account['id'] or B('webhooks-all-accounts')]
    mine.sort(key=lambda w: w['id'], reverse=B('webhooks-newest-first'))
    return 200, [webhook_item(w) for w in mine], None, {}


def create_webhook(call):
    a = call.caller.account
    count = sum(w['account'] == a['id'] for w in S.webhooks.values())
    if B('webhooks-deleted'):
        count = a['webhooks'] = a.get('webhooks', -1) + 1
    if count >= 5 + B('webhooks-6'):
        raise Err(403, 'at most 5 webhooks are allowed')
    if DELIVERIES.reach != 'any' and not can_be_reached(call.body['url']):
        raise Err(400, '`url` has a private or reserved host')
    events = [] if B('webhook-events-lost') else call.body['events']
    url = call.body['url'].lower() if B('webhook-url-lower') else call.body['url']
    w = {'id': S.new_id('webhook'), 'account': a['id'], 'url': url, 'events': events, 'created_at': now(),
         'status': 'active' if B('webhook-unchallenged') else 'unverified', 'last': None,
         'secret': 'whsec_' + base64.b64encode(secrets.token_bytes(24)).decode()}
    S.webhooks[w['id']] = w
    DELIVERIES.begin(w)
    return (200, {'id': w['id'], 'secret': w['secret']},
            'Webhook created. Its secret is shown only once: save it now.', {})


def own_webhook(call):
    w = get(S.webhooks, 'webhook', call.path['id'])
    if w['account'] != call.caller.account['id'] and not B('webhook-foreign'):
        if B('webhook-foreign-403'):
            raise Err(403, f'only the owner of webhook {w["id"]} may do this')
        raise absent('webhook', w['id'])
    return w


def delete_webhook(call):
    w = own_webhook(call)
    if not B('webhook-delete-ignored'):
        del S.webhooks[w['id']]
        CHANGED.notify_all()
    return 200, None, 'Webhook deleted', {}


def test_webhook(call):
    DELIVERIES.test(own_webhook(call))
    return 200, None, 'The test is sent', {}


def replay_webhook(call):
    DELIVERIES.replay(own_webhook(call), int(call.body['after']))
    return 200, None, 'The events are sent again', {}


# ---------------------------------------------------------------- operations of workers

def get_me(call):
    return 200, human_detail(call.caller.human), None, {}


def update_me(call):
    known = {skill_key(s) for h in S.humans.values() for s in h['skills']}
    new = {skill_key(s) for s in call.body.get('skills', [])} - known
    count_uses(call, ('skills', len(new), 30, 'new names of skills a day'), text_of(call))
    change_human(call.caller.human, call.body, False)
    return 200, None, 'Profile updated', {}


def create_application(call):
    b = get_bounty_of_realm(call)
    h = call.caller.human
    mine = [a for a in applications_of(b) if a['human'] == h['id']]
    if B('apply-after-rejection'):
        mine = [a for a in mine if a['status'] != 'rejected']
    if B('apply-twice'):
        mine = []
    if B('apply-once-anywhere'):
        mine += [a for a in S.applications.values() if a['human'] == h['id'] and a['status'] == 'pending']
    twice = Err(400, f'you have already applied to bounty {b["id"]}')
    if B('applied-before-open') and mine:
        raise twice
    takes = ('open', 'in_progress') if B('apply-in-progress') else ('open',)
    if b['status'] not in takes and not B('apply-closed'):
        raise Err(400, f'bounty {b["id"]} is not open, only open bounties take applications')
    if mine:
        raise twice
    if (b['id'], h['id']) in S.withdrawals and not B('withdrawn-applies-again'):
        raise Err(400, f'you have withdrawn your application to bounty {b["id"]}')
    if B('apply-skills') and not {alike(s) for s in b['required_skills']} <= {alike(s['name']) for s in h['skills']}:
        raise Err(403, 'you do not have the required skills')
    if B('apply-unavailable') and not h['is_available']:
        raise Err(403, 'you are not available')
    count_uses(call, text_of(call))
    a = {'id': S.new_id('application'), 'bounty': b['id'], 'human': h['id'], 'message': call.body['message'],
         'status': 'pending', 'created_at': now(), 'name': h['name'], 'rating': rating(h),
         'bounty_status': b['status']}
    S.applications[a['id']] = a
    emit('account', b['account'], 'application.created', bounty_id=b['id'], application_id=a['id'], human_id=h['id'])
    return 201, {'id': a['id']}, 'Application sent', {}


def votes_of(b):
    return [v for v in S.votes.values() if v['bounty'] == b['id']]


def vote_item(v):
    return {'id': v['id'], 'bounty_id': v['bounty'], 'vote': v['vote']}


def set_vote(call):
    b = get_bounty_of_realm(call)
    h = call.caller.human
    if b['status'] != 'open' and not B('vote-closed'):
        raise Err(400, f'bounty {b["id"]} is not open, only open bounties take votes')
    v = next((v for v in votes_of(b) if v['human'] == h['id'] and not B('vote-twice')), None)
    if v is None:
        v = {'id': S.new_id('vote'), 'bounty': b['id'], 'human': h['id'], 'vote': 'none'}
        S.votes[v['id']] = v
    if not (B('vote-kept') and v['vote'] != 'none') and not (B('vote-none-ignored') and call.body['vote'] == 'none'):
        v['vote'] = call.body['vote']
    return 200, vote_item(v), 'Vote counted', {}


def list_votes(call):
    mine = [v for v in S.votes.values() if v['human'] == call.caller.human['id'] or B('votes-all')]
    items, n = page(sorted(mine, key=lambda v: -v['id']), call.query)
    return 200, [vote_item(v) for v in items], None, {'total': n}


def list_my_applications(call):
    q = dict(call.query)
    mine = [a for a in S.applications.values()
            if a['human'] == call.caller.human['id'] or B('worker-applications-all')]
    if B('worker-applications-closed'):
        mine = [a for a in mine if S.bounties[a['bounty']]['status'] == 'open']
    if B('worker-applications-offset'):
        q['offset'] = 0
    latest_first = q['sort'] == 'newest' or B('worker-applications-order-ignored')
    items, n = page(sorted(mine, key=lambda a: a['id'], reverse=latest_first), q)
    return 200, [application_sent(a) for a in items], None, {'total': n}


def own_application(call, may=False):
    a = get(S.applications, 'application', call.path['id'])
    if a['human'] != call.caller.human['id'] and not may:
        raise absent('application', a['id'])
    return a


def check_accepted(a):
    if a['status'] != 'accepted':
        raise Err(409, 'the application is not accepted')


def delete_application(call):
    a = own_application(call)
    if a['status'] != 'pending' and not B('withdraw-decided'):
        raise Err(409, f'application {a["id"]} was decided, so it cannot be withdrawn')
    del S.applications[a['id']]
    S.withdrawals.add((a['bounty'], a['human']))
    emit('account', S.bounties[a['bounty']]['account'], 'application.withdrawn', bounty_id=a['bounty'],
         human_id=a['human'])
    return 200, None, 'Application withdrawn', {}


def create_delivery(call):
    a = own_application(call, B('delivery-foreign'))
    counted = check_uses(call, text_of(call))
    if len(deliveries_of(a)) >= 20 + B('delivery-21'):
        raise Err(403, 'at most 20 deliveries are allowed')
    check_accepted(a)
    files, text = with_files(call, call.body['message'])
    USES.update(counted)
    account = S.bounties[a['bounty']]['account']
    for f in files:
        f.update(sent=True, account=account)
    d = {'id': S.new_id('delivery'), 'application': a['id'], 'message': text, 'created_at': now()}
    S.deliveries[d['id']] = d
    emit('account', account, 'work.delivered', bounty_id=a['bounty'], application_id=a['id'], delivery_id=d['id'])
    return 201, {'id': d['id']}, 'Work delivered', {}


# ---------------------------------------------------------------- operations of the operator

def create_account(call):
    a = dict(call.body, id=S.new_id('account'), suspended=False, created_at=now(), first_plan=call.body['plan'])
    S.accounts[a['id']] = a
    key, secret = make_key(a, 'first key', True)
    return (201, {'id': a['id'], 'key_id': key['id'], 'key': secret},
            'Account created. The key is shown only once.', {})


def check_token(call):
    return 200, None, 'The token is valid', {}


def chosen(records, q, **compared):
    """The records that meet the conditions of the query, each of which compares its value with one of the record."""
    given = {n: f for n, f in compared.items() if q[n] is not None}
    return [r for r in records if all(f(r, q[n]) for n, f in given.items())]


def same(field):
    return lambda record, value: record[field] == value


def part(field):
    return lambda record, value: (alike(value) in alike(record[field] or '') and not B('filter-part-whole')
                                  or alike(value) == alike(record[field] or ''))


def list_accounts(call):
    every = sorted(S.accounts.values(), key=lambda a: a['id'])
    every = chosen(every, call.query, name=part('name'), plan=same('plan'), suspended=same('suspended'),
                   sandbox=same('sandbox'))
    shown = [a for a in every if not a['suspended']]
    items, n = page(shown if B('accounts-suspended-hidden') else every, call.query,
                    len(shown) if B('accounts-total') else None)
    return 200, [account_item(a) for a in items], None, {'total': n}


def show_account(call):
    return 200, account_item(get(S.accounts, 'account', call.path['id'])), None, {}


def list_account_keys(call):
    a = get(S.accounts, 'account', call.path['id'])
    return 200, [key_item(k) for k in sorted(active_keys(a), key=lambda k: k['id'])], None, {}


def delete_account_key(call):
    a = get(S.accounts, 'account', call.path['id'])
    k = S.keys.get(call.path['key_id'])
    if not k or k['revoked'] or k['account'] != a['id'] and not B('revoke-any-account'):
        raise absent('API key', call.path['key_id'])
    for other in active_keys(a) if B('revoke-whole-account') else [k]:
        other['revoked'] = True
    return 200, None, 'API key revoked', {}


def bounty_overview(b):
    names = ('id', 'title', 'category', 'budget', 'location', 'is_remote', 'deadline', 'status', 'locked', 'hidden')
    return {**{n: b[n] for n in names}, 'account_id': b['account'], 'poster_name': S.accounts[b['account']]['name'],
            'applications_count': len(applications_of(b))}


def list_all_bounties(call):
    every = sorted(S.bounties.values(), key=lambda b: -b['id'])
    if B('all-bounties-hidden-left-out'):
        every = [b for b in every if not b['hidden']]
    if B('all-bounties-of-active-accounts'):
        every = [b for b in every if not S.accounts[b['account']]['suspended']]
    if B('all-bounties-open'):
        every = [b for b in every if b['status'] == 'open']
    of_category = lambda b, value: b['category'] is not None and alike(b['category']) == alike(value)
    found = chosen(every, call.query, account_id=same('account'), title=part('title'), category=of_category,
                   status=same('status'), locked=same('locked'), hidden=same('hidden'))
    return 200, [bounty_overview(b) for b in page(found, call.query)[0]], None, {}


def list_all_files(call):
    every = sorted(known_files().values(), key=lambda f: -f['id'])
    found = chosen(every, call.query, account_id=same('account'), human_id=same('human'))
    return 200, [
        {'id': f['id'], 'account_id': f['account'], 'human_id': f['human'], 'conversation_id': f['conversation'],
         'sender_type': f['sender'], 'sent': f['sent'], 'name': f['name'], 'media_type': f['media_type'],
         'bytes': len(f['content']), 'sha256': file_digest(f), 'created_at': stamp(f['created_at'])}
        for f in page(found, call.query)[0]], None, {'total': len(found)}


def show_bounty(call):
    b = get(S.bounties, 'bounty', call.path['id'])
    more = ('description', 'required_skills', 'estimated_hours')
    return 200, {**bounty_overview(b), **{n: b[n] for n in more}}, None, {}


def show_service(call):
    status, data, message, headers = get_service(call)
    return status, {**data, 'site': None}, message, headers


def show_status(call):
    bounties = list(S.bounties.values())
    totals = {'accounts': len(S.accounts), 'workers': len(S.humans), 'bounties': len(bounties),
              'open_bounties': sum(b['status'] == 'open' for b in bounties), 'applications': len(S.applications),
              'conversations': len(S.conversations),
              'messages': sum(len(c['messages']) for c in S.conversations.values())}
    counts = {n: totals[n] for n in ('accounts', 'workers', 'bounties', 'applications', 'messages')}
    today = {'day': stamp(now())[:10], **counts, 'decisions': 0}
    return 200, {'version': '1', 'started_at': stamp(now()), 'totals': totals, 'days': [today], 'minutes': [],
                 'p99_microseconds': None, 'failures': [], 'failing_webhooks': 0, 'disk_used_bytes': 0,
                 'disk_free_bytes': None, 'last_backup_at': None}, None, {}


def list_all_humans(call):
    every = sorted(S.humans.values(), key=lambda h: h['id'])
    if B('all-humans-suspended-left-out'):
        every = [h for h in every if not h['suspended']]
    lives = lambda h, value: state_key(h['state']) == state_key(value)
    has = lambda h, value: any(alike(s['name']) == alike(value) for s in h['skills'])
    found = chosen(every, call.query, external_id=same('external_id'), name=part('name'), state=lives, skill=has,
                   has_token=lambda h, value: has_token(h) == value and not B('has-token-filter'),
                   is_verified=same('is_verified'), suspended=same('suspended'),
                   sandbox=lambda h, value: not value, erased=same('erased'))
    items, n = page(found, call.query)
    return 200, [human_overview(h) for h in items], None, {'total': n}


def create_account_key(call):
    a = get(S.accounts, 'account', call.path['id'])
    if B('plan-operator') and a['plan'] != 'verified':
        raise Err(403, 'the verified plan is required')
    check_quota(a, True)
    key, secret = make_key(a, call.body['name'])
    return 201, {'id': key['id'], 'key': secret}, 'API key created. It is shown only once.', {}


def advance_clock(call):
    a = get(S.accounts, 'account', call.path['id'])
    if not a['sandbox']:
        raise Err(400, f'account {a["id"]} is not in the sandbox, its clock cannot be moved')
    return 200, None, 'Clock advanced', {}


def update_account(call):
    a = get(S.accounts, 'account', call.path['id'])
    given = dict(call.body)
    if B('account-patch-resets'):
        given = {'suspended': False, **given}
    if B('suspension-forever') and a['suspended']:
        given.pop('suspended', None)
    a.update(given)
    if given.get('suspended'):
        if B('suspended-cancels'):
            for b in S.bounties.values():
                if b['account'] == a['id'] and b['status'] == 'open':
                    b['status'] = 'cancelled'
        if B('suspended-revokes'):
            for k in active_keys(a):
                k['revoked'] = True
        for k in active_keys(a):
            k['early'] = k['used'] is not None
    if B('plan-downgrade') and given.get('plan') == 'free':
        for k in active_keys(a):
            k['revoked'] = not k['first']
    return 200, None, 'Account updated', {}


def check_external_id(given, own=None):
    """No two workers have the same id in another system."""
    wanted = [g['external_id'] for g in given if g.get('external_id') is not None]
    there = {h['external_id'] for h in S.humans.values() if h is not own or B('external-id-own')}
    if B('external-id-folded'):
        wanted, there = [alike(w) for w in wanted], {alike(t) for t in there if t}
    twice = len(set(wanted)) < len(wanted) and not B('external-id-in-one-request')
    if (twice or there & set(wanted)) and not B('external-id-twice') and not (own and B('external-id-twice-by-change')):
        raise Err(409, 'another worker has this `external_id`')


def create_human(call):
    check_external_id([call.body])
    return 201, {'id': make_human(call.body)['id']}, 'Human created', {}


def import_humans(call):
    given = call.body['humans']
    check_external_id(given)
    if B('import-shared-skills'):
        given = [dict(g, skills=given[0]['skills']) for g in given]
    ids = [make_human(g, True)['id'] for g in given]
    return 201, {'ids': ids[::-1] if B('import-order') else ids}, 'Humans imported', {}


def show_human(call):
    return 200, human_whole(get(S.humans, 'human', call.path['id'])), None, {}


def update_human(call):
    h = not_erased(get(S.humans, 'human', call.path['id']))
    check_external_id([call.body], h)
    change_human(h, call.body, True)
    return 200, None, 'Human updated', {}


def not_erased(h):
    if h['erased']:
        raise Err(409, f'worker {h["id"]} is erased')
    return h


def erase_human(call):
    h = get(S.humans, 'human', call.path['id'])
    gone = '(deleted)'
    if h['token']:
        S.by_digest.pop(h['token'], None)
    change_human(h, {
        'name': gone, 'headline': gone, 'bio': gone, 'city': gone, 'state': gone,
        'gender': 'other', 'hourly_rate': 0, 'rating': 0, 'total_reviews': 0, 'is_verified': False,
        'is_available': False, 'skills': [], 'photos': [], 'external_id': None, 'suspended': True}, True)
    h.update(token=None, code=None, erased=True)
    for application in S.applications.values():
        if application['human'] == h['id']:
            application['message'] = gone
            for delivery in deliveries_of(application):
                delivery['message'] = gone
    for review in S.reviews.values():
        if review['human'] == h['id'] and review['comment'] is not None:
            review['comment'] = gone
    for conversation in S.conversations.values():
        if conversation['human'] == h['id']:
            for message in conversation['messages']:
                message['content'] = gone
    return 200, None, 'Human erased', {}


def update_review(call):
    get(S.reviews, 'review', call.path['id']).update(call.body)
    return 200, None, 'Review updated', {}


def create_human_token(call):
    h = not_erased(get(S.humans, 'human', call.path['id']))
    secret = new_secret('htw_')
    for other in S.humans.values():
        if (other is h or B('token-cross')) and other['token']:
            if not B('token-former'):
                S.by_digest.pop(other['token'], None)
                if other is not h:
                    other['token'] = None
    h['token'] = digest(secret)
    S.by_digest[h['token']] = ('human', h['id'])
    if B('limit-worker-token'):
        RATES.forget_human(h['id'])
    return 201, {'token': secret}, 'Token created. It is shown only once.', {}


CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'


def make_code(h):
    code = ''.join(secrets.choice(CODE_ALPHABET) for _ in range(16))
    h['code'] = {'digest': digest(code), 'ends': now() + 86400, 'token': None}
    return f'{h["id"]}-' + '-'.join(code[i:i + 4] for i in range(0, 16, 4))


def create_human_code(call):
    h = not_erased(get(S.humans, 'human', call.path['id']))
    return 201, {'code': make_code(h), 'ends_at': stamp(now() + 86400)}, 'Code created. It is shown only once.', {}


def create_human_codes(call):
    if any(id not in S.humans or S.humans[id]['erased'] for id in call.body['ids']):
        raise Err(400, '`ids` names a worker that does not exist')
    codes = [{'id': id, 'code': make_code(S.humans[id])} for id in call.body['ids']]
    return 201, {'codes': codes, 'ends_at': stamp(now() + 86400)}, 'Codes created. They are shown only once.', {}


def create_session(call):
    wrong = Err(403, 'the code is wrong, was used or has ended')
    plain = nfkc(call.body['code']).upper().translate(str.maketrans('OIL', '011', ' -\t\n'))
    id, code = plain[:-16], plain[-16:]
    h = S.humans.get(int(id)) if re.fullmatch('[0-9]{1,16}', id) else None
    known = h and h.get('code')
    token = call.body['token_digest']
    if not known or known['digest'] != digest(code) or known['ends'] <= now() or h['suspended']:
        raise wrong
    if known['token'] is not None and not (known['token'] == token == h['token']):
        raise wrong
    if S.by_digest.get(token, ('human', h['id'])) != ('human', h['id']):
        raise wrong
    if known['token'] is None:
        known['token'], known['ends'] = token, min(known['ends'], now() + 600)
        if h['token']:
            S.by_digest.pop(h['token'], None)
        h['token'] = token
        S.by_digest[token] = ('human', h['id'])
    return 201, None, 'Signed in', {}


def delete_human_token(call):
    h = get(S.humans, 'human', call.path['id'])
    if h['token'] and not B('token-end-works'):
        S.by_digest.pop(h['token'], None)
    if not B('token-end-shown'):
        h['token'] = None
    return 200, None, 'Token ended', {}


# ---------------------------------------------------------------- the table of operations

BOUNTY_BODY = Object({
    'title': (TITLE, REQUIRED), 'description': (LONG, REQUIRED), 'budget': (USD, REQUIRED), 'category': (SLUG, None),
    'location': (PLACE, None), 'is_remote': (BOOL, False), 'deadline': (Date(), None),
    'estimated_hours': (HOURS, None), 'required_skills': (SKILL_NAMES, list)})
HUMANS_QUERY = {'skill': (TERM, None), 'state': (TERM, None), 'gender': (GENDER, None), 'minRate': (BOUND, None),
                'maxRate': (BOUND, None), 'is_available': (Flag(), None), **PAGE}
EVENTS_QUERY, WORKER_EVENTS_QUERY = (
    {'after': (Cursor(), None), 'types': (EventNames(known), None), 'limit': (Int(1, 100), 20), 'wait': (Int(0, 30), 0)}
    for known in (OF_ACCOUNTS, OF_WORKERS))
MESSAGE_BODY = Object({'content': (LONG, REQUIRED), 'files': (List(ID, 0, 10), list)})
FILE_QUERY = {'name': (FILE_NAME, 'file'), 'keep_metadata': (Flag(), False)}
A, W, J, O = '/api/v1', '/worker/v1', '/join/v1', '/operator/v1'
OPS = [  # the order gives the order of Allow
    ('GET', A + '/humans', list_humans, HUMANS_QUERY, None),
    ('GET', A + '/humans/{id}', get_human, {}, None),
    ('GET', A + '/humans/{id}/reviews', list_reviews, PAGE, None),
    ('GET', A + '/skills', list_skills, PAGE, None),
    ('GET', A + '/bounties', list_bounties, BOUNTY_QUERY, None),
    ('GET', A + '/account', get_account, {}, None),
    ('GET', A + '/account/bounties', list_my_bounties, {'status': (STATUS, None), **PAGE}, None),
    ('POST', A + '/bounties', create_bounty, {}, BOUNTY_BODY),
    ('POST', A + '/bounties/validate', validate_bounty, {}, BOUNTY_BODY),
    ('GET', A + '/bounties/{id}', get_bounty, {}, None),
    ('PATCH', A + '/bounties/{id}', update_bounty, {}, Object({'status': (STATUS, REQUIRED)})),
    ('GET', A + '/bounties/{id}/applications', list_applications, {**PAGE, 'limit': (Int(1, 100), None)}, None),
    ('PATCH', A + '/bounties/{id}/applications/{appId}', decide_application, {},
     Object({'status': (DECISION, REQUIRED)})),
    ('GET', A + '/bounties/{id}/applications/{appId}/deliveries', list_deliveries, PAGE, None),
    ('POST', A + '/bounties/{id}/applications/{appId}/review', create_review, {},
     Object({'rating': (Int(1, 5), REQUIRED), 'comment': (LONG, None)})),
    ('GET', A + '/conversations', list_conversations, PAGE, None),
    ('POST', A + '/conversations', create_conversation, {},
     Object({'human_id': (ID, REQUIRED), 'message': (LONG, REQUIRED), 'bounty_id': (ID, None)})),
    ('GET', A + '/conversations/{id}', get_conversation, {}, None),
    ('GET', A + '/conversations/{id}/messages', list_messages, PAGE, None),
    ('POST', A + '/conversations/{id}/messages', create_message, {}, MESSAGE_BODY),
    ('POST', A + '/files', create_file, FILE_QUERY, FILE),
    ('GET', A + '/files/{id}', get_file, {}, None),
    ('DELETE', A + '/files/{id}', delete_file, {}, None),
    ('GET', A + '/conversations/{id}/files', list_files, PAGE, None),
    ('GET', A + '/events', list_events, EVENTS_QUERY, None),
    ('GET', A + '/keys', list_keys, {}, None),
    ('POST', A + '/keys', create_key, {}, NAME_BODY),
    ('DELETE', A + '/keys/{id}', delete_key, {}, None),
    ('GET', A + '/webhooks', list_webhooks, {}, None),
    ('POST', A + '/webhooks', create_webhook, {}, WEBHOOK_BODY),
    ('DELETE', A + '/webhooks/{id}', delete_webhook, {}, None),
    ('POST', A + '/webhooks/{id}/test', test_webhook, {}, None),
    ('POST', A + '/webhooks/{id}/replay', replay_webhook, {}, REPLAY_BODY),
    ('GET', W + '/me', get_me, {}, None),
    ('PATCH', W + '/me', update_me, {}, ME_PATCH),
    ('GET', W + '/service', get_service, {}, None),
    ('GET', W + '/skills', list_skills, PAGE, None),
    ('GET', W + '/bounties', list_bounties, {**BOUNTY_QUERY, **WORKERS_QUERY, 'sort': (Enum('newest', 'pay', 'deadline'), 'newest')}, None),
    ('GET', W + '/categories', list_categories, {'is_remote': (Flag(), None), 'location': (TERM, None), **WORKERS_QUERY}, None),
    ('GET', W + '/bounties/{id}', get_bounty, {}, None),
    ('PUT', W + '/bounties/{id}/vote', set_vote, {}, Object({'vote': (Enum('up', 'down', 'none'), REQUIRED)})),
    ('GET', W + '/votes', list_votes, PAGE, None),
    ('POST', W + '/bounties/{id}/applications', create_application, {}, Object({'message': (LONG, REQUIRED)})),
    ('GET', W + '/applications', list_my_applications, {**PAGE, 'sort': (Enum('newest', 'oldest'), 'newest')}, None),
    ('DELETE', W + '/applications/{id}', delete_application, {}, None),
    ('POST', W + '/applications/{id}/deliveries', create_delivery, {},
     Object({'message': (LONG, REQUIRED), 'files': MESSAGE_BODY.members['files']})),
    ('GET', W + '/applications/{id}/deliveries', list_deliveries, PAGE, None),
    ('GET', W + '/reviews', list_reviews, PAGE, None),
    ('GET', W + '/conversations', list_conversations, PAGE, None),
    ('GET', W + '/conversations/{id}', get_conversation, {}, None),
    ('PATCH', W + '/conversations/{id}', update_conversation, {}, Object({'last_read': (Int(0, None), REQUIRED)})),
    ('GET', W + '/conversations/{id}/messages', list_messages, PAGE, None),
    ('POST', W + '/conversations/{id}/messages', create_message, {}, MESSAGE_BODY),
    ('POST', W + '/files', create_file, FILE_QUERY, FILE),
    ('GET', W + '/files/{id}', get_file, {}, None),
    ('DELETE', W + '/files/{id}', delete_file, {}, None),
    ('GET', W + '/conversations/{id}/files', list_files, PAGE, None),
    ('GET', W + '/events', list_events, WORKER_EVENTS_QUERY, None),
    ('POST', O + '/accounts', create_account, {},
     Object({'name': (NAME, REQUIRED), 'plan': (PLAN, REQUIRED), 'sandbox': (BOOL, False)})),
    ('GET', O + '/me', check_token, {}, None), ('GET', O + '/service', show_service, {}, None),
    ('GET', O + '/status', show_status, {}, None),
    ('GET', O + '/accounts', list_accounts, {'name': (TERM, None), 'plan': (PLAN, None), 'suspended': (Flag(), None),
                                             'sandbox': (Flag(), None), **PAGE}, None),
    ('GET', O + '/accounts/{id}', show_account, {}, None),
    ('GET', O + '/accounts/{id}/keys', list_account_keys, {}, None),
    ('DELETE', O + '/accounts/{id}/keys/{key_id}', delete_account_key, {}, None),
    ('POST', O + '/accounts/{id}/keys', create_account_key, {}, NAME_BODY),
    ('POST', O + '/accounts/{id}/clock', advance_clock, {}, Object({'seconds': (Int(1, 2678400), REQUIRED)})),
    ('PATCH', O + '/accounts/{id}', update_account, {},
     Object({'name': (NAME, PATCHED), 'plan': (PLAN, PATCHED), 'suspended': (BOOL, PATCHED)}, True)),
    ('GET', O + '/bounties', list_all_bounties,
     {'account_id': (ID, None), 'title': (TERM, None), 'category': (TERM, None), 'status': (STATUS, None),
      'locked': (Flag(), None), 'hidden': (Flag(), None), **PAGE}, None),
    ('GET', O + '/files', list_all_files, {'account_id': (ID, None), 'human_id': (ID, None), **PAGE}, None),
    ('GET', O + '/bounties/{id}', show_bounty, {}, None),
    ('PATCH', O + '/bounties/{id}', operate_bounty, {},
     Object({'status': (STATUS, PATCHED), 'locked': (BOOL, PATCHED), 'hidden': (BOOL, PATCHED)}, True)),
    ('POST', O + '/humans', create_human, {}, NEW_HUMAN),
    ('POST', O + '/humans/import', import_humans, {}, Object({'humans': (List(NEW_HUMAN, 1, 1000), REQUIRED)})),
    ('GET', O + '/humans', list_all_humans,
     {'name': (TERM, None), 'state': (TERM, None), 'skill': (TERM, None), 'external_id': (TERM, None), 'has_token': (Flag(), None),
      'is_verified': (Flag(), None), 'suspended': (Flag(), None), 'sandbox': (Flag(), False), 'erased': (Flag(), False), **PAGE}, None),
    ('GET', O + '/humans/{id}', show_human, {}, None),
    ('PATCH', O + '/humans/{id}', update_human, {}, HUMAN_PATCH),
    ('DELETE', O + '/humans/{id}', erase_human, {}, None),
    ('GET', O + '/humans/{id}/reviews', list_reviews, PAGE, None),
    ('PATCH', O + '/reviews/{id}', update_review, {}, Object({'hidden': (BOOL, REQUIRED)})),
    ('POST', O + '/humans/{id}/token', create_human_token, {}, None),
    ('DELETE', O + '/humans/{id}/token', delete_human_token, {}, None),
    ('POST', O + '/humans/{id}/code', create_human_code, {}, None),
    ('POST', O + '/humans/codes', create_human_codes, {}, Object({'ids': (List(Int(1, MAX_ID), 1, 1000), REQUIRED)})),
    ('POST', J + '/session', create_session, {},
     Object({'code': (Text(100), REQUIRED), 'token_digest': (Sha256(), REQUIRED)})),
]
# Operations that are done once for a key: how long their answers are kept, and what those with a secret have made.
KEPT_FOR = {fn: DAY for fn in (create_bounty, create_conversation, create_message, create_file, create_key,
                               create_webhook, create_application, create_delivery, create_review, create_account,
                               create_account_key, create_human)}
KEPT_FOR[import_humans] = 30 * DAY
MADE = {create_key: 'API key', create_webhook: 'webhook', create_account: 'account', create_account_key: 'API key'}
ANSWERS = {}    # caller and key → request, expiry, status, text
ROUTES = {}     # path template → {method: operation}
for _op in OPS:
    ROUTES.setdefault(_op[1], {})[_op[0]] = _op
MATCHERS = sorted(((re.compile(re.sub(r'\\{(\w+)\\}', r'(?P<\1>[^/]+)', re.escape(p))), p) for p in ROUTES),
                  key=lambda x: '{' in x[1])
NO_TOOLS = (validate_bounty, create_file, delete_file, *(fn for _, path, fn, _, _ in OPS if '/keys' in path or '/webhooks' in path))
TOOLS = Tools({fn.__name__: (method, path, query, body) for method, path, fn, query, body in OPS
               if path.startswith(A) and fn not in NO_TOOLS},
              {fn.__name__ for fn in KEPT_FOR}, lambda default: default is REQUIRED, B)
HEADER = {'agent': 'X-API-Key', 'worker': 'X-Worker-Token', 'operator': 'X-Operator-Token'}


# ---------------------------------------------------------------- limits

class Rates:
    MAX = {'read': (100, 300), 'write': (20, 60), 'sign_in': (30, 0)}

    def __init__(self):
        self.counts = {}            # (limit, scope, id) → [window, count]
        self.window = 60

    def start(self, slot):
        t = now()
        if B('limit-window-first'):
            first = self.counts.get(('first',) + slot)
            if first is None or t >= first + self.window:
                first = self.counts[('first',) + slot] = int(t)
            return first
        w = 3600 if B('limit-window-hour') else 60
        return math.floor(t / w) * w

    def get(self, slot):
        start = self.start(slot)
        entry = self.counts.get(slot)
        if not entry or entry[0] != start:
            entry = self.counts[slot] = [start, 0]
        return entry

    def forget_key(self, key, account):
        for limit in ('read', 'write'):
            used = self.get((limit, 'key', key))[1]
            self.get((limit + ':owner', 'account', account))[1] -= used

    def forget_human(self, human):
        for limit in ('read', 'write'):
            self.counts.pop((limit, 'human', human), None)

    def slots(self, method, caller, address):
        name = 'sign_in' if caller.api == 'join' else 'read' if method == 'GET' else 'write'
        most, owner = self.MAX[name]
        store = 'both' if B('limit-shared') else name
        if caller.api == 'worker':
            who = ('human', 0 if B('limit-workers-shared') else caller.human['id'])
        elif caller.api == 'operator':
            who = ('operator', 0)
        elif caller.api == 'join':
            who = ('everyone', 0) if B('sign-in-shared') else ('address', address)
        else:
            who = ('account', caller.account['id']) if B('limit-per-account') else ('key', caller.key['id'])
        if B('limit-per-address'):
            who = ('address', address)
        out = [(name, most, (store,) + who)]
        if caller.api == 'agent' and not B('limit-owner-missing'):
            out.append((name + ':owner', owner, (store + ':owner', 'account', caller.account['id'])))
        return out

    def count(self, method, caller, address):
        """Counts a request; returns the headers and, if it is rejected, the seconds to wait."""
        w = 3600 if B('limit-window-hour') else 60
        slots = self.slots(method, caller, address)
        entries = [(name, most, self.get(slot)) for name, most, slot in slots]
        extra = 1 if B('limit-off-by-one') else 0
        rejected = any(e[1] >= most + extra for _, most, e in entries)
        before = [max(0, most - e[1]) for _, most, e in entries]
        free = B('limit-delete-free') and method == 'DELETE' or B('limit-put-free') and method == 'PUT'
        if not rejected and not free:
            for _, _, e in entries:
                e[1] += 1
        left = [max(0, most - e[1]) for _, most, e in entries]
        at = 0
        if len(left) == 2 and left[1] < left[0] and not B('limit-headers-key'):
            at = 1
        name, most, entry = entries[at]
        n = before[at] if B('limit-remaining-before') else left[at]
        end = int(entry[0] + w)
        seconds = max(1, math.ceil(end - now()))
        headers = {'RateLimit-Policy': f'"{name}";q={most};w={w}', 'RateLimit': f'"{name}";r={n};t={seconds}',
                   'X-RateLimit-Limit': str(most), 'X-RateLimit-Remaining': str(n),
                   'X-RateLimit-Reset': str(seconds if B('limit-reset-delta') else end)}
        return headers, seconds if rejected else None, None if rejected else entries

    def failed(self, address):
        return self.get(('failed', 'address', address))


RATES = Rates()
FLIGHT = {}


# ---------------------------------------------------------------- decoding

def decode_text(raw):
    if re.search('%(?![0-9A-Fa-f]{2})', raw):
        return None
    try:
        return unquote_to_bytes(raw.replace('+', ' ')).decode('utf-8')
    except UnicodeDecodeError:
        return None


def decode_path(raw, faults):
    out = {}
    for name, value in raw.items():
        text = decode_text(value.replace('+', '%2B'))
        out[name] = ID.query(text, f'`{name}`', faults) if text is not None else wrong(
            faults, f'`{name}`', 'must be an integer', 'type', 'integer')
    return out


def decode_query(raw, schema, faults):
    given, twice = {}, set()
    for pair in raw.split('&') if raw else []:
        if not pair:
            continue
        name, _, value = pair.partition('=')
        name, value = decode_text(name), decode_text(value)
        if name is None or value is None:
            if name is None:
                wrong(faults, 'the query', 'must be percent-encoded UTF-8', 'unknown', of='')
            else:
                wrong(faults, f'`{name}`', 'must be percent-encoded UTF-8', 'encoding')
            continue
        if name in given:
            if not B('duplicate-query'):
                known = name in schema
                wrong(faults, f'`{name}`', 'is given more than once', 'repeated' if known else 'unknown',
                      of=None if known else '')
                twice.add(name)
            continue
        given[name] = value
    unknown_names(given, schema, '', faults, B('unknown-query-ignored'))
    out = {}
    for name, (kind, default) in schema.items():
        if given.get(name) == '' and name not in twice and not B('empty-filter'):
            wrong(faults, f'`{name}`', 'must not be empty', 'empty')
            out[name] = default
        elif given.get(name) and name not in twice:
            out[name] = kind.query(given[name], f'`{name}`', faults)
        else:
            out[name] = default
            if B('default-page-10') and name == 'limit' and 'category' in schema:
                out[name] = 10
    if 'minRate' in schema and None not in (out['minRate'], out['maxRate']) and out['minRate'] > out['maxRate'] \
            and not B('rates-crossed'):
        wrong(faults, '`minRate`', 'must not be greater than `maxRate`', 'order', 'maxRate')
    return out


def levels(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(levels, inner), default=0)


class Members(dict):
    """An object; `twice`: the names that it has once more."""

    def __init__(self, items):
        super().__init__(items)
        seen = set()
        self.twice = [k for k, _ in items if k in seen or seen.add(k)]


def decode_body(raw, schema, faults):
    def real(s):
        f = Float(s)
        f.raw = s
        return f

    def whole(s):
        return int(s) if len(s) <= 400 else real(s)

    def constant(s):
        raise ValueError(s)
    try:
        value = json.loads(raw.decode('utf-8'), object_pairs_hook=Members, parse_float=real,
                           parse_int=whole, parse_constant=constant)
        if levels(value) > 127:
            raise ValueError('deep')
        # Half of a surrogate pair is no text.
        json.dumps(json.loads(raw, parse_float=str, parse_int=str), ensure_ascii=False).encode('utf-8')
    except (ValueError, RecursionError):
        wrong(faults, 'the body', 'must be a JSON object', 'json', of='')
        return {}
    return schema.json(value, '', faults)


def invalid(faults):
    """The rejection of a request with these faults."""
    return Err(400, fault_text(faults), {'X-Faults': fault_codes(faults)})


def fault_codes(faults):
    codes = ''
    for fault in faults[:20]:
        if len(codes) + 2 + len(fault.code) > 2048:
            break
        codes += (', ' if codes else '') + fault.code
    return codes


def fault_text(faults):
    if B('fault-without-name'):
        faults = [re.sub('`[^`]*`', 'a value', f) for f in faults]
    if B('first-fault-only'):
        faults = faults[:1]
    more = len(faults) - 20
    return '; '.join(faults[:20]) + (f'; and {more} more' if more > 0 else '')


# ---------------------------------------------------------------- HTTP

LINK = '</openapi.json>; rel="service-desc", </docs>; rel="service-doc", </llms.txt>; rel="describedby"'
STATIC = {'/openapi.json': ('hitode-openapi.json', 'application/json'),
          '/llms.txt': ('hitode-llms.txt', 'text/plain; charset=utf-8'),
          '/docs': ('hitode.html', 'text/html; charset=utf-8')}


class Slow(Exception):
    pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version = 'outsider'
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 60

    def log_message(self, *args):
        pass

    def __getattr__(self, name):
        if name.startswith('do_'):
            return self.run
        raise AttributeError(name)

    def handle_expect_100(self):
        self.wants_100 = True
        return True

    def parse_request(self):
        self.wants_100 = False
        self.unread = False
        return super().parse_request()

    def send_error(self, code, message=None, explain=None):    # errors of the request line and the headers
        self.unread = False
        self.close_connection = True
        self.rate_headers, self.realm_headers = {}, {}
        self.answer(400 if code in (501, 505) else code, {'success': False, 'error': message or 'bad request'}, {})

    # the body

    def arm(self, started, got):
        """Sets the time until which the next bytes must come."""
        left = min(self.max_seconds, GRACE + got / MIN_RATE) - (time.monotonic() - started)
        if left <= 0:
            raise Slow
        self.connection.settimeout(left)

    def read_some(self, n, started, got):
        self.arm(started, got)
        try:
            data = self.rfile.read1(min(n, 65536))
        except (TimeoutError, socket.timeout):
            raise Slow
        if not data:
            raise ConnectionError
        return data

    def read_line(self, started, got):
        line = b''
        while not line.endswith(b'\n'):
            line += self.read_some(1, started, got)
            if len(line) > 4096:
                raise ConnectionError
        return line.strip()

    def read_body(self, most, max_seconds):
        """Reads the body. Returns None if it is too large."""
        self.max_seconds = max_seconds
        if self.wants_100:
            length = self.headers.get('Content-Length')
            if length and length.isdigit() and int(length) > most:
                return None
            self.wants_100 = False
            self.wfile.write(b'HTTP/1.1 100 Continue\r\n\r\n')
            self.wfile.flush()
        started = time.monotonic()
        out = bytearray()
        try:
            if self.chunked:
                while True:
                    size = int(self.read_line(started, len(out)).split(b';')[0] or b'0', 16)
                    if size == 0:
                        while self.read_line(started, len(out)):
                            pass
                        break
                    if len(out) + size > most:
                        return None
                    end = len(out) + size
                    while len(out) < end:
                        out += self.read_some(end - len(out), started, len(out))
                    self.read_line(started, len(out))
            else:
                if self.length > most:
                    return None
                while len(out) < self.length:
                    out += self.read_some(self.length - len(out), started, len(out))
        finally:
            self.connection.settimeout(self.timeout)
        self.unread = False
        return bytes(out)

    def drop_body(self):
        """After the response: reads what is left of a small body, or closes the connection."""
        if not self.unread:
            return
        if self.wants_100 or self.chunked:
            self.close_connection = True
            return
        try:
            self.connection.settimeout(3)
            left = self.length
            while left > 0 and left <= 32 << 20:
                data = self.rfile.read1(min(left, 65536))
                if not data:
                    break
                left -= len(data)
            if left:
                self.close_connection = True
        except OSError:
            self.close_connection = True
        finally:
            try:
                self.connection.settimeout(self.timeout)
            except OSError:
                pass

    # one request

    def run(self):
        if TICK:
            with LOCK:
                _clock[0] += TICK
        self.rate_headers, self.realm_headers = {}, {}
        self.flight = None
        self.api = None
        self.secret = False
        failed = False
        try:
            status, body, headers = self.respond()
        except Err as e:
            failed = True
            error = {'code': e.status, 'text': e.text} if B('error-object') else e.text
            status, body, headers = e.status, {'success': False, 'error': error}, e.headers
            if B('retry-after-missing'):
                headers.pop('Retry-After', None)
            if B('limit-headers-missing-on-error'):
                self.rate_headers = {}
        except (ConnectionError, BrokenPipeError):
            self.close_connection = True
            self.release(True)
            return
        except Exception:
            import traceback
            traceback.print_exc()
            status, body, headers = 500, {'success': False, 'error': 'internal error'}, {}
            failed = True
        try:
            self.answer(status, body, headers)
        finally:
            self.release(failed)
        self.drop_body()

    def release(self, failed):
        if self.flight is not None and not (B('in-flight-leak') and failed):
            with LOCK:
                FLIGHT[self.flight] -= 1
        self.flight = None

    def answer(self, status, body, headers):
        if isinstance(body, bytes):
            data, kind = body, headers.pop('Content-Type')
        else:
            kind = 'application/json'
            data = b'' if body is None else json.dumps(body, ensure_ascii=False, separators=(',', ':')).encode()
        if self.unread and (self.wants_100 or self.chunked):
            self.close_connection = True
        self.send_response(status)
        if status not in (204, 304):
            self.send_header('Content-Type', kind)
            self.send_header('Content-Length', str(len(data)))
        if not (B('request-id-on-success-only') and status >= 400):
            self.send_header('X-Request-Id', '1d00000000000001' if B('request-id-constant') else secrets.token_hex(8))
        if not (B('nosniff-missing') and status >= 400):
            self.send_header('X-Content-Type-Options', 'nosniff')
        self.send_header('Link', LINK)
        if status >= 400 and isinstance(body, dict) and 'success' in body and not B('error-code-missing'):
            error = body['error']
            self.send_header('X-Error-Code', error_code(status, error if isinstance(error, str) else ''))
        for k, v in {**self.rate_headers, **self.realm_headers, **headers}.items():
            self.send_header(k, v)
        if self.close_connection:
            self.send_header('Connection', 'close')
        self.end_headers()
        if self.command != 'HEAD' and status not in (204, 304):
            self.wfile.write(data)
        self.wfile.flush()

    def respond(self):
        h = self.headers
        # the frame of the message
        self.chunked, self.length = False, 0
        coding, lengths = h.get_all('Transfer-Encoding') or [], h.get_all('Content-Length') or []
        if coding:
            if len(coding) > 1 or coding[0].strip().lower() != 'chunked' or lengths:
                self.close_connection = True
                raise Err(400, 'the body must have either one Content-Length or Transfer-Encoding: chunked', {'X-Faults': ';broken'})
            self.chunked = True
        elif lengths:
            if len(lengths) > 1 or not re.fullmatch('[0-9]{1,18}', lengths[0].strip()):
                self.close_connection = True
                raise Err(400, 'the header Content-Length must be one number', {'X-Faults': ';broken'})
            self.length = int(lengths[0])
        self.unread = self.chunked or self.length > 0
        hosts = h.get_all('Host') or []
        if self.request_version != 'HTTP/1.0' or hosts:
            if len(hosts) != 1 or not re.fullmatch(r"[A-Za-z0-9._~!$&'()*+,;=%\[\]:-]+", hosts[0].strip()):
                raise Err(400, 'exactly one valid Host header is required', {'X-Faults': ';host'})
        words = self.requestline.split()
        target = words[1]
        if re.match('https?://', target, re.I):
            target = '/' + target.split('://', 1)[1].partition('/')[2]
        raw_path, _, raw_query = target.partition('?')
        method = self.command
        if B('head-works') and method == 'HEAD':
            method = 'GET'
        if B('method-unknown') and method not in ('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'):
            method = 'GET'
        # route and method
        if raw_path in STATIC:
            if method != 'GET':
                raise self.no_method(['GET'])
            name, kind = STATIC[raw_path]
            try:
                with open(os.path.join(DOCS, name), 'rb') as f:
                    return 200, f.read(), {'Content-Type': kind}
            except OSError:
                raise Err(404, 'no such endpoint')
        if raw_path == '/mcp':
            if method != 'POST':
                raise self.no_method(['POST'])
            raw = self.read_body(MAX_BODY + 4096, MAX_SECONDS) or b''
            status, reply = TOOLS.answer(raw, h, self.server.server_address[1])
            return status, reply, {}
        path = raw_path
        if B('trailing-slash') and path.endswith('/'):
            path = path[:-1]
        for matcher, template in MATCHERS:
            found = matcher.fullmatch(path)
            if found:
                break
        else:
            raise Err(404, 'no such endpoint')
        api = {'a': 'agent', 'w': 'worker', 'j': 'join', 'o': 'operator'}[template[1]]
        if B('credential-before-method'):
            self.authenticate(api)
        if method not in ROUTES[template]:
            raise self.no_method(list(ROUTES[template]))
        _, _, fn, query_schema, body_schema = ROUTES[template][method]
        if B('invalid-before-credential'):
            early = []
            decode_query(raw_query, query_schema, early)
            if early:
                raise invalid(early)
        try:
            caller = self.authenticate(api, fn)
        except Err as error:
            early = []
            if B('invalid-before-suspended') and error.status == 403:
                decode_query(raw_query, query_schema, early)
            raise invalid(early) if early else error
        self.limit(method, caller, fn)
        # the body
        is_file = body_schema is FILE
        most = MAX_FILE if is_file else MAX_IMPORT if fn is import_humans and not B('import-size') else MAX_BODY
        max_seconds = MAX_FILE_SECONDS if is_file else MAX_SECONDS
        if B('body-bound'):
            most -= 1
        raw = b''
        stated = MAX_FILE if is_file else MAX_IMPORT if fn is import_humans else MAX_BODY
        big = Err(413, f'the body may have at most {stated} bytes')
        if body_schema:
            if B('size-before-type') and self.length > most:
                raise big
            kinds = h.get_all('Content-Type') or []
            kind = kinds[0] if len(kinds) == 1 else ''
            if not B('media-type-charset'):
                kind = kind.split(';')[0]
            encoded = [c for c in ','.join(h.get_all('Content-Encoding') or []).split(',') if c.strip().lower() not in ('', 'identity')]
            kind = kind.strip().lower()
            types = FILE.TYPES if is_file else ('application/json',)
            if (encoded or kind not in types) and not B('file-type-unchecked' if is_file else 'media-type-unchecked'):
                named = ' or '.join(filter(None, (', '.join(types[:-1]), types[-1])))
                raise Err(415, f'the body must be declared as Content-Type: {named}, without a Content-Encoding',
                          {'Accept-Encoding': 'identity'} if encoded else {})
            try:
                raw = self.read_body(most, max_seconds)
            except Slow:
                self.unread, self.close_connection = False, True
                raise Err(408, f'the body did not arrive within {max_seconds} s, or came too slowly')
            except ValueError:
                self.unread, self.close_connection = False, True
                raise Err(400, 'the chunks of the body are invalid', {'X-Faults': ';broken'})
            if raw is None:
                raise big
        elif B('body-ignored-not') and self.unread:
            raise Err(400, 'this operation takes no body')
        # the values
        faults = []
        path = decode_path(found.groupdict(), faults)
        if B('path-id-404') and faults:
            raise Err(404, 'no such endpoint')
        if B('absent-before-invalid') and not faults and 'id' in path:
            noun, table = (('bounty', S.bounties) if '/bounties/' in template else
                           ('conversation', S.conversations) if '/conversations/' in template else
                           ('account', S.accounts) if '/accounts/' in template else
                           ('human', S.humans) if '/humans/' in template else
                           ('file', S.files) if '/files/' in template else
                           ('webhook', S.webhooks) if '/webhooks/' in template else ('API key', S.keys))
            with LOCK:
                if path['id'] not in table:
                    raise absent(noun, path['id'])
        query = decode_query(raw_query, query_schema, faults)
        key = self.idempotency_key(fn, faults)
        with LOCK:
            if B('plan-before-invalid') and fn is create_key:
                check_plan(caller)
            body = {}
            if is_file:
                body = FILE.bytes(raw, kind, faults) if not faults else {}
            elif body_schema:
                if B('me-forbidden-name') and fn is update_me:
                    body_schema = Object({**ME_PATCH.members, 'name': (NAME, PATCHED)}, True)
                body = decode_body(raw, body_schema, faults)
            if faults:
                if B('import-partial') and fn is import_humans and isinstance(body.get('humans'), list):
                    self.import_part(raw)
                if B('limit-invalid-free') and self.counted:
                    for _, _, entry in self.counted:
                        entry[1] -= 1
                if key and B('key-rejections'):
                    ANSWERS[self.scope(caller, key)] = ('', now() + DAY, 400, None)
                raise invalid(faults)
            if key:
                scope = self.scope(caller, key)
                content = raw
                if is_file:
                    named = kind if B('key-file-type') else f'{kind} {hashlib.sha256(raw).hexdigest()}'
                    content = json.dumps(named)
                request = self.same_request(fn, path, raw_query, content)
                known = ANSWERS.get(scope)
                if known and known[1] > now() and not B('key-ignored'):
                    if known[0] != request and not B('key-other-request'):
                        raise Err(422, 'this idempotency key was sent with another request')
                    if fn in MADE and not B('key-secret-again'):
                        raise Err(409, f'{MADE[fn]} {known[3]} was made with this idempotency key, and its secret was '
                                       'shown only then')
                    if B('key-done-again'):
                        fn(Call(caller, path, query, body, len(raw or b'')))
                    marks = {} if B('key-unmarked') else {'Idempotent-Replayed': 'true'}
                    return 200 if B('key-status-200') else known[2], json.loads(known[3]), marks
            call = Call(caller, path, query, body, len(raw or b''))
            call.again, call.reads, call.sent = lambda: self.authenticate(api), method == 'GET', h
            status, data, message, extra = fn(call)
            if isinstance(data, bytes):
                return status, data, call.headers
            out = {'success': True}
            if data is not None:
                out['data'] = data
            out.update(extra)
            if message is not None and not (B('patch-message-missing') and method == 'PATCH'):
                out['message'] = message
            if B('null-left-out'):
                out = no_nulls(out)
            text = json.dumps(out, ensure_ascii=False)      # while the lock is held
            if key:
                kept = data['id'] if fn in MADE and not B('key-secret-again') else text
                ANSWERS[scope] = (request, now() + KEPT_FOR[fn], status, kept)
        return status, json.loads(text), call.headers

    def idempotency_key(self, fn, faults):
        """The key of the request, bare or in quotes."""
        given = self.headers.get_all('Idempotency-Key') or []
        if fn not in KEPT_FOR or not given:
            return None
        if len(given) > 1 and not B('key-twice'):
            wrong(faults, '`Idempotency-Key`', 'must be sent once', 'repeated')
            return None
        key = given[0].strip()
        if key.startswith('"') and not B('key-quotes'):
            quoted = re.fullmatch(r'"((?:[^"\\]|\\["\\])*)"', key)
            key = re.sub(r'\\(.)', r'\1', quoted.group(1)) if quoted else ''
        if not re.fullmatch('[!-~]{1,255}', key) and not (B('key-any') and key):
            wrong(faults, '`Idempotency-Key`', 'must be 1 to 255 visible ASCII characters, bare or in double quotes', 'key')
            return None
        return key

    def scope(self, caller, key):
        if B('key-shared'):
            return key
        if B('key-per-credential') and caller.api == 'agent':
            return caller.api, 'key', caller.key['id'], key
        who = caller.account if caller.api == 'agent' else caller.human if caller.api == 'worker' else {'id': 0}
        return caller.api, who['id'], key

    def same_request(self, fn, path, query, raw):
        """What is equal for equal requests: white space and the order of members make no difference."""
        body = json.dumps(json.loads(raw), sort_keys=not B('key-order')) if raw else ''
        return fn.__name__, () if B('key-path') else tuple(sorted(path.items())), query, body

    def import_part(self, raw):
        for given in json.loads(raw)['humans']:
            faults = []
            human = NEW_HUMAN.json(given, '', faults)
            if faults:
                break
            make_human(human, True)

    def no_method(self, methods):
        allow = ', '.join(methods)
        return Err(405, f'method not allowed here, use {allow}', {} if B('allow-missing') else {'Allow': allow})

    def authenticate(self, api, fn=None):
        if api == 'join':
            return Caller(api)
        header = HEADER[api]
        given = self.headers.get_all(header) or []
        address = self.client_address[0]
        caller = None
        if given and B('header-twice'):
            given = given[:1]
        with LOCK:
            if len(given) == 1:
                caller = self.find_caller(api, given[0].strip(), fn)
            window = RATES.failed(address)
            over = window[1] >= (100 if B('failed-100') else 300) and LIMITS and not B('failed-unlimited')
            if over and (caller is None or B('failed-blocks-valid')):
                seconds = max(1, math.ceil(window[0] + 60 - now()))
                raise Err(429, f'too many failed attempts from your address, try again in {seconds} s',
                          {'Retry-After': str(seconds)})
            if caller is None:
                window[1] += 1
                raise Err(401, f'exactly one valid {HEADER["agent"] if B("credential-text") else header} '
                               'header is required')
            if not B('no-store-missing'):
                self.realm_headers['Cache-Control'] = 'no-store'
            if api == 'agent':
                key = caller.key
                if B('limit-suspended-counted') and fn:
                    self.limit(self.command, caller, fn)
                lets = (B('suspended-read') and self.command == 'GET' or B('suspension-later') and key['early'])
                if caller.account['suspended'] and not lets:
                    if B('suspended-401'):
                        raise Err(401, f'exactly one valid {header} header is required')
                    raise Err(403, 'this account is suspended')
                if not B('last-used-never') and not (B('last-used-first') and key['used'] is not None):
                    for k in active_keys(caller.account) if B('last-used-all-keys') else [key]:
                        k['used'] = now()
            if api == 'worker' and caller.human['suspended'] and not B('worker-suspended-works'):
                raise Err(403, 'this account is suspended')
        return caller

    def find_caller(self, api, secret, fn):
        if api == 'operator':
            a, b = secret.encode('utf-8', 'surrogateescape'), OPERATOR.encode()
            if B('key-case'):
                a, b = a.lower(), b.lower()
            return Caller(api) if secrets.compare_digest(a, b) else None
        kind, i = S.by_digest.get(digest(secret), (None, None))
        if api == 'agent' and kind == 'key':
            key = S.keys.get(i)
            if key['digest'] != digest(secret):
                return None
            lets = (B('revoked-works') or B('revoked-reads') and self.command == 'GET'
                    or B('revoked-reads-files') and fn in (get_file, list_files))
            if key['revoked'] and not lets:
                return None
            if S.accounts[key['account']]['sandbox'] and not B('realm-header-missing'):
                self.realm_headers = {'Hitode-Sandbox': 'true'}
            return Caller(api, S.accounts[key['account']], key)
        if api == 'worker' and kind == 'human':
            return Caller(api, human=S.humans[i])
        return None

    def limit(self, method, caller, fn):
        if self.rate_headers or self.flight is not None:
            return
        self.counted = None
        if not LIMITS:
            return
        if caller.api == 'operator' and not B('limit-operator'):
            return
        with LOCK:
            self.rate_headers, wait, self.counted = RATES.count(method, caller, self.client_address[0])
            if wait is not None:
                raise Err(429, f'rate limit exceeded, try again in {wait} s', {'Retry-After': str(wait)})
            if caller.api in ('operator', 'join'):
                return
            who = ('account', caller.account['id']) if caller.api == 'agent' else ('human', caller.human['id'])
            allowed = {list_events: WAITING, create_file: SENDING}.get(fn, IN_FLIGHT)
            if allowed != IN_FLIGHT:
                who += (fn.__name__,)
            most = 16 if B('in-flight-16') and allowed == IN_FLIGHT else allowed
            if FLIGHT.get(who, 0) >= most and not B('in-flight-unlimited'):
                raise Err(429, f'at most {allowed} of your requests are worked on at once', {'Retry-After': '1'})
            FLIGHT[who] = FLIGHT.get(who, 0) + 1
            self.flight = who


def no_nulls(x):
    if isinstance(x, dict):
        return {k: no_nulls(v) for k, v in x.items() if v is not None}
    return [no_nulls(v) for v in x] if isinstance(x, list) else x


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main():
    global LIMITS, OPERATOR
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--port', type=int, default=0)
    p.add_argument('--operator-token', default='')
    p.add_argument('--limits', choices=('on', 'off'), default='on')
    p.add_argument('--webhook-reach', choices=('none', 'public', 'any'), default='public')
    p.add_argument('--defect', action='append', default=[])
    p.add_argument('--list-defects', action='store_true')
    args = p.parse_args()
    if args.list_defects:
        for name, (kind, text) in DEFECTS.items():
            print(f'{name}\t{kind}\t{text}')
        return
    for name in args.defect:
        if name not in DEFECTS:
            sys.exit(f'no such defect: {name}')
    ON.update(args.defect)
    LIMITS = args.limits == 'on'
    DELIVERIES.reach = args.webhook_reach
    OPERATOR = args.operator_token or new_secret('hto_')
    for k in KANJI:
        LONG_STATE[k] = k
    make_synonyms()
    sys.setrecursionlimit(6000)
    server = Server(('127.0.0.1', args.port), Handler)
    print(f'listening on http://127.0.0.1:{server.server_address[1]}', flush=True)
    if not args.operator_token:
        print(f'operator token: {OPERATOR}', flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == '__main__':
    main()

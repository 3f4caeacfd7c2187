"""What Schemathesis is taught for a run; it loads this file by SCHEMATHESIS_HOOKS. No operation is named here.

The file FUZZ_RUN is what fuzz.py says of the run: `credentials` that are good, `spared` (operation -> path parameters that
would end the credential in use, or what is there), `known` (operation -> path parameters of what is there), `seen` (the
file to write).
"""

import atexit
import collections
import itertools
import json
import os
import re

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import (
    CONTENT_TYPE_PROBES,
    CoverageScenario,
    TestPhase,
    coverage_scenario,
)
from schemathesis.openapi.checks import ObjectLevelAuthorizationViolation

import fitting
import rows

with open(os.environ["FUZZ_RUN"], encoding="utf-8") as file:
    RUN = json.load(file)
# (operation, phase, status, row) -> how often it was answered.
SEEN = collections.Counter()
# Operation -> how often a path could have been named in it.
NAMED = collections.Counter()
# Idempotency keys that were not sent before.
KEYS = itertools.count()


def document(case):
    return case.operation.schema.raw_schema


def operation(case):
    return case.operation.definition.raw


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes good data good by the document's `x-` members, too, names things that are there, spares the credential."""
    if case.meta is None:
        return
    renew_key(case)
    shorten_wait(case)
    begin_feed(case)
    if case.meta.generation.mode.is_positive:
        fit(case)
        name_known(case)
    if is_among(case.path_parameters, RUN["spared"].get(operation(case)["operationId"], [])):
        # One that nothing has.
        case.path_parameters = {name: rows.HIGHEST_ID for name in case.path_parameters}


def renew_key(case):
    """A generator sends the same idempotency key with many requests. A server rejects that, so a good key becomes a new one."""
    rejects = {row["at"] for row in rows.of_operation(document(case), operation(case))}
    if "key_reused" in rejects:
        for parameter in operation(case)["parameters"]:
            name = parameter["name"]
            sent = (case.headers or {}).get(name)
            is_header = parameter["in"] == "header"
            if is_header and isinstance(sent, str) and re.search(parameter["schema"]["pattern"], sent):
                case.headers[name] = f"key-{next(KEYS)}"


def shorten_wait(case):
    """A wait that is allowed becomes one of at most a second: where there is no event, a run would stand still."""
    wait = str((case.query or {}).get("wait", ""))
    if "x-waits-at-once" in operation(case) and re.fullmatch("[0-9]{1,2}", wait) and 1 < int(wait) <= 30:
        case.query["wait"] = 1


def begin_feed(case):
    """A number as the cursor of a feed is one that the feed may not have returned yet; all feeds begin with 0."""
    for parameter in operation(case)["parameters"] if "x-waits-at-once" in operation(case) else []:
        name = parameter["name"]
        is_cursor = parameter["schema"].get("pattern", "").startswith("^(now|0|")
        if is_cursor and re.fullmatch("[1-9][0-9]{0,15}", str((case.query or {}).get(name, ""))):
            case.query[name] = "0"


def is_among(given, several):
    """As they are written in a path."""
    return {name: str(value) for name, value in given.items()} in [
        {name: str(value) for name, value in one.items()} for one in several
    ]


def fit(case):
    query = fitting.query(document(case), operation(case), case.query or {})
    if repr(query) != repr(case.query or {}):
        case.query = query
    if isinstance(case.body, (dict, list)):
        content = operation(case)["requestBody"]["content"]
        case.body = fitting.value(document(case), content["application/json"]["schema"], case.body)


def name_known(case):
    """Every other request that no link leads to names something that is there and that a generator does not guess."""
    name = operation(case)["operationId"]
    known = RUN["known"].get(name, [])
    if known and case.meta.phase.name is not TestPhase.STATEFUL:
        times, is_turn = divmod(NAMED[name], 2)
        NAMED[name] += 1
        if not is_turn:
            case.path_parameters = dict(known[times % len(known)])


@schemathesis.check
def error_table_conformance(ctx, response, case):
    """A refusal is a row of the table, and one that may reject such a request.

    Statuses alone do not tell: 400 is a fault of the request and a rule of the business, and a 401 with the good
    credential means that the run has lost it.
    """
    if case.meta is None:
        return
    if response.status_code < 300:
        # Schemathesis lets servers choose one of the two values; the contract does not.
        is_twice = coverage_scenario(case) is CoverageScenario.DUPLICATE_PARAMETER
        assert not is_twice, "a parameter that was given twice was served"
        return
    row, filled = answered(case, response) or (None, {})
    names, why = expected(case, response, filled)
    if row is None or row["name"] not in names:
        told = row["name"] if row else "no row of the table"
        raise AssertionError(f"{why}, was rejected by {told}, not by one of {sorted(names)}: {response.text[:200]}")


def answered(case, response):
    try:
        body = response.json()
    except ValueError:
        return None
    return rows.matching(document(case)["x-errors"], response.status_code, body)


def expected(case, response, filled):
    """The names of the rows that may reject a request, and what is special in it."""
    scenario = coverage_scenario(case)
    if scenario is CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        return {document(case)["paths"][case.path]["x-other-methods"]["error"]}, "another method"
    if not sent_credentials(case, response) & set(RUN["credentials"]):
        steps, why = {"credential"}, "no good credential"
    elif "requestBody" in operation(case) and (scenario in CONTENT_TYPE_PROBES or response.request.body is None):
        steps, why = {"media_type"}, "a body that is not declared as JSON"
    elif scenario in CONTENT_TYPE_PROBES or has_unknown_header(case) or case.meta.generation.mode.is_positive:
        steps, why = rows.OF_GOOD_REQUESTS, "what the document allows"
    elif rows.is_beyond_ids(filled):
        steps, why = {"decode", "exists"}, "an id beyond all ids"
    else:
        steps, why = {"decode"}, "what the document does not allow"
    return {row["name"] for row in rows.of_operation(document(case), operation(case)) if row["at"] in steps}, why


def has_unknown_header(case):
    """Schemathesis counts an unknown header as bad data. HTTP does not."""
    is_unknown = coverage_scenario(case) is CoverageScenario.OBJECT_UNEXPECTED_PROPERTIES
    return is_unknown and case.meta.phase.data.parameter_location is ParameterLocation.HEADER


def sent_credentials(case, response):
    schemes = document(case)["components"]["securitySchemes"].values()
    return {response.request.headers.get(scheme["name"]) for scheme in schemes}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """What has no `owner` guard in `x-guards` is shown to everyone who asks, and no secret of who made it."""
    guards = operation(case).get("x-guards", [])
    is_public = not any(guard.startswith("owner ") for guard in guards)
    return not (isinstance(failure, ObjectLevelAuthorizationViolation) and is_public)


@schemathesis.hook
def after_call(context, case, response):
    """Counts what each operation answered in each phase."""
    phase = case.meta.phase.name.value if case.meta else "other"
    row = answered(case, response) if response.status_code >= 300 else None
    SEEN[operation(case)["operationId"], phase, response.status_code, row[0]["name"] if row else None] += 1


@atexit.register
def tell():
    with open(RUN["seen"], "w", encoding="utf-8") as file:
        json.dump([[*key, count] for key, count in SEEN.items()], file)

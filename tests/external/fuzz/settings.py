"""The settings of a run of Schemathesis, as its configuration file has them: all there is to check, and how strictly."""

import json

import rows

METHODS = ("get", "post", "put", "patch", "delete")

# `object_level_authorization` needs two callers (`peers`), so the operator's surface, which has one, goes without.
# Left out: `max_response_time`, for a test does not depend on how fast a machine is.
CHECKS = {
    "not_a_server_error": ["2xx", "4xx"],
    "missing_required_header": ["401"],
    **dict.fromkeys(
        (
            "status_code_conformance",
            "content_type_conformance",
            "response_headers_conformance",
            "response_schema_conformance",
            "unsupported_method",
            "allow_header_conformance",
            "use_after_free",
            "ensure_resource_availability",
            "ignored_auth",
            "object_level_authorization",
            "error_table_conformance",
        )
    ),
}

# Every warning there is; each fails the run.
WARNINGS = (
    "missing_auth missing_test_data base_url_mismatch validation_mismatch missing_deserializer unused_openapi_auth "
    "unsupported_regex method_not_allowed constants_extraction unmatched_filter unresolvable_reference low_valid_rate "
    "rate_limited dictionary_mismatch timeout_units"
).split()


def operations(document):
    return [item[method] for item in document["paths"].values() for method in METHODS if method in item]


def link_bodies(document):
    """Where an answer leads to a path that takes an id, it leads to bodies that take it, too.

    That is a word of Schemathesis: OpenAPI's links give a body whole or not at all.
    """
    known = {operation["operationId"]: operation for operation in operations(document)}
    takers = [
        (name, member, schema)
        for name, operation in known.items()
        if "requestBody" in operation
        for member, schema in operation["requestBody"]["content"]["application/json"]["schema"]
        .get("properties", {})
        .items()
    ]
    for response in (response for operation in known.values() for response in operation["responses"].values()):
        for link in list(response.get("links", {}).values()):
            parameters = known[link["operationId"]]["parameters"]
            parameters = {"path." + one["name"]: one["schema"].get("$ref") for one in parameters}
            for parameter, expression in link["parameters"].items():
                for name, member, schema in takers:
                    if schema.get("$ref", "") == parameters[parameter]:
                        response["links"][f"body_{name}"] = {"operationId": name, "requestBody": {member: expression}}


def close_answers(node):
    """What answers may get in time (documents leave that open) they do not have today: what is not named is a fault."""
    if isinstance(node, dict):
        if node.get("type") == "object" and isinstance(node.get("properties"), dict):
            node["additionalProperties"] = False
        for name, child in node.items():
            if name not in ("example", "examples"):
                close_answers(child)
    elif isinstance(node, list):
        for child in node:
            close_answers(child)


def written(document, callers, seed, examples):
    """The file. `callers` are names of credentials in the file `auth.json`; the first one fuzzes."""
    sections = {
        # Slow is no fault: a test does not depend on how fast a machine is.
        "": {"seed": seed, "continue-on-failure": True, "suppress-health-check": ["too_slow"]},
        "cache": {"enabled": False},
        # A failure of another run is not tried again: a run is what its seed makes it.
        "generation": {"mode": "all", "max-examples": examples, "database": "none"},
        "warnings": {"display": WARNINGS, "fail-on": True},
        "phases.coverage": {"generate-duplicate-query-parameters": True},
        # Each example is a walk along links, of which there are some 20.
        "phases.stateful.generation": {"max-examples": 2 * examples},
        "auth": {"auto-signup": False},
        "auth.wfc": {"path": "auth.json", "user": callers[0]} | ({"peers": callers} if len(callers) > 1 else {}),
    }
    for name, statuses in CHECKS.items():
        sections[f"checks.{name}"] = {"enabled": True} | ({"expected-statuses": statuses} if statuses else {})
    lines = [section(f"[{name}]" if name else "", members) for name, members in sections.items()]
    return "\n".join(lines + [of_operation(document, operation) for operation in operations(document)])


def of_operation(document, operation):
    """What an operation may answer, by its own rows of the error table; `error_table_conformance` says when."""
    good = [int(status) for status in operation["responses"] if status < "300"]
    good += rows.statuses(document, operation, rows.OF_GOOD_REQUESTS)
    bad = rows.statuses(document, operation, {"credential", "media_type", "decode", "exists"})
    checks = {"positive_data_acceptance": good, "negative_data_rejection": bad}
    lines = section("[[operations]]", {"include-operation-id": operation["operationId"]})
    for name, statuses in checks.items():
        lines += section(f"[operations.checks.{name}]", {"expected-statuses": [str(status) for status in statuses]})
    return lines


def section(name, members):
    """Of TOML, whose values are written as JSON's are, these at least."""
    return "\n".join([name, *(f"{key} = {json.dumps(value)}" for key, value in members.items()), ""])

"""Makes values that fit a JSON Schema fit the contract, too, where the document says more in `x-` members."""

import json
import unicodedata
from decimal import ROUND_DOWN, Decimal


def resolved(document, schema):
    """The schema with those that it refers to, the nearest first."""
    while "$ref" in schema:
        yield schema
        name = schema["$ref"]
        schema = document
        for key in name.removeprefix("#/").split("/"):
            schema = schema[key]
    yield schema


def value(document, schema, given):
    """A value of a body."""
    for part in resolved(document, schema):
        for choice in part.get("anyOf", []):
            given = value(document, choice, given)
        if isinstance(given, dict):
            known = part.get("properties", {})
            given = {name: value(document, known.get(name, {}), item) for name, item in given.items()}
            given = short(given, part.get("x-max-bytes"))
        elif isinstance(given, list):
            given = unique([value(document, part.get("items", {}), item) for item in given], part.get("x-unique"))
        elif isinstance(given, float):
            given = number(part, given)
    return given


def short(given, most):
    """`x-max-bytes` is how many bytes an object may have. Escaped, as it is counted here, it has the most."""
    return {} if most is not None and len(json.dumps(given)) > most else given


def unique(items, member):
    """`x-unique` names the member that no two items have alike, whatever its case and width."""
    if member is None:
        return items
    alike = {unicodedata.normalize("NFKC", str(item.get(member))).casefold(): item for item in items}
    return list(alike.values())


def number(schema, given):
    """`x-decimals` says how many decimals there may be; and 2.0 is an integer to JSON Schema, but not to the contract."""
    if "x-decimals" in schema:
        step = Decimal(1).scaleb(-schema["x-decimals"])
        rounded = Decimal(repr(given)).quantize(step, ROUND_DOWN)
        is_too_low = "exclusiveMinimum" in schema and rounded <= schema["exclusiveMinimum"]
        given = float(rounded + step if is_too_low else rounded)
    is_integer = "integer" in schema.get("type", "")
    return int(given) if is_integer and given.is_integer() else given


def query(document, operation, given):
    """In a query a number has no exponent, and of two parameters in `x-constraints` the first is not above the second."""
    given = dict(given)
    for parameter in operation.get("parameters", []):
        name = parameter["name"]
        is_number = any("number" in part.get("type", "") for part in resolved(document, parameter["schema"]))
        if parameter["in"] == "query" and name in given and is_number:
            given[name] = plain(given[name])
    for constraint in operation.get("x-constraints", []):
        lower, upper = constraint.split(" <= ")
        if lower in given and upper in given and float(given[lower]) > float(given[upper]):
            given[lower], given[upper] = given[upper], given[lower]
    return given


def plain(given):
    """The number, or the text of one, as it is when it is written without an exponent."""
    if "e" not in str(given).lower():
        return given
    # Whole, or 0: such numbers are very large or very small.
    whole = int(Decimal(str(given)))
    return str(whole) if isinstance(given, str) else whole

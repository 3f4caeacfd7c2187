"""Checks the examples: each fits the schema that it stands beside, as openapi-schema-validator reads schemas.

Called with the documents. An example stands beside a schema in a parameter, a header or a media type (`example`,
`examples`), and in a schema itself (`example` in OpenAPI 3.0, `examples` from 3.1 on).
"""

import json
import sys

from openapi_schema_validator import OAS30Validator, OAS31Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012


def examples(node, path=()):
    """Each example at or below a node, with the path of its schema."""
    if isinstance(node, dict):
        holder = isinstance(node.get("schema"), dict)
        schema = (*path, "schema") if holder else path
        if "example" in node:
            yield node["example"], schema
        several = node.get("examples")
        if holder and isinstance(several, dict):
            yield from ((one["value"], schema) for one in several.values())
        elif isinstance(several, list):
            yield from ((one, schema) for one in several)
        for name, child in node.items():
            # A property may be called `example`; what is in an example is no schema.
            if name not in ("example", "examples") or path[-1:] == ("properties",):
                yield from examples(child, (*path, name))
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from examples(child, (*path, str(index)))


def check(name):
    """How many examples a document has, and what is wrong with them."""
    with open(name, encoding="utf-8") as file:
        document = json.load(file)
    dialect = OAS30Validator if document["openapi"].startswith("3.0") else OAS31Validator
    registry = Registry().with_resource("urn:document", DRAFT202012.create_resource(document))
    count, wrong = 0, []
    for example, path in examples(document):
        count += 1
        pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in path)
        schema = {"$ref": f"urn:document#/{pointer}"}
        validator = dialect(schema, registry=registry, format_checker=dialect.FORMAT_CHECKER)
        wrong += (f"{name}: the example of #/{pointer}: {fault.message}" for fault in validator.iter_errors(example))
    return count, wrong


checked = [check(name) for name in sys.argv[1:]]
faults = [fault for _, wrong in checked for fault in wrong]
print(f"{sum(count for count, _ in checked)} examples, {len(faults)} that do not fit")
print(*faults, sep="\n")
sys.exit(bool(faults))

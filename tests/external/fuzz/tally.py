"""What a run has seen: lines for people, and what is missing from it."""

import collections

import rows
import settings

PHASES = ("examples", "coverage", "fuzzing", "stateful")
# Rows at these steps a run can bring about, so it must; the others need limits, a clock, a broken disk, another account,
# or megabytes, and are shown by probes.
BROUGHT_ABOUT = {"credential", "media_type", "decode", "exists", "owner", "quota", "transition", "rule"}


def phases(surface, document, seen):
    """A line for each phase."""
    count = len(settings.operations(document))
    for phase in PHASES:
        of_phase = [one for one in seen if one[1] == phase]
        statuses = collections.Counter()
        for _, _, status, _, number in of_phase:
            statuses[status] += number
        done = {operation for operation, _, status, _, _ in of_phase if status < 300}
        told = ", ".join(f"{status} {number}" for status, number in sorted(statuses.items()))
        yield f"fuzz: {surface}, {phase}: {statuses.total()} requests ({told}); 2xx from {len(done)} of {count} operations"


def table(document, seen):
    """Operation × counts of statuses by phase."""
    cells = collections.defaultdict(collections.Counter)
    for operation, phase, status, _, number in seen:
        cells[operation, phase][status] += number
    lines = [("operation", *PHASES)]
    for operation in settings.operations(document):
        name = operation["operationId"]
        told = [
            " ".join(f"{status}:{number}" for status, number in sorted(cells[name, phase].items())) for phase in PHASES
        ]
        lines.append((name, *(text or "-" for text in told)))
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def missing(document, seen):
    """What must be among the answers and is not."""
    faults = []
    for operation in settings.operations(document):
        name = operation["operationId"]
        answers = [(status, row) for one, _, status, row, _ in seen if one == name]
        answered = {row for _, row in answers}
        if not any(status < 300 for status, _ in answers):
            faults.append(f"{name} never answered 2xx: name something that is there in world.py, or mend the document")
        takes_something = operation.get("parameters") or "requestBody" in operation
        for row in rows.of_operation(document, operation):
            can_be = row["at"] in BROUGHT_ABOUT and (takes_something or row["at"] != "decode")
            if can_be and row["name"] not in answered:
                faults.append(f"{name} never answered {row['name']} ({row['status']}): world.py must bring it about")
    return faults

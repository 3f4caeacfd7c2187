"""Which row of the contract's error table an answer is, and which may reject a request: as the document says in `x-errors`."""

import re

# Only at these steps may a request be rejected that is as the document says: what it names is not there, is somebody
# else's, or a rule of the business stands against it.
OF_GOOD_REQUESTS = {"plan", "exists", "owner", "quota", "transition", "rule"}
# Ids go up to here. One beyond is no id of a schema, but still an integer, which nothing has.
HIGHEST_ID = 2**53 - 1


def of_operation(document, operation):
    """The rows that an operation can answer with, in order of precedence."""
    known = {row["name"]: row for row in document["x-errors"]}
    return [known[name] for name in operation["x-errors"]]


def statuses(document, operation, steps):
    """The statuses of an operation's rows at these steps."""
    return sorted({row["status"] for row in of_operation(document, operation) if row["at"] in steps})


def matching(rows, status, body):
    """The row that an answer is, and what stands where its text has words in braces; or None.

    Of two rows that fit, it is the one with more words of its own.
    """
    texts = [text for text in body.values() if isinstance(text, str)] if isinstance(body, dict) else []
    fitting = [
        (row, found.groupdict())
        for row in rows
        for text in texts
        if row["status"] == status and (found := pattern(row["text"]).fullmatch(text))
    ]
    return max(fitting, key=lambda found: len(re.sub(r"\{\w+\}", "", found[0]["text"])), default=None)


def pattern(text):
    """A text of the table as a pattern; the words in braces are its groups."""
    pieces = re.split(r"\{(\w+)\}", text)
    written = [re.escape(piece) if place % 2 == 0 else f"(?P<{piece}>.+)" for place, piece in enumerate(pieces)]
    return re.compile("".join(written), re.DOTALL)


def is_beyond_ids(filled):
    """Whether a refusal names an id that nothing can have."""
    number = filled.get("id", "")
    return re.fullmatch(r"-?\d+", number) is not None and not 1 <= int(number) <= HIGHEST_ID

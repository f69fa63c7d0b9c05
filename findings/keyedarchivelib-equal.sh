#!/usr/bin/env bash
# WHAT: keyedarchivelib writes values that Python calls equal as one object, so that a flag, a count
# and a rate in one dictionary all come back as the flag.
# Versions: keyedarchivelib 1.0.2 (PyPI). Seen on 29 November 2026.
# The format: a property list has booleans, integers and reals as types of their own, and the objects
# of a keyed archive are numbered one by one. Python's True, 1 and 1.0 are equal, as are False and 0,
# and the library looks for an equal object before it adds one.
# Output seen: {"active": true, "count": true, "off": 0, "rate": true, "unread": 0}
#   for active true, count 1, rate 1.0, unread 0 and off false; the file itself holds only
#   the objects true and 0.
# What follows for us: compare the types too after a settings archive went through this library;
# a reading of 1 that is a flag in it is no edit of the app.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'keyedarchivelib==1.0.2'

"$work/venv/bin/python" - <<'PY'
import json, plistlib
import keyedarchivelib

given = {"active": True, "count": 1, "rate": 1.0, "unread": 0, "off": False}
written = keyedarchivelib.dumps(given)
back = keyedarchivelib.loads(written)
print(json.dumps(back, sort_keys=True))

def typed(values):
    return {key: (type(value).__name__, float(value)) for key, value in values.items()}

assert typed(back) == {
    "active": ("bool", 1.0), "count": ("bool", 1.0), "rate": ("bool", 1.0),
    "unread": ("int", 0.0), "off": ("int", 0.0),
}, "keyedarchivelib no longer merges equal values"

# The writer did it, not the reader: the archive has two objects for the five values.
numbers = [o for o in plistlib.loads(written)["$objects"] if isinstance(o, (bool, int, float))]
print(numbers)
assert [(type(o).__name__, o) for o in numbers] == [("bool", True), ("int", 0)]
PY

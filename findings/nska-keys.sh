#!/usr/bin/env bash
# WHAT: nska_deserialize makes texts of all keys, so a dictionary with the number 1 and the text "1" as
# keys loses an entry, and nil is the empty text, which no one can tell from one.
# Versions: nska-deserialize 1.5.1 with biplist 1.0.3 (PyPI). Seen on 29 November 2026.
# The format: an archived NSDictionary may have keys of any class, and NSNumber 1 and NSString "1"
# are different keys; UID 0 is nil.
# Output seen: {'1': 'by text', '2': 'two'}; 2 of 3 entries
#   {'note': '', 'title': ''} for a note that is nil and a title that is ""
# What follows for us: count the entries of an archive in a store (transformable attributes, caches
# by number) with another reader before it is said that one is missing, or that a text was emptied.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
  'nska-deserialize==1.5.1' 'biplist==1.0.3'

"$work/venv/bin/python" - <<'PY'
import plistlib
import nska_deserialize

uid = plistlib.UID

def read(objects):
    archive = {"$version": 100000, "$archiver": "NSKeyedArchiver",
               "$top": {"root": uid(1)}, "$objects": ["$null", *objects]}
    return nska_deserialize.deserialize_plist_from_string(
        plistlib.dumps(archive, fmt=plistlib.FMT_BINARY), format=dict)

dictionary = {"$classes": ["NSDictionary", "NSObject"], "$classname": "NSDictionary"}
keyed = read([
    {"NS.keys": [uid(2), uid(3), uid(4)], "NS.objects": [uid(5), uid(6), uid(7)], "$class": uid(8)},
    1, "1", 2, "by number", "by text", "two", dictionary,
])
print(f"{keyed}; {len(keyed)} of 3 entries")
assert keyed == {"1": "by text", "2": "two"}, "the keys stay apart now"

meter = {"$classes": ["Meter", "NSObject"], "$classname": "Meter"}
empty = read([{"note": uid(0), "title": uid(2), "$class": uid(3)}, "", meter])
print(empty)
assert empty == {"note": "", "title": ""}, "nil is told apart now"
PY

#!/usr/bin/env bash
# WHAT: unarchiver takes the plain numbers and flags at the top of a keyed archive for indexes into
# its objects, and shows nil as the text "$null".
# Versions: unarchiver 0.2.0 (PyPI), with pydantic 2.14.4, click 8.3.1, click-pathlib 2020.3.13.0.
# Seen on 29 November 2026.
# The format: an archiver keeps objects in $objects and puts a UID, a type of its own, where one is
# meant; a number or a flag that is encoded by key stays inline, at the top too. The system fields
# of a CloudKit record, which the mirror of a Core Data store keeps as bytes, are such an archive
# without a "root". UID 0 is nil.
# Output seen: {"HasShare": "CD_Meter", "Owner": "$null", "Pages": "meter-7", "RecordType": "CD_Meter", "Retries": null}
#   for HasShare true, Owner nil, Pages 2, RecordType "CD_Meter" and Retries 0.
# What follows for us: never judge a mirror's record by what this tool prints of it: the flags and
# counts are other objects' values, and a missing one is a text.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
  'unarchiver==0.2.0' 'pydantic==2.14.4' 'click==8.3.1' 'click-pathlib==2020.3.13.0'

"$work/venv/bin/python" - "$work/fields.plist" <<'PY'
import plistlib, sys
uid = plistlib.UID
archive = {
    "$version": 100000,
    "$archiver": "NSKeyedArchiver",
    "$top": {"RecordType": uid(1), "Owner": uid(0), "HasShare": True, "Pages": 2, "Retries": 0},
    "$objects": ["$null", "CD_Meter", "meter-7"],
}
with open(sys.argv[1], "wb") as file:
    plistlib.dump(archive, file, fmt=plistlib.FMT_BINARY)
PY

"$work/venv/bin/unarchive" "$work/fields.plist" >"$work/said.json"

"$work/venv/bin/python" - "$work/said.json" <<'PY'
import json, sys
said = json.load(open(sys.argv[1]))
print(json.dumps(said, sort_keys=True))
assert said == {
    "RecordType": "CD_Meter",   # right
    "Owner": "$null",           # nil
    "HasShare": "CD_Meter",     # true, read as object 1
    "Pages": "meter-7",         # 2, read as object 2
    "Retries": None,            # 0, read as nil
}, "unarchiver no longer behaves as described"
PY

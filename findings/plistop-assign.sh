#!/usr/bin/env bash
# WHAT: plistop does not replace a string, number or date of a dictionary: it adds the key a second
# time, goes on answering the old value, and writes a flag as a number that is none.
# Versions: plistop 0.2 with lxml 6.0.2 and iso8601 2.1.0 (PyPI). Seen on 29 November 2026.
# The format: the keys of a <dict> are distinct, flags are <true/> and <false/>. lxml calls an
# element without children false, which is each value here that is no dictionary or array, and the
# library drops the old pair only if the old value is true.
# Output seen: answer: pending
#   <dict><key>state</key><string>pending</string><key>state</key><string>done</string><key>seen</key><integer>True</integer></dict>
#   CPython's plistlib reads state as done, and refuses the file once "seen" is in it.
# What follows for us: which of the two values an app finds depends on its reader; look for a key
# twice in a settings file that a script has edited before its values are believed.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
  'plistop==0.2' 'lxml==6.0.2' 'iso8601==2.1.0'

"$work/venv/bin/python" -W ignore - <<'PY'
import io, plistlib
import lxml.etree
import plistop

source = b'<plist version="1.0"><dict><key>state</key><string>pending</string></dict></plist>'

def text(settings):
    return lxml.etree.tostring(settings.elem).decode()

settings = plistop.parse(io.BytesIO(source))
settings["state"] = "done"
print("answer:", settings["state"])
assert settings["state"] == "pending", "the new value is answered now"
twice = text(settings)
assert twice.count("<key>state</key>") == 2, "the old pair is dropped now"
as_plist = f'<plist version="1.0">{twice}</plist>'.encode()
assert plistlib.loads(as_plist) == {"state": "done"}   # another reader, another value

settings["seen"] = True
print(text(settings))
assert text(settings) == (
    "<dict><key>state</key><string>pending</string><key>state</key><string>done</string>"
    "<key>seen</key><integer>True</integer></dict>"
)
try:
    plistlib.loads(f'<plist version="1.0">{text(settings)}</plist>'.encode())
except ValueError as refused:
    print("plistlib:", refused)
else:
    raise AssertionError("plistlib reads the flag now")
PY

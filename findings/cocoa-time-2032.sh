#!/usr/bin/env bash
# WHAT: cocoa-time takes a Core Data time of ten digits for hundredths of a second, so its own times
# from 9 September 2032 on come back as dates of 2001.
# Versions: cocoa-time 1.0.10 (PyPI). Seen on 29 November 2026.
# The format: a Core Data time is a number of seconds since 2001-01-01 UTC, whatever its size; it has
# ten digits from 2032-09-09T01:46:40Z on.
# Output seen: 999999999 -> 2032-09-09 01:46:39
#   1000000000 -> 2001-04-26 17:46:40
#   from_datetime(2033-01-01) = 1009843200 -> 2001-04-27 21:07:12, to_unix_timestamp 988405632
# What follows for us: a plan or a reminder of the 2030s that a script moved with this library is a
# date of April 2001 in the store; multiply such a date's distance from 2001 by 100 to have it back.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'cocoa-time==1.0.10'

"$work/venv/bin/python" - <<'PY'
from datetime import datetime, timedelta
import cocoa_time

def right(seconds):
    return datetime(2001, 1, 1) + timedelta(seconds=seconds)

for seconds, said in ((999_999_999, datetime(2032, 9, 9, 1, 46, 39)),
                      (1_000_000_000, datetime(2001, 4, 26, 17, 46, 40))):
    answer = cocoa_time.to_datetime(seconds)
    print(seconds, "->", answer)
    assert answer == said, "the border has moved"
assert right(999_999_999) == cocoa_time.to_datetime(999_999_999)
assert right(1_000_000_000) == datetime(2032, 9, 9, 1, 46, 40)

# Its own writer makes seconds of ten digits, which its reader then does not take for seconds.
given = datetime(2033, 1, 1)
seconds = cocoa_time.from_datetime(given)
back = cocoa_time.to_datetime(seconds)
unix = cocoa_time.to_unix_timestamp(seconds)
print(f"from_datetime({given:%Y-%m-%d}) = {seconds} -> {back}, to_unix_timestamp {unix}")
assert right(seconds) == given
assert back == datetime(2001, 4, 27, 21, 7, 12)
assert unix == 988405632
assert datetime(2001, 1, 1) + (back - datetime(2001, 1, 1)) * 100 == given
PY

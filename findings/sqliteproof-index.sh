#!/usr/bin/env bash
# WHAT: sqliteproof calls a database INTACT, exit 0, whose indexes miss rows and find none, though
# SQLite's own integrity check, which it runs, says so.
# Versions: sqliteproof 0.1.1 (PyPI). Seen on 29 November 2026.
# The format: an index has one entry for each row of its table; PRAGMA integrity_check names the rows
# that are missing. The tool runs that check and prints its messages (not with --quiet), but takes
# its verdict and its exit code from the tables' rows alone.
# Output seen: integrity_check: row 2 missing from index Z_Meter_byName (and row 3, and the wrong number)
#   by name: 0 of 1; sqliteproof --quiet: INTACT, exit 0; with --json: 3 expected, 3 read, 0 lost
# What follows for us: a fetch by an indexed attribute misses rows in such a store; do not leave the
# repair out because this tool found nothing, and rebuild the indexes.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'sqliteproof==0.1.1'

# A store whose index is two rows behind its table: the index is left out of the schema while the
# rows come in, as a writer does that does not know the index.
"$work/venv/bin/python" - "$work/store.sqlite" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("""
CREATE TABLE ZMETER (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR);
CREATE INDEX Z_Meter_byName ON ZMETER (ZNAME COLLATE BINARY ASC);
INSERT INTO ZMETER VALUES (1, 'Water');
""")
entry = db.execute("SELECT * FROM sqlite_master WHERE type = 'index'").fetchone()
db.execute("PRAGMA writable_schema = ON")
db.execute("DELETE FROM sqlite_master WHERE type = 'index'")
db.commit()
db.close()
db = sqlite3.connect(sys.argv[1])
db.execute("INSERT INTO ZMETER VALUES (2, 'Gas'), (3, 'Power')")
db.execute("PRAGMA writable_schema = ON")
db.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", entry)
db.commit()
db.close()

db = sqlite3.connect(sys.argv[1])
faults = [fault for fault, in db.execute("PRAGMA integrity_check")]
print("integrity_check:", "; ".join(faults))
assert any("missing from index Z_Meter_byName" in fault for fault in faults)
found = db.execute("SELECT count(*) FROM ZMETER WHERE ZNAME = 'Gas'").fetchone()[0]
there = db.execute("SELECT count(*) FROM ZMETER NOT INDEXED WHERE ZNAME = 'Gas'").fetchone()[0]
print(f"by name: {found} of {there}")
assert (found, there) == (0, 1)
PY

code=0
said="$("$work/venv/bin/sqliteproof" --quiet "$work/store.sqlite")" || code=$?
echo "sqliteproof --quiet: $said, exit $code"
[ "$said" = INTACT ] && [ "$code" -eq 0 ]

"$work/venv/bin/sqliteproof" --json "$work/store.sqlite" >"$work/said.json"
"$work/venv/bin/python" - "$work/said.json" <<'PY'
import json, sys
said = json.load(open(sys.argv[1]))
table = said["tables"][0]
print("with --json:", table["rows_expected"], "expected,", table["rows_read"], "read,", table["rows_lost"], "lost")
assert said["verdict"] == "INTACT" and said["integrity_check_messages"] > 0
assert (table["rows_expected"], table["rows_read"], table["rows_lost"]) == (3, 3, 0)
PY

#!/usr/bin/env bash
# WHAT: sqlglot, asked for SQLite from SQLite, changes what Core Data's types mean: a DECIMAL column
# becomes REAL and loses digits, and a cast to TIMESTAMP becomes a call of DATETIME, which answers
# nothing or a date of another age.
# Versions: sqlglot 30.30.0 (PyPI). Seen on 29 November 2026.
# The format: in SQLite DECIMAL and TIMESTAMP are names with NUMERIC affinity, which keeps an exact
# integer; CAST(x AS TIMESTAMP) is a number again. DATETIME(x) takes a number for a Julian day.
# Output seen: CREATE TABLE ZMETER (Z_PK INTEGER PRIMARY KEY, ZCOUNT REAL, ZTIMESTAMP TIMESTAMP)
#   SELECT ZCOUNT, DATETIME(ZTIMESTAMP) FROM ZMETER ORDER BY Z_PK
#   before [(12345678901234567, 721692800.5), (7, 86400)]
#   after [(1.2345678901234568e+16, None), (7.0, '-4476-06-15 12:00:00')]
# What follows for us: do not make or reformat the statements of a migration with it; a counter of
# more than 15 digits is another one afterwards, and a store has types that Core Data did not write.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'sqlglot==30.30.0'

"$work/venv/bin/python" - <<'PY'
import sqlite3
import sqlglot

table = "CREATE TABLE ZMETER (Z_PK INTEGER PRIMARY KEY, ZCOUNT DECIMAL, ZTIMESTAMP TIMESTAMP)"
query = "SELECT ZCOUNT, CAST(ZTIMESTAMP AS TIMESTAMP) FROM ZMETER ORDER BY Z_PK"
rows = [(1, 12345678901234567, 721692800.5), (2, 7, 86400)]

def run(table, query):
    db = sqlite3.connect(":memory:")
    db.execute(table)
    db.executemany("INSERT INTO ZMETER VALUES (?, ?, ?)", rows)
    return db.execute(query).fetchall()

def same_dialect(statement):
    return sqlglot.transpile(statement, read="sqlite", write="sqlite")[0]

new_table, new_query = same_dialect(table), same_dialect(query)
print(new_table, new_query, sep="\n")
assert "ZCOUNT REAL" in new_table, "DECIMAL stays now"
assert "DATETIME(ZTIMESTAMP)" in new_query, "the cast stays now"

before, after = run(table, query), run(new_table, new_query)
print("before", before)
print("after", after)
assert before == [(12345678901234567, 721692800.5), (7, 86400)]
assert [type(count) for count, _ in after] == [float, float]
assert int(after[0][0]) == 12345678901234568
assert [moment for _, moment in after] == [None, "-4476-06-15 12:00:00"]
PY

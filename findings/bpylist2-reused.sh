#!/usr/bin/env bash
# WHAT: bpylist2 tells the objects that it has archived by their addresses without keeping them, so
# the second of two values that are made while archiving is written as the first one.
# Versions: bpylist2 4.1.1 (PyPI), on CPython. Seen on 29 November 2026.
# The format: each object of a keyed archive has its own index; a shared index says that it is one
# object. An encode_archive that passes on a date or a list made on the spot frees it at once, and
# CPython gives the next one its place.
# Output seen: dates 10.0 10.0 (given 10 and 20)
#   kept dates 10.0 20.0, where the class holds both while it encodes
# What follows for us: an archive in which two dates are one object may never have had two equal
# dates; make test archives for a store's transformable attributes of values that are held.
set -euo pipefail
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'bpylist2==4.1.1'

"$work/venv/bin/python" - <<'PY'
import plistlib
from bpylist2 import archiver
from bpylist2.archive_types import timestamp

epoch = timestamp.unix2apple_epoch_delta

class Span:
    """Two moments, as seconds since 2001, archived as two NSDates."""
    def __init__(self, first, last):
        self.first, self.last = first, last

    @staticmethod
    def encode_archive(span, archive):
        archive.encode("first", timestamp(epoch + span.first))
        archive.encode("last", timestamp(epoch + span.last))

    @staticmethod
    def decode_archive(archive):
        return Span(archive.decode("first") - epoch, archive.decode("last") - epoch)

class HeldSpan(Span):
    @staticmethod
    def encode_archive(span, archive):
        first, last = timestamp(epoch + span.first), timestamp(epoch + span.last)
        archive.encode("first", first)
        archive.encode("last", last)

archiver.update_class_map({"Span": Span})
archiver.update_class_map({"HeldSpan": HeldSpan})

written = archiver.archive(Span(10, 20))
back = archiver.unarchive(written)
print("dates", back.first, back.last)
assert (back.first, back.last) == (10.0, 10.0), "the second date is written now"

# It is lost in the file: only one NSDate is there.
objects = plistlib.loads(written)["$objects"]
assert [o["NS.time"] for o in objects if isinstance(o, dict) and "NS.time" in o] == [10.0]

held = archiver.unarchive(archiver.archive(HeldSpan(10, 20)))
print("kept dates", held.first, held.last)
assert (held.first, held.last) == (10.0, 20.0)
PY

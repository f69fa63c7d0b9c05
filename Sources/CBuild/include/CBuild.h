#pragma once

/// The commit this program is built from, in hexadecimal; with `-changed` behind it where the sources had changes that
/// were not committed. Empty where the build did not say.
const char *_Nonnull meterfix_commit(void);

/// The version of the SQLite that this process runs on, such as 3.40.1.
const char *_Nonnull meterfix_sqlite_version(void);

/// The path of the shared library that this SQLite comes from; null where it is linked into the program itself.
const char *_Nullable meterfix_sqlite_library(void);

#pragma once

/// The commit this program is built from, in hexadecimal; with `-changed` behind it where the sources had changes that
/// were not committed. Empty where the build did not say.
const char *_Nonnull meterfix_commit(void);

/// The version of the SQLite that this process runs on, such as 3.40.1.
const char *_Nonnull meterfix_sqlite_version(void);

/// The path of the shared library that this SQLite comes from; null where it is linked into the program itself.
const char *_Nullable meterfix_sqlite_library(void);

/// The version of the json-c that this process runs on, such as 0.16.
const char *_Nonnull meterfix_json_version(void);

/// The version of the zlib that this process runs on, such as 1.2.13.
const char *_Nonnull meterfix_zlib_version(void);

/// The version of the libcrypto that this process runs on, such as 3.0.22; null on Apple's platforms, which do without.
const char *_Nullable meterfix_libcrypto_version(void);

/// The version of GRDB in this program, such as 7.10.0. Empty where the build did not say: GRDB itself does not know it.
const char *_Nonnull meterfix_grdb_version(void);

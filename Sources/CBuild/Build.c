// glibc shows dladdr to nobody else, and so not to Swift.
#define _GNU_SOURCE
#include "CBuild.h"
#include <dlfcn.h>
#include <json-c/json_c_version.h>
#include <sqlite3.h>
#include <zlib.h>
#ifndef __APPLE__
#include <openssl/crypto.h>
#include <openssl/opensslv.h>

// In a program without shared libraries this function would bring 3.6 MB with it, and nothing else needs it: there it
// stays undefined, and the headers have the version, because library and headers are of one package.
#pragma weak OpenSSL_version
#endif

// A target of its own, so that another commit does not mean to compile the libraries again.

#ifndef METERFIX_COMMIT
#define METERFIX_COMMIT
#endif

#ifndef METERFIX_GRDB
#define METERFIX_GRDB
#endif

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)

const char *meterfix_commit(void) { return TEXT(METERFIX_COMMIT); }

const char *meterfix_sqlite_version(void) { return sqlite3_libversion(); }

const char *meterfix_sqlite_library(void) {
    Dl_info library, program;
    // A program without any shared library does not know where its own functions are either.
    if (dladdr((const void *)sqlite3_libversion, &library) == 0) return 0;
    if (dladdr((const void *)meterfix_commit, &program) != 0 && program.dli_fbase == library.dli_fbase) return 0;
    return library.dli_fname;
}

const char *meterfix_json_version(void) { return json_c_version(); }

const char *meterfix_zlib_version(void) { return zlibVersion(); }

const char *meterfix_libcrypto_version(void) {
#ifdef __APPLE__
    return 0;
#else
    return OpenSSL_version ? OpenSSL_version(OPENSSL_VERSION_STRING) : OPENSSL_VERSION_STR;
#endif
}

const char *meterfix_grdb_version(void) { return TEXT(METERFIX_GRDB); }

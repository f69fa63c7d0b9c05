// glibc shows dladdr to nobody else, and so not to Swift.
#define _GNU_SOURCE
#include "CBuild.h"
#include <dlfcn.h>
#include <sqlite3.h>

// A target of its own, so that another commit does not mean to compile the libraries again.

#ifndef METERFIX_COMMIT
#define METERFIX_COMMIT
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

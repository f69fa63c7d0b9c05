// SQLite with what Apple's library does and no compile option of SQLite's gives. Scripts/apple-sqlite builds it, for
// tests on Linux only.
//
// - A connection begins with SQLITE_FCNTL_PERSIST_WAL and SQLITE_DBCONFIG_DEFENSIVE on.
// - A store whose main file, -wal or -shm was renamed or removed under an open connection answers with
//   SQLITE_IOERR_VNODE. The kernel tells Apple's library; this one looks whenever it locks, writes or synchronises.
// - No extension can be loaded. The two calls are there all the same: Debian's sqlite3 shell does not start without.
#include "sqlite3.c"

/// Of a main file, and of a log, on which there are no locks.
static sqlite3_io_methods watched_methods, watched_methods_without_locks;

/// Whether another file has this name now, or none.
static int has_moved(int descriptor, const char *path) {
    struct stat open, named;
    if (path == NULL || descriptor < 0 || fstat(descriptor, &open) != 0) return 0;
    return stat(path, &named) != 0 || named.st_ino != open.st_ino || named.st_dev != open.st_dev;
}

static int is_invalid(sqlite3_file *file) {
    unixFile *own = (unixFile *)file;
    if (has_moved(own->h, own->zPath)) return 1;
    return own->pShm != NULL && has_moved(own->pShm->pShmNode->hShm, own->pShm->pShmNode->zFilename);
}

static int watched_lock(sqlite3_file *file, int level) {
    return is_invalid(file) ? SQLITE_IOERR_VNODE : unixLock(file, level);
}

static int watched_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return is_invalid(file) ? SQLITE_IOERR_VNODE : unixWrite(file, bytes, count, offset);
}

static int watched_sync(sqlite3_file *file, int flags) {
    return is_invalid(file) ? SQLITE_IOERR_VNODE : unixSync(file, flags);
}

static int watched_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    // What is locked can always be unlocked.
    return (flags & SQLITE_SHM_LOCK) && is_invalid(file) ? SQLITE_IOERR_VNODE : unixShmLock(file, offset, count, flags);
}

static int watched_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
    int code = unixOpen(vfs, path, file, flags, flags_out);
    if (code != SQLITE_OK) return code;
    // A rollback journal may be removed by the process that plays it back.
    if ((flags & SQLITE_OPEN_MAIN_DB) && file->pMethods == &posixIoMethods) file->pMethods = &watched_methods;
    if ((flags & SQLITE_OPEN_WAL) && file->pMethods == &nolockIoMethods) {
        file->pMethods = &watched_methods_without_locks;
    }
    return code;
}

static int begin_connection(sqlite3 *database, char **message, const sqlite3_api_routines *routines) {
    int on = 1;
    (void)message, (void)routines;
    // Answers SQLITE_NOTFOUND for a database in memory.
    sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// The SQLITE_EXTRA_INIT of this build.
int apple_sqlite_begin(const char *unused) {
    (void)unused;
    watched_methods = posixIoMethods;
    watched_methods.xLock = watched_lock;
    watched_methods.xWrite = watched_write;
    watched_methods.xSync = watched_sync;
    watched_methods.xShmLock = watched_shm_lock;
    watched_methods_without_locks = nolockIoMethods;
    watched_methods_without_locks.xWrite = watched_write;
    watched_methods_without_locks.xSync = watched_sync;
    sqlite3_vfs_find("unix")->xOpen = watched_open;
    return sqlite3_auto_extension((void (*)(void))begin_connection);
}

/// SQLITE_ENABLE_SQLLOG calls it; what it would set up is in none of SQLite's own files.
void sqlite3_init_sqllog(void) {}

int sqlite3_enable_load_extension(sqlite3 *database, int is_on) {
    (void)database, (void)is_on;
    return SQLITE_ERROR;
}

int sqlite3_load_extension(sqlite3 *database, const char *file, const char *entry, char **message) {
    (void)database, (void)file, (void)entry, (void)message;
    return SQLITE_ERROR;
}

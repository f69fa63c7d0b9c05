#include "CFaultyVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    sqlite3_file base;
    /// Whether faults are for this file.
    int is_watched;
    sqlite3_file *real;
} faulty_file;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char armed_prefix[1024];
static int64_t count;
static int64_t failing_number;
static int failing_kind;
static char altered_text[64];
static char altered_to[64];

static sqlite3_vfs faulty;
static sqlite3_vfs *real_vfs;

typedef enum { PASS, FAIL, FAIL_FULL, HALF, DROP } verdict;

static verdict judge(int is_watched) {
    if (!is_watched) return PASS;
    pthread_mutex_lock(&lock);
    verdict result = PASS;
    if (armed_prefix[0] != 0) {
        count += 1;
        if (count >= failing_number) {
            int is_first = count == failing_number;
            switch (failing_kind) {
            case FAULTY_VFS_ONCE: result = is_first ? FAIL : PASS; break;
            case FAULTY_VFS_FULL: result = FAIL_FULL; break;
            case FAULTY_VFS_GONE: result = FAIL; break;
            case FAULTY_VFS_TORN: result = is_first ? HALF : FAIL; break;
            default: result = DROP; break;
            }
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int is_armed_for(const char *name) {
    if (name == NULL) return 0;
    pthread_mutex_lock(&lock);
    int result = armed_prefix[0] != 0 && strncmp(name, armed_prefix, strlen(armed_prefix)) == 0;
    pthread_mutex_unlock(&lock);
    return result;
}

#define REAL(file) (((faulty_file *)(file))->real)
#define METHODS(file) (REAL(file)->pMethods)

static int file_close(sqlite3_file *file) {
    int code = SQLITE_OK;
    if (METHODS(file) != NULL) code = METHODS(file)->xClose(REAL(file));
    return code;
}

static int file_read(sqlite3_file *file, void *buffer, int amount, sqlite3_int64 offset) {
    return METHODS(file)->xRead(REAL(file), buffer, amount, offset);
}

/// Writes with `altered_to` wherever `altered_text` is, which has as many bytes.
static int altered_write(sqlite3_file *file, const void *buffer, int amount, sqlite3_int64 offset) {
    size_t length = strlen(altered_text);
    if (!((faulty_file *)file)->is_watched || length == 0 || (size_t)amount < length) {
        return METHODS(file)->xWrite(REAL(file), buffer, amount, offset);
    }
    char *copy = malloc((size_t)amount);
    if (copy == NULL) return SQLITE_NOMEM;
    memcpy(copy, buffer, (size_t)amount);
    for (size_t place = 0; place + length <= (size_t)amount; place += 1) {
        if (memcmp(copy + place, altered_text, length) == 0) memcpy(copy + place, altered_to, length);
    }
    int code = METHODS(file)->xWrite(REAL(file), copy, amount, offset);
    free(copy);
    return code;
}

static int file_write(sqlite3_file *file, const void *buffer, int amount, sqlite3_int64 offset) {
    switch (judge(((faulty_file *)file)->is_watched)) {
    case PASS: return altered_write(file, buffer, amount, offset);
    case HALF:
        METHODS(file)->xWrite(REAL(file), buffer, amount / 2, offset);
        return SQLITE_IOERR_WRITE;
    case FAIL: return SQLITE_IOERR_WRITE;
    case FAIL_FULL: return SQLITE_FULL;
    case DROP: return SQLITE_OK;
    }
    return SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    switch (judge(((faulty_file *)file)->is_watched)) {
    case PASS: return METHODS(file)->xTruncate(REAL(file), size);
    case DROP: return SQLITE_OK;
    default: return SQLITE_IOERR_TRUNCATE;
    }
}

static int file_sync(sqlite3_file *file, int flags) {
    switch (judge(((faulty_file *)file)->is_watched)) {
    case PASS:
        // Here no power fails but ours: nobody has to wait for a real disk.
        return ((faulty_file *)file)->is_watched ? SQLITE_OK : METHODS(file)->xSync(REAL(file), flags);
    case DROP: return SQLITE_OK;
    default: return SQLITE_IOERR_FSYNC;
    }
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return METHODS(file)->xFileSize(REAL(file), size); }
static int file_lock(sqlite3_file *file, int level) { return METHODS(file)->xLock(REAL(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return METHODS(file)->xUnlock(REAL(file), level); }
static int file_is_reserved(sqlite3_file *file, int *result) {
    return METHODS(file)->xCheckReservedLock(REAL(file), result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
    return METHODS(file)->xFileControl(REAL(file), operation, argument);
}
static int file_sector_size(sqlite3_file *file) { return METHODS(file)->xSectorSize(REAL(file)); }
static int file_characteristics(sqlite3_file *file) { return METHODS(file)->xDeviceCharacteristics(REAL(file)); }
static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **address) {
    return METHODS(file)->xShmMap(REAL(file), page, size, extend, address);
}
static int file_shm_lock(sqlite3_file *file, int offset, int number, int flags) {
    return METHODS(file)->xShmLock(REAL(file), offset, number, flags);
}
static void file_shm_barrier(sqlite3_file *file) { METHODS(file)->xShmBarrier(REAL(file)); }
static int file_shm_unmap(sqlite3_file *file, int is_deleted) {
    return METHODS(file)->xShmUnmap(REAL(file), is_deleted);
}

/// Version 2: without memory mapping, so that every write passes through here.
static const sqlite3_io_methods methods_with_memory = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,
    file_is_reserved, file_control, file_sector_size, file_characteristics, file_shm_map, file_shm_lock,
    file_shm_barrier, file_shm_unmap, NULL, NULL,
};

static const sqlite3_io_methods methods_without_memory = {
    1, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,
    file_is_reserved, file_control, file_sector_size, file_characteristics, NULL, NULL, NULL, NULL, NULL, NULL,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    faulty_file *self = (faulty_file *)file;
    self->base.pMethods = NULL;
    self->is_watched = is_armed_for(name);
    self->real = (sqlite3_file *)(self + 1);
    int code = real_vfs->xOpen(real_vfs, name, self->real, flags, out_flags);
    if (self->real->pMethods != NULL) {
        int has_memory = self->real->pMethods->iVersion >= 2 && self->real->pMethods->xShmMap != NULL;
        self->base.pMethods = has_memory ? &methods_with_memory : &methods_without_memory;
    }
    return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int is_synchronous) {
    (void)vfs;
    int is_watched = is_armed_for(name);
    switch (judge(is_watched)) {
    case PASS: return real_vfs->xDelete(real_vfs, name, is_watched ? 0 : is_synchronous);
    case DROP: return SQLITE_OK;
    default: return SQLITE_IOERR_DELETE;
    }
}

int faulty_vfs_install(void) {
    pthread_mutex_lock(&lock);
    int code = SQLITE_OK;
    if (real_vfs == NULL) {
        real_vfs = sqlite3_vfs_find(NULL);
        // What is not replaced goes to the real one, which finds its own settings through the pointer it is given.
        faulty = *real_vfs;
        faulty.zName = "faulty";
        faulty.pNext = NULL;
        faulty.szOsFile = (int)sizeof(faulty_file) + real_vfs->szOsFile;
        faulty.xOpen = vfs_open;
        faulty.xDelete = vfs_delete;
        code = sqlite3_vfs_register(&faulty, 1);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

void faulty_vfs_arm(const char *prefix, int64_t failing, int kind) {
    pthread_mutex_lock(&lock);
    strncpy(armed_prefix, prefix, sizeof armed_prefix - 1);
    count = 0;
    failing_number = failing;
    failing_kind = kind;
    pthread_mutex_unlock(&lock);
}

void faulty_vfs_alter(const char *text, const char *other) {
    pthread_mutex_lock(&lock);
    strncpy(altered_text, text, sizeof altered_text - 1);
    strncpy(altered_to, other, sizeof altered_to - 1);
    pthread_mutex_unlock(&lock);
}

int64_t faulty_vfs_disarm(void) {
    pthread_mutex_lock(&lock);
    armed_prefix[0] = 0;
    altered_text[0] = 0;
    int64_t result = count;
    pthread_mutex_unlock(&lock);
    return result;
}

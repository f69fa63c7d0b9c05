#define _GNU_SOURCE
#include "CFaultyCalls.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char prefix[PATH_MAX];
static char report[PATH_MAX];
static char kind[8];
static long failing;
static long count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sequence = -1;
/// The path of the call that is being looked at.
static __thread char watched[2 * PATH_MAX];

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("FAULTY_CALLS");
    if (text == NULL) return;
    if (sscanf(text, "%4095[^:]:%ld:%7[^:]:%4095[^:]", prefix, &failing, kind, report) != 4) prefix[0] = 0;
    const char *name = getenv("FAULTY_CALLS_SEQUENCE");
    if (name != NULL) {
        sequence = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

__attribute__((destructor)) static void end(void) {
    if (report[0] == 0) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char line[32];
    int length = snprintf(line, sizeof line, "%ld\n", count);
    if (file >= 0) {
        syscall(SYS_write, file, line, (size_t)length);
        syscall(SYS_close, file);
    }
}

static int is_watched_path(int folder, const char *path) {
    if (prefix[0] == 0 || path == NULL) return 0;
    char full[2 * PATH_MAX];
    if (path[0] == '/') {
        snprintf(full, sizeof full, "%s", path);
    } else {
        char base[PATH_MAX];
        char link[64];
        if (folder == AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/self/cwd");
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        }
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return 0;
        base[length] = 0;
        snprintf(full, sizeof full, "%s/%s", base, path);
    }
    if (strncmp(full, prefix, strlen(prefix)) != 0) return 0;
    memcpy(watched, full, strlen(full) + 1);
    return 1;
}

static int is_watched(int file) {
    if (prefix[0] == 0) return 0;
    char link[64];
    char path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, prefix, strlen(prefix)) != 0) return 0;
    memcpy(watched, path, (size_t)length + 1);
    return 1;
}

typedef enum { PASS, FAIL, HALF, LIE } verdict;

typedef enum { NAMES, ROOM, BYTES } need;

#define judge(needed) judge_call(needed, __func__)

/// Counts a call and says what becomes of it; HALF and LIE only of one that writes BYTES. Does not return where the
/// process ends here.
static verdict judge_call(need needed, const char *name) {
    pthread_mutex_lock(&lock);
    long number = ++count;
    if (sequence >= 0) {
        char line[2 * PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, watched);
        syscall(SYS_write, sequence, line, (size_t)length);
    }
    pthread_mutex_unlock(&lock);
    if (number < failing) return PASS;
    if (strcmp(kind, "full") == 0) {
        if (needed == NAMES) return PASS;
        errno = ENOSPC;
        return FAIL;
    }
    if (number > failing) return PASS;
    if (strcmp(kind, "once") == 0) {
        errno = EIO;
        return FAIL;
    }
    if (strcmp(kind, "stop") == 0) {
        kill(getpid(), SIGSTOP);
        // What was sent meanwhile is taken by a thread of its own: on a busy machine, all could be done before it runs.
        sigset_t pending;
        for (int wait = 0; wait < 1000 && sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1; wait++)
            usleep(10000);
        usleep(50000);
        return PASS;
    }
    if (strcmp(kind, "lie") == 0) return needed == BYTES ? LIE : PASS;
    if (strcmp(kind, "torn") == 0 && needed == BYTES) return HALF;
    kill(getpid(), SIGKILL);
    return FAIL;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t write_half(int file, const void *buffer, size_t size, off64_t offset) {
    if (offset < 0) {
        syscall(SYS_write, file, buffer, size / 2);
    } else {
        syscall(SYS_pwrite64, file, buffer, size / 2, offset);
    }
    kill(getpid(), SIGKILL);
    return -1;
}

/// All seems well, and the last byte is another one.
static ssize_t write_lie(int file, const void *buffer, size_t size, off64_t offset) {
    unsigned char *bytes = malloc(size);
    memcpy(bytes, buffer, size);
    if (size > 0) bytes[size - 1] ^= 1;
    ssize_t written = offset < 0 ? (ssize_t)syscall(SYS_write, file, bytes, size)
                                 : (ssize_t)syscall(SYS_pwrite64, file, bytes, size, offset);
    free(bytes);
    return written;
}

ssize_t write(int file, const void *buffer, size_t size) {
    if (is_watched(file)) {
        verdict result = judge(BYTES);
        if (result == FAIL) return -1;
        if (result == HALF) return write_half(file, buffer, size, -1);
        if (result == LIE) return write_lie(file, buffer, size, -1);
    }
    return REAL(write)(file, buffer, size);
}

ssize_t pwrite64(int file, const void *buffer, size_t size, off64_t offset) {
    if (is_watched(file)) {
        verdict result = judge(BYTES);
        if (result == FAIL) return -1;
        if (result == HALF) return write_half(file, buffer, size, offset);
        if (result == LIE) return write_lie(file, buffer, size, offset);
    }
    return REAL(pwrite64)(file, buffer, size, offset);
}

ssize_t pwrite(int file, const void *buffer, size_t size, off_t offset) { return pwrite64(file, buffer, size, offset); }

/// Nobody has to wait for a real disk: here no power fails.
int fsync(int file) {
    if (!is_watched(file)) return REAL(fsync)(file);
    return judge(NAMES) == PASS ? 0 : -1;
}

int fdatasync(int file) {
    if (!is_watched(file)) return REAL(fdatasync)(file);
    return judge(NAMES) == PASS ? 0 : -1;
}

int ftruncate64(int file, off64_t size) {
    if (is_watched(file) && judge(NAMES) != PASS) return -1;
    return REAL(ftruncate64)(file, size);
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

/// Returns its error.
int posix_fallocate64(int file, off64_t offset, off64_t size) {
    if (is_watched(file) && judge(ROOM) != PASS) return errno;
    return REAL(posix_fallocate64)(file, offset, size);
}

int posix_fallocate(int file, off_t offset, off_t size) { return posix_fallocate64(file, offset, size); }

int rename(const char *old, const char *new) {
    if (is_watched_path(AT_FDCWD, new) && judge(NAMES) != PASS) return -1;
    return REAL(rename)(old, new);
}

int unlink(const char *path) {
    if (is_watched_path(AT_FDCWD, path) && judge(NAMES) != PASS) return -1;
    return REAL(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags) {
    if (is_watched_path(folder, path) && judge(NAMES) != PASS) return -1;
    return REAL(unlinkat)(folder, path, flags);
}

int rmdir(const char *path) {
    if (is_watched_path(AT_FDCWD, path) && judge(NAMES) != PASS) return -1;
    return REAL(rmdir)(path);
}

int remove(const char *path) {
    if (is_watched_path(AT_FDCWD, path) && judge(NAMES) != PASS) return -1;
    return REAL(remove)(path);
}

int link(const char *old, const char *new) {
    if (is_watched_path(AT_FDCWD, new) && judge(NAMES) != PASS) return -1;
    return REAL(link)(old, new);
}

int mkdir(const char *path, mode_t mode) {
    if (is_watched_path(AT_FDCWD, path) && judge(ROOM) != PASS) return -1;
    return REAL(mkdir)(path, mode);
}

int chmod(const char *path, mode_t mode) {
    if (is_watched_path(AT_FDCWD, path) && judge(NAMES) != PASS) return -1;
    return REAL(chmod)(path, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    // A file that is there is only opened.
    if (flags & O_CREAT && access(path, F_OK) != 0 && is_watched_path(AT_FDCWD, path) && judge(ROOM) == FAIL) return -1;
    return REAL(open64)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open64(path, flags, mode);
}

#endif

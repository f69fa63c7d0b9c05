#ifndef CFAULTYVFS_H
#define CFAULTYVFS_H

#include <stdint.h>

/// What becomes of the chosen write and of all after it.
enum faulty_vfs_kind {
    /// The write fails; the next one works again.
    FAULTY_VFS_ONCE = 0,
    /// The disk is full from then on.
    FAULTY_VFS_FULL = 1,
    /// The disk is gone: this write and all later ones fail.
    FAULTY_VFS_GONE = 2,
    /// Half of the write arrives, nothing after it.
    FAULTY_VFS_TORN = 3,
    /// The power fails: this write and all later ones seem to work and never arrive.
    FAULTY_VFS_DROPPED = 4,
};

/// Puts itself in front of SQLite's file system, for the whole process and for good. Does nothing to files that are
/// not named with `faulty_vfs_arm`.
int faulty_vfs_install(void);

/// From now on writes, syncs, truncations and deletions of files whose path begins with `prefix` are counted, and the
/// one with the number `failing`, from 1 on, fails.
void faulty_vfs_arm(const char *prefix, int64_t failing, int kind);

/// From now on, and until the next `faulty_vfs_disarm`, `other` arrives in these files wherever `text` is written, which
/// has as many bytes, and the writing seems to have worked.
void faulty_vfs_alter(const char *text, const char *other);

/// Ends that. Returns how many were counted.
int64_t faulty_vfs_disarm(void);

#endif

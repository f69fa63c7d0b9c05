internal import CoreDataStore

extension LogRecord {
    /// Words of which a record about the mirror has one. None has less than seven bytes: then most of a log need not be
    /// looked at.
    static let words = WordFilter([
        printed + PrintedError.signs + [
            "CoreData", "CloudKit", "CLOUDKIT", "CKError", "coredata.cloudkit", "icloud-container",
            "required entitlement", "not entitled to access", "macos-unifiedlogs", "chunkset data", "overallStatus",
            "USER_ERROR", "SERVER_ERROR", "database corruption at", "database integrity compromised",
            // Of messages that the system has lost.
            "unreliable messages", "lossEvent", "Messages dropped during", "HIGH LOGGING VOLUME",
            // Of lines that somebody has left out.
            "omitted", "<snip>\n", "<snip>\r", "[snip]\n", "[snip]\r", "snipped", "--snip--", "- snip -", "truncated",
            " elided", "lines removed", "lines skipped", "lines deleted", "lines trimmed",
        ]
    ])

    /// Words of which a line in which an app itself tells of a failure has one. In most of a log there must be none of them.
    private static let printed =
        [
            "(Cocoa ", "(Cocoa-", "（Cocoa", " Cocoa 13", "NSSQLiteErrorDomain", "NSCocoaErrorDomain", "CKERRORDOMAIN",
            "ckErrorDomain",
            "CKException", "iCloud ", "iCloud-", "iCloud:", "ersistent store load", "uota exceeded",
            "open the store is incompatible", "auth token", "verify new terms", "record twice",
            "authenticated account", "noAccount",
            // CKInternalErrorDomain is that of what CloudKit's own errors have below them.
            "CKInternalErrorDomain",
        ]
        // The property of an event that an app prints: `succeeded: false`.
        + [": ", "=", " = ", "\":", "\": "].flatMap { sign in
            ["false", "true", "NO", "YES"].map { "eeded\(sign)\($0)" }
        }

    /// Whether a line has one of ``words``.
    static func mayBeIn(_ line: LogPart) -> Bool {
        words.firstWord(in: UnsafeBufferPointer(rebasing: line), from: 0) != nil
    }
}

internal import Answer
internal import CBuild
internal import MeterInspect
internal import MeterJournal

/// What this program is made of, for a ticket about meterfix itself.
extension Version {
    /// Lines; the first is all that `--version` says without `--verbose`.
    static var details: String {
        """
        \(current)
        commit: \(commit(String(cString: meterfix_commit())))
        Swift: \(swift)
        SQLite: \(String(cString: meterfix_sqlite_version())), \(place)
        json-c: \(String(cString: meterfix_json_version()))
        zlib: \(String(cString: meterfix_zlib_version()))
        libcrypto: \(meterfix_libcrypto_version().map { String(cString: $0) } ?? "none; digests are by CryptoKit")
        GRDB: \(grdb)
        """
    }

    private static let unrecorded = "unknown; Scripts/install and Scripts/build-one-file record it"

    private static var grdb: String {
        let recorded = String(cString: meterfix_grdb_version())
        return recorded.isEmpty ? unrecorded : recorded
    }

    /// - Parameter recorded: as `meterfix_commit` has it.
    static func commit(_ recorded: String) -> String {
        let parts = recorded.split(separator: "-")
        guard let commit = parts.first else { return unrecorded }
        return commit + (parts.count > 1 ? " (with uncommitted changes)" : "")
    }

    /// Where SQLite comes from.
    private static var place: String {
        meterfix_sqlite_library().map { "from \(Escaped.text(String(cString: $0)))" }
            ?? "part of this program: a newer one comes only with a new build"
    }

    /// The version of the compiler, as far as a program can know it.
    private static var swift: String {
        #if compiler(>=6.5)
            "6.5 or newer"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #elseif compiler(>=6.2)
            "6.2"
        #else
            "6.1"
        #endif
    }
}

package import CoreDataStore
package import JSON
internal import MeterInspect
internal import MeterJournal
package import MeterModel

/// The answer of `recover`.
package struct RecoveryReport: Sendable {
    /// What `verify` says of the new store.
    package enum Verification: Sendable {
        case findings([Finding])
        /// It does not verify such a store, and why.
        case refused(String)

        package var findings: [Finding]? { if case .findings(let findings) = self { findings } else { nil } }
    }

    /// The damaged store's path as the user gave it.
    package let store: String
    /// The new one's.
    package let output: String
    /// Of the new one, in bytes.
    package let size: Int
    package let salvage: Salvage
    /// What `verify` says of a `-wal` that is missing, or cut: what was in it is not in the new store. Nil where it says
    /// nothing.
    package let missingLog: String?
    package let verification: Verification

    /// Whether CloudKit may have what is lost.
    package var isMirrored: Bool {
        salvage.tables.contains { $0.name.hasSuffix("NSCKRECORDMETADATA") && $0.read > 0 }
    }

    /// Whether nothing is left for a person to do.
    package var isDone: Bool {
        salvage.isWhole && missingLog == nil && salvage.warnings.isEmpty && salvage.missingPages == 0
            && verification.findings.map { $0.worst != .error } ?? false
    }

    /// What to do next, as sentences.
    package var next: [String] {
        var next: [String] = []
        if missingLog != nil {
            next.append("ask for the store again, with its -wal file: the new store lacks what was in it")
        } else if salvage.isIntact {
            next.append(salvage.incompatibility?.hint ?? "nothing was damaged: go on with the store itself")
        } else if !salvage.isWhole {
            next.append(
                "ask for the store again\(salvage.isWAL ? ", with its -wal file" : ""): a whole copy is better than this "
                    + "one")
            if isMirrored {
                next.append(
                    "CloudKit still has what this device had uploaded: another device of the user, or the app installed "
                        + "again, downloads it; delete nothing there because it is missing here")
            }
        }
        if let findings = verification.findings, findings.worst == .error || findings.worst == .warning {
            next.append("look at what is wrong with the new store: meterfix verify \(ShellWord.quoted(output))")
        }
        return next
    }
}

extension RecoveryReport: JSONWritable {
    /// The document of `recover` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "recover", store: store))
            writer.members([
                .init("output", output), .init("bytes", size), .init("intact", salvage.isIntact),
                .init("whole", salvage.isWhole), .init("problem", salvage.problem ?? salvage.incompatibility?.message),
                .init(
                    "pages",
                    [
                        "size": salvage.pageSize, "count": salvage.pages, "missing": salvage.missingPages,
                        "unassigned": salvage.unassignedPages,
                    ] as JSONValue),
                .init("broken", salvage.broken.map(\.json)), .init("schemaFromModel", salvage.isSchemaFromModel),
                .init("tables", salvage.tables.map(\.json)), .init("leftOut", salvage.leftOut),
                .init("warnings", [missingLog].compactMap(\.self) + salvage.warnings),
            ])
            switch verification {
            case .findings(let findings):
                writer.member(
                    "verify",
                    findings.byCheck.map { found -> JSONValue in
                        let check = found[found.startIndex]
                        return ["id": check.id, "severity": check.severity.rawValue, "count": found.count]
                    })
                writer.member("notVerified", JSONValue.null)
            case .refused(let reason):
                writer.member("verify", JSONValue.null)
                writer.member("notVerified", reason)
            }
            writer.member("next", next)
        }
    }
}

extension Salvage.BrokenPage {
    fileprivate var json: JSONValue {
        ["page": Int(page), "table": table, "lost": loss.rawValue, "after": after, "through": through]
    }
}

extension Salvage.Table {
    fileprivate var json: JSONValue {
        [
            "name": name, "read": read, "perhapsDeleted": possiblyDeleted, "doubtful": ambiguous,
            "pagesLost": lostPages,
            "fromModel": isFromModel, "remade": rebuiltKeys, "readBySQLite": readBySQLite,
        ]
    }
}

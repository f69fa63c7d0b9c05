internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A store in one screen.
struct StatusText {
    private let report: StatusReport
    private let style: Style

    init(_ report: StatusReport, _ style: Style) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        var table = TextTable()
        table.add(["store", Escaped.text(report.path)])
        table.add(["files", files])
        if report.isLogMissing {
            let isThere = report.parts.contains { $0.suffix == "-wal" && $0.size > 0 }
            let log = isThere ? "part of the -wal is missing" : "the -wal is missing"
            table.add(["", "\(log), and changes with it: ask for the store again"])
            if let last = report.lastChange {
                table.add(["", "the last change here is of \(last); later ones may be missing"])
            }
        }
        table.add(["uuid", report.uuid.map { Escaped.text($0) } ?? "none"])
        if let problem = report.metadataProblem { table.add(["metadata", "missing: \(Escaped.text(problem))"]) }
        table.add(["model", modelVersion])
        table.add(["hashes", hashes])
        for (index, entity) in report.model.entities.enumerated() {
            let count = entity.rows.map { Phrase.count($0, "row") } ?? "no table"
            table.add([index == 0 ? "entities" : "", "\(Escaped.text(entity.name)): \(count)"])
        }
        for unreadable in report.unreadableTables {
            table.add([
                "warning",
                "the table \(Escaped.text(unreadable.name)) is made by the module \(Escaped.text(unreadable.module)), which "
                    + "SQLite does not have here: it is left as it is",
            ])
        }
        if let records = report.records {
            table.add(["records", recordCounts(records)])
            table.add(["addresses", "\(records.letterCase.rawValue) case"])
        }
        table.add(["marker", report.marker.map { "cloudStoreRebuildVersion \($0)" } ?? "no cloudStoreRebuildVersion"])
        table.add(["history", history])
        for (index, author) in (report.history?.authors ?? []).prefix(4).enumerated() {
            let last = author.last.map { ", last \(Timestamp(secondsSince2001: $0))" } ?? ""
            table.add([
                index == 0 ? "authors" : "",
                "\(Escaped.text(author.name)): \(Phrase.count(author.transactions, "transaction"))\(last)",
            ])
        }
        table.add(["CloudKit", mirror])
        for event in report.mirror?.lastEvents ?? [] { table.add(["", eventLine(event)]) }
        table.add(["meterfix", report.lastOwnChange.map { "last change \($0)" } ?? "never changed this store"])
        table.add(["next", "meterfix verify \(ShellWord.quoted(report.path))"])
        return table.lines(indent: "", style)
    }

    private var files: String {
        let parts = report.parts.map { part in
            "\(part.suffix.isEmpty ? "main file" : part.suffix) \(part.size) bytes"
        }
        let absent = report.parts.contains { $0.suffix == "-wal" } ? "" : ", no -wal"
        return parts.joined(separator: ", ") + absent + "; journal mode \(report.isWAL ? "WAL" : "rollback")"
    }

    private var modelVersion: String {
        let version = report.model.schemaVersion.map { "v\($0)" } ?? "unknown"
        let names = report.model.identifiers.filter { !$0.isEmpty }.map { Escaped.text($0) }
        let framework = report.model.frameworkVersion.map { ", written by Core Data \($0)" } ?? ""
        return version + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))") + framework
    }

    private var hashes: String {
        guard let hashes = report.model.hashes else { return "cannot be checked: no cached model or no metadata" }
        let all = hashes.matching.count + hashes.differing.count
        let unknown = hashes.unknown.isEmpty ? "" : ", \(hashes.unknown.count) with derived attributes not checked"
        return hashes.differing.isEmpty
            ? "good, \(hashes.matching.count) of \(all)\(unknown)"
            : "not good: \(Escaped.text(hashes.differing.joined(separator: ", "))) differ\(unknown)"
    }

    private func recordCounts(_ records: StatusReport.Records) -> String {
        var text = Phrase.count(records.total, "record")
        if records.groups > 0 {
            text += "; \(Phrase.count(records.groups, "meter")) with several (\(records.recordsInGroups) records)"
        } else {
            text += ", no meter has several"
        }
        if records.withoutUsableAddress > 0 { text += "; \(records.withoutUsableAddress) without a usable address" }
        return text
    }

    private var history: String {
        guard let history = report.history else { return "off" }
        let last = history.last.map { ", last \(Timestamp(secondsSince2001: $0))" } ?? ""
        return
            "on, \(Phrase.count(history.transactions, "transaction")), \(Phrase.count(history.changes, "change"))\(last)"
    }

    private var mirror: String {
        guard let mirror = report.mirror else { return "not mirrored" }
        return "\(Phrase.count(mirror.records, "record")) known, \(Phrase.count(mirror.pendingUploads, "upload")) and "
            + "\(Phrase.count(mirror.pendingDeletes, "delete")) pending"
    }

    private func eventLine(_ event: CloudKitMirror.Event) -> String {
        let end = (event.endedAt ?? event.startedAt).map { " \(Timestamp(secondsSince2001: $0))" } ?? ""
        guard event.failed else {
            return "last \(event.kindName)\(end): \(event.endedAt == nil ? "not ended" : "succeeded")"
        }
        let code = event.errorCode.map { " with \(Escaped.text(event.errorDomain ?? "error")) \($0)" } ?? ""
        return "last \(event.kindName)\(end): failed\(code)" + (event.explanation.map { ": \($0)" } ?? "")
    }
}

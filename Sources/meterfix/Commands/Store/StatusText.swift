internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// A store in one screen.
extension StatusReport {
    func blocks(_ times: ShownTimes) -> [Block] { body(times) + [.heading("what to do now"), steps.list] }

    /// Without what to do.
    func body(_ times: ShownTimes) -> [Block] {
        var pairs = Block.Pair.some("problem", problems(times))
        if let records {
            let values = Phrase.count(records.lost, "name or unit", "names and units")
            let lost: Inline = "; its files have \(values) that no record has now: \(.command("lost", on: path))"
            pairs.append(
                Block.Pair("meters", "\(records.meters), \(records.named) with a name\(records.lost == 0 ? "" : lost)"))
            pairs.append(Block.Pair("records", "\(records.total)"))
        }
        if let devices = devices.line { pairs.append(Block.Pair("devices", "\(devices)")) }
        pairs += Block.Pair.some("CloudKit", cloud(times))
        let none = history == nil ? "there is no history that would tell" : "the history has no change by it"
        let change = lastOwnChange.map { "last change \(times.text($0))" } ?? none
        pairs.append(Block.Pair("meterfix", "\(change)"))
        return alerts.blocks(times) + [.pairs(pairs + storePairs(times))]
    }

    /// What is in the way of the customer, as far as it can be told without the checks.
    private func problems(_ times: ShownTimes) -> [Inline] {
        var lines: [Inline] = []
        if let records {
            if records.groups > 0 {
                let meters = Phrase.count(records.groups, "meter has", "meters have")
                lines.append("\(meters) several records (\(records.recordsInGroups)); \(lacking(records))")
            }
            if records.total == 0, let mirror, mirror.records > 0, alerts.vanished.isEmpty {
                lines.append("every record is gone here, although CloudKit's mirror knows \(mirror.records)")
            }
            if records.withoutUsableAddress > 0 {
                let records = Phrase.count(records.withoutUsableAddress, "record has", "records have")
                lines.append("\(records) no usable address")
            }
            // Of a mirrored store the forecast says it.
            if records.isAddressUnique, mirror == nil {
                lines.append("CloudKit does not mirror it: macAddress must be unique, as in schema v1")
            }
        }
        for last in mirror?.lastEvents ?? [] where last.event.error != nil {
            lines += MirrorText.lines(last, times)
            lines += last.cure.map { ["→ \(NextStep.text($0, asDryRun: true))"] } ?? []
        }
        if let mirror { lines += MirrorText.obstacles(mirror.forecast) }
        if isTableGone { lines.append("the table with the records of all meters is gone") }
        if let missingTables { lines.append("\(missingTables)") }
        if let problem = metadataProblem { lines.append("Core Data's metadata is missing: \(problem)") }
        return lines.isEmpty && alerts.isEmpty ? [allClear] : lines
    }

    /// No more than was looked at.
    private var allClear: Inline {
        switch pages {
        case .whole: .tone(.good, "none at first sight")
        case .damaged, .notMade: "none at first sight; only \(.code("verify")) reads every page of a store of this size"
        }
    }

    /// The store as a file, and what Core Data says about it.
    private func storePairs(_ times: ShownTimes) -> [Block.Pair] {
        var pairs = [Block.Pair("store", "\(path)"), Block.Pair("files", "\(files)")]
        if alerts.missingLog != nil, let last = lastChange {
            pairs[1].values.append("the last change in it was made \(times.text(last)); later ones may be missing")
        }
        pairs += Block.Pair.some("model", [modelVersion] + model.unknown.sentences.map { "\($0)" })
        pairs.append(Block.Pair("hashes", "\(hashes)"))
        pairs += Block.Pair.some(
            "entities", model.entities.map { "\($0.name): \($0.rows.map { Phrase.count($0, "row") } ?? "no table")" })
        pairs += Block.Pair.some("composite", model.composites.map { "\($0)" })
        for unreadable in unreadableTables {
            pairs.append(
                Block.Pair(
                    "warning",
                    "the table \(unreadable.name) is made by the module \(unreadable.module), which SQLite does not have here: no command changes it"
                ))
        }
        if let records { pairs.append(Block.Pair("addresses", "\(records.letterCase.rawValue) case")) }
        pairs += Block.Pair.some("marker", markers)
        pairs.append(Block.Pair("history", "\(savedChanges(times))"))
        pairs += Block.Pair.some("authors", authors(times))
        if let last = lastImport {
            pairs.append(
                Block.Pair("import", "legacy values \(times.text(last.date)), dump with SHA-256 \(.code(last.sha256))"))
        }
        pairs.append(Block.Pair("uuid", "\(uuid ?? "none")"))
        return pairs
    }

    /// Nothing for another app's store, which is never rebuilt.
    private var markers: [Inline] {
        guard let marker else { return records == nil ? [] : ["no cloudStoreRebuildVersion"] }
        let later =
            marker > RebuildMarker.current ? ", from a later rebuild than meterfix's (\(RebuildMarker.current))" : ""
        return ["cloudStoreRebuildVersion \(marker)\(later)"]
    }

    private func authors(_ times: ShownTimes) -> [Inline] {
        let shown = ShownPart(of: history?.authors ?? [], most: 4, showsAll: times.showsAll)
        let lines: [Inline] = shown.elements.map { author in
            let last = author.last.map { ", last \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
            return "\(author.name): \(Phrase.count(author.transactions, "transaction"))\(last)"
        }
        return lines + Inline.rest(shown.rest)
    }

    private var files: String {
        let sizes = parts.map { part in "\(part.suffix.isEmpty ? "main file" : part.suffix) \(part.size) bytes" }
        let absent = parts.contains { $0.suffix == "-wal" } ? "" : ", no -wal"
        return sizes.joined(separator: ", ") + absent + "; journal mode \(isWAL ? "WAL" : "rollback")"
    }

    private var modelVersion: Inline {
        let unknown = model.unknown.isEmpty ? "" : " with \(model.unknown.phrase)"
        let names = model.identifiers.filter { !$0.isEmpty }.joined(separator: ", ")
        let framework = model.frameworkVersion.map { "written by Core Data \($0)" }
        guard records != nil else {
            // A store of another app is of none of these versions.
            let parts = [names.isEmpty ? nil : names, framework].compactMap(\.self)
            return "\(parts.isEmpty ? "unknown" : parts.joined(separator: ", "))"
        }
        let version = (model.schemaVersion.map { "v\($0)" } ?? "unknown version") + unknown
        return "\(version)\(names.isEmpty ? "" : " (\(names))")\(framework.map { ", \($0)" } ?? "")"
    }

    private var hashes: String {
        guard let hashes = model.hashes else { return "cannot be checked: no cached model or no metadata" }
        let all = hashes.matching.count + hashes.differing.count
        let unknown =
            hashes.unknown.isEmpty ? "" : ", \(hashes.unknown.count) with derived or composite attributes not checked"
        return hashes.differing.isEmpty
            ? "good, \(hashes.matching.count) of \(all)\(unknown)"
            : "not good: \(hashes.differing.joined(separator: ", ")) differ\(unknown)"
    }

    /// What the customer notices of meters with several records.
    private func lacking(_ records: StatusReport.Records) -> String {
        let count = records.groups - records.fullyShown
        return count == 0
            ? "the app shows every name and unit"
            : "the app shows no name or no unit for \(count) of them, although a record has it"
    }

    private func savedChanges(_ times: ShownTimes) -> String {
        guard let history else { return "off" }
        let last = history.last.map { ", last \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
        let before = Phrase.count(history.later, "transaction before it has", "transactions before it have")
        let later = history.later == 0 ? "" : "; \(before) a later time, because a clock was ahead"
        return
            "on, \(Phrase.count(history.transactions, "transaction")), \(Phrase.count(history.changes, "change"))\(last)\(later)"
    }

    private func cloud(_ times: ShownTimes) -> [Inline] {
        guard let mirror else { return [lacksMirror ? "the mirror's tables are missing" : "not mirrored"] }
        return [
            "pending: \(mirror.forecast.amount); \(Phrase.count(mirror.records, "record")) known",
            "history token: \(MirrorText.token(mirror.token, last: mirror.lastTransaction))",
        ]
            + mirror.lastEvents.filter { $0.event.error == nil }.flatMap { MirrorText.lines($0, times) }
            + (times.showsAll ? mirror.account.map { ["iCloud account: \(.code($0))"] } ?? [] : [])
    }
}

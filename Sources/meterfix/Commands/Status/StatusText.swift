internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// A store in one screen.
struct StatusText {
    let report: StatusReport
    let times: ShownTimes
    let showsAll: Bool

    /// Authors that are shown without `--verbose`.
    private static let most = 4

    var blocks: [Block] {
        var pairs: [Block.Pair] = []
        add("problem", problems, to: &pairs)
        pairs.append(Block.Pair("next", .code("\(StoreCommand("verify", stores: [report.path]))")))
        if let records = report.records {
            let lost: Inline =
                records.lost == 0
                ? ""
                : "; its files have \(Phrase.count(records.lost, "name or unit", "names and units")) that no record has now: \(.code("\(StoreCommand("lost", stores: [report.path]))"))"
            pairs.append(Block.Pair("meters", "\(records.meters), \(records.named) with a name\(lost)"))
            pairs.append(Block.Pair("records", "\(records.total)"))
        }
        if let devices = DevicesText.line(report.devices) { pairs.append(Block.Pair("devices", "\(devices)")) }
        add("CloudKit", mirror, to: &pairs)
        let change = report.lastOwnChange.map { "last change \(times.text($0))" } ?? "has never changed this store"
        pairs.append(Block.Pair("meterfix", "\(change)"))
        return AlertText.blocks(report.alerts, times) + [.pairs(pairs + storePairs)]
    }

    /// What is in the way of the customer, as far as it can be told without the checks.
    private var problems: [Inline] {
        var lines: [Inline] = []
        if let records = report.records {
            if records.groups > 0 {
                let verb = records.groups == 1 ? "has" : "have"
                lines.append(
                    "\(Phrase.count(records.groups, "meter")) \(verb) several records (\(records.recordsInGroups)); \(lacking(records))"
                )
            }
            if records.withoutUsableAddress > 0 {
                let verb = records.withoutUsableAddress == 1 ? "has" : "have"
                lines.append(
                    "\(Phrase.count(records.withoutUsableAddress, "record")) \(verb) no usable address")
            }
            // Of a mirrored store the forecast says it.
            if records.isAddressUnique, report.mirror == nil {
                lines.append("CloudKit does not mirror it: macAddress must be unique, as in schema v1")
            }
        }
        for last in report.mirror?.lastEvents ?? [] where last.event.error != nil {
            lines += MirrorEventText.lines(last, times, showsAll: showsAll)
            lines += last.cure.map { ["→ \(NextStep.text($0, asDryRun: true))"] } ?? []
        }
        if let mirror = report.mirror { lines += MirrorText.obstacles(mirror.forecast) }
        if report.isTableGone { lines.append("the table with the records of all meters is gone") }
        if let problem = report.metadataProblem { lines.append("Core Data's metadata is missing: \(problem)") }
        return lines.isEmpty && report.alerts.isEmpty ? [.tone(.good, "none at first sight")] : lines
    }

    /// The store as a file, and what Core Data says about it.
    private var storePairs: [Block.Pair] {
        var pairs = [Block.Pair("store", "\(report.path)"), Block.Pair("files", "\(files)")]
        if report.alerts.missingLog != nil, let last = report.lastChange {
            pairs[1].values.append("the last change in it was made \(times.text(last)); later ones may be missing")
        }
        add("model", [modelVersion] + report.model.unknown.sentences.map { "\($0)" }, to: &pairs)
        pairs.append(Block.Pair("hashes", "\(hashes)"))
        add("entities", entities, to: &pairs)
        add("composite", report.model.composites.map { "\($0)" }, to: &pairs)
        for unreadable in report.unreadableTables {
            pairs.append(
                Block.Pair(
                    "warning",
                    "the table \(unreadable.name) is made by the module \(unreadable.module), which SQLite does not have here: no command changes it"
                ))
        }
        if let records = report.records {
            pairs.append(Block.Pair("addresses", "\(records.letterCase.rawValue) case"))
        }
        add("marker", marker, to: &pairs)
        pairs.append(Block.Pair("history", "\(history)"))
        add("authors", authors, to: &pairs)
        if let last = report.lastImport {
            pairs.append(
                Block.Pair("import", "legacy values \(times.text(last.date)), dump with SHA-256 \(.code(last.sha256))"))
        }
        pairs.append(Block.Pair("uuid", "\(report.uuid ?? "none")"))
        return pairs
    }

    /// Nothing for another app's store, which is never rebuilt.
    private var marker: [Inline] {
        guard let marker = report.marker else { return report.records == nil ? [] : ["no cloudStoreRebuildVersion"] }
        let later =
            marker > RebuildMarker.current ? ", from a later rebuild than meterfix's (\(RebuildMarker.current))" : ""
        return ["cloudStoreRebuildVersion \(marker)\(later)"]
    }

    /// Nothing where there are no values.
    private func add(_ key: String, _ values: [Inline], to pairs: inout [Block.Pair]) {
        guard !values.isEmpty else { return }
        var pair = Block.Pair(key)
        pair.values = values
        pairs.append(pair)
    }

    private var entities: [Inline] {
        report.model.entities.map { entity in
            "\(entity.name): \(entity.rows.map { Phrase.count($0, "row") } ?? "no table")"
        }
    }

    private var authors: [Inline] {
        let shown = ShownPart(of: report.history?.authors ?? [], most: Self.most, showsAll: showsAll)
        let lines: [Inline] = shown.elements.map { author in
            let last = author.last.map { ", last \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
            return "\(author.name): \(Phrase.count(author.transactions, "transaction"))\(last)"
        }
        return lines + Inline.rest(shown.rest)
    }

    private var files: String {
        let parts = report.parts.map { part in
            "\(part.suffix.isEmpty ? "main file" : part.suffix) \(part.size) bytes"
        }
        let absent = report.parts.contains { $0.suffix == "-wal" } ? "" : ", no -wal"
        return parts.joined(separator: ", ") + absent + "; journal mode \(report.isWAL ? "WAL" : "rollback")"
    }

    private var modelVersion: Inline {
        let unknown = report.model.unknown.isEmpty ? "" : " with \(report.model.unknown.phrase)"
        let names = report.model.identifiers.filter { !$0.isEmpty }.joined(separator: ", ")
        let framework = report.model.frameworkVersion.map { "written by Core Data \($0)" }
        guard report.records != nil else {
            // A store of another app is of none of these versions.
            let parts = [names.isEmpty ? nil : names, framework].compactMap(\.self)
            return "\(parts.isEmpty ? "unknown" : parts.joined(separator: ", "))"
        }
        let version = (report.model.schemaVersion.map { "v\($0)" } ?? "unknown version") + unknown
        return
            "\(([version + (names.isEmpty ? "" : " (\(names))")] + [framework].compactMap(\.self)).joined(separator: ", "))"
    }

    private var hashes: String {
        guard let hashes = report.model.hashes else { return "cannot be checked: no cached model or no metadata" }
        let all = hashes.matching.count + hashes.differing.count
        let unknown =
            hashes.unknown.isEmpty ? "" : ", \(hashes.unknown.count) with derived or composite attributes not checked"
        return hashes.differing.isEmpty
            ? "good, \(hashes.matching.count) of \(all)\(unknown)"
            : "not good: \(hashes.differing.joined(separator: ", ")) differ\(unknown)"
    }

    /// What the customer notices of meters with several records.
    private func lacking(_ records: StatusReport.Records) -> String {
        let count = records.groups - records.levelled
        return count == 0
            ? "the app shows every name and unit"
            : "the app shows no name or no unit for \(count) of them, although a record has it"
    }

    private var history: String {
        guard let history = report.history else { return "off" }
        let last = history.last.map { ", last \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
        let later =
            history.later == 0
            ? ""
            : "; \(Phrase.count(history.later, "transaction")) before it \(history.later == 1 ? "has" : "have") a later time, because a clock was ahead"
        return
            "on, \(Phrase.count(history.transactions, "transaction")), \(Phrase.count(history.changes, "change"))\(last)\(later)"
    }

    private var mirror: [Inline] {
        guard let mirror = report.mirror else { return ["not mirrored"] }
        return [
            "pending: \(mirror.forecast.amount); \(Phrase.count(mirror.records, "record")) known",
            "history token: \(MirrorText.token(mirror.token, last: mirror.lastTransaction))",
        ]
            + mirror.lastEvents.filter { $0.event.error == nil }.flatMap {
                MirrorEventText.lines($0, times, showsAll: showsAll)
            } + (showsAll ? mirror.account.map { ["iCloud account: \(.code($0))"] } ?? [] : [])
    }
}

internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A store in one screen.
struct StatusText {
    private let report: StatusReport
    private let showsAll: Bool
    private let times: ShownTimes

    init(_ report: StatusReport, _ times: ShownTimes, showsAll: Bool) {
        self.times = times
        self.report = report
        self.showsAll = showsAll
    }

    /// Authors that are shown without `--verbose`.
    private static let most = 4

    var blocks: [Block] {
        var pairs = [Block.Pair("store", "\(report.path)"), Block.Pair("files", "\(files)")]
        if report.alerts.missingLog != nil, let last = report.lastChange {
            pairs[1].values.append("the last change here is of \(times.text(last)); later ones may be missing")
        }
        pairs.append(Block.Pair("uuid", "\(report.uuid ?? "none")"))
        if let problem = report.metadataProblem { pairs.append(Block.Pair("metadata", "missing: \(problem)")) }
        add("model", [modelVersion] + report.model.unknown.sentences.map { "\($0)" }, to: &pairs)
        pairs.append(Block.Pair("hashes", "\(hashes)"))
        add("entities", entities, to: &pairs)
        for unreadable in report.unreadableTables {
            pairs.append(
                Block.Pair(
                    "warning",
                    "the table \(unreadable.name) is made by the module \(unreadable.module), which SQLite does not have here: it is left as it is"
                ))
        }
        if let records = report.records {
            pairs.append(Block.Pair("records", "\(recordCounts(records))"))
            let lost: Inline =
                records.lost == 0
                ? ""
                : "; its files have \(Phrase.count(records.lost, "name or unit", "names and units")) that no record has now: \(.code("\(StoreCommand("lost", stores: [report.path]))"))"
            pairs.append(Block.Pair("names", "\(records.named) of \(Phrase.count(records.meters, "meter"))\(lost)"))
            pairs.append(Block.Pair("addresses", "\(records.letterCase.rawValue) case"))
        }
        let marker =
            report.marker.map {
                "cloudStoreRebuildVersion \($0)\($0 > RebuildMarker.current ? ", of a later rebuild than that of meterfix (\(RebuildMarker.current))" : "")"
            } ?? "no cloudStoreRebuildVersion"
        pairs += [Block.Pair("marker", "\(marker)"), Block.Pair("history", "\(history)")]
        add("authors", authors, to: &pairs)
        add(
            "CloudKit", mirror + (report.mirror?.lastEvents ?? []).flatMap { MirrorEventText.lines($0, times) },
            to: &pairs)
        if let devices = DevicesText.line(report.devices) { pairs.append(Block.Pair("devices", "\(devices)")) }
        if let last = report.lastImport {
            pairs.append(
                Block.Pair("import", "legacy values \(times.text(last.date)), dump with SHA-256 \(.code(last.sha256))"))
        }
        let change = report.lastOwnChange.map { "last change \(times.text($0))" } ?? "never changed this store"
        pairs.append(Block.Pair("meterfix", "\(change)"))
        pairs.append(Block.Pair("next", .code("meterfix verify \(ShellWord.quoted(report.path))")))
        return AlertText.blocks(report.alerts, times) + [.pairs(pairs)]
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
        let version = (report.model.schemaVersion.map { "v\($0)" } ?? "unknown version") + unknown
        let names = report.model.identifiers.filter { !$0.isEmpty }
        let framework = report.model.frameworkVersion.map { ", written by Core Data \($0)" } ?? ""
        return "\(version)\(names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")\(framework)"
    }

    private var hashes: String {
        guard let hashes = report.model.hashes else { return "cannot be checked: no cached model or no metadata" }
        let all = hashes.matching.count + hashes.differing.count
        let unknown = hashes.unknown.isEmpty ? "" : ", \(hashes.unknown.count) with derived attributes not checked"
        return hashes.differing.isEmpty
            ? "good, \(hashes.matching.count) of \(all)\(unknown)"
            : "not good: \(hashes.differing.joined(separator: ", ")) differ\(unknown)"
    }

    /// Of the meters with several records, those of which the app does not show what there is.
    private func lacking(_ records: StatusReport.Records) -> String {
        let count = records.groups - records.levelled
        return "\(count == 0 ? "none" : "\(count)") of them \(count > 1 ? "lack" : "lacks") a name or a unit in the app"
    }

    private func recordCounts(_ records: StatusReport.Records) -> String {
        var text = Phrase.count(records.total, "record")
        if records.groups > 0 {
            text +=
                "; \(Phrase.count(records.groups, "meter")) with several (\(records.recordsInGroups) records), \(lacking(records))"
        } else {
            text += ", no meter has several"
        }
        if records.withoutUsableAddress > 0 { text += "; \(records.withoutUsableAddress) without a usable address" }
        return text
    }

    private var history: String {
        guard let history = report.history else { return "off" }
        let last = history.last.map { ", last \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
        return
            "on, \(Phrase.count(history.transactions, "transaction")), \(Phrase.count(history.changes, "change"))\(last)"
    }

    private var mirror: [Inline] {
        guard let mirror = report.mirror else { return ["not mirrored"] }
        return [
            "\(Phrase.count(mirror.records, "record")) known; waiting: \(mirror.forecast.amount)",
            "token: \(MirrorText.token(mirror.token, last: mirror.lastTransaction))",
        ] + MirrorText.obstacles(mirror.forecast)
    }
}

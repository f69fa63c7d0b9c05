internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Where things stand with iCloud, for a page: what passes between this device, iCloud and the other devices.
extension ReportText {
    /// Devices that are named.
    private static let mostDevices = 4

    var cloud: Section {
        switch report.sync {
        case .failure(let error): Section(.cloud, "iCloud", heading: "iCloud", Self.blocks(error))
        case .success(let sync):
            Section(.cloud, "iCloud", sync.mirror.map(\.objects.count), heading: heading(sync), cloudBlocks(sync))
        }
    }

    private func heading(_ sync: SyncReport) -> Inline {
        guard let mirror = sync.mirror else {
            return sync.lacksMirror ? "What iCloud has is not known" : "This file has never been in iCloud"
        }
        let pending = mirror.objects.count
        if Self.series(of: .export, mirror)?.lastError != nil { return "Uploads fail, and \(Self.pending(pending))" }
        if Self.series(of: .import, mirror)?.lastError != nil { return "Downloads fail, and \(Self.pending(pending))" }
        switch mirror.forecast.outcome {
        case .rowsDeleted: return "Entries are about to be deleted on all devices, and \(Self.pending(pending))"
        case .everythingSent: return "All entries are uploaded again, and \(Self.pending(pending))"
        case .nothingWaits, .sent, .stopped, .unknown: break
        }
        let marked = mirror.forecast.going
        if marked > 0 {
            let entries = Phrase.count(marked, "entry is", "entries are")
            return "\(entries) deleted here when USB Meter opens, and \(Self.pending(pending))"
        }
        let left = mirror.forecast.leftBehind
        if left > 0 {
            let entries = Phrase.count(left, "entry is", "entries are")
            return "\(entries) not uploaded by \(left == 1 ? "itself" : "themselves"), and \(Self.pending(pending))"
        }
        guard pending == 0 else { return "\(Phrase.count(pending, "change")) pending for iCloud" }
        // Where something is wrong with the mirror, or pages cannot be read, an empty queue says nothing of iCloud. The
        // report's own checks have read every page.
        let isUntold = !report.verification.findings.ids.isDisjoint(with: Check.idsLeavingCloudOpen)
        let isCertain =
            report.customer.cloud == nil && sync.alerts.recovery == nil && !isUntold
            && sync.findings.allSatisfy { $0.severity == .note }
        return isCertain ? "Everything is in iCloud" : "Nothing is pending, as far as this file says"
    }

    private static func pending(_ count: Int) -> String {
        count == 0 ? "nothing is pending" : "\(Phrase.count(count, "change is", "changes are")) pending"
    }

    private func cloudBlocks(_ sync: SyncReport) -> [Block] {
        (sync.mirror.map { [flow($0)] } ?? [])
            + [.part("In detail, and what iCloud does when the app opens this file", sync.body(times))]
            + (log.map { [.part("What the log says", $0.body)] } ?? [])
    }

    private func flow(_ mirror: SyncReport.Mirror) -> Block {
        let entries = heights.reduce(0, +)
        let pending = mirror.objects.count
        var here: [Inline] = ["\(Phrase.count(heights.count, "meter")), \(Phrase.entries(entries))"]
        if pending > 0 { here.append("\(Phrase.count(pending, "change")) pending") }
        let others = report.status.devices.devices.compactMap(\.label)
        var names: [Inline] = others.prefix(Self.mostDevices).map { .customer(Escaped.start(of: $0, columns: 40)) }
        if others.count > names.count { names.append("and \(others.count - names.count) more") }
        return .flow(
            [
                .init(.device, "This device", here),
                .init(.cloud, "iCloud", ["\(Phrase.count(mirror.known, "record")) as far as this file knows"]),
                .init(.devices, "The owner’s devices", names.isEmpty ? ["none is known here"] : names),
            ],
            hops: [
                .init(
                    there: way(.export, mirror, "Upload", pending: pending),
                    back: way(.import, mirror, "Download", pending: 0)),
                .init(there: .init(.unknown, "Not visible from here", "A copy from each device would show it.")),
            ])
    }

    private static func series(
        of kind: CloudKitMirror.Event.Kind, _ mirror: SyncReport.Mirror
    ) -> CloudKitMirror.EventSeries? { mirror.series.first { $0.kind == Int64(kind.rawValue) } }

    private func way(
        _ kind: CloudKitMirror.Event.Kind, _ mirror: SyncReport.Mirror, _ what: String, pending: Int
    ) -> Block.Way {
        func text(_ seconds: Double) -> String { times.short([Timestamp(secondsSince2001: seconds)])[0] }
        let series = Self.series(of: kind, mirror)
        let last = series?.lastSuccess?.endedAt.map(text)
        if let error = series?.lastError {
            let start = series?.failures.compactMap(\.first).min().map { "since \(text($0)): " }
            return .init(.stopped, "\(what) fails", "\(start ?? "")\(error.meaning)")
        }
        if pending > 0 { return .init(.waits, "\(what) pending", last.map { "last one: \($0)" } ?? "none so far") }
        guard let last else { return .init(.unknown, "No \(what.lowercased()) is known", "") }
        return .init(.works, "\(what) works", "last one: \(last)")
    }
}

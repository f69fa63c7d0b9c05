internal import MeterInspect
internal import MeterModel

/// What a person should know of some meters before they are merged.
struct RebuildCircumstances: Sendable {
    /// With a record that CloudKit is about to delete.
    private var aboutToBeDeleted = Remarks()
    /// With a record to delete in a zone that somebody else shares.
    private var shared = Remarks()
    /// Of which only the record stays that somebody else shares.
    private var onlyShared = Remarks()
    /// A device is connected now.
    private var inUse = Remarks()

    /// The first of some remarks, each a part of a sentence, and how many there are.
    private struct Remarks: Sendable {
        private(set) var first: [Sentence] = []
        private(set) var count = 0
        private static let most = 3

        mutating func add(_ remark: @autoclosure () -> Sentence) {
            if first.count < Self.most { first.append(remark()) }
            count += 1
        }

        var text: Sentence? {
            guard count > 0 else { return nil }
            return (first + (count > first.count ? ["\(count - first.count) more"] : [])).joinedByAnd
        }
    }

    mutating func add(_ merge: Merge, in letterCase: LetterCase, now: Timestamp) {
        guard !merge.losers.isEmpty else { return }
        let records = [merge.winner] + merge.losers
        var meter: String { merge.address.text(in: letterCase) }
        let going = records.filter { $0.cloudRecord?.isAboutToBeDeleted ?? false }
        if !going.isEmpty { aboutToBeDeleted.add("\(meter) (\(Self.rows(going)))") }
        let theirs = merge.losers.filter { $0.cloudRecord?.sharedBy != nil }
        if !theirs.isEmpty { shared.add("\(meter) (\(Self.rows(theirs)))") }
        let isTheirs = merge.winner.cloudRecord?.sharedBy != nil
        if isTheirs, theirs.count < merge.losers.count { onlyShared.add("\(meter) (\(Self.rows([merge.winner])))") }
        let lock = records.lazy.flatMap(\.locks).first { $0.isLive(at: now) }
        if let lock {
            let end: Sentence = lock.end.map { " until \($0)" } ?? ""
            inUse.add("\(meter) by \(lock.holder.map { "\"\($0)\"" } ?? "a device")\(end)")
        }
    }

    private static func rows(_ records: [DeviceSettings]) -> String {
        let rows = records.map(\.row).sorted().map(String.init)
        return "\(rows.count == 1 ? "row" : "rows") \(Phrase.start(of: rows, limit: 3))"
    }

    /// In the order of their weight.
    /// - Parameter mayOpen: whether nothing forbids to open the app; asked where it matters.
    func sentences(mayOpen: () throws -> Bool) rethrows -> [Sentence] {
        var sentences: [Sentence] = []
        if let meters = aboutToBeDeleted.text {
            let first: Sentence = try mayOpen() ? "; \(Check.letItSync)" : ""
            sentences.append(
                "CloudKit is about to delete records of \(meters), which are not kept if the meter has another one\(first)"
            )
        }
        if let meters = shared.text {
            sentences.append(
                "records of \(meters) lie in another zone, which somebody else shares: deleting them deletes them in that "
                    + "person's iCloud and for everybody else there")
        }
        if let meters = onlyShared.text {
            sentences.append(
                "the record of \(meters) that is kept is the one that somebody else shares: the user's own is deleted, and "
                    + "when the sharing ends, this meter is gone here")
        }
        if let meters = inUse.text {
            sentences.append(
                "in use now: \(meters); the device that is connected goes on writing: close the app there, or use "
                    + "`meterfix rebuild --in-use` while it is open")
        }
        return sentences
    }
}

internal import CoreDataStore
internal import JSON
internal import MeterJournal
package import MeterModel

/// What tells what a dry run showed from what a later run would do: 16 hex digits, enough that nothing else has the same
/// by chance.
package struct PlanFingerprint: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    private static let digits = 16

    package init(digest: [UInt8]) { description = Hexadecimal.text(of: Array(digest.prefix(Self.digits / 2))) }

    /// As a user types it; nil for what is none.
    package init?(_ word: String) {
        guard word.utf8.count == Self.digits, Hexadecimal.bytes(of: word) != nil else { return nil }
        description = word.lowercased()
    }
}

extension ChangeReport {
    package var fingerprint: PlanFingerprint { plan.fingerprint(inStore: storeUUID) }
}

extension Plan {
    /// What tells the plan from others: what it changes, keeps, discards and rejects. Neither what the clock alone decides
    /// counts, nor why one record comes before another.
    /// - Parameter uuid: the store's, `Z_UUID`; nil where it is yet to be made.
    package func fingerprint(inStore uuid: String?) -> PlanFingerprint {
        var digest = PlanDigest()
        digest.add(uuid)
        forEachChange { digest.add($0) }
        for conflict in conflicts { digest.add(conflict) }
        for reject in rejects { digest.add(document: reject.json(hint: nil)) }
        return PlanFingerprint(digest: digest.finish())
    }
}

/// The digest of a plan, while it is made.
private struct PlanDigest {
    private var values = ValueDigest()
    /// The last insertion: what others have in common with it is added once.
    private var lastInsertion: RecordInsertion?

    private enum Kind: Int64 {
        case update, deletion, cloudDeletion, insertion, shape, document, conflict
    }

    mutating func finish() -> [UInt8] { values.finish() }

    mutating func add(_ text: String?) {
        guard var text else { return values.addNull() }
        text.withUTF8 { values.add(text: UnsafeRawBufferPointer($0)) }
    }

    private mutating func add(_ number: Int64?) {
        if let number { values.add(number) } else { values.addNull() }
    }

    private mutating func add(_ address: MACAddress?) { add(address.map { Int64($0.bits) }) }

    private mutating func add(_ value: FieldValue) {
        switch value {
        case .null: values.addNull()
        case .integer(let number): values.add(number)
        case .real(let number): values.add(number)
        case .text(let text): add(text)
        case .malformedText(let bytes): bytes.withUnsafeBytes { values.add(text: $0) }
        case .blob(let bytes): bytes.withUnsafeBytes { values.add(blob: $0) }
        }
    }

    private mutating func add(_ kind: Kind) { values.add(kind.rawValue) }

    mutating func add(document: some JSONWritable) {
        add(.document)
        add(document.text(pretty: false))
    }

    mutating func add(_ change: Change) {
        switch change {
        case .record(let record, let meter): add(record, of: meter)
        case .cloudDelete(let deletion):
            add(.cloudDeletion)
            add(deletion.entity)
            add(deletion.row)
            add(deletion.cloudRecord)
        case .schema, .metadata: add(document: RareChange(change))
        }
    }

    private mutating func add(_ record: RecordChange, of meter: MeterPlan) {
        switch record {
        case .update(let update):
            add(.update)
            add(update.row)
            add(meter.address)
            add(update.cloudRecord)
            // Even whether there is a change to the moment depends on the moment.
            for change in update.fields where change.rule != .now {
                add(change.field.name)
                let position = update.layout.position(of: change.field)!
                add(Int64(position << 8 | change.rule.ordinal))
                add(change.donor)
                add(change.before)
                add(change.after)
            }
        case .delete(let deletion):
            add(.deletion)
            add(deletion.record.row)
            add(meter.address)
            add(deletion.record.cloudRecord?.name)
            add(meter.winner?.row)
            add(deletion.record.values)
        case .insert(let insertion):
            addFields(of: insertion)
            add(.insertion)
            add(insertion.row)
            add(meter.address)
            for change in insertion.fields where !change.isMadeByClock { add(change.after) }
        }
    }

    private mutating func add(_ record: [FieldValue]) {
        values.add(Int64(record.count))
        for value in record { add(value) }
    }

    /// Where the values come from, once for all insertions of the same fields from the same places.
    private mutating func addFields(of insertion: RecordInsertion) {
        defer { lastInsertion = insertion }
        let isSame = lastInsertion?.fields.elementsEqual(insertion.fields) { last, change in
            last.field == change.field && last.rule == change.rule && last.donor == change.donor
        }
        guard isSame != true else { return }
        add(.shape)
        for change in insertion.fields {
            add(change.field.name)
            add(change.rule.rawValue)
            add(change.donor)
        }
    }

    mutating func add(_ conflict: Conflict) {
        add(.conflict)
        add(conflict.address)
        add(conflict.field.name)
        add(conflict.keptFrom)
        add([conflict.kept] + conflict.dropped.map(\.value))
        for dropped in conflict.dropped { add(dropped.row) }
    }
}

extension FieldChange {
    /// Whether the moment decides the value of a new record: an import derives the identities of new records from it.
    fileprivate var isMadeByClock: Bool {
        rule == .newRecord && [.id, .createdAt, .updatedAt].contains(field.known)
    }
}

/// A change of which there are few, as in the answer, but an import's mark without its date.
private struct RareChange: JSONWritable {
    private let change: Change

    init(_ change: Change) {
        guard case .metadata(let metadata) = change, case .legacyImport(_, let sha256) = metadata.after else {
            self.change = change
            return
        }
        let mark = MetadataChange.Value.legacyImport(date: Timestamp(secondsSince2001: 0), sha256: sha256)
        self.change = .metadata(MetadataChange(key: metadata.key, before: metadata.before, after: mark))
    }

    func write(to writer: inout JSONWriter) { change.write(in: .report, .upper, to: &writer) }
}

internal import CoreDataStore
internal import JSON
internal import MeterModel

/// What can be left out of a plan: a whole meter, or a record that is of none.
enum PlanSubject: Hashable, Sendable {
    case meter(MACAddress)
    /// A record without a usable address, by its row number.
    case row(Int64)
    /// An object whose row is gone already.
    case gone(CloudKitMirror.Object)

    fileprivate init(_ address: MACAddress?, _ row: Int64) { self = address.map(Self.meter) ?? .row(row) }
}

extension PlanLine {
    /// What the line is about; nil for one that cannot be left out.
    var subject: PlanSubject? {
        switch self {
        case .record(let record): PlanSubject(record.usableAddress, record.row)
        case .change(.update(let update)): PlanSubject(update.address, update.row)
        case .change(.insert(let insertion)): PlanSubject(insertion.address, insertion.row)
        case .change(.delete(let deletion)): PlanSubject(deletion.address, deletion.record.row)
        case .change(.cloudDelete(let deletion)): .gone(deletion.object)
        case .deletion(let deletion): PlanSubject(deletion.address, deletion.row)
        case .conflict(let conflict): .meter(conflict.address)
        case .entry, .change(.schema), .change(.metadata), .reject: nil
        }
    }

    /// By which a line is found again, whatever somebody wrote into it. Lines that cannot be left out are found by their
    /// order.
    enum Identity: Hashable {
        case entry, schema, reject
        case record(Int64), update(Int64), insert(Int64), delete(Int64)
        case gone(CloudKitMirror.Object)
        case metadata(String)
        case conflict(MACAddress, String)
    }

    var identity: Identity {
        switch self {
        case .entry: .entry
        case .record(let record): .record(record.row)
        case .change(.update(let update)): .update(update.row)
        case .change(.insert(let insertion)): .insert(insertion.row)
        case .change(.delete(let deletion)): .delete(deletion.record.row)
        case .change(.cloudDelete(let deletion)): .gone(deletion.object)
        case .change(.schema): .schema
        case .change(.metadata(let change)): .metadata(change.key)
        case .deletion(let deletion): .delete(deletion.row)
        case .conflict(let conflict): .conflict(conflict.address, conflict.field.name)
        case .reject: .reject
        }
    }

    /// Whether both are of one kind and about one meter.
    func isLike(_ other: PlanLine) -> Bool {
        switch (identity, other.identity) {
        case (.record, .record), (.update, .update), (.insert, .insert), (.delete, .delete), (.conflict, .conflict):
            subject == other.subject
        case (.gone, .gone), (.metadata, .metadata): true
        default: false
        }
    }

    /// The line as it is in a file.
    /// - Throws: `PlanError` where it cannot be read back.
    func json(_ context: PlanContext) throws(PlanError) -> JSONValue {
        do {
            return try JSONReader().value(
                of: Array(Text(line: self, context: context).text(pretty: false).utf8), limits: JSONLimits())
        } catch {
            throw PlanError(at: .file, "\(error)")
        }
    }

    private struct Text: JSONWritable {
        let line: PlanLine
        let context: PlanContext

        func write(to writer: inout JSONWriter) { line.write(context, to: &writer) }
    }
}

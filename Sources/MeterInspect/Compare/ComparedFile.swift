internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// One side of a comparison, opened: a store, which is read in parts, or an export, which is in memory.
struct ComparedFile {
    private enum Records {
        case store(SettingsTable, CloudRecords, Database)
        case export([DeviceSettings])
    }

    let summary: ComparisonReport.Side
    let letterCase: LetterCase
    /// Sorted.
    let addresses: AddressIndex
    let layout: RecordLayout?
    /// By row, the fields of its records that wait to be uploaded; empty if they are not known.
    let unsent: [Int64: Set<String>]
    /// CloudKit's names of records whose delete waits to be uploaded.
    let deleted: Set<String>
    private let records: Records

    init(_ store: InspectedStore, _ database: Database) throws {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let cloudRecords = try settings.cloudRecords(
            of: store.addresses.meters.lazy.flatMap(\.rows), store.description.mirror, database)
        records = .store(settings, cloudRecords, database)
        addresses = store.addresses
        letterCase = store.letterCase
        layout = settings.layout
        summary = ComparisonReport.Side(
            store.path, .store, addresses, alerts: try store.alerts(database))
        let waiting = try store.waitingRecords(of: settings, database)
        unsent = waiting.filter { $0.value.waiting.kind != .delete }.mapValues { Set($0.fields ?? []) }
        deleted = Set(waiting.values.map(\.waiting).filter { $0.kind == .delete }.compactMap(\.recordName))
    }

    init(_ export: CloudExport, path: String) {
        var addresses = AddressIndex(expecting: export.records.count)
        for record in export.records { addresses.add(row: record.row, record.address) }
        addresses.sort()
        records = .export(export.records)
        self.addresses = addresses
        letterCase = addresses.letterCase
        layout = export.records.first?.layout
        unsent = [:]
        deleted = []
        summary = ComparisonReport.Side(path, .cloudExport, addresses)
    }

    /// The records of groups of rows, group by group.
    func records(ofGroups groups: [[Int64]]) throws -> [[DeviceSettings]] {
        switch records {
        case .store(let settings, let cloudRecords, let database):
            var found = [[DeviceSettings]](repeating: [], count: groups.count)
            try settings.forEachRow(ofGroups: groups, cloudRecords: cloudRecords, database) { group, row in
                found[group].append(row.record)
            }
            return found
        case .export(let records):
            return groups.map { $0.map { records[Int($0) - 1] } }
        }
    }

    /// Fields that only this side's records can have.
    func fields(missingIn other: ComparedFile) -> [String] {
        guard let layout, let others = other.layout else { return [] }
        return layout.fields.filter { others.position(of: $0) == nil }.map(\.name)
    }

    /// Whether a file begins like JSON, or is a pipe, which a store never is. Everything else is opened as a store,
    /// whose errors say what is wrong.
    static func isJSON(_ path: String) -> Bool {
        guard let status = try? FileStatus(path: path), !status.isDirectory else { return false }
        // What is read from a pipe cannot be read again.
        guard status.isRegular else { return true }
        guard let start = try? FileInput(path).nextChunk(upTo: 64) else { return false }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = start.starts(with: mark) ? start.dropFirst(mark.count) : start[...]
        return [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
    }
}

internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// One store of a timeline: its log, and what it says of where its records came from.
struct TimelineStore {
    /// How a record is told from others, on every device alike: by its name in CloudKit, or else by its `id`.
    enum Identity: Hashable {
        case name(String)
        case id([UInt8])
        /// Of the only record of its meter that has neither.
        case address(MACAddress)
        /// Nothing tells it from a record of another store.
        case own(store: String, row: Int64)

        var cloudRecord: String? { if case .name(let name) = self { name } else { nil } }
    }

    struct Record {
        let address: MACAddress?
        let text: String?
        let meterName: String?
        let cloudName: String?
        let id: [UInt8]?
        let updatedAt: Timestamp?
    }

    /// A transaction that inserted a record, or changed it last.
    struct Event: Hashable {
        let transaction: Int64
        let time: Timestamp?
        let author: Author
    }

    let path: String
    let uuid: String?
    /// The iCloud account; nil where it is not known.
    let account: String?
    let log: ChangeLog
    /// The entity numbers of records of meters.
    private(set) var numbers: Set<Int64> = []
    /// Those that are there, by row.
    private(set) var records: [Int64: Record] = [:]
    /// The names in CloudKit of rows that are gone.
    private(set) var goneNames: [Int64: String] = [:]
    /// The insert of each row, as far as the history has it.
    private(set) var births: [Int64: Event] = [:]
    private(set) var deaths: [Int64: Int64] = [:]
    private(set) var lastChanges: [Int64: Event] = [:]
    /// The first insert of a row of which nothing tells which record it was.
    private(set) var firstUnknownBirth: Int64?
    private(set) var isWhole = false

    init(_ session: Session, _ log: ChangeLog) throws {
        path = session.store.path
        uuid = session.description.metadata.uuid
        account = try session.account()
        self.log = log
        guard let meters = session.meterSession else { return }
        numbers = Set(meters.settings.numbers)
        try readRecords(meters)
        try readHistory(meters)
    }

    private mutating func readRecords(_ session: MeterSession) throws {
        var names: [Int64: String] = [:]
        try session.mirror?.forEachRecord(session.database) { metadata in
            guard numbers.contains(metadata.entityNumber), names[metadata.row] == nil else { return }
            names[metadata.row] = metadata.recordName
        }
        for record in try session.store.records {
            records[record.row] = Record(
                address: record.usableAddress, text: record[.macAddress].text, meterName: record.shownName,
                cloudName: names[record.row], id: record.isEmpty(.id) ? nil : record[.id].bytes.map { Array($0) },
                updatedAt: record.updatedAt)
        }
        goneNames = names.filter { records[$0.key] == nil }
    }

    private mutating func readHistory(_ session: MeterSession) throws {
        guard let history = session.history else { return }
        var count = 0
        try history.forEachChange(ofEntities: session.settings.numbers, session.database) { change in
            count += 1
            if count & 0x3FFF == 0 { try Interruption.check(path) }
            guard let row = change.objectRow else { return }
            let kind = change.change.kind
            guard kind != .update || lastChanges[row] == nil else { return }
            let save = try change.save()
            guard save.isThere, let number = save.transaction else { return }
            let event = Event(
                transaction: number, time: save.time.map(Timestamp.init(secondsSince2001:)), author: Author(save))
            if lastChanges[row] == nil { lastChanges[row] = event }
            switch kind {
            case .insert?:
                births[row] = event
                if records[row] == nil, goneNames[row] == nil {
                    firstUnknownBirth = min(firstUnknownBirth ?? number, number)
                }
            case .delete?: deaths[row] = number
            case .update?, nil: break
            }
        }
        try session.database.forEachRow("SELECT MIN(Z_PK) FROM ATRANSACTION") { isWhole = $0.integer(0) == 1 }
    }
}

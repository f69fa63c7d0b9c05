internal import MeterModel

/// The store of one device, as records in memory, with what it knows of the zone. The code that also writes to files
/// decides what is written: `SettingsOperation` for the app, the merge of `rebuild` for a repair. (An object: to copy
/// its arrays whenever it is asked something took most of the time of a simulation.)
final class Replica {
    struct Record {
        var values: [FieldValue]
        /// `Z_PK`: this device's own number.
        let row: Int64
        /// Of the version that this one was made from; `new` if CloudKit has none.
        var tag: Int

        static let new = 0
        /// Of a version that is older than all versions in the zone.
        static let old = -1
    }

    let register: RecordRegister
    let layout: RecordLayout
    let policy: MergePolicy
    let olderApps: OlderApps
    @exclusivity(unchecked) var records: [Record?] = []
    /// In the order in which they were added to this store.
    @exclusivity(unchecked) private(set) var recordsOfMeter: [[RecordNumber]]
    @exclusivity(unchecked) var pending: [RecordNumber: PendingChange] = [:]
    /// How far this device has read the zone's changes.
    @exclusivity(unchecked) var token = 0
    /// Deletions up to this tag are not told to this device: it has fetched from the beginning since, and CloudKit tells
    /// a device without a token what there is, not what there was (inferred).
    var deletionsKnownFrom = 0
    /// Records that the mirror uploads as if they were new, unless it fetches them first.
    var uploadsAgain: Set<RecordNumber> = []
    /// Fields that this version of the app does not have. A record with a value in one of them is of a newer version.
    @exclusivity(unchecked) private(set) var unknownFields: FieldSet
    /// Fields that an older version of the app has skipped, until everything is fetched again.
    var skippedFields = FieldSet()
    /// Whether a record of a newer app version stopped the last import.
    var isWaitingForUpgrade = false
    private var lastRow: Int64 = 0
    private var lastTransaction = 0
    let updatedAtPosition: Int?

    init(
        _ register: RecordRegister, _ layout: RecordLayout, meters: Int, policy: MergePolicy,
        olderApps: OlderApps = .stopAtRecord, unknownFields: FieldSet
    ) {
        self.register = register
        self.layout = layout
        self.policy = policy
        self.olderApps = olderApps
        self.unknownFields = unknownFields
        recordsOfMeter = Array(repeating: [], count: meters)
        updatedAtPosition = layout.position(of: .updatedAt)
    }

    subscript(record: RecordNumber) -> Record? { record.index < records.count ? records[record.index] : nil }

    /// How many records there are.
    var count: Int { records.count { $0 != nil } }

    var numbers: [RecordNumber] { records.indices.filter { records[$0] != nil }.map(RecordNumber.init) }

    /// The record that the app finds for a meter: the first with exactly this text as its address.
    func first(of meter: Int, writtenAs text: String) -> RecordNumber? {
        guard let position = layout.position(of: .macAddress) else { return nil }
        let value = FieldValue.text(text)
        var found: (record: RecordNumber, row: Int64)?
        for number in recordsOfMeter[meter] {
            guard let record = self[number], record.values[position] == value else { continue }
            if found.map({ record.row < $0.row }) ?? true { found = (number, record.row) }
        }
        return found?.record
    }

    /// Adds a record to the store; it gets the next row number.
    func put(_ values: [FieldValue], tag: Int, as number: RecordNumber) {
        while records.count <= number.index { records.append(nil) }
        lastRow += 1
        records[number.index] = Record(values: values, row: lastRow, tag: tag)
        if let meter = register.meter(of: number) { recordsOfMeter[meter].append(number) }
    }

    /// Removes a record from the store.
    func remove(_ number: RecordNumber) {
        guard self[number] != nil else { return }
        records[number.index] = nil
        uploadsAgain.remove(number)
        if let meter = register.meter(of: number) { recordsOfMeter[meter].removeAll { $0 == number } }
    }

    /// The app is updated.
    func learnAllFields() {
        if olderApps.skipsFields, !unknownFields.isEmpty {
            // The migration of the model makes the mirror fetch the zone again.
            skippedFields.formUnion(unknownFields)
            token = 0
        }
        unknownFields = []
        isWaitingForUpgrade = false
    }

    /// What this version of the app stores of a record.
    func readable(_ values: [FieldValue]) -> [FieldValue] {
        guard olderApps.skipsFields, !unknownFields.isEmpty else { return values }
        return values.indices.map { unknownFields.contains(position: $0) ? .null : values[$0] }
    }

    /// Fields of which the values here say nothing: an upload leaves them in the cloud as they are.
    var fieldsLeftAlone: FieldSet {
        switch olderApps {
        case .skipFields: unknownFields.union(skippedFields)
        case .dropFields, .stopAtRecord, .stopSync: []
        }
    }

    /// Whether nothing is fetched or uploaded before the app is updated.
    var isStopped: Bool { olderApps == .stopSync && isWaitingForUpgrade }

    // MARK: - Changes on the device, each a transaction of the history

    /// Begins a transaction.
    func beginTransaction() { lastTransaction += 1 }

    /// - Parameter naming: if other devices choose the same name, their version and this one both began from nothing, and
    ///   are merged as such.
    func insert(
        _ values: [FieldValue], as number: RecordNumber, _ naming: RecordNaming = .random, isRepair: Bool = false
    ) {
        put(values, tag: Record.new, as: number)
        // One of the same name was deleted here, which CloudKit may not know: this one takes its place there.
        if let deletion = pending[number] {
            var change = PendingChange(transaction: deletion.transaction, isRepair: deletion.isRepair)
            change.wasSent = true
            change.base = .nothing(values.count)
            pending[number] = change
        }
        switch naming {
        case .random: note(.all, of: number, isRepair)
        case .fromAddress: note(Self.fields(in: values), of: number, isRepair, base: .nothing(values.count))
        }
    }

    static func fields(in values: [FieldValue]) -> FieldSet { FieldSet(values.indices.filter { !values[$0].isNull }) }

    func update(_ number: RecordNumber, at positions: some Sequence<(Int, FieldValue)>, isRepair: Bool = false) {
        // Not kept where nobody asks for it: the record would be copied with each change.
        let before = pending[number] == nil ? self[number]! : nil
        var fields = FieldSet()
        for (position, value) in positions {
            records[number.index]!.values[position] = value
            fields.insert(FieldSet(position))
        }
        note(
            fields, of: number, isRepair, base: before.flatMap { $0.tag > Record.new ? .init(values: $0.values) : nil })
    }

    func delete(_ number: RecordNumber, isRepair: Bool) {
        guard let record = self[number] else { return }
        remove(number)
        let change = pending[number]
        // What was never in CloudKit need not be deleted there.
        if record.tag == Record.new && change?.wasSent != true {
            pending[number] = nil
            return
        }
        note([], of: number, isRepair)
        pending[number]!.isDeletion = true
        pending[number]!.fields = []
    }

    /// - Parameter base: the record before the change, if CloudKit has that version.
    private func note(
        _ fields: FieldSet, of number: RecordNumber, _ isRepair: Bool, base: CommonVersion? = nil
    ) {
        var change =
            pending[number] ?? PendingChange(transaction: lastTransaction, isRepair: isRepair, base: base)
        change.fields.formUnion(fields)
        change.isRepair = change.isRepair || isRepair
        pending[number] = change
    }

    /// Adds a change from before the simulation.
    /// - Parameter base: CloudKit's version that was changed; nil if that is not known.
    func markPending(
        _ number: RecordNumber, _ fields: FieldSet = .all, isDeletion: Bool = false, base: CommonVersion? = nil
    ) {
        note(isDeletion ? [] : fields, of: number, false, base: base)
        pending[number]!.isDeletion = isDeletion
    }
}

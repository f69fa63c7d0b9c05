package import CoreDataStore
package import MeterModel

/// A record as the current row of a statement: no object is made for a value that is only looked at. The same object is
/// reused for one record after the other; valid inside the closure it is handed to.
package final class RecordRow {
    // With a dozen accesses to each of a million rows, the checks of exclusive access would cost as much as the
    // accesses. (Another module would make them all the same where it reads a stored property.)
    private let layout: RecordLayout
    private let cloudRecords: CloudRecords
    /// Nil before the first record.
    @exclusivity(unchecked) private var current: SQLiteRow?
    /// How many records it was moved to.
    @exclusivity(unchecked) private(set) var moves = 0
    /// The values of the layout's fields, and NULL behind them: they are asked for several times, and SQLite takes longer
    /// to find each one.
    private let fields: UnsafeMutableBufferPointer<SQLiteRow.Value>
    @exclusivity(unchecked) private var hasFields = false
    /// Where in `fields` each known field is, by its number.
    private let places: [Int]
    private let lockPlaces: [Int]
    private let blobPlaces: [Int]
    /// How many of the attributes of a flat lock there are.
    private let flatLockCount: Int
    @exclusivity(unchecked) private var number: Int64 = 0
    @exclusivity(unchecked) private var knownAddress: DeviceSettings.Address?
    @exclusivity(unchecked) private var builder = RecordValues.Builder()
    @exclusivity(unchecked) private var whole: DeviceSettings?
    @exclusivity(unchecked) private var knownLocks: [ConnectionLock]?

    init(_ layout: RecordLayout, _ cloudRecords: CloudRecords) {
        self.layout = layout
        self.cloudRecords = cloudRecords
        fields = .allocate(capacity: layout.fields.count + 1)
        fields.initialize(repeating: .null)
        var places = [Int](repeating: layout.fields.count, count: SettingsField.allCases.count)
        for field in SettingsField.allCases {
            if let place = layout.position(of: field) { places[field.number] = place }
        }
        self.places = places
        lockPlaces = SettingsField.lock.compactMap(layout.position)
        blobPlaces = [SettingsField.connectionMetadata, .discoveryMetadata].compactMap(layout.position)
        flatLockCount = SettingsField.flatLock.count(where: layout.has)
    }

    deinit { fields.deallocate() }

    /// - Parameter values: `Z_PK` and then a column for each field of the layout.
    func move(to values: SQLiteRow) {
        current = values
        hasFields = false
        knownAddress = nil
        whole = nil
        knownLocks = nil
        number = values.integer(0)
        moves += 1
    }

    /// `Z_PK`, a column for each field of the layout, and the other requested columns.
    package var values: SQLiteRow { current! }

    /// `Z_PK`.
    package var row: Int64 { number }

    private func value(at place: Int) -> SQLiteRow.Value {
        if !hasFields {
            hasFields = true
            values.copyValues(from: 1, to: UnsafeMutableBufferPointer(rebasing: fields.dropLast()))
        }
        return fields[place]
    }

    /// The value of a known field, NULL if the store lacks the attribute.
    private func value(_ field: SettingsField) -> SQLiteRow.Value { value(at: places[field.number]) }

    /// Whether there is nothing at a position of the layout.
    package func isNull(at place: Int) -> Bool { if case .null = value(at: place) { true } else { false } }

    /// `macAddress`, read.
    package var address: DeviceSettings.Address {
        if let knownAddress { return knownAddress }
        let address = DeviceSettings.Address(value(.macAddress))
        knownAddress = address
        return address
    }

    /// Whether there is any value of a connection lock, flat or blob.
    package var hasLock: Bool { lockPlaces.contains(where: isNotNull) }

    /// Whether one of the JSON attributes is not empty.
    package var hasMetadataBlob: Bool { blobPlaces.contains(where: isNotNull) }

    private func isNotNull(at place: Int) -> Bool { !isNull(at: place) }

    /// `FieldValue.isEmpty` of a known field; true if the store lacks the attribute.
    package func isEmpty(_ field: SettingsField) -> Bool {
        switch value(field) {
        case .null: return true
        case .integer, .real: return false
        case .blob(let bytes): return bytes.isEmpty
        case .text(let bytes): return bytes.isEmpty || WhiteSpace.isAll(bytes)
        }
    }

    /// The bytes of a text; nil for everything else. They may not be UTF-8.
    package func text(_ field: SettingsField) -> UnsafeBufferPointer<UInt8>? {
        if case .text(let bytes) = value(field) { bytes } else { nil }
    }

    /// Hands the bytes of a known field to `body`; a number as the eight bytes of the nearest REAL, so that equal
    /// values have equal bytes. No bytes if the store lacks the attribute.
    /// - Throws: only what `body` throws.
    package func withBytes<Result>(_ field: SettingsField, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        switch value(field) {
        case .null: return try body(.init(start: nil, count: 0))
        case .integer(let number): return try withUnsafeBytes(of: Double(number), body)
        case .real(let number): return try withUnsafeBytes(of: number + 0, body)
        case .text(let bytes), .blob(let bytes): return try body(UnsafeRawBufferPointer(bytes))
        }
    }

    /// The value of a known field; NULL if the store lacks the attribute.
    package subscript(field: SettingsField) -> FieldValue {
        layout.position(of: field).map { FieldValue(values, $0 + 1) } ?? .null
    }

    /// The date in a known field, where it is plausible.
    package func timestamp(_ field: SettingsField) -> Timestamp? { timestamp(places[field.number]) }

    /// The date at a position of the layout, where it is plausible.
    package func timestamp(_ position: Int) -> Timestamp? { date(position)?.ifPlausible }

    /// The date at a position of the layout, whatever it says.
    package func date(_ position: Int) -> Timestamp? {
        switch value(at: position) {
        case .integer(let seconds): Timestamp(secondsSince2001: Double(seconds))
        case .real(let seconds): Timestamp(secondsSince2001: seconds)
        case .null, .text, .blob: nil
        }
    }

    /// What there is of the record's locks, without the device of a flat one: so of most records no text is made.
    package var locks: [ConnectionLock] {
        if let knownLocks { return knownLocks }
        let locks = hasMetadataBlob ? record.locks : flatLock.map { [$0] } ?? []
        knownLocks = locks
        return locks
    }

    /// `DeviceSettings.flatLock` without the device.
    private var flatLock: ConnectionLock? {
        let filled = SettingsField.flatLock.count { !isEmpty($0) }
        guard filled > 0 else { return nil }
        return ConnectionLock(
            encoding: .flat, deviceID: nil, deviceName: nil, connectedAt: timestamp(.connectedAt),
            expiresAt: timestamp(.connectedExpiryAt), isTorn: filled < flatLockCount)
    }

    /// The record with all its values.
    package var record: DeviceSettings {
        if let whole { return whole }
        for place in fields.indices.dropLast() {
            switch value(at: place) {
            case .null: builder.appendNull()
            case .integer(let value): builder.append(value)
            case .real(let value): builder.append(value)
            case .text(let bytes): builder.append(text: bytes)
            case .blob(let bytes): builder.append(blob: bytes)
            }
        }
        let hasBlobs = !blobPlaces.isEmpty
        let record = DeviceSettings(
            row: row, layout: layout, values: builder.finish(), cloudRecord: cloudRecords[row],
            lockBlob: hasBlobs ? MetadataBlob.lock(self[.connectionMetadata]) : .absent,
            discoveryBlob: hasBlobs ? MetadataBlob.discovery(self[.discoveryMetadata]) : .absent)
        whole = record
        return record
    }
}

extension DeviceSettings.Address {
    /// The contents of `macAddress`.
    init(_ row: SQLiteRow, _ column: Int) { self.init(row[column]) }

    /// The same.
    fileprivate init(_ value: SQLiteRow.Value) {
        switch value {
        case .null: self = .missing
        case .integer, .real: self = .invalid
        case .blob(let bytes): self = bytes.isEmpty ? .missing : .invalid
        case .text(let bytes): self.init(text: bytes)
        }
    }
}

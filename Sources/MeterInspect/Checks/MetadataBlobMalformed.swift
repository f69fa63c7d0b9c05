internal import MeterModel
internal import MeterStore

/// JSON attributes without the expected JSON.
final class MetadataBlobMalformed: RecordCheck {
    static let description = CheckDescription(
        "metadata-blob-malformed", .error, "connectionMetadata or discoveryMetadata is not the expected JSON",
        explanation: [
            """
            The app cannot read this text and ignores the lock, or the last discovery, in it. App versions that keep \
            the lock and the last discovery as JSON expect `{device, timestamp, expiry}`, or `{deviceID, deviceName, \
            timestamp, expiresAt}`, and `{lastSeen, seenBy}`. This is none of them.
            """,
            "This comes from truncated text, from edits by hand, and from values of another app version.",
            """
            Connect to the meter in the app once and disconnect: that rewrites both. If that is not possible, `meterfix \
            fix metadata-blob-malformed` clears such a text. `meterfix unlock` clears a lock that cannot be read, too, \
            and a rebuild may put another record's lock or discovery in its place. The text is then in the report of \
            the change and in its backup.
            """,
        ])

    static let interest = RecordInterest.metadataBlob
    private let store: InspectedStore

    /// The same for each of them.
    private let cure: String

    init(_ store: InspectedStore) {
        self.store = store
        cure = store.repair("fix metadata-blob-malformed")
    }

    func visit(_ row: RecordRow, _ found: Found) {
        let record = row.record
        func add(_ field: SettingsField, _ reason: String) {
            found(Self.finding("\(field.rawValue): \(reason)", about: record, in: store, cure: cure))
        }
        if case .malformed(let reason) = record.lockBlob { add(.connectionMetadata, reason) }
        if case .malformed(let reason) = record.discoveryBlob { add(.discoveryMetadata, reason) }
    }
}

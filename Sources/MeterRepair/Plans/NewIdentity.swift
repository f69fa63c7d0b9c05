internal import CoreDataStore
internal import MeterModel

/// The `id` that a record gets which had none, or the same one as another. It follows from what every device knows of the
/// record, so that devices that cure their own copies agree, and a dry run, a plan and the real run do.
enum NewIdentity {
    /// Tries until an identity is taken by no other record. More are not made: one that is taken was made by an earlier
    /// cure.
    static let most = 256

    /// - Parameters:
    ///   - record: with the `id` that others have too. Without one, it is told from others by its name in CloudKit, and
    ///     where CloudKit does not have it, no other device does either, by the date of its creation.
    ///   - attempt: from 1.
    static func value(for record: DeviceSettings, attempt: Int) -> FieldValue {
        let address = record.usableAddress?.text(in: .upper) ?? record[.macAddress].display(as: .text)
        let origin =
            record.isEmpty(.id)
            ? record.cloudRecord?.name ?? record[.createdAt].display(as: .date) : record[.id].display(as: .uuid)
        let name = "\(origin) \(address) \(attempt)"
        let id = FieldValue.blob(NameBasedUUID.bytes(of: Array(name.utf8)))
        // A model can have the attribute as text.
        let kind = record.layout.position(of: .id).map { record.layout.fields[$0].kind }
        return kind == .text ? .text(id.display(as: .uuid)) : id
    }
}

internal import CoreDataStore
internal import MeterModel

/// What a record begins with that an import makes.
enum NewRecord {
    /// The identity of a meter's new record: the same one each time an import at this moment is planned.
    /// - Parameters:
    ///   - uuid: the store's; empty where it has none.
    ///   - moment: in ISO 8601.
    static func identity(of address: MACAddress, inStore uuid: String, at moment: String) -> FieldValue {
        .blob(NameBasedUUID.bytes(of: Array("\(uuid) \(address.text(in: .upper)) \(moment)".utf8)))
    }
}

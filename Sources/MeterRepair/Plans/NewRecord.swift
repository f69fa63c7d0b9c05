internal import CoreDataStore
internal import MeterModel

/// The identities of the records that an import at one moment makes in one store: each time it is planned, a meter's new
/// record gets the same.
struct NewIdentities {
    /// The name of the last identity, in UTF-8.
    private var name: [UInt8]
    /// Where in it the address begins.
    private let start: Int

    /// - Parameter uuid: the store's; empty where it has none.
    init(inStore uuid: String, at moment: Timestamp) {
        name = Array("\(uuid) \(MACAddress(bits: 0).text(in: .upper)) \(moment)".utf8)
        start = uuid.utf8.count + 1
    }

    /// 16 bytes.
    mutating func identity(of address: MACAddress) -> [UInt8] {
        for (offset, byte) in address.text(in: .upper).utf8.enumerated() { name[start + offset] = byte }
        return NameBasedUUID.bytes(of: name)
    }
}

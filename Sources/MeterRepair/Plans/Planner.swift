internal import CoreDataStore
package import MeterInspect
package import MeterModel
internal import MeterStore

/// What tells one command that writes from another: what it looks at, and how it plans.
package protocol Planner {
    /// The command, as in the report and in the backup's folder.
    var command: WritingCommand { get }

    /// Whether its plans change records: then the store's history and inheritance matter.
    var changesRecords: Bool { get }

    /// Whether its plans are first aid: they may be carried out while devices are in use, and leave the duplicates.
    var isFirstAid: Bool { get }

    /// The cures of findings that its plans carry out. Damaged indexes are made again before it plans, and triggers of
    /// another tool dropped before anything else is written.
    var due: [FixableCheck] { get }

    /// Decides everything, and changes nothing. Called inside the transaction that carries the plan out.
    /// - Throws: `StoreError` where this store cannot be worked on; SQLite's errors.
    func plan(in session: MeterSession) throws -> Plan

    /// What it still finds to do in the store as `plan` left it.
    /// - Throws: as `plan`.
    func remaining(of plan: Plan, in session: MeterSession) throws -> Plan
}

extension Planner {
    /// The plan for the store as it is now.
    package func remaining(of plan: Plan, in session: MeterSession) throws -> Plan { try self.plan(in: session) }

    package var changesRecords: Bool { true }

    package var isFirstAid: Bool { false }

    package var due: [FixableCheck] { [] }
}

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
        return nameBasedUUID(of: name)
    }
}

extension DeviceSettings {
    /// Tries until an identity is taken by no other record. More are not made: one that is taken was made by an earlier
    /// cure.
    static let mostNewIdentities = 256

    /// The `id` that a record gets which had none, or the same one as another. It follows from what every device knows of
    /// the record, so that devices that cure their own copies agree, and a dry run and the real run do. Without an `id` it
    /// is told from others by its name in CloudKit, and where CloudKit does not have it, no other device does either, by
    /// the date of its creation.
    /// - Parameter attempt: from 1.
    func newIdentity(attempt: Int) -> FieldValue {
        let address = usableAddress?.text(in: .upper) ?? self[.macAddress].display(as: .text)
        let origin =
            isEmpty(.id) ? cloudRecord?.name ?? self[.createdAt].display(as: .date) : self[.id].display(as: .uuid)
        let id = FieldValue.blob(nameBasedUUID(of: Array("\(origin) \(address) \(attempt)".utf8)))
        // A model can have the attribute as text.
        let kind = layout.position(of: .id).map { layout.fields[$0].kind }
        return kind == .text ? .text(id.display(as: .uuid)) : id
    }
}

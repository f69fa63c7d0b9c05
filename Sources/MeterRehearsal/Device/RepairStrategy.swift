/// How a device repairs its records.
package enum RepairStrategy: String, Sendable, CaseIterable {
    /// The canonical rebuild: one record of each meter is kept and updated in place, and only the others are deleted.
    case v3
    /// The deprecated one: everything is deleted and created again.
    case v2
}

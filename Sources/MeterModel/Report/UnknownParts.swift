/// What a store has and meterfix does not know, because another version of the app made it.
package struct UnknownParts: Hashable, Sendable {
    /// Of `DeviceSettings`, in byte order.
    package let attributes: [String]
    /// Besides `DeviceSettings`, in the order of their numbers.
    package let entities: [String]

    package init(attributes: [String], entities: [String]) {
        self.attributes = attributes
        self.entities = entities
    }

    package var isEmpty: Bool { attributes.isEmpty && entities.isEmpty }
}

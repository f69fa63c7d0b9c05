/// A composite attribute (`NSCompositeAttributeDescription`, type 2100, since iOS 17): what SwiftData makes of a property
/// whose type is a `Codable` structure. The app reads its elements by key paths such as `magnitude.richter`; each is a
/// column of its own.
///
/// All that is known of it was described by readers of Apple's code; no store with one has been seen. That goes for its
/// version hash, too, so it is not computed.
public struct CompositeAttribute: Hashable, Sendable {
    package enum Element: Hashable, Sendable {
        case attribute(Attribute)
        case composite(CompositeAttribute)
    }

    /// Its name in the entity.
    public let name: String
    package let isTransient: Bool
    /// In the order of the model.
    package let elements: [Element]

    package init(_ name: String, isTransient: Bool = false, elements: [Element]) {
        self.name = name
        self.isTransient = isTransient
        self.elements = elements
    }

    /// The attributes that it is made of, with the key paths by which the app reads them, in the order of their columns.
    public var leaves: [(keyPath: String, attribute: Attribute)] {
        elements.flatMap { element -> [(keyPath: String, attribute: Attribute)] in
            switch element {
            case .attribute(let attribute): [("\(name).\(attribute.name)", attribute)]
            case .composite(let composite): composite.leaves.map { ("\(name).\($0.keyPath)", $0.attribute) }
            }
        }
    }
}
